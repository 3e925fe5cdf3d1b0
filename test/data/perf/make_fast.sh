#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# make_fast.sh TILEIR-TRANSLATE    rewrites kernels/gemm*_e4m3_fast_128x256x128.tileirbc from the text of the adjacent
# kernel, with `fast_acc`, and with operand B as N x K, which wgmma reads without a transpose
set -eu
translate="$(realpath "$1")"
cd "$(dirname "$0")/kernels"
write() {
  local form="$1" changes="$2"
  "$translate" --cudatilebc-to-mlir gemm_e4m3_128x256x128.tileirbc |
    sed -e "s/@gemm_e4m3_/@gemm${form}_e4m3_fast_/" -e 's/\(= mmaf [^:]*\) : /\1 fast_acc : /' -e "$changes" |
    "$translate" --mlir-to-cudatilebc - -o "gemm${form}_e4m3_fast_128x256x128.tileirbc"
}
write "" ""
write _nt 's/\(tile=(128x256), padding_value = zero, [^>]*>\)>/\1, dim_map=[1, 0]>/'

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks the kernels of the first list on four architectures, against NumPy, under schedules of every kind.
#
#   slice.sh SEEDS    schedules per kernel, architecture and mode of asynchrony
set -eu
root="${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-}"
cd "$root"
[ -x "${TILEIR_PTXAS_PATH:-}" ] || { echo "TILEIR_PTXAS_PATH names no ptxas; run tools/setup/setup.sh" >&2; exit 1; }
shopt -s nullglob
cases=(test/kernels/{add_vec_,softmax_row_,layernorm_,gemm_tiled_,transpose2d_}*/*.json)
# The same kernels in newer bytecode have tests of their own.
for i in "${!cases[@]}"; do case "${cases[i]}" in *.v13_[45].json) unset "cases[i]" ;; esac; done
[ "${#cases[@]}" -ge 24 ] || { echo "only ${#cases[@]} cases" >&2; exit 1; }
tools/tileir-check/tileir-check "${cases[@]}" --arch=sm_80,sm_90a,sm_100a,sm_120a --async=early,late,random --seeds="$1" \
    --tileiras=tools/tileiras/tileiras --tileir-run=tools/tileir-run/tileir-run -j 2

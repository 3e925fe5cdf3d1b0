#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks a kernel whose results have the bits of CUDA's function, on a target: compiled, and run in the emulator.
#
#   bits.sh NAME TARGET    NAME is a folder here
set -eu
root="${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-}"
work="${TEST_TMPDIR:-$(mktemp -d)}"
cd "$root"
folder="test/numerics/$1"
tools/tileir-translate/tileir-translate --mlir-to-cudatilebc --bytecode-version=13.5 "$folder/$1.mlir" -o "$work/kernel.tileirbc"
tools/tileiras/tileiras "$work/kernel.tileirbc" --gpu-name "$2" --emit=ptx -o "$work/kernel.ptx"
cp "$folder"/*.npy "$work"
sed 's/"kernel": "[^"]*"/"kernel": "kernel.ptx"/' "$folder/$1.json" >"$work/case.json"
tools/tileir-run/tileir-run "$work/case.json" --device=emulated --arch="$(sed -n 's/^\.target \([a-z0-9_]*\).*/\1/p' "$work/kernel.ptx")"

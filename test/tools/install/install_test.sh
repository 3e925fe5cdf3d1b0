#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The installed tools work from where they lie, and `tileiras` has the disassembler beside it (CLI-65).
set -eu
prefix="$TEST_TMPDIR/a prefix"
tools/install/install "$prefix"
for tool in tileiras tileirdisasm tileir-serialize tileir-translate tileir-run tileir-nvcc tileir-config; do
  [ -x "$prefix/bin/$tool" ] || { echo "$tool is not installed"; exit 1; }
done
cp -r "$prefix" "$TEST_TMPDIR/moved"
"$TEST_TMPDIR/moved/bin/tileiras" --version | grep -q '^Build tileir-'
"$TEST_TMPDIR/moved/bin/tileirdisasm" --version >/dev/null
"$TEST_TMPDIR/moved/bin/tileir-config" --help >/dev/null
# The plugins find each other in one folder.
printf 'module {}' >"$TEST_TMPDIR/empty.mlir"
"${LLVM_PREFIX:-/usr/lib/llvm-22}/bin/mlir-opt" "$TEST_TMPDIR/empty.mlir" --load-dialect-plugin="$TEST_TMPDIR/moved/lib/libTileIR.so" \
  --load-pass-plugin="$TEST_TMPDIR/moved/lib/libTileIR.so" --pass-pipeline='builtin.module(tileir{opt-level=0})' >/dev/null
# Again over what is there, also while a program runs.
tools/install/install "$prefix"

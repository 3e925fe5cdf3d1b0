#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# PK-4: the examples build against a moved installation, by CMake and by a compiler line, as in their READMEs.
set -euo pipefail
fail() { echo "FAILED: $*"; exit 1; }
mkdir "$TEST_TMPDIR/made"
tar -xf packages/files.tar -C "$TEST_TMPDIR/made"
prefix=$TEST_TMPDIR/prefix
mv "$TEST_TMPDIR/made" "$prefix"
export PATH=$prefix/bin:/usr/bin:/bin
export HOME=$TEST_TMPDIR
mlir_opt=${LLVM_PREFIX:-/usr/lib/llvm-22}/bin/mlir-opt
cmake --version >/dev/null || fail "no cmake; run tools/setup/setup.sh"

# Commands of a README are those between lines of ```.
commands() { # FILE WORD: the blocks in which WORD occurs
  awk -v word="$2" '/^```/ { inside = !inside; if (!inside && index(block, word)) printf "%s", block; block = ""; next }
    inside { block = block $0 "\n" }' "$1"
}

# The example of a custom pass.
work=$TEST_TMPDIR/plugin
cp -r "$prefix/share/tileir/examples/pass_plugin" "$work"
mkdir "$TEST_TMPDIR/kernels-source"
cd "$work"
[ -n "$(commands README.md clang++-22)" ] || fail "no compiler line in the README"
ln -s "${LLVM_PREFIX:-/usr/lib/llvm-22}/bin/clang++" "$TEST_TMPDIR/clang++-22"
ln -s "$mlir_opt" "$TEST_TMPDIR/mlir-opt-22"
PATH=$PATH:$TEST_TMPDIR
K=$prefix/share/tileir/examples/kernels/attention.mlir
run_plugin() {
  local K=$K
  eval "$(commands README.md --dump-pass-pipeline)" 2>"$TEST_TMPDIR/remarks" || { cat "$TEST_TMPDIR/remarks"; fail "$1"; }
  grep -q "attention.mlir:31:.*: remark: 2 copies load 16384 bytes an iteration" "$TEST_TMPDIR/remarks" ||
    { cat "$TEST_TMPDIR/remarks"; fail "$1: no remark"; }
  grep -q nvvm.kernel lowered.mlir || fail "$1: nothing lowered"
  rm -f libReportCopies.so lowered.mlir
}
eval "$(commands README.md clang++-22)"
run_plugin "plain line"
# CMake selects g++.
eval "$(commands README.md "cmake -S" | sed "s|PREFIX|$prefix|")" >cmake.log 2>&1 || { cat cmake.log; fail "cmake"; }
grep -q "GNU" cmake.log || { cat cmake.log; fail "CMake took another compiler"; }
cp build/libReportCopies.so .
run_plugin "cmake"
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
[ "$(pkg-config --modversion tileir)" = "$(tileir-config --version)" ] || fail "tileir.pc has another version"
# shellcheck disable=SC2046  # flags
g++ $(pkg-config --cflags tileir) \
  -fsyntax-only -x c++ - <<<'#include "pipelines/Segments.h"
#include "passes/tileas/Passes.h"
#include "passes/warp_specialize/Passes.h"
#include "dialects/cuda_tile/CudaTile.h"
#include "dialects/support/Plugin.h"' || fail "the public headers do not stand on their own"
# A version that does not fit.
sed 's/find_package(TileIR /&9.9 /' CMakeLists.txt >"$TEST_TMPDIR/kernels-source/CMakeLists.txt"
! cmake -S "$TEST_TMPDIR/kernels-source" -B "$TEST_TMPDIR/wrong" -DTileIR_ROOT="$prefix" >"$TEST_TMPDIR/wrong.log" 2>&1 ||
  fail "version 9.9 was found"
grep -q "with requested version \"9.9\"" "$TEST_TMPDIR/wrong.log" || { cat "$TEST_TMPDIR/wrong.log"; fail "another error"; }

# Kernels: cubins and a host program by CMake; by hand, and a right answer.
work=$TEST_TMPDIR/kernels
cp -r "$prefix/share/tileir/examples/kernels" "$work"
cd "$work"
cmake -S . -B build -DTileIR_ROOT="$prefix" >cmake.log 2>&1 || { cat cmake.log; fail "cmake"; }
cmake --build build >build.log 2>&1 || { cat build.log; fail "cmake --build"; }
for kernel in add softmax attention; do
  for arch in sm_90 sm_120; do
    [ "$(head -c 4 "build/$kernel.$arch.cubin")" = $'\x7fELF' ] || fail "$kernel.$arch.cubin is no cubin"
  done
done
eval "$(commands README.md tileir-translate | sed s/python3/\\/usr\\/bin\\/python3/)"
cmp add.cubin build/add.sm_90.cubin || fail "CMake and the line make different cubins"
read -r -a words <arguments
g++ -std=c++17 -O1 host.cpp -o host -ldl
./host add.cubin add "${words[@]}"
build/host build/add.sm_90.cubin add "${words[@]}"

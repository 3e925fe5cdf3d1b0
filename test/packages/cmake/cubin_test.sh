#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests tileir_add_cubin of an installed prefix in a foreign project: built, built again, changed, misused. Usage:
# cubin_test.sh KERNEL.mlir KERNEL.tileirbc
set -euo pipefail
if ! command -v cmake >/dev/null; then
  echo "SKIPPED: no cmake; run tools/setup/setup.sh --peers"
  exit 0
fi
work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/cmake.XXXXXX")
trap 'rm -rf "$work"' EXIT
packages/install "$work/a prefix"
text=$(realpath "$1") bytecode=$(realpath "$2")
mkdir "$work/project"
cp "$text" "$work/project/add.mlir"
cp "$bytecode" "$work/project/given.tileirbc"
cat >"$work/project/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.22)
project(kernels LANGUAGES NONE)
find_package(TileIR REQUIRED CONFIG)
tileir_add_cubin(kernels add.mlir ARCHS sm_80 sm_90 LINEINFO)
tileir_add_cubin(plain given.tileirbc ARCHS sm_100 LAUNCH_ABI plain OPT_LEVEL 2 OUTPUT_DIRECTORY out)
get_target_property(cubins kernels TILEIR_CUBINS)
get_target_property(sidecars plain TILEIR_SIDECARS)
file(WRITE "${CMAKE_BINARY_DIR}/list" "${cubins};${sidecars}")
if(DEFINED WRONG)
  cmake_language(EVAL CODE "tileir_add_cubin(${WRONG})")
endif()
CMAKE
cd "$work"
configure() { cmake -S project -B build -DCMAKE_PREFIX_PATH="$work/a prefix" "$@"; }
configure >log || { cat log; exit 1; }
cmake --build build >log || { cat log; exit 1; }
[ "$(cat build/list)" = "$work/build/add.sm_80.cubin;$work/build/add.sm_90.cubin;$work/build/out/given.sm_100.launch.json" ]
for cubin in build/add.sm_80.cubin build/add.sm_90.cubin build/out/given.sm_100.cubin; do
  [ "$(head -c 4 "$cubin")" = "$(printf '\177ELF')" ]
done
grep -q '"launch_abi": "plain"' build/out/given.sm_100.launch.json
# The same bytes as from the compiler directly.
"a prefix/bin/tileir-translate" --mlir-to-cudatilebc --lineinfo "$work/project/add.mlir" -o add.tileirbc
"a prefix/bin/tileiras" add.tileirbc -o add.cubin --emit=cubin --gpu-name=sm_90 --opt-level=3 --launch-abi=tile --lineinfo
cmp add.cubin build/add.sm_90.cubin

# First nothing to do; then one source changed: two cubins are rebuilt, not the third.
cmake --build build >log
if grep -q Compiling log; then cat log; exit 1; fi
sed -i 's/addf %at, %bt/subf %at, %bt/' project/add.mlir
cmake --build build >log
[ "$(grep -c 'Compiling add.mlir' log)" = 2 ] && ! grep -q 'given.tileirbc' log

# A mistake is an error at the call.
refuse() { # TEXT ARGUMENTS
  if configure -DWRONG="$2" >log 2>&1; then echo "accepted: $2"; exit 1; fi
  tr -s ' \n' ' ' <log >said
  grep -qF -- "$1" said || { cat log; exit 1; }
}
refuse "ARCHS is missing; name targets as sm_90 or sm_100a" "wrong add.mlir"
refuse "unknown argument 'sm_90'" "wrong add.mlir sm_90 ARCHS sm_80"
refuse "DEVICE_DEBUG needs OPT_LEVEL 0" "wrong add.mlir ARCHS sm_80 DEVICE_DEBUG"
refuse "no value after" "wrong add.mlir ARCHS sm_80 OPT_LEVEL"
# A compiler error stops the build and is printed.
sed -i 's/ARCHS sm_80 sm_90/ARCHS sm_81/' project/CMakeLists.txt
configure -UWRONG >log
if cmake --build build >log 2>&1; then exit 1; fi
grep -q "unsupported GPU target\|sm_81" log
echo ok

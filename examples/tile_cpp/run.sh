#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds a program from one C++ file with a tile kernel and an ordinary kernel, and runs both kernels in the emulator.
#
#   examples/tile_cpp/run.sh [TARGET]     TARGET: sm_90 (default) or sm_120, for which CMakeLists.txt builds
#
# TILEIR_NVCC names the nvcc of a CUDA toolkit, 13.3 or later; tools/setup/setup.sh --peers installs one.
# TILEIR_BIN (default: what Bazel builds here) is a folder with tools/*/*.
set -euo pipefail
cd "$(dirname "$0")/../.."
gpu="${1:-sm_90}"
folder=examples/tile_cpp

if [ -z "${TILEIR_BIN:-}" ]; then
  tools/setup/setup.sh --peers
  # shellcheck disable=SC1091  # written by set-up
  . .tileir/env.sh
  echo "== building the compiler and the emulator"
  bazel build --show_progress --show_progress_rate_limit=20 //tools/tileiras //tools/tileir-config //tools/tileir-run
  TILEIR_BIN=bazel-bin
fi
out=${TEST_TMPDIR:-.tileir}/tile_cpp
mkdir -p "$out"

echo "== the program: nvcc with this compiler inside, by CMake"
nvcc=$("$TILEIR_BIN/tools/tileir-config/tileir-config" --nvcc)
cmake -S "$folder" -B "$out" -DCMAKE_CUDA_COMPILER="$nvcc" >"$out/cmake.log" || { cat "$out/cmake.log"; exit 1; }
cmake --build "$out" --target matmul
"$out/matmul"

echo "== its kernels in the emulator"
/usr/bin/python3 "$folder/make_cases.py" "$out/matmul" "$out"
for kernel in multiply addBias; do
  "$TILEIR_BIN/tools/tileir-run/tileir-run" "$out/$kernel.json" --arch="$gpu"
  echo "$kernel, $gpu: equal to NumPy within the tolerance of $folder/make_cases.py"
done

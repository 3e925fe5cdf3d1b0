#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles a kernel of this folder, runs it in the emulator and, where there is a GPU, from a host program.
#
#   examples/kernels/run.sh add|softmax|attention [TARGET]     TARGET as for --gpu-name, default sm_90
#
# TILEIR_BIN (default: what Bazel builds here) is a folder with tools/*/*.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=examples/kernels
name=${1:-}
gpu="${2:-sm_90}"
if [ ! -f "$folder/$name.mlir" ]; then
  names=$(cd "$folder" && printf '%s\n' *.mlir | sed 's/\.mlir$//' | paste -sd ' ')
  echo "usage: $folder/run.sh KERNEL [TARGET]; kernels are: $names" >&2
  [ "$name" = -h ] || [ "$name" = --help ]
  exit
fi
if [ -z "${TILEIR_BIN:-}" ]; then
  tools/setup/setup.sh
  # shellcheck disable=SC1091  # written by set-up
  . .tileir/env.sh
  bazel build --show_progress --show_progress_rate_limit=20 //tools/tileiras //tools/tileir-run //tools/tileir-translate
  TILEIR_BIN=bazel-bin
fi
out=${TEST_TMPDIR:-.tileir}/kernels/$name
mkdir -p "$out"
tileiras=$TILEIR_BIN/tools/tileiras/tileiras

# Producers write bytecode; text becomes it first, with the lines that errors and remarks name.
"$TILEIR_BIN/tools/tileir-translate/tileir-translate" --mlir-to-cudatilebc --lineinfo "$folder/$name.mlir" -o "$out/kernel.tileirbc"
"$tileiras" "$out/kernel.tileirbc" -o "$out/kernel.cubin" --gpu-name "$gpu" -O3 --print-summary
"$tileiras" "$out/kernel.tileirbc" -o "$out/kernel.ptx" --gpu-name "$gpu" -O3 --emit=ptx
/usr/bin/python3 "$folder/make_case.py" "$name" kernel.ptx "$out"
arch=$(sed -n 's/^\.target \([a-z0-9_]*\).*/\1/p' "$out/kernel.ptx")
"$TILEIR_BIN/tools/tileir-run/tileir-run" "$out/case.json" --device=emulated --arch="$arch" --cubin="$out/kernel.cubin"
echo "in the emulator: equal to NumPy within the tolerance of $folder/make_case.py"

g++ -std=c++17 -O1 -Wall -Werror "$folder/host.cpp" -o "$out/host" -ldl
read -r -a words <"$out/arguments"
(cd "$out" && ./host kernel.cubin "$name" "${words[@]}")

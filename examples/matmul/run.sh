#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# From a matmul that cuTile Python emitted to a cubin, a linkable host object and a correct result, without a GPU.
#
#   examples/matmul/run.sh [TARGET]     TARGET as for --gpu-name, default sm_90
#
# TILEIR_BIN (default: what Bazel builds here) is a folder with tools/*/*.
set -euo pipefail
cd "$(dirname "$0")/../.."
gpu="${1:-sm_90}"

if [ -z "${TILEIR_BIN:-}" ]; then
  tools/setup/setup.sh
  # shellcheck disable=SC1091  # written by set-up
  . .tileir/env.sh
  echo "== building the compiler and the emulator"
  mkdir -p .tileir
  tools/bazel/timed.sh first .tileir/build.log build -- //tools/tileiras //tools/tileir-run
  TILEIR_BIN=bazel-bin
fi

kernel=test/data/tileirbc/gemm_tiled_f16.v13_3.tileirbc
out=${TEST_TMPDIR:-.tileir}/matmul
mkdir -p "$out"
tileiras=$TILEIR_BIN/tools/tileiras/tileiras

echo "== the cubin, as a client asks for it"
"$tileiras" "$kernel" -o "$out/matmul.cubin" --gpu-name "$gpu" -O3 --lineinfo --print-summary
echo "== the same kernel as an object that a host program links"
"$tileiras" "$kernel" -o "$out/matmul.o" --gpu-name "$gpu" -O3 --emit=obj --print-summary
cat >"$out/main.c" <<'EOF'
int main(void) { return 0; }
EOF
cc "$out/main.c" "$out/matmul.o" -o "$out/program"
echo "linked into $out/program"

echo "== its PTX in the emulator: c = a @ b, compared with NumPy's answer"
"$tileiras" "$kernel" -o "$out/kernel.ptx" --gpu-name "$gpu" -O3 --emit=ptx
cp --remove-destination test/kernels/gemm_tiled_f16/gemm_tiled_f16.c.npy "$out/"
sed 's/"kernel": "[^"]*"/"kernel": "kernel.ptx"/' test/kernels/gemm_tiled_f16/gemm_tiled_f16.v13_3.json >"$out/case.json"
arch=$(sed -n 's/^\.target \([a-z0-9_]*\).*/\1/p' "$out/kernel.ptx")
# From Hopper on it takes tensor maps, whose recipes are in the cubin.
"$TILEIR_BIN/tools/tileir-run/tileir-run" "$out/case.json" --device=emulated --arch="$arch" --cubin="$out/matmul.cubin" --out="$out"
/usr/bin/python3 - "$out/c.npy" test/kernels/gemm_tiled_f16/gemm_tiled_f16.c.npy <<'EOF'
import sys
import numpy
got, want = (numpy.load(p).astype(numpy.float64) for p in sys.argv[1:])
print("c[0, :4]   ", got[0, :4])
print("NumPy's    ", want[0, :4])
print("largest difference", abs(got - want).max(), "of values up to", abs(want).max())
EOF
echo "== next"
echo "another target: examples/matmul/run.sh sm_80; why the compiler did what it did: docs/start/remarks.md"
echo "all tests: test/run.sh; your own build: docs/start/bazel.md; the plugins in mlir-opt: docs/start/plugins.md"

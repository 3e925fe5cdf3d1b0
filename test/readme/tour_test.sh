#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# PK-53: the commands of docs/start/tour.md run verbatim, and their output files have the lines of its excerpts. Set-up
# and installation, its first block, are those of the README, which readme_test runs.
set -euo pipefail
if [ ! -d "${TILEIR_PEER_CUTILE:-}" ] || [ ! -x "${TILEIR_PEER_NVDISASM:-}" ] || [ ! -x "${TILEIR_PTXAS_PATH:-}" ]; then
  echo "SKIPPED: no cuTile, nvdisasm or ptxas; run tools/setup/setup.sh --peers"
  exit 0
fi
work=$TEST_TMPDIR/work
mkdir -p "$work/.tileir/prefix" "$work/.tileir/tour"
cp -rL docs examples "$work/"
tar -xf packages/files.tar -C "$work/.tileir/prefix"
cd "$work"
mkdir bin
ln -s "${LLVM_PREFIX:-/usr/lib/llvm-22}/bin/mlir-opt" bin/mlir-opt-22
# Blocks without a language, from the second one on.
awk '/^```/ { if (inside) inside = 0; else if ($0 == "```") { ++block; inside = 1 } else inside = 2; next }
  inside == 1 && block > 1' docs/start/tour.md >commands
[ "$(wc -l <commands)" = 12 ] || { cat commands; echo "FAILED: not twelve commands"; exit 1; }
export PATH=$PWD/.tileir/prefix/bin:$PWD/bin:/usr/bin:/bin
export CUDA_TILE_CACHE_DIR=$PWD/cache CUDA_TILE_TEMP_DIR=$PWD PYTHONDONTWRITEBYTECODE=1 HOME=$PWD
bash -euo pipefail commands
tileiras .tileir/tour/gemm.tileirbc --gpu-name sm_90 --emit=ptx -o theirs.ptx
cmp theirs.ptx .tileir/tour/gemm.ptx
/usr/bin/python3 examples/tour/excerpts.py check .tileir/tour
# The check can fail.
sed -i 's/HGMMA/QGMMA/' docs/start/tour.md
! /usr/bin/python3 examples/tour/excerpts.py check .tileir/tour >said || { echo "FAILED: another page passes"; exit 1; }
grep -q "gemm.sass has no line as .*QGMMA" said || { cat said; exit 1; }

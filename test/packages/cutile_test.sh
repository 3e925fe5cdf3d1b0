#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# PK-6: with NVIDIA's compiler installed, cuTile uses it, and ours after tileir.use(), in every release from 1.5 on.
set -euo pipefail
fail() { echo "FAILED: $*"; exit 1; }
if [ ! -x "${TILEIR_PEER_TILEIRAS:-}" ] || [ ! -d "${TILEIR_PEER_CUTILE:-}" ]; then
  echo "SKIPPED: no cuTile; run tools/setup/setup.sh --peers"
  exit 0
fi
wheel=$(ls "$PWD"/packages/wheel/*.whl)
probe=$PWD/test/packages/cutile_probe.py
/usr/bin/python3 -m zipfile -e "$wheel" "$TEST_TMPDIR/site"
chmod +x "$TEST_TMPDIR"/site/tileir/bin/*
# The closed compiler as installed by pip, with the records by which cuTile finds it.
closed=${TILEIR_PEER_TILEIRAS%/nvidia/*}
# pip installs it beside the wheel, where the wheel finds its ptxas.
ln -s "$closed/nvidia" "$TEST_TMPDIR/site/nvidia"
tested=0
for cutile in "${TILEIR_PEER_CUTILE%-*}"-1.[5-9].*; do
  run() {
    rm -rf "$TEST_TMPDIR/work"
    mkdir "$TEST_TMPDIR/work"
    (cd "$TEST_TMPDIR/work" && env -i HOME="$PWD" PATH=/usr/bin:/bin CUDA_TILE_CACHE_DIR="$PWD/cache" CUDA_TILE_TEMP_DIR="$PWD" \
      PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$cutile:$TEST_TMPDIR/site:$closed" "$@" /usr/bin/python3 "$probe" "$TILEIR_PEER_TILEIRAS")
  }
  run env || fail "$cutile"
  run env TILEIR_USE=1 || fail "$cutile with TILEIR_USE=1"
  tested=$((tested + 1))
done
[ $tested -ge 3 ] || fail "$tested releases of cuTile instead of three; run tools/setup/setup.sh --peers"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# run.sh TEST.py [--each-cutile | --cutile] [ARGS]: runs unittest's TEST.py with the wheel unpacked, and with cuTile
# Python if requested.
set -euo pipefail
root=$PWD
script=$root/$1
shift
cutiles=()
case ${1:-} in
--each-cutile | --cutile)
  if [ ! -d "${TILEIR_PEER_CUTILE:-}" ]; then
    echo "SKIPPED: no cuTile; run tools/setup/setup.sh --peers"
    exit 0
  fi
  cutiles=("$TILEIR_PEER_CUTILE")
  [ "$1" = --cutile ] || cutiles=("${TILEIR_PEER_CUTILE%-*}"-1.[5-9].*)
  shift
  ;;
*) cutiles=("") ;;
esac
/usr/bin/python3 -m zipfile -e "$root"/packages/wheel/*.whl "$TEST_TMPDIR/site"
chmod +x "$TEST_TMPDIR"/site/tileir/bin/*
# pip installs ptxas beside the wheel.
[ ! -x "${TILEIR_PTXAS_PATH:-}" ] || ln -s "$(realpath "${TILEIR_PTXAS_PATH%/bin/*}/../..")/nvidia" "$TEST_TMPDIR/site/nvidia"
for cutile in "${cutiles[@]}"; do
  mkdir -p "$TEST_TMPDIR/work"
  env -i HOME="$TEST_TMPDIR/work" PATH=/usr/bin:/bin TEST_ROOT="$root" TEST_TMPDIR="$TEST_TMPDIR" PYTHONDONTWRITEBYTECODE=1 \
    PYTHONPATH="$TEST_TMPDIR/site:$cutile" CUDA_TILE_CACHE_DIR="$TEST_TMPDIR/cutile" /usr/bin/python3 "$script" "$@"
done

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks quotients of f32 against exact fractions, bit for bit, on the architectures given.
set -eu
root="${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-}"
cd "$root"
[ -x "${TILEIR_PTXAS_PATH:-}" ] || { echo "TILEIR_PTXAS_PATH names no ptxas; run tools/setup/setup.sh" >&2; exit 1; }
cases="$TEST_TMPDIR/cases"
mkdir -p "$cases"
python3 test/tools/tileir-check/make_divisions.py "$cases"
for arch in "$@"; do
  tools/tileir-check/tileir-check "$cases"/*.json --arch="$arch" -j 1 \
      --tileiras=tools/tileiras/tileiras --tileir-run=tools/tileir-run/tileir-run
done

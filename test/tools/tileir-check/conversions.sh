#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks every conversion between element types against exact fractions, on the architectures given; Bazel's shards take
# one each.
set -eu
root="${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-}"
cd "$root"
export TILEIR_NEWEST_RULES=1 # saturation and some roundings are of the newest release
[ -x "${TILEIR_PTXAS_PATH:-}" ] || { echo "TILEIR_PTXAS_PATH names no ptxas; run tools/setup/setup.sh" >&2; exit 1; }
[ -z "${TEST_SHARD_STATUS_FILE:-}" ] || touch "$TEST_SHARD_STATUS_FILE"
archs=("$@")
[ -z "${TEST_SHARD_INDEX:-}" ] || archs=("${archs[TEST_SHARD_INDEX]}")
cases="$TEST_TMPDIR/cases"
mkdir -p "$cases"
python3 test/tools/tileir-check/make_conversions.py "$cases"
for arch in "${archs[@]}"; do
  tools/tileir-check/tileir-check "$cases"/*.json --arch="$arch" -j 1 \
      --tileiras=tools/tileiras/tileiras --tileir-run=tools/tileir-run/tileir-run
done

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs randomized modules in the oracle and the emulator. Bazel's shards share them.
#
#   random.sh COUNT SEED [ARCHITECTURES [ASSEMBLE [KIND]]]
set -eu
root="${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-}"
cd "$root"
[ -x "${TILEIR_PTXAS_PATH:-}" ] || { echo "TILEIR_PTXAS_PATH names no ptxas; run tools/setup/setup.sh" >&2; exit 1; }
[ -z "${TEST_SHARD_STATUS_FILE:-}" ] || touch "$TEST_SHARD_STATUS_FILE"
shards="${TEST_TOTAL_SHARDS:-1}" shard="${TEST_SHARD_INDEX:-0}"
count=$(($1 / shards))
tools/tileir-check/tileir-check --random="$count" --seed="$(($2 + shard * count))" --arch="${3:-sm_80,sm_90a}" -j 1 \
    --assemble="${4:-1}" --kind="${5:-mixed}" \
    --keep="${TEST_UNDECLARED_OUTPUTS_DIR:-$TEST_TMPDIR}/failures" \
    --tileiras=tools/tileiras/tileiras --tileir-run=tools/tileir-run/tileir-run

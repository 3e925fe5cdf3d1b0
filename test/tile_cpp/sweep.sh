#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs cases on a target with all seeds and modes of the environment (test/kernels/run_case.sh).
#
#   sweep.sh GPU CASE...    of several shards, this one takes its share of the cases
set -u
gpu=$1
shift
[ -z "${TEST_SHARD_STATUS_FILE:-}" ] || touch "$TEST_SHARD_STATUS_FILE"
# The older ptxas accepts or rejects a kernel regardless of seeds: only the test of the single case calls it.
unset TILEIR_FALLBACK_PTXAS_PATH
number=0 failed=0
for case_file in "$@"; do
  ((number++ % ${TEST_TOTAL_SHARDS:-1} == ${TEST_SHARD_INDEX:-0})) || continue
  work=$TEST_TMPDIR/$number
  mkdir -p "$work"
  TEST_TMPDIR=$work bash test/kernels/run_case.sh "$case_file" "$gpu" || {
    echo "FAILED: $case_file on $gpu"
    failed=1
  }
  rm -rf "$work"
done
exit $failed

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs randomized problems: random.sh COUNT [SEED | --rotate]. Every schedule is legal, the small ones are at the
# optimum, 95 % of the rest within 5 % of the bound. Without a seed the name of the test selects a slice of those below
# 5,000; with --rotate the day does.
set -uo pipefail
tool=$TEST_SRCDIR/$TEST_WORKSPACE/tools/tileir-schedule/tileir-schedule
total=${TEST_TOTAL_SHARDS:-1} shard=${TEST_SHARD_INDEX:-0}
[ -z "${TEST_SHARD_STATUS_FILE:-}" ] || touch "$TEST_SHARD_STATUS_FILE"
count=$(($1 / total))
turn=$(printf %s "${TEST_TARGET:-}" | cksum | cut -d' ' -f1)
[ "${2:-}" != --rotate ] || turn=$((10#$(date +%j)))
seed=${2:-}
case "$seed" in '' | --rotate) seed=$((turn % 1000 * $1 % 5000 + 1)) ;; esac
seed=$((seed + shard * count))
echo "problems $seed to $((seed + count - 1))"
exec "$tool" --random="$count" --seed="$seed"

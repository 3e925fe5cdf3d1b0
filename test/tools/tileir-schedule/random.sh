#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Random problems: random.sh COUNT [SEED]. Every schedule is legal, the small ones are at the optimum, 95 % of the rest within 5 %
# of the bound. Without a seed it is the day's slice of those below 5,000.
set -uo pipefail
tool=$TEST_SRCDIR/$TEST_WORKSPACE/tools/tileir-schedule/tileir-schedule
total=${TEST_TOTAL_SHARDS:-1} shard=${TEST_SHARD_INDEX:-0}
[ -z "${TEST_SHARD_STATUS_FILE:-}" ] || touch "$TEST_SHARD_STATUS_FILE"
count=$(($1 / total))
day=$((10#$(date +%j)))
seed=${2:-$((day * $1 % 5000 + 1))}
seed=$((seed + shard * count))
echo "problems $seed to $((seed + count - 1))"
exec "$tool" --random="$count" --seed="$seed"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Random problems: random.sh COUNT SEED. Every schedule is legal, the small ones are at the optimum, the rest near the bound.
set -uo pipefail
tool=$TEST_SRCDIR/$TEST_WORKSPACE/tools/tileir-schedule/tileir-schedule
total=${TEST_TOTAL_SHARDS:-1} shard=${TEST_SHARD_INDEX:-0}
[ -z "${TEST_SHARD_STATUS_FILE:-}" ] || touch "$TEST_SHARD_STATUS_FILE"
count=$(($1 / total))
exec "$tool" --random="$count" --seed=$(($2 + shard * count))

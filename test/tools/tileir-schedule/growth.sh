#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks 10 to 10,000 operations: the steps grow no faster than n log n, 1,000 operations take less than 50 ms of
# processor time.
set -uo pipefail
tool=$TEST_SRCDIR/$TEST_WORKSPACE/tools/tileir-schedule/tileir-schedule
table=$("$tool" --growth) || { printf '%s\n' "$table"; exit 1; }
printf '%s\n' "$table"
awk '$1 == 1000 { found = 1; if ($2 >= 50) { print "1000 operations take " $2 " ms"; exit 1 } } END { exit !found }' <<<"$table"

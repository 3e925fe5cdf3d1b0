#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs Bazel with progress on a terminal and in a log, announces the expected time, and records the time taken.
#
#   timed.sh STEP LOG COMMAND ARGUMENT... -- TARGET...     STEP as for times.py; LOG gets a copy of Bazel's output
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.." || exit
step=$1 log=$2
shift 2
command=()
while [ "$1" != -- ]; do command+=("$1"); shift; done
shift
echo "$step: $(/usr/bin/python3 tools/bazel/times.py estimate "$step" "$@")"
begin=$SECONDS
if [ -t 1 ]; then
  bazel "${command[@]}" "$@"
  code=$?
  # Bazel keeps a copy of its output, with cursor movements and colours.
  sed 's/\x1b\[[0-9;]*[A-Za-z]//g' "$(bazel info command_log 2>/dev/null)" >"$log"
else
  # A line every 20 seconds.
  bazel "${command[@]}" --curses=no --show_progress_rate_limit=20 "$@" 2>&1 | tee "$log"
  code=${PIPESTATUS[0]}
fi
[ "$code" != 0 ] || /usr/bin/python3 tools/bazel/times.py add "$step" $((SECONDS - begin)) "$log" "$@"
exit "$code"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs every check of this folder that needs no build, as //tools/lint does; for git's hook:
#
#   ln -s ../../tools/lint/pre_commit.sh .git/hooks/pre-commit
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")" || exit
status=0
for check in comments docs format headers heuristics markdown python shell spelling version; do
  ./$check.sh || status=1
done
exit $status

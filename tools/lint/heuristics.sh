#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks that passes with heuristics compare with no unnamed number above 9, widths of elements aside. A constant that
# bounds something is a row of dialects/support/Heuristics.def, or its comment cites the manual that sets it. Without
# files it checks all sources of these passes.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.." || exit
exec python3 tools/lint/heuristics.py "$@"

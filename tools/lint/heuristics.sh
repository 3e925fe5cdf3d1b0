#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Passes that choose compare with no number above 9 that has no name, widths of elements aside; a constant that bounds something is
# a row of dialects/support/Heuristics.def, or its comment cites the manual that sets it. Without files, all of theirs.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.." || exit
exec python3 tools/lint/heuristics.py "$@"

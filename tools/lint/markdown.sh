#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Prose in Markdown ends its lines by column 120; tables, code and pages that a tool writes are as long as they are. --fix breaks
# longer lines. Links to files of this tree lead to files that exist.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.." || exit
exec python3 tools/lint/markdown.py "$@"

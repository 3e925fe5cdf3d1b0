#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks that prose in Markdown ends its lines by column 120; tables, code and generated pages may be longer. --fix
# breaks longer lines. Links to files of this tree must lead to existing files. Names of options, passes, variables and
# files in the code of CHANGELOG.md must occur in another file.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.." || exit
exec python3 tools/lint/markdown.py "$@"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs shellcheck on the shell scripts.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.." || exit
command -v shellcheck >/dev/null || {
  echo "shellcheck is not installed; run tools/setup/setup.sh"
  exit 1
}
mapfile -t scripts < <(git grep -lE '^#!/bin/(ba)?sh' -- ':!test/data')
exec shellcheck --severity=warning "${scripts[@]}"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks Python scripts for undefined names and unused imports (ruff.toml). --fix corrects what ruff can.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.." || exit
ruff=${TILEIR_RUFF_PATH:-$(sed -n 's/^test --test_env=TILEIR_RUFF_PATH=//p' .tileir/setup.bazelrc 2>/dev/null)}
[ -x "${ruff:=$(command -v ruff)}" ] || {
  echo "ruff is not installed; run tools/setup/setup.sh"
  exit 1
}
mapfile -t scripts < <(git ls-files '*.py')
if [ "${1:-}" = --fix ]; then set -- --fix; else set --; fi
exec "$ruff" check --quiet --no-cache --config tools/lint/ruff.toml "$@" "${scripts[@]}"

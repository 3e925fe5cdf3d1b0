#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Python scripts name nothing that is not there, import nothing that they do not use (ruff.toml). --fix mends what ruff can.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.." || exit
toolkit="${TILEIR_TOOLKIT:-$HOME/.local/share/tileir}"
ruff=$(compgen -G "$toolkit/ruff-*/bin/ruff" | tail -n 1 || command -v ruff) || {
  echo "ruff is not installed; run tools/setup/setup.sh"
  exit 1
}
mapfile -t scripts < <(git ls-files '*.py')
if [ "${1:-}" = --fix ]; then set -- --fix; else set --; fi
exec "$ruff" check --quiet --no-cache --config tools/lint/ruff.toml "$@" "${scripts[@]}"

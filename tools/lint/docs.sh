#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# PASSES.md of every pass family equals what TableGen writes from its Passes.td. --fix refreshes it.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
prefix=${LLVM_PREFIX:-/usr/lib/llvm-22}
status=0
for td in $(git ls-files "passes/*/Passes.td"); do
  md=${td%.td}; md=$(dirname "$td")/PASSES.md
  new=$("$prefix/bin/mlir-tblgen" -gen-pass-doc -I"$prefix/include" -I. "$td") || { status=1; continue; }
  if [ "${1:-}" = --fix ]; then
    printf '%s\n' "$new" >"$md"
  elif ! diff -q <(printf '%s\n' "$new") "$md" >/dev/null 2>&1; then
    echo "$md is not what Passes.td says; run tools/lint/docs.sh --fix"
    status=1
  fi
done
exit $status

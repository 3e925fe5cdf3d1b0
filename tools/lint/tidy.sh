#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs clang-tidy (.clang-tidy lists the checks) on changed C++ sources.
#
#   tools/lint/tidy.sh [RANGE]     sources that changed in RANGE, by default since main and not committed
#   tools/lint/tidy.sh FILE...     these
#
# Generated headers come from bazel-bin: build what changed before.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.." || exit
prefix=${LLVM_PREFIX:-/usr/lib/llvm-22}
command -v clang-tidy-22 >/dev/null || {
  echo "clang-tidy-22 is not installed; run tools/setup/setup.sh --lint"
  exit 1
}
if [ -f "${1:-}" ]; then
  sources=("$@")
else
  mapfile -t sources < <({ git diff --name-only --diff-filter=d "${1:-main}" -- '*.cpp'
    [ $# -gt 0 ] || git ls-files --others --exclude-standard -- '*.cpp'; } | sort -u)
fi
status=0
for source in "${sources[@]}"; do
  prelude=(-include third_party/llvm/mlir_pch.h)
  case $source in dialects/support/* | tools/emulator/* | tools/cases/* | tools/launch/* | tools/tileir-run/*) prelude=() ;; esac
  clang-tidy-22 --quiet "$source" -- -std=c++17 -fno-exceptions -I. -Ibazel-bin -isystem "$prefix/include" \
    "${prelude[@]}" \
    2> >(grep -v ' warnings\? generated\|^Suppressed\|^Use -header-filter' >&2) || status=1
done
exit $status

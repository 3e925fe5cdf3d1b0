#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX line in every source, no trailing blanks; with clang-format-22 installed also its format.
# --fix corrects blanks and format.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.." || exit
fix=${1:-}
status=0
complain() { echo "$1"; status=1; }

while IFS= read -r f; do
  case "$f" in
  test/data/* | LICENSE | VERSION | *.npy | *.tileirbc | *.xz | *.json | *.md | *.cfg | .gitignore | .clang-* | *.csv | test/kernels/*.txt | test/tile_cpp/*.txt) continue ;;
  esac
  [ -s "$f" ] || continue
  head -n 3 "$f" | grep -q 'SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception' || complain "$f: no SPDX line in the first three lines"
  if grep -nE '[[:blank:]]+$' "$f" >/dev/null; then
    if [ "$fix" = --fix ]; then sed -i -E 's/[[:blank:]]+$//' "$f"; else complain "$f: trailing blanks"; fi
  fi
done < <(git ls-files)

if command -v clang-format-22 >/dev/null; then
  mapfile -t sources < <(git ls-files '*.cpp' '*.h' ':!third_party')
  if [ ${#sources[@]} -gt 0 ]; then
    if [ "$fix" = --fix ]; then
      clang-format-22 -i "${sources[@]}"
    else
      clang-format-22 --dry-run -Werror "${sources[@]}" 2>/dev/null || complain "clang-format-22 would change files; run tools/lint/format.sh --fix"
    fi
  fi
fi
exit $status

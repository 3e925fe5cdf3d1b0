#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks that words.py finds old words in comments, descriptions, pages, names and messages, at their lines, and nothing
# else.
set -euo pipefail
check=$(dirname "$0")/words.py
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/good.cpp" <<'END'
// Copies in flight; the multi-buffered pipeline alternates between two slots.
const char *word = "anew", *text = "copies in flight", *quoted = "the word `under way`";
int number; // `anew` is an option.
int getRing(int string, int factor);
END
printf 'x = f"{slots} {product}"  # `twin`\nstring = "behind"\n' >"$folder/good.py"
printf 'A page.\n\n```\nnobody\n```\n`in front of` is a name.\n' >"$folder/good.md"
printf 'let summary = "Copies operands";\nlet description = [{\n  A `crowded` loop.\n}];\nint anew;\n' >"$folder/good.td"
python3 "$check" "$folder"/good.*
printf 'int a;\n// Copies that are under way.\nint kMostRows;\n' >"$folder/bad.cpp"
printf 'A page.\nNobody reads it.\n' >"$folder/bad.md"
printf 'let summary = "Makes it anew";\nlet description = [{\n  Stands in front of it.\n}];\n' >"$folder/bad.td"
printf 'x = 1  # the factors of a product; factor A\ntwin_of = 2\ny = f"{slot_rings}"\nfail("stands behind it")\n' >"$folder/bad.py"
mkdir -p "$folder/passes/tileas"
printf 'int a;\nint slotRings, makers;\nint factor, numProducts;\nfail("a ring is under way");\nfail("ring");\n' \
  >"$folder/passes/tileas/bad.h"
check=$(readlink -f "$check")
cd "$folder"
if python3 "$check" bad.* passes/tileas/bad.h >out; then
  echo "words.py passes bad files"
  exit 1
fi
diff - <(sed -E 's/.*bad.([a-z]+):([0-9]+):.*/\1 \2/' out) <<'END'
cpp 2
cpp 3
md 2
py 1
py 1
py 2
py 3
py 4
td 1
td 3
h 2
h 2
h 3
h 3
h 4
h 4
END

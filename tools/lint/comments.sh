#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Comments of declarations (`///`) and of files (the first lines) begin with a verb or a noun: "Returns …", "Bytes of …".
# Without files, all of ours.
set -uo pipefail
files=("$@")
if [ ${#files[@]} -eq 0 ]; then
  cd "$(dirname "$(readlink -f "$0")")/../.." || exit
  mapfile -t files < <(git ls-files dialects passes pipelines serialize tools | grep -E '\.(h|cpp|td|def)$')
fi
# A line that goes on with a comment may begin with any word.
awk '
  FNR == 1 { inside = 0 }
  {
    text = $0
    sub(/^[ \t]+/, "", text)
    isDeclaration = text ~ /^\/\/\//
    isHead = FNR <= 4 && text ~ /^\/\/ /
    if ((isDeclaration || isHead) && !inside && text ~ /^\/\/\/? ?(What|Whether|How)[^A-Za-z]/) {
      print FILENAME ":" FNR ": begin the comment with a verb or a noun: " text
      status = 1
    }
    inside = isDeclaration
  }
  END { exit status }
' "${files[@]}"

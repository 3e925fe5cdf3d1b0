#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks that comments, and the indented texts in them, begin with a verb or a noun: "Returns …", "Bytes of …". Without
# files it checks the whole tree.
set -uo pipefail
files=("$@")
if [ ${#files[@]} -eq 0 ]; then
  cd "$(dirname "$(readlink -f "$0")")/../.." || exit
  mapfile -t files < <(git ls-files '*.h' '*.cpp' '*.td' '*.def' '*.py' '*.sh' '*.bzl' '*.bazel' '*.BUILD' '*.bazelrc' \
    '*.mlir' '*.test' '*.cu' '.ci' ':!test/data' ':!tools/lint/comments_test.sh')
fi
# A continuation line may begin with any word; RUN and CHECK lines are not comments.
awk '
  FNR == 1 {
    inside = 0
    mark = FILENAME ~ /\.(h|cpp|td|def|mlir|cu)$/ ? "^//" : "^(#|//)"
  }
  {
    text = $0
    sub(/^[ \t]+/, "", text)
    isComment = text ~ mark && text !~ /^(\/\/|#) *[A-Z0-9_-]+:/ && text !~ /SPDX-/ && text !~ /^(\/\/|#)[ -=]*$/ && text !~ /^#!/
    if (isComment && (!inside || text ~ /^(\/\/|#)    / && last !~ /^(\/\/|#)    /) && text ~ /^(\/\/\/?|##?) *(What|Whether|How)[^A-Za-z]/) {
      print FILENAME ":" FNR ": begin the comment with a verb or a noun: " text
      status = 1
    }
    inside = isComment && text !~ /^(\/\/|#)[ -=]*$/
    last = text
  }
  END { exit status }
' "${files[@]}"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Comments begin with a verb or a noun: "Returns …", "Bytes of …"; so do the indented texts of a comment. Without files, all of
# ours.
set -uo pipefail
files=("$@")
if [ ${#files[@]} -eq 0 ]; then
  cd "$(dirname "$(readlink -f "$0")")/../.." || exit
  mapfile -t files < <(git ls-files '*.h' '*.cpp' '*.td' '*.def' '*.py' '*.sh' '*.bzl' '*.bazel' '*.BUILD' '*.bazelrc' \
    '*.mlir' '*.test' '*.cu' '.ci' ':!test/data' ':!tools/lint/comments_test.sh')
fi
# A line that goes on with a comment may begin with any word; one of RUN or CHECK is no comment.
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

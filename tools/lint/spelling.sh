#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Misspellings, by codespell, and check prefixes that no RUN line names (such checks never run).
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.." || exit
status=0
# Names that codespell takes for words, and misspellings that tests plant.
names=inflight,upto,te,ot,aadd,expct,atleast,offsett,filetest,earlies,nd,olt,canonicalizations,sav,rightt,registe,aaccess,multipl,inout,fro,aling
if command -v codespell >/dev/null; then
  found=$(git ls-files -z -- . ':!test/data' ':!*.csv' | xargs -0 codespell --ignore-words-list="$names" 2>/dev/null)
  [ -z "$found" ] || { echo "$found"; status=1; }
else
  echo "codespell is missing; run tools/setup/setup.sh"
  status=1
fi
while IFS= read -r t; do
  runs=$(grep -E '(RUN|DEFINE):' "$t")
  for prefix in $(grep -ohE '^ *(//|##|;|#) *[A-Z][A-Z0-9_-]*(-LABEL|-SAME|-NEXT|-NOT|-DAG|-COUNT-[0-9]+)?:' "$t" |
    sed -E 's/^ *(\/\/|##|;|#) *//; s/(-LABEL|-SAME|-NEXT|-NOT|-DAG|-COUNT-[0-9]+)?:$//' | sort -u); do
    case "$prefix" in RUN | REQUIRES | UNSUPPORTED | XFAIL | DEFINE | REDEFINE | TODO | NOTE | END | ALLOW_RETRIES | SPDX* | LA-[0-9]* | S-[0-9]* | CLI-[0-9]* | T-[0-9]*) continue ;; esac
    if [ "$prefix" = CHECK ]; then
      grep -q FileCheck <<<"$runs" && continue
    fi
    grep -qE "check-prefix(es)?[= ][A-Z0-9_,-]*\b$prefix\b" <<<"$runs" || { echo "$t: no RUN line names the prefix $prefix"; status=1; }
  done
done < <(git ls-files 'test/*.mlir' 'test/*.test')
exit $status

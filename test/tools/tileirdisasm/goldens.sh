#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compares the disassembly of every file of test/data, with and without -g, with the text of release 13.5 of the closed
# tool (CLI-71, CLI-72, CLI-73).
set -uo pipefail
runfiles="$TEST_SRCDIR/$TEST_WORKSPACE"
tool="$runfiles/tools/tileirdisasm/tileirdisasm"
data="$runfiles/test/data"
compared=0 failed=0
compare() { # GOLDEN FILE [OPTION]
  local golden="$1" file="$2"
  shift 2
  # The one token that the closed tool gets wrong: it drops the sign of a negative infinity.
  case "$file" in
  */logsumexp_f64.*) sed 's/0x7FF0000000000000 : f64/0xFFF0000000000000 : f64/' "$golden" ;;
  *) cat "$golden" ;;
  esac >"$TEST_TMPDIR/golden"
  if ! "$tool" "$@" "$file" >"$TEST_TMPDIR/text" 2>"$TEST_TMPDIR/errors" || [ -s "$TEST_TMPDIR/errors" ]; then
    echo "FAILED $file $*: $(cat "$TEST_TMPDIR/errors")"
    failed=$((failed + 1))
  elif ! cmp -s "$TEST_TMPDIR/golden" "$TEST_TMPDIR/text"; then
    echo "DIFFERS $file $*"
    diff "$TEST_TMPDIR/golden" "$TEST_TMPDIR/text" | head -10
    failed=$((failed + 1))
  fi
  compared=$((compared + 1))
}
for file in "$data"/tileirbc/*.tileirbc; do
  name=$(basename "$file" .tileirbc)
  compare "$data/text/$name.mlir" "$file"
  [ ! -e "$data/text/$name.g.mlir" ] || compare "$data/text/$name.g.mlir" "$file" -g
done
echo "$compared compared, $failed failed"
# 122 files, six of them also with -g.
[ "$compared" = 128 ] && [ "$failed" = 0 ]

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# peer.sh MODULES...: compares the closed disassembler and ours on bytecode of our writer: the same text. The modules
# are one for each operation and one for each newer feature, in every version that supports them, and those of
# test/data, rewritten.
set -uo pipefail
peer="$(dirname "${TILEIR_PEER_TILEIRAS:-/none}")/tileirdisasm"
if [ ! -x "$peer" ]; then
  echo "skipped: the closed tileirdisasm is not installed; run tools/setup/setup.sh --peers"
  exit 0
fi
unset CUDA_HOME CUDA_ROOT CUDA_PATH
runfiles="$TEST_SRCDIR/$TEST_WORKSPACE"
ours="$runfiles/tools/tileirdisasm/tileirdisasm"
translate="$runfiles/tools/tileir-translate/tileir-translate"
work="$TEST_TMPDIR"
compared=0 failed=0
compare() { # NAME FILE
  for option in "" -g; do
    "$peer" $option "$2" >"$work/theirs" 2>&1
    local status=$?
    "$ours" $option "$2" >"$work/ours" 2>&1
    if [ $? != $status ] || ! cmp -s "$work/theirs" "$work/ours"; then
      echo "DIFFERS $1 $option"
      diff "$work/theirs" "$work/ours" | head -6
      failed=$((failed + 1))
    fi
    compared=$((compared + 1))
  done
}
versions=$("$translate" --list-versions)
number=0
for file in "$@"; do
  # Only our tools know modules of the testing versions.
  awk -v RS='// -----\n' -v prefix="$work/case" -v base="$number" \
    'NR > 1 && !/ 250\.[01]\n/ { print > (prefix (base + NR) ".mlir") }' "$file"
  number=$((number + 1000))
done
for file in "$work"/case*.mlir; do
  name=$(sed -n 's,^// case: ,,p' "$file")
  for version in $versions; do
    "$translate" --mlir-to-cudatilebc --bytecode-version="$version" "$file" -o "$work/module.tileirbc" 2>/dev/null || continue
    compare "$name in $version" "$work/module.tileirbc"
  done
done
for file in "$runfiles"/test/data/tileirbc/*.tileirbc; do
  # The closed reader loses the sign of its infinity only in the original.
  "$translate" --cudatilebc-to-mlir --mlir-print-debuginfo "$file" -o "$work/module.mlir" || failed=$((failed + 1))
  for version in $versions; do
    "$translate" --mlir-to-cudatilebc --bytecode-version="$version" "$work/module.mlir" -o "$work/module.tileirbc" 2>/dev/null || continue
    compare "$(basename "$file") in $version" "$work/module.tileirbc"
  done
done
echo "$compared compared, $failed failed"
[ "$compared" -gt 1000 ] && [ "$failed" = 0 ]

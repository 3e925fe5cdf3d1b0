#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The checkout's BUILD, .bzl and MODULE.bazel files as Bazel 4, 7, 8 and 9 read them, and faults that they must find.
# Usage: starlark-test.sh DEFS
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
tileir=$(dirname "$(dirname "$(readlink -f "$1")")")
[ -d "${TILEIR_STARLARK_PATH:-}" ] || {
  echo "starlark-pyo3 is not installed; run tools/setup/setup.sh"
  exit 1
}
work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/starlark.XXXXXX")
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1
cd "$tileir"
check() { /usr/bin/python3 "$here/starlark/check.py" load "$tileir" "$@"; }

check | tee "$work/said"
packages=$(git ls-files '*BUILD.bazel' | wc -l)
for release in 4 7 8 9; do
  read -r count < <(sed -n "s/^Bazel $release: \([0-9]*\) packages.*/\1/p" "$work/said")
  [ "$count" -ge "$packages" ] || { echo "Bazel $release: $count packages of $packages"; exit 1; }
done

# refuse RELEASES TEXT FILE SED-COMMAND: the change of the file is found by these releases and by no other.
refuse() {
  sed -E "$4" "$3" >"$work/changed"
  if cmp -s "$3" "$work/changed"; then echo "no change: $4"; exit 1; fi
  if check "$3=$work/changed" >"$work/said"; then echo "passes: $3 with $4"; exit 1; fi
  [ "$(sed -n 's/^Bazel \([0-9]*\): .*/\1/p' "$work/said" | sort -u | tr '\n' ' ')" = "$1 " ] || { cat "$work/said"; exit 1; }
  grep -qF -- "$2" "$work/said" || { cat "$work/said"; exit 1; }
}
refuse 9 "Variable \`sh_test\` not found" tools/lint/BUILD.bazel '/rules_shell/d'
refuse "4 7 8 9" "'//tools/bazel:nowhere.bzl' does not exist" tools/driver/BUILD.bazel 's|bazel:tileir.bzl|bazel:nowhere.bzl|'
refuse "4 7 8 9" "two targets are called 'comments_test'" tools/lint/BUILD.bazel 's/commit_message_test"/comments_test"/'
refuse "8 9" "matches no file; this release asks for allow_empty" test/kernels/case_test.bzl 's/allow_empty = True/allow_empty = None/'
refuse "4 7 8 9" "has no attribute 'archs'" examples/bazel/BUILD.bazel '0,/arch = "sm_90"/s//arch = "sm_90", archs = []/'
refuse "7 8 9" "from a repository that this module does not see" examples/bazel/MODULE.bazel '/use_repo/d'
refuse "7 8 9" "which the module does not depend on" rules_tileir/MODULE.bazel '/rules_cc/d'
refuse "7 8 9" "the extension makes no repository" examples/bazel/MODULE.bazel 's/prefix = "/name = "other", &/'
refuse "7 8 9" "tag 'archive' needs 'urls'" examples/bazel/MODULE.bazel 's/^tileir\.prefix.*/tileir.archive()/'
refuse 4 "takes no label like ':toolchain_type'" rules_tileir/defs.bzl 's|^_TYPE = .*|_TYPE = Label(":toolchain_type")|'
# The other kinds of toolchain, by MODULE.bazel.
sed -e 's|^tileir.prefix.*|&\ntileir.nvcc()\ntileir.archive(urls = ["https://example.com/tileir.whl"], sha256 = "0")|' \
  -e 's|^use_repo(.*)|use_repo(tileir, "tileir_archive", "tileir_nvcc", "tileir_prefix")|' examples/bazel/MODULE.bazel >"$work/changed"
grep -q 'use_repo.*nvcc' "$work/changed"
check "examples/bazel/MODULE.bazel=$work/changed" >/dev/null
echo ok

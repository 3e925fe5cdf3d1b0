#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks that only the file VERSION spells the version of this project, and that no release in CHANGELOG.md is newer.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.." || exit
status=0
version=$(cat VERSION)
if ! grep -qE '^[0-9]+\.[0-9]+\.[0-9]+$' <<<"$version"; then
  echo "VERSION is '$version', not a version as 1.2.3"
  exit 1
fi
found=$(git grep -nIF -e "\"$version\"" -e "tileir-$version" -e "tileir $version" -- . ':!VERSION' ':!test/data')
# A MODULE.bazel cannot read the file.
found=$(grep -v '^rules_tileir/MODULE.bazel:' <<<"$found")
grep -qx "    version = \"$version\"," rules_tileir/MODULE.bazel || {
  echo "rules_tileir/MODULE.bazel: the version is not '$version', as VERSION has it"
  status=1
}
[ -z "$found" ] || { printf 'write no version down, read the file VERSION:\n%s\n' "$found"; status=1; }
if ! grep -qx "TILEIR_SO_VERSION = \"${version%.*}\"" tools/bazel/version.bzl; then
  echo "tools/bazel/version.bzl: TILEIR_SO_VERSION is not '${version%.*}', as VERSION has it"
  status=1
fi
while IFS= read -r heading; do
  case "$heading" in
  Unreleased) ;;
  *)
    if ! grep -qE '^[0-9]+\.[0-9]+\.[0-9]+$' <<<"$heading"; then
      echo "CHANGELOG.md: heading '$heading' is neither 'Unreleased' nor a version"
      status=1
    elif [ "$(printf '%s\n' "$heading" "$version" | sort -V | tail -1)" != "$version" ]; then
      echo "CHANGELOG.md: release $heading is newer than VERSION, $version"
      status=1
    fi
    ;;
  esac
done < <(sed -n 's/^## //p' CHANGELOG.md)
exit $status

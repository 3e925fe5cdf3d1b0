#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs everything below PREFIX; the folder may be moved afterwards.
#
#   bazel run //packages:install -- PREFIX
set -euo pipefail
[ $# = 1 ] || { echo "usage: bazel run //packages:install -- PREFIX" >&2; exit 2; }
files=$PWD/packages/files.tar
cd "${BUILD_WORKING_DIRECTORY:-.}"
mkdir -p "$1"
prefix=$(cd "$1" && pwd)
new=$(mktemp -d "$prefix/.tileir.XXXXXX")
trap 'rm -rf "$new"' EXIT
tar -xf "$files" -C "$new" --no-same-owner
# These folders are ours alone: no header of an older version stays.
rm -rf "$prefix/include/tileir" "$prefix/share/tileir" "$prefix/lib/cmake/TileIR"
# A program that runs is replaced, not overwritten.
(cd "$new" && find . -type d -print0) | (cd "$prefix" && xargs -0 mkdir -p)
while IFS= read -r -d '' file; do
  mv -fT "$new/$file" "$prefix/$file"
done < <(cd "$new" && find . ! -type d -print0)
echo "installed in $prefix"

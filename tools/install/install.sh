#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Copies the tools to PREFIX/bin and the plugins to PREFIX/lib: `bazel run //tools:install -- PREFIX`
set -eu
[ $# = 1 ] || { echo "usage: install PREFIX" >&2; exit 2; }
prefix=$(cd "${BUILD_WORKING_DIRECTORY:-.}" && mkdir -p "$1" && cd "$1" && pwd)
root=${RUNFILES_DIR:-$0.runfiles}/tileir
[ -d "$root" ] || root=$PWD
mkdir -p "$prefix/bin" "$prefix/lib"
# A program that runs is replaced, not overwritten.
put() { cp -L "$1" "$2/.$(basename "$1").$$" && chmod 755 "$2/.$(basename "$1").$$" && mv -f "$2/.$(basename "$1").$$" "$2/$(basename "$1")"; }
for tool in tileiras tileirdisasm tileir-serialize tileir-translate tileir-run; do
  put "$root/tools/$tool/$tool" "$prefix/bin"
done
find -L "$root" -name 'lib*.so' -not -path '*/_solib*' | while read -r plugin; do put "$plugin" "$prefix/lib"; done
echo "installed in $prefix: $(ls "$prefix/bin" | tr '\n' ' ')"

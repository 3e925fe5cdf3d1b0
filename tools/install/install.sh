#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Copies the tools to PREFIX/bin, side by side as clients expect them, and the plugins to PREFIX/lib, without symbols and debug
# information, which are a third of them:
#
#   bazel run //tools/install -- PREFIX
set -eu
[ $# = 1 ] || { echo "usage: bazel run //tools/install -- PREFIX" >&2; exit 2; }
root=$PWD
cd "${BUILD_WORKING_DIRECTORY:-.}"
mkdir -p "$1/bin" "$1/lib"
prefix=$(cd "$1" && pwd)
# A program that runs is replaced, not overwritten.
put() {
  local name
  name=$(basename "$1")
  case $(head -c 2 "$1") in
  '#!') cp -L "$1" "$2/.$name.$$" ;;
  *) "$root/../llvm/bin/llvm-strip" --strip-unneeded "$1" -o "$2/.$name.$$" ;;
  esac
  chmod 755 "$2/.$name.$$"
  mv -f "$2/.$name.$$" "$2/$name"
}
for tool in "$root"/tools/*/; do
  name=$(basename "$tool")
  [ ! -x "$tool$name" ] || [ "$name" = install ] || put "$tool$name" "$prefix/bin"
done
for plugin in "$root"/dialects/*/lib*.so "$root"/passes/*/lib*.so "$root"/passes/*/*/lib*.so "$root"/pipelines/lib*.so; do
  put "$plugin" "$prefix/lib"
done
echo "installed in $prefix"

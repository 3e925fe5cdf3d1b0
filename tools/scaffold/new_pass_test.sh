#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks that the files that new_pass.py creates in a copy of a family compile, and are registered where the family
# lists its passes.
set -euo pipefail
tree=$TEST_TMPDIR/tree
mkdir -p "$tree"
cp -rL --parents passes/frame test/passes/frame tools/scaffold "$tree"
cd "$tree"
chmod -R u+w .
python3 tools/scaffold/new_pass.py frame tileir-count-functions "Counts functions"
prefix=${LLVM_PREFIX:-/usr/lib/llvm-22}
"$prefix/bin/mlir-tblgen" -gen-pass-decls -name Frame -I. -I"$prefix/include" passes/frame/Passes.td >passes/frame/Passes.h.inc
grep -q registerTileIRCountFunctions passes/frame/Passes.h.inc
"$prefix/bin/mlir-tblgen" -gen-pass-decls -name TileIRCountFunctions -I. -I"$prefix/include" passes/frame/TileIRCountFunctions.td \
  >passes/frame/TileIRCountFunctions.h.inc
"$prefix/bin/clang++" -fsyntax-only -Wall -Werror -std=c++17 -fno-exceptions -I. -isystem "$prefix/include" \
  passes/frame/TileIRCountFunctions.cpp
grep -B1 -A1 '"TileIRCountFunctions",' passes/frame/BUILD.bazel | tr -d ' \n' | grep -qx '"passes=\[\|passes=\["TileIRCountFunctions","TileIRInsertDebugScope",'
grep -q 'load-pass-plugin=%libFramePasses.so .*builtin.module(tileir-count-functions)' test/passes/frame/tileir-count-functions.mlir
# Help is not an error, a missing argument is one.
python3 tools/scaffold/new_pass.py --help >help
grep -q '^Makes the files of a pass' help
! python3 tools/scaffold/new_pass.py frame 2>err
grep -qx 'error: expected FAMILY ARGUMENT SUMMARY; see --help' err
# Existing files are never overwritten, and a wrong family or name is one line.
! python3 tools/scaffold/new_pass.py frame tileir-count-functions "Again" 2>err
grep -q "is there already" err
! python3 tools/scaffold/new_pass.py frames tileir-x "None" 2>err
grep -qx "error: 'passes/frames' is no family of passes" err
! python3 tools/scaffold/new_pass.py frame TileIRX "None" 2>err
grep -q "is no name of a pass" err

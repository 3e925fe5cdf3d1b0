#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An installation as far as builds of others need it. Usage: prefix.sh PREFIX TILEIRAS TRANSLATE SERIALIZE [CUBIN.CMAKE]
set -euo pipefail
prefix=$1
mkdir -p "$prefix/bin" "$prefix/lib/cmake/TileIR"
for program in "$2" "$3" "$4"; do cp -L "$program" "$prefix/bin/"; done
if [ $# -gt 4 ]; then
  cp -L "$5" "$prefix/lib/cmake/TileIR/TileIRCubin.cmake"
  # shellcheck disable=SC2016  # CMake's variable
  echo 'include("${CMAKE_CURRENT_LIST_DIR}/TileIRCubin.cmake")' >"$prefix/lib/cmake/TileIR/TileIRConfig.cmake"
fi

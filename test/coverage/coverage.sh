#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs `bazel run //test/coverage`, and the tests of the page.
set -eu
here="$(pwd)"
if [ -f "${BUILD_WORKSPACE_DIRECTORY:-.}/.tileir/env.sh" ]; then
  # shellcheck disable=SC1091
  . "${BUILD_WORKSPACE_DIRECTORY:-.}/.tileir/env.sh"
fi
tools="$here/tools"
exec /usr/bin/python3 "$here/test/coverage/coverage_table.py" "$@" "$tools/tileir-check/tileir-check" "$tools/tileiras/tileiras" \
  "$tools/tileir-translate/tileir-translate" "$tools/tileir-opt/tileir-opt"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `bazel run //test/benchmarks:sass -- CUBIN...`: paths are relative to the folder of the call.
set -eu
here="$(pwd)"
if [ -f "${BUILD_WORKSPACE_DIRECTORY:-.}/.tileir/env.sh" ]; then
  # shellcheck disable=SC1091
  . "${BUILD_WORKSPACE_DIRECTORY:-.}/.tileir/env.sh"
fi
cd "${BUILD_WORKING_DIRECTORY:-$here}"
exec /usr/bin/python3 "$here/test/benchmarks/sass.py" "$@"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `bazel run` starts in the runfiles; paths of the user are relative to the folder of the call.
set -eu
here="$(pwd)"
if [ -f "${BUILD_WORKSPACE_DIRECTORY:-.}/.tileir/env.sh" ]; then
  # shellcheck disable=SC1091
  . "${BUILD_WORKSPACE_DIRECTORY:-.}/.tileir/env.sh"
fi
cd "${BUILD_WORKING_DIRECTORY:-$here}"
exec /usr/bin/python3 "$here/test/benchmarks/perf.py" --ours "$here/tools/tileiras/tileiras" \
  --emulator "$here/tools/tileir-run/tileir-run" --cases "$here/test/kernels" \
  --folders "$here/test/data/perf/kernels,$here/test/data/tileirbc,$here/test/tile_cpp" \
  ${BUILD_WORKSPACE_DIRECTORY:+--docs "$BUILD_WORKSPACE_DIRECTORY/docs/measurements"} "$@"

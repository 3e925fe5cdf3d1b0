#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs `bazel run //test/benchmarks:behind` and its test. `bazel run` starts in the runfiles; paths of the user are
# relative to the folder of the call.
set -eu
here="$(pwd)"
if [ -f "${BUILD_WORKSPACE_DIRECTORY:-.}/.tileir/env.sh" ]; then
  # shellcheck disable=SC1091
  . "${BUILD_WORKSPACE_DIRECTORY:-.}/.tileir/env.sh"
fi
cd "${BUILD_WORKING_DIRECTORY:-$here}"
exec /usr/bin/python3 "$here/test/benchmarks/behind.py" --ours "$here/tools/tileiras/tileiras" \
  --emulator "$here/tools/tileir-run/tileir-run" --cases "$here/test/kernels" \
  --folders "$here/test/data/perf/kernels,$here/test/data/tileirbc,$here/test/tile_cpp" "$@"

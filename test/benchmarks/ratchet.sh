#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs `bazel run //test/benchmarks:ratchet`, and the tests of the table; kernels of test/data, our compiler.
set -eu
here="$(pwd)"
if [ -f "${BUILD_WORKSPACE_DIRECTORY:-.}/.tileir/env.sh" ]; then
  # shellcheck disable=SC1091
  . "${BUILD_WORKSPACE_DIRECTORY:-.}/.tileir/env.sh"
fi
exec /usr/bin/python3 "$here/test/benchmarks/ratchet.py" --ours "$here/tools/tileiras/tileiras" \
  --emulator "$here/tools/tileir-run/tileir-run" --cases "$here/test/kernels" \
  --folders "$here/test/data/perf/kernels,$here/test/data/tileirbc,$here/test/tile_cpp" "$@"

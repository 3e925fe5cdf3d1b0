#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `bazel run //test/benchmarks:steady`, and its tests; kernels of test/data, our compiler.
set -eu
here="$(pwd)"
if [ -f "${BUILD_WORKSPACE_DIRECTORY:-.}/.tileir/env.sh" ]; then
  # shellcheck disable=SC1091
  . "${BUILD_WORKSPACE_DIRECTORY:-.}/.tileir/env.sh"
fi
exec /usr/bin/python3 "$here/test/benchmarks/steady.py" --ours "$here/tools/tileiras/tileiras" \
  --emulator "$here/tools/tileir-run/tileir-run" --folder "$here/test/data/perf/kernels" \
  ${BUILD_WORKSPACE_DIRECTORY:+--docs "$BUILD_WORKSPACE_DIRECTORY/docs/measurements"} "$@"

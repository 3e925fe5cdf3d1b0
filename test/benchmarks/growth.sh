#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs `bazel run //test/benchmarks:growth`, and the tests of the bounds.
set -eu
here="$(pwd)"
if [ -f "${BUILD_WORKSPACE_DIRECTORY:-.}/.tileir/env.sh" ]; then
  # shellcheck disable=SC1091
  . "${BUILD_WORKSPACE_DIRECTORY:-.}/.tileir/env.sh"
fi
exec /usr/bin/python3 "$here/test/benchmarks/growth.py" --ours "$here/tools/tileiras/tileiras" \
  --passes "$here/tools/tileir-opt/tileir-opt" \
  --translate "$here/tools/tileir-translate/tileir-translate" --library "$here/test/benchmarks/libcount_work.so" \
  --scaling "$here/test/data/perf/scaling" "$@"

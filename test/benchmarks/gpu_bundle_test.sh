#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
here="$(dirname "$0")"
exec /usr/bin/python3 "$here/gpu_bundle_test.py" tools/tileiras/tileiras tools/tileir-run/tileir-run test/data/perf/kernels \
  "$here/libfake_cuda.so" "$@"

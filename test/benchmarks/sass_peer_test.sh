#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
exec /usr/bin/python3 test/benchmarks/sass_peer_test.py "$@" test/data/perf/kernels test/data/tileirbc

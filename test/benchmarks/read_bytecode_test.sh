#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# 100 MB/s and six times the input, on the module of constants.
exec "$TEST_SRCDIR/$TEST_WORKSPACE/test/benchmarks/read_bytecode" --check --size=32 --kernels=1

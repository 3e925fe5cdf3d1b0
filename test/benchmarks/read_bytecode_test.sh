#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks 100 MB/s and six times the input on the module of constants, and that others are read no slower than MLIR reads
# its own bytecode.
runfiles=$TEST_SRCDIR/$TEST_WORKSPACE
exec "$runfiles/test/benchmarks/read_bytecode" --check --size=32 --kernels=2 --repeat=1 --files="$runfiles/test/data/tileirbc"

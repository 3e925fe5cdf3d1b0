// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Header that all sources of the fuzzer include, read once.

#ifndef TEST_FUZZ_PRELUDE_H
#define TEST_FUZZ_PRELUDE_H

#include "test/fuzz/Plain.h"

#include "dialects/cuda_tile/CudaTile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

#endif // TEST_FUZZ_PRELUDE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included before everything else in a sanitized build that links an LLVM built
// without sanitizers.

#ifndef TEST_FUZZ_PLAIN_H
#define TEST_FUZZ_PLAIN_H

#include "llvm/Support/Compiler.h"

#undef LLVM_ADDRESS_SANITIZER_BUILD
#define LLVM_ADDRESS_SANITIZER_BUILD 0
#define __asan_poison_memory_region(begin, size)
#define __asan_unpoison_memory_region(begin, size)

#endif // TEST_FUZZ_PLAIN_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEST_FOREIGN_FAULTS_MEMORY_H
#define TEST_FOREIGN_FAULTS_MEMORY_H

#include "../cuda/device.h"

// Accesses of 32 bits (LOAD64, STORE64: of 64) with the given instruction
// modifiers. Macros, so that findings name the line of their use.

#define LOAD(words, p)                                                         \
  ({                                                                           \
    int loaded_;                                                               \
    asm volatile("ld." words ".b32 %0, [%1];"                                  \
                 : "=r"(loaded_)                                               \
                 : "l"(p)                                                      \
                 : "memory");                                                  \
    loaded_;                                                                   \
  })
#define LOAD64(words, p)                                                       \
  ({                                                                           \
    unsigned long long loaded_;                                                \
    asm volatile("ld." words ".b64 %0, [%1];"                                  \
                 : "=l"(loaded_)                                               \
                 : "l"(p)                                                      \
                 : "memory");                                                  \
    loaded_;                                                                   \
  })
#define STORE(words, p, v)                                                     \
  asm volatile("st." words ".b32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
#define STORE64(words, p, v)                                                   \
  asm volatile("st." words ".b64 [%0], %1;" ::"l"(p), "l"(v) : "memory")
#define EXCHANGE(words, p, v)                                                  \
  ({                                                                           \
    int old_;                                                                  \
    asm volatile("atom." words ".exch.b32 %0, [%1], %2;"                       \
                 : "=r"(old_)                                                  \
                 : "l"(p), "r"(v)                                              \
                 : "memory");                                                  \
    old_;                                                                      \
  })
#define CAS(words, p, c, v)                                                    \
  ({                                                                           \
    int old_;                                                                  \
    asm volatile("atom." words ".cas.b32 %0, [%1], %2, %3;"                    \
                 : "=r"(old_)                                                  \
                 : "l"(p), "r"(c), "r"(v)                                      \
                 : "memory");                                                  \
    old_;                                                                      \
  })
#define ADD(words, p, v)                                                       \
  ({                                                                           \
    int old_;                                                                  \
    asm volatile("atom." words ".add.s32 %0, [%1], %2;"                        \
                 : "=r"(old_)                                                  \
                 : "l"(p), "r"(v)                                              \
                 : "memory");                                                  \
    old_;                                                                      \
  })

__device__ __forceinline__ float asFloat(int v) {
  float f;
  asm("mov.b32 %0, %1;" : "=f"(f) : "r"(v));
  return f;
}
__device__ __forceinline__ int asInt(float v) {
  int i;
  asm("mov.b32 %0, %1;" : "=r"(i) : "f"(v));
  return i;
}

#endif // TEST_FOREIGN_FAULTS_MEMORY_H

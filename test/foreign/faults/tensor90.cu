// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// wgmma on operands of TMA copies: sm_90a alone.
#include "async.h"

/// A matrix of 8-row groups of 128 bytes, swizzled, as wgmma takes it.
__device__ __forceinline__ unsigned long long describe(const void *p) {
  return (unsigned long long)((sharedAddress(p) & 0x3ffff) >> 4) | 1ull << 16 |
         64ull << 32 | 1ull << 62;
}

/// A producer warp, and a group of warps that multiplies: stage k - 1 is given
/// back when the products of stage k have been issued.
KERNEL wgmmaPipe(const __grid_constant__ TensorMap mapA,
                 const __grid_constant__ TensorMap mapB, float *out, int steps,
                 int bug) {
  constexpr int kStages = 3;
  __shared__ alignas(1024) unsigned short a[kStages][64 * 64];
  __shared__ alignas(1024) unsigned short b[kStages][8 * 64];
  __shared__ alignas(8) Barrier full[kStages], empty[kStages];
  int t = threadIdx.x;
  if (t == 0) {
    for (int s = 0; s < kStages; ++s) {
      BARRIER_INIT(&full[s], 1);
      BARRIER_INIT(&empty[s], 128);
    }
    FENCE_INIT();
  }
  __syncthreads();
  if (t >= 128) {
    if (t == 128)
      for (int k = 0; k < steps; ++k) {
        int s = k % kStages;
        //! find 3: deadlock
        WAIT(&empty[s], (k / kStages & 1) ^ 1);
        EXPECT(&full[s], 64 * 128 + 8 * 128);
        //! find 1 2 3: race
        TENSOR_LOAD(a[s], &mapA, k * 64, 0, &full[s]);
        //! find 1 2 3: race
        TENSOR_LOAD(b[s], &mapB, k * 64, 0, &full[s]);
      }
    return;
  }
  float d[4] = {0, 0, 0, 0};
  for (int k = 0; k < steps; ++k) {
    int s = k % kStages;
    //! find 1 2: mbarrier|deadlock
    //! find 3: deadlock
    WAIT(&full[s], bug == 3 ? (k / kStages & 1) ^ 1 : k / kStages & 1);
    if (bug != 4)
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int q = 0; q < 4; ++q)
      //! find 1 2: race
      //! find 3: race|init
      //! find 4: wgmma
      //! find 5: wgmma
      asm volatile(
          "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
          "{%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
          : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
          : "l"(describe(a[s]) + 2 * q), "l"(describe(b[s]) + 2 * q)
          : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    if (bug == 1) { // The tensor core may still read it.
      ARRIVE(&empty[s]);
      continue;
    }
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    if (bug == 2)
      ARRIVE(&empty[s]);
    else if (k)
      //! find 3: mbarrier
      ARRIVE(&empty[(k - 1) % kStages]);
  }
  if (bug != 5)
    asm volatile("wgmma.wait_group.sync.aligned 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])::"memory");
  int row = t / 32 * 16 + t % 32 / 4, col = t % 4 * 2;
  //! find 5: wgmma
  out[row * 8 + col] = d[0];
  //! find 5: wgmma
  out[row * 8 + col + 1] = d[1];
  //! find 5: wgmma
  out[(row + 8) * 8 + col] = d[2];
  //! find 5: wgmma
  out[(row + 8) * 8 + col + 1] = d[3];
}

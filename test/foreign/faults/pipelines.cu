// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cp.async with groups and with mbarriers: sm_80 and later.
#include "memory.h"

#define COPY16(to, from)                                                       \
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(              \
                   sharedAddress(to)),                                         \
               "l"(from)                                                       \
               : "memory")
#define COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT_GROUP(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")

/// Three stages, two in flight: empty groups at the end keep the count.
KERNEL threeStages(int *out, const int *in, int steps, int bug) {
  __shared__ alignas(16) int ring[3][128];
  int t = threadIdx.x, sum = 0;
  auto issue = [&](int k) {
    if (k < steps)
      //! find 1 2 3 4 5: race
      COPY16(&ring[k % 3][t * 4], in + k * 128 + t * 4);
    if (bug != 4 || k < steps)
      COMMIT();
  };
  issue(0);
  issue(1);
  for (int k = 0; k < steps; ++k) {
    if (bug == 1)
      WAIT_GROUP(2);
    else
      WAIT_GROUP(1);
    if (bug != 2)
      __syncthreads();
    if (bug == 5) // Into the stage that is being read.
      //! find 5: race
      COPY16(&ring[k % 3][t * 4], in + k * 128 + t * 4);
    //! find 1 2 3 4 5: race|init
    sum += LOAD("weak", &ring[k % 3][127 - t * 4]);
    //! find 1 2 3 4 5: race|init
    sum += LOAD("weak", &ring[k % 3][t * 4]);
    if (bug == 3 && k == 1)
      continue; // A step forgets to fetch.
    issue(k + 2);
  }
  out[t] = sum;
}

/// Masked copies fill with zeros, so that all of the tile is written.
KERNEL zeroFill(int *out, const int *in, int n, int bug) {
  __shared__ alignas(16) int tile[128];
  int t = threadIdx.x, left = n - t * 4;
  int bytes = left >= 4 ? 16 : left > 0 ? left * 4 : 0;
  const int *from = bytes ? in + t * 4 : in;
  if (bug == 2)
    //! find 2: bounds
    COPY16(&tile[t * 4], in + t * 4);
  else if (bug != 1 || bytes)
    //! find 1: init
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                     sharedAddress(&tile[t * 4])),
                 "l"(from), "r"(bytes)
                 : "memory");
  COMMIT();
  WAIT_GROUP(0);
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 4; ++k)
    //! find 1: init
    sum += tile[k * 32 + t];
  out[t] = sum;
}

#define BARRIER_INIT(bar, n)                                                   \
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(                \
                   sharedAddress(bar)),                                        \
               "r"(n)                                                          \
               : "memory")
#define ARRIVE(bar)                                                            \
  asm volatile("{ .reg .b64 s; mbarrier.arrive.shared::cta.b64 s, [%0]; }" ::  \
                   "r"(sharedAddress(bar))                                     \
               : "memory")
#define WAIT(bar, parity)                                                      \
  asm volatile(                                                                \
      "{ .reg .pred p; W: mbarrier.test_wait.parity.shared::cta.b64 p, [%0], " \
      "%1; @!p bra W; }" ::"r"(sharedAddress(bar)),                            \
      "r"(parity)                                                              \
      : "memory")

/// One warp copies, another adds; copies arrive at the barrier themselves.
KERNEL copyingWarp(int *out, const int *in, int steps, int bug) {
  __shared__ alignas(16) int ring[2][128];
  __shared__ alignas(8) unsigned long long full[2], empty[2];
  int t = threadIdx.x, lane = t % 32;
  if (t == 0)
    for (int s = 0; s < 2; ++s) {
      BARRIER_INIT(&full[s], bug == 3 ? 64 : 32);
      BARRIER_INIT(&empty[s], 32);
    }
  __syncthreads();
  if (t < 32) {
    for (int k = 0; k < steps; ++k) {
      int s = k % 2;
      if (k >= 2 && bug != 2)
        //! find 3 4: deadlock
        WAIT(&empty[s], (k / 2 + 1) & 1);
      //! find 1 2 5: race
      COPY16(&ring[s][lane * 4], in + k * 128 + lane * 4);
      if (bug == 1) // Arrives before the copies have.
        ARRIVE(&full[s]);
      else if (bug == 4) // Raises the count first, so that no arrival is missing.
        asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" ::"r"(
                         sharedAddress(&full[s]))
                     : "memory");
      else
        //! find 2: mbarrier
        asm volatile(
            "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(
                sharedAddress(&full[s]))
            : "memory");
    }
    WAIT_GROUP(0);
    return;
  }
  int sum = 0;
  for (int k = 0; k < steps; ++k) {
    int s = k % 2;
    //! find 2 3 4: deadlock
    WAIT(&full[s], (k / 2) & 1);
    if (bug == 5) // Gives it back too early.
      ARRIVE(&empty[s]);
    //! find 1 2 5: race|init
    sum += LOAD("weak", &ring[s][127 - lane * 4]);
    //! find 1 2 5: race|init
    sum += LOAD("weak", &ring[s][lane]);
    if (bug != 5)
      //! find 2: mbarrier
      ARRIVE(&empty[s]);
  }
  out[lane] = sum;
}

/// Tokens in place of parities, and a barrier that is used again as data.
KERNEL tokens(int *out, const int *in, int bug) {
  __shared__ int s[64];
  __shared__ alignas(8) unsigned long long bar;
  int t = threadIdx.x;
  if (t == 0)
    BARRIER_INIT(&bar, 64);
  __syncthreads();
  int v = in[t];
  for (int k = 0; k < 3; ++k) {
    unsigned long long state;
    //! find 1: race
    STORE("weak", &s[t], v);
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];"
                 : "=l"(state)
                 : "r"(sharedAddress(&bar))
                 : "memory");
    if (bug != 1)
      asm volatile("{ .reg .pred p; W: mbarrier.test_wait.shared::cta.b64 p, "
                   "[%0], %1; @!p bra W; }" ::"r"(sharedAddress(&bar)),
                   "l"(state)
                   : "memory");
    //! find 1: race|init
    v += LOAD("weak", &s[(t + 1) % 64]);
    __syncthreads();
  }
  if (t == 0) {
    if (bug != 2)
      asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(
                       sharedAddress(&bar))
                   : "memory");
    //! find 2: mbarrier
    *(volatile unsigned *)&bar = 7;
  }
  __syncthreads();
  //! find 2: mbarrier
  out[t] = v + *(volatile unsigned *)&bar;
}

/// Tiles for ldmatrix and mma: padding of rows is neither read nor written.
KERNEL tensor(float *out, const unsigned short *a, const unsigned short *b,
              int bug) {
  __shared__ alignas(16) unsigned short sa[16][24], sb[8][24];
  int lane = threadIdx.x;
  for (int r = lane / 2; r < 16; r += 16)
    COPY16(&sa[r][lane % 2 * 8], a + r * 16 + lane % 2 * 8);
  if (lane < 16)
    COPY16(&sb[lane / 2][lane % 2 * 8], b + lane / 2 * 16 + lane % 2 * 8);
  COMMIT();
  WAIT_GROUP(0);
  if (bug != 1)
    __syncwarp();
  unsigned x[4], y[2];
  //! find 1: race
  //! find 2: init
  //! find 3: align
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
               : "r"(sharedAddress(&sa[lane % 16][lane / 16 * 8]) +
                     (bug == 2 ? 16 : bug == 3 ? 2 : 0))
               : "memory");
  //! find 1: race
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
               : "=r"(y[0]), "=r"(y[1])
               : "r"(sharedAddress(&sb[lane % 8][lane / 8 % 2 * 8]))
               : "memory");
  float d[4] = {0, 0, 0, 0};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]),
                 "r"(y[1]));
  int g = lane / 4, c = lane % 4 * 2;
  out[g * 8 + c] = d[0];
  out[g * 8 + c + 1] = d[1];
  out[(g + 8) * 8 + c] = d[2];
  out[(g + 8) * 8 + c + 1] = d[3];
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cluster launch control: sm_100 and later.
#include "async.h"

/// Blocks take over the work of blocks that have not been launched.
KERNEL steal(int *out, const int *in, int bug) {
  __shared__ alignas(16) unsigned response[4];
  __shared__ alignas(8) Barrier bar;
  int t = threadIdx.x, tile = blockIdx.x, phase = 0;
  if (t == 0) {
    BARRIER_INIT(&bar, 1);
    FENCE_INIT();
  }
  __syncthreads();
  for (int again = 0;;) {
    if (t == 0) {
      //! find 2: mbarrier
      EXPECT(&bar, bug == 5 ? 32 : 16);
      //! find 1: race|mbarrier
      //! find 2: race|in-flight
      //! find 3: ub
      asm volatile("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier:"
                   ":complete_tx::bytes.b128 [%0], [%1];" ::"r"(
                       sharedAddress(response)),
                   "r"(sharedAddress(&bar))
                   : "memory");
    }
    out[tile * 32 + t % 32] = in[tile * 32 + t % 32] * 2;
    if (bug != 2)
      //! find 1 5: deadlock
      WAIT(&bar, phase);
    phase ^= 1;
    unsigned taken, next;
    //! find 1 2: race|init
    //! find 4: ub
    asm volatile(
        "{ .reg .b128 h; .reg .pred p; ld.shared.b128 h, [%2]; "
        "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, h; "
        "selp.u32 %0, 1, 0, p; "
        "clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %1, h; "
        "}"
        : "=r"(taken), "=r"(next)
        : "r"(sharedAddress(response))
        : "memory");
    //! find 4: ub
    if (bug == 4 && next == 77)
      out[0] = 0;
    if (bug != 1) // All have read it before it is written again.
      __syncthreads();
    if (!taken) {
      if (bug != 3 || again++)
        break;
      continue;
    }
    tile = next;
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups and libcu++ of nvcc.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>

#define KERNEL extern "C" __global__ void
#pragma nv_diag_suppress static_var_with_dynamic_init
namespace cg = cooperative_groups;

KERNEL tiles(int *out, const int *in, int bug) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto quad = cg::tiled_partition<4>(warp);
  int v = in[threadIdx.x];
  out[threadIdx.x] = cg::reduce(quad, v, cg::plus<int>()) +
                     3 * cg::reduce(warp, v, cg::greater<int>()) +
                     5 * cg::inclusive_scan(warp, v, cg::plus<int>());
}

KERNEL active(int *counter, int *out, const int *in, int bug) {
  if (in[threadIdx.x] > 0) {
    auto group = cg::coalesced_threads();
    int base = 0;
    if (group.thread_rank() == 0)
      base = atomicAdd(counter, (int)group.size());
    base = group.shfl(base, 0);
    out[base + group.thread_rank()] = 1;
  }
}

/// A pipeline of two stages; copies arrive at mbarriers.
KERNEL piped(int *out, const int *in, int steps, int bug) {
  __shared__ alignas(16) int ring[2][128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int t = threadIdx.x, sum = 0;
  for (int k = 0, fetch = 0; k < steps; ++k) {
    for (; fetch < steps && fetch < k + 2; ++fetch) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, ring[fetch % 2], in + fetch * 128,
                         cuda::aligned_size_t<16>(512), pipe);
      pipe.producer_commit();
    }
    if (bug != 1)
      pipe.consumer_wait();
    //! find 1: race|init|mbarrier
    sum += ring[k % 2][127 - t];
    pipe.consumer_release();
  }
  out[t] = sum;
}

KERNEL barriers(int *out, const int *in, int steps, int bug) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ int s[2][64];
  __shared__ Barrier ready[2], filled[2];
  int t = threadIdx.x;
  if (t < 2) {
    init(&ready[t], 128);
    init(&filled[t], 128);
  }
  __syncthreads();
  if (t < 64) {
    for (int k = 0; k < steps; ++k) {
      if (bug != 1)
        ready[k % 2].arrive_and_wait();
      else
        (void)ready[k % 2].arrive();
      //! find 1: race
      s[k % 2][t] = in[k * 64 + t];
      (void)filled[k % 2].arrive();
    }
    return;
  }
  (void)ready[0].arrive();
  (void)ready[1].arrive();
  int sum = 0;
  for (int k = 0; k < steps; ++k) {
    filled[k % 2].arrive_and_wait();
    //! find 1: race|deadlock|mbarrier|init
    sum += s[k % 2][127 - t];
    (void)ready[k % 2].arrive();
  }
  out[t - 64] = sum;
}

KERNEL messages(int *out, int *data, int *flag, int bug) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ref(*flag);
  if (blockIdx.x == 0) {
    //! find 1 2: race
    data[threadIdx.x] = threadIdx.x * 2;
    if (bug != 2)
      __syncthreads();
    if (threadIdx.x == 0)
      ref.store(1, bug == 1 ? cuda::std::memory_order_relaxed
                            : cuda::std::memory_order_release);
    return;
  }
  if (threadIdx.x == 0)
    ref.wait(0, cuda::std::memory_order_acquire);
  __syncthreads();
  //! find 1: race|init
  //! find 2: race|init
  out[(blockIdx.x - 1) * 64 + threadIdx.x] = data[63 - threadIdx.x];
}

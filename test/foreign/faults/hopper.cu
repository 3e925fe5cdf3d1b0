// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warps with roles, bulk copies, clusters: sm_90 and later.
#include "async.h"

#define REMOTE(p, rank)                                                        \
  ({                                                                           \
    unsigned remote_;                                                          \
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"                        \
                 : "=r"(remote_)                                               \
                 : "r"(sharedAddress(p)), "r"(rank));                          \
    remote_;                                                                   \
  })
__device__ __forceinline__ unsigned clusterRank() {
  unsigned r;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
  return r;
}

/// A producer warp fills three stages, two groups of warps add them up; each
/// group has its own rows. Phases flip at each wrap-around.
KERNEL roles(int *out, const int *in, int steps, int bug) {
  constexpr int kStages = 3, kWords = 256;
  __shared__ alignas(128) int ring[kStages][kWords];
  __shared__ alignas(8) Barrier full[kStages], empty[kStages];
  int t = threadIdx.x, warp = t / 32, lane = t % 32;
  if (t == 0) {
    for (int s = 0; s < kStages; ++s) {
      BARRIER_INIT(&full[s], 1);
      BARRIER_INIT(&empty[s], bug == 1 ? 1 : 2);
    }
    FENCE_INIT();
  }
  if (bug != 8)
    __syncthreads();
  if (warp == 0) {
    if (lane == 0) {
      int stage = 0, phase = 0;
      for (int k = 0; k < steps; ++k) {
        //! find 1 2 3 4 6 7: deadlock
        //! find 8: mbarrier|race
        WAIT(&empty[stage], bug == 2 ? 1 : phase ^ 1);
        //! find 1 2 4 6: mbarrier
        //! find 8: mbarrier|race
        EXPECT(&full[stage], bug == 6 ? kWords * 4 - 16 : kWords * 4);
        //! find 1 2 3 4 5: race
        //! find 6: mbarrier
        //! find 8: mbarrier|race
        BULK(ring[stage], in + k * kWords, kWords * 4, &full[stage]);
        if (++stage == kStages) {
          stage = 0;
          phase ^= 1;
        }
      }
    }
    return;
  }
  int group = (warp - 1) / 2, row = (t - 32) % 64 + group * 64;
  int stage = 0, phase = 0, sum = 0;
  for (int k = 0; k < steps; ++k) {
    //! find 1 2 3 4 5 6 7: deadlock
    //! find 8: mbarrier|race
    WAIT(&full[stage], phase);
    if (bug == 3 && row % 64 == 0) // Before the others have read.
      ARRIVE(&empty[stage]);
    //! find 1 2 3 4 5: race
    sum += LOAD("weak", &ring[stage][row * 2]);
    //! find 1 2 3 4 5: race
    sum += LOAD("weak", &ring[stage][255 - row * 2]);
    if (bug != 3) {
      // All of the group have read.
      if (bug != 5)
        //! find 1 2 3 4: deadlock
        asm volatile("bar.sync %0, 64;" ::"r"(group + 1) : "memory");
      if (row % 64 == 0 && (bug != 7 || group == 0))
        //! find 1 2 4: mbarrier
        ARRIVE(&empty[stage]);
    }
    if (++stage == kStages) {
      stage = 0;
      if (bug != 4)
        phase ^= 1;
    }
  }
  out[row] = sum;
}

/// Two groups take turns: while one has the floor the other copies out.
KERNEL pingPong(int *out, const int *in, int rounds, int bug) {
  __shared__ int floor[64];
  int t = threadIdx.x, group = t / 64, at = t % 64;
  if (group == 1) // The first turn is group 0's.
    asm volatile("bar.arrive 1, 128;" ::: "memory");
  for (int k = 0; k < rounds; ++k) {
    int mine = 1 + group, other = 2 - group;
    if (bug != 1)
      //! find 3: deadlock
      asm volatile("bar.sync %0, 128;" ::"r"(mine) : "memory");
    //! find 1 2: race
    STORE("weak", &floor[at], in[(2 * k + group) * 64 + at]);
    if (bug != 2)
      asm volatile("bar.sync %0, 64;" ::"r"(4 + group) : "memory");
    //! find 1 2: race|init
    int v = LOAD("weak", &floor[63 - at]);
    if (k + 1 < rounds || group == 0)
      //! find 1: deadlock
      asm volatile("bar.arrive %0, 128;" ::"r"(bug == 3 ? mine : other)
                   : "memory");
    out[(2 * k + group) * 64 + at] = v;
  }
}

/// Two output buffers; one store may still be read while the next is made.
KERNEL storeRing(int *out, const int *in, int steps, int bug) {
  __shared__ alignas(128) int ring[2][128];
  int t = threadIdx.x;
  for (int k = 0; k < steps; ++k) {
    if (t == 0) {
      if (bug == 1)
        BULK_WAIT_READ(2);
      else
        BULK_WAIT_READ(1);
    }
    if (bug != 2)
      __syncthreads();
    //! find 1 2 3 4: race
    STORE("weak", &ring[k & 1][t], in[k * 128 + t] + k);
    if (bug == 5)
      asm volatile("fence.proxy.async.global;" ::: "memory");
    else if (bug != 3 && bug != 6)
      FENCE_ASYNC();
    if (bug != 4)
      __syncthreads();
    if (bug == 6 && t == 0) // As good: the fence lies on the way.
      FENCE_ASYNC();
    if (t == 0) {
      //! find 1 2: race
      //! find 3 4 5: race|init
      //! find 7: in-flight
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], "
                   "512;" ::"l"(out + k * 128),
                   "r"(sharedAddress(ring[k & 1]))
                   : "memory");
      BULK_COMMIT();
    }
  }
  if (t == 0 && bug != 7)
    BULK_WAIT_READ(0);
}

/// Sums that the copy engine adds in global memory, read back at the end.
KERNEL bulkAdd(int *out, int *total, const int *in, int bug) {
  __shared__ alignas(128) int mine[64];
  __shared__ int last;
  int t = threadIdx.x;
  mine[t] = in[blockIdx.x * 64 + t];
  FENCE_ASYNC();
  __syncthreads();
  if (t == 0) {
    //! find 1 2 3: race
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 "
                 "[%0], [%1], 256;" ::"l"(total),
                 "r"(sharedAddress(mine))
                 : "memory");
    BULK_COMMIT();
    if (bug == 1) // The sources are read; the sums need not be there.
      BULK_WAIT_READ(0);
    else
      BULK_WAIT(0);
    if (bug != 2)
      __threadfence();
    last = ADD("relaxed.gpu", total + 64, 1) == (int)gridDim.x - 1;
    if (bug != 3)
      __threadfence();
  }
  __syncthreads();
  if (last)
    //! find 1 2 3: race
    out[t] = LOAD("weak", &total[t]);
}

/// A tile at the edge: what lies outside is neither made nor stored.
KERNEL clipped(const __grid_constant__ TensorMap map, const int *in, int rows,
               int cols, int bug) {
  __shared__ alignas(128) int tile[16][16];
  int t = threadIdx.x, x = blockIdx.x * 16 + t % 16, y0 = blockIdx.y * 16;
  for (int r = t / 16; r < 16; r += 4)
    if (x < cols - (bug == 1) && y0 + r < rows)
      tile[r][t % 16] = in[(y0 + r) * cols + x];
  FENCE_ASYNC();
  __syncthreads();
  if (t == 0) {
    //! find 1: init
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group "
                 "[%0, {%1, %2}], [%3];" ::"l"(&map),
                 "r"(blockIdx.x * 16), "r"(y0), "r"(sharedAddress(tile))
                 : "memory");
    BULK_COMMIT();
    BULK_WAIT_READ(0);
  }
}

/// Blocks of a cluster pass values around through their shared memories.
KERNEL __cluster_dims__(4, 1, 1)
    ring(int *out, const int *in, int bug) {
  __shared__ int box[2][32];
  int t = threadIdx.x;
  unsigned rank = clusterRank();
  box[0][t] = in[blockIdx.x * 32 + t];
  //! find 1: race
  box[1][t] = 0;
  if (bug != 1) {
    CLUSTER_ARRIVE();
    CLUSTER_WAIT();
  }
  //! find 2 3: race|init
  int v = LOAD("weak", &box[0][t]), sum = v;
  for (int k = 0; k < 3; ++k) {
    //! find 4: cluster
    unsigned to = REMOTE(&box[(k + 1) & 1][t],
                         bug == 4 ? rank + 1 : (rank + 1) % 4);
    //! find 1: race
    //! find 2 3 5: race|cluster-exit
    asm volatile("st.shared::cluster.b32 [%0], %1;" ::"r"(to), "r"(v)
                 : "memory");
    if (bug == 3)
      __syncthreads();
    else if (bug != 2 && (bug != 5 || k < 2)) {
      CLUSTER_ARRIVE();
      CLUSTER_WAIT();
    }
    //! find 2 3 5: race|init
    v = LOAD("weak", &box[(k + 1) & 1][t]);
    sum += v;
  }
  out[blockIdx.x * 32 + t] = sum;
}

/// st.async stores data and signals the mbarrier of the receiver.
KERNEL __cluster_dims__(2, 1, 1)
    exchange(int *out, const int *in, int bug) {
  __shared__ alignas(16) int inbox[64];
  __shared__ alignas(8) Barrier bar;
  int t = threadIdx.x;
  unsigned peer = clusterRank() ^ 1;
  if (t == 0) {
    BARRIER_INIT(&bar, 1);
    FENCE_INIT();
    //! find 2 5: deadlock
    //! find 2: mbarrier
    EXPECT(&bar, bug == 2 ? 128 : bug == 5 ? 512 : 256);
  }
  if (bug != 3) {
    CLUSTER_ARRIVE();
    CLUSTER_WAIT();
  }
  int v = in[blockIdx.x * 64 + t];
  //! find 1 2: race|cluster-exit|in-flight
  //! find 2: mbarrier
  //! find 3: mbarrier|race|cluster-exit
  //! find 4: in-flight|cluster-exit
  asm volatile(
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], "
      "%1, [%2];" ::"r"(REMOTE(&inbox[t], peer)),
      "r"(v), "r"(REMOTE(&bar, peer))
      : "memory");
  if (bug == 4)
    return;
  if (bug != 1)
    //! find 2 5: deadlock
    //! find 3: mbarrier|race
    WAIT(&bar, 0);
  //! find 1 2: race|init
  //! find 3: race|init
  out[blockIdx.x * 64 + t] = LOAD("weak", &inbox[63 - t]);
}

/// The first block multicasts; a stage is free when both have read it.
KERNEL __cluster_dims__(2, 1, 1)
    shared2(int *out, const int *in, int steps, int bug) {
  __shared__ alignas(128) int stage[2][64];
  __shared__ alignas(8) Barrier full[2], empty[2];
  int t = threadIdx.x;
  unsigned rank = clusterRank();
  if (t == 0) {
    for (int s = 0; s < 2; ++s) {
      BARRIER_INIT(&full[s], 1);
      BARRIER_INIT(&empty[s], bug == 1 ? 1 : 2);
    }
    FENCE_INIT();
  }
  CLUSTER_ARRIVE();
  CLUSTER_WAIT();
  int sum = 0;
  for (int k = 0; k < steps; ++k) {
    int s = k & 1, phase = k / 2 & 1;
    if (t == 0) {
      EXPECT(&full[s], 256);
      if (rank == 0) {
        //! find 1 2 3 4: deadlock
        WAIT_CLUSTER(&empty[s], phase ^ 1);
        //! find 1 2 4: race|mbarrier
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
            ".multicast::cluster [%0], [%1], 256, [%2], %3;" ::"r"(
                sharedAddress(stage[s])),
            "l"(in + k * 64), "r"(sharedAddress(&full[s])),
            "h"((short)3)
            : "memory");
      }
    }
    //! find 1 2 3 4: deadlock
    WAIT(&full[s], phase);
    if (bug == 2 && t == 0)
      ARRIVE_AT(&empty[s], 0);
    //! find 1 2 4: race
    sum += LOAD("weak", &stage[s][63 - t]);
    if (bug != 4)
      __syncthreads();
    if (bug != 2 && t == 0)
      //! find 1 3: mbarrier
      ARRIVE_AT(&empty[s], bug == 3 ? rank : 0);
  }
  out[blockIdx.x * 64 + t] = sum * (int)(rank + 1);
  // No CTA exits while another one may still arrive at its mbarriers.
  CLUSTER_ARRIVE();
  //! find 1 2 3 4: deadlock
  CLUSTER_WAIT();
}

/// Kernels of a module do not share their shared memory: this one's is static,
/// the next one's is most of what there is.
KERNEL muchStatic(int *out, const int *in, int bug) {
  __shared__ int s[10240];
  int t = threadIdx.x;
  for (int k = t; k < 10240; k += blockDim.x)
    s[k] = in[t] + k;
  if (bug != 1)
    __syncthreads();
  //! find 1: race|init
  out[t] = s[10239 - t];
}
extern __shared__ int gPlenty[];
KERNEL muchDynamic(int *out, const int *in, int words, int bug) {
  int t = threadIdx.x;
  gPlenty[words - 1 - t] = in[t];
  __syncthreads();
  //! find 1: bounds
  out[t] = gPlenty[words - 64 + t + (bug == 1)];
}

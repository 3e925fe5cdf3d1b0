// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clusters, bulk copies and tensor maps: sm_90 and later.
#include "device.h"

struct alignas(64) TensorMap {
  char bytes[128];
};

__device__ __forceinline__ void barrierInit(unsigned long long *bar, int n) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                   sharedAddress(bar)),
               "r"(n)
               : "memory");
}
__device__ __forceinline__ void expect(unsigned long long *bar, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   sharedAddress(bar)),
               "r"(bytes)
               : "memory");
}
__device__ __forceinline__ void arrive(unsigned long long *bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(
                   sharedAddress(bar))
               : "memory");
}
__device__ __forceinline__ void wait(unsigned long long *bar, int parity) {
  asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, "
               "[%0], %1; @p bra D; bra W; D: }" ::"r"(sharedAddress(bar)),
               "r"(parity)
               : "memory");
}

/// A circular buffer of two bulk copies; the sums of pieces of 256.
KERNEL bulkSum(float *out, const float *in, int pieces) {
  __shared__ alignas(128) float ring[2][256];
  __shared__ alignas(8) unsigned long long full[2], empty[2];
  int t = threadIdx.x;
  if (t == 0) {
    for (int s = 0; s < 2; ++s) {
      barrierInit(&full[s], 1);
      barrierInit(&empty[s], 256);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  auto issue = [&](int p) {
    int s = p % 2;
    expect(&full[s], 1024);
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[%0], [%1], 1024, [%2];" ::"r"(sharedAddress(ring[s])),
        "l"(in + p * 256), "r"(sharedAddress(&full[s]))
        : "memory");
  };
  if (t == 0)
    issue(0);
  float sum = 0;
  for (int p = 0; p < pieces; ++p) {
    if (t == 0 && p + 1 < pieces) {
      if (p >= 1)
        wait(&empty[(p + 1) % 2], ((p - 1) / 2) % 2);
      issue(p + 1);
    }
    wait(&full[p % 2], (p / 2) % 2);
    sum += ring[p % 2][t];
    arrive(&empty[p % 2]);
  }
  out[t] = sum;
}

/// Transposes 32 x 32 boxes of f32 with a tensor map on both sides.
KERNEL transposeTma(const __grid_constant__ TensorMap in,
                    const __grid_constant__ TensorMap out) {
  __shared__ alignas(128) float tile[32][32];
  __shared__ alignas(128) float turned[32][32];
  __shared__ alignas(8) unsigned long long bar;
  int t = threadIdx.x;
  if (t == 0) {
    barrierInit(&bar, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (t == 0) {
    expect(&bar, 4096);
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier:"
                 ":complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                     sharedAddress(tile)),
                 "l"(&in), "r"(blockIdx.x * 32), "r"(blockIdx.y * 32),
                 "r"(sharedAddress(&bar))
                 : "memory");
  }
  wait(&bar, 0);
  for (int r = t / 32; r < 32; r += 4)
    turned[t % 32][r] = tile[r][t % 32] + 1;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (t == 0) {
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group "
                 "[%0, {%1, %2}], [%3];" ::"l"(&out),
                 "r"(blockIdx.y * 32), "r"(blockIdx.x * 32),
                 "r"(sharedAddress(turned))
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  }
}

__device__ __forceinline__ unsigned remote(const void *p, unsigned rank) {
  unsigned r;
  asm("mapa.shared::cluster.u32 %0, %1, %2;"
      : "=r"(r)
      : "r"(sharedAddress(p)), "r"(rank));
  return r;
}
__device__ __forceinline__ void clusterSync() {
  asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}

/// A histogram whose bins lie in the shared memory of four blocks.
KERNEL __cluster_dims__(4, 1, 1)
    clusterHistogram(int *bins, const unsigned char *in, int n) {
  __shared__ int part[16];
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x < 16)
    part[threadIdx.x] = 0;
  clusterSync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    int bin = in[i] & 63;
    asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], 1;" ::"r"(
                     remote(&part[bin % 16], bin / 16))
                 : "memory");
  }
  clusterSync();
  if (threadIdx.x < 16)
    atomicAdd(&bins[rank * 16 + threadIdx.x], part[threadIdx.x]);
}

/// The first block loads for all of its cluster.
KERNEL __cluster_dims__(2, 1, 1) multicast(int *out, const int *in) {
  __shared__ alignas(128) int data[64];
  __shared__ alignas(8) unsigned long long bar;
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0) {
    barrierInit(&bar, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    expect(&bar, 256);
  }
  clusterSync();
  if (rank == 0 && threadIdx.x == 0)
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
                 "bytes.multicast::cluster [%0], [%1], 256, [%2], %3;" ::"r"(
                     sharedAddress(data)),
                 "l"(in + blockIdx.x / 2 * 64), "r"(sharedAddress(&bar)),
                 "h"((short)3)
                 : "memory");
  wait(&bar, 0);
  out[blockIdx.x * 64 + threadIdx.x] = data[threadIdx.x] * (int)(rank + 1);
  clusterSync();
}

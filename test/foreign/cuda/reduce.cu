// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device.h"

__device__ float warpSum(float v) {
  for (int d = 16; d; d /= 2)
    v += __shfl_down_sync(~0u, v, d);
  return v;
}

/// Sums of blocks, by shuffles and shared memory.
KERNEL blockSum(float *out, const float *in, int n) {
  __shared__ float partial[32];
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    v += in[i];
  v = warpSum(v);
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0.0f;
    v = warpSum(v);
    if (threadIdx.x == 0)
      out[blockIdx.x] = v;
  }
}

__device__ int gTicket;

/// The last block adds the values that all blocks stored before a fence.
KERNEL lastBlock(int *total, int *partial, const int *in, int n) {
  __shared__ int sum, last;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&sum, in[i]);
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(&gTicket, 1) == (int)gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    __threadfence();
    int all = 0;
    for (unsigned b = 0; b < gridDim.x; ++b)
      all += ((volatile int *)partial)[b];
    *total = all;
  }
}

/// Inclusive scan of a block of 256.
KERNEL blockScan(int *out, const int *in) {
  __shared__ int sums[8];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  int v = in[blockIdx.x * 256 + t];
  for (int d = 1; d < 32; d *= 2) {
    int w = __shfl_up_sync(~0u, v, d);
    if (lane >= d)
      v += w;
  }
  if (lane == 31)
    sums[warp] = v;
  __syncthreads();
  if (warp == 0) {
    int s = lane < 8 ? sums[lane] : 0;
    for (int d = 1; d < 8; d *= 2) {
      int w = __shfl_up_sync(~0u, s, d);
      if (lane >= d)
        s += w;
    }
    if (lane < 8)
      sums[lane] = s;
  }
  __syncthreads();
  out[blockIdx.x * 256 + t] = v + (warp ? sums[warp - 1] : 0);
}

/// Scan over all blocks: each spins until the one before has published its
/// prefix. Blocks take their numbers in the order in which they start.
__device__ int gOrder;
KERNEL chainedScan(int *out, volatile int *prefix, volatile int *flags,
                   const int *in) {
  __shared__ int number, before, sums[4];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  if (t == 0)
    number = atomicAdd(&gOrder, 1);
  __syncthreads();
  int b = number, v = in[b * 128 + t];
  for (int d = 1; d < 32; d *= 2) {
    int w = __shfl_up_sync(~0u, v, d);
    if (lane >= d)
      v += w;
  }
  if (lane == 31)
    sums[warp] = v;
  __syncthreads();
  for (int w = 0; w < warp; ++w)
    v += sums[w];
  if (t == 127) {
    int base = 0;
    if (b) {
      while (flags[b - 1] == 0)
        ;
      __threadfence();
      base = prefix[b - 1];
    }
    before = base;
    prefix[b] = base + v;
    __threadfence();
    flags[b] = 1;
  }
  __syncthreads();
  out[b * 128 + t] = v + before;
}

/// A barrier over the grid between two phases.
__device__ unsigned gArrived;
__device__ volatile unsigned gGeneration;
KERNEL gridBarrier(int *out, int *scratch, int rounds) {
  for (int r = 0; r < rounds; ++r) {
    if (threadIdx.x == 0)
      scratch[blockIdx.x] = (int)blockIdx.x * (r + 1);
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned generation = gGeneration;
      __threadfence();
      if (atomicInc(&gArrived, gridDim.x - 1) == gridDim.x - 1) {
        __threadfence();
        gGeneration = generation + 1;
      } else {
        while (gGeneration == generation)
          ;
      }
      __threadfence();
      int sum = 0;
      for (unsigned b = 0; b < gridDim.x; ++b)
        sum += ((volatile int *)scratch)[b];
      out[r * gridDim.x + blockIdx.x] = sum;
      // No thread writes again before all have read.
      generation = gGeneration;
      __threadfence();
      if (atomicInc(&gArrived, gridDim.x - 1) == gridDim.x - 1) {
        __threadfence();
        gGeneration = generation + 1;
      } else {
        while (gGeneration == generation)
          ;
      }
      __threadfence();
    }
    __syncthreads();
  }
}

KERNEL histogram(int *bins, const unsigned char *in, int n) {
  __shared__ int local[64];
  for (int k = threadIdx.x; k < 64; k += blockDim.x)
    local[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicAdd(&local[in[i] & 63], 1);
  __syncthreads();
  for (int k = threadIdx.x; k < 64; k += blockDim.x)
    if (local[k])
      atomicAdd(&bins[k], local[k]);
}

/// One atomic for all lanes that add to the same bin.
KERNEL aggregated(int *bins, const int *key, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned peers = __match_any_sync(__activemask(), (unsigned)key[i]);
  if ((int)laneId() == __ffs((int)peers) - 1)
    atomicAdd(&bins[key[i]], __popc(peers));
}

/// Stream compaction with ballots; the order inside a block is kept.
KERNEL compact(int *out, int *counts, const int *in) {
  __shared__ int warps[8];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  int v = in[blockIdx.x * 256 + t];
  unsigned keep = __ballot_sync(~0u, v > 0);
  if (lane == 0)
    warps[warp] = __popc(keep);
  int total = __syncthreads_count(v > 0);
  int base = 0;
  for (int w = 0; w < warp; ++w)
    base += warps[w];
  if (v > 0)
    out[blockIdx.x * 256 + base + __popc(keep & ((1u << lane) - 1))] = v;
  if (t == 0)
    counts[blockIdx.x] = total;
}

/// A lock that the lanes of a warp take in turns.
__device__ int gLock;
KERNEL locked(int *counter, int rounds) {
  for (int r = 0; r < rounds; ++r) {
    bool done = false;
    while (!done) {
      if (atomicCAS(&gLock, 0, 1) == 0) {
        __threadfence();
        *(volatile int *)counter += 1;
        __threadfence();
        atomicExch(&gLock, 0);
        done = true;
      }
    }
  }
}

/// Shuffles on both sides of a branch synchronize with each other.
KERNEL twoSides(int *out, const int *in) {
  int lane = threadIdx.x, v = in[lane], r;
  if (lane & 1) {
    v = v * 3;
    r = __shfl_xor_sync(~0u, v, 1);
  } else {
    v = v + 100;
    r = __shfl_xor_sync(~0u, v, 1);
    r += 1;
  }
  __syncwarp();
  out[lane] = r;
}

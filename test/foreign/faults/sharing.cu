// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of a block: shared memory, warps, barriers, bounds, alignment,
// memory that no thread has written.
#include "memory.h"

/// A warp reduces in shared memory: reads and writes alternate.
KERNEL warpReduce(int *out, const int *in, int bug) {
  __shared__ int s[64];
  int t = threadIdx.x, lane = t % 32;
  int *w = s + t / 32 * 32;
  int v = in[blockIdx.x * 64 + t];
  //! find 2: race
  w[lane] = v;
  if (bug != 2)
    __syncwarp();
  for (int d = 16; d; d /= 2) {
    int add = 0;
    if (lane < d)
      //! find 1 2 3: race
      add = LOAD("weak", &w[lane + d]);
    if (lane < d) // No thread reads there in this step.
      //! find 1 2 3: race
      STORE("weak", &w[lane], v += add);
    if (bug != 1)
      __syncwarp(bug == 3 ? 1u << lane : ~0u);
  }
  if (lane == 0)
    out[blockIdx.x * 2 + t / 32] = v;
}

/// Two halves of a warp go their own ways; each has its own mask.
KERNEL halves(int *out, const int *in, int bug) {
  int lane = threadIdx.x, v = in[lane], r = 0;
  if (lane < 16) {
    unsigned m = bug == 2 ? 0x1ffffu : 0xffffu;
    for (int d = 8; d; d /= 2)
      //! find 1: ub
      //! find 2: mask
      v += __shfl_xor_sync(m, v, bug == 1 && d == 8 ? 16 : d);
    r = v;
  } else {
    if (bug == 3 && lane >= 24)
      v = -v;
    else
      //! find 3: mask
      r = (int)__ballot_sync(0xffff0000u, v > 0);
  }
  __syncwarp();
  out[lane] = r;
}

/// Threads that are in a loop longer than others keep their own mask.
KERNEL shrinking(int *out, const int *count, int bug) {
  int lane = threadIdx.x, n = count[lane], sum = 0;
  for (int k = 0;; ++k) {
    unsigned m = __ballot_sync(~0u, k < n);
    if (!m)
      break;
    if (k < n) {
      //! find 1: mask
      unsigned top = bug == 1 ? __match_any_sync(~0u, (unsigned)(n & 3))
                              : __match_any_sync(m, (unsigned)(n & 3));
      sum += __popc(top);
    }
    __syncwarp();
  }
  out[lane] = sum;
}

/// Two buffers, one barrier a step.
KERNEL doubleBuffer(int *out, const int *in, int steps, int bug) {
  __shared__ int s[2][64];
  int t = threadIdx.x, v = in[t];
  for (int k = 0; k < steps; ++k) {
    int *b = bug == 1 ? s[0] : s[k & 1];
    //! find 1 2 3: race
    STORE("weak", &b[t], v);
    if (bug != 2 && (bug != 3 || k % 3 != 2))
      __syncthreads();
    //! find 1 3: race
    //! find 2: race|init
    v = LOAD("weak", &b[(t + 1) % 64]) + 1;
  }
  out[t] = v;
}

/// One buffer, three steps of a circular buffer: the reader of step k has passed the
/// barrier of k + 1 before anybody writes k + 2.
KERNEL rotating(int *out, const int *in, int steps, int bug) {
  __shared__ int s[3][64];
  int t = threadIdx.x, v = 0, depth = bug == 1 ? 1 : 3;
  s[0][t] = in[t];
  for (int k = 0; k < steps; ++k) {
    if (k + 1 < steps)
      //! find 1: race
      STORE("weak", &s[(k + 1) % depth][t], in[(k + 1) * 64 + t]);
    __syncthreads();
    //! find 1: race
    v += LOAD("weak", &s[k % depth][63 - t]);
  }
  out[t] = v;
}

/// The same shared memory as integers, then as floats.
KERNEL reuse(float *out, const int *in, int bug) {
  __shared__ union {
    int i[64];
    float f[64];
    short h[128];
  } s;
  int t = threadIdx.x;
  s.i[t] = in[t];
  __syncthreads();
  //! find 1: race
  int v = s.i[63 - t];
  if (bug != 1)
    __syncthreads();
  //! find 1 2: race
  s.f[t] = 0.5f * v;
  if (bug != 2)
    __syncthreads();
  //! find 2: race
  out[t] = s.f[t ^ 40];
}

/// Everybody reads what one thread says; later it says something else.
KERNEL broadcast(int *out, const int *in, int rounds, int bug) {
  __shared__ int word;
  int t = threadIdx.x, sum = 0;
  for (int k = 0; k < rounds; ++k) {
    if (t == 0)
      //! find 1 2: race
      STORE("weak", &word, in[k]);
    if (bug == 2) // The last warp does not synchronize.
      asm volatile("bar.sync %0, %1;" ::"r"(t < 224 ? 1 : 2),
                   "r"(t < 224 ? 224 : 32)
                   : "memory");
    else
      __syncthreads();
    //! find 1 2: race|init
    sum += LOAD("weak", &word);
    if (bug == 1) { // Only warps 0 to 6 are done with it.
      if (t < 224)
        asm volatile("bar.sync 1, 224;" ::: "memory");
    } else {
      __syncthreads();
    }
  }
  out[t] = sum;
}

/// A producer warp and three consumers, by named barriers.
KERNEL handOver(int *out, const int *in, int rounds, int bug) {
  __shared__ int s[2][32];
  int t = threadIdx.x, warp = t / 32, lane = t % 32, sum = 0;
  for (int k = 0; k < rounds; ++k) {
    int b = k & 1, full = 1 + b, empty = 3 + b;
    if (warp == 0) {
      if (k >= 2)
        //! find 2 4: deadlock
        asm volatile("bar.sync %0, 128;" ::"r"(bug == 4 ? 5 : empty)
                     : "memory");
      if (bug == 1) // Says so too early.
        asm volatile("bar.arrive %0, 128;" ::"r"(full) : "memory");
      //! find 1 2: race
      STORE("weak", &s[b][lane], in[k * 32 + lane]);
      if (bug != 1)
        //! find 3: protocol
        asm volatile("bar.arrive %0, %1;" ::"r"(full),
                     "r"(bug == 3 ? 96 : 128)
                     : "memory");
    } else {
      if (bug == 2)
        asm volatile("bar.arrive %0, 128;" ::"r"(full) : "memory");
      else
        //! find 3: protocol
        //! find 4: deadlock
        asm volatile("bar.sync %0, 128;" ::"r"(full) : "memory");
      //! find 1 2: race|init
      sum += LOAD("weak", &s[b][(lane + warp) % 32]);
      if (k + 2 < rounds)
        asm volatile("bar.arrive %0, 128;" ::"r"(empty) : "memory");
    }
  }
  if (warp)
    out[t - 32] = sum;
}

/// A block-wide vote is a barrier, a vote of the warp is none.
KERNEL votes(int *out, const int *in, int bug) {
  __shared__ int s[64];
  int t = threadIdx.x;
  //! find 1: race
  s[t] = in[t];
  int any = bug == 1 ? __any_sync(~0u, in[t] > 90)
                     : __syncthreads_or(in[t] > 90);
  //! find 1: race|init
  out[t] = s[63 - t] + (any ? 1000 : 0);
}

/// Whole warps may leave; parts of them may not.
KERNEL leaving(int *out, const int *in, int n, int bug) {
  __shared__ int s[128];
  int t = threadIdx.x;
  int stay = bug == 1 ? n : (n + 31) / 32 * 32;
  if (t >= stay)
    return;
  s[t] = t < n ? in[t] : 0;
  //! find 1: convergence
  __syncthreads();
  if (t < n)
    out[t] = s[n - 1 - t];
}

/// A barrier in a branch: fine for whole warps of a counted barrier.
KERNEL branches(int *out, const int *in, int bug) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  if (bug == 1 ? (t & 1) != 0 : t < 64)
    //! find 1: convergence
    __syncthreads();
  else
    //! find 1: convergence
    asm volatile("bar.sync 1, 32;" ::: "memory");
  out[t] = s[bug == 1 ? t : 63 - t];
}

/// 75 threads in three dimensions.
KERNEL oddBlock(int *out, const int *in, int bug) {
  __shared__ int s[75];
  int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  s[t] = in[b * 75 + t];
  if (bug != 1)
    __syncthreads();
  //! find 1: race|init
  //! find 2: init|bounds
  int v = s[bug == 2 ? t + 1 : 74 - t];
  unsigned m = t < 64 ? ~0u : 0x7ffu;
  //! find 3: ub
  int w = __shfl_xor_sync(m, v, bug == 3 ? 8 : t < 64 ? 1 : 0);
  out[b * 75 + t] = v + w;
}

/// Bounds of global memory, one element too far.
KERNEL tail(int *out, const int *in, int n, int bug) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int last = bug == 1 ? n + 1 : n;
  if (i >= last)
    return;
  //! find 1 3: bounds
  int v = in[bug == 3 ? i - 1 : i];
  //! find 2: bounds
  out[bug == 2 ? i + 1 : i] = v * 2;
}

/// Vectors want their alignment.
struct alignas(16) Four {
  int v[4];
};
KERNEL vector(int *out, const int *in, int bug) {
  int t = threadIdx.x;
  //! find 1 2: align
  Four f = *(const Four *)(in + t * 4 + (bug == 1));
  //! find 1 2: align
  *(Four *)(out + t * 4 + (bug == 2)) = f;
}

/// Structures with holes: copying the holes is no use of them.
struct Holes {
  char a;
  int b;
  short c;
  long long d;
};
KERNEL holes(Holes *out, int *sums, const int *in, int bug) {
  __shared__ Holes s[32];
  int t = threadIdx.x;
  Holes h;
  h.a = (char)in[t];
  if (bug != 1)
    h.b = in[t] * 2;
  h.c = (short)(in[t] * 3);
  h.d = in[t] * 5ll;
  s[t].a = h.a;
  if (bug != 2)
    s[t].b = h.b;
  s[t].c = h.c;
  s[t].d = h.d;
  __syncthreads();
  //! find 2: init
  Holes k = s[31 - t];
  out[t] = k;
  sums[t] = k.a + k.b + k.c + (int)k.d;
}

/// Copies of 16 bytes of which 12 are used.
struct alignas(16) Three {
  float x, y, z;
};
KERNEL padded(Three *out, float *sums, const float *in, int bug) {
  __shared__ Three s[32];
  int t = threadIdx.x;
  s[t].x = in[t];
  s[t].y = in[t] + 1;
  if (bug != 1)
    s[t].z = in[t] + 2;
  __syncthreads();
  //! find 1: init
  Four k = *(Four *)&s[31 - t];
  *(Four *)&out[t] = k;
  __syncthreads();
  //! find 1: init
  float z = asFloat(k.v[2]);
  sums[t] = asFloat(k.v[0]) + asFloat(k.v[1]) + z;
}

/// Local arrays, filled as far as they are read.
KERNEL localArray(int *out, const int *in, int n, int bug) {
  int a[24], t = threadIdx.x;
  int filled = in[t] & 15;
  for (int k = 0; k < (bug == 1 ? filled - 1 : filled); ++k)
    a[k] = k * t;
  int sum = 0;
  for (int k = 0; k < filled; ++k)
    //! find 1: init
    sum += a[(k * 7 + n) % filled];
  out[t] = sum;
}

/// Dynamic shared memory, cut into pieces.
extern __shared__ int gDynamic[];
KERNEL pieces(int *out, const int *in, int n, int bug) {
  int *a = gDynamic, *b = gDynamic + (bug == 1 ? n - 1 : n);
  int t = threadIdx.x;
  //! find 1: race
  a[t] = in[t];
  //! find 1: race
  //! find 2: bounds
  b[bug == 2 ? t + 1 : t] = in[t] * 2;
  __syncthreads();
  out[t] = a[n - 1 - t] + b[t];
}

/// Bins that are to be zero before anybody counts.
KERNEL bins(int *out, const int *in, int n, int bug) {
  __shared__ int s[16];
  int t = threadIdx.x;
  if (t < 16)
    //! find 1: race
    s[t] = 0;
  if (bug != 1)
    __syncthreads();
  for (int i = t; i < n; i += blockDim.x)
    if (bug == 2)
      //! find 2: race
      s[in[i] & 15] += 1;
    else
      //! find 1: race|init
      //! find 3: race
      atomicAdd(&s[in[i] & 15], 1);
  if (bug != 3)
    __syncthreads();
  if (t < 16)
    //! find 3: race
    out[t] = s[t];
}

/// A transposition through a padded tile.
KERNEL transpose(float *out, const float *in, int rows, int cols, int bug) {
  __shared__ float s[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (bug == 2 || (x < cols && y < rows))
    //! find 2: bounds
    s[threadIdx.y][threadIdx.x] = in[y * cols + x];
  if (bug != 1)
    __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < rows && y < cols)
    //! find 1: race|init
    //! find 3: init
    out[y * rows + x] =
        s[threadIdx.x][bug == 3 ? threadIdx.y + 1 : threadIdx.y];
}

/// Kernels that stop.
KERNEL stops(int *out, const int *in, int n, int bug) {
  int t = threadIdx.x, v = in[t];
  if (bug == 1 && v > 50)
    //! find 1: trap
    asm volatile("trap;");
  if (bug == 2 && v > 50)
    return;
  //! find 3: ub
  int q = v / (bug == 3 ? (t & 7) : n);
  out[t] = q;
}

/// One array too far is not the next one.
KERNEL neighbours(int *out, const int *in, int bug) {
  __shared__ int a[64], b[64], c[3];
  int t = threadIdx.x;
  //! find 1: bounds
  a[t + (bug == 1)] = in[t];
  //! find 2: bounds
  b[t + (bug == 2)] = in[t] * 3;
  if (t < 3)
    c[t] = in[t];
  __syncthreads();
  //! find 3: bounds
  out[t] = a[63 - t] + b[t] + c[t % (bug == 3 ? 4 : 3)];
}

/// Sums of all threads by atomic operations whose result is unused.
__device__ int gSum, gReady;
KERNEL collect(int *out, const int *in, int bug) {
  int t = threadIdx.x;
  //! find 1 2: race
  atomicAdd(&gSum, in[blockIdx.x * 32 + t]);
  if (bug != 1)
    __threadfence();
  __syncthreads();
  if (t == 0 && ADD("relaxed.gpu", &gReady, 1) == (int)gridDim.x - 1) {
    if (bug != 2)
      __threadfence();
    //! find 1 2: race
    *out = LOAD("weak", &gSum);
    gReady = 0; // The ticket says that all other threads have ended.
  }
}

/// A function with shared memory of its own, called by several kernels.
__device__ __noinline__ int turned(int v, int bug) {
  __shared__ int s[64];
  //! find callsTwice 1: race
  s[threadIdx.x] = v;
  __syncthreads();
  //! find callsTwice 1: race
  int r = s[63 - threadIdx.x];
  if (bug != 1)
    __syncthreads();
  return r;
}
KERNEL callsTwice(int *out, const int *in, int bug) {
  __shared__ int a[64];
  int t = threadIdx.x;
  a[t] = in[t];
  __syncthreads();
  int v = turned(a[t ^ 1], bug);
  //! find 1: race
  out[t] = v + turned(t, bug);
}
KERNEL callsOnce(int *out, const int *in, int bug) {
  out[threadIdx.x] = turned(in[threadIdx.x], bug);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device.h"

__device__ __noinline__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
KERNEL recursion(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = fibonacci(i % 12);
}

__device__ __noinline__ int plus(int a, int b) { return a + b; }
__device__ __noinline__ int minus(int a, int b) { return a - b; }
__device__ __noinline__ int times(int a, int b) { return a * b; }
using Operation = int (*)(int, int);
__device__ Operation kOperations[3] = {plus, minus, times};
KERNEL indirect(int *out, const int *which, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Operation f = kOperations[which[i]];
  out[i] = f(i, 7) + f(3, i);
}

struct Shape {
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  float side;
  __device__ Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
};
struct Box : Shape {
  float w, h;
  __device__ Box(float w, float h) : w(w), h(h) {}
  __device__ float area() const override { return w * h; }
};
__device__ __noinline__ float areaOf(const Shape *s) { return s->area(); }
KERNEL virtuals(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Square s{(float)i};
  Box b{(float)i, 3};
  out[i] = areaOf(i & 1 ? (const Shape *)&s : (const Shape *)&b);
}

/// A local array with indices that are known at run time only.
KERNEL localSort(int *out, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int v[16];
  for (int k = 0; k < 16; ++k)
    v[k] = in[i * 16 + k];
  for (int k = 1; k < 16; ++k) {
    int x = v[k], j = k - 1;
    while (j >= 0 && v[j] > x) {
      v[j + 1] = v[j];
      --j;
    }
    v[j + 1] = x;
  }
  for (int k = 0; k < 16; ++k)
    out[i * 16 + k] = v[k];
}

struct Big {
  int v[10];
};
__device__ __noinline__ int pick(Big b, int k) { return b.v[k] + b.v[9 - k]; }
__device__ __noinline__ Big make(int seed) {
  Big b;
  for (int k = 0; k < 10; ++k)
    b.v[k] = seed * k + k * k;
  return b;
}
KERNEL structs(int *out, Big given, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Big b = make(i);
  b.v[i % 10] += given.v[(i * 3) % 10];
  out[i] = pick(b, i % 10) + pick(given, (i + 1) % 10);
}

KERNEL switches(int *out, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int r = 0;
  for (int k = 0; k < 4; ++k)
    switch ((in[i] >> (3 * k)) & 7) {
    case 0: r += 11; break;
    case 1: r *= 3; break;
    case 2: r ^= 0x55; break;
    case 3: r -= i; break;
    case 4: r = r << 2; break;
    case 5: r = -r; break;
    case 6: r |= 1; break;
    default: r += k; break;
    }
  out[i] = r;
}

extern __shared__ int gDynamic[];
/// Reverses a block through dynamic shared memory of which two arrays are made.
KERNEL dynamicShared(int *out, const int *in, int n) {
  int t = threadIdx.x, *first = gDynamic, *second = gDynamic + n;
  first[t] = in[blockIdx.x * n + t];
  __syncthreads();
  second[n - 1 - t] = first[t] + first[(t + 1) % n];
  __syncthreads();
  out[blockIdx.x * n + t] = second[t];
}

KERNEL printing(int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    printf("thread %d of %s: %5.2f %lld %c%%\n", i, "block", i * 0.5,
           (long long)i << 33, 'a' + i);
}

/// Threads leave early, the rest goes on with barriers of its own.
KERNEL earlyExit(int *out, const int *in) {
  __shared__ int value[64];
  int t = threadIdx.x;
  if (t >= 64)
    return;
  value[t] = in[t];
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[t] = value[63 - t];
}

/// Producer and consumer warps with named barriers.
KERNEL namedBarriers(int *out, const int *in, int rounds) {
  __shared__ int slot[2][32];
  int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int r = 0; r < rounds; ++r) {
      if (r >= 2) // The slot has been read.
        asm volatile("bar.sync %0, 64;" ::"r"(3 + r % 2) : "memory");
      slot[r % 2][lane] = in[r * 32 + lane] * 2;
      asm volatile("bar.arrive %0, 64;" ::"r"(1 + r % 2) : "memory");
    }
  } else {
    for (int r = 0; r < rounds; ++r) {
      asm volatile("bar.sync %0, 64;" ::"r"(1 + r % 2) : "memory");
      out[r * 32 + lane] = slot[r % 2][31 - lane];
      if (r + 2 < rounds)
        asm volatile("bar.arrive %0, 64;" ::"r"(3 + r % 2) : "memory");
    }
  }
}

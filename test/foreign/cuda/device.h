// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEST_FOREIGN_CUDA_DEVICE_H
#define TEST_FOREIGN_CUDA_DEVICE_H

// CUDA functions that the kernels of this folder use. nvcc has its own headers;
// clang gets the few declarations here (-nocudainc), over its builtins.

#define KERNEL extern "C" __global__ void

#if defined(__clang__)

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...) __attribute__((cluster_dims(__VA_ARGS__)))
#define __grid_constant__ __attribute__((grid_constant))
#define __noinline__ __attribute__((noinline))
#define __forceinline__ __attribute__((always_inline))

using size_t = decltype(sizeof(0));
struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  __device__ dim3(unsigned x, unsigned y, unsigned z) : x(x), y(y), z(z) {}
};
#include <__clang_cuda_builtin_vars.h>

extern "C" __device__ int printf(const char *format, ...);
extern "C" __device__ void *memcpy(void *, const void *, size_t);

__device__ inline int __shfl_down_sync(unsigned m, int v, int d, int w = 32) {
  return __nvvm_shfl_sync_down_i32(m, v, d, ((32 - w) << 8) | 31);
}
__device__ inline int __shfl_up_sync(unsigned m, int v, int d, int w = 32) {
  return __nvvm_shfl_sync_up_i32(m, v, d, (32 - w) << 8);
}
__device__ inline int __shfl_xor_sync(unsigned m, int v, int d, int w = 32) {
  return __nvvm_shfl_sync_bfly_i32(m, v, d, ((32 - w) << 8) | 31);
}
__device__ inline int __shfl_sync(unsigned m, int v, int l, int w = 32) {
  return __nvvm_shfl_sync_idx_i32(m, v, l, ((32 - w) << 8) | 31);
}
__device__ inline float __shfl_down_sync(unsigned m, float v, int d,
                                         int w = 32) {
  return __builtin_bit_cast(
      float, __shfl_down_sync(m, __builtin_bit_cast(int, v), d, w));
}
__device__ inline unsigned __ballot_sync(unsigned m, int p) {
  return __nvvm_vote_ballot_sync(m, p != 0);
}
__device__ inline int __any_sync(unsigned m, int p) {
  return __nvvm_vote_any_sync(m, p != 0);
}
__device__ inline unsigned __match_any_sync(unsigned m, unsigned v) {
  return __nvvm_match_any_sync_i32(m, v);
}
__device__ inline unsigned __activemask() { return __nvvm_activemask(); }
__device__ inline void __syncwarp(unsigned m = ~0u) { __nvvm_bar_warp_sync(m); }
__device__ inline int __syncthreads_count(int p) { return __nvvm_bar0_popc(p); }
__device__ inline int __syncthreads_or(int p) { return __nvvm_bar0_or(p); }
__device__ inline void __threadfence() { __nvvm_membar_gl(); }
__device__ inline void __threadfence_block() { __nvvm_membar_cta(); }
__device__ inline int atomicAdd(int *p, int v) {
  return __nvvm_atom_add_gen_i(p, v);
}
__device__ inline unsigned atomicAdd(unsigned *p, unsigned v) {
  return __nvvm_atom_add_gen_i((int *)p, v);
}
__device__ inline float atomicAdd(float *p, float v) {
  return __nvvm_atom_add_gen_f(p, v);
}
__device__ inline unsigned atomicInc(unsigned *p, unsigned v) {
  return __nvvm_atom_inc_gen_ui(p, v);
}
__device__ inline int atomicCAS(int *p, int c, int v) {
  return __nvvm_atom_cas_gen_i(p, c, v);
}
__device__ inline int atomicExch(int *p, int v) {
  return __nvvm_atom_xchg_gen_i(p, v);
}
__device__ inline int atomicMax(int *p, int v) {
  return __nvvm_atom_max_gen_i(p, v);
}
__device__ inline int __popc(unsigned v) { return __builtin_popcount(v); }
__device__ inline int __ffs(int v) { return __builtin_ffs(v); }
__device__ inline int __clz(int v) { return v ? __builtin_clz(v) : 32; }
__device__ inline float sqrtf(float v) { return __nvvm_sqrt_rn_f(v); }
__device__ inline float fmaf(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
__device__ inline float fabsf(float v) { return __builtin_fabsf(v); }
__device__ inline float fmaxf(float a, float b) {
  return __builtin_fmaxf(a, b);
}

#else

#include <cstdio>
#include <cuda_runtime.h>

#endif

/// Returns the shared memory address that instructions take.
__device__ __forceinline__ unsigned sharedAddress(const void *p) {
  unsigned r;
  asm("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }"
      : "=r"(r)
      : "l"(p));
  return r;
}

__device__ __forceinline__ unsigned laneId() {
  unsigned r;
  asm("mov.u32 %0, %%laneid;" : "=r"(r));
  return r;
}

#endif // TEST_FOREIGN_CUDA_DEVICE_H

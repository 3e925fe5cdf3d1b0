// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device.h"

/// C = A·B, tiles of 16 in shared memory, ragged edges.
KERNEL matmulTiled(float *c, const float *a, const float *b, int m, int n,
                   int k) {
  __shared__ float as[16][17], bs[16][17];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
  float sum = 0;
  for (int t = 0; t < k; t += 16) {
    as[y][x] = row < m && t + x < k ? a[row * k + t + x] : 0;
    bs[y][x] = t + y < k && col < n ? b[(t + y) * n + col] : 0;
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum = fmaf(as[y][i], bs[i][x], sum);
    __syncthreads();
  }
  if (row < m && col < n)
    c[row * n + col] = sum;
}

__device__ __forceinline__ void copyAsync(void *to, const void *from,
                                          int bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                   sharedAddress(to)),
               "l"(from), "r"(bytes)
               : "memory");
}

/// 64 x 64 of C in a block of four warps: cp.async with three stages, ldmatrix,
/// mma.sync. A is M x K, B is K x N, both row-major f16; K a multiple of 32.
KERNEL matmulTensor(float *c, const unsigned short *a, const unsigned short *b,
                    int n, int k) {
  constexpr int kStages = 3;
  __shared__ alignas(128) unsigned short as[kStages][64][32], // 64-byte rows
      bs[kStages][32][64];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
  float acc[8][4] = {};
  // A row of 64 bytes has 4 pieces, one of 128 bytes 8; pieces are swizzled.
  auto load = [&](int stage, int at) {
    for (int p = t; p < 256; p += 128) {
      int r = p / 4, q = p % 4;
      copyAsync(&as[stage][r][(q ^ (r >> 1 & 3)) * 8],
                a + (row0 + r) * k + at + q * 8, 16);
      r = p / 8;
      q = p % 8;
      copyAsync(&bs[stage][r][(q ^ (r & 7)) * 8],
                b + (at + r) * n + col0 + q * 8, 16);
    }
  };
  int steps = k / 32;
  for (int s = 0; s < kStages - 1; ++s) {
    if (s < steps)
      load(s, s * 32);
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  for (int s = 0; s < steps; ++s) {
    asm volatile("cp.async.wait_group %0;" ::"n"(kStages - 2) : "memory");
    __syncthreads();
    int next = s + kStages - 1;
    if (next < steps)
      load(next % kStages, next * 32);
    asm volatile("cp.async.commit_group;" ::: "memory");
    int stage = s % kStages;
    for (int kk = 0; kk < 32; kk += 16) {
      unsigned fa[4], fb[4];
      int r = warp * 16 + lane % 16, q = kk / 8 + lane / 16;
      asm volatile(
          "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
          : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
          : "r"(sharedAddress(&as[stage][r][(q ^ (r >> 1 & 3)) * 8]))
          : "memory");
      for (int j = 0; j < 4; ++j) {
        int br = kk + lane % 16, bq = j * 2 + lane / 16;
        asm volatile(
            "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, "
            "[%4];"
            : "=r"(fb[0]), "=r"(fb[1]), "=r"(fb[2]), "=r"(fb[3])
            : "r"(sharedAddress(&bs[stage][br][(bq ^ (br & 7)) * 8]))
            : "memory");
        for (int h = 0; h < 2; ++h) {
          float *d = acc[j * 2 + h];
          asm volatile(
              "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
              "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
              : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
              : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]),
                "r"(fb[2 * h]), "r"(fb[2 * h + 1]));
        }
      }
    }
  }
  for (int j = 0; j < 8; ++j)
    for (int i = 0; i < 4; ++i)
      c[(row0 + warp * 16 + lane / 4 + 8 * (i / 2)) * n + col0 + j * 8 +
        lane % 4 * 2 + i % 2] = acc[j][i];
}

/// One 16 x 16 tile by wmma, C and D in f32, A row-major, B column-major.
KERNEL matmulWmma(float *d, const unsigned short *a, const unsigned short *b,
                  const float *c, int k) {
  unsigned fa[8], fb[8];
  float acc[8];
  asm volatile(
      "wmma.load.c.sync.aligned.row.m16n16k16.global.f32 "
      "{%0,%1,%2,%3,%4,%5,%6,%7}, [%8], 16;"
      : "=f"(acc[0]), "=f"(acc[1]), "=f"(acc[2]), "=f"(acc[3]), "=f"(acc[4]),
        "=f"(acc[5]), "=f"(acc[6]), "=f"(acc[7])
      : "l"(c)
      : "memory");
  for (int t = 0; t < k; t += 16) {
    asm volatile(
        "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 "
        "{%0,%1,%2,%3,%4,%5,%6,%7}, [%8], %9;"
        : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3]), "=r"(fa[4]),
          "=r"(fa[5]), "=r"(fa[6]), "=r"(fa[7])
        : "l"(a + t), "r"(k)
        : "memory");
    asm volatile(
        "wmma.load.b.sync.aligned.col.m16n16k16.global.f16 "
        "{%0,%1,%2,%3,%4,%5,%6,%7}, [%8], %9;"
        : "=r"(fb[0]), "=r"(fb[1]), "=r"(fb[2]), "=r"(fb[3]), "=r"(fb[4]),
          "=r"(fb[5]), "=r"(fb[6]), "=r"(fb[7])
        : "l"(b + t), "r"(k)
        : "memory");
    asm volatile(
        "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 "
        "{%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9,%10,%11,%12,%13,%14,%15}, "
        "{%16,%17,%18,%19,%20,%21,%22,%23}, {%0,%1,%2,%3,%4,%5,%6,%7};"
        : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3]),
          "+f"(acc[4]), "+f"(acc[5]), "+f"(acc[6]), "+f"(acc[7])
        : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fa[4]),
          "r"(fa[5]), "r"(fa[6]), "r"(fa[7]), "r"(fb[0]), "r"(fb[1]),
          "r"(fb[2]), "r"(fb[3]), "r"(fb[4]), "r"(fb[5]), "r"(fb[6]),
          "r"(fb[7]));
  }
  for (int i = 0; i < 8; ++i) // A fragment may be scaled without its layout.
    acc[i] *= 2;
  asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%0], "
               "{%1,%2,%3,%4,%5,%6,%7,%8}, 16;" ::"l"(d),
               "f"(acc[0]), "f"(acc[1]), "f"(acc[2]), "f"(acc[3]), "f"(acc[4]),
               "f"(acc[5]), "f"(acc[6]), "f"(acc[7])
               : "memory");
}

/// int8 by mma.sync, fragments loaded by hand: C (16 x 8) = A (16 x 32)·Bᵀ.
KERNEL matmulInt8(int *c, const signed char *a, const signed char *b) {
  int lane = threadIdx.x, g = lane / 4, t = lane % 4;
  unsigned fa[4], fb[2];
  for (int r = 0; r < 4; ++r)
    fa[r] = *(const unsigned *)(a + (g + 8 * (r & 1)) * 32 + 4 * t +
                                16 * (r >> 1));
  for (int r = 0; r < 2; ++r)
    fb[r] = *(const unsigned *)(b + g * 32 + 4 * t + 16 * r);
  int acc[4] = {1, 2, 3, 4};
  asm volatile("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+r"(acc[0]), "+r"(acc[1]), "+r"(acc[2]), "+r"(acc[3])
               : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]),
                 "r"(fb[1]));
  for (int i = 0; i < 4; ++i)
    c[(g + 8 * (i / 2)) * 8 + 2 * t + i % 2] = acc[i];
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device.h"

struct Scale {
  float factor;
  int shift;
  double bias[2];
};

__constant__ int kTable[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
__device__ float gOffset[4] = {0.5f, -1.5f, 2.25f, 8.0f};

KERNEL axpy(float *y, const float *x, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    y[i] = fmaf(a, x[i], y[i]) + gOffset[i & 3];
}

/// A struct by value, constants by index, 8- and 16-bit elements.
KERNEL narrow(short *out, const signed char *a, const unsigned char *b,
              Scale scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int v = (a[i] * b[i] + kTable[i & 15]) >> scale.shift;
  v = v < -100 ? -100 : v > 3000 ? 3000 : v;
  out[i] = (short)(v * scale.factor + scale.bias[i & 1]);
}

/// Integer division and 64-bit arithmetic.
KERNEL integers(long long *out, const long long *a, const int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  long long x = a[i];
  int y = b[i];
  long long r = x / y + x % y;
  r ^= (x << (y & 31)) + ((unsigned long long)x >> 7);
  r += (long long)(((unsigned __int128)(unsigned long long)x *
                    (unsigned long long)(x ^ y)) >>
                   64);
  r += __popc((unsigned)x) + __clz((int)y);
  out[i] = r;
}

KERNEL doubles(double *out, const double *x, const float *f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i] * 1.25 - f[i];
  v = v > 0 ? v / (1 + v) : -v;
  out[i] = v + (double)(long long)(x[i] * 1000) + sqrtf(fabsf(f[i]));
}

/// Accesses of 16 bytes.
struct alignas(16) Four {
  float v[4];
};
KERNEL vectors(Four *out, const Four *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Four x = in[i];
  out[n - 1 - i] = {{x.v[3], x.v[2] * 2, x.v[1] + 1, x.v[0]}};
}

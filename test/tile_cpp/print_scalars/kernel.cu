// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalars of all kinds, printed.
#include <cstdio>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(int n, long long l, float f, const double *D) {
  printf("int %d, hexadecimal %x, unsigned %u\n", n, n, unsigned(n));
  printf("long %lld, float %f, short %.2f, double %e\n", l, f, f, *D);
  if (n < 0)
    printf("%s: %c, %5d|%-5d|%05d\n", "negative", 'x', 42, 42, 42);
  else
    printf("never printed\n");
  for (int i = 0; i < 3; ++i)
    printf("%d%%%s", i * 10, i < 2 ? ", " : "\n");
}

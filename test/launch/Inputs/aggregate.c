/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Launches kernels that take structures, into doubles of the driver and of the runtime. C and C++. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
struct dim3 {
  unsigned x, y, z;
};
struct three {
  int32_t a, b;
  int64_t c;
};
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
int cudaLaunchKernel(const void *, struct dim3, struct dim3, void **, size_t, void *);
int __tileir_launch_simple(void *function, void *stream, uint32_t x, uint32_t y, uint32_t z, uint64_t p, const struct three *s,
                           int32_t n);
int __tileir_launch_map(void *function, void *stream, uint32_t x, uint32_t y, uint32_t z, uint64_t a, const int32_t *s,
                        int32_t n);
#ifdef __cplusplus
}
#endif

static const int *sizes; /* of the parameters, 0 behind them */

static void show(const void *at, int size) {
  int i;
  for (i = 0; i < size; ++i)
    printf("%02x", ((const unsigned char *)at)[i]);
  printf("\n");
}

static void showParameters(void **parameters) {
  int i;
  for (i = 0; parameters && sizes[i]; ++i) {
    printf("[%d] ", i);
    show(parameters[i], sizes[i]);
  }
}

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void *stream, void **parameters, void **extra) {
  (void)function, (void)stream, (void)gy, (void)gz, (void)by, (void)bz, (void)shared;
  printf("cuLaunchKernel grid %u block %u\n", gx, bx);
  showParameters(parameters);
  if (extra) {
    printf("block ");
    show(extra[1], (int)*(size_t *)extra[3]);
  }
  return 0;
}

int cudaLaunchKernel(const void *function, struct dim3 grid, struct dim3 block, void **parameters, size_t shared,
                     void *stream) {
  (void)function, (void)stream, (void)shared;
  printf("cudaLaunchKernel grid %u block %u\n", grid.x, block.x);
  showParameters(parameters);
  return 0;
}

int main(void) {
  static const int simple[] = {8, 16, 4, 0}, map[] = {8, 12, 4, 0};
  static const struct three s = {1, 2, 0x0807060504030201};
  static const int32_t array[] = {5, 6, 7};
  sizes = simple;
  if (__tileir_launch_simple(NULL, NULL, 3, 1, 1, 0xa000, &s, -1))
    return 1;
  sizes = map;
  return __tileir_launch_map(NULL, NULL, 4, 1, 1, 0xb000, array, 64);
}

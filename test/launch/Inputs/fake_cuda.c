/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Doubles of the driver and of the runtime that print how they are called, and a program that calls launcher stubs.
 * -DMAP: also the kernel with a workspace and a map; -DPLAIN: its workspace is an argument; -DCALL=ms_abi: the calling
 * convention of the stubs. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifndef CALL
#define CALL sysv_abi
#endif
#ifdef __x86_64__
#define ABI __attribute__((CALL))
#else
#define ABI
#endif

struct dim3 {
  unsigned x, y, z;
};

static const int *sizes; /* of the parameters, 0 behind them */

static void show(const void *at, int size) {
  for (int i = 0; i < size; ++i)
    printf("%02x", ((const unsigned char *)at)[i]);
}

static void showParameters(void **parameters) {
  for (int i = 0; sizes[i]; ++i) {
    printf(" [%d] ", i);
    show(parameters[i], sizes[i]);
    printf("\n");
  }
}

ABI int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                       unsigned shared, void *stream, void **parameters, void **extra) {
  printf("cuLaunchKernel %p grid %u %u %u block %u %u %u shared %u stream %p\n", function, gx, gy, gz, bx, by, bz, shared,
         stream);
  if (parameters)
    showParameters(parameters);
  /* pointer, size, end */
  if (extra && extra[0] == (void *)1 && extra[2] == (void *)2 && !extra[4]) {
    printf(" block of %d bytes at %d: ", (int)*(size_t *)extra[3], (int)((uintptr_t)extra[1] % 64));
    show(extra[1], (int)*(size_t *)extra[3]);
    printf("\n");
  }
  return 7;
}

ABI int cudaLaunchKernel(const void *function, struct dim3 grid, struct dim3 block, void **parameters, size_t shared,
                         void *stream) {
  printf("cudaLaunchKernel %p grid %u %u %u block %u %u %u shared %d stream %p\n", function, grid.x, grid.y, grid.z, block.x,
         block.y, block.z, (int)shared, stream);
  if (parameters)
    showParameters(parameters);
  return 8;
}

ABI int __tileir_launch_types(void *, void *, uint32_t, uint32_t, uint32_t, uint64_t, int32_t, _Float16, int8_t, double, float,
                              int16_t, int64_t);
#ifdef PLAIN
ABI int __tileir_launch_map(void *, void *, uint32_t, uint32_t, uint32_t, uint64_t, int32_t, uint64_t);
#else
ABI int __tileir_launch_map(void *, void *, uint32_t, uint32_t, uint32_t, uint64_t, int32_t);
#endif

int main(void) {
  static const int types[] = {8, 4, 2, 1, 8, 4, 2, 8, 0};
  sizes = types;
  int result = __tileir_launch_types((void *)0x10, (void *)0x20, 5, 6, 7, 0x1122334455667788, -2, (_Float16)1.5, 9, 2.5, 0.5f,
                                     -3, 0x0102030405060708);
  printf("result %d\n", result);
#ifdef MAP
#ifdef PLAIN
  static const int map[] = {8, 4, 8, 128, 0};
#else
  static const int map[] = {8, 4, 0};
#endif
  sizes = map;
  result = __tileir_launch_map((void *)0x30, NULL, 1, 2, 3, 0x7f0000001000, 131072
#ifdef PLAIN
                               ,
                               0xabcdef00
#endif
  );
  printf("result %d\n", result);
#endif
  return 0;
}

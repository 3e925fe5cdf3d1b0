/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Launches a producer's kernel through its stub, into doubles of the driver and of the runtime. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct dim3 {
  unsigned x, y, z;
};

static void show(const char *name, unsigned gx, unsigned bx, void **p) {
  printf("%s grid %u block %u: %llx %d %d, %llx %d %d, %llx %d %d\n", name, gx, bx, *(unsigned long long *)p[0], *(int *)p[1],
         *(int *)p[2], *(unsigned long long *)p[3], *(int *)p[4], *(int *)p[5], *(unsigned long long *)p[6], *(int *)p[7],
         *(int *)p[8]);
}

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void *stream, void **parameters, void **extra) {
  (void)function, (void)gy, (void)gz, (void)by, (void)bz, (void)shared, (void)stream, (void)extra;
  show("cuLaunchKernel", gx, bx, parameters);
  return 0;
}

int cudaLaunchKernel(const void *function, struct dim3 grid, struct dim3 block, void **parameters, size_t shared,
                     void *stream) {
  (void)function, (void)shared, (void)stream;
  show("cudaLaunchKernel", grid.x, block.x, parameters);
  return 0;
}

int __tileir_launch_add_vec_f32(void *, void *, uint32_t, uint32_t, uint32_t, uint64_t, int32_t, int32_t, uint64_t, int32_t,
                                int32_t, uint64_t, int32_t, int32_t);

int main(void) {
  return __tileir_launch_add_vec_f32(NULL, NULL, 8, 1, 1, 0xa000, 4096, 1, 0xb000, 4097, 2, 0xc000, 4098, 3);
}

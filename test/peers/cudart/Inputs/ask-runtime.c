// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the CUDA runtime about kernels. Without a driver the answer is that one
// is missing.
#include <stdio.h>

void axpy(void), scale(void), copy(void);
int cudaFuncGetAttributes(void *attributes, const void *function);

int main(void) {
  char attributes[4096];
  printf("axpy: %d\n", cudaFuncGetAttributes(attributes, (void *)axpy));
  printf("scale: %d\n", cudaFuncGetAttributes(attributes, (void *)scale));
  printf("copy: %d\n", cudaFuncGetAttributes(attributes, (void *)copy));
  printf("main: %d\n", cudaFuncGetAttributes(attributes, (void *)main));
  return 0;
}

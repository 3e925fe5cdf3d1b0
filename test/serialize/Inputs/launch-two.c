// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>

void axpy(void), scale(void), copy(void);
int cudaLaunchKernel(const void *host);

int main(void) {
  puts("main begins");
  int failed = cudaLaunchKernel((const void *)axpy) |
               cudaLaunchKernel((const void *)scale) |
               cudaLaunchKernel((const void *)copy);
  puts("main ends");
  return failed;
}

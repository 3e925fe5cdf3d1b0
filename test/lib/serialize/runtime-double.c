// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the place of the CUDA runtime: writes down what is registered and what
// is launched.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct wrapper {
  uint32_t magic, version;
  const unsigned char *fatbin;
  const void *name;
};
static struct {
  const void *host;
  const char *device;
} kernels[256];
static int kernelCount;
static void *handles[256];
static int handleCount;

void **__cudaRegisterFatBinary(const struct wrapper *w) {
  if (w->magic != 0x466243b1 || w->version != 1) {
    puts("registers something else");
    return 0;
  }
  uint32_t magic, header, sm;
  uint16_t kind;
  memcpy(&magic, w->fatbin, 4);
  memcpy(&kind, w->fatbin + 16, 2);
  memcpy(&header, w->fatbin + 20, 4);
  memcpy(&sm, w->fatbin + 44, 4);
  if (magic == 0xBA55ED50 && kind == 2 &&
      !memcmp(w->fatbin + 16 + header, "\177ELF", 4))
    printf("registers a fatbin with an ELF image for sm_%u\n", sm);
  return &handles[handleCount++];
}

int __cudaRegisterFunction(void **handle, const void *host, char *device,
                           const char *name, int threads, void *a, void *b,
                           void *c, void *d, int *e) {
  if (handle < handles || handle >= handles + handleCount || threads != -1 ||
      strcmp(device, name) || a || b || c || d || e)
    puts("registers with wrong arguments");
  kernels[kernelCount].host = host;
  kernels[kernelCount++].device = name;
  printf("registers %s for a host function\n", name);
  return 0;
}

void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }

void __cudaUnregisterFatBinary(void **handle) {
  (void)handle;
  puts("unregisters");
}

int cudaLaunchKernel(const void *host) {
  for (int i = 0; i < kernelCount; ++i)
    if (kernels[i].host == host)
      return printf("launches %s\n", kernels[i].device), 0;
  puts("launches what nobody registered");
  return 98;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA driver for gpu_bundle_test.py: host memory serves as device memory, and
// a launch executes the function of the kernel's name on one thread. Parameters
// of gpu_gemm.py arrive as in a real driver: types here are those of cuda.h.
//
//   FAKE_CUDA_FAULT=NAME  the kernel NAME faults, and everything after it
//   FAKE_CUDA_HANG=NAME   it does not end
//   FAKE_CUDA_WRONG=NAME  it leaves its last block of the inner dimension out,
//                         or its last element
//   FAKE_CUDA_LOG=FILE    launches are written there, one a line

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>

namespace {

constexpr int kInvalidValue = 1, kInvalidImage = 200, kNotFound = 500,
              kIllegalAddress = 700;

/// A kernel, and its maximum dynamic shared memory.
struct Function {
  std::string name;
  int maxDynamicShared = 48 * 1024;
};

bool faulted = false;
double now = 0; ///< Milliseconds since the start, of this device's own clock.

bool asked(const char *variable, const Function &f) {
  const char *name = std::getenv(variable);
  return name && f.name == name;
}

float half(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  float value = exponent == 31 ? NAN
                : exponent     ? std::ldexp(1024.0f + fraction, exponent - 25)
                               : std::ldexp(float(fraction), -24);
  return bits >> 15 ? -value : value;
}

float brain(uint16_t bits) {
  uint32_t wide = uint32_t(bits) << 16;
  float value;
  std::memcpy(&value, &wide, 4);
  return value;
}

uint16_t toBrain(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

template <typename T> T parameter(void **parameters, int number) {
  T value;
  std::memcpy(&value, parameters[number], sizeof value);
  return value;
}

/// Computes C = A B of bf16. Parameters: three arrays with their extents and
/// strides, as the producer passes them, then maps of A and B.
int product(const Function &f, void **p, const unsigned *grid) {
  auto *a = parameter<const uint16_t *>(p, 0);
  auto *b = parameter<const uint16_t *>(p, 5);
  auto *c = parameter<uint16_t *>(p, 10);
  int m = parameter<int>(p, 1), k = parameter<int>(p, 2),
      n = parameter<int>(p, 7);
  if (parameter<uint64_t>(p, 15) != uint64_t(a) ||
      parameter<uint64_t>(p, 16) != uint64_t(b) || parameter<int>(p, 3) != k ||
      parameter<int>(p, 4) != 1 || parameter<int>(p, 6) != k ||
      parameter<int>(p, 11) != m)
    return kInvalidValue;
  int depth = asked("FAKE_CUDA_WRONG", f) ? k - 64 : k;
  int tileM, tileN;
  if (std::sscanf(f.name.c_str(), "gemm_bf16_%dx%dx", &tileM, &tileN) != 2)
    return kInvalidValue;
  for (int row = 0; row < m && row < int(grid[0]) * tileM; ++row)
    for (int column = 0; column < n && column < int(grid[1]) * tileN;
         ++column) {
      float sum = 0;
      for (int x = 0; x < depth; ++x)
        sum += brain(a[row * k + x]) * brain(b[x * n + column]);
      c[row * n + column] = toBrain(sum);
    }
  now += m / 128.0;
  return 0;
}

/// Computes out = x + y of f32. Parameters: three arrays with their extents and
/// strides. The clock advances by a microsecond per block.
int sum(const Function &f, void **p, const unsigned *grid) {
  auto *x = parameter<const float *>(p, 0), *y = parameter<const float *>(p, 3);
  auto *out = parameter<float *>(p, 6);
  int count = parameter<int>(p, 1), tile = std::atoi(f.name.c_str() + 8);
  if (parameter<int>(p, 2) != 1 || parameter<int>(p, 4) != count ||
      parameter<int>(p, 7) != count || int(grid[0]) * tile != count)
    return kInvalidValue;
  for (int n = 0; n < count; ++n)
    out[n] = x[n] + y[n];
  if (asked("FAKE_CUDA_WRONG", f))
    out[count - 1] = 0;
  now += grid[0] / 1000.0;
  return 0;
}

template <typename T, typename Read> int difference(void **p, Read read) {
  auto *a = parameter<const T *>(p, 0), *b = parameter<const T *>(p, 1);
  auto count = parameter<uint64_t>(p, 2);
  auto *found = parameter<float *>(p, 3);
  auto larger = [](float x, float y) { return std::isnan(x) || x > y ? x : y; };
  for (uint64_t n = 0; n < count; ++n) {
    float x = read(a[n]), y = read(b[n]);
    found[0] = larger(std::fabs(x - y), found[0]);
    found[1] = larger(std::fabs(y), found[1]);
    found[2] += std::fabs(x - y);
    found[3] += std::fabs(y);
  }
  return 0;
}

} // namespace

extern "C" {

int cuInit(unsigned flags) { return flags ? kInvalidValue : 0; }
int cuDeviceGet(int *device, int ordinal) {
  *device = 7;
  return ordinal ? kInvalidValue : 0;
}
int cuDevicePrimaryCtxRetain(void **context, int device) {
  static int one;
  *context = &one;
  return device == 7 ? 0 : kInvalidValue;
}
int cuCtxSetCurrent(void *context) { return context ? 0 : kInvalidValue; }
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  switch (attribute) {
  case 13: // CU_DEVICE_ATTRIBUTE_CLOCK_RATE
    *value = 1980000;
    break;
  case 16: // CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
    *value = 4;
    break;
  case 36: // CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE
    *value = 2619000;
    break;
  case 38: // CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE
    *value = 1000;
    break;
  case 75: // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
    *value = 9;
    break;
  case 76: // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR
    *value = 0;
    break;
  default:
    return kInvalidValue;
  }
  return device == 7 ? 0 : kInvalidValue;
}
int cuDeviceGetName(char *name, int length, int) {
  std::snprintf(name, size_t(length), "Fake GPU");
  return 0;
}
int cuDeviceGetPCIBusId(char *bus, int length, int) {
  std::snprintf(bus, size_t(length), "0000:00:00.0");
  return 0;
}
int cuDriverGetVersion(int *version) {
  *version = 13010;
  return 0;
}
int cuGetErrorName(int error, const char **text) {
  *text = error == kIllegalAddress ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : error == kInvalidImage ? "CUDA_ERROR_INVALID_IMAGE"
          : error == kNotFound     ? "CUDA_ERROR_NOT_FOUND"
                                   : "CUDA_ERROR_INVALID_VALUE";
  return 0;
}

int cuMemAlloc_v2(uint64_t *at, size_t size) {
  *at = uint64_t(std::aligned_alloc(256, (size + 255) / 256 * 256));
  return *at ? 0 : 2;
}
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t size) {
  std::memcpy(reinterpret_cast<void *>(to), from, size);
  return 0;
}
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t size) {
  if (faulted)
    return kIllegalAddress;
  std::memcpy(to, reinterpret_cast<void *>(from), size);
  return 0;
}
int cuMemcpyDtoD_v2(uint64_t to, uint64_t from, size_t size) {
  std::memmove(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from),
               size);
  return 0;
}
int cuMemsetD8_v2(uint64_t at, unsigned char value, size_t size) {
  std::memset(reinterpret_cast<void *>(at), value, size);
  return 0;
}
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t size,
                         void *stream) {
  now += size / 1e9;
  return stream ? kInvalidValue : cuMemcpyDtoD_v2(to, from, size);
}

int cuModuleLoadData(void **module, const void *image) {
  if (std::memcmp(image, "\177ELF", 4))
    return kInvalidImage;
  *module = const_cast<void *>(image);
  return 0;
}
int cuModuleGetFunction(void **function, void *, const char *name) {
  auto *f = new Function;
  f->name = name;
  *function = f;
  return 0;
}
int cuFuncSetAttribute(void *function, int attribute, int value) {
  // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
  if (attribute != 8 || value > 232448)
    return kInvalidValue;
  static_cast<Function *>(function)->maxDynamicShared = value;
  return 0;
}

int cuTensorMapEncodeTiled(void *map, int type, uint32_t rank, void *address,
                           const uint64_t *extents, const uint64_t *strides,
                           const uint32_t *box, const uint32_t *elementStrides,
                           int interleave, int swizzle, int promotion,
                           int fill) {
  // BFLOAT16, no interleave, 128-byte swizzle and promotion, zeros.
  if (uint64_t(map) % 64 || type != 9 || rank != 2 || interleave ||
      swizzle != 3 || promotion != 2 || fill || strides[0] != 2 * extents[0] ||
      box[0] != 64 || elementStrides[0] != 1 || elementStrides[1] != 1)
    return kInvalidValue;
  std::memset(map, 0, 128);
  std::memcpy(map, &address, 8);
  return 0;
}

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz,
                   unsigned bx, unsigned by, unsigned bz, unsigned shared,
                   void *stream, void **parameters, void **extra) {
  auto &f = *static_cast<Function *>(function);
  unsigned grid[] = {gx, gy, gz};
  if (stream || extra || gz != 1 || by != 1 || bz != 1 || bx % 32 ||
      int(shared) > f.maxDynamicShared)
    return kInvalidValue;
  // Called between all others, to flush the cache that this device lacks.
  if (f.name == "read")
    return parameter<uint64_t>(parameters, 1) >= 8 << 20 ? 0 : kInvalidValue;
  if (const char *log = std::getenv("FAKE_CUDA_LOG"))
    if (FILE *out = std::fopen(log, "a")) {
      std::fprintf(out, "%s %ux%u %u\n", f.name.c_str(), gx, gy, bx);
      std::fclose(out);
    }
  if (asked("FAKE_CUDA_FAULT", f))
    faulted = true;
  if (faulted)
    return 0;
  if (asked("FAKE_CUDA_HANG", f))
    sleep(1000);
  if (f.name == "difference_bf16")
    return difference<uint16_t>(parameters, brain);
  if (f.name == "difference_f16")
    return difference<uint16_t>(parameters, half);
  if (f.name == "difference_f32")
    return difference<float>(parameters, [](float x) { return x; });
  if (f.name.rfind("add_f32_", 0) == 0)
    return sum(f, parameters, grid);
  return product(f, parameters, grid);
}
int cuCtxSynchronize() { return faulted ? kIllegalAddress : 0; }

int cuEventCreate(void **event, unsigned flags) {
  *event = new double(0);
  return flags ? kInvalidValue : 0;
}
int cuEventRecord(void *event, void *stream) {
  *static_cast<double *>(event) = now;
  return stream ? kInvalidValue : 0;
}
int cuEventSynchronize(void *) { return faulted ? kIllegalAddress : 0; }
int cuEventElapsedTime(float *elapsed, void *start, void *end) {
  *elapsed = float(*static_cast<double *>(end) - *static_cast<double *>(start));
  return 0;
}

} // extern "C"

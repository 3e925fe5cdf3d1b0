// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches a kernel of this folder through the CUDA driver:
//
//   host KERNEL.cubin ENTRY TILES COUNT INPUT.npy… ANSWER.npy
//
// The arguments of every kernel here are its inputs, its output and a count.
// The grid counts tile blocks, and a block is (1, 1, 1): the compiler chooses
// the number of threads.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

/// An array of a .npy file, f32 or f16, as its bytes.
struct Array {
  std::vector<char> bytes;
  bool half = false;
};

[[noreturn]] void fail(const std::string &why) {
  std::fprintf(stderr, "error: %s\n", why.c_str());
  std::exit(1);
}

std::vector<char> readFile(const char *path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    fail(std::string("cannot open '") + path + "'");
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

Array readArray(const char *path) {
  std::vector<char> file = readFile(path);
  if (file.size() < 10 || std::memcmp(file.data(), "\x93NUMPY\x01", 7) != 0)
    fail(std::string("'") + path + "' is no .npy file of version 1");
  size_t header = 10 + uint8_t(file[8]) + 256 * size_t(uint8_t(file[9]));
  std::string text(file.data() + 10, header - 10);
  return {{file.begin() + long(header), file.end()},
          text.find("<f2") != std::string::npos};
}

float toFloat(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  float value = exponent ? std::ldexp(float(fraction + 1024), exponent - 25)
                         : std::ldexp(float(fraction), -24);
  return bits >> 15 ? -value : value;
}

float element(const Array &a, size_t i) {
  if (a.half) {
    uint16_t bits;
    std::memcpy(&bits, &a.bytes[2 * i], 2);
    return toFloat(bits);
  }
  float value;
  std::memcpy(&value, &a.bytes[4 * i], 4);
  return value;
}

/// The functions of the driver that a launch takes, looked up at run time: the
/// program starts without a driver, too.
class Driver {
public:
  Driver() {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library)
      return;
    find(library, "cuInit", init);
    find(library, "cuDevicePrimaryCtxRetain", retain);
    find(library, "cuCtxSetCurrent", setCurrent);
    find(library, "cuLibraryLoadData", loadLibrary);
    find(library, "cuLibraryGetKernel", getKernel);
    find(library, "cuMemAlloc_v2", allocate);
    find(library, "cuMemcpyHtoD_v2", toDevice);
    find(library, "cuMemcpyDtoH_v2", toHost);
    find(library, "cuLaunchKernel", launch);
    find(library, "cuCtxSynchronize", synchronize);
    present = init(0) == 0;
  }

  bool present = false;
  int (*init)(unsigned);
  int (*retain)(void **, int);
  int (*setCurrent)(void *);
  int (*loadLibrary)(void **, const void *, void *, void *, unsigned, void *,
                     void *, unsigned);
  int (*getKernel)(void **, void *, const char *);
  int (*allocate)(uint64_t *, size_t);
  int (*toDevice)(uint64_t, const void *, size_t);
  int (*toHost)(void *, uint64_t, size_t);
  int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned,
                unsigned, unsigned, void *, void **, void **);
  int (*synchronize)();

private:
  template <typename F>
  static void find(void *library, const char *name, F &function) {
    function = reinterpret_cast<F>(dlsym(library, name));
    if (!function)
      fail(std::string("the driver has no ") + name);
  }
};

void check(int result, const char *what) {
  if (result != 0)
    fail(std::string(what) + " returned " + std::to_string(result));
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 7)
    fail("expected KERNEL.cubin ENTRY TILES COUNT INPUT.npy… ANSWER.npy");
  std::vector<char> cubin = readFile(argv[1]);
  std::vector<Array> arrays;
  for (int i = 5; i < argc; ++i)
    arrays.push_back(readArray(argv[i]));

  Driver cuda;
  if (!cuda.present) {
    std::printf("no GPU here: nothing was launched\n");
    return 0;
  }
  void *context, *library, *kernel;
  check(cuda.retain(&context, 0), "cuDevicePrimaryCtxRetain");
  check(cuda.setCurrent(context), "cuCtxSetCurrent");
  check(cuda.loadLibrary(&library, cubin.data(), nullptr, nullptr, 0, nullptr,
                         nullptr, 0),
        "cuLibraryLoadData");
  check(cuda.getKernel(&kernel, library, argv[2]), "cuLibraryGetKernel");

  std::vector<uint64_t> buffers(arrays.size());
  std::vector<void *> arguments;
  for (size_t i = 0; i < arrays.size(); ++i) {
    check(cuda.allocate(&buffers[i], arrays[i].bytes.size()), "cuMemAlloc");
    if (i + 1 < arrays.size())
      check(cuda.toDevice(buffers[i], arrays[i].bytes.data(),
                          arrays[i].bytes.size()),
            "cuMemcpyHtoD");
    arguments.push_back(&buffers[i]);
  }
  int32_t count = std::atoi(argv[4]);
  arguments.push_back(&count);
  check(cuda.launch(kernel, unsigned(std::atoi(argv[3])), 1, 1, 1, 1, 1, 0,
                    nullptr, arguments.data(), nullptr),
        "cuLaunchKernel");
  check(cuda.synchronize(), "cuCtxSynchronize");

  const Array &answer = arrays.back();
  Array got = answer;
  check(cuda.toHost(got.bytes.data(), buffers.back(), got.bytes.size()),
        "cuMemcpyDtoH");
  float worst = 0;
  for (size_t i = 0; i < got.bytes.size() / (got.half ? 2 : 4); ++i)
    worst = std::fmax(worst, std::fabs(element(got, i) - element(answer, i)));
  std::printf("on the GPU: largest difference from NumPy %g\n", worst);
  return worst < 2e-3f ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions between integers of all widths and floats.
#include <cstdint>
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const float *X, const int *N, int64_t *Z, float *F) {
  auto i = ct::iota<ct::tile<int, ct::shape<128>>>();
  auto put = [=](int row, auto value) { ct::store(Z + row * 128 + i, ct::element_cast<int64_t>(value)); };
  auto x = ct::load(X + i);
  auto n = ct::load(N + i);
  put(0, ct::element_cast<int>(x));
  put(1, ct::element_cast<unsigned>(ct::abs(x)));
  put(2, ct::element_cast<int64_t>(x * 1e6f));
  put(3, ct::element_cast<int8_t>(n));
  put(4, ct::element_cast<uint8_t>(n));
  put(5, ct::element_cast<int16_t>(n));
  put(6, ct::element_cast<uint16_t>(n));
  put(7, ct::element_cast<unsigned>(n));
  put(8, ct::element_cast<bool>(n & 4));
  put(9, ct::element_cast<uint64_t>(ct::element_cast<unsigned>(n)) << 8);
  auto back = [=](int row, auto value) { ct::store(F + row * 128 + i, ct::element_cast<float>(value)); };
  back(0, n);
  back(1, ct::element_cast<unsigned>(n));
  back(2, ct::element_cast<int8_t>(n));
  back(3, ct::element_cast<uint8_t>(n));
  back(4, ct::element_cast<int64_t>(n) * 1000000007);
  back(5, ct::element_cast<__half>(ct::element_cast<int16_t>(n)) * __half(0.5f));
  back(6, ct::element_cast<double>(n));
}

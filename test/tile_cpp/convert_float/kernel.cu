// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions among float types, tf32 among them.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const float *X, __half *H, __nv_bfloat16 *B, double *D, float *F) {
  auto i = ct::iota<ct::tile<int, ct::shape<128>>>();
  auto put = [=](int row, auto value) { ct::store(F + row * 128 + i, ct::element_cast<float>(value)); };
  auto x = ct::load(X + i);
  auto h = ct::element_cast<__half>(x);
  auto b = ct::element_cast<__nv_bfloat16>(x);
  auto d = ct::element_cast<double>(x);
  ct::store(H + i, h);
  ct::store(B + i, b);
  ct::store(D + i, d * 1.0000000001);
  put(0, h);
  put(1, b);
  put(2, d * 1.0000001);
  put(3, ct::element_cast<__nv_tf32>(x, ct::round_ties_to_even_t{}));
  put(4, ct::element_cast<__nv_tf32>(x, ct::round_toward_zero_t{}));
  put(5, ct::element_cast<__half>(d));
  put(6, ct::element_cast<__nv_bfloat16>(h));
}

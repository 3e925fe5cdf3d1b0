// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions on half precision and bfloat16.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const __half *X, __half *Z, const __nv_bfloat16 *V, __nv_bfloat16 *W) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto functions = [=](auto x, auto out) {
    auto put = [=](int row, auto value) { ct::store(out + row * 64 + i, value); };
    put(0, ct::exp(x));
    put(1, ct::log(ct::abs(x)));
    put(2, ct::sin(x));
    put(3, ct::cos(x));
    put(4, ct::tanh(x));
    put(5, ct::sqrt(ct::abs(x)));
    put(6, ct::floor(x));
    put(7, ct::exp2(x));
  };
  functions(ct::load(X + i), Z);
  functions(ct::load(V + i), W);
}

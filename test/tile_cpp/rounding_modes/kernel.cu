// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums, products, quotients and roots rounded toward zero, up and down; subnormals taken for zero.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const float *X, const float *Y, float *Z, float *S) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto x = ct::load(X + i), y = ct::load(Y + i);
  auto modes = [=](int row, auto mode) {
    auto put = [=](int part, auto value) { ct::store(Z + (row * 5 + part) * 64 + i, value); };
    put(0, ct::add(x, y, mode));
    put(1, ct::sub(x, y, mode));
    put(2, ct::mul(x, y, mode));
    put(3, ct::div(x, y, mode));
    put(4, ct::sqrt(ct::abs(x), mode));
  };
  modes(0, ct::round_ties_to_even_t{});
  modes(1, ct::round_toward_zero_t{});
  modes(2, ct::round_toward_negative_t{});
  modes(3, ct::round_toward_positive_t{});
  ct::store(S + i, ct::mul(x, 2e-38f, ct::round_ties_to_even_t{}, ct::round_subnormals_to_zero_t{}));
}

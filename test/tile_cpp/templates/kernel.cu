// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Templates by type and number: recursion while compiling, specializations, packs of arguments, concepts.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

template <int N> struct Factorial {
  static constexpr int value = N * Factorial<N - 1>::value;
};
template <> struct Factorial<0> {
  static constexpr int value = 1;
};

template <int N> __tile__ auto power(auto x) {
  if constexpr (N == 0)
    return ct::ones<decltype(x)>();
  else if constexpr (N % 2)
    return x * power<N - 1>(x);
  else
    return power<N / 2>(x * x);
}

template <typename... Tiles> __tile__ auto total(Tiles... tiles) { return (tiles + ...); }

template <ct::integral_tile T> __tile__ auto half(T x) { return x >> 1; }
template <ct::floating_point_tile T> __tile__ auto half(T x) { return x * 0.5f; }

extern "C" __tile_global__ void K(const int *X, int *Z, float *F) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto x = ct::load(X + i);
  ct::store(Z + i, power<5>(x));
  ct::store(Z + 64 + i, total(x, x * x, i, i * 2, x + 1));
  ct::store(Z + 128 + i, half(x) + Factorial<6>::value);
  ct::store(F + i, half(ct::element_cast<float>(x)));
}

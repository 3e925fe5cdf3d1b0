// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bitwise operations and extrema by atomic operations, of signed and unsigned integers.
#include <cstdint>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const int *X, int *Z, unsigned *U, int64_t *L) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto x = ct::load(X + int(ct::bid().x) * 64 + i);
  auto bin = i & 7;
  constexpr auto relaxed = ct::memory_order::relaxed;
  ct::atomic_and<relaxed>(Z + bin, x);
  ct::atomic_or<relaxed>(Z + 8 + bin, x);
  ct::atomic_xor<relaxed>(Z + 16 + bin, x);
  ct::atomic_max<relaxed>(Z + 24 + bin, x);
  ct::atomic_min<relaxed>(Z + 32 + bin, x);
  auto u = ct::element_cast<unsigned>(x);
  ct::atomic_max<relaxed>(U + bin, u);
  ct::atomic_min_masked<relaxed>(U + 8 + bin, u, x < 0);
  ct::atomic_max<relaxed>(L + bin, ct::element_cast<int64_t>(x) * 3000000000);
}

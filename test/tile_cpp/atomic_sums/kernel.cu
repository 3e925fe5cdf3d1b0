// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums and differences that blocks gather by atomic operations, of integers and floats, in several scopes.
#include <cstdint>
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const int *X, int *I, float *F, int64_t *L, double *D, __half *H) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto x = ct::load(X + int(ct::bid().x) * 64 + i);
  auto bin = x & 15;
  constexpr auto relaxed = ct::memory_order::relaxed;
  ct::atomic_add<relaxed>(I + bin, ct::ones<decltype(x)>());
  ct::atomic_sub<relaxed, ct::thread_scope::device>(I + 16 + bin, x);
  ct::atomic_add<relaxed, ct::thread_scope::device>(F + bin, ct::element_cast<float>(x));
  ct::atomic_add<relaxed>(L + bin, ct::element_cast<int64_t>(x) << 20);
  ct::atomic_add_masked<relaxed>(D + bin, ct::element_cast<double>(x), x > 0);
  ct::atomic_add<relaxed>(H + bin, ct::element_cast<__half>(x & 3));
}

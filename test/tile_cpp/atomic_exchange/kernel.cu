// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exchanges whose old values come back, and exchanges of what equals an expected value.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(int *X, float *F, int *Old, float *OldF) {
  auto i = ct::iota<ct::tile<int, ct::shape<32>>>();
  constexpr auto relaxed = ct::memory_order::relaxed;
  ct::store(Old + i, ct::atomic_xchg<relaxed>(X + i, i * 10));
  ct::store(Old + 32 + i, ct::atomic_compare_exchange<ct::memory_order::acq_rel>(X + 32 + i, i & 3, i + 1000));
  ct::store(Old + 64 + i, ct::atomic_compare_exchange_masked<relaxed>(X + 64 + i, ct::full<decltype(i)>(7), -i, i < 20));
  ct::store(OldF + i, ct::atomic_xchg_masked<relaxed>(F + i, ct::full<ct::tile<float, ct::shape<32>>>(2.5f), (i & 1) == 0));
}

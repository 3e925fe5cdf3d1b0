// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of a view added, joined by bits and compared with memory by atomic operations.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const int *X, int *Sum, int *Bits, int *Largest, float *F) {
  using Device = ct::thread_scope_constant<ct::thread_scope::device>;
  using Relaxed = ct::memory_order_constant<ct::memory_order::relaxed>;
  auto view = [](auto *memory) {
    return ct::partition_view{ct::tensor_span{memory, ct::extents<int, 8, 16>{}}, ct::shape<8, 16>{}};
  };
  auto x = ct::partition_view{ct::tensor_span{X, ct::extents<int, 32, 16>{}}, ct::shape<8, 16>{}}.load(ct::bid().x, 0);
  view(Sum).atomic_add(x, Relaxed{}, Device{}, 0, 0);
  view(Bits).atomic_or(x, Relaxed{}, Device{}, 0, 0);
  view(Largest).atomic_max(x, Relaxed{}, Device{}, 0, 0);
  view(F).atomic_add(ct::element_cast<float>(x), Relaxed{}, Device{}, 0, 0);
}

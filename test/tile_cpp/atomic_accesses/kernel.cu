// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores that are atomic, with their orders: one block hands a tile to the next.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(int *Data, int *Flag, int *Z) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  int block = ct::bid().x;
  constexpr auto device = ct::thread_scope::device;
  if (block > 0)
    while (ct::atomic_load<ct::memory_order::acquire, device>(Flag + block - 1) == 0)
      ;
  auto before = block > 0 ? ct::load(Data + (block - 1) * 64 + i) : i;
  ct::store(Data + block * 64 + i, before * 3 + block);
  ct::atomic_store<ct::memory_order::release, device>(Flag + block, 1);
  ct::store(Z + block * 64 + i, ct::atomic_load<ct::memory_order::relaxed>(Data + block * 64 + i));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of the module: one with initial values, one that blocks count in, a constant table.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile__ int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__tile__ int counter = 100;
__tile__ float scale = 0.5f;

extern "C" __tile_global__ void K(const float *X, float *Z, int *Tickets) {
  int block = ct::bid().x;
  auto i = ct::iota<ct::tile<int, ct::shape<32>>>();
  int by = table[block & 7];
  ct::store(Z + block * 32 + i, ct::load(X + block * 32 + i) * scale * float(by));
  Tickets[block] = ct::atomic_add<ct::memory_order::relaxed>(&counter, by) >= 100;
}

extern "C" __tile_global__ void Write(const int *X, int *Z) {
  auto i = ct::iota<ct::tile<int, ct::shape<8>>>();
  auto before = ct::load(table + i);
  ct::store(table + i, before * ct::load(X + i));
  scale = 2.0f;
  ct::store(Z + i, ct::load(table + (7 - i)) + int(scale * 10.0f));
}

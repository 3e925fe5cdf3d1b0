// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structures with tiles and scalars as members, changed by methods, by reference and by address.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

template <typename Tile> struct Moments {
  Tile sum, square;
  int count = 0;
  __tile__ void add(Tile x) {
    sum = sum + x;
    square = square + x * x;
    ++count;
  }
};

struct Range {
  float low = 1e30f, high = -1e30f;
};

__tile__ void widen(Range *range, float value) {
  range->low = value < range->low ? value : range->low;
  range->high = value > range->high ? value : range->high;
}

extern "C" __tile_global__ void K(const float *X, float *Z, int n) {
  using Tile = ct::tile<float, ct::shape<32>>;
  auto i = ct::iota<ct::tile<int, ct::shape<32>>>();
  Moments<Tile> moments{ct::zeros<Tile>(), ct::zeros<Tile>()};
  Range range;
  for (int k = 0; k < n; ++k) {
    moments.add(ct::load(X + k * 32 + i));
    widen(&range, X[k * 32 + k]);
  }
  auto mean = moments.sum / float(moments.count);
  ct::store(Z + i, mean);
  ct::store(Z + 32 + i, moments.square / float(moments.count) - mean * mean);
  Z[64] = range.low;
  Z[65] = range.high;
}

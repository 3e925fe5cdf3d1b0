// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local arrays: of numbers and of tiles, with indices that become constants and with others, initialized, in structures.
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using Tile = ct::tile<float, ct::shape<64>>;

struct State {
  int low, high;
  float weights[2];
  Tile sum;
};

__tile__ void update(State *state, Tile x, int i) {
  state->low += i;
  state->weights[0] += 0.5f;
  state->weights[1] *= 2.0f;
  state->sum = state->sum + x * state->weights[0];
  if (i & 1)
    state->high -= i;
}

__tile__ int table(int i) {
  int values[5] = {3, 1, 4, 1, 5};
  return values[i];
}

extern "C" __tile_global__ void K(const float *__restrict__ a, float *__restrict__ b, int *__restrict__ out, int n) {
  auto from = ct::partition_view{ct::tensor_span{a, ct::extents{512}}, ct::shape<64>{}};
  auto to = ct::partition_view{ct::tensor_span{b, ct::extents{512}}, ct::shape<64>{}};

  // Registers: every index is a constant once the loops over them are unrolled.
  Tile tiles[4];
  for (int i = 0; i < 4; ++i)
    tiles[i] = from.load(i);
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < 4; ++i)
      tiles[i] = tiles[i] + tiles[(i + 1) % 4] * 0.5f;
  for (int i = 0; i < 4; ++i)
    to.store(tiles[i], i);

  int grid[3][4];
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 4; ++k)
      grid[i][k] = i * 10 + k;
  for (int r = 0; r < n; ++r) {
    if (r == 5)
      break;
    for (int i = 0; i < 3; ++i)
      for (int k = 3; k > 0; --k)
        grid[i][k] += grid[i][k - 1] + grid[(i + 1) % 3][k];
  }
  int s = 0;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 4; ++k)
      s = s * 3 + grid[i][k];
  out[0] = s;

  // A structure whose address is taken; constants for some members.
  State state{1, 2, {0.25f, 1.0f}, from.load(4)};
  for (int i = 0; i < n; ++i)
    update(&state, from.load(5), i);
  to.store(state.sum, 4);
  out[1] = state.low;
  out[2] = state.high;
  out[3] = int(state.weights[1]);

  // Memory: indices that no loop makes constant.
  out[4] = table(n % 5);
  int counts[4] = {0, 0, 0, 0};
  for (int i = 0; i < n; ++i)
    counts[(i * i + 1) & 3] += i;
  out[5] = counts[1];
  out[6] = counts[n & 3];
  Tile picked[2];
  picked[0] = from.load(6);
  picked[1] = from.load(7);
  for (int i = 0; i < n; ++i)
    picked[i & 1] = picked[i & 1] + 1.0f;
  to.store(picked[0], 6);
  to.store(picked[n & 1], 7);
  to.store(picked[1], 5);

  // A place that only one path writes.
  int last[2];
  last[0] = 4;
  if (n > 3)
    last[1] = n;
  else
    last[1] = -n;
  out[7] = last[0] * last[1];
}

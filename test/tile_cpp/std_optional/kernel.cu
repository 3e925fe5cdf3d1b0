// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda::std::optional: returned by searches, reset and set in loops, of numbers and of a tile.
// libcu++ of the toolkit has its tile version disabled by default.
#include <cuda/std/__cccl/compiler.h>
#undef _CCCL_TILE_COMPILATION
#define _CCCL_TILE_COMPILATION() 1
#include <cuda/std/optional>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using Tile = ct::tile<float, ct::shape<64>>;

__tile__ cuda::std::optional<int> find(const int *a, int n, int wanted) {
  for (int i = 0; i < n; ++i)
    if (a[i] == wanted)
      return i;
  return cuda::std::nullopt;
}

extern "C" __tile_global__ void K(const int *__restrict__ a, const float *__restrict__ x, float *__restrict__ y,
                                  int *__restrict__ out, int n) {
  for (int wanted = 0; wanted < 4; ++wanted)
    out[wanted] = find(a, n, wanted).value_or(-7 - wanted);
  cuda::std::optional<int> last;
  int changes = 0;
  for (int i = 0; i < n; ++i) {
    if (a[i] == 3)
      last.reset();
    else if (!last || *last < a[i]) {
      last = a[i] + i;
      ++changes;
    }
  }
  out[4] = last ? *last : -1;
  out[5] = changes;
  out[6] = last == find(a, n, 2);

  auto from = ct::partition_view{ct::tensor_span{x, ct::extents{64}}, ct::shape<64>{}};
  auto to = ct::partition_view{ct::tensor_span{y, ct::extents{64}}, ct::shape<64>{}};
  cuda::std::optional<float> scale;
  if (n > 4)
    scale.emplace(0.5f);
  to.store(from.load(0) * scale.value_or(2.0f), 0);
}

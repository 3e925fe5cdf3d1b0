// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running sums of integers and of flags: each chosen element learns its place among the chosen ones.
#include <cstdint>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const int *X, int *Z, int *Packed, int64_t *L) {
  auto i = ct::iota<ct::tile<int, ct::shape<256>>>();
  auto x = ct::load(X + i);
  ct::store(Z + i, ct::partial_sum<0>(x));
  auto chosen = x > 0;
  auto place = ct::partial_sum<0>(ct::element_cast<int>(chosen)) - 1;
  ct::store_masked(Packed + place, x, chosen);
  ct::store(Z + 256 + i, ct::partial_prod<0>(ct::select(chosen, ct::ones<ct::tile<int, ct::shape<256>>>() * 3, x)));
  ct::store(L + i, ct::partial_sum(ct::element_cast<int64_t>(x) * 100000000, ct::integral_constant<0>{},
                                   ct::scan_backward_t{}));
}

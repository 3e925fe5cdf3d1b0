// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of integers: bitwise, and whether all or any are true.
#include <cstdint>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const int *X, int *Z, const int64_t *L, int64_t *M) {
  auto i = ct::iota<ct::tile<int, ct::shape<512>>>();
  auto row = ct::iota<ct::tile<int, ct::shape<32>>>();
  auto put = [=](int part, auto value) {
    ct::store(Z + part * 32 + row, ct::reshape<ct::shape<32>>(ct::element_cast<int>(value)));
  };
  auto x = ct::reshape<ct::shape<32, 16>>(ct::load(X + i));
  put(0, ct::reduce_bitand<1>(x));
  put(1, ct::reduce_bitor<1>(x));
  put(2, ct::reduce_bitxor<1>(x));
  put(3, ct::all_of<1>(x > -900));
  put(4, ct::any_of<1>(x > 900));
  put(5, ct::sum<1>(x));
  auto l = ct::reshape<ct::shape<32, 4>>(ct::load(L + ct::iota<ct::tile<int, ct::shape<128>>>()));
  auto out = [=](int part, auto value) { ct::store(M + part * 32 + row, ct::reshape<ct::shape<32>>(value)); };
  out(0, ct::sum<1>(l));
  out(1, ct::reduce_max<1>(l));
  out(2, ct::prod<1>(l));
}

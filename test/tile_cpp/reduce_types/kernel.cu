// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of half precision, doubles and bytes; an element that is no number in and out of the maximum.
#include <cstdint>
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const __half *X, __half *Z, const double *D, double *E, const int8_t *B, int8_t *C,
                                  const float *N, float *M) {
  auto i = ct::iota<ct::tile<int, ct::shape<128>>>();
  auto x = ct::load(X + i);
  ct::store(Z, ct::reshape<ct::shape<>>(ct::reduce_max<0>(x)));
  ct::store(Z + 1, ct::reshape<ct::shape<>>(ct::reduce_min<0>(x)));
  auto d = ct::load(D + i);
  ct::store(E, ct::reshape<ct::shape<>>(ct::sum<0>(d)));
  ct::store(E + 1, ct::reshape<ct::shape<>>(ct::reduce_min<0>(d)));
  auto b = ct::load(B + i);
  ct::store(C, ct::reshape<ct::shape<>>(ct::sum<0>(b)));
  ct::store(C + 1, ct::reshape<ct::shape<>>(ct::reduce_max<0>(b)));
  auto n = ct::load(N + i);
  using propagate = ct::nan_propagation_mode_constant<ct::nan_propagation_mode::propagate_nan>;
  ct::store(M, ct::reshape<ct::shape<>>(ct::reduce_max(n, ct::integral_constant<0>{})));
  ct::store(M + 1, ct::reshape<ct::shape<>>(ct::reduce_max(n, ct::integral_constant<0>{}, propagate{})));
}

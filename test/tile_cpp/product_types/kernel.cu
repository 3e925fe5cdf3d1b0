// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small products of 8-bit integers and floats, tf32, single and double precision.
#include <cstdint>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const int8_t *X, const int8_t *Y, int *I, int *U, float *F8, const float *V,
                                  const float *W, float *T, float *F, const double *P, const double *Q, double *D) {
  auto i = ct::iota<ct::tile<int, ct::shape<1024>>>();
  auto matrix = [=](auto *in) { return ct::reshape<ct::shape<32, 32>>(ct::load(in + i)); };
  auto put = [=](auto *out, auto value) { ct::store(out + i, ct::reshape<ct::shape<1024>>(value)); };
  auto x = matrix(X), y = matrix(Y);
  put(I, ct::mma(x, y, ct::zeros<ct::tile<int, ct::shape<32, 32>>>()));
  put(U, ct::mma(ct::element_cast<uint8_t>(x), y, ct::zeros<ct::tile<int, ct::shape<32, 32>>>()));
  auto e4 = [](auto bytes) { return ct::element_cast<__nv_fp8_e4m3>(ct::element_cast<float>(bytes) * 0.125f); };
  put(F8, ct::mma(e4(x), e4(y), ct::zeros<ct::tile<float, ct::shape<32, 32>>>()));
  auto v = matrix(V), w = matrix(W);
  auto tf32 = [](auto value) { return ct::element_cast<__nv_tf32>(value, ct::round_ties_to_even_t{}); };
  put(T, ct::mma(tf32(v), tf32(w), ct::zeros<ct::tile<float, ct::shape<32, 32>>>()));
  put(F, ct::matmul(v, w));
  put(D, ct::mma(matrix(P), matrix(Q), ct::zeros<ct::tile<double, ct::shape<32, 32>>>()));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small products of matrices and of batches of them, in half precision and bfloat16.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" __tile_global__ void K(const __half *X, const __half *Y, const __nv_bfloat16 *V, const __nv_bfloat16 *W,
                                  float *F, __half *H, float *B) {
  auto i = ct::iota<ct::tile<int, ct::shape<1024>>>();
  auto x = ct::reshape<ct::shape<32, 32>>(ct::load(X + i)), y = ct::reshape<ct::shape<32, 32>>(ct::load(Y + i));
  auto put = [=](auto *out, auto value) {
    ct::store(out + i, ct::reshape<ct::shape<1024>>(value));
  };
  put(F, ct::mma(x, y, ct::ones<ct::tile<float, ct::shape<32, 32>>>()));
  put(H, ct::matmul(x, ct::transpose(y)));
  auto v = ct::reshape<ct::shape<4, 16, 16>>(ct::load(V + i)), w = ct::reshape<ct::shape<4, 16, 16>>(ct::load(W + i));
  put(B, ct::mma(v, w, ct::zeros<ct::tile<float, ct::shape<4, 16, 16>>>()));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hints for an entry and for its accesses, for all targets and for single ones, change no answer.
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

extern "C" [[using cutile: hint(0, occupancy = 2), hint(1000, num_cta_in_cga = 2)]]
__tile_global__ void K(const float *__restrict__ X, float *__restrict__ Z) {
  X = ct::assume_aligned<16>(X);
  Z = ct::assume_aligned<16>(Z);
  using Matrix = ct::extents<unsigned, 64, 64>;
  auto x = ct::partition_view{ct::tensor_span{X, Matrix{}}, ct::shape<32, 32>{}};
  auto z = ct::partition_view{ct::tensor_span{Z, Matrix{}}, ct::shape<32, 32>{}};
  ct::tile<float, ct::shape<32, 32>> a, b;
  [[using cutile: hint(0, latency = 4, allow_tma = true)]] a = x.load(ct::bid().x, 0);
  [[using cutile: hint(0, latency = 8, allow_tma = false)]] b = x.load(ct::bid().x, 1);
  [[using cutile: hint(0, allow_tma = false)]] z.store(a + b, ct::bid().x, 0);
  [[using cutile: hint(900, latency = 2)]] z.store(a - b, ct::bid().x, 1);
}

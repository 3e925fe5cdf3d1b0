// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix product whose extents are constants: one block for each tile of 128 x 128.
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

extern "C" __tile_global__ void K(const __half *__restrict__ A, const __half *__restrict__ B, __half *__restrict__ C) {
  A = ct::assume_aligned<16>(A);
  B = ct::assume_aligned<16>(B);
  C = ct::assume_aligned<16>(C);
  using Square = ct::extents<unsigned, 256, 256>;
  auto a = ct::partition_view{ct::tensor_span{A, Square{}}, ct::shape<128, 64>{}};
  auto b = ct::partition_view{ct::tensor_span{B, Square{}}, ct::shape<64, 128>{}};
  auto c = ct::partition_view{ct::tensor_span{C, Square{}}, ct::shape<128, 128>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<128, 128>>>();
  for (auto k : ct::irange(0, 256 / 64))
    sum = ct::mma(a.load(ct::bid().x, k), b.load(k, ct::bid().y), sum);
  c.store(ct::element_cast<__half>(sum), ct::bid().x, ct::bid().y);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention of queries with the keys before them, masked in a branch: only in the last iteration can a mask be false.
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

extern "C" __tile_global__ void K(const __half *__restrict__ Q, const __half *__restrict__ Ks, const __half *__restrict__ V,
                                  __half *__restrict__ O, int heads, int length) {
  Q = ct::assume_aligned<16>(Q);
  Ks = ct::assume_aligned<16>(Ks);
  V = ct::assume_aligned<16>(V);
  O = ct::assume_aligned<16>(O);
  auto rows = ct::extents{heads, length, 64_ic};
  auto keys = ct::extents{heads, length, 64_ic};
  auto q = ct::partition_view{ct::tensor_span{Q, rows}, ct::shape<1, 64, 64>{}};
  auto k = ct::partition_view{ct::tensor_span{Ks, keys}, ct::shape<1, 64, 64>{}};
  auto v = ct::partition_view{ct::tensor_span{V, keys}, ct::shape<1, 64, 64>{}};
  auto o = ct::partition_view{ct::tensor_span{O, rows}, ct::shape<1, 64, 64>{}};
  int i = ct::bid().x, head = ct::bid().y;
  constexpr float scale = 0.125f * 1.44269504f;
  auto x = ct::reshape(q.load(head, i, 0), ct::shape<64, 64>{});
  using Column = ct::tile<float, ct::shape<64, 1>>;
  auto top = ct::full<Column>(-INFINITY);
  auto norm = ct::zeros<Column>();
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
  auto row = ct::reshape(ct::iota<ct::tile<int, ct::shape<64>>>(), ct::shape<64, 1>{}) + i * 64;
  auto column = ct::reshape(ct::iota<ct::tile<int, ct::shape<64>>>(), ct::shape<1, 64>{});
  int masked = i < length / 64 ? i : length / 64;
  for (auto j : ct::irange(0, i + 1)) {
    auto y = ct::reshape(k.load(head, j, 0), ct::shape<64, 64>{});
    auto s = ct::mma(x, ct::transpose(y), ct::zeros<ct::tile<float, ct::shape<64, 64>>>()) * scale;
    if (j >= masked) {
      auto key = column + j * 64;
      s = s + ct::select(row >= key, ct::zeros<ct::tile<float, ct::shape<64, 64>>>(),
                         ct::full<ct::tile<float, ct::shape<64, 64>>>(-INFINITY));
    }
    auto next = ct::max(top, ct::reduce_max(s, 1_ic));
    auto p = ct::exp2(s - next);
    auto alpha = ct::exp2(top - next);
    norm = norm * alpha + ct::sum(p, 1_ic);
    auto z = ct::reshape(v.load(head, j, 0), ct::shape<64, 64>{});
    sum = ct::mma(ct::element_cast<__half>(p), z, sum * alpha);
    top = next;
  }
  o.store(ct::reshape(ct::element_cast<__half>(sum / norm), ct::shape<1, 64, 64>{}), head, i, 0);
}

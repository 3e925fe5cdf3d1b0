// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention of a chunk of a prompt: 256 queries a block, head size 128, grouped heads, keys of earlier chunks before them.
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;

extern "C" __tile_global__ void K(const __half *__restrict__ Q, const __half *__restrict__ Ks, const __half *__restrict__ V,
                                  __half *__restrict__ O, int heads, int group, int queries, int length, int past) {
  Q = ct::assume_aligned<16>(Q);
  Ks = ct::assume_aligned<16>(Ks);
  V = ct::assume_aligned<16>(V);
  O = ct::assume_aligned<16>(O);
  int i = ct::bid().x, head = ct::bid().y;
  constexpr float scale = 0.08838834764f * 1.44269504f;
  auto rows = ct::extents{heads, queries, 128_ic};
  auto keys = ct::extents{heads / group, length, 128_ic};
  using Scores = ct::tile<float, ct::shape<256, 128>>;
  using Column = ct::tile<float, ct::shape<256, 1>>;
  auto q = ct::partition_view{ct::tensor_span{Q, rows}, ct::shape<1, 256, 128>{}};
  auto x = ct::reshape(q.load_masked(head, i, 0), ct::shape<256, 128>{});
  auto row = ct::reshape(ct::iota<ct::tile<int, ct::shape<256>>>(), ct::shape<256, 1>{}) + (i * 256 + past);
  auto column = ct::reshape(ct::iota<ct::tile<int, ct::shape<128>>>(), ct::shape<1, 128>{});
  auto top = ct::full<Column>(-INFINITY);
  auto norm = ct::zeros<Column>();
  auto sum = ct::zeros<Scores>();
  int masked = (past + i * 256) / 128;
  int last = past + (i + 1) * 256;
  int end = ((last < length ? last : length) + 127) / 128;
  for (int j = 0; j < end; ++j) {
    auto k = ct::partition_view{ct::tensor_span{Ks, keys}, ct::shape<1, 128, 128>{}};
    auto y = ct::reshape(k.load_masked(head / group, j, 0), ct::shape<128, 128>{});
    auto s = ct::mma(x, ct::transpose(y), ct::zeros<Scores>());
    if (j >= masked)
      s = ct::select(row >= column + j * 128, s, ct::full<Scores>(-1.0e6f));
    auto next = ct::max(top, ct::reduce_max(s, 1_ic) * scale);
    auto p = ct::exp2(s * scale - next);
    auto alpha = ct::exp2(top - next);
    norm = norm * alpha + ct::sum(p, 1_ic);
    auto v = ct::partition_view{ct::tensor_span{V, keys}, ct::shape<1, 128, 128>{}};
    auto z = ct::reshape(v.load_masked(head / group, j, 0), ct::shape<128, 128>{});
    sum = ct::mma(ct::element_cast<__half>(p), z, sum * alpha);
    top = next;
  }
  auto o = ct::partition_view{ct::tensor_span{O, rows}, ct::shape<1, 256, 128>{}};
  o.store_masked(ct::reshape(ct::element_cast<__half>(sum / norm), ct::shape<1, 256, 128>{}), head, i, 0);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda::std::mdspan: static and dynamic extents, three layouts, an array seen in two ways.
// libcu++ of the toolkit has its tile version disabled by default.
#include <cuda/std/__cccl/compiler.h>
#undef _CCCL_TILE_COMPILATION
#define _CCCL_TILE_COMPILATION() 1
#include <cuda/std/array>
#include <cuda/std/mdspan>
#include <cuda_tile.h>

template <typename Span> __tile__ int weigh(Span m) {
  int s = 0;
  for (int i = 0; i < int(m.extent(0)); ++i)
    for (int k = 0; k < int(m.extent(1)); ++k)
      s += (i * 5 + k + 1) * m(i, k);
  return s;
}

extern "C" __tile_global__ void K(const int *__restrict__ a, int *__restrict__ b, int *__restrict__ out, int rows, int columns) {
  using Fixed = cuda::std::extents<int, 3, 4>;
  using Open = cuda::std::dextents<int, 2>;
  cuda::std::mdspan<const int, Fixed> fixed(a);
  cuda::std::mdspan<const int, Fixed, cuda::std::layout_left> left(a);
  cuda::std::mdspan<const int, Open> open(a, rows, columns);
  out[0] = weigh(fixed);
  out[1] = weigh(left);
  out[2] = weigh(open);
  out[3] = int(open.size()) * 100 + int(open.stride(0));
  cuda::std::layout_stride::mapping<Open> mapping(Open(rows, columns), cuda::std::array<int, 2>{1, rows + 1});
  cuda::std::mdspan<int, Open, cuda::std::layout_stride> turned(b, mapping);
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < columns; ++k)
      turned(i, k) = open(i, k) + k;
  out[4] = int(mapping.required_span_size());
}

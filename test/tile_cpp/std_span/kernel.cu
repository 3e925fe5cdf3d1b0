// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda::std::span: of static and dynamic length, parts of it, written through, walked both ways.
// libcu++ of the toolkit has its tile version disabled by default.
#include <cuda/std/__cccl/compiler.h>
#undef _CCCL_TILE_COMPILATION
#define _CCCL_TILE_COMPILATION() 1
#include <cuda/std/span>
#include <cuda_tile.h>

__tile__ int sum(cuda::std::span<const int> values) {
  int s = 0;
  for (int x : values)
    s += x;
  return s;
}

template <size_t N> __tile__ void reverse(cuda::std::span<int, N> values) {
  for (size_t i = 0; i < N / 2; ++i) {
    int x = values[i];
    values[i] = values[N - 1 - i];
    values[N - 1 - i] = x;
  }
}

extern "C" __tile_global__ void K(const int *a, int *out, int n) {
  cuda::std::span<const int> all(a, n);
  out[0] = all.empty() ? -1 : sum(all);
  out[1] = n > 4 ? sum(all.subspan(1, 3)) * 10 + all.back() - all.front() : 0;
  out[2] = n > 4 ? sum(all.last(4)) - sum(all.first(2)) : int(all.size_bytes());
  int local[6];
  for (int i = 0; i < 6; ++i)
    local[i] = i < n ? a[i] : i;
  cuda::std::span<int, 6> fixed(local);
  reverse(fixed);
  reverse(fixed.first<3>());
  int s = 0;
  for (auto at = fixed.rbegin(); at != fixed.rend(); ++at)
    s = s * 7 + *at;
  out[3] = s;
  cuda::std::span<int> rest(out + 4, 4);
  for (size_t i = 0; i < rest.size(); ++i)
    rest[i] = fixed[i + 1];
}

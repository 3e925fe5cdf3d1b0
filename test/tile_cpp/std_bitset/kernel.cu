// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda::std::bitset of one word and of several: a sieve, logic, shifts, counts, comparisons.
// libcu++ of the toolkit has its tile version disabled by default.
#include <cuda/std/__cccl/compiler.h>
#undef _CCCL_TILE_COMPILATION
#define _CCCL_TILE_COMPILATION() 1
#include <cuda/std/bitset>
#include <cuda_tile.h>

template <int N> __tile__ int primes() {
  cuda::std::bitset<N> composite;
  for (int i = 2; i * i < N; ++i)
    if (!composite.test(i))
      for (int k = i * i; k < N; k += i)
        composite.set(k);
  composite.set(0);
  composite.set(1);
  return int((~composite).count());
}

template <int N> __tile__ int mix(const int *a, int n) {
  cuda::std::bitset<N> x, y;
  for (int i = 0; i < n; ++i) {
    x[a[i] % N] = true;
    y.flip((a[i] * 3 + i) % N);
  }
  int s = int((x & y).count()) + 100 * int((x | y).count()) + 10000 * int((x ^ y).count());
  if (x.any() && y.none())
    s = -s;
  return s + int((x << 3).count()) - int((y >> 2).count()) + (x == y ? 1000000 : 0);
}

extern "C" __tile_global__ void K(const int *__restrict__ a, int *__restrict__ out, int n) {
  out[0] = primes<30>();
  out[1] = primes<100>();
  out[2] = mix<32>(a, n);
  out[3] = mix<70>(a, n);
  out[4] = mix<9>(a, n);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms of tests of a library bitset: local arrays, functions that return early out of loops, many conditionals.
#include <cuda_tile.h>

template <int N> struct Bits {
  static constexpr int kWords = (N + 31) / 32;
  unsigned words[kWords];

  __tile__ Bits() {
    for (int i = 0; i < kWords; ++i)
      words[i] = 0;
  }
  __tile__ void set(int i, bool value) {
    if (value)
      words[i >> 5] |= 1u << (i & 31);
    else
      words[i >> 5] &= ~(1u << (i & 31));
  }
  __tile__ bool test(int i) const { return words[i >> 5] >> (i & 31) & 1; }
  __tile__ bool any() const {
    for (int i = 0; i < kWords; ++i)
      if (words[i])
        return true;
    return false;
  }
  __tile__ int find() const {
    int i = 0;
    for (; i < N; ++i)
      if (test(i))
        break;
    return i;
  }
  __tile__ bool operator==(const Bits &other) const {
    for (int i = 0; i < kWords; ++i)
      if (words[i] != other.words[i])
        return false;
    return true;
  }
};

template <int N> __tile__ int check(const int *a) {
  Bits<N> odd, even;
  for (int i = 0; i < N; ++i) {
    int v = a[i];
    if (v < 0)
      break;
    odd.set(i, v & 1);
    even.set(i, v & 2);
  }
  if (odd == even && odd.any())
    return 1;
  if (odd.find() < even.find())
    return 100 + odd.find();
  for (int i = 0; i < N; ++i) {
    if (odd.test(i) && !even.test(i))
      return 200 + i;
    if (a[i] > 5)
      continue;
    even.set(i, true);
  }
  return even.any() ? 300 + even.find() : 400;
}

extern "C" __tile_global__ void K(const int *__restrict__ a, int *__restrict__ out) {
  out[0] = check<1>(a);
  out[1] = check<31>(a);
  out[2] = check<33>(a);
  out[3] = check<70>(a);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bitwise operators and shifts, and tricks built of them: set bits, turned bits, leading zeros, the parity.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile__ auto set_bits(auto v) {
  v = v - ((v >> 1) & 0x55555555u);
  v = (v & 0x33333333u) + ((v >> 2) & 0x33333333u);
  return (((v + (v >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24;
}

__tile__ auto turned(auto v) {
  v = ((v >> 1) & 0x55555555u) | ((v & 0x55555555u) << 1);
  v = ((v >> 2) & 0x33333333u) | ((v & 0x33333333u) << 2);
  v = ((v >> 4) & 0x0f0f0f0fu) | ((v & 0x0f0f0f0fu) << 4);
  v = ((v >> 8) & 0x00ff00ffu) | ((v & 0x00ff00ffu) << 8);
  return (v >> 16) | (v << 16);
}

extern "C" __tile_global__ void K(const unsigned *X, const int *S, unsigned *Z) {
  auto i = ct::iota<ct::tile<int, ct::shape<128>>>();
  auto put = [=](int row, auto value) { ct::store(Z + row * 128 + i, value); };
  auto x = ct::load(X + i);
  auto s = ct::load(S + i);
  put(0, x & 0xff00ff00u);
  put(1, x | 0x0000ffffu);
  put(2, x ^ (x >> 1));
  put(3, ~x);
  put(4, x << s);
  put(5, x >> s);
  put(6, ct::element_cast<unsigned>(ct::element_cast<int>(x) >> s));
  put(7, set_bits(x));
  put(8, turned(x));
  auto filled = x;
  for (int by = 1; by < 32; by *= 2)
    filled = filled | (filled >> by);
  put(9, 32u - set_bits(filled));
  put(10, set_bits(x) & 1u);
}

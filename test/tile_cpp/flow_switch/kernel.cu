// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Switches that fall through, that return, and that choose between tiles.
#include <cuda_tile.h>
namespace ct = cuda::tiles;

enum class Shape { Line, Square, Cube, None };

__tile__ int size(Shape shape, int n) {
  switch (shape) {
  case Shape::Line:
    return n;
  case Shape::Square:
    return n * n;
  case Shape::Cube:
    return n * n * n;
  default:
    return 0;
  }
}

extern "C" __tile_global__ void K(const int *Command, const float *X, float *Z, int *N) {
  int block = ct::bid().x, command = Command[block];
  auto x = ct::load(X + ct::iota<ct::tile<int, ct::shape<32>>>());
  int n = 1;
  switch (command) {
  case 0:
    x = x + 1.0f;
  case 1:
    x = x * 2.0f;
    break;
  case 2: {
    x = -x;
    n = 5;
    break;
  }
  case 7:
    for (int i = 0; i < 3; ++i)
      x = x * x;
    break;
  default:
    x = ct::zeros<decltype(x)>();
  }
  ct::store(Z + block * 32 + ct::iota<ct::tile<int, ct::shape<32>>>(), x);
  N[block] = n + size(Shape(command & 3), block + 1);
}

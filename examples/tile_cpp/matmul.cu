// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// c = relu(a b + bias): a tile kernel computes the matmul, an ordinary kernel
// adds the bias.
#include <cuda_fp16.h>
#include <cuda_tile.h>

#include <cmath>
#include <cstdio>

namespace ct = cuda::tiles;

constexpr unsigned kRows = 256, kColumns = 256, kDepth = 256;

/// One tile block computes 128 by 128 elements of c.
extern "C" __tile_global__ void multiply(const __half *__restrict__ a,
                                         const __half *__restrict__ b,
                                         float *__restrict__ c) {
  a = ct::assume_aligned<16>(a);
  b = ct::assume_aligned<16>(b);
  c = ct::assume_aligned<16>(c);
  ct::partition_view tilesOfA{
      ct::tensor_span{a, ct::extents<unsigned, kRows, kDepth>{}},
      ct::shape<128, 64>{}};
  ct::partition_view tilesOfB{
      ct::tensor_span{b, ct::extents<unsigned, kDepth, kColumns>{}},
      ct::shape<64, 128>{}};
  ct::partition_view tilesOfC{
      ct::tensor_span{c, ct::extents<unsigned, kRows, kColumns>{}},
      ct::shape<128, 128>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<128, 128>>>();
  for (auto k : ct::irange(0u, kDepth / 64))
    sum = ct::mma(tilesOfA.load(ct::bid().x, k), tilesOfB.load(k, ct::bid().y),
                  sum);
  tilesOfC.store(sum, ct::bid().x, ct::bid().y);
}

/// One thread an element.
extern "C" __global__ void addBias(float *c, const float *bias, int columns,
                                   int elements) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < elements)
    c[i] = fmaxf(c[i] + bias[i % columns], 0.f);
}

int main() {
  if (int devices = 0; cudaGetDeviceCount(&devices) != cudaSuccess || !devices) {
    std::puts("no GPU here; tileir-run emulates the kernels of this program");
    return 0;
  }
  // Small integers: every sum is exact.
  auto small = [](unsigned i, unsigned n) { return float(int(i * 7 % n) - 3); };
  __half *a, *b;
  float *bias, *c;
  cudaMallocManaged(&a, kRows * kDepth * sizeof *a);
  cudaMallocManaged(&b, kDepth * kColumns * sizeof *b);
  cudaMallocManaged(&bias, kColumns * sizeof *bias);
  cudaMallocManaged(&c, kRows * kColumns * sizeof *c);
  for (unsigned i = 0; i < kRows * kDepth; ++i)
    a[i] = __float2half(small(i, 5));
  for (unsigned i = 0; i < kDepth * kColumns; ++i)
    b[i] = __float2half(small(i, 6));
  for (unsigned i = 0; i < kColumns; ++i)
    bias[i] = small(i, 11);

  // A tile kernel is launched with the number of tile blocks and one thread.
  multiply<<<dim3(kRows / 128, kColumns / 128), 1>>>(a, b, c);
  addBias<<<kRows * kColumns / 256, 256>>>(c, bias, kColumns, kRows * kColumns);
  if (cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) {
    std::printf("error: %s\n", cudaGetErrorString(error));
    return 1;
  }
  for (unsigned row = 0; row < kRows; ++row)
    for (unsigned column = 0; column < kColumns; ++column) {
      float want = bias[column];
      for (unsigned k = 0; k < kDepth; ++k)
        want += __half2float(a[row * kDepth + k]) *
                __half2float(b[k * kColumns + column]);
      want = std::fmax(want, 0.f);
      if (c[row * kColumns + column] != want) {
        std::printf("error: c[%u, %u] is %g, expected %g\n", row, column,
                    c[row * kColumns + column], want);
        return 1;
      }
    }
  std::puts("equal to the host's answer");
}

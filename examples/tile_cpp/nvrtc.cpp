// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile kernel that a program compiles at run time: NVRTC compiles C++ to Tile
// IR, tileirCompile compiles it to a cubin for cuLibraryLoadData. Writes both.
//
//   nvrtc GPU INCLUDE-FOLDER    as: nvrtc sm_90 $CUDA/include
#include "TileIRCompile.h"
#include <cstdio>
#include <fstream>
#include <nvrtc.h>
#include <string>

static const char kSource[] = R"(
#include <cuda_tile.h>
namespace ct = cuda::tiles;
extern "C" __tile_global__ void twice(const float *x, float *y) {
  ct::partition_view from{ct::tensor_span{x, ct::extents<unsigned, 4096>{}}, ct::shape<256>{}};
  ct::partition_view to{ct::tensor_span{y, ct::extents<unsigned, 4096>{}}, ct::shape<256>{}};
  auto tile = from.load(ct::bid().x);
  to.store(tile + tile, ct::bid().x);
})";

int main(int argc, char **argv) {
  if (argc != 3)
    return std::fputs("usage: nvrtc GPU INCLUDE-FOLDER\n", stderr), 2;
  std::string gpu = std::string("--gpu-architecture=") + argv[1],
              include = std::string("-I") + argv[2];
  const char *options[] = {gpu.c_str(), include.c_str(), "--enable-tile",
                           "-std=c++20"};
  nvrtcProgram program;
  nvrtcCreateProgram(&program, kSource, "twice.cu", 0, nullptr, nullptr);
  size_t size = 0;
  if (nvrtcResult result = nvrtcCompileProgram(program, 4, options)) {
    nvrtcGetProgramLogSize(program, &size);
    std::string log(size, 0);
    nvrtcGetProgramLog(program, log.data());
    std::fprintf(stderr, "error: %s\n%s", nvrtcGetErrorString(result),
                 log.c_str());
    return 1;
  }
  nvrtcGetTileIRSize(program, &size);
  std::string bytecode(size, 0);
  nvrtcGetTileIR(program, bytecode.data());
  nvrtcDestroyProgram(&program);
  std::ofstream("twice.tilebc", std::ios::binary) << bytecode;

  tileirCompileOptions how = {sizeof how, argv[1], 3};
  tileirResult *made;
  tileirStatus status =
      tileirCompile(bytecode.data(), bytecode.size(), &how, &made);
  std::fputs(tileirResultGetLog(made), stderr);
  if (const void *cubin = tileirResultGetCubin(made, &size))
    std::ofstream("twice.cubin", std::ios::binary)
        .write(static_cast<const char *>(cubin), size);
  tileirResultDestroy(made);
  return status;
}

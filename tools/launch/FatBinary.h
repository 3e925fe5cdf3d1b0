// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fat binaries: the images of a kernel that nvcc, or our own compiler, puts
// into an object or a program, read without trusting them.
#ifndef TOOLS_LAUNCH_FATBINARY_H
#define TOOLS_LAUNCH_FATBINARY_H

#include "dialects/support/Target.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tileir::launch {

struct FatImage {
  enum Kind : uint16_t { Ptx = 1, Cubin = 2, TileIR = 128 };
  uint16_t kind = 0;
  /// `sm_90a`.
  std::string arch;
  uint64_t flags = 0;
  /// Bytes as they lie in the file, and how many they become; 0 where they are
  /// not compressed.
  std::string packed;
  uint64_t unpackedSize = 0;

  /// Copies the compiler's output. Returns false for bytes that do not unpack.
  bool unpack(std::string &bytes, std::string &error) const;
};

/// A container: images of the same kernels, for several targets.
struct FatContainer {
  /// As the driver loads it.
  std::string bytes;
  std::vector<FatImage> images;
};

/// True for a container in a file of its own, and for an object or program of a
/// host.
bool holdsFatBinary(const std::string &file);

/// Reads all containers of `file`, in their order. Returns false for what is
/// damaged.
bool readFatBinary(const std::string &file, std::vector<FatContainer> &out,
                   std::string &error);

/// An image that can be emulated, PTX or Tile IR.
struct FatCandidate {
  const FatImage *image = nullptr;
  std::string bytes;
  /// Machine code that was made of the PTX; empty where there is none.
  std::string cubin;
};

/// The images in which the kernel `entry` (empty: any) may be and that a driver
/// would take for `gpu`: of each container the nearest one. Without a `gpu`
/// they have to be for one.
bool listCandidates(const std::vector<FatContainer> &containers,
                    const std::string &entry, const std::optional<Target> &gpu,
                    std::vector<FatCandidate> &out, std::string &error);

/// Names what the containers hold: "Tile IR for sm_90, machine code for sm_90".
std::string listImages(const std::vector<FatContainer> &containers);

} // namespace tileir::launch

#endif // TOOLS_LAUNCH_FATBINARY_H

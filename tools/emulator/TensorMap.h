// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_EMULATOR_TENSORMAP_H
#define TOOLS_EMULATOR_TENSORMAP_H

#include "tools/cases/Case.h"

#include <cstdint>
#include <string>

namespace tileir::emu {

/// The fields of a tensor map; dimension 0 is the contiguous one. Of an im2col
/// map dimension 0 holds channels, `box[0]` of them a pixel, the last dimension
/// images, and those between are spatial.
struct TensorMap {
  uint64_t address = 0;
  int rank = 1;
  int format = 0;
  bool roundToTf32 = false;
  int interleave = 0;
  int swizzle = 0;   ///< 0 none, 1 32B, 2 64B, 3 128B, 4 96B.
  int atomicity = 0; ///< 0 16B, 1 32B, 2 32B with 8B flip, 3 64B.
  bool fillNaN = false;
  int l2Promotion = 2;
  uint64_t dims[5] = {1, 1, 1, 1, 1};
  uint64_t strides[5] = {0, 0, 0, 0, 0}; ///< Bytes, of dimensions 1 and up.
  uint32_t box[5] = {1, 1, 1, 1, 1};
  uint32_t elementStrides[5] = {1, 1, 1, 1, 1};
  bool im2col = false;
  int wide = 0; ///< 1 im2col::w, 2 im2col::w::128: only W is walked.
  /// Corners of the box of filter bases: the upper one counts from the last
  /// element of the tensor.
  int lower[3] = {0, 0, 0}, upper[3] = {0, 0, 0};
  uint32_t pixels = 0; ///< To a column.

  /// Elements from one that is copied to the next. Without interleaving the
  /// engine knows no steps in the contiguous dimension (CUDA driver API,
  /// cuTensorMapEncodeTiled); an H200 copies all elements.
  uint32_t step(int d) const {
    return d == 0 && !im2col && interleave == 0 ? 1 : elementStrides[d];
  }
  /// Elements that are copied together: 1, or 16 of the packed formats.
  int unit() const { return format >= 11 ? 16 : 1; }
  /// Bytes of a unit in global and in shared memory.
  int globalBytes() const;
  int sharedBytes() const;
  /// Units of the box along dimension `d` in shared memory.
  uint32_t boxUnits(int d) const;
  /// Pixels of a column of an im2col copy, and how many parts of it have a halo
  /// of their own.
  uint32_t columnPixels() const { return wide == 2 ? 128 : pixels; }
  uint32_t haloChunks() const { return wide == 2 ? 4 : 1; }
  /// Bytes that one copy moves, filled ones included, without a halo.
  uint64_t boxBytes() const;
  uint64_t span() const;
};

/// The bytes of a map that mean something. An object has 128; the hardware
/// neither needs nor checks what lies in the upper half.
constexpr int kTensorMapBytes = 64;

/// The 128 bytes of a map, as host functions of the closed compiler write them.
/// Drivers of CUDA 13 leave the kind and the bit of large tensors zero, and
/// write notes into the upper half. The bits of im2col maps are not known;
/// those are written in a form of our own.
void encodeTensorMap(const TensorMap &map, uint8_t *bytes);
/// False with `error` when a code is undefined, a reserved field is not zero or
/// the size bit is wrong.
bool decodeTensorMap(const uint8_t *bytes, TensorMap &map, std::string &error);
/// A map of a case file, for a buffer at `address`.
bool makeTensorMap(const cases::TensorMapSpec &spec, uint64_t address,
                   TensorMap &map, std::string &error);

/// The place of byte `address` of shared memory after the swizzle of a mode.
uint64_t swizzleAddress(uint64_t address, int swizzle, int atomicity);

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_TENSORMAP_H

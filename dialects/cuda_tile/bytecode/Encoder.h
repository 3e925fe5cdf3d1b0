// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_BYTECODE_ENCODER_H
#define DIALECTS_CUDA_TILE_BYTECODE_ENCODER_H

#include "dialects/cuda_tile/bytecode/Format.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace tileir::bytecode {

/// Bytes under construction: one payload, or the file.
class Encoder {
public:
  size_t size() const { return bytes.size(); }
  llvm::ArrayRef<uint8_t> data() const { return bytes; }

  void byte(uint8_t value) { bytes.push_back(value); }

  void varInt(uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      byte(static_cast<uint8_t>(value) | 0x80);
    byte(static_cast<uint8_t>(value));
  }

  void signedVarInt(int64_t value) {
    varInt((static_cast<uint64_t>(value) << 1) ^
           static_cast<uint64_t>(value >> 63));
  }

  template <typename T> void fixed(T value) {
    for (unsigned i = 0; i != sizeof(T); ++i)
      byte(static_cast<uint8_t>(static_cast<uint64_t>(value) >> (8 * i)));
  }

  template <typename T> void array(llvm::ArrayRef<T> values) {
    varInt(values.size());
    for (T value : values)
      fixed(value);
  }

  void append(llvm::ArrayRef<uint8_t> more) {
    bytes.append(more.begin(), more.end());
  }

  void padTo(unsigned alignment) {
    while (bytes.size() % alignment)
      byte(0xCB);
  }

  /// Appends a table: count, padding, offsets of type `OffsetT`, items.
  template <typename OffsetT, typename RangeT> void table(const RangeT &items) {
    varInt(items.size());
    padTo(sizeof(OffsetT));
    OffsetT offset = 0;
    for (const auto &item : items) {
      fixed(offset);
      offset += item.size();
    }
    for (const auto &item : items)
      append({reinterpret_cast<const uint8_t *>(item.data()), item.size()});
  }

  /// Appends a section of a file; `alignment` 0 leaves the field out.
  void section(Section id, const Encoder &payload, unsigned alignment) {
    byte(static_cast<uint8_t>(id) | (alignment ? kAlignedBit : 0));
    varInt(payload.size());
    if (alignment) {
      varInt(alignment);
      padTo(alignment);
    }
    append(payload.data());
  }

private:
  llvm::SmallVector<uint8_t, 0> bytes;
};

} // namespace tileir::bytecode

#endif // DIALECTS_CUDA_TILE_BYTECODE_ENCODER_H

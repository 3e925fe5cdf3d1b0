// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_BYTECODE_CURSOR_H
#define DIALECTS_CUDA_TILE_BYTECODE_CURSOR_H

#include "dialects/cuda_tile/bytecode/Format.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

namespace tileir::bytecode {

/// A position in one payload. Every read checks the bounds; on failure it
/// returns false silently, and the caller reports the error. A number without
/// an end is consumed, other unreadable items are not.
class Cursor {
public:
  Cursor(llvm::ArrayRef<uint8_t> bytes, mlir::MLIRContext *context)
      : bytes(bytes), context(context) {}

  size_t offset() const { return pos; }
  size_t remaining() const { return bytes.size() - pos; }
  bool empty() const { return remaining() == 0; }

  /// Returns the unread rest as a payload of its own.
  Cursor rest() const { return {bytes.drop_front(pos), context}; }

  /// Begins an error at the current offset.
  mlir::InFlightDiagnostic error() const {
    mlir::InFlightDiagnostic diag =
        mlir::emitError(mlir::UnknownLoc::get(context));
    diag << "error at offset " << pos << ": ";
    return diag;
  }

  /// Reports `message` at the current offset.
  mlir::LogicalResult fail(const llvm::Twine &message) const {
    return error() << message;
  }

  bool readByte(uint8_t &value) {
    if (empty())
      return false;
    value = bytes[pos++];
    return true;
  }

  bool readVarInt(uint64_t &value) {
    // Fast path: nearly all numbers of a file are below 128.
    if (pos != bytes.size() && bytes[pos] < 0x80) {
      value = bytes[pos++];
      return true;
    }
    bool bit64;
    return readVarInt65(value, bit64);
  }

  /// Also returns bit 64, for which a tenth byte has room.
  bool readVarInt65(uint64_t &value, bool &bit64) {
    uint64_t result = 0;
    bit64 = false;
    for (unsigned i = 0; i != 10 && !empty(); ++i) {
      uint8_t byte = bytes[pos++];
      result |= uint64_t(byte & 0x7F) << (7 * i);
      if (i == 9)
        bit64 = byte & 2;
      if (byte & 0x80)
        continue;
      value = result;
      return true;
    }
    return false;
  }

  static int64_t unzigzag(uint64_t value) {
    return static_cast<int64_t>((value >> 1) ^ (~(value & 1) + 1));
  }

  bool readSignedVarInt(int64_t &value) {
    uint64_t raw;
    if (!readVarInt(raw))
      return false;
    value = unzigzag(raw);
    return true;
  }

  /// Reads a fixed-width little-endian number.
  template <typename T> bool readFixed(T &value) {
    if (remaining() < sizeof(T))
      return false;
    value = llvm::support::endian::read<T, llvm::endianness::little>(
        bytes.data() + pos);
    pos += sizeof(T);
    return true;
  }

  bool readBytes(uint64_t count, llvm::ArrayRef<uint8_t> &value) {
    if (count > remaining())
      return false;
    value = bytes.slice(pos, count);
    pos += count;
    return true;
  }

  /// Skips padding to a power of two, counted from the start of the payload.
  bool skipPadding(uint64_t alignment) {
    uint64_t gap = (0 - uint64_t(pos)) & (alignment - 1);
    if (gap > remaining())
      return false;
    pos += gap;
    return true;
  }

  /// Reads an element count and the fixed-width elements. Reserves memory only
  /// for elements that the payload can hold. `what` names the items in the
  /// error.
  template <typename T>
  mlir::LogicalResult readArray(llvm::SmallVectorImpl<T> &values,
                                const llvm::Twine &what) {
    uint64_t count;
    if (!readVarInt(count))
      return fail(what);
    if (count > remaining() / sizeof(T)) {
      (void)fail("array size in bytecode (" + llvm::Twine(count) +
                 ") exceeds maximum supported capacity");
      return fail(what);
    }
    values.resize(count);
    for (T &value : values)
      readFixed(value);
    return mlir::success();
  }

  /// Reads the number of items that take at least one byte each.
  mlir::LogicalResult readCount(uint64_t &count, const llvm::Twine &what) {
    if (!readVarInt(count))
      return fail(what);
    if (count > kMaxCount)
      return fail("varint value exceeds maximum supported capacity. (expected "
                  "value less than " +
                  llvm::Twine(kMaxCount) + ", got " + llvm::Twine(count) +
                  ").");
    return count > remaining() ? fail(what) : mlir::success();
  }

private:
  llvm::ArrayRef<uint8_t> bytes;
  size_t pos = 0;
  mlir::MLIRContext *context;
};

} // namespace tileir::bytecode

#endif // DIALECTS_CUDA_TILE_BYTECODE_CURSOR_H

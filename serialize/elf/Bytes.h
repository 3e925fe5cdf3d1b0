// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_ELF_BYTES_H
#define SERIALIZE_ELF_BYTES_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace tileir {

/// Writer of little-endian numbers.
class ByteWriter {
public:
  std::string bytes;

  void u8(uint64_t v) { number(v, 1); }
  void u16(uint64_t v) { number(v, 2); }
  void u32(uint64_t v) { number(v, 4); }
  void u64(uint64_t v) { number(v, 8); }
  void text(llvm::StringRef s) { bytes += s; }
  void zeros(uint64_t n) { bytes.append(n, '\0'); }
  void align(uint64_t a) { zeros((a - bytes.size() % a) % a); }

private:
  void number(uint64_t v, unsigned size) {
    for (unsigned i = 0; i < size; ++i)
      bytes += char(v >> (8 * i));
  }
};

} // namespace tileir

#endif // SERIALIZE_ELF_BYTES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_SUPPORT_LAYOUT_PACKING_H
#define DIALECTS_SUPPORT_LAYOUT_PACKING_H

#include <algorithm>
#include <cstdint>

namespace tileir {

/// Packs the elements of a thread into 32-bit registers: element r is in
/// register r / perWord, at position r % perWord, lowest first.
struct Packing {
  int64_t perWord;
  int64_t numWords;
};

/// 4-bit elements pack by 8, 8-bit by 4, 16-bit by 2; i1 (bits = 1) and wider
/// elements do not pack.
inline Packing getPacking(unsigned bits, int64_t numRegisters) {
  int64_t factor = bits == 4 ? 8 : bits == 8 ? 4 : bits == 16 ? 2 : 1;
  int64_t perWord = std::min(factor, numRegisters);
  return {perWord, numRegisters / perWord};
}

} // namespace tileir

#endif // DIALECTS_SUPPORT_LAYOUT_PACKING_H

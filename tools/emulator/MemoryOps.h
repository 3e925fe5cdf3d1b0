// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts that instructions that access memory share.
#ifndef TOOLS_EMULATOR_MEMORYOPS_H
#define TOOLS_EMULATOR_MEMORYOPS_H

#include "tools/emulator/Decode.h"

#include <cstring>

namespace tileir::emu {

/// Takes the words of an access's ordering.
Semantics takeSemantics(Decoder &d, bool atomic);

/// Counts the 32-byte sectors that a request of a warp touches in global
/// memory, and the fewest that its bytes fit in.
void countSectors(Machine &m, Region *region, const uint64_t *offsets,
                  Mask lanes, uint32_t bytes);
/// Counts what a memory request of a warp costs.
void countRequest(Machine &m, Region *region, const uint64_t *offsets,
                  Mask lanes, uint32_t bytes, bool isWrite);

/// Returns whether no two lanes access the same place, `bytes` each and
/// aligned; false also where they lie too far from each other to tell.
bool lieApart(Mask lanes, const uint64_t *offsets, uint32_t bytes);

/// The low 8 bytes of an element in memory.
inline uint64_t elementOf(const uint8_t *p, int bytes) {
  uint64_t v = 0;
  std::memcpy(&v, p, size_t(std::min(bytes, 8)));
  return v;
}

/// Takes the word of a reduction; false without one.
bool takeReduction(Decoder &d, Reduction &out);
/// `op` of one element in memory and another.
uint64_t reduceElement(AtomOp op, Type t, uint64_t old, uint64_t b);

/// Takes `.v2`, `.v4`, `.v8`.
int vectorCount(Decoder &d);

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_MEMORYOPS_H

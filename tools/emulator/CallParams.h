// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments and results of calls: registers, or bytes of the frame.
#ifndef TOOLS_EMULATOR_CALLPARAMS_H
#define TOOLS_EMULATOR_CALLPARAMS_H

#include "tools/emulator/Decode.h"

#include <cstring>

namespace tileir::emu {

/// An argument or result of a call.
struct Passed {
  bool inRegister = false;
  int32_t at = 0; ///< Its row, or its offset in the frame's parameters.
  int32_t bytes = 0;
};

struct CallOperands {
  int64_t function = -1; ///< Its index; -1: row `target` has its address.
  int32_t target = 0;
  std::vector<Passed> arguments, results;
};

inline uint8_t *paramAt(Frame &f, int lane, int offset) {
  return f.params.data() + size_t(lane) * f.code->paramBytes + offset;
}

inline void copyRow(Frame &f, int row, int bytes, int lane, uint8_t *to) {
  uint8_t *at = f.rows + size_t(row) * 128;
  std::memcpy(to, at + lane * (bytes <= 4 ? 4 : 8), size_t(bytes));
}
inline void setRow(Frame &f, int row, int bytes, int lane,
                   const uint8_t *from) {
  uint8_t *at = f.rows + size_t(row) * 128;
  uint64_t value = 0;
  std::memcpy(&value, from, size_t(bytes));
  if (bytes <= 4)
    reinterpret_cast<uint32_t *>(at)[lane] = uint32_t(value);
  else
    reinterpret_cast<uint64_t *>(at)[lane] = value;
}

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_CALLPARAMS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_EMULATOR_INTEGEROPS_H
#define TOOLS_EMULATOR_INTEGEROPS_H

#include "tools/emulator/Decode.h"

namespace tileir::emu {

template <typename T> using U = std::make_unsigned_t<T>;
template <typename T> constexpr int kBits = int(sizeof(T) * 8);

/// One handler for each width and signedness, by the macro's template.
#define PICK_INT(T, F)                                                         \
  (T == Type::U16 || T == Type::B16   ? F(uint16_t)                            \
   : T == Type::S16                   ? F(int16_t)                             \
   : T == Type::U32 || T == Type::B32 ? F(uint32_t)                            \
   : T == Type::S32                   ? F(int32_t)                             \
   : T == Type::U64 || T == Type::B64 ? F(uint64_t)                            \
   : T == Type::S64                   ? F(int64_t)                             \
                                      : Handler(nullptr))

/// Decode a destination and sources of type `t` and emit `h`; an error without.
bool oneSource(Decoder &d, Type to, Type from, Handler h);
bool twoSources(Decoder &d, Type t, Handler h);
bool threeSources(Decoder &d, Type t, Handler h);
/// The same for operands that were made before.
bool twoSources(Decoder &d, Rows &in, Type t, Handler h);
bool threeSources(Decoder &d, Rows &in, Type t, Handler h);

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_INTEGEROPS_H

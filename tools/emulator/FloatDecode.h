// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts that the decoders of float instructions share.
#ifndef TOOLS_EMULATOR_FLOATDECODE_H
#define TOOLS_EMULATOR_FLOATDECODE_H

#include "tools/emulator/Decode.h"

namespace tileir::emu {

/// Operations of float arithmetic.
enum FloatOp : uint8_t {
  OpAdd,
  OpSub,
  OpMul,
  OpFma,
  OpDiv,
  OpMin,
  OpMax,
  OpMin3,
  OpMax3,
  OpSqrt,
  OpRcp,
  OpNeg,
  OpAbs
};

// Modifiers of float instructions.
enum FloatFlag : uint8_t {
  Ftz = 1,
  Sat = 2,
  Relu = 4,
  NaNResult = 8,
  AbsIn = 16,
  XorSign = 32
};

/// Of float arithmetic and of approximations.
struct FloatRows : Rows {
  uint8_t op = OpAdd;   ///< `FloatOp`, or `Approx`.
  uint8_t rounding = 0; ///< As `HostRounding` counts.
  uint8_t flags = 0;    ///< Of `FloatFlag`.
  bool isBf16 = false;  ///< 16-bit operands are.
};

bool isFloat(Type t);
/// Takes rounding and flags.
void takeModifiers(Decoder &d, FloatRows &in);
/// Emits operation `op` on `sources` operands of type `t`; `in` has its
/// modifiers.
bool decodeArithmetic(Decoder &d, FloatRows &in, Type t, FloatOp op,
                      int sources);
/// div.approx and div.full.
bool decodeDivApprox(Decoder &d, Type t, bool isFull);

// Integers, for mnemonics that both have.
bool decodeIntegerAdd(Decoder &d, Type t, bool subtract);
bool decodeIntegerMul(Decoder &d, Type t);
bool decodeIntegerMad(Decoder &d, Type t);
bool decodeIntegerDiv(Decoder &d, Type t);
bool decodeIntegerMinMax(Decoder &d, Type t, bool isMax);
bool decodeIntegerNegAbs(Decoder &d, Type t, bool isAbs);
bool decodeIntegerSetp(Decoder &d, Type t, const std::string &cmp);
bool decodeSetpOperands(Decoder &d, Type t);
bool finishSet(Decoder &d, Type to, bool packed);

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_FLOATDECODE_H

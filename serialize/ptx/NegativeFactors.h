// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_NEGATIVEFACTORS_H
#define SERIALIZE_PTX_NEGATIVEFACTORS_H

namespace llvm {
class Module;
} // namespace llvm

namespace tileir {

/// Hides from ptxas that registers of `mma.sync` operands are constants whose
/// first bit is set. ptxas 13.0 to 13.5 negate such a register as a whole, on
/// every target, which flips the sign of only one of its two numbers: -14 times
/// 1, eight times, gives 0 on an H200. The code ands the constant with the mask
/// of active lanes, which has all bits set but is unknown to ptxas.
void hideNegativeFactors(llvm::Module &module);

} // namespace tileir

#endif // SERIALIZE_PTX_NEGATIVEFACTORS_H

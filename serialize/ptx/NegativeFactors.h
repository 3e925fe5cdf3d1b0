// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_NEGATIVEFACTORS_H
#define SERIALIZE_PTX_NEGATIVEFACTORS_H

namespace llvm {
class Module;
} // namespace llvm

namespace tileir {

/// Hides from ptxas that words of factors of `mma.sync` are constants whose
/// first bit is set. ptxas 13.0 to 13.5 negate such a word as a whole, on every
/// target, which turns the sign of one of its two numbers only: -14 times 1
/// eight times is 0 then, seen on an H200. The bits of the lanes that are
/// active, all of them, are nothing that it could know.
void hideNegativeFactors(llvm::Module &module);

} // namespace tileir

#endif // SERIALIZE_PTX_NEGATIVEFACTORS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/mma/MmaAtoms.h"

#include "dialects/nv_tileas/MmaOperands.h"
#include "dialects/support/Heuristics.h"
#include "dialects/support/layout/TensorMemory.h"

namespace tileir {

using namespace mlir;
using nv_tileas::MmaAtomAttr;
using nv_tileas::MmaKind;

static bool isFp8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type);
}

/// `mma.sync` of the asked types with the largest K that fits.
static MmaAtomAttr tryMmaSync(Type a, Type b, Type c, int64_t m, int64_t n,
                              int64_t k) {
  int64_t atomM = a.isF64() ? 8 : 16;
  if (m < atomM || n < 8)
    return {};
  for (int64_t atomK : {32, 16, 8, 4}) {
    if (atomK > k)
      continue;
    if (MmaAtomAttr::hasMmaSync(atomM, 8, atomK, a, b, c))
      return MmaAtomAttr::get(a.getContext(), MmaKind::MmaSync, atomM, 8, atomK,
                              a, b, c);
  }
  return {};
}

/// Returns whether a tensor core computes dots of 8-bit floats with these
/// extents.
static bool hasMmaForFp8(Type a, Type b, Type c, int64_t m, int64_t n,
                         int64_t k, const Target &target) {
  constexpr int64_t kStep = 32, kMaxColumns = 256; // PTX ISA, "tcgen05.mma"
  return target.hasWgmma() ||
         (target.hasTcgen05() && k % kStep == 0 &&
          MmaAtomAttr::hasUmma(tensorMemoryDotRows(m), std::min(n, kMaxColumns),
                               kStep, a, b, c));
}

MmaAtomAttr chooseMmaAtom(Type a, Type b, Type c, int64_t m, int64_t n,
                          int64_t k, const Target &target) {
  MLIRContext *context = a.getContext();
  Type f16 = Float16Type::get(context), f32 = Float32Type::get(context);
  if (target.hasMmaSync()) {
    bool narrow = isFp8(a) && isFp8(b);
    // Tensor cores take 8-bit floats; if they do not compute the dot, its
    // fragments are converted. Elsewhere the conversion of a whole tile, once,
    // is less work.
    if (narrow && target.hasMmaFp8() &&
        (hasMmaForFp8(a, b, c, m, n, k, target) || !emulatesMmaFp8(target)))
      if (MmaAtomAttr atom = tryMmaSync(a, b, c, m, n, k))
        return atom;
    // Every 8-bit float is exact in f16.
    if (narrow)
      if (MmaAtomAttr atom = tryMmaSync(f16, f16, c, m, n, k))
        return atom;
    if (!narrow)
      if (MmaAtomAttr atom = tryMmaSync(a, b, c, m, n, k))
        return atom;
  }
  // Multiply-adds per thread, in a type that holds operands and accumulator.
  Type wide = isa<FloatType>(c) && !c.isF64() ? f32 : c;
  return MmaAtomAttr::get(context, MmaKind::Fma, 1, 1, 1, wide, wide, wide);
}

MmaAtomAttr chooseScaledMmaAtom(Type a, Type b, Type scale, int64_t block,
                                int64_t m, int64_t n, int64_t k,
                                const Target &target) {
  constexpr int64_t kM = 16, kN = 8, kBitsOfK = 256;
  int64_t step = kBitsOfK / nv_tileas::getStorageBits(a);
  Type f32 = Float32Type::get(a.getContext());
  if (!target.hasMmaBlockScale() || !paysScaledDot(target, m, n) || k < step ||
      nv_tileas::getScaledBlock(a, scale) != block ||
      !MmaAtomAttr::hasMmaBs(kM, kN, step, a, b, f32, scale))
    return {};
  return MmaAtomAttr::get(a.getContext(), MmaKind::MmaBs, kM, kN, step, a, b,
                          f32, scale);
}

} // namespace tileir

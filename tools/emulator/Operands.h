// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands that several families share, or that others than their own handlers
// look at. Rows and predicate codes are those of `Inst`.
#ifndef TOOLS_EMULATOR_OPERANDS_H
#define TOOLS_EMULATOR_OPERANDS_H

#include "tools/cases/Dtype.h"
#include "tools/emulator/Clocks.h"
#include "tools/emulator/Program.h"

namespace tileir::emu {

/// Rows of a destination and of its sources, named as in the manual.
struct Rows {
  int32_t d = 0, a = 0, b = 0, c = 0;
};

/// bmsk, szext, shf: amounts beyond 31 wrap, or are clamped.
struct WrapRows : Rows {
  bool wraps = false;
};

/// selp: a or b by a predicate.
struct Select : Rows {
  int32_t p = 0;
};

/// cvt.
struct ConvertRows : Rows {
  Type to = Type::None, from = Type::None;
  cases::Rounding rounding = cases::Rounding::NearestEven;
  bool toIntegral = false; ///< .rni and the like.
  bool ftz = false, sat = false, relu = false, satFinite = false;
  uint8_t fromBits = 32, toBits = 32; ///< Of the registers.
};

/// An address: the row of its base, -1 when it is constant, and what to add.
struct AddressOperand {
  int64_t offset = 0;
  int32_t row = -1;
  Space space = Space::Generic;
  bool wide = true; ///< 64-bit base.
};

/// Ordering that an access asks for.
struct Semantics {
  bool strong = false, acquire = false, release = false;
  Scope scope = Scope::Gpu;
};

/// ld and st.
struct MemoryAccess {
  AddressOperand address;
  Semantics semantics;
  uint8_t bytes = 0, count = 1; ///< Of an element; elements.
  uint8_t registerBits = 32;
  bool isSigned = false; ///< Loads extend the sign.
  int32_t rows[8] = {};  ///< Of each element.

  uint32_t allBytes() const { return uint32_t(bytes) * count; }
};
static_assert(kInlineOperands<MemoryAccess>, "loads and stores are frequent");

/// cp.async.wait_group and the like.
struct GroupWait {
  int64_t left = 0;       ///< Groups that may be left.
  bool commits = false;   ///< wait_all: what was issued is a group first.
  bool onlyReads = false; ///< .read of bulk copies.
};

/// Operations of atom, red and of reducing copies.
enum AtomOp : uint8_t {
  AAdd,
  AMin,
  AMax,
  AAnd,
  AOr,
  AXor,
  AExch,
  ACas,
  AInc,
  ADec
};

/// Operation that a copy does to what is there.
struct Reduction {
  bool exists = false;
  AtomOp op = AAdd;
  Type type = Type::None; ///< Of tensors the map says it.
};

/// wgmma.mma_async.
struct WgmmaOperands {
  std::vector<int32_t> d, a; ///< Rows; `a` is empty when A lies in memory.
  int32_t descriptorA = 0, descriptorB = 0; ///< Rows.
  int32_t accumulates = 0;                  ///< A predicate.
  int32_t metadata = 0;                     ///< The row of those of a sparse A.
  Type typeD = Type::None, typeA = Type::None, typeB = Type::None;
  int n = 0, k = 0;
  int64_t scaleA = 1, scaleB = 1;
  int64_t transposesA = 0, transposesB = 0;
  int chunk = 0; ///< Of a sparse A: see `Sparsity`. 0 when A is dense.
  int64_t selector = 0;
  bool saturates = false;

  bool hasFragment() const { return !a.empty(); }
};

/// An address in tensor memory: the row of its base, and what to add.
struct TensorAddress {
  int32_t row = 0, offset = 0;
};

/// tcgen05.ld and tcgen05.st.
struct TensorRows {
  TensorAddress address;
  enum Shape : uint8_t {
    Lanes32x32b,
    Lanes16x64b,
    Lanes16x128b,
    Lanes16x256b,
    Lanes16x32bx2
  } shape = Lanes32x32b;
  bool packs = false;     ///< Two neighbouring columns to a register.
  int64_t halfOffset = 0; ///< Of 16x32bx2: columns of the upper half.
  std::vector<int32_t> rows;
  /// .red: what the last register of a load gets, of values of `type`.
  enum Reduction : uint8_t { None, Min, Max } reduction = None;
  bool isAbs = false, keepsNaN = false;
  Type type = Type::None;
};

/// A branch to one of several places; `Inst::target` has the only one.
struct Branch {
  int32_t index = 0; ///< The row that chooses.
  std::string label; ///< Of the place, or of the table of places.
  std::vector<int32_t> targets;
};

/// setp, its predicates combined with a further one.
struct SetPredicate {
  int32_t p = 0, q = 2; ///< Predicate 1 takes unused results.
  int32_t a = 0, b = 0;
  int32_t c = 0; ///< The predicate to combine with.
  enum Combine : uint8_t { Alone, And, Or, Xor } combine = Alone;
  uint8_t comparison = 0; ///< Of floats.
  bool ftz = false, isBf16 = false;

  Mask combined(Mask value, Mask with) const {
    return combine == And  ? value & with
           : combine == Or ? value | with
                           : value ^ with;
  }
};

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_OPERANDS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of tokens, of accesses through pointers and of atomics.

#include "dialects/cuda_tile/IR/MemoryModel.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::cuda_tile;

static Type elementTypeOf(Value tile) {
  return cast<TileType>(tile.getType()).getElementType();
}

static Type pointeeOf(Value pointers) {
  return cast<PointerType>(elementTypeOf(pointers)).getPointeeType();
}

//===----------------------------------------------------------------------===//
// Memory model
//===----------------------------------------------------------------------===//

/// Verifies an access. `kind` is "load" or "store", `strong` its own ordering.
static LogicalResult verifyAccess(Operation *op, StringRef kind,
                                  MemoryOrderingSemantics strong,
                                  MemoryOrderingSemantics ordering,
                                  std::optional<MemoryScope> scope) {
  if (ordering != MemoryOrderingSemantics::WEAK &&
      ordering != MemoryOrderingSemantics::RELAXED && ordering != strong)
    return op->emitOpError("expect one of: weak, relaxed, or ")
           << stringifyMemoryOrderingSemantics(strong)
           << ", but got: " << stringifyMemoryOrderingSemantics(ordering);
  bool isWeak = ordering == MemoryOrderingSemantics::WEAK;
  if (isWeak && scope)
    return op->emitOpError("weak ") << kind << " must not have memory scope";
  if (!isWeak && !scope)
    return op->emitOpError("memory scope is required for ")
           << stringifyMemoryOrderingSemantics(ordering) << " " << kind;
  return success();
}

LogicalResult cuda_tile::verifyLoadOrdering(Operation *op,
                                            MemoryOrderingSemantics ordering,
                                            std::optional<MemoryScope> scope) {
  return verifyAccess(op, "load", MemoryOrderingSemantics::ACQUIRE, ordering,
                      scope);
}

LogicalResult cuda_tile::verifyStoreOrdering(Operation *op,
                                             MemoryOrderingSemantics ordering,
                                             std::optional<MemoryScope> scope) {
  return verifyAccess(op, "store", MemoryOrderingSemantics::RELEASE, ordering,
                      scope);
}

static LogicalResult verifyAtomicOrdering(Operation *op,
                                          MemoryOrderingSemantics ordering) {
  if (ordering == MemoryOrderingSemantics::WEAK)
    return op->emitOpError("memory ordering semantics must be one of: relaxed, "
                           "acquire, release, acq_rel");
  return success();
}

LogicalResult cuda_tile::verifyAtomicMode(Operation *op, AtomicRMWMode mode,
                                          Type type) {
  switch (mode) {
  case AtomicRMWMode::ADDF:
    if (!isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type))
      return op->emitOpError(
          "'addf' works only with floats f16, bf16, f32, and f64");
    return success();
  case AtomicRMWMode::XCHG:
    if (!type.isInteger(32) && !type.isInteger(64) &&
        !isa<Float32Type, Float64Type>(type))
      return op->emitOpError(
          "'xchg' works only with integers or float of 32 or 64 bitwidth");
    return success();
  default:
    if (!type.isInteger(32) && !type.isInteger(64))
      return op->emitOpError("'") << stringifyAtomicRMWMode(mode)
                                  << "' works only with integers i32 and i64";
    return success();
  }
}

//===----------------------------------------------------------------------===//
// Tokens, allocation
//===----------------------------------------------------------------------===//

LogicalResult JoinTokensOp::verify() {
  if (getTokens().size() < 2) // C1
    return emitOpError("expect two or more tokens");
  return success();
}

LogicalResult AllocaOp::verify() {
  int64_t alignment = getAlignment();
  if (!llvm::isPowerOf2_64(alignment)) // C1
    return emitOpError("'alignment' must be power of two");
  Type element = pointeeOf(getResult());
  // tf32 has 19 bits; the published dialect counts them as 2 bytes.
  int64_t bits = element.getIntOrFloatBitWidth();
  int64_t natural = element.isInteger(1)                 ? 1
                    : followsNewestRelease(getContext()) ? (bits + 7) / 8
                                                         : bits / 8;
  if (alignment < natural) // C2
    return emitOpError("'alignment' (")
           << alignment << ") must be at least the natural size (" << natural
           << " bytes) for element type " << element;
  return success();
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

LogicalResult LoadPtrTkoOp::verify() {
  if (OptimizationHintsAttr hints = getOptimizationHintsAttr())
    if (failed(hints.verifyWithOp(*this, {"latency"})))
      return failure();
  return verifyLoadOrdering(*this, getMemoryOrderingSemantics(), // C1
                            getMemoryScope());
}

void LoadPtrTkoOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "result");
  setName(getResultToken(), "result_token");
}

LogicalResult StorePtrTkoOp::verify() {
  if (OptimizationHintsAttr hints = getOptimizationHintsAttr())
    if (failed(hints.verifyWithOp(*this, {"latency"})))
      return failure();
  return verifyStoreOrdering(*this, getMemoryOrderingSemantics(), // C1
                             getMemoryScope());
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

void AtomicRMWTkoOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "result");
  setName(getResultToken(), "result_token");
}

LogicalResult AtomicRMWTkoOp::verify() {
  Type pointee = pointeeOf(getPointers()), element = elementTypeOf(getArg());
  if (pointee != element) // C1
    return emitOpError("expected pointee type (")
           << pointee << ") to match element type of 'arg' (" << element << ")";
  if (!isAbsentOrSameShape(getMask(), getPointers())) // C2
    return emitOpError(
        "failed to verify that all of {pointers, arg, mask} have same shape");
  if (failed(verifyAtomicMode(*this, getMode(), element))) // C3
    return failure();
  return verifyAtomicOrdering(*this, getMemoryOrderingSemantics()); // C4
}

void AtomicCASTkoOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "result");
  setName(getResultToken(), "result_token");
}

LogicalResult AtomicCASTkoOp::verify() {
  Type pointee = pointeeOf(getPointers()), element = elementTypeOf(getVal());
  if (pointee != element) // C1
    return emitOpError("expected pointee type (")
           << pointee << ") to match element type of 'val' (" << element << ")";
  unsigned width = element.getIntOrFloatBitWidth();
  if (width != 32 && width != 64) // C2
    return emitOpError("expect only float or integer types with 32 or 64 bit");
  if (!isAbsentOrSameShape(getMask(), getPointers())) // C3
    return emitOpError("failed to verify that all of {pointers, val, cmp and "
                       "mask} have same shape");
  return verifyAtomicOrdering(*this, getMemoryOrderingSemantics()); // C4
}

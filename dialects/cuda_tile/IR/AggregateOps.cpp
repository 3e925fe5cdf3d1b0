// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of reductions and scans.

#include "dialects/cuda_tile/CudaTile.h"

using namespace mlir;
using namespace mlir::cuda_tile;

static TileType tileTypeOf(Value tile) {
  return cast<TileType>(tile.getType());
}

StringRef ReduceOp::getDefaultDialect() { return "cuda_tile"; }
StringRef ScanOp::getDefaultDialect() { return "cuda_tile"; }

void ReduceOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (!getResults().empty())
    setName(getResults().front(), "reduce");
}

void ReduceOp::getAsmBlockArgumentNames(Region &region,
                                        OpAsmSetValueNameFn setName) {
  if (region.empty())
    return;
  bool isNumbered = region.getNumArguments() > 2;
  for (BlockArgument arg : region.getArguments()) {
    unsigned number = arg.getArgNumber();
    std::string name = number % 2 == 0 ? "reduce_lhs" : "reduce_rhs";
    if (isNumbered)
      name += std::to_string(number / 2);
    setName(arg, name);
  }
}

LogicalResult ReduceOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  if (operands.empty() || !adaptor.getDimAttr())
    return failure();
  for (Value operand : operands) {
    auto tile = dyn_cast<TileType>(operand.getType());
    if (!tile)
      return failure();
    SmallVector<int64_t> shape(tile.getShape());
    // The verifier reports a dimension out of range.
    if (adaptor.getDim() < shape.size())
      shape.erase(shape.begin() + adaptor.getDim());
    types.push_back(TileType::get(shape, tile.getElementType()));
  }
  return success();
}

LogicalResult
ScanOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                         ValueRange operands, DictionaryAttr attributes,
                         OpaqueProperties properties, RegionRange regions,
                         SmallVectorImpl<Type> &types) {
  if (operands.empty())
    return failure();
  llvm::append_range(types, operands.getTypes());
  return success();
}

/// Producers give f16 identities to bf16 operands and vice versa.
static bool isCompatibleIdentity(Type element, Type identity) {
  return element == identity || (isa<Float16Type, BFloat16Type>(element) &&
                                 isa<Float16Type, BFloat16Type>(identity));
}

template <typename OpTy> static LogicalResult verifyAggregate(OpTy op) {
  OperandRange operands = op.getOperands();
  if (operands.empty())
    return op.emitOpError("expected 1 or more operands, but found 0: failed to "
                          "infer returned types");
  if (!llvm::all_equal(llvm::map_range(operands, [](Value operand) {
        return cast<TileType>(operand.getType()).getShape();
      })))
    return op.emitOpError("requires the same shape for all operands");
  if (operands.size() != op.getResults().size())
    return op.emitOpError("expect same number of operands and results");
  // C1
  ArrayAttr identities = op.getIdentities();
  if (identities.size() != operands.size())
    return op.emitOpError(
               "expect identities to match the number of operands but got: ")
           << operands.size() << " operands and " << identities.size()
           << " identities";
  for (auto [index, operand] : llvm::enumerate(operands)) {
    TileType tile = tileTypeOf(operand);
    auto identity = dyn_cast<TypedAttr>(identities[index]);
    Type identityType =
        identity ? identity.getType() : NoneType::get(op.getContext());
    if (!isCompatibleIdentity(tile.getElementType(), identityType))
      return op.emitOpError("expect same type for operand at index: ")
             << index << " and identity at index: " << index
             << " but got: " << tile.getElementType() << " and "
             << identityType;
  }
  // C2
  auto first = cast<TileType>(operands.front().getType());
  if (op.getDim() >= first.getRank())
    return op.emitOpError("dimension (")
           << op.getDim() << ") is out of bound [0, " << first.getRank() << ")";
  return success();
}

LogicalResult ReduceOp::verify() { return verifyAggregate(*this); }

LogicalResult ScanOp::verify() {
  if (failed(verifyAggregate(*this)))
    return failure();
  for (auto [index, operand, result] :
       llvm::enumerate(getOperands(), getResults()))
    if (operand.getType() != result.getType()) // C5
      return emitOpError("expect same type for operand at index: ")
             << index << " and result at index: " << index;
  return success();
}

/// C3: the block's arguments and yielded values.
template <typename OpTy> static LogicalResult verifyAggregateBlock(OpTy op) {
  Block &block = op.getBody().front();
  OperandRange operands = op.getOperands();
  if (block.empty())
    return op.emitOpError("expect non-empty block");
  if (block.getNumArguments() != 2 * operands.size())
    return op.emitOpError("expect ")
           << 2 * operands.size()
           << " block arguments but got: " << block.getNumArguments();
  for (BlockArgument arg : block.getArguments()) {
    auto tile = dyn_cast<TileType>(arg.getType());
    if (!tile || tile.getRank() != 0)
      return op.emitOpError("expect 0-rank tile type at index: ")
             << arg.getArgNumber() << " but got: " << arg.getType();
  }
  auto argElement = [&](unsigned number) {
    return tileTypeOf(block.getArgument(number)).getElementType();
  };
  for (unsigned i = 0; i < block.getNumArguments(); i += 2)
    if (argElement(i) != argElement(i + 1))
      return op.emitOpError(
                 "expect same element type for block argument at index: ")
             << i << " and " << i + 1 << " but got: " << argElement(i)
             << " and " << argElement(i + 1);
  for (auto [index, operand] : llvm::enumerate(operands)) {
    Type element = tileTypeOf(operand).getElementType();
    if (element != argElement(2 * index))
      return op.emitOpError("expect same type for operand at index: ")
             << index << " and block argument at index: " << 2 * index
             << " but got: " << element << " and " << argElement(2 * index);
  }
  Operation *terminator = block.getTerminator();
  if (terminator->getNumOperands() != operands.size())
    return op.emitOpError("expect number of terminators operands (")
           << terminator->getNumOperands() << ") to match number of operands ("
           << operands.size() << ")";
  for (auto [index, operand] : llvm::enumerate(operands)) {
    Type expected = tileTypeOf(operand).getElementType();
    Type actual = terminator->getOperand(index).getType();
    if (auto yielded = dyn_cast<TileType>(actual))
      actual = yielded.getElementType();
    // The rank does not matter.
    if (expected != actual)
      return op.emitOpError("expect same type for operand at index: ")
             << index << " and terminator argument at index: " << index
             << " but got: " << expected << " and " << actual;
  }
  return success();
}

template <typename OpTy> static LogicalResult verifyAggregateBody(OpTy op) {
  if (failed(verifyAggregateBlock(op)))
    return failure();
  bool isNewest = followsNewestRelease(op.getContext());
  for (Operation &nested : op.getBody().front().without_terminator())
    if (isNewest ? !isMemoryEffectFree(&nested) : !isPure(&nested)) // C4
      return nested.emitOpError("only ")
             << (isNewest ? "memory-effect-free" : "pure")
             << " operations are allowed inside '" << op->getName() << "'";
  return success();
}

LogicalResult ReduceOp::verifyRegions() { return verifyAggregateBody(*this); }
LogicalResult ScanOp::verifyRegions() { return verifyAggregateBody(*this); }

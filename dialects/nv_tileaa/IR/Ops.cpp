// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/NVTileAA.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace mlir::nv_tileaa;

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static void addRead(Effects &effects, SideEffects::Resource *resource) {
  effects.emplace_back(MemoryEffects::Read::get(), resource);
}

static void addWrite(Effects &effects, SideEffects::Resource *resource) {
  effects.emplace_back(MemoryEffects::Write::get(), resource);
}

/// An ordered or volatile load also writes, so that no pass erases or moves it.
static void addAccess(TileAAMemoryOpInterface op, Effects &effects) {
  if (op.getKind() != AccessKind::Store)
    addRead(effects, GlobalMemory::get());
  if (op.getKind() != AccessKind::Load || !op.isWeak() || op.isVolatileAccess())
    addWrite(effects, GlobalMemory::get());
}

void LoadOp::getEffects(Effects &effects) { addAccess(*this, effects); }
void StoreOp::getEffects(Effects &effects) { addAccess(*this, effects); }
void AtomicRmwOp::getEffects(Effects &effects) { addAccess(*this, effects); }
void AtomicCasOp::getEffects(Effects &effects) { addAccess(*this, effects); }
void TiledLoadOp::getEffects(Effects &effects) { addAccess(*this, effects); }
void TiledStoreOp::getEffects(Effects &effects) { addAccess(*this, effects); }
void TiledAtomicRmwOp::getEffects(Effects &effects) {
  addAccess(*this, effects);
}
void GatherLoadOp::getEffects(Effects &effects) { addAccess(*this, effects); }
void ScatterStoreOp::getEffects(Effects &effects) { addAccess(*this, effects); }

void AllocaOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(),
                       getOperation()->getOpResult(0), GlobalMemory::get());
}

void AssertOp::getEffects(Effects &effects) {
  addWrite(effects, HostIO::get());
}
void MessageOp::getEffects(Effects &effects) {
  addWrite(effects, HostIO::get());
}
void PrintOp::getEffects(Effects &effects) { addWrite(effects, HostIO::get()); }

void CreateQueueOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(),
                       getOperation()->getOpResult(0), QueueState::get());
}

/// Adds the accesses in the region of a queue operation.
static void addRegionAccesses(Operation *op, Effects &effects) {
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps()) {
      std::optional<SmallVector<MemoryEffects::EffectInstance>> nested =
          getEffectsRecursively(&inner);
      if (nested) {
        effects.append(nested->begin(), nested->end());
        continue;
      }
      addRead(effects, SideEffects::DefaultResource::get());
      addWrite(effects, SideEffects::DefaultResource::get());
    }
}

void QueuePutOp::getEffects(Effects &effects) {
  addWrite(effects, QueueState::get());
  addRegionAccesses(*this, effects);
}

void QueueGetOp::getEffects(Effects &effects) {
  addRead(effects, QueueState::get());
  addWrite(effects, QueueState::get());
  addRegionAccesses(*this, effects);
}

void CancelNextProgramIdOp::getEffects(Effects &effects) {
  addRead(effects, GridState::get());
  addWrite(effects, GridState::get());
}

/// A call of foreign code that is not pure may have any effect.
static void addForeign(bool pure, Effects &effects) {
  if (pure)
    return;
  addRead(effects, SideEffects::DefaultResource::get());
  addWrite(effects, SideEffects::DefaultResource::get());
}

void ExternElementwiseOp::getEffects(Effects &effects) {
  addForeign(getPure(), effects);
}
void ElementwiseInlineAsmOp::getEffects(Effects &effects) {
  addForeign(getPure(), effects);
}
void CallElementwiseIntrinsicOp::getEffects(Effects &effects) {
  addForeign(getPure(), effects);
}

//===----------------------------------------------------------------------===//
// Result names
//===----------------------------------------------------------------------===//

static void nameAccess(OpAsmSetValueNameFn setName, Value value, StringRef name,
                       Value token) {
  if (value)
    setName(value, name);
  setName(token, "tok");
}

void LoadOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  nameAccess(setName, getValue(), "ld", getResultToken());
}
void StoreOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  nameAccess(setName, {}, "", getResultToken());
}
void AtomicRmwOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  nameAccess(setName, getOld(), "old", getResultToken());
}
void AtomicCasOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  nameAccess(setName, getOld(), "old", getResultToken());
}
void TiledLoadOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  nameAccess(setName, getValue(), "ld", getResultToken());
}
void GatherLoadOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  nameAccess(setName, getValue(), "ld", getResultToken());
}
void TiledStoreOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  nameAccess(setName, {}, "", getResultToken());
}
void ScatterStoreOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  nameAccess(setName, {}, "", getResultToken());
}
void TiledAtomicRmwOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  nameAccess(setName, getOld(), "old", getResultToken());
}

//===----------------------------------------------------------------------===//
// func, return
//===----------------------------------------------------------------------===//

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                   FunctionType type, bool kernel) {
  state.addAttribute(getSymNameAttrName(state.name),
                     builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  if (kernel)
    state.addAttribute(getKernelAttrName(state.name), builder.getUnitAttr());
  state.addRegion();
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  if (succeeded(parser.parseOptionalKeyword("kernel")))
    result.addAttribute(getKernelAttrName(result.name),
                        parser.getBuilder().getUnitAttr());
  auto buildType =
      [](Builder &builder, ArrayRef<Type> inputs, ArrayRef<Type> results,
         function_interface_impl::VariadicFlag, std::string &) -> Type {
    return builder.getFunctionType(inputs, results);
  };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(OpAsmPrinter &printer) {
  if (getKernel())
    printer << " kernel";
  if (std::optional<StringRef> visibility = getSymVisibility())
    printer << " " << *visibility;
  printer << " ";
  printer.printSymbolName(getSymName());
  function_interface_impl::printFunctionSignature(
      printer, *this, getArgumentTypes(), /*isVariadic=*/false,
      getResultTypes());
  function_interface_impl::printFunctionAttributes(
      printer, *this,
      {getSymVisibilityAttrName(), getFunctionTypeAttrName(),
       getArgAttrsAttrName(), getResAttrsAttrName(), getKernelAttrName()});
  if (!getBody().empty()) {
    printer << " ";
    printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                        /*printBlockTerminators=*/true);
  }
}

LogicalResult FuncOp::verify() {
  if (getKernel() && getFunctionType().getNumResults())
    return emitOpError("kernel function must not return values"); // C1
  if (getKernel() && !isPublic())
    return emitOpError("kernel function must be public"); // C1
  if (getKernelSpec() && !getKernel())
    return emitOpError("kernel_spec requires the kernel marker"); // C2
  if (getBody().empty())
    return emitOpError("expects a body");
  if (!getBody().hasOneBlock())
    return emitOpError("expects one block"); // C3
  return success();
}

bool FuncOp::isKnownRoot() { return getKernel(); }

LogicalResult ReturnOp::verify() {
  auto func = (*this)->getParentOfType<FuncOp>();
  ArrayRef<Type> expected = func.getResultTypes();
  if (expected != ArrayRef<Type>(SmallVector<Type>(getOperandTypes())))
    return emitOpError("operand types must be the result types of '@")
           << func.getSymName() << "'";
  return success();
}

//===----------------------------------------------------------------------===//
// call, launch_func
//===----------------------------------------------------------------------===//

CallInterfaceCallable CallOp::getCallableForCallee() { return getCalleeAttr(); }

void CallOp::setCalleeFromCallable(CallInterfaceCallable callee) {
  setCalleeAttr(cast<FlatSymbolRefAttr>(cast<SymbolRefAttr>(callee)));
}

Operation::operand_range CallOp::getArgOperands() { return getOperands(); }

MutableOperandRange CallOp::getArgOperandsMutable() {
  return getOperandsMutable();
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto func = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!func || func.getKernel()) // C1
    return emitOpError("'@")
           << getCallee() << "' does not reference a device function";
  if (func.getFunctionType() !=
      FunctionType::get(getContext(), getOperandTypes(), getResultTypes()))
    return emitOpError("types must be those of '@") // C2
           << getCallee() << "', which has type " << func.getFunctionType();
  return success();
}

LogicalResult LaunchFuncOp::verify() {
  if ((*this)->getParentOfType<gpu::GPUModuleOp>())
    return emitOpError("must not stand inside a gpu.module"); // C1
  return success();
}

//===----------------------------------------------------------------------===//
// Region operations
//===----------------------------------------------------------------------===//

void PragmaOp::getSuccessorRegions(RegionBranchPoint point,
                                   SmallVectorImpl<RegionSuccessor> &regions) {
  if (point.isParent())
    regions.emplace_back(&getBody());
  else
    regions.emplace_back(getOperation(), getResults());
}

void ExecuteOp::getSuccessorRegions(RegionBranchPoint point,
                                    SmallVectorImpl<RegionSuccessor> &regions) {
  if (point.isParent())
    regions.emplace_back(&getBody(), getBody().getArguments());
  else
    regions.emplace_back(getOperation(), getResults());
}

OperandRange ExecuteOp::getEntrySuccessorOperands(RegionSuccessor) {
  return getInputs();
}

LogicalResult QueuePutOp::verifyRegions() {
  auto yield = dyn_cast<QueueYieldOp>(getBody().front().back());
  if (!yield)
    return emitOpError(
        "expects its region to end with 'nv_tileaa.queue.yield'");
  if (!llvm::equal(yield.getOperandTypes(),
                   getQueue().getType().getPayloadTypes()))
    return emitOpError("expects its region to yield the payload types"); // C1
  return success();
}

LogicalResult QueueGetOp::verifyRegions() {
  auto yield = dyn_cast<QueueYieldOp>(getBody().front().back());
  if (!yield)
    return emitOpError(
        "expects its region to end with 'nv_tileaa.queue.yield'");
  if (!llvm::equal(getBody().getArgumentTypes(),
                   getQueue().getType().getPayloadTypes()))
    return emitOpError("expects its region to take the payload types"); // C1
  if (!llvm::equal(yield.getOperandTypes(), getResultTypes()))
    return emitOpError("expects its region to yield the result types"); // C1
  return success();
}

//===----------------------------------------------------------------------===//
// Grid
//===----------------------------------------------------------------------===//

// Launch grids have at most 2^24 - 1 tile blocks per dimension.
static constexpr uint64_t kMaxGridExtent = (1u << 24) - 1;

static ConstantIntRanges rangeOf(unsigned width, uint64_t min, uint64_t max) {
  return ConstantIntRanges::fromUnsigned(APInt(width, min), APInt(width, max));
}

void GetProgramIdOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                       SetIntRangeFn setRange) {
  setRange(getResult(), rangeOf(32, 0, kMaxGridExtent - 1));
}

void GetNumProgramsOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                         SetIntRangeFn setRange) {
  setRange(getResult(), rangeOf(32, 1, kMaxGridExtent));
}

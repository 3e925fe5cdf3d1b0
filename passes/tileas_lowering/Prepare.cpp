// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preparations before the conversion: storage, ordering, parameters.

#include "passes/tileas_lowering/Prepare.h"
#include "passes/tileas_lowering/Lowering.h"
#include "passes/tileas_lowering/Print.h"

#include "dialects/nv_tileaa/ModuleFacts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tileir::lowering {

//===----------------------------------------------------------------------===//
// Kernel parameters
//===----------------------------------------------------------------------===//

/// Booleans of a kernel arrive as bytes (launch ABI): any non-zero byte is
/// true.
static void widenBooleans(nv_tileaa::FuncOp func) {
  if (!func.getKernel() || func.isExternal())
    return;
  SmallVector<Type> inputs(func.getFunctionType().getInputs());
  OpBuilder builder(func.getContext());
  builder.setInsertionPointToStart(&func.getBody().front());
  bool changed = false;
  for (BlockArgument arg : func.getBody().getArguments()) {
    if (!arg.getType().isInteger(1))
      continue;
    changed = true;
    Type byte = builder.getI8Type();
    inputs[arg.getArgNumber()] = byte;
    arg.setType(byte);
    Value zero = arith::ConstantOp::create(builder, arg.getLoc(),
                                           builder.getI8IntegerAttr(0));
    auto compare = arith::CmpIOp::create(builder, arg.getLoc(),
                                         arith::CmpIPredicate::ne, arg, zero);
    arg.replaceAllUsesExcept(compare, compare);
  }
  if (changed)
    func.setFunctionType(
        builder.getFunctionType(inputs, func.getFunctionType().getResults()));
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

static int64_t getCount(nv_tileaa::FuncOp func, StringRef name,
                        int64_t fallback) {
  auto attr = func->getAttrOfType<IntegerAttr>(name);
  return attr ? attr.getInt() : fallback;
}

static void createStorage(Operation *module, nv_tileaa::FuncOp func,
                          FunctionInfo &info, bool dynamicSmem) {
  if (!info.smemBytes)
    return;
  OpBuilder builder(func.getContext());
  SymbolTable symbols(module);
  info.smemSymbol = "global_smem";
  if (symbols.lookup(info.smemSymbol))
    info.smemSymbol += "_" + func.getName().str();
  builder.setInsertionPointToStart(&module->getRegion(0).front());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(),
                                       dynamicSmem ? 0 : info.smemBytes);
  LLVM::GlobalOp::create(builder, func.getLoc(), type, /*isConstant=*/false,
                         dynamicSmem ? LLVM::Linkage::External
                                     : LLVM::Linkage::Internal,
                         info.smemSymbol, Attribute(), info.smemAlign,
                         unsigned(nv_tileaa::SharedSpace));
  if (dynamicSmem)
    func->setAttr("tileir.dynamic_smem_bytes",
                  builder.getI64IntegerAttr(info.smemBytes));
}

//===----------------------------------------------------------------------===//
// Entry
//===----------------------------------------------------------------------===//

/// Runs the steps on `func` that earlier passes have not done.
static LogicalResult makeUp(nv_tileaa::FuncOp func, const Target &target,
                            bool makesUp) {
  bool hasStorage = func->hasAttr(nv_tileas::kSmemBytesAttr),
       isOrdered = func->hasAttr(nv_tileas::kOrderedAttr);
  if (func.isExternal() || (hasStorage && isOrdered))
    return success();
  if (!makesUp)
    return func.emitOpError("has no ")
           << (hasStorage ? "order" : "storage")
           << "; run tileas-legalize-layouts, tileas-assign-buffers and "
              "tileas-insert-barriers";
  if (!hasStorage &&
      (failed(legalizeLayouts(func)) ||
       failed(assignBuffers(func, target, StorageSharing::Auto))))
    return failure();
  insertBarriers(func);
  return success();
}

LogicalResult prepare(Operation *root, LoweringState &state, bool dynamicSmem,
                      bool makesUp) {
  SmallVector<nv_tileaa::FuncOp> funcs;
  root->walk([&](nv_tileaa::FuncOp func) { funcs.push_back(func); });
  markLockedPrints(root);
  for (nv_tileaa::FuncOp func : funcs) {
    if (failed(makeUp(func, state.target, makesUp)))
      return failure();
    widenBooleans(func);
    FunctionInfo &info = state.functions[func.getName()];
    info.smemBytes = getCount(func, nv_tileas::kSmemBytesAttr, 0);
    info.smemAlign = getCount(func, nv_tileas::kSmemAlignAttr, 16);
    createStorage(func->getParentWithTrait<OpTrait::SymbolTable>(), func, info,
                  dynamicSmem);
  }
  return success();
}

} // namespace tileir::lowering

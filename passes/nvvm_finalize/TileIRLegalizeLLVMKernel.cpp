// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/Remarks.h"
#include "passes/nvvm_finalize/KernelRules.h"
#include "passes/nvvm_finalize/TensorMaps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "tileir-legalize-llvm-kernel"

namespace tileir {

#define GEN_PASS_DEF_TILEIRLEGALIZELLVMKERNEL
#include "passes/nvvm_finalize/TileIRLegalizeLLVMKernel.h.inc"

namespace {

using namespace mlir;
using NVVM::NVVMDialect;

struct TileIRLegalizeLLVMKernel final
    : impl::TileIRLegalizeLLVMKernelBase<TileIRLegalizeLLVMKernel> {
  void runOnOperation() override;

  LogicalResult legalize(FunctionOpInterface kernel);
  void passByValue(FunctionOpInterface kernel);
  void passSubBytes(FunctionOpInterface kernel);
};

} // namespace

static bool isAggregate(Type type) {
  return isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(type);
}

/// Returns whether `type` is an integer that is passed as i8. PTX has a byte
/// for i1, but no parameter type for other integers below eight bits.
static bool isSubByte(Type type) {
  return type.isInteger() && type.getIntOrFloatBitWidth() > 1 &&
         type.getIntOrFloatBitWidth() < 8;
}

/// Moves the known block and cluster sizes of a kernel to the attributes that
/// reach PTX.
static void renameBounds(FunctionOpInterface kernel) {
  auto rename = [&](StringRef to, DenseI32ArrayAttr dims) {
    if (dims && !kernel->hasAttr(to))
      kernel->setAttr(to, dims);
  };
  auto take = [&](StringRef from) {
    auto attr = kernel->getAttrOfType<DenseI32ArrayAttr>(from);
    kernel->removeAttr(from);
    return attr;
  };
  StringRef block = NVVMDialect::getReqntidAttrName();
  StringRef cluster = NVVMDialect::getClusterDimAttrName();
  rename(block, take("gpu.known_block_size"));
  rename(cluster, take("gpu.known_cluster_size"));
  if (auto gpuFunc = dyn_cast<gpu::GPUFuncOp>(*kernel)) {
    rename(block, gpuFunc.getKnownBlockSizeAttr());
    rename(cluster, gpuFunc.getKnownClusterSizeAttr());
    gpuFunc.removeKnownBlockSizeAttr();
    gpuFunc.removeKnownClusterSizeAttr();
  }
}

/// Rebuilds a kernel of another dialect as an `llvm.func` around the same body;
/// the upstream conversions would drop `llvm.byval`, and wrap a `func.func`.
/// Returns the kernel unchanged when some of its parameters are not LLVM types
/// yet.
static FunctionOpInterface toLLVMFunc(FunctionOpInterface kernel) {
  if (isa<LLVM::LLVMFuncOp>(*kernel) ||
      !llvm::all_of(kernel.getArgumentTypes(), LLVM::isCompatibleType))
    return kernel;
  if (auto gpuFunc = dyn_cast<gpu::GPUFuncOp>(*kernel))
    if (gpuFunc.getNumWorkgroupAttributions() != 0 ||
        gpuFunc.getNumPrivateAttributions() != 0)
      return kernel;

  OpBuilder builder(kernel);
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(kernel.getContext()),
                                  llvm::to_vector(kernel.getArgumentTypes()));
  auto function = LLVM::LLVMFuncOp::create(builder, kernel.getLoc(),
                                           kernel.getName(), type);
  // `gpu.func` keeps own properties among the discardable attributes, without a
  // dialect's prefix.
  for (NamedAttribute attr : kernel->getDiscardableAttrs())
    if (attr.getName().strref().contains('.') &&
        attr.getName() != gpu::GPUDialect::getKernelFuncAttrName())
      function->setAttr(attr.getName(), attr.getValue());
  function->setAttr(NVVMDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
  for (unsigned i = 0, e = kernel.getNumArguments(); i != e; ++i)
    function.setArgAttrs(i, kernel.getArgAttrs(i));
  function.getBody().takeBody(kernel.getFunctionBody());
  function.walk([](Operation *op) {
    if (!isa<gpu::ReturnOp, func::ReturnOp>(op))
      return;
    OpBuilder at(op);
    LLVM::ReturnOp::create(at, op->getLoc(), ValueRange());
    op->erase();
  });
  kernel->erase();
  return cast<FunctionOpInterface>(*function);
}

static void setParameterTypes(FunctionOpInterface kernel,
                              ArrayRef<Type> types) {
  if (auto llvmFunc = dyn_cast<LLVM::LLVMFuncOp>(*kernel))
    llvmFunc.setFunctionType(LLVM::LLVMFunctionType::get(
        llvmFunc.getFunctionType().getReturnType(), types));
}

void TileIRLegalizeLLVMKernel::passByValue(FunctionOpInterface kernel) {
  Block &entry = kernel.getFunctionBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  auto pointer = LLVM::LLVMPointerType::get(&getContext());
  SmallVector<Type> types(kernel.getArgumentTypes());
  bool changed = false;
  for (auto [index, argument] : llvm::enumerate(entry.getArguments())) {
    Type type = argument.getType();
    if (index >= types.size() || !isAggregate(type))
      continue;
    std::optional<std::pair<int64_t, int64_t>> layout =
        parameterSizeAndAlign(type);
    assert(layout && "checked by legalize");
    types[index] = pointer;
    argument.setType(pointer);
    auto load = LLVM::LoadOp::create(builder, kernel.getLoc(), type, argument);
    argument.replaceAllUsesExcept(load, load);
    kernel.setArgAttr(index, LLVM::LLVMDialect::getByValAttrName(),
                      TypeAttr::get(type));
    kernel.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(),
                      builder.getI64IntegerAttr(layout->second));
    ++numByValue;
    changed = true;
  }
  if (changed)
    setParameterTypes(kernel, types);
}

void TileIRLegalizeLLVMKernel::passSubBytes(FunctionOpInterface kernel) {
  Block &entry = kernel.getFunctionBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  SmallVector<Type> types(kernel.getArgumentTypes());
  bool changed = false;
  for (auto [type, argument] : llvm::zip_equal(types, entry.getArguments())) {
    Type narrow = type;
    if (!isa<LLVM::LLVMFuncOp>(*kernel) || !isSubByte(narrow))
      continue;
    type = builder.getI8Type();
    argument.setType(type);
    auto trunc =
        LLVM::TruncOp::create(builder, kernel.getLoc(), narrow, argument);
    argument.replaceAllUsesExcept(trunc, trunc);
    changed = true;
  }
  if (changed)
    setParameterTypes(kernel, types);
}

/// Orders the hidden parameters and completes their attributes; the lowering
/// that adds hidden parameters adds them at the end.
static LogicalResult completeHidden(FunctionOpInterface kernel) {
  Builder builder(kernel.getContext());
  bool seenHidden = false;
  for (unsigned i = 0, e = kernel.getNumArguments(); i != e; ++i) {
    auto hidden = kernel.getArgAttrOfType<StringAttr>(i, launch::hiddenName);
    if (!hidden) {
      if (seenHidden)
        return kernel.emitError()
               << "visible parameter " << i
               << " follows a hidden one; hidden parameters come last";
      continue;
    }
    if (hidden.getValue() == launch::hiddenWorkspace && seenHidden)
      return kernel.emitError() << "hidden parameter " << i
                                << ": the workspace comes first and once";
    seenHidden = true;
    if (hidden.getValue() != launch::hiddenTensorMap)
      continue;
    if (!kernel.getArgAttr(i, LLVM::LLVMDialect::getByValAttrName()))
      kernel.setArgAttr(
          i, LLVM::LLVMDialect::getByValAttrName(),
          TypeAttr::get(LLVM::LLVMArrayType::get(builder.getIntegerType(8),
                                                 limits::tensorMapBytes)));
    kernel.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                      builder.getI64IntegerAttr(limits::tensorMapAlign));
    kernel.setArgAttr(i, NVVMDialect::getGridConstantAttrName(),
                      builder.getUnitAttr());
    if (!kernel.getArgAttr(i, launch::tensorMapName))
      continue;
    FailureOr<TensorMapRecipe> recipe = parseTensorMapRecipe(kernel, i);
    if (failed(recipe))
      return failure();
    auto emitError = [&] {
      return InFlightDiagnostic(kernel.emitError()
                                << "hidden tensor map " << i << ": ");
    };
    if (!isPromised(kernel.getArgAttr(i, launch::divisibleByName)) &&
        failed(proveTensorMap(kernel, *recipe, emitError)))
      return failure();
  }
  return success();
}

LogicalResult TileIRLegalizeLLVMKernel::legalize(FunctionOpInterface kernel) {
  if (failed(checkKernelSignature(kernel)))
    return failure();
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    // Conversions give a scalar of another type its LLVM type.
    if (isSubByte(type) ||
        (!LLVM::isCompatibleType(type) && type.isIntOrIndexOrFloat()))
      continue;
    std::string problem = parameterTypeProblem(type);
    if (!problem.empty())
      return kernel.emitError() << "kernel parameter " << index << " of type "
                                << type << " " << problem;
  }
  renameBounds(kernel);
  kernel = toLLVMFunc(kernel);
  if (isa<LLVM::LLVMFuncOp>(*kernel)) {
    kernel->setAttr(NVVMDialect::getKernelFuncAttrName(),
                    UnitAttr::get(&getContext()));
  } else if (llvm::any_of(kernel.getArgumentTypes(), isAggregate)) {
    return kernel.emitError()
           << "kernel '" << kernel.getName()
           << "' takes an aggregate beside parameters that are no LLVM types; "
              "write it as llvm.func";
  }
  passByValue(kernel);
  passSubBytes(kernel);
  if (auto llvmFunc = dyn_cast<LLVM::LLVMFuncOp>(*kernel)) {
    unsigned host = 0, device = 0;
    if (failed(placeTensorMaps(llvmFunc, host, device)))
      return failure();
    TILEIR_LOG() << llvmFunc.getName() << ": " << host
                 << " tensor maps of the host, " << device << " of the device";
    numHostMaps += host;
    numDeviceMaps += device;
  }
  return completeHidden(kernel);
}

/// Checks that no kernel has a remaining call that builds a tensor map, and
/// erases the unused declaration.
static LogicalResult dropMarker(gpu::GPUModuleOp module) {
  auto marker =
      module.lookupSymbol<LLVM::LLVMFuncOp>(launch::makeTensorMapName);
  if (!marker)
    return success();
  WalkResult left = module.walk([&](LLVM::CallOp call) {
    if (call.getCallee() != marker.getName())
      return WalkResult::advance();
    call.emitError("tensor maps are made by kernels; inline this function");
    return WalkResult::interrupt();
  });
  if (left.wasInterrupted())
    return failure();
  marker.erase();
  return success();
}

void TileIRLegalizeLLVMKernel::runOnOperation() {
  bool ok = true;
  for (auto function :
       llvm::make_early_inc_range(getOperation().getOps<FunctionOpInterface>()))
    if (isKernel(function))
      ok &= succeeded(legalize(function));
  ok = ok && succeeded(dropMarker(getOperation()));
  if (!ok)
    signalPassFailure();
}

} // namespace tileir

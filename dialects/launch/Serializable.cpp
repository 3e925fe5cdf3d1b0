// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/launch/Serializable.h"

#include "dialects/launch/TensorMap.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace tileir {

using namespace mlir;

/// `gpu.module 'm'`, or `module 'm'` for a builtin module.
static std::string describeModule(Operation *module) {
  std::string text = isa<gpu::GPUModuleOp>(module) ? "gpu.module" : "module";
  if (auto name = SymbolTable::getSymbolName(module))
    text += " '" + name.str() + "'";
  return text;
}

static LogicalResult verifyTarget(Operation *module) {
  unsigned count = 0;
  if (auto gpuModule = dyn_cast<gpu::GPUModuleOp>(module))
    if (ArrayAttr targets = gpuModule.getTargetsAttr())
      count = targets.size();
  if (module->hasAttr("nvvm.target"))
    ++count;
  if (count == 0)
    return module->emitError()
           << describeModule(module) << " has no target attribute";
  if (count > 1)
    return module->emitError()
           << describeModule(module) << " carries " << count << " targets";
  return success();
}

static LogicalResult verifyBody(Operation *module) {
  WalkResult result = module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == module)
      return WalkResult::advance();
    if (isa_and_nonnull<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()))
      return WalkResult::advance();
    op->emitError() << "operation '" << op->getName()
                    << "' cannot be serialized; run the full tileir pipeline";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

static LogicalResult verifyHidden(LLVM::LLVMFuncOp kernel) {
  bool seenHidden = false;
  for (unsigned i = 0, e = kernel.getNumArguments(); i != e; ++i) {
    Attribute attr = kernel.getArgAttr(i, launch::hiddenName);
    if (!attr) {
      if (seenHidden)
        return kernel.emitError()
               << "visible parameter " << i
               << " follows a hidden one; hidden parameters come last";
      continue;
    }
    auto hidden = dyn_cast<StringAttr>(attr);
    StringRef value = hidden ? hidden.getValue() : StringRef();
    if (value == launch::hiddenWorkspace) {
      if (seenHidden)
        return kernel.emitError() << "hidden parameter " << i
                                  << ": the workspace comes first and once";
    } else if (value == launch::hiddenTensorMap) {
      auto byVal = kernel.getArgAttrOfType<TypeAttr>(
          i, LLVM::LLVMDialect::getByValAttrName());
      auto align = kernel.getArgAttrOfType<IntegerAttr>(
          i, LLVM::LLVMDialect::getAlignAttrName());
      std::optional<std::pair<int64_t, int64_t>> layout;
      if (byVal)
        layout = parameterSizeAndAlign(byVal.getValue());
      if (!layout || layout->first != limits::tensorMapBytes || !align ||
          align.getInt() != limits::tensorMapAlign ||
          !kernel.getArgAttr(i, NVVM::NVVMDialect::getGridConstantAttrName()))
        return kernel.emitError()
               << "hidden tensor map " << i << " needs 'llvm.byval' of "
               << limits::tensorMapBytes
               << " bytes, 'llvm.align = " << limits::tensorMapAlign
               << "' and 'nvvm.grid_constant'";
      if (kernel.getArgAttr(i, launch::tensorMapName) &&
          failed(parseTensorMapRecipe(kernel, i)))
        return failure();
    } else {
      return kernel.emitError()
             << "parameter " << i << ": '" << launch::hiddenName
             << "' expects 'workspace' or 'tensormap'";
    }
    seenHidden = true;
  }
  return success();
}

static LogicalResult verifyKernel(LLVM::LLVMFuncOp kernel) {
  if (kernel.isExternal())
    return kernel.emitError()
           << "kernel '" << kernel.getName() << "' has no body";
  if (kernel.getLinkage() != LLVM::Linkage::External)
    return kernel.emitError()
           << "kernel '" << kernel.getName() << "' needs external linkage";
  if (!isa<LLVM::LLVMVoidType>(kernel.getFunctionType().getReturnType()))
    return kernel.emitError()
           << "kernel '" << kernel.getName() << "' must not return a value";
  if (kernel.isVarArg())
    return kernel.emitError()
           << "kernel '" << kernel.getName() << "' must not be variadic";
  if (!isPtxIdentifier(kernel.getName()))
    return kernel.emitError()
           << "kernel symbol name '" << printableName(kernel.getName())
           << "' is not a valid PTX identifier";
  if (Attribute bytes = kernel->getAttr(launch::dynamicSharedName))
    if (!isa<IntegerAttr>(bytes))
      return kernel.emitError()
             << "'" << launch::dynamicSharedName << "' expects an integer";
  if (Attribute maps = kernel->getAttr(launch::deviceMapsName)) {
    auto count = dyn_cast<IntegerAttr>(maps);
    if (!count || count.getInt() < 1 || count.getInt() > 255)
      return kernel.emitError()
             << "'" << launch::deviceMapsName << "' expects 1 to 255";
  }
  return verifyHidden(kernel);
}

LogicalResult verifySerializable(Operation *module, bool requireTarget) {
  if (requireTarget && failed(verifyTarget(module)))
    return failure();
  if (module->hasAttr(launch::abiName) && !launchAbi(module))
    return module->emitError()
           << "'" << launch::abiName << "' expects 'tile' or 'plain', got "
           << module->getAttr(launch::abiName);
  if (failed(verifyBody(module)))
    return failure();
  for (Region &region : module->getRegions())
    for (auto kernel : region.getOps<LLVM::LLVMFuncOp>())
      if (isKernel(kernel) && failed(verifyKernel(kernel)))
        return failure();
  return success();
}

} // namespace tileir

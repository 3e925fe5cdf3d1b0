// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/nvvm_finalize/KernelRules.h"

#include "dialects/support/RuntimeGates.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileir {

using namespace mlir;
using NVVM::NVVMDialect;

std::string ptxVersionText(unsigned version) {
  return std::to_string(version / 10) + "." + std::to_string(version % 10);
}

unsigned ptxVersionOf(StringRef features, const Target &target) {
  SmallVector<StringRef> parts;
  features.split(parts, ',');
  unsigned version = 0;
  for (StringRef part : parts) {
    unsigned number;
    if (part.trim().consume_front("+ptx") &&
        !part.trim().drop_front(4).getAsInteger(10, number))
      version = number;
  }
  return version ? version : target.ptxDefault();
}

LogicalResult checkKernelSignature(FunctionOpInterface kernel) {
  if (kernel.isExternal())
    return kernel.emitError()
           << "kernel '" << kernel.getName() << "' has no body";
  bool returns = false;
  if (auto llvmFunc = dyn_cast<LLVM::LLVMFuncOp>(*kernel)) {
    returns =
        !isa<LLVM::LLVMVoidType>(llvmFunc.getFunctionType().getReturnType());
    if (llvmFunc.isVarArg())
      return kernel.emitError()
             << "kernel '" << kernel.getName() << "' must not be variadic";
  } else {
    returns = kernel.getNumResults() != 0;
  }
  if (returns)
    return kernel.emitError()
           << "kernel '" << kernel.getName() << "' must not return a value";
  if (!isPtxIdentifier(kernel.getName()))
    return kernel.emitError()
           << "kernel symbol name '" << printableName(kernel.getName())
           << "' is not a valid PTX identifier";
  return success();
}

//===----------------------------------------------------------------------===//
// Launch bounds
//===----------------------------------------------------------------------===//

static DenseI32ArrayAttr getDims(LLVM::LLVMFuncOp kernel, StringRef name) {
  return kernel->getAttrOfType<DenseI32ArrayAttr>(name);
}

static int64_t product(ArrayRef<int32_t> dims) {
  int64_t result = 1;
  for (int32_t dim : dims)
    result *= dim;
  return result;
}

/// Pads a dimension attribute with ones to three values.
static LogicalResult padDims(LLVM::LLVMFuncOp kernel, StringRef name) {
  DenseI32ArrayAttr attr = getDims(kernel, name);
  if (!attr) {
    if (kernel->hasAttr(name))
      return kernel.emitError()
             << "'" << name << "' expects an array of 32-bit integers";
    return success();
  }
  for (int32_t dim : attr.asArrayRef())
    if (dim <= 0)
      return kernel.emitError()
             << "'" << name << "' must be positive in every dimension, got "
             << dim;
  if (attr.empty() || attr.size() > 3)
    return kernel.emitError()
           << "'" << name << "' expects 1 to 3 values, got " << attr.size();
  SmallVector<int32_t, 3> dims(attr.asArrayRef());
  dims.resize(3, 1);
  kernel->setAttr(name, DenseI32ArrayAttr::get(kernel.getContext(), dims));
  return success();
}

static LogicalResult checkBlock(LLVM::LLVMFuncOp kernel, StringRef name) {
  DenseI32ArrayAttr attr = getDims(kernel, name);
  if (!attr)
    return success();
  ArrayRef<int32_t> dims = attr.asArrayRef();
  if (product(dims) > limits::threadsPerBlock)
    return kernel.emitError() << name << " product " << product(dims)
                              << " exceeds " << limits::threadsPerBlock;
  if (dims[2] > limits::threadsPerBlockZ)
    return kernel.emitError() << name << " z extent " << dims[2] << " exceeds "
                              << limits::threadsPerBlockZ;
  return success();
}

static LogicalResult normalizeBlock(LLVM::LLVMFuncOp kernel, bool isTile) {
  StringRef reqName = NVVMDialect::getReqntidAttrName();
  StringRef maxName = NVVMDialect::getMaxntidAttrName();
  if (failed(padDims(kernel, reqName)) || failed(padDims(kernel, maxName)))
    return failure();
  DenseI32ArrayAttr req = getDims(kernel, reqName);
  DenseI32ArrayAttr max = getDims(kernel, maxName);
  if (req && max) {
    for (auto [r, m] : llvm::zip_equal(req.asArrayRef(), max.asArrayRef()))
      if (r > m)
        return kernel.emitError() << "nvvm.reqntid exceeds nvvm.maxntid";
    kernel->removeAttr(maxName);
  } else if (max && isTile) {
    kernel->removeAttr(maxName);
    kernel->setAttr(reqName, max);
  } else if (!req && isTile) {
    return kernel.emitError() << "kernel '" << kernel.getName()
                              << "' has no 'nvvm.reqntid'; the launch ABI of "
                                 "tile kernels takes the block size from it";
  }
  return success(succeeded(checkBlock(kernel, reqName)) &&
                 succeeded(checkBlock(kernel, maxName)));
}

static LogicalResult normalizeRegisters(LLVM::LLVMFuncOp kernel, bool isTile) {
  StringRef minName = NVVMDialect::getMinctasmAttrName();
  Builder builder(kernel.getContext());
  bool hasBlock = kernel->hasAttr(NVVMDialect::getReqntidAttrName()) ||
                  kernel->hasAttr(NVVMDialect::getMaxntidAttrName());
  if (isTile) {
    kernel->setAttr(minName, builder.getI32IntegerAttr(1));
  } else if (kernel->hasAttr(minName) && !hasBlock) {
    kernel->removeAttr(minName);
    remark::passed(kernel.getLoc(),
                   remark::RemarkOpts::name("TileIRFinalizeLLVMKernel")
                       .category("nvvm_finalize")
                       .function(kernel.getName()))
        << remark::reason("dropped nvvm.minctasm: ptxas ignores it without a "
                          "block size");
  }
  StringRef maxName = NVVMDialect::getMaxnregAttrName();
  auto maxnreg = kernel->getAttrOfType<IntegerAttr>(maxName);
  if (!maxnreg)
    return success();
  if (maxnreg.getInt() < limits::registersMin ||
      maxnreg.getInt() > limits::registersPerThread)
    return kernel.emitError()
           << maxName << " " << maxnreg.getInt() << " is outside "
           << limits::registersMin << " to " << limits::registersPerThread;
  return success();
}

static LogicalResult normalizeCluster(LLVM::LLVMFuncOp kernel,
                                      const Target &target,
                                      std::optional<LaunchAbi> abi) {
  StringRef dimName = NVVMDialect::getClusterDimAttrName();
  StringRef maxName = NVVMDialect::getClusterMaxBlocksAttrName();
  StringRef blocksName = NVVMDialect::getBlocksAreClustersAttrName();
  if (!target.hasCluster()) {
    kernel->removeAttr(blocksName);
    kernel->removeAttr(dimName);
    kernel->removeAttr(maxName);
    return success();
  }
  DenseI32ArrayAttr dim = getDims(kernel, dimName);
  if (dim && dim.size() != 3)
    return kernel.emitError()
           << "'" << dimName << "' expects 3 values, got " << dim.size();
  if (failed(padDims(kernel, dimName)))
    return failure();
  if (dim)
    kernel->removeAttr(maxName);
  bool hasReq = kernel->hasAttr(NVVMDialect::getReqntidAttrName());
  if (kernel->hasAttr(blocksName) && !(dim && hasReq))
    return kernel.emitError("nvvm.blocksareclusters requires nvvm.reqntid and "
                            "nvvm.cluster_dim");
  if (!dim)
    return success();
  int64_t size = product(dim.asArrayRef());
  if (size > limits::clusterMax)
    return kernel.emitError() << dimName << " product " << size << " exceeds "
                              << limits::clusterMax;
  if (abi == LaunchAbi::Tile) {
    if (size > 1) {
      kernel->setAttr(blocksName, UnitAttr::get(kernel.getContext()));
    } else {
      kernel->removeAttr(blocksName);
      kernel->removeAttr(dimName);
    }
  } else if (abi == LaunchAbi::Plain) {
    kernel->removeAttr(blocksName);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

static LogicalResult checkLimits(LLVM::LLVMFuncOp kernel, const Target &target,
                                 unsigned ptx, bool isTile) {
  FailureOr<ParameterBlock> block = parameterBlock(kernel, target);
  if (failed(block))
    return failure();
  int64_t most = parameterByteLimit(ptx);
  if (block->bytes > most)
    return kernel.emitError()
           << "Formal parameter space overflowed (" << block->bytes
           << " bytes required, max " << most << " bytes allowed) in function "
           << kernel.getName();
  // The launcher passes no dynamic shared memory.
  if (isTile)
    if (LLVM::GlobalOp variable = dynamicSharedVariable(kernel)) {
      InFlightDiagnostic error = kernel.emitError();
      error << "kernel '" << kernel.getName()
            << "' uses dynamic shared memory, which the launch ABI of tile "
               "kernels does not have; give '"
            << variable.getSymName() << "' a size and internal linkage";
      error.attachNote(variable.getLoc()) << "declared here";
      return error;
    }
  int64_t shared = staticSharedBytes(kernel);
  int64_t cap = gates::sharedMemoryCap(target);
  if (shared <= cap)
    return success();
  InFlightDiagnostic error = kernel.emitError();
  error << "kernel '" << kernel.getName() << "' needs " << shared
        << " bytes of shared memory, target '" << target.name() << "' has "
        << cap << "; use smaller tiles or fewer stages";
  // The sentence of ptxas, for clients that search for it.
  error.attachNote()
      << "Entry function '" << kernel.getName()
      << "' uses too much shared data ("
      << llvm::formatv("{0:x} bytes, {1:x} max", shared, cap).str() << ")";
  return error;
}

LogicalResult finalizeKernels(gpu::GPUModuleOp module, const Target &target) {
  std::optional<LaunchAbi> abi = launchAbi(module);
  StringRef features;
  if (ArrayAttr targets = module.getTargetsAttr())
    for (Attribute attr : targets)
      if (auto nvvm = dyn_cast<NVVM::NVVMTargetAttr>(attr))
        features = nvvm.getFeatures();
  // Without a target, convert-target-to-nvvm will attach the newest version.
  unsigned ptx = module.getTargetsAttr() ? ptxVersionOf(features, target)
                                         : unsigned(limits::ptxCodegen);

  bool ok = true;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    auto llvmFunc = dyn_cast<LLVM::LLVMFuncOp>(*function);
    if (!isKernel(function)) {
      if (llvmFunc && !llvmFunc.isExternal())
        llvmFunc.setLinkage(LLVM::Linkage::Internal);
      continue;
    }
    if (!llvmFunc) {
      function.emitError() << "kernel '" << function.getName()
                           << "' is not an llvm.func yet; run the LLVM "
                              "conversions first";
      ok = false;
      continue;
    }
    llvmFunc->setAttr(NVVMDialect::getKernelFuncAttrName(),
                      UnitAttr::get(module.getContext()));
    llvmFunc.setLinkage(LLVM::Linkage::External);
    ok &= succeeded(checkKernelSignature(function)) &&
          succeeded(normalizeBlock(llvmFunc, abi.has_value())) &&
          succeeded(normalizeRegisters(llvmFunc, abi.has_value())) &&
          succeeded(normalizeCluster(llvmFunc, target, abi)) &&
          succeeded(checkLimits(llvmFunc, target, ptx, abi.has_value()));
  }
  return success(ok);
}

} // namespace tileir

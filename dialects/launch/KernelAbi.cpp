// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/launch/KernelAbi.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

namespace tileir {

using namespace mlir;

std::optional<LaunchAbi> launchAbi(Operation *module) {
  auto attr = module->getAttrOfType<StringAttr>(launch::abiName);
  if (!attr)
    return std::nullopt;
  if (attr.getValue() == "tile")
    return LaunchAbi::Tile;
  if (attr.getValue() == "plain")
    return LaunchAbi::Plain;
  return std::nullopt;
}

bool isKernel(Operation *function) {
  if (!isa<FunctionOpInterface>(function))
    return false;
  if (auto llvmFunc = dyn_cast<LLVM::LLVMFuncOp>(function))
    if (llvmFunc.getCConv() == LLVM::cconv::CConv::PTX_Kernel)
      return true;
  if (auto gpuFunc = dyn_cast<gpu::GPUFuncOp>(function))
    if (gpuFunc.isKernel())
      return true;
  return function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()) ||
         function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName());
}

FailureOr<Target> moduleTarget(Operation *module) {
  auto resolve = [&](StringRef name) -> FailureOr<Target> {
    if (std::optional<Target> target = Target::parse(std::string_view(name)))
      return *target;
    return module->emitError()
           << "unknown target '" << name << "'; expected one of "
           << Target::tileLoweringNames();
  };
  if (auto spec = module->getAttrOfType<StringAttr>("nv_tileaa.target_spec"))
    return resolve(spec.getValue());
  if (auto number =
          module->getAttrOfType<IntegerAttr>("nv_tileaa.compute_capability"))
    return resolve("sm_" + std::to_string(number.getInt()));
  if (auto gpuModule = dyn_cast<gpu::GPUModuleOp>(module))
    if (ArrayAttr targets = gpuModule.getTargetsAttr())
      for (Attribute attr : targets)
        if (auto target = dyn_cast<NVVM::NVVMTargetAttr>(attr))
          return resolve(target.getChip());
  if (auto target = module->getAttrOfType<NVVM::NVVMTargetAttr>("nvvm.target"))
    return resolve(target.getChip());
  return module->emitError("missing compute capability for NVVM target");
}

bool isPtxIdentifier(StringRef name) {
  auto follows = [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '$';
  };
  if (name.empty() || !llvm::all_of(name, follows))
    return false;
  if (llvm::isAlpha(name.front()))
    return true;
  return !llvm::isDigit(name.front()) && name.size() > 1;
}

bool ParameterBlock::hasWorkspace() const {
  return llvm::any_of(parameters, [](const KernelParameter &p) {
    return p.hidden == launch::hiddenWorkspace;
  });
}

unsigned ParameterBlock::tensorMaps() const {
  return llvm::count_if(parameters, [](const KernelParameter &p) {
    return p.hidden == launch::hiddenTensorMap;
  });
}

using SizeAndAlign = std::pair<int64_t, int64_t>;

static std::optional<SizeAndAlign> structLayout(LLVM::LLVMStructType type) {
  if (type.isOpaque())
    return std::nullopt;
  int64_t size = 0, align = 1;
  for (Type member : type.getBody()) {
    std::optional<SizeAndAlign> layout = parameterSizeAndAlign(member);
    if (!layout)
      return std::nullopt;
    int64_t memberAlign = type.isPacked() ? 1 : layout->second;
    size = llvm::alignTo(size, memberAlign) + layout->first;
    align = std::max(align, memberAlign);
  }
  return SizeAndAlign(llvm::alignTo(size, align), align);
}

std::optional<SizeAndAlign> parameterSizeAndAlign(Type type) {
  auto natural = [](int64_t bits) {
    int64_t bytes = llvm::PowerOf2Ceil(llvm::divideCeil(bits, 8));
    return SizeAndAlign(bytes, bytes);
  };
  if (isa<LLVM::LLVMPointerType>(type))
    return natural(64);
  if (type.isIntOrFloat())
    return natural(type.getIntOrFloatBitWidth());
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.isScalable() || !vector.getElementType().isIntOrFloat())
      return std::nullopt;
    return natural(vector.getNumElements() *
                   int64_t(vector.getElementTypeBitWidth()));
  }
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    std::optional<SizeAndAlign> element =
        parameterSizeAndAlign(array.getElementType());
    if (!element)
      return std::nullopt;
    return SizeAndAlign(element->first * int64_t(array.getNumElements()),
                        element->second);
  }
  if (auto structType = dyn_cast<LLVM::LLVMStructType>(type))
    return structLayout(structType);
  return std::nullopt;
}

FailureOr<ParameterBlock> parameterBlock(LLVM::LLVMFuncOp kernel,
                                         const Target &target) {
  ParameterBlock block;
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    KernelParameter parameter;
    parameter.type = type;
    if (auto byVal = kernel.getArgAttrOfType<TypeAttr>(
            index, LLVM::LLVMDialect::getByValAttrName())) {
      parameter.type = byVal.getValue();
      parameter.byValue = true;
    }
    std::optional<SizeAndAlign> layout = parameterSizeAndAlign(parameter.type);
    if (!layout)
      return kernel.emitError()
             << "kernel parameter " << index << " of type " << parameter.type
             << " has no launch ABI; pass a pointer and extents";
    std::tie(parameter.size, parameter.align) = *layout;
    if (parameter.byValue)
      if (auto align = kernel.getArgAttrOfType<IntegerAttr>(
              index, LLVM::LLVMDialect::getAlignAttrName()))
        parameter.align = align.getInt();
    if (auto hidden =
            kernel.getArgAttrOfType<StringAttr>(index, launch::hiddenName))
      parameter.hidden = hidden.getValue();
    parameter.offset = parameterOffset(target, block.bytes,
                                       std::max<int64_t>(parameter.align, 1));
    block.bytes = parameter.offset + parameter.size;
    if (parameter.hidden.empty())
      block.visibleBytes = block.bytes;
    block.parameters.push_back(parameter);
  }
  return block;
}

/// Bytes of a shared-memory global, 0 for the zero-sized external array of
/// dynamic shared memory.
static int64_t sharedBytes(LLVM::GlobalOp global) {
  std::optional<SizeAndAlign> layout =
      parameterSizeAndAlign(global.getGlobalType());
  return layout ? layout->first : 0;
}

int64_t staticSharedBytes(LLVM::LLVMFuncOp kernel) {
  llvm::SetVector<Operation *> functions;
  llvm::SetVector<Operation *> globals;
  functions.insert(kernel);
  SymbolTableCollection symbols;
  // The list grows while it is walked: every function that a call can reach.
  for (unsigned i = 0; i < functions.size(); ++i) {
    functions[i]->walk([&](Operation *op) {
      if (auto address = dyn_cast<LLVM::AddressOfOp>(op)) {
        if (LLVM::GlobalOp global = address.getGlobal(symbols)) {
          if (global.getAddrSpace() == unsigned(NVVM::NVVMMemorySpace::Shared))
            globals.insert(global);
        } else if (Operation *function = address.getFunction(symbols)) {
          functions.insert(function);
        }
      } else if (auto call = dyn_cast<CallOpInterface>(op)) {
        if (Operation *callee = call.resolveCallableInTable(&symbols))
          functions.insert(callee);
      }
    });
  }
  int64_t bytes = 0;
  for (Operation *op : globals) {
    auto global = cast<LLVM::GlobalOp>(op);
    int64_t align = global.getAlignment().value_or(1);
    bytes =
        llvm::alignTo(bytes, std::max<int64_t>(align, 1)) + sharedBytes(global);
  }
  return bytes;
}

} // namespace tileir

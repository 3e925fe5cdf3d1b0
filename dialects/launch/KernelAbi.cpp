// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/launch/KernelAbi.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
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

std::string namedTarget(Operation *module) {
  if (auto spec = module->getAttrOfType<StringAttr>("nv_tileaa.target_spec"))
    return spec.str();
  if (auto number =
          module->getAttrOfType<IntegerAttr>("nv_tileaa.compute_capability"))
    return "sm_" + std::to_string(number.getInt());
  if (auto gpuModule = dyn_cast<gpu::GPUModuleOp>(module))
    if (ArrayAttr targets = gpuModule.getTargetsAttr())
      for (Attribute attr : targets)
        if (auto target = dyn_cast<NVVM::NVVMTargetAttr>(attr))
          return target.getChip().str();
  if (auto target = module->getAttrOfType<NVVM::NVVMTargetAttr>("nvvm.target"))
    return target.getChip().str();
  return "";
}

FailureOr<Target> moduleTarget(Operation *module) {
  std::string name = namedTarget(module);
  if (name.empty())
    return module->emitError("missing compute capability for NVVM target");
  if (std::optional<Target> target = Target::parse(name))
    return *target;
  return module->emitError()
         << "unknown target '" << name << "'; expected one of "
         << Target::tileLoweringNames();
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

/// LLVM aligns wider scalars like i128.
static constexpr int64_t scalarAlignMax = 16;

std::optional<SizeAndAlign> parameterSizeAndAlign(Type type) {
  auto natural = [](int64_t bits) {
    int64_t bytes = llvm::PowerOf2Ceil(llvm::divideCeil(bits, 8));
    return SizeAndAlign(bytes, bytes);
  };
  if (isa<LLVM::LLVMPointerType>(type))
    return natural(64);
  if (type.isIntOrFloat()) {
    auto [bytes, align] = natural(type.getIntOrFloatBitWidth());
    align = std::min(align, scalarAlignMax);
    // LLVM pads a scalar above the widest class to its alignment only.
    int64_t stored = llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
    return SizeAndAlign(
        bytes > scalarAlignMax ? llvm::alignTo(stored, align) : bytes, align);
  }
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

std::string parameterTypeProblem(Type type) {
  std::optional<SizeAndAlign> layout = parameterSizeAndAlign(type);
  if (!layout)
    return "has no launch ABI; pass a pointer and extents";
  if (layout->first == 0)
    return "is empty; leave it out";
  // ptxas has names for these types; i128 becomes bytes.
  if (type.isInteger() && !llvm::is_contained({1u, 8u, 16u, 32u, 64u, 128u},
                                              type.getIntOrFloatBitWidth()))
    return "has no launch ABI; pass an integer of 8, 16, 32, 64 or 128 bits";
  return "";
}

// Chips whose parameters start at `movingBank` have room for
// `limits::parameterBytesSmall` there; a larger block starts at `movedBank`
// (ptxas 13.0 and 13.5, tested on every target).
static constexpr int64_t movingBank = 0x160;
static constexpr int64_t movedBank = 0x1a80;

ParameterPlaces placeParameters(const Target &target,
                                ArrayRef<SizeAndAlign> parameters) {
  auto placeAt = [&](int64_t bank) {
    ParameterPlaces places;
    places.bankOffset = bank;
    int64_t at = bank;
    for (auto [size, align] : parameters) {
      at = llvm::alignTo(at, std::max<int64_t>(align, 1));
      places.offsets.push_back(at - bank);
      at += size;
    }
    places.bytes = at - bank;
    return places;
  };
  int64_t bank = target.parameterBankOffset();
  if (bank == movingBank && placeAt(0).bytes > limits::parameterBytesSmall)
    bank = movedBank;
  return placeAt(bank);
}

FailureOr<ParameterBlock> parameterBlock(LLVM::LLVMFuncOp kernel,
                                         const Target &target) {
  ParameterBlock block;
  SmallVector<SizeAndAlign> layouts;
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    KernelParameter parameter;
    parameter.type = type;
    if (auto byVal = kernel.getArgAttrOfType<TypeAttr>(
            index, LLVM::LLVMDialect::getByValAttrName())) {
      parameter.type = byVal.getValue();
      parameter.byValue = true;
    }
    std::string problem = parameterTypeProblem(parameter.type);
    if (!problem.empty())
      return kernel.emitError() << "kernel parameter " << index << " of type "
                                << parameter.type << " " << problem;
    std::tie(parameter.size, parameter.align) =
        *parameterSizeAndAlign(parameter.type);
    auto align = kernel.getArgAttrOfType<IntegerAttr>(
        index, LLVM::LLVMDialect::getAlignAttrName());
    if (parameter.byValue && align && align.getInt() != 0) {
      if (!llvm::isPowerOf2_64(uint64_t(align.getInt())))
        return kernel.emitError()
               << "kernel parameter " << index << ": '"
               << LLVM::LLVMDialect::getAlignAttrName() << "' is "
               << align.getInt() << "; expected a power of two";
      // An alignment below the type's own has no effect.
      parameter.align = std::max(parameter.align, align.getInt());
    }
    if (auto hidden =
            kernel.getArgAttrOfType<StringAttr>(index, launch::hiddenName))
      parameter.hidden = hidden.getValue();
    layouts.push_back({parameter.size, parameter.align});
    block.parameters.push_back(parameter);
  }
  ParameterPlaces places = placeParameters(target, layouts);
  block.bytes = places.bytes;
  block.bankOffset = places.bankOffset;
  for (auto [parameter, offset] :
       llvm::zip_equal(block.parameters, places.offsets)) {
    parameter.offset = offset;
    if (parameter.hidden.empty())
      block.visibleBytes = offset + parameter.size;
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

/// Variables of shared memory that `kernel` or its callees use.
static SmallVector<LLVM::GlobalOp> sharedVariables(LLVM::LLVMFuncOp kernel) {
  llvm::SetVector<Operation *> functions;
  llvm::SetVector<Operation *> globals;
  functions.insert(kernel);
  SymbolTableCollection symbols;
  // The list grows during the walk: it collects every reachable function.
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
  return llvm::map_to_vector(
      globals, [](Operation *op) { return cast<LLVM::GlobalOp>(op); });
}

int64_t staticSharedBytes(LLVM::LLVMFuncOp kernel) {
  int64_t bytes = 0;
  for (LLVM::GlobalOp global : sharedVariables(kernel)) {
    int64_t align = global.getAlignment().value_or(1);
    bytes =
        llvm::alignTo(bytes, std::max<int64_t>(align, 1)) + sharedBytes(global);
  }
  return bytes;
}

LLVM::GlobalOp dynamicSharedVariable(LLVM::LLVMFuncOp kernel) {
  for (LLVM::GlobalOp global : sharedVariables(kernel)) {
    // A global with external linkage and no value is defined elsewhere.
    bool declared = global.getLinkage() == LLVM::Linkage::External &&
                    !global.getValueAttr() &&
                    global.getInitializerRegion().empty();
    if (declared || sharedBytes(global) == 0)
      return global;
  }
  return {};
}

std::string printableName(StringRef name) {
  std::string text;
  for (unsigned char c : name)
    if (c < 0x20 || c == 0x7f)
      text += "\\x" + llvm::utohexstr(c, /*LowerCase=*/false, /*Width=*/2);
    else
      text += char(c);
  return text;
}

} // namespace tileir

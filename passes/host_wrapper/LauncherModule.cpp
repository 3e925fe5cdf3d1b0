// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/host_wrapper/HostModule.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/TargetParser/Triple.h"

namespace tileir {

using namespace mlir;

namespace {

constexpr StringLiteral driverFunction = "cuLaunchKernel";
constexpr StringLiteral runtimeFunction = "cudaLaunchKernel";
constexpr StringLiteral printFunction = "printf";
/// CU_LAUNCH_PARAM_BUFFER_POINTER, _SIZE and _END.
constexpr int64_t bufferPointerMark = 1, bufferSizeMark = 2, endMark = 0;

class LauncherBuilder {
public:
  LauncherBuilder(Location loc, ModuleOp module, const llvm::Triple &triple,
                  std::optional<LaunchAbi> abi, const LauncherOptions &options)
      : b(loc, OpBuilder::atBlockEnd(module.getBody())), triple(triple),
        abi(abi), options(options) {
    ptr = LLVM::LLVMPointerType::get(b.getContext());
    i32 = b.getI32Type();
    i64 = b.getI64Type();
  }

  void emitDeclarations();
  void emitStub(const HostKernel &kernel);

private:
  Value constant(Type type, int64_t value) {
    return LLVM::ConstantOp::create(b, type, b.getIntegerAttr(type, value));
  }
  Value allocate(Type type, int64_t count, unsigned alignment = 0) {
    return LLVM::AllocaOp::create(b, ptr, type, constant(i32, count),
                                  alignment);
  }
  Value offset(Type type, Value base, int64_t index) {
    return LLVM::GEPOp::create(b, ptr, type, base,
                               ArrayRef<LLVM::GEPArg>{int32_t(index)});
  }
  /// Addresses of the arguments: an aggregate is passed by its address, other
  /// arguments get a stack slot.
  SmallVector<Value> addresses(ValueRange visible);
  /// Stores `values` into a stack array; null without any.
  Value pointerArray(ValueRange values) {
    if (values.empty())
      return LLVM::ZeroOp::create(b, ptr);
    Value array = allocate(ptr, int64_t(values.size()));
    for (auto [index, value] : llvm::enumerate(values))
      LLVM::StoreOp::create(b, value, offset(ptr, array, int64_t(index)));
    return array;
  }

  /// Grid extents and block extents of the launch.
  SmallVector<Value> configuration(const HostKernel &kernel, ValueRange grid);
  /// Builds and fills the parameter block of the plain form.
  Value fillBlock(const HostKernel &kernel, ValueRange visible,
                  Value workspace);
  Value launchByDriver(const HostKernel &kernel, Value function, Value stream,
                       ArrayRef<Value> extents, ValueRange visible,
                       Value block);
  Value launchByRuntime(const HostKernel &kernel, Value function, Value stream,
                        ArrayRef<Value> extents, ValueRange visible,
                        Value block);
  /// Types and values of a `dim3` that is passed by value.
  SmallVector<Type> dimTypes();
  void appendDim(ArrayRef<Value> extents, SmallVectorImpl<Value> &operands);

  void log(const HostKernel &kernel, ArrayRef<Value> extents,
           ValueRange visible, Value block);
  void logMap(unsigned index, Value block, int64_t at);
  void print(StringRef format, ValueRange values);

  ImplicitLocOpBuilder b;
  const llvm::Triple &triple;
  std::optional<LaunchAbi> abi;
  LauncherOptions options;
  Type ptr, i32, i64;
  unsigned numFormats = 0;
};

} // namespace

SmallVector<Type> LauncherBuilder::dimTypes() {
  // A `dim3` has 12 bytes: two registers by value, or a reference on Windows.
  if (triple.isOSWindows() && triple.getArch() == llvm::Triple::x86_64)
    return {ptr};
  if (triple.getArch() == llvm::Triple::aarch64)
    return {LLVM::LLVMArrayType::get(i64, 2)};
  return {i64, i32};
}

void LauncherBuilder::appendDim(ArrayRef<Value> extents,
                                SmallVectorImpl<Value> &operands) {
  SmallVector<Type> types = dimTypes();
  if (types.front() == ptr) {
    Value dim = allocate(i32, 3);
    for (auto [axis, extent] : llvm::enumerate(extents))
      LLVM::StoreOp::create(b, extent, offset(i32, dim, int64_t(axis)));
    operands.push_back(dim);
    return;
  }
  Value low = LLVM::ZExtOp::create(b, i64, extents[0]);
  Value high = LLVM::ZExtOp::create(b, i64, extents[1]);
  high = LLVM::ShlOp::create(b, high, constant(i64, 32));
  Value both = LLVM::OrOp::create(b, low, high);
  if (types.size() == 2) {
    operands.append({both, extents[2]});
    return;
  }
  Value pair = LLVM::PoisonOp::create(b, types.front());
  pair = LLVM::InsertValueOp::create(b, pair, both, ArrayRef<int64_t>{0});
  pair = LLVM::InsertValueOp::create(
      b, pair, LLVM::ZExtOp::create(b, i64, extents[2]), ArrayRef<int64_t>{1});
  operands.push_back(pair);
}

void LauncherBuilder::emitDeclarations() {
  if (options.runtime) {
    SmallVector<Type> types = {ptr};
    llvm::append_range(types, dimTypes());
    llvm::append_range(types, dimTypes());
    types.append({ptr, i64, ptr});
    LLVM::LLVMFuncOp::create(b, runtimeFunction,
                             LLVM::LLVMFunctionType::get(i32, types));
  } else {
    LLVM::LLVMFuncOp::create(
        b, driverFunction,
        LLVM::LLVMFunctionType::get(
            i32, {ptr, i32, i32, i32, i32, i32, i32, i32, ptr, ptr, ptr}));
  }
  if (options.logging)
    LLVM::LLVMFuncOp::create(
        b, printFunction,
        LLVM::LLVMFunctionType::get(i32, {ptr}, /*isVarArg=*/true));
}

SmallVector<Value> LauncherBuilder::configuration(const HostKernel &kernel,
                                                  ValueRange grid) {
  bool isTile = abi == LaunchAbi::Tile;
  SmallVector<Value> extents;
  for (auto [extent, cluster] : llvm::zip_equal(grid, kernel.cluster))
    extents.push_back(
        isTile || cluster == 1
            ? extent
            : LLVM::MulOp::create(b, extent, constant(i32, cluster)));
  // A tile kernel determines its own block; the launcher passes (1, 1, 1).
  for (int64_t extent : kernel.block)
    extents.push_back(constant(i32, isTile ? 1 : extent));
  return extents;
}

//===----------------------------------------------------------------------===//
// Log
//===----------------------------------------------------------------------===//

/// Escapes `text` for a format string.
static std::string literally(StringRef text) {
  std::string result;
  for (char c : text)
    result.append(c == '%' ? 2 : 1, c);
  return result;
}

void LauncherBuilder::print(StringRef format, ValueRange values) {
  std::string text = format.str();
  text.push_back('\0');
  std::string name = "__tileir_format_" + std::to_string(numFormats++);
  {
    OpBuilder::InsertionGuard guard(b);
    auto function = b.getInsertionBlock()->getParentOp();
    b.setInsertionPoint(function);
    LLVM::GlobalOp::create(b,
                           LLVM::LLVMArrayType::get(b.getI8Type(), text.size()),
                           /*isConstant=*/true, LLVM::Linkage::Internal, name,
                           b.getStringAttr(text), /*alignment=*/1);
  }
  SmallVector<Value> operands = {LLVM::AddressOfOp::create(b, ptr, name)};
  llvm::append_range(operands, values);
  LLVM::CallOp::create(
      b, LLVM::LLVMFunctionType::get(i32, {ptr}, /*isVarArg=*/true),
      printFunction, operands);
}

/// Name of a parameter's type in the log.
static std::string typeName(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return literally(text);
}

/// Logs 64 of the 128 bytes, which hold all information: two rows of four
/// words.
void LauncherBuilder::logMap(unsigned index, Value block, int64_t at) {
  SmallVector<Value> words;
  for (int64_t word = 0; word != 8; ++word)
    words.push_back(LLVM::LoadOp::create(
        b, i64, offset(b.getI8Type(), block, at + 8 * word), /*alignment=*/1));
  print("  [" + std::to_string(index) +
            "] tensormap = %016llx %016llx %016llx %016llx\n",
        ArrayRef<Value>(words).take_front(4));
  print("                  %016llx %016llx %016llx %016llx\n",
        ArrayRef<Value>(words).drop_front(4));
}

void LauncherBuilder::log(const HostKernel &kernel, ArrayRef<Value> extents,
                          ValueRange visible, Value block) {
  print("[tileir] launch " + literally(kernel.name) +
            " grid=(%u,%u,%u) block=(%u,%u,%u)\n",
        extents);
  for (auto [index, argument] : llvm::enumerate(visible)) {
    Type type = kernel.parameters[index];
    std::string head =
        "  [" + std::to_string(index) + "] " + typeName(type) + " = ";
    if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() <= 64) {
      Value wide = argument;
      if (!type.isF64())
        wide = LLVM::FPExtOp::create(b, b.getF64Type(), argument);
      print(head + "%g\n", wide);
    } else if (type.isInteger() && type.getIntOrFloatBitWidth() <= 64) {
      Value wide = argument;
      if (!type.isInteger(64))
        wide = LLVM::SExtOp::create(b, i64, argument);
      print(head + "%lld\n", wide);
    } else {
      print(head + "(not shown)\n", ValueRange());
    }
  }
  if (!block)
    return;
  unsigned index = unsigned(kernel.parameters.size());
  if (kernel.workspaceOffset)
    print("  [" + std::to_string(index++) + "] i64 = %lld\n",
          LLVM::LoadOp::create(
              b, i64, offset(b.getI8Type(), block, *kernel.workspaceOffset),
              /*alignment=*/1)
              .getResult());
  for (const HostMap &map : kernel.maps)
    logMap(index++, block, map.offset);
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

SmallVector<Value> LauncherBuilder::addresses(ValueRange visible) {
  SmallVector<Value> slots;
  for (Value value : visible) {
    // The log prints a pointer as a number.
    if (value.getType() == ptr) {
      slots.push_back(value);
      continue;
    }
    slots.push_back(allocate(value.getType(), 1));
    LLVM::StoreOp::create(b, value, slots.back());
  }
  return slots;
}

Value LauncherBuilder::fillBlock(const HostKernel &kernel, ValueRange visible,
                                 Value workspace) {
  Type i8 = b.getI8Type();
  Value block = allocate(i8, kernel.blockBytes,
                         /*alignment=*/unsigned(limits::tensorMapAlign));
  for (auto [value, at, type] :
       llvm::zip_equal(visible, kernel.offsets, kernel.parameters)) {
    Value to = offset(i8, block, at);
    if (value.getType() == ptr)
      LLVM::MemcpyOp::create(b, to, value,
                             constant(i64, parameterSizeAndAlign(type)->first),
                             /*isVolatile=*/false);
    else
      LLVM::StoreOp::create(b, value, to, /*alignment=*/1);
  }
  if (workspace)
    LLVM::StoreOp::create(b, workspace,
                          offset(i8, block, *kernel.workspaceOffset),
                          /*alignment=*/1);
  emitTensorMaps(b, kernel, block);
  return block;
}

Value LauncherBuilder::launchByDriver(const HostKernel &kernel, Value function,
                                      Value stream, ArrayRef<Value> extents,
                                      ValueRange visible, Value block) {
  Value null = LLVM::ZeroOp::create(b, ptr);
  Value parameters = null, extra = null;
  if (block) {
    Value size = allocate(i64, 1);
    LLVM::StoreOp::create(b, constant(i64, kernel.blockBytes), size);
    auto mark = [&](int64_t value) -> Value {
      return LLVM::IntToPtrOp::create(b, ptr, constant(i64, value));
    };
    extra = pointerArray({mark(bufferPointerMark), block, mark(bufferSizeMark),
                          size, mark(endMark)});
  } else {
    parameters = pointerArray(addresses(visible));
  }
  SmallVector<Value> operands = {function};
  llvm::append_range(operands, extents);
  operands.push_back(constant(i32, kernel.dynamicShared));
  operands.append({stream, parameters, extra});
  return LLVM::CallOp::create(b, TypeRange{i32}, driverFunction, operands)
      .getResult();
}

Value LauncherBuilder::launchByRuntime(const HostKernel &kernel, Value function,
                                       Value stream, ArrayRef<Value> extents,
                                       ValueRange visible, Value block) {
  SmallVector<Value> slots;
  if (block) {
    Type i8 = b.getI8Type();
    for (int64_t at : kernel.offsets)
      slots.push_back(offset(i8, block, at));
    if (kernel.workspaceOffset)
      slots.push_back(offset(i8, block, *kernel.workspaceOffset));
    for (const HostMap &map : kernel.maps)
      slots.push_back(offset(i8, block, map.offset));
  } else {
    slots = addresses(visible);
  }
  SmallVector<Value> operands = {function};
  appendDim(extents.take_front(3), operands);
  appendDim(extents.drop_front(3), operands);
  operands.append(
      {pointerArray(slots), constant(i64, kernel.dynamicShared), stream});
  return LLVM::CallOp::create(b, TypeRange{i32}, runtimeFunction, operands)
      .getResult();
}

void LauncherBuilder::emitStub(const HostKernel &kernel) {
  OpBuilder::InsertionGuard guard(b);
  b.setLoc(kernel.loc);
  bool filled = kernel.hasHidden && abi != LaunchAbi::Tile && !kernel.open;
  SmallVector<Type> types = {ptr, ptr, i32, i32, i32};
  // An address is passed in the same way by every language.
  for (Type type : kernel.parameters)
    types.push_back(
        isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(type) ? ptr : type);
  // The plain form takes the workspace from the caller.
  if (filled && kernel.workspaceOffset)
    types.push_back(i64);
  auto op = LLVM::LLVMFuncOp::create(b, "__tileir_launch_" + kernel.name,
                                     LLVM::LLVMFunctionType::get(i32, types));
  if (kernel.open)
    op->setAttr(launch::openBodyName, b.getUnitAttr());
  b.setInsertionPointToStart(op.addEntryBlock(b));
  ValueRange arguments = op.getArguments();
  ValueRange grid = arguments.slice(2, 3);
  ValueRange visible = arguments.slice(5, kernel.parameters.size());

  SmallVector<Value> extents = configuration(kernel, grid);
  Value block;
  if (filled)
    block = fillBlock(kernel, visible,
                      kernel.workspaceOffset ? arguments.back() : Value());
  if (options.logging)
    log(kernel, extents, visible, block);
  Value result = options.runtime
                     ? launchByRuntime(kernel, arguments[0], arguments[1],
                                       extents, visible, block)
                     : launchByDriver(kernel, arguments[0], arguments[1],
                                      extents, visible, block);
  LLVM::ReturnOp::create(b, result);
}

ModuleOp buildLauncherModule(OpBuilder &builder, Location loc, StringRef name,
                             StringRef triple, ArrayRef<HostKernel> kernels,
                             std::optional<LaunchAbi> abi,
                             const LauncherOptions &options) {
  auto module = ModuleOp::create(builder, loc, name);
  module->setAttr(launch::launcherModuleName, builder.getUnitAttr());
  module->setAttr(LLVM::LLVMDialect::getTargetTripleAttrName(),
                  builder.getStringAttr(triple));
  llvm::Triple parsed(triple);
  LauncherBuilder launchers(loc, module, parsed, abi, options);
  launchers.emitDeclarations();
  for (const HostKernel &kernel : kernels)
    launchers.emitStub(kernel);
  return module;
}

} // namespace tileir

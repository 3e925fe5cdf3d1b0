// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/host_wrapper/HostModule.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tileir {

using namespace mlir;

namespace {

constexpr StringLiteral launchFunction = "cuLaunchKernel";
constexpr StringLiteral printFunction = "printf";

class LauncherBuilder {
public:
  LauncherBuilder(Location loc, ModuleOp module, std::optional<LaunchAbi> abi,
                  bool logging)
      : b(loc, OpBuilder::atBlockEnd(module.getBody())), abi(abi),
        logging(logging) {
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
  /// Grid extents and block extents of the call.
  void configuration(const HostKernel &kernel, ValueRange grid,
                     SmallVectorImpl<Value> &extents);
  void log(const HostKernel &kernel, ValueRange grid, ArrayRef<Value> block,
           ValueRange arguments);
  void print(StringRef format, ValueRange values);

  ImplicitLocOpBuilder b;
  std::optional<LaunchAbi> abi;
  bool logging;
  Type ptr, i32, i64;
  unsigned numFormats = 0;
};

} // namespace

void LauncherBuilder::emitDeclarations() {
  auto launchType = LLVM::LLVMFunctionType::get(
      i32, {ptr, i32, i32, i32, i32, i32, i32, i32, ptr, ptr, ptr});
  LLVM::LLVMFuncOp::create(b, launchFunction, launchType);
  if (logging)
    LLVM::LLVMFuncOp::create(
        b, printFunction,
        LLVM::LLVMFunctionType::get(i32, {ptr}, /*isVarArg=*/true));
}

void LauncherBuilder::configuration(const HostKernel &kernel, ValueRange grid,
                                    SmallVectorImpl<Value> &extents) {
  bool isTile = abi == LaunchAbi::Tile;
  for (auto [extent, cluster] : llvm::zip_equal(grid, kernel.cluster))
    extents.push_back(
        isTile || cluster == 1
            ? extent
            : LLVM::MulOp::create(b, extent, constant(i32, cluster)));
  // The block of a tile kernel is its own business; the launcher says (1, 1,
  // 1).
  for (int64_t extent : kernel.block)
    extents.push_back(constant(i32, isTile ? 1 : extent));
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

/// The name of a parameter's type in the log.
static std::string typeName(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

void LauncherBuilder::log(const HostKernel &kernel, ValueRange grid,
                          ArrayRef<Value> block, ValueRange arguments) {
  SmallVector<Value> extents(grid);
  llvm::append_range(extents, block);
  print("[tileir] launch " + kernel.name +
            " grid=(%u,%u,%u) block=(%u,%u,%u)\n",
        extents);
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    Type type = argument.getType();
    std::string head =
        "  [" + std::to_string(index) + "] " + typeName(type) + " = ";
    if (isa<FloatType>(type)) {
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
      print(head + "(aggregate)\n", ValueRange());
    }
  }
}

void LauncherBuilder::emitStub(const HostKernel &kernel) {
  OpBuilder::InsertionGuard guard(b);
  b.setLoc(kernel.loc);
  SmallVector<Type> types = {ptr, ptr, i32, i32, i32};
  llvm::append_range(types, kernel.parameters);
  auto op = LLVM::LLVMFuncOp::create(b, "__tileir_launch_" + kernel.name,
                                     LLVM::LLVMFunctionType::get(i32, types));
  b.setInsertionPointToStart(op.addEntryBlock(b));
  ValueRange arguments = op.getArguments();
  ValueRange grid = arguments.slice(2, 3);
  ValueRange visible = arguments.drop_front(5);

  SmallVector<Value> extents;
  configuration(kernel, grid, extents);
  if (logging)
    log(kernel, ArrayRef<Value>(extents).take_front(3),
        ArrayRef<Value>(extents).drop_front(3), visible);

  // One stack slot for each parameter and an array of their addresses.
  Value one = constant(i32, 1);
  Value null = LLVM::ZeroOp::create(b, ptr);
  Value addresses = null;
  if (!visible.empty()) {
    addresses =
        LLVM::AllocaOp::create(b, ptr, ptr, constant(i32, visible.size()));
    for (auto [index, value] : llvm::enumerate(visible)) {
      Value slot = LLVM::AllocaOp::create(b, ptr, value.getType(), one);
      LLVM::StoreOp::create(b, value, slot);
      Value at = LLVM::GEPOp::create(b, ptr, ptr, addresses,
                                     ArrayRef<LLVM::GEPArg>{int32_t(index)});
      LLVM::StoreOp::create(b, slot, at);
    }
  }
  SmallVector<Value> operands = {arguments[0]};
  llvm::append_range(operands, extents);
  operands.push_back(constant(i32, kernel.dynamicShared));
  operands.append({arguments[1], addresses, null});
  auto call = LLVM::CallOp::create(b, TypeRange{i32}, launchFunction, operands);
  LLVM::ReturnOp::create(b, call.getResult());
}

FailureOr<ModuleOp> buildLauncherModule(OpBuilder &builder, Location loc,
                                        StringRef name, StringRef triple,
                                        ArrayRef<HostKernel> kernels,
                                        std::optional<LaunchAbi> abi,
                                        bool logging) {
  for (const HostKernel &kernel : kernels)
    if (kernel.hasHidden && abi != LaunchAbi::Tile)
      return emitError(kernel.loc)
             << "no launcher stub for kernel '" << kernel.name
             << "': hidden parameters of the plain form are filled by the "
                "launcher; use the tile form or launch by hand";
  auto module = ModuleOp::create(builder, loc, name);
  module->setAttr(launch::launcherModuleName, builder.getUnitAttr());
  module->setAttr(LLVM::LLVMDialect::getTargetTripleAttrName(),
                  builder.getStringAttr(triple));
  LauncherBuilder launchers(loc, module, abi, logging);
  launchers.emitDeclarations();
  for (const HostKernel &kernel : kernels)
    launchers.emitStub(kernel);
  return module;
}

} // namespace tileir

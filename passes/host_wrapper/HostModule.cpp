// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/host_wrapper/HostModule.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/SmallVectorExtras.h"

namespace tileir {

using namespace mlir;

namespace {

constexpr StringLiteral preLoadName = "__CUDA_TILEIR_ON_PRE_LOAD";
constexpr StringLiteral tableName = "__CUDA_TILEIR_CALLBACKS";
constexpr StringLiteral copyName = "__CUDA_TILEIR_CALLBACKS_ON_PRE_LOAD";
constexpr StringLiteral entriesName = "__CUDA_TILEIR_FUNC_CALLBACKS";
constexpr StringLiteral nameName = "__CUDA_TILEIR_FUNC_NAME_";
constexpr StringLiteral changeName = "__CUDA_TILEIR_FUNC_ON_ARGUMENTS_CHANGE_";

/// Layout version in the first word of the module table.
constexpr int64_t tableVersion = 2;
/// Highest interface version that ON_PRE_LOAD supports: from this version on
/// the driver gives kernels per-CTA memory, and the module requests no
/// workspace.
constexpr int64_t interfaceVersion = 2;
constexpr int64_t tableWords = 9;
constexpr int64_t workspaceWord = 2;
constexpr int64_t entryBytes = 64;
/// Index of the device attribute query in the driver's callback table, and the
/// attribute number of the SM count.
constexpr int64_t attributeSlot = 6;
constexpr int64_t attributeSMs = 16;

/// Builds the host module; each function appends one symbol.
class HostModuleBuilder {
public:
  HostModuleBuilder(Location loc, ModuleOp module)
      : b(loc, OpBuilder::atBlockEnd(module.getBody())) {
    MLIRContext *context = b.getContext();
    ptr = LLVM::LLVMPointerType::get(context);
    i32 = b.getI32Type();
    i64 = b.getI64Type();
    // Vectorised constants would need a mergeable section, and nothing resolves
    // calls into the runtime.
    passthrough = b.getStrArrayAttr({"noimplicitfloat", "nounwind"});
  }

  void build(ArrayRef<HostKernel> kernels);

private:
  Value constant(Type type, int64_t value) {
    return LLVM::ConstantOp::create(b, type, b.getIntegerAttr(type, value));
  }
  Value null() { return LLVM::ZeroOp::create(b, ptr); }
  Value byteOffset(Value base, int64_t bytes) {
    return LLVM::GEPOp::create(b, ptr, b.getI8Type(), base,
                               ArrayRef<LLVM::GEPArg>{int32_t(bytes)});
  }
  Value insert(Value aggregate, Value value, ArrayRef<int64_t> position) {
    return LLVM::InsertValueOp::create(b, aggregate, value, position);
  }
  Value address(StringRef symbol) {
    return LLVM::AddressOfOp::create(b, ptr, symbol);
  }

  /// Adds a global whose initializer `body` builds and returns.
  void global(StringRef name, Type type, LLVM::Linkage linkage, bool isConstant,
              llvm::function_ref<Value()> body);
  LLVM::LLVMFuncOp function(StringRef name, LLVM::Linkage linkage,
                            ArrayRef<Type> arguments);

  void emitName(unsigned index, const HostKernel &kernel);
  void emitEntries(ArrayRef<HostKernel> kernels);
  void emitTable(ArrayRef<HostKernel> kernels, int64_t workspacePerSM);
  void emitCopy();
  void emitPreLoad(int64_t workspacePerSM);
  void emitArgumentsChange(unsigned index, const HostKernel &kernel);

  ImplicitLocOpBuilder b;
  Type ptr, i32, i64;
  ArrayAttr passthrough;
};

} // namespace

void HostModuleBuilder::global(StringRef name, Type type, LLVM::Linkage linkage,
                               bool isConstant,
                               llvm::function_ref<Value()> body) {
  OpBuilder::InsertionGuard guard(b);
  auto op = LLVM::GlobalOp::create(b, type, isConstant, linkage, name,
                                   /*value=*/Attribute(), /*alignment=*/8);
  b.createBlock(&op.getInitializerRegion());
  LLVM::ReturnOp::create(b, body());
}

LLVM::LLVMFuncOp HostModuleBuilder::function(StringRef name,
                                             LLVM::Linkage linkage,
                                             ArrayRef<Type> arguments) {
  auto type = LLVM::LLVMFunctionType::get(i32, arguments);
  auto op = LLVM::LLVMFuncOp::create(b, name, type, linkage);
  op.setPassthroughAttr(passthrough);
  op.addEntryBlock(b);
  return op;
}

void HostModuleBuilder::emitName(unsigned index, const HostKernel &kernel) {
  std::string text = kernel.name;
  text.push_back('\0');
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), text.size());
  LLVM::GlobalOp::create(b, type, /*isConstant=*/true, LLVM::Linkage::Internal,
                         (nameName + Twine(index)).str(), b.getStringAttr(text),
                         /*alignment=*/1);
}

/// Emits 64 bytes for each kernel: its name, zeros, its function.
void HostModuleBuilder::emitEntries(ArrayRef<HostKernel> kernels) {
  auto zeros = LLVM::LLVMArrayType::get(i64, 4);
  auto entry = LLVM::LLVMStructType::getLiteral(b.getContext(),
                                                {ptr, zeros, ptr, i64, i64});
  auto type = LLVM::LLVMArrayType::get(entry, kernels.size());
  global(entriesName, type, LLVM::Linkage::Internal, /*isConstant=*/true, [&] {
    Value table = LLVM::ZeroOp::create(b, type);
    for (int64_t i = 0, e = kernels.size(); i != e; ++i) {
      table = insert(table, address((nameName + Twine(i)).str()), {i, 0});
      table = insert(table, address((changeName + Twine(i)).str()), {i, 2});
    }
    return table;
  });
}

static Type tableType(MLIRContext *context) {
  Type i64 = IntegerType::get(context, 64);
  Type ptr = LLVM::LLVMPointerType::get(context);
  return LLVM::LLVMStructType::getLiteral(
      context, {i64, i64, i64, i64, i64, ptr, i64, i64, ptr});
}

void HostModuleBuilder::emitTable(ArrayRef<HostKernel> kernels,
                                  int64_t workspacePerSM) {
  Type type = tableType(b.getContext());
  global(tableName, type, LLVM::Linkage::External, /*isConstant=*/true, [&] {
    Value table = LLVM::ZeroOp::create(b, type);
    auto setWord = [&](int64_t index, int64_t value) {
      Value word = constant(i64, value);
      table = insert(table, word, index);
      return word;
    };
    setWord(0, tableVersion);
    setWord(workspaceWord, workspacePerSM * limits::workspaceSMs);
    setWord(4, entryBytes);
    table = insert(table, address(entriesName), 5);
    setWord(6, kernels.size());
    setWord(7, interfaceVersion)
        .getDefiningOp()
        ->setAttr(launch::interfaceVersionName, b.getUnitAttr());
    return insert(table, address(preLoadName), 8);
  });
}

/// Emits the copy of the table that ON_PRE_LOAD fills and returns.
void HostModuleBuilder::emitCopy() {
  Type type = tableType(b.getContext());
  global(copyName, type, LLVM::Linkage::Internal, /*isConstant=*/false,
         [&] { return LLVM::ZeroOp::create(b, type).getResult(); });
}

/// Emits i32 (callbacks, device, version, out). Version 0 returns 1. For other
/// versions the function copies the table; below version 2 it sizes the
/// workspace by the device's SM count, which the driver's callback returns;
/// from version 2 on it requests no workspace.
void HostModuleBuilder::emitPreLoad(int64_t workspacePerSM) {
  OpBuilder::InsertionGuard guard(b);
  LLVM::LLVMFuncOp op =
      function(preLoadName, LLVM::Linkage::External, {ptr, i64, i32, ptr});
  Block *entry = &op.front();
  Value callbacks = op.getArgument(0), device = op.getArgument(1);
  Value version = op.getArgument(2), out = op.getArgument(3);
  Block *refuse = b.createBlock(&op.getBody(), op.getBody().end());
  Block *known = b.createBlock(&op.getBody(), op.getBody().end());
  Block *query = b.createBlock(&op.getBody(), op.getBody().end());
  Block *fill =
      b.createBlock(&op.getBody(), op.getBody().end(), i64, b.getLoc());

  b.setInsertionPointToStart(entry);
  Value count = LLVM::AllocaOp::create(b, ptr, i32, constant(i32, 1),
                                       /*alignment=*/4);
  Value isZero = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, version,
                                      constant(i32, 0));
  LLVM::CondBrOp::create(b, isZero, refuse, known);

  b.setInsertionPointToStart(refuse);
  LLVM::ReturnOp::create(b, constant(i32, 1));

  b.setInsertionPointToStart(known);
  Value newest = constant(i32, interfaceVersion - 1);
  newest.getDefiningOp()->setAttr(launch::workspaceVersionName,
                                  b.getUnitAttr());
  Value isOld =
      LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::sle, version, newest);
  Value none = constant(i64, 0);
  LLVM::CondBrOp::create(b, isOld, query, ValueRange(), fill, ValueRange(none));

  b.setInsertionPointToStart(query);
  LLVM::StoreOp::create(b, constant(i32, 0), count, /*alignment=*/4);
  Value slot = byteOffset(callbacks, attributeSlot * 8);
  Value getAttribute = LLVM::LoadOp::create(b, ptr, slot, /*alignment=*/8);
  auto type = LLVM::LLVMFunctionType::get(i32, {i64, i32, ptr});
  LLVM::CallOp::create(
      b, type,
      ValueRange{getAttribute, device, constant(i32, attributeSMs), count});
  Value sms = LLVM::LoadOp::create(b, i32, count, /*alignment=*/4);
  Value wide = LLVM::SExtOp::create(b, i64, sms);
  Value bytes = LLVM::MulOp::create(b, wide, constant(i64, workspacePerSM));
  LLVM::BrOp::create(b, ValueRange(bytes), fill);

  b.setInsertionPointToStart(fill);
  Value from = address(tableName), to = address(copyName);
  for (int64_t word = 0; word != tableWords; ++word) {
    Value value = fill->getArgument(0);
    if (word != workspaceWord)
      value = LLVM::LoadOp::create(b, i64, byteOffset(from, word * 8),
                                   /*alignment=*/8);
    LLVM::StoreOp::create(b, value, byteOffset(to, word * 8), /*alignment=*/8);
  }
  LLVM::StoreOp::create(b, to, out, /*alignment=*/8);
  LLVM::ReturnOp::create(b, constant(i32, 0));
}

/// Emits i32 (a0, a1, a2, block): writes the hidden part of the parameter block
/// and returns 0. The block may start at any byte.
void HostModuleBuilder::emitArgumentsChange(unsigned index,
                                            const HostKernel &kernel) {
  OpBuilder::InsertionGuard guard(b);
  LLVM::LLVMFuncOp op = function((changeName + Twine(index)).str(),
                                 LLVM::Linkage::Internal, {ptr, ptr, ptr, ptr});
  b.setInsertionPointToStart(&op.front());
  if (kernel.open)
    op->setAttr(launch::openBodyName, b.getUnitAttr());
  if (kernel.workspaceOffset) {
    Value workspace = LLVM::LoadOp::create(
        b, i64, byteOffset(op.getArgument(1), 8), /*alignment=*/8);
    LLVM::StoreOp::create(
        b, workspace, byteOffset(op.getArgument(3), *kernel.workspaceOffset),
        /*alignment=*/1);
  }
  emitTensorMaps(b, kernel, op.getArgument(3));
  LLVM::ReturnOp::create(b, constant(i32, 0));
}

void HostModuleBuilder::build(ArrayRef<HostKernel> kernels) {
  int64_t maps = 0;
  for (const HostKernel &kernel : kernels)
    maps = std::max(maps, kernel.deviceMaps);
  int64_t workspacePerSM = maps * limits::workspaceBytesPerMapAndSM;

  for (auto [index, kernel] : llvm::enumerate(kernels))
    emitName(index, kernel);
  emitEntries(kernels);
  emitTable(kernels, workspacePerSM);
  emitCopy();
  emitPreLoad(workspacePerSM);
  for (auto [index, kernel] : llvm::enumerate(kernels)) {
    b.setLoc(kernel.loc);
    emitArgumentsChange(index, kernel);
  }
}

void emitTensorMaps(ImplicitLocOpBuilder &b, const HostKernel &kernel,
                    Value block) {
  auto ptr = LLVM::LLVMPointerType::get(b.getContext());
  auto at = [&](int64_t bytes) -> Value {
    return LLVM::GEPOp::create(b, ptr, b.getI8Type(), block,
                               ArrayRef<LLVM::GEPArg>{int32_t(bytes)});
  };
  // One load for each parameter, of the parameter's own size.
  SmallVector<Value> loaded(kernel.offsets.size());
  auto argument = [&](unsigned index, unsigned width) -> Value {
    Value &value = loaded[index];
    if (!value) {
      Type type = b.getIntegerType(std::max(width, 8u));
      value = LLVM::LoadOp::create(b, type, at(kernel.offsets[index]),
                                   /*alignment=*/1);
      if (width == 1)
        value = LLVM::TruncOp::create(b, b.getI1Type(), value);
    }
    return value;
  };
  constexpr int64_t words = limits::tensorMapBytes / 8;
  for (const HostMap &map : kernel.maps) {
    const TensorMapRecipe &recipe = map.recipe;
    SmallVector<Value> values = emitExpressions(b, recipe.graph, argument);
    auto pick = [&](ArrayRef<ExpressionGraph::Id> ids) {
      return llvm::map_to_vector(
          ids, [&](ExpressionGraph::Id id) { return values[id]; });
    };
    std::array<Value, 8> defined =
        emitTensorMapWords(b, recipe.shape, values[recipe.base],
                           pick(recipe.extents), pick(recipe.strides));
    Value zero =
        LLVM::ConstantOp::create(b, b.getI64Type(), b.getI64IntegerAttr(0));
    for (int64_t word = 0; word != words; ++word)
      LLVM::StoreOp::create(
          b, word < int64_t(defined.size()) ? defined[word] : zero,
          at(map.offset + 8 * word), /*alignment=*/1);
  }
}

ModuleOp buildHostModule(OpBuilder &builder, Location loc, StringRef name,
                         StringRef triple, ArrayRef<HostKernel> kernels) {
  auto module = ModuleOp::create(builder, loc, name);
  module->setAttr(launch::hostModuleName, builder.getUnitAttr());
  module->setAttr(LLVM::LLVMDialect::getTargetTripleAttrName(),
                  builder.getStringAttr(triple));
  HostModuleBuilder(loc, module).build(kernels);
  return module;
}

} // namespace tileir

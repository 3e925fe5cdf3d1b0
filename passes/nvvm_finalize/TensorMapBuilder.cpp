// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/nvvm_finalize/TensorMaps.h"

#include "passes/analysis/PtxBuilder.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace tileir {

using namespace mlir;

static constexpr unsigned sharedSpace = 3;
/// Workspace bytes of a warp, within the workspace of its SM.
static constexpr int64_t workspaceBytesPerWarp = limits::tensorMapBytes;

/// The block's copy of the map in shared memory, followed by the address of the
/// CTA's slot.
static LLVM::GlobalOp makeImage(LLVM::LLVMFuncOp kernel, unsigned index) {
  OpBuilder b(kernel);
  auto type =
      LLVM::LLVMArrayType::get(b.getI64Type(), limits::tensorMapBytes / 8 + 1);
  std::string name =
      "__tileir_map_" + kernel.getName().str() + "_" + std::to_string(index);
  return LLVM::GlobalOp::create(
      b, kernel.getLoc(), type, /*isConstant=*/false, LLVM::Linkage::Internal,
      name, /*value=*/Attribute(), /*alignment=*/limits::tensorMapBytes,
      sharedSpace);
}

/// Declares the function whose calls the serializer replaces.
static void declarePerCtaMemory(LLVM::LLVMFuncOp kernel) {
  Operation *module = kernel->getParentOp();
  if (SymbolTable::lookupSymbolIn(module, launch::perCtaMemoryName))
    return;
  OpBuilder b(kernel);
  LLVM::LLVMFuncOp::create(b, kernel.getLoc(), launch::perCtaMemoryName,
                           LLVM::LLVMFunctionType::get(b.getI64Type(), {}));
}

namespace {

/// Emits the code that builds one map, block by block.
class MapBuilder {
public:
  MapBuilder(LLVM::CallOp call, LLVM::GlobalOp image)
      : call(call), image(image), b(call.getLoc(), call), i32(b.getI32Type()),
        i64(b.getI64Type()),
        shared(LLVM::LLVMPointerType::get(b.getContext(), sharedSpace)) {}

  void build(const TensorMapShape &shape, Value workspace, unsigned index);

private:
  Value number(Type type, int64_t value) {
    return LLVM::ConstantOp::create(b, type, b.getIntegerAttr(type, value));
  }
  Value imageAt(int64_t word) {
    Value base = LLVM::AddressOfOp::create(b, shared, image.getSymName());
    return LLVM::GEPOp::create(b, shared, i64, base,
                               ArrayRef<LLVM::GEPArg>{int32_t(word)});
  }
  Value linearThread();
  /// Stores word `index` of the image in the threads where `condition` holds.
  void storeIf(Value condition, Value value, int64_t index);
  Value slot(Value workspace, unsigned index);

  LLVM::CallOp call;
  LLVM::GlobalOp image;
  ImplicitLocOpBuilder b;
  Type i32, i64;
  Type shared;
};

} // namespace

Value MapBuilder::linearThread() {
  Value x = NVVM::ThreadIdXOp::create(b, i32);
  Value y = NVVM::ThreadIdYOp::create(b, i32);
  Value z = NVVM::ThreadIdZOp::create(b, i32);
  Value nx = NVVM::BlockDimXOp::create(b, i32);
  Value ny = NVVM::BlockDimYOp::create(b, i32);
  Value rows = LLVM::AddOp::create(b, y, LLVM::MulOp::create(b, z, ny));
  return LLVM::AddOp::create(b, x, LLVM::MulOp::create(b, rows, nx));
}

void MapBuilder::storeIf(Value condition, Value value, int64_t index) {
  PtxBuilder ptx(b, b.getLoc(), PtxEffects::Memory);
  std::string to = ptx.address(imageAt(index)), from = ptx.in(value),
              guard = ptx.guard(condition);
  ptx.emit(guard + "st.shared.b64 [" + to + "], " + from + ";");
}

/// The CTA's own memory where the driver gives it, else the warp's part of the
/// workspace, which is ordered by map, SM and warp of the SM.
Value MapBuilder::slot(Value workspace, unsigned index) {
  Value own = LLVM::CallOp::create(b, TypeRange{i64}, launch::perCtaMemoryName,
                                   ValueRange())
                  .getResult();
  Value isThere =
      LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, own, number(i64, 0));
  Value ownSlot = LLVM::AddOp::create(
      b, own, number(i64, int64_t(index) * limits::tensorMapBytes));
  auto wide = [&](Value value) -> Value {
    return LLVM::ZExtOp::create(b, i64, value);
  };
  Value sm = wide(NVVM::SmIdOp::create(b, i32));
  Value sms = wide(NVVM::SmDimOp::create(b, i32));
  Value warp = wide(NVVM::WarpIdOp::create(b, i32));
  Value piece = LLVM::AddOp::create(
      b, sm, LLVM::MulOp::create(b, sms, number(i64, index)));
  Value offset = LLVM::AddOp::create(
      b,
      LLVM::MulOp::create(b, piece,
                          number(i64, limits::workspaceBytesPerMapAndSM)),
      LLVM::MulOp::create(b, warp, number(i64, workspaceBytesPerWarp)));
  Value shareSlot = LLVM::AddOp::create(
      b, LLVM::PtrToIntOp::create(b, i64, workspace), offset);
  return LLVM::SelectOp::create(b, isThere, ownSlot, shareSlot);
}

void MapBuilder::build(const TensorMapShape &shape, Value workspace,
                       unsigned index) {
  constexpr int64_t slotWord = limits::tensorMapBytes / 8;
  Block *before = call->getBlock();
  Block *join = before->splitBlock(call);
  Region &region = *before->getParent();
  auto newBlock = [&] {
    return b.createBlock(&region, Region::iterator(join));
  };
  Block *firstWarp = newBlock();

  // At this barrier no thread still reads the slot's address of an earlier
  // build.
  b.setInsertionPointToEnd(before);
  NVVM::Barrier0Op::create(b);
  Value thread = linearThread();
  Value isFirstWarp = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ult, thread,
                                           number(i32, limits::threadsPerWarp));
  LLVM::CondBrOp::create(b, isFirstWarp, firstWarp, join);

  // One thread writes all sixteen words, the upper half zero. The stores have a
  // predicate, since a branch around them would split the warp.
  b.setInsertionPointToEnd(firstWarp);
  Value isFirst =
      LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, thread, number(i32, 0));
  auto operands = call.getArgOperands();
  std::array<Value, 8> words =
      emitTensorMapWords(b, shape, operands[0], operands.slice(1, shape.rank()),
                         operands.drop_front(1 + shape.rank()));
  Value zero = number(i64, 0);
  for (int64_t word = 0; word != slotWord; ++word)
    storeIf(isFirst, word < int64_t(words.size()) ? words[word] : zero, word);
  NVVM::SyncWarpOp::create(b, number(i32, -1));
  Value place = slot(workspace, index);
  PtxBuilder ptx(b, b.getLoc(), PtxEffects::Memory);
  std::string to = ptx.in(place),
              from = ptx.in(LLVM::PtrToIntOp::create(b, i32, imageAt(0)));
  ptx.emit("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic."
           "release.gpu.sync.aligned [" +
           to + "], [" + from + "], 128;");
  storeIf(isFirst, place, slotWord);
  LLVM::BrOp::create(b, join);

  b.setInsertionPoint(call);
  NVVM::Barrier0Op::create(b);
  Value known =
      LLVM::LoadOp::create(b, i64, imageAt(slotWord), /*alignment=*/8);
  Value global = LLVM::IntToPtrOp::create(
      b, LLVM::LLVMPointerType::get(b.getContext(), 1), known);
  Value generic = LLVM::AddrSpaceCastOp::create(
      b, LLVM::LLVMPointerType::get(b.getContext()), global);
  NVVM::FenceProxyAcquireOp::create(b, NVVM::MemScopeKind::GPU, generic,
                                    number(i32, limits::tensorMapBytes));
  // ptxas does not order the following copies after the fence.
  NVVM::CpAsyncBulkCommitGroupOp::create(b);
  NVVM::CpAsyncBulkWaitGroupOp::create(b, 0u, b.getUnitAttr());
  call.getResult().replaceAllUsesWith(generic);
  call.erase();
}

LogicalResult buildOnDevice(LLVM::CallOp call, const TensorMapShape &shape,
                            Value workspace, unsigned index) {
  if (index >= 255)
    return call.emitError(
        "a kernel builds 255 tensor maps at most; share some of them");
  auto kernel = call->getParentOfType<LLVM::LLVMFuncOp>();
  declarePerCtaMemory(kernel);
  MapBuilder(call, makeImage(kernel, index)).build(shape, workspace, index);
  return success();
}

} // namespace tileir

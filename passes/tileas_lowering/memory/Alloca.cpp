// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that a tile block allocates: in shared memory if all its addresses are
// known, else on the device heap.

#include "passes/tileas_lowering/memory/Alloca.h"
#include "passes/tileas_lowering/Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tileir::lowering {

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

static bool isAddress(Type type) {
  return isa<nv_tileaa::TAPointerType, nv_tileaa::TAMemRefType,
             nv_tileaa::TATiledViewType>(getElementTypeOrSelf(type));
}

static Type withSpace(Type type, unsigned space) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(withSpace(tensor.getElementType(), space));
  if (auto ptr = dyn_cast<nv_tileaa::TAPointerType>(type))
    return nv_tileaa::TAPointerType::get(type.getContext(), ptr.getPointee(),
                                         space);
  if (auto memref = dyn_cast<nv_tileaa::TAMemRefType>(type))
    return nv_tileaa::TAMemRefType::get(
        memref.getShape(), memref.getElementType(), memref.getStrides(), space,
        memref.getScope());
  auto view = cast<nv_tileaa::TATiledViewType>(type);
  return view.withSource(
      cast<nv_tileaa::TAMemRefType>(withSpace(view.getSource(), space)));
}

/// Returns whether the results of `op` are addresses derived from its operands.
static bool derives(Operation *op) {
  return isa<nv_tileas::AddPtrOp, nv_tileas::SplatOp, nv_tileas::BroadcastOp,
             nv_tileas::ExpandDimsOp, nv_tileas::ViewOp, nv_tileas::PermuteOp,
             nv_tileas::ConvertLayoutOp, nv_tileas::BitcastOp,
             nv_tileas::AssumeOp, nv_tileas::CatOp, nv_tileas::ExtractOp,
             nv_tileas::ExtractSliceOp, nv_tileas::InsertSliceOp,
             nv_tileas::MakeMemRefOp, nv_tileas::BlockTileOp, arith::SelectOp,
             nv_tileas::OptimizationBarrierOp>(op);
}

/// Returns whether `op` uses an address and yields none.
static bool accesses(Operation *op) {
  return isa<nv_tileas::LoadOp, nv_tileas::StoreOp, nv_tileas::TiledLoadOp,
             nv_tileas::TiledStoreOp, nv_tileas::GatherLoadOp,
             nv_tileas::ScatterStoreOp, nv_tileas::AtomicRmwOp,
             nv_tileas::AtomicCasOp, nv_tileas::TiledAtomicRmwOp,
             nv_tileas::GetDimSizeOp>(op);
}

namespace {

/// The addresses derived from a set of allocations, through operations,
/// branches and loops.
class AddressSet {
public:
  /// Returns whether all uses are known and no other address mixes in.
  bool build(ArrayRef<nv_tileas::AllocaOp> roots);
  void setSpace(unsigned space) {
    for (Value value : values)
      value.setType(withSpace(value.getType(), space));
  }

private:
  void add(Value value) {
    if (isAddress(value.getType()))
      values.insert(value);
  }
  bool follow(OpOperand &use);
  /// Adds the values tied to value `index` of a loop or branch.
  void addTied(Operation *op, unsigned index);
  bool isClosed(Value value) const;

  llvm::SetVector<Value> values;
};

} // namespace

void AddressSet::addTied(Operation *op, unsigned index) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    add(loop.getInitArgs()[index]);
    add(loop.getRegionIterArgs()[index]);
    add(loop.getYieldedValues()[index]);
    add(loop.getResult(index));
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    add(branch.thenYield().getOperand(index));
    add(branch.elseYield().getOperand(index));
    add(branch.getResult(index));
  }
}

bool AddressSet::follow(OpOperand &use) {
  Operation *op = use.getOwner();
  if (accesses(op))
    return true;
  if (derives(op)) {
    for (Value result : op->getResults())
      add(result);
    return true;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (use.getOperandNumber() < loop.getNumControlOperands())
      return false;
    addTied(op, use.getOperandNumber() - loop.getNumControlOperands());
    return true;
  }
  if (isa<scf::YieldOp>(op) && isa<scf::ForOp, scf::IfOp>(op->getParentOp())) {
    addTied(op->getParentOp(), use.getOperandNumber());
    return true;
  }
  return false;
}

/// Returns whether `value` comes from values of the set alone.
bool AddressSet::isClosed(Value value) const {
  if (auto arg = dyn_cast<BlockArgument>(value))
    return isa<scf::ForOp>(arg.getOwner()->getParentOp());
  Operation *op = value.getDefiningOp();
  if (isa<scf::ForOp, scf::IfOp, nv_tileas::AllocaOp>(op))
    return true;
  return derives(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
           return !isAddress(operand.getType()) || values.contains(operand);
         });
}

bool AddressSet::build(ArrayRef<nv_tileas::AllocaOp> roots) {
  for (nv_tileas::AllocaOp root : roots)
    add(root.getResult());
  for (size_t i = 0; i < values.size(); ++i)
    for (OpOperand &use : values[i].getUses())
      if (!follow(use))
        return false;
  llvm::DenseSet<Value> known;
  for (nv_tileas::AllocaOp root : roots)
    known.insert(root.getResult());
  return llvm::all_of(values, [&](Value value) {
    return isa_and_present<nv_tileas::AllocaOp>(value.getDefiningOp())
               ? known.contains(value)
               : isClosed(value);
  });
}

int64_t getAllocaBytes(nv_tileas::AllocaOp op) {
  int64_t bits = nv_tileas::getStorageBits(op.getType().getPointee());
  return llvm::divideCeil(int64_t(op.getNumElem()) * bits, 8);
}

bool isShared(nv_tileas::AllocaOp op) {
  return op.getType().getSpace() == nv_tileaa::SharedSpace;
}

// Default heap size of a context (CUDA's cudaLimitMallocHeapSize), and a size
// per block that no GPU can provide on each SM.
static constexpr int64_t kHeapBytes = int64_t(8) << 20,
                         kMaxHeapBytes = int64_t(1) << 30;

LogicalResult placeAllocas(nv_tileaa::FuncOp func, int64_t sharedBytes) {
  SmallVector<nv_tileas::AllocaOp> all;
  func.walk([&](nv_tileas::AllocaOp op) { all.push_back(op); });
  int64_t room = sharedBytes;
  // Allocations whose addresses mix are placed together: each is tried alone
  // first, then the remaining ones as one set.
  SmallVector<nv_tileas::AllocaOp> left;
  auto place = [&](ArrayRef<nv_tileas::AllocaOp> roots) {
    int64_t bytes = 0;
    for (nv_tileas::AllocaOp op : roots)
      bytes += llvm::alignTo(getAllocaBytes(op), 16) +
               std::max<int64_t>(op.getAlignment(), 16);
    AddressSet addresses;
    if (bytes > sharedBytes || !addresses.build(roots))
      return false;
    sharedBytes -= bytes;
    addresses.setSpace(nv_tileaa::SharedSpace);
    return true;
  };
  for (nv_tileas::AllocaOp op : all)
    if (!place(op))
      left.push_back(op);
  if (left.size() > 1)
    place(left);
  int64_t heapBytes = 0;
  llvm::erase_if(left, isShared);
  for (nv_tileas::AllocaOp op : left) {
    heapBytes += getAllocaBytes(op);
    if (heapBytes > kMaxHeapBytes)
      return op.emitError("local arrays of a tile block take ")
             << heapBytes << " bytes beside the " << room
             << " of shared memory they may have, the most is " << kMaxHeapBytes
             << "; make them smaller, or pass a buffer";
  }
  if (heapBytes > kHeapBytes)
    left.front().emitWarning("local arrays of a tile block take ")
        << heapBytes << " bytes of the device's heap, which holds "
        << kHeapBytes << " for all blocks; raise cudaLimitMallocHeapSize";
  return success();
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

namespace {

struct AllocaLowering final : TilePattern<nv_tileas::AllocaOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::AllocaOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    rewriter.replaceOp(op, isShared(op)
                               ? emitter.smemPtr(emitter.enterScratch(op))
                               : allocateOnHeap(emitter, op));
    return success();
  }

private:
  /// One thread allocates for all, and frees at the end of the allocation's
  /// block.
  Value allocateOnHeap(Emitter &emitter, nv_tileas::AllocaOp op) const;
};

} // namespace

Value AllocaLowering::allocateOnHeap(Emitter &emitter,
                                     nv_tileas::AllocaOp op) const {
  OpBuilder &builder = emitter.builder;
  Location loc = op.getLoc();
  // `malloc` aligns to 16 bytes.
  int64_t align = std::max<int64_t>(op.getAlignment(), 1);
  int64_t bytes =
      std::max<int64_t>(getAllocaBytes(op), 1) + (align > 16 ? align : 0);
  Type generic = emitter.ptrType(0), i64 = emitter.intType(64);
  Value slot = emitter.smemPtr(emitter.enterScratch(op));
  Value first = emitter.threadBitsClear(32 * uint64_t(emitter.numWarps()) - 1);
  emitter.onlyIf(first, [&] {
    Value ptr =
        LLVM::CallOp::create(
            builder, loc, getRuntimeFunction(emitter, "malloc", generic, i64),
            ValueRange{emitter.i64(bytes)})
            .getResult();
    emitter.store(emitter.toBits(ptr), slot, 8);
  });
  emitter.barrier();
  Value raw = emitter.load(i64, slot, 8);
  Value isNull = emitter.icmp(LLVM::ICmpPredicate::eq, raw, emitter.i64(0));
  emitter.onlyIf(isNull, [&] { LLVM::Trap::create(builder, loc); });
  Value start = raw;
  if (align > 16)
    start = emitter.andConst(emitter.add(raw, emitter.i64(align - 1)), -align);
  Value result = LLVM::AddrSpaceCastOp::create(
      builder, loc, emitter.ptrType(nv_tileaa::GlobalSpace),
      emitter.fromBits(start, generic));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op->getBlock()->getTerminator());
  emitter.barrier();
  first = emitter.threadBitsClear(32 * uint64_t(emitter.numWarps()) - 1);
  emitter.onlyIf(first, [&] {
    LLVM::CallOp::create(
        builder, loc,
        getRuntimeFunction(emitter, "free",
                           LLVM::LLVMVoidType::get(op.getContext()), generic),
        ValueRange{emitter.fromBits(raw, generic)});
  });
  return result;
}

void populateAllocaPatterns(RewritePatternSet &patterns,
                            const TileTypeConverter &converter,
                            const LoweringState &state) {
  patterns.add<AllocaLowering>(converter, patterns.getContext(), state);
}

} // namespace tileir::lowering

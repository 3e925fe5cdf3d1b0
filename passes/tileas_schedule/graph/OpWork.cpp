// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_schedule/graph/OpWork.h"

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/nv_tileas/Scratch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;
using schedule::OpClass;
using schedule::OpWork;
using schedule::Slot;

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static RankedTensorType getTile(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile && as::getTileLayout(tile) ? tile : RankedTensorType();
}

/// Returns the elements in the registers of all warps, replicas included.
static int64_t countElements(RankedTensorType tile, unsigned numWarps) {
  return as::getTileLayout(tile).getLayout().getNumRegisters() *
         limits::threadsPerWarp * numWarps;
}

static int64_t countBytes(RankedTensorType tile, unsigned numWarps) {
  return countElements(tile, numWarps) *
         as::getStorageBits(tile.getElementType()) / 8;
}

static int64_t countBytes(as::BufferType buffer) {
  int64_t bits = as::getStorageBits(buffer.getElementType());
  for (int64_t extent : buffer.getShape())
    bits *= extent;
  return bits / 8;
}

/// Returns the bytes of a tile in memory.
static int64_t countMemoryBytes(Type type, unsigned numWarps) {
  if (RankedTensorType tile = getTile(type))
    return std::min(tile.getNumElements() *
                        int64_t(as::getStorageBits(tile.getElementType())) / 8,
                    countBytes(tile, numWarps));
  return type.isIntOrFloat() ? llvm::divideCeil(type.getIntOrFloatBitWidth(), 8)
                             : 8;
}

/// Returns the largest tile that `op` computes or reads.
static RankedTensorType getLargestTile(Operation *op) {
  RankedTensorType largest;
  auto look = [&](Type type) {
    RankedTensorType tile = getTile(type);
    if (tile && (!largest || tile.getNumElements() > largest.getNumElements()))
      largest = tile;
  };
  llvm::for_each(op->getResultTypes(), look);
  llvm::for_each(op->getOperandTypes(), look);
  return largest;
}

/// Returns whether two layouts place each element in the same lane and warp.
static bool staysInThread(RankedTensorType from, RankedTensorType to) {
  const Layout &a = as::getTileLayout(from).getLayout();
  const Layout &b = as::getTileLayout(to).getLayout();
  return a.getFlatBases(kLane) == b.getFlatBases(kLane) &&
         a.getFlatBases(kWarp) == b.getFlatBases(kWarp);
}

/// Returns whether `op` needs no instructions: it renames the elements of a
/// tile, or every user rematerializes it.
static bool isFree(Operation *op) {
  if (isa<arith::ConstantOp, ub::PoisonOp, as::SplatOp, as::MakeRangeOp,
          as::ViewOp, as::ExpandDimsOp, as::BroadcastOp, as::PermuteOp,
          as::BitcastOp, arith::BitcastOp, as::AsyncToAsyncOp, as::ExtractOp,
          as::AssumeOp, as::PipelineAdvanceOp>(op))
    return true;
  if (auto convert = dyn_cast<as::ConvertLayoutOp>(op)) {
    auto from = getTile(convert->getOperand(0).getType());
    auto to = getTile(convert->getResult(0).getType());
    return from && to && staysInThread(from, to);
  }
  return false;
}

bool isAnchor(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() || isFree(op))
    return false;
  if (op->getNumRegions() || !isMemoryEffectFree(op))
    return true;
  return llvm::any_of(op->getResultTypes(),
                      [](Type type) { return bool(getTile(type)); });
}

//===----------------------------------------------------------------------===//
// MMAs
//===----------------------------------------------------------------------===//

static Rates::Mma getMmaKind(as::MmaAtomAttr atom) {
  Type a = atom.getAType();
  unsigned bits = as::getStorageBits(a);
  if (a.isF64())
    return Rates::Mma::F64;
  if (bits >= 32)
    return Rates::Mma::Tf32;
  if (isa<IntegerType>(a))
    return Rates::Mma::I8;
  if (bits <= 4)
    return Rates::Mma::F4;
  if (bits <= 8)
    return Rates::Mma::F8;
  if (atom.getKind() == as::MmaKind::MmaSync)
    return Rates::Mma::F16WarpWide;
  return atom.getCType().isF16() ? Rates::Mma::F16Acc16 : Rates::Mma::F16;
}

/// Returns the bytes of the operands that the tensor core fetches from shared
/// memory: A once, B once for each block of rows.
static int64_t countOperandBytes(Type a, as::BufferType b, int64_t rowBlocks) {
  int64_t bytes = countBytes(b) * rowBlocks;
  if (auto buffer = dyn_cast<as::BufferType>(a))
    bytes += countBytes(buffer);
  return bytes;
}

static ArrayRef<int64_t> getExtents(Type type) {
  if (auto buffer = dyn_cast<as::BufferType>(type))
    return buffer.getShape();
  return cast<RankedTensorType>(type).getShape();
}

/// Adds the bytes of the operands that warps read from shared memory. Warps in
/// a row of the grid read the same rows of A, warps in a column the same
/// columns of B.
static void addOperandReads(as::DotOp dot, RankedTensorType acc, OpWork &work) {
  const Layout &layout = as::getTileLayout(acc).getLayout();
  unsigned rank = layout.getRank();
  int64_t bytes = 0;
  for (auto [operand, dim] :
       {std::pair(dot.getA(), rank - 2), std::pair(dot.getB(), rank - 1)}) {
    auto buffer = dyn_cast<as::BufferType>(operand.getType());
    if (!buffer)
      continue;
    int64_t times = 1;
    for (unsigned bit = 0; bit < layout.getNumBases(kWarp); ++bit)
      if (!(layout.getFlatBasis(kWarp, bit) & layout.dimMask(dim)))
        times *= 2;
    bytes += countBytes(buffer) * times;
  }
  if (!bytes)
    return;
  work.more.push_back({Slot::Lsu, bytes});
  work.more.push_back({Slot::TpSmemRd, bytes});
}

static OpWork describeMma(Operation *op, unsigned numWarps) {
  OpWork work;
  if (auto dot = dyn_cast<as::AsyncDotOp>(op)) {
    RankedTensorType acc = dot.getAccType();
    work.cls = OpClass::Wgmma;
    work.macs = acc.getNumElements() * dot.getDepth();
    work.mmaKind = getMmaKind(dot.getAtom());
    work.operandBytes =
        countOperandBytes(dot.getA().getType(), dot.getB().getType(),
                          std::max<int64_t>(1, acc.getShape()[0] / 64));
    return work;
  }
  if (auto dot = dyn_cast<as::AsyncDotIntoOp>(op)) {
    as::BufferType d = dot.getD().getType();
    work.cls = OpClass::Tcgen05Mma;
    work.macs = d.getShape()[0] * d.getShape()[1] * dot.getDepth();
    work.mmaKind = getMmaKind(dot.getAtom());
    work.operandBytes = countOperandBytes(
        dot.getA().getType(), dot.getB().getType(),
        std::max<int64_t>(1, d.getShape()[0] / dot.getAtom().getRowsPerCta()));
    return work;
  }
  auto dot = cast<as::DotOp>(op);
  RankedTensorType acc = getTile(op->getResult(0).getType());
  int64_t depth = getExtents(dot.getA().getType()).back();
  work.elements = countElements(acc, numWarps);
  work.macs = acc.getNumElements() * depth;
  addOperandReads(dot, acc, work);
  auto atom = dot->getAttrOfType<as::MmaAtomAttr>("atom");
  if (!atom || atom.getKind() == as::MmaKind::Fma) {
    work.cls = acc.getElementType().isF64() ? OpClass::F64 : OpClass::Fp32;
    work.elements *= depth;
    return work;
  }
  work.cls = OpClass::MmaSync;
  work.mmaKind = getMmaKind(atom);
  // A byte along K may hold two elements.
  work.macs *= atom.getK() / atom.getTileK();
  return work;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Returns the number of TMA boxes: rows of at most one swizzle span, 256 rows
/// per box.
static int64_t countBoxes(as::BufferType slot) {
  int64_t bits = as::getStorageBits(slot.getElementType());
  int64_t spans = llvm::divideCeil(slot.getShape().back() * bits / 8, 128);
  int64_t rows = 1;
  for (int64_t extent : slot.getShape().drop_back())
    rows *= extent;
  return std::max<int64_t>(1, spans) * llvm::divideCeil(rows, 256);
}

static OpWork describeAccess(as::TileASMemoryOpInterface access,
                             unsigned numWarps) {
  OpWork work;
  work.bytes = countMemoryBytes(access.getAccessedTile(), numWarps);
  switch (access.getMemoryKind()) {
  case as::MemoryKind::Load:
    work.cls = OpClass::GlobalLoad;
    break;
  case as::MemoryKind::Store:
    work.cls = OpClass::GlobalStore;
    break;
  case as::MemoryKind::Atomic:
    work.cls = OpClass::Atomic;
    break;
  }
  if (auto hint = access->getAttrOfType<IntegerAttr>("latency"))
    work.latencyHint = std::clamp<int64_t>(hint.getInt(), 1, 10);
  return work;
}

static OpWork describeCopy(as::CopyOp copy, unsigned numWarps) {
  OpWork work;
  RankedTensorType tile = getLargestTile(copy);
  work.cls = copy.getDst() ? OpClass::SharedStore : OpClass::SharedLoad;
  auto buffer = cast<as::BufferType>(
      (copy.getDst() ? copy.getDst() : copy.getSrc()).getType());
  work.bytes = tile ? countBytes(tile, numWarps) : countBytes(buffer);
  return work;
}

//===----------------------------------------------------------------------===//
// Elementwise work, reductions, regions
//===----------------------------------------------------------------------===//

/// Returns the class of a scalar operation that computes `element`.
static OpClass classifyScalar(Operation *op, Type element) {
  bool isWide = element.isF64() || element.isInteger(64);
  if (isa<arith::CmpFOp, arith::CmpIOp, arith::SelectOp, arith::MaximumFOp,
          arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(op))
    return OpClass::Alu;
  if (isa<arith::DivFOp, arith::RemFOp>(op) ||
      op->getName().getDialectNamespace() ==
          math::MathDialect::getDialectNamespace() ||
      isa<as::ElementwiseOp>(op)) {
    if (isa<math::FmaOp, math::AbsFOp, math::CopySignOp>(op))
      return element.isF64() ? OpClass::F64 : OpClass::Fp32;
    return element.isF64() ? OpClass::F64 : OpClass::Xu;
  }
  if (isa<as::FpToFpOp>(op) ||
      (op->getNumOperands() == 1 && op->getNumResults() == 1 &&
       getElementTypeOrSelf(op->getOperand(0).getType()) != element)) {
    Type from = getElementTypeOrSelf(op->getOperand(0).getType());
    return isWide || from.isF64() || from.isInteger(64) ? OpClass::Convert64
                                                        : OpClass::Convert;
  }
  if (isa<FloatType>(element)) {
    if (element.isF64())
      return OpClass::F64;
    return element.isF32() ? OpClass::Fp32 : OpClass::Half;
  }
  return isa<arith::MulIOp>(op) ? OpClass::IntMul : OpClass::Alu;
}

static OpWork describeReduction(Operation *op, unsigned numWarps) {
  OpWork work;
  work.cls = OpClass::Reduce;
  RankedTensorType from = getTile(op->getOperand(0).getType());
  RankedTensorType to = getTile(op->getResult(0).getType());
  work.elements = from ? countElements(from, numWarps) : 1;
  work.resultElements = to ? to.getNumElements() : 1;
  // Lanes over which one result element is reduced.
  if (auto axis = op->getAttrOfType<IntegerAttr>("axis"); axis && from)
    work.lanes = int64_t(1) << getAxisBits(as::getTileLayout(from).getLayout(),
                                           unsigned(axis.getInt()), kLane)
                                   .size();
  return work;
}

/// Adds the work of an operation in a region to `sum`, by functional unit.
static void addNested(Operation *op, unsigned numWarps, OpWork &sum) {
  if (!isAnchor(op))
    return;
  OpWork work = describeWork(op, numWarps);
  llvm::append_range(sum.more, work.more);
  // Each class contributes its elements and bytes, on the unit that dominates.
  if (work.elements)
    sum.more.push_back(
        {work.cls == OpClass::Xu ? Slot::Xu : Slot::DualAlu, work.elements});
  if (work.bytes)
    sum.more.push_back({Slot::Lsu, work.bytes});
}

static void addRegion(Region &region, unsigned numWarps, OpWork &sum) {
  for (Block &block : region)
    for (Operation &op : block)
      addNested(&op, numWarps, sum);
}

OpWork describeWork(Operation *op, unsigned numWarps) {
  if (isa<as::AsyncDotOp, as::AsyncDotIntoOp, as::DotOp>(op))
    return describeMma(op, numWarps);
  OpWork work;
  if (auto copy = dyn_cast<as::AsyncCopyOp>(op)) {
    work.cls = OpClass::CpAsync;
    work.bytes = countBytes(copy.getBuffer().getType());
    return work;
  }
  if (auto load = dyn_cast<as::AsyncTmaLoadOp>(op)) {
    work.cls = OpClass::TmaLoad;
    work.bytes = countBytes(load.getBuffer().getType());
    work.boxes = countBoxes(load.getBuffer().getType());
    return work;
  }
  if (auto access = dyn_cast<as::TileASMemoryOpInterface>(op))
    return describeAccess(access, numWarps);
  if (auto copy = dyn_cast<as::CopyOp>(op))
    return describeCopy(copy, numWarps);
  if (auto convert = dyn_cast<as::ConvertLayoutOp>(op)) {
    work.cls = OpClass::LayoutConversion;
    work.bytes = countBytes(getTile(op->getResult(0).getType()), numWarps);
    auto scratch = dyn_cast<as::ScratchOpInterface>(op);
    work.throughShared = scratch && scratch.getScratchBytes() > 0;
    return work;
  }
  if (isa<as::ReduceOp, as::ScanOp>(op))
    return describeReduction(op, numWarps);
  if (op->getNumRegions()) {
    work.cls = OpClass::Composite;
    for (Region &region : op->getRegions())
      addRegion(region, numWarps, work);
    return work;
  }
  RankedTensorType tile = getLargestTile(op);
  if (!tile || !isMemoryEffectFree(op)) {
    // Pipeline steps and waits order operations and occupy no functional unit.
    work.cls = OpClass::Wait;
    return work;
  }
  Type element = op->getNumResults()
                     ? getElementTypeOrSelf(op->getResult(0).getType())
                     : tile.getElementType();
  work.cls = classifyScalar(op, element);
  work.elements = countElements(tile, numWarps);
  return work;
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/BranchReductions.h"

#include "dialects/support/Heuristics.h"
#include "passes/analysis/LayoutRules.h"
#include "passes/analysis/ReduceOrder.h"
#include "passes/tileas_lowering/Lowering.h"
#include "passes/tileas_lowering/math/FloatFacts.h"
#include "passes/tileas_lowering/math/PackedExtrema.h"
#include "passes/tileas_lowering/math/RegisterSums.h"
#include "passes/tileas_lowering/memory/Access.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

#include <map>

using namespace mlir;

namespace tileir::lowering {

/// One value per operand of a reduction or scan.
using Values = SmallVector<Value>;

/// Applies the combiner: of a reduction to an element and an accumulator, of a
/// scan to the earlier and the later values.
static Values combine(Emitter &emitter, Region &body, ArrayRef<Value> first,
                      ArrayRef<Value> second) {
  IRMapping mapping;
  Block &block = body.front();
  for (unsigned i = 0; i < first.size(); ++i) {
    mapping.map(block.getArgument(2 * i), first[i]);
    mapping.map(block.getArgument(2 * i + 1), second[i]);
  }
  for (Operation &op : block.without_terminator())
    emitter.builder.clone(op, mapping);
  Values results;
  for (Value value : block.getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(value));
  return results;
}

static Values selectAll(Emitter &emitter, Value condition, ArrayRef<Value> a,
                        ArrayRef<Value> b) {
  Values result;
  for (auto [x, y] : llvm::zip(a, b))
    result.push_back(emitter.select(condition, x, y));
  return result;
}

static Values shuffleAll(Emitter &emitter, NVVM::ShflKind kind,
                         ArrayRef<Value> values, int64_t distance) {
  Values result;
  for (Value value : values)
    result.push_back(emitter.shuffle(kind, value, emitter.i32(distance)));
  return result;
}

/// Combines all of `values`, adjacent ones first.
static Values combineTree(Emitter &emitter, Region &body,
                          SmallVector<Values> values) {
  while (values.size() > 1) {
    SmallVector<Values> next;
    for (unsigned i = 0; i + 1 < values.size(); i += 2)
      next.push_back(combine(emitter, body, values[i + 1], values[i]));
    if (values.size() % 2)
      next.push_back(values.back());
    values = next;
  }
  return values[0];
}

namespace {

/// One `redux.sync` over all lanes of a warp.
struct WarpReduction {
  NVVM::ReduxKind kind;
  bool isSigned = false, propagatesNan = false;
};

} // namespace

/// Returns the instruction for `op`, if the target has one: integers of up to
/// 32 bits, because no kind needs more than its own bits. Float sums round in
/// an order of their own.
static std::optional<WarpReduction> getWarpReduction(nv_tileas::ReduceOp op,
                                                     const Target &target) {
  using nv_tileas::ReduceKind;
  if (!isKnownReduction(op))
    return std::nullopt;
  Type element = getElementTypeOrSelf(op->getOperand(0).getType());
  ReduceKind kind = op.getAtomAttr().getKind();
  if (element.isF32() && target.has(Feature::ReduxF32)) {
    bool nan =
        isa<arith::MaximumFOp, arith::MinimumFOp>(op.getBody().front().front());
    if (kind == ReduceKind::FMax)
      return WarpReduction{NVVM::ReduxKind::FMAX, false, nan};
    if (kind == ReduceKind::FMin)
      return WarpReduction{NVVM::ReduxKind::FMIN, false, nan};
  }
  // A nibble's register has more bits than the element.
  if (!element.isInteger() || element.getIntOrFloatBitWidth() > 32 ||
      getRegisterType(element) != element)
    return std::nullopt;
  switch (kind) {
  case ReduceKind::Add:
    return WarpReduction{NVVM::ReduxKind::ADD};
  case ReduceKind::And:
    return WarpReduction{NVVM::ReduxKind::AND};
  case ReduceKind::Or:
    return WarpReduction{NVVM::ReduxKind::OR};
  case ReduceKind::Xor:
    return WarpReduction{NVVM::ReduxKind::XOR};
  case ReduceKind::UMax:
    return WarpReduction{NVVM::ReduxKind::UMAX};
  case ReduceKind::UMin:
    return WarpReduction{NVVM::ReduxKind::UMIN};
  case ReduceKind::Max:
    return WarpReduction{NVVM::ReduxKind::MAX, /*isSigned=*/true};
  case ReduceKind::Min:
    return WarpReduction{NVVM::ReduxKind::MIN, /*isSigned=*/true};
  default:
    return std::nullopt;
  }
}

/// Combines `value` over all lanes of the warp.
static Value reduceWarp(Emitter &emitter, const WarpReduction &how,
                        Value value) {
  auto integer = dyn_cast<IntegerType>(value.getType());
  Value wide = integer ? emitter.resize(value, 32, how.isSigned) : value;
  if (!integer)
    emitter.state.note(Feature::ReduxF32);
  Value result = NVVM::ReduxOp::create(
      emitter.builder, emitter.loc, wide.getType(), wide, how.kind,
      emitter.i32(-1), /*abs=*/false, how.propagatesNan);
  return integer ? emitter.resize(result, integer.getWidth()) : result;
}

/// Returns the extrema of `elements`, a thread's elements of one row, if `op`
/// computes extrema and the elements are still halves of registers.
static std::optional<PackedExtremum> combineHalves(Emitter &emitter,
                                                   nv_tileas::ReduceOp op,
                                                   ArrayRef<Values> elements) {
  if (!isReductionBy(op, nv_tileas::ReduceKind::FMax) &&
      !isReductionBy(op, nv_tileas::ReduceKind::FMin))
    return std::nullopt;
  SmallVector<Value> values;
  for (const Values &element : elements)
    values.push_back(element[0]);
  return PackedExtremum::get(emitter, &op.getBody().front().front(), values);
}

/// Returns the sum of a thread's elements of one row, or null if the combiner
/// has to add them.
static Value sumGroup(Emitter &emitter, nv_tileas::ReduceOp op,
                      ArrayRef<Values> elements) {
  if (!isReductionBy(op, nv_tileas::ReduceKind::FAdd))
    return {};
  SmallVector<Value> values;
  for (const Values &element : elements)
    values.push_back(element[0]);
  return sumRegisters(
      emitter, values,
      /*areOthersUsed=*/!op->getOperand(0).hasOneUse() ||
          !llvm::all_of(values, [](Value value) { return value.hasOneUse(); }),
      addsExactDots(op));
}

/// Combines the registers and lanes of a warp for one row, in index order;
/// `parts` holds the registers by their share of the index.
static Values combineInOrder(Emitter &emitter, nv_tileas::ReduceOp op,
                             const Layout &layout,
                             std::map<int64_t, Values> parts) {
  unsigned axis = op.getAxis();
  for (unsigned k = 0; k < layout.getLog2Extent(axis); ++k) {
    std::map<int64_t, Values> next;
    for (auto &[index, lower] : parts)
      if (!((index >> k) & 1)) {
        auto upper = parts.find(index | int64_t(1) << k);
        next[index] = upper == parts.end() ? lower
                                           : combine(emitter, op.getBody(),
                                                     upper->second, lower);
      }
    parts = std::move(next);
    for (unsigned bit : getAxisBits(layout, axis, kLane)) {
      if (layout.getFlatBasis(kLane, bit) != layout.unit(axis, k))
        continue;
      // Both lanes use the lower lane's value as accumulator, so that they
      // agree.
      Value isUpper = emitter.icmp(LLVM::ICmpPredicate::ne,
                                   emitter.andConst(emitter.tid(), 1 << bit),
                                   emitter.i32(0));
      for (auto &[index, mine] : parts) {
        Values other =
            shuffleAll(emitter, NVVM::ShflKind::bfly, mine, 1 << bit);
        mine = combine(emitter, op.getBody(),
                       selectAll(emitter, isUpper, mine, other),
                       selectAll(emitter, isUpper, other, mine));
      }
    }
  }
  return parts.begin()->second;
}

/// Returns columns that gather the warp bits `bits` into a number.
static SmallVector<uint64_t>
compressColumns(const Layout &layout, ArrayRef<unsigned> bits, int64_t scale) {
  SmallVector<uint64_t> columns(5 + layout.getNumBases(kWarp), 0);
  for (auto [i, bit] : llvm::enumerate(bits))
    columns[5 + bit] = scale << i;
  return columns;
}

/// Returns the thread index bits that are clear in the one lane per result
/// element that stores the warp's value.
static uint64_t getSilentThreads(const Layout &layout,
                                 ArrayRef<unsigned> laneBits) {
  uint64_t silent = layout.redundantMask() >> layout.getNumBases(kRegister);
  for (unsigned bit : laneBits)
    silent |= uint64_t(1) << bit;
  return silent;
}

/// Replaces `rows`, one register each of a tile in `layout`, by the registers
/// of the first lane if all lanes hold the same rows. After a butterfly, LLVM
/// and ptxas treat the copies as different; a branch on such a value would
/// diverge.
static void takeFirstLane(Emitter &emitter, const Layout &layout,
                          SmallVectorImpl<Values> &rows) {
  if (llvm::any_of(layout.getFlatBases(kLane),
                   [](uint32_t basis) { return basis; }))
    return;
  for (Values &row : rows)
    row = shuffleAll(emitter, NVVM::ShflKind::idx, row, 0);
}

namespace {

struct ReduceLowering final : TilePattern<nv_tileas::ReduceOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::ReduceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override;

private:
  void combineWarps(Emitter &emitter, nv_tileas::ReduceOp op,
                    const Layout &layout, const Layout &result,
                    ArrayRef<unsigned> laneBits, ArrayRef<unsigned> warpBits,
                    SmallVectorImpl<Values> &partial) const;
  /// Combines the only row of a block as halves of registers.
  void combineWarps(Emitter &emitter, nv_tileas::ReduceOp op,
                    const Layout &layout, ArrayRef<unsigned> laneBits,
                    ArrayRef<unsigned> warpBits, PackedExtremum &packed) const;
};

} // namespace

LogicalResult
ReduceLowering::matchAndRewrite(nv_tileas::ReduceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const {
  Emitter emitter(rewriter, op, state);
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  Layout layout = getLayout(type);
  unsigned axis = op.getAxis();
  Layout result = layout.slice(axis);

  // Registers.
  SmallVector<Values> source(layout.getNumRegisters());
  for (auto [operand, words] :
       llvm::zip(op.getOperands(), adaptor.getOperands())) {
    auto tile = cast<RankedTensorType>(operand.getType());
    for (auto [reg, value] : llvm::enumerate(emitter.unpack(words, tile)))
      source[reg].push_back(value);
  }
  LinearMap toResult = result.map(kRegister).rightInverse(result.getTileBits());
  SmallVector<std::map<int64_t, Values>> groups(result.getNumRegisters());
  for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg) {
    Layout::Coord coord = layout.unflatten(layout.applyFlat(reg));
    int64_t index = coord[axis];
    coord.erase(coord.begin() + axis);
    groups[toResult(result.flatten(coord))][index] = source[reg];
  }

  // Lanes.
  SmallVector<unsigned> laneBits = getAxisBits(layout, axis, kLane);
  std::optional<WarpReduction> warpReduction;
  if (laneBits.size() == llvm::Log2_32(limits::threadsPerWarp))
    warpReduction = getWarpReduction(op, state.target);
  bool commutes = op->hasAttr(kCommutesAttr);
  SmallVector<unsigned> warpBits = getAxisBits(layout, axis, kWarp);
  bool isRowOfBlock = result.getNumElements() == 1 && !warpBits.empty();
  bool isCombined = false;
  SmallVector<Values> partial;
  for (std::map<int64_t, Values> &group : groups) {
    if (!commutes) {
      partial.push_back(combineInOrder(emitter, op, layout, std::move(group)));
      continue;
    }
    SmallVector<Values> values;
    for (auto &part : group)
      values.push_back(part.second);
    if (std::optional<PackedExtremum> packed =
            combineHalves(emitter, op, values)) {
      // A single row of the block stays in halves across lanes and warps.
      if (isRowOfBlock && !warpReduction) {
        packed->combineLanes(laneBits);
        combineWarps(emitter, op, layout, laneBits, warpBits, *packed);
      }
      values.clear();
      for (Value half : packed->extend())
        values.push_back({half});
      isCombined = isRowOfBlock && !warpReduction;
    }
    Values mine;
    if (Value sum = sumGroup(emitter, op, values))
      mine = {sum};
    else
      mine = combineTree(emitter, op.getBody(), values);
    if (warpReduction)
      mine = {reduceWarp(emitter, *warpReduction, mine[0])};
    partial.push_back(mine);
  }
  // Shuffles of several rows are in flight together.
  if (commutes && !warpReduction && !isCombined)
    for (unsigned bit : laneBits) {
      SmallVector<Values> others;
      for (const Values &mine : partial)
        others.push_back(
            shuffleAll(emitter, NVVM::ShflKind::bfly, mine, 1 << bit));
      for (auto [mine, other] : llvm::zip(partial, others))
        mine = combine(emitter, op.getBody(), other, mine);
    }

  // Warps.
  if (warpBits.empty()) {
    if (op->hasAttr(kDecidesBranchAttr) && !warpReduction)
      takeFirstLane(emitter, result, partial);
  } else if (!isCombined) {
    combineWarps(emitter, op, layout, result, laneBits, warpBits, partial);
  }

  SmallVector<SmallVector<Value>> results;
  for (auto [i, value] : llvm::enumerate(op.getResults())) {
    SmallVector<Value> elements;
    for (Values &values : partial)
      elements.push_back(values[i]);
    if (auto tile = dyn_cast<RankedTensorType>(value.getType()))
      elements = emitter.pack(elements, tile);
    results.push_back(elements);
  }
  rewriter.replaceOpWithMultiple(op, std::move(results));
  return success();
}

/// Combines `copies` values for each of `row`, in the order of `combineTree`:
/// each lane those of one 16-byte load, then lanes with each other.
static Values combineCopies(Emitter &emitter, nv_tileas::ReduceOp op,
                            int64_t copies, ArrayRef<Value> row) {
  constexpr int64_t kPerLane = 4;
  Value lane = emitter.andConst(emitter.lane(), copies / kPerLane - 1);
  SmallVector<Values> mine(kPerLane);
  for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
    Type element = getElementTypeOrSelf(operand.getType());
    int64_t bytes = getMemoryBits(element) / 8;
    Value first = emitter.gep(row[i], emitter.mulConst(lane, kPerLane * bytes));
    for (int64_t k = 0; k < kPerLane; ++k) {
      Value image = emitter.load(emitter.memoryType(1, element),
                                 emitter.gepConst(first, k * bytes), bytes);
      mine[k].push_back(emitter.fromMemory(image, 1, element)[0]);
    }
  }
  Values result = combineTree(emitter, op.getBody(), mine);
  for (int64_t distance = 1; distance < copies / kPerLane; distance *= 2)
    result = combine(
        emitter, op.getBody(),
        shuffleAll(emitter, NVVM::ShflKind::bfly, result, distance), result);
  return result;
}

void ReduceLowering::combineWarps(Emitter &emitter, nv_tileas::ReduceOp op,
                                  const Layout &layout,
                                  ArrayRef<unsigned> laneBits,
                                  ArrayRef<unsigned> warpBits,
                                  PackedExtremum &packed) const {
  constexpr unsigned kHalfBytes = 2;
  Value base = emitter.smemPtr(emitter.enterScratch(op));
  Value copy =
      emitter.linearOfThread(compressColumns(layout, warpBits, kHalfBytes));
  Value narrow =
      emitter.bitcast(packed.getNarrow(), emitter.intType(8 * kHalfBytes));
  storeShared(emitter,
              emitter.threadBitsClear(getSilentThreads(layout, laneBits)),
              emitter.gep(base, copy), narrow, narrow.getType());
  emitter.barrier();
  SmallVector<Value> words;
  for (int64_t k = 0; k < int64_t(1) << warpBits.size(); k += 2)
    words.push_back(emitter.bitcast(
        emitter.load(emitter.intType(32),
                     emitter.gepConst(base, k * kHalfBytes), 2 * kHalfBytes),
        packed.getType()));
  packed.take(words);
}

void ReduceLowering::combineWarps(Emitter &emitter, nv_tileas::ReduceOp op,
                                  const Layout &layout, const Layout &result,
                                  ArrayRef<unsigned> laneBits,
                                  ArrayRef<unsigned> warpBits,
                                  SmallVectorImpl<Values> &partial) const {
  int64_t elements = result.getNumElements();
  int64_t copies = int64_t(1) << warpBits.size();
  SmallVector<int64_t> offsets;
  getPartialBytes(op->getOperandTypes(), elements * copies, offsets);
  Value base = emitter.smemPtr(emitter.enterScratch(op));
  Value thread = emitter.rowMajorOfThread(result);
  Value copy =
      emitter.linearOfThread(compressColumns(layout, warpBits, elements));

  uint64_t silent = getSilentThreads(layout, laneBits);
  SmallVector<SmallVector<Value>> slots(partial.size());
  for (auto [reg, row] : llvm::enumerate(slots)) {
    Value index = emitter.xorConst(thread, result.applyFlat(reg));
    for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
      int64_t bytes =
          getMemoryBits(getElementTypeOrSelf(operand.getType())) / 8;
      row.push_back(emitter.gep(emitter.gepConst(base, offsets[i]),
                                emitter.mulConst(index, bytes)));
    }
  }
  SmallVector<Value> copyOffsets;
  for (Value operand : op.getOperands())
    copyOffsets.push_back(emitter.mulConst(
        copy, getMemoryBits(getElementTypeOrSelf(operand.getType())) / 8));
  Value speaks = emitter.threadBitsClear(silent);
  for (auto [values, row] : llvm::zip(partial, slots))
    for (auto [i, operand] : llvm::enumerate(op.getOperands()))
      storeShared(emitter, speaks, emitter.gep(row[i], copyOffsets[i]),
                  values[i], getElementTypeOrSelf(operand.getType()));
  emitter.barrier();
  if (elements == 1 && copies >= heuristics::minSharedCopies &&
      op->hasAttr(kCommutesAttr)) {
    for (auto [reg, row] : llvm::enumerate(slots))
      partial[reg] = combineCopies(emitter, op, copies, row);
    if (op->hasAttr(kDecidesBranchAttr))
      takeFirstLane(emitter, result, partial);
    return;
  }
  for (auto [reg, row] : llvm::enumerate(slots)) {
    SmallVector<Values> all(copies);
    for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
      Type element = getElementTypeOrSelf(operand.getType());
      int64_t bytes = getMemoryBits(element) / 8;
      for (int64_t k = 0; k < copies; ++k) {
        Value image =
            emitter.load(emitter.memoryType(1, element),
                         emitter.gepConst(row[i], k * elements * bytes), bytes);
        all[k].push_back(emitter.fromMemory(image, 1, element)[0]);
      }
    }
    partial[reg] = combineTree(emitter, op.getBody(), all);
  }
}

//===----------------------------------------------------------------------===//
// Scan
//===----------------------------------------------------------------------===//

namespace {

/// Works in any layout that is `isScannable`: along the axis come registers,
/// then adjacent lane bits, then warp bits.
struct ScanLowering final : TilePattern<nv_tileas::ScanOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::ScanOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override;

private:
  /// Adds the totals of the preceding lanes to each lane's `total`.
  void scanLanes(Emitter &emitter, nv_tileas::ScanOp op,
                 ArrayRef<unsigned> lanes, Value position, Values &total) const;
  /// Combines the registers of a row with the `total` of the preceding lanes,
  /// computed by `scanLanes`.
  void addLanesBefore(Emitter &emitter, nv_tileas::ScanOp op,
                      ArrayRef<unsigned> lanes, Value position,
                      const Values &total, MutableArrayRef<Values> row) const;
  void scanWarps(Emitter &emitter, nv_tileas::ScanOp op, const Layout &layout,
                 unsigned laneBits, ArrayRef<unsigned> warpBits,
                 Value lanePosition, ArrayRef<int64_t> rowRegisters,
                 ArrayRef<Values> totals,
                 MutableArrayRef<SmallVector<Values>> rows) const;
};

} // namespace

static NVVM::ShflKind getDirection(nv_tileas::ScanOp op) {
  return op.getReverse() ? NVVM::ShflKind::down : NVVM::ShflKind::up;
}

void ScanLowering::scanLanes(Emitter &emitter, nv_tileas::ScanOp op,
                             ArrayRef<unsigned> lanes, Value position,
                             Values &total) const {
  // The preceding lanes in the direction of the scan. The bits of the axis are
  // adjacent: no borrow reaches the bits above before `has` is false.
  for (auto [i, lane] : llvm::enumerate(lanes)) {
    Values before = shuffleAll(emitter, getDirection(op), total, 1 << lane);
    Value has =
        emitter.icmp(LLVM::ICmpPredicate::uge, position, emitter.i32(1 << i));
    total = selectAll(emitter, has,
                      combine(emitter, op.getBody(), before, total), total);
  }
}

void ScanLowering::addLanesBefore(Emitter &emitter, nv_tileas::ScanOp op,
                                  ArrayRef<unsigned> lanes, Value position,
                                  const Values &total,
                                  MutableArrayRef<Values> row) const {
  // A lane's only register is its total.
  if (row.size() == 1) {
    row.front() = total;
    return;
  }
  Values before =
      shuffleAll(emitter, getDirection(op), total, 1 << lanes.front());
  Value has = emitter.icmp(LLVM::ICmpPredicate::ne, position, emitter.i32(0));
  for (Values &value : row)
    value = selectAll(emitter, has,
                      combine(emitter, op.getBody(), before, value), value);
}

void ScanLowering::scanWarps(Emitter &emitter, nv_tileas::ScanOp op,
                             const Layout &layout, unsigned laneBits,
                             ArrayRef<unsigned> warpBits, Value lanePosition,
                             ArrayRef<int64_t> rowRegisters,
                             ArrayRef<Values> totals,
                             MutableArrayRef<SmallVector<Values>> rows) const {
  unsigned axis = op.getAxis();
  Layout others = layout.slice(axis);
  int64_t elements = others.getNumElements();
  int64_t copies = int64_t(1) << warpBits.size();
  SmallVector<int64_t> offsets;
  getPartialBytes(op->getOperandTypes(), elements * copies, offsets);
  Value base = emitter.smemPtr(emitter.enterScratch(op));
  Value thread = emitter.rowMajorOfThread(others);
  Value warp = emitter.linearOfThread(compressColumns(layout, warpBits, 1));
  if (op.getReverse())
    warp = emitter.xorConst(warp, copies - 1);

  SmallVector<SmallVector<Value>> slots(rows.size());
  for (auto [first, slot] : llvm::zip(rowRegisters, slots)) {
    Layout::Coord coord = layout.unflatten(layout.applyFlat(first));
    coord.erase(coord.begin() + axis);
    Value index = emitter.xorConst(thread, others.flatten(coord));
    for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
      int64_t bytes =
          getMemoryBits(getElementTypeOrSelf(operand.getType())) / 8;
      slot.push_back(emitter.gep(emitter.gepConst(base, offsets[i]),
                                 emitter.mulConst(index, bytes)));
    }
  }
  // The last lane along the axis holds the total of its warp.
  Value last = emitter.icmp(LLVM::ICmpPredicate::eq, lanePosition,
                            emitter.i32((1 << laneBits) - 1));
  Value stores = emitter.andBits(last, emitter.ownsElements(layout));
  for (auto [values, slot] : llvm::zip(totals, slots))
    for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
      Type element = getElementTypeOrSelf(operand.getType());
      int64_t bytes = getMemoryBits(element) / 8;
      storeShared(
          emitter, stores,
          emitter.gep(slot[i], emitter.mulConst(warp, elements * bytes)),
          values[i], element);
    }
  emitter.barrier();
  Value notFirst = emitter.icmp(LLVM::ICmpPredicate::ne, warp, emitter.i32(0));
  for (auto [row, slot] : llvm::enumerate(slots)) {
    Values prefix;
    for (int64_t k = 0; k + 1 < copies; ++k) {
      Values total;
      for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
        Type element = getElementTypeOrSelf(operand.getType());
        int64_t bytes = getMemoryBits(element) / 8;
        Value image = emitter.load(
            emitter.memoryType(1, element),
            emitter.gepConst(slot[i], k * elements * bytes), bytes);
        total.push_back(emitter.fromMemory(image, 1, element)[0]);
      }
      if (prefix.empty()) {
        prefix = total;
        continue;
      }
      Value before =
          emitter.icmp(LLVM::ICmpPredicate::ugt, warp, emitter.i32(k));
      prefix = selectAll(emitter, before,
                         combine(emitter, op.getBody(), prefix, total), prefix);
    }
    for (Values &value : rows[row])
      value = selectAll(emitter, notFirst,
                        combine(emitter, op.getBody(), prefix, value), value);
  }
}

/// Gathers the bits of `value` selected by `mask`, lowest first.
static int64_t extractBits(int64_t value, int64_t mask) {
  int64_t result = 0;
  for (unsigned bit = 0, next = 0; (value >> bit) != 0; ++bit)
    if ((mask >> bit) & 1)
      result |= ((value >> bit) & 1) << next++;
  return result;
}

LogicalResult
ScanLowering::matchAndRewrite(nv_tileas::ScanOp op, OneToNOpAdaptor adaptor,
                              ConversionPatternRewriter &rewriter) const {
  Emitter emitter(rewriter, op, state);
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  Layout layout = getLayout(type);
  unsigned axis = op.getAxis();
  SmallVector<unsigned> laneAxis = getAxisBits(layout, axis, kLane);
  SmallVector<unsigned> warpAxis = getAxisBits(layout, axis, kWarp);
  unsigned laneBits = laneAxis.size();
  int64_t along = 0; // register bits along the axis
  for (unsigned bit : getAxisBits(layout, axis, kRegister))
    along |= int64_t(1) << bit;
  int64_t run = int64_t(1) << llvm::popcount(uint64_t(along));

  // Rows of registers along the axis, one for each value of the other bits.
  SmallVector<int64_t> rowRegisters;
  SmallVector<std::pair<int64_t, int64_t>> places; // row, index in it
  for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg) {
    if (!(reg & along))
      rowRegisters.push_back(reg);
    places.emplace_back(extractBits(reg, ~along), extractBits(reg, along));
  }
  SmallVector<SmallVector<Values>> rows(rowRegisters.size());
  for (SmallVector<Values> &row : rows)
    row.resize(run);
  for (auto [operand, words] :
       llvm::zip(op.getOperands(), adaptor.getOperands())) {
    auto tile = cast<RankedTensorType>(operand.getType());
    for (auto [place, value] : llvm::zip(places, emitter.unpack(words, tile)))
      rows[place.first][place.second].push_back(value);
  }
  bool reverse = op.getReverse();
  auto at = [&](int64_t i) { return reverse ? run - 1 - i : i; };
  // Position along the axis, counted in the direction of the scan.
  Value position;
  if (laneBits)
    position = emitter.andConst(
        emitter.shrConst(emitter.tid(), laneAxis.front()), (1 << laneBits) - 1);
  else
    position = emitter.i32(0);
  if (reverse)
    position = emitter.xorConst(position, (1 << laneBits) - 1);
  SmallVector<Values> totals;
  for (SmallVector<Values> &row : rows) {
    for (int64_t i = 1; i < run; ++i)
      row[at(i)] = combine(emitter, op.getBody(), row[at(i - 1)], row[at(i)]);
    Values total = row[at(run - 1)];
    if (laneBits) {
      scanLanes(emitter, op, laneAxis, position, total);
      addLanesBefore(emitter, op, laneAxis, position, total, row);
    }
    totals.push_back(total);
  }
  if (!warpAxis.empty())
    scanWarps(emitter, op, layout, laneBits, warpAxis, position, rowRegisters,
              totals, rows);

  SmallVector<SmallVector<Value>> results;
  for (auto [i, value] : llvm::enumerate(op.getResults())) {
    SmallVector<Value> elements;
    for (auto [row, place] : places)
      elements.push_back(rows[row][place][i]);
    results.push_back(
        emitter.pack(elements, cast<RankedTensorType>(value.getType())));
  }
  rewriter.replaceOpWithMultiple(op, std::move(results));
  return success();
}

void populateReducePatterns(RewritePatternSet &patterns,
                            const TileTypeConverter &converter,
                            const LoweringState &state) {
  patterns.add<ReduceLowering, ScanLowering>(converter, patterns.getContext(),
                                             state);
}

} // namespace tileir::lowering

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/Remarks.h"
#include "passes/tileas_lowering/Lowering.h"
#include "passes/tileas_lowering/memory/SharedAccess.h"

#include "dialects/support/RuntimeGates.h"

#define DEBUG_TYPE "convert-tileas-to-llvm"

using namespace mlir;

namespace tileir::lowering {

namespace {

constexpr uint64_t kLineBytes = 128; // of all banks

/// Storage of a layout conversion, and its stores and loads.
struct Exchange {
  Layout smem;
  std::optional<MatrixMatch> matrix;
  /// The source layout with its registers in the order of the stores.
  Layout from;
  /// Registers to repack for this order.
  uint64_t packs = 0;
};

} // namespace

/// Returns the passes of the slowest bank. `lanes` are byte offsets of accesses
/// that move `unit` bytes in one conflict-free pass.
static uint64_t countPasses(ArrayRef<uint64_t> lanes, uint64_t unit) {
  Span words, banks;
  for (uint64_t offset : lanes) {
    words.insert(offset / unit);
    banks.insert(offset % kLineBytes / unit);
  }
  return uint64_t(1) << (words.dimension() - banks.dimension());
}

namespace {

/// Number of accesses of one side of a conversion, and passes of each; one pass
/// is conflict-free.
struct Passes {
  uint64_t accesses, each;
  uint64_t total() const { return accesses * each; }
};

/// Passes of both sides, and repacking instructions.
struct ExchangePrice {
  Passes stores, loads;
  uint64_t packs;
  uint64_t total() const { return stores.total() + loads.total() + packs; }
  uint64_t each() const { return std::max(stores.each, loads.each); }
};

} // namespace

/// Counts the passes of vector accesses to a thread's registers.
static Passes countVectorPasses(const Layout &reg, const Layout &smem,
                                unsigned bits) {
  SmemAccess access = smemAccess(reg, smem, bits);
  unsigned registers = reg.getNumBases(kRegister);
  uint64_t bytes = bits / 8,
           unit = std::max<uint64_t>(4, bytes << access.vectorBits);
  SmallVector<uint64_t> lanes;
  for (unsigned i = 0; i < 5 && unit << i < kLineBytes; ++i)
    lanes.push_back(access.offsets.column(registers + i) * bytes);
  return {uint64_t(1) << (registers - access.vectorBits),
          countPasses(lanes, unit)};
}

/// Counts the passes of matrix accesses, whose rows have 16 bytes.
static Passes countMatrixPasses(const Layout &reg, const MatrixMatch &match) {
  SmallVector<uint64_t> rows;
  for (uint64_t offset : match.rowOffsets)
    rows.push_back(offset * 2);
  uint64_t loads =
      (uint64_t(1) << (reg.getNumBases(kRegister) - match.wordBits)) /
      match.num;
  return {std::max<uint64_t>(1, loads), countPasses(rows, 16)};
}

/// Returns `layout` with the register bases `first` before all others; none if
/// it lacks one of these bases.
static std::optional<Layout> getRegistersFirst(const Layout &layout,
                                               ArrayRef<uint32_t> first) {
  Layout::FlatBases bases = layout.getFlatBases();
  std::vector<uint32_t> &registers = bases[kRegister];
  for (auto [at, basis] : llvm::enumerate(first)) {
    auto found = std::find(registers.begin() + at, registers.end(), basis);
    if (!basis || found == registers.end())
      return std::nullopt;
    std::rotate(registers.begin() + at, found, found + 1);
  }
  return Layout::getUnchecked(LayoutSpace::Reg, layout.getShape(), bases);
}

/// Returns an exchange in which a thread writes whole rows of the matrices that
/// `ldmatrix` transposes. Three lane bits of `to` select the element of a row;
/// `from` must hold them in registers. Bytes move in pairs.
static std::optional<Exchange> planMatrixRows(const Layout &from,
                                              const Layout &to, unsigned bits) {
  constexpr unsigned kFirstLane = 2, kLanes = 3; // lane bits of one row
  Layout::FlatBases bases = to.getFlatBases();
  std::vector<uint32_t> &registers = bases[kRegister], &lanes = bases[kLane];
  unsigned pair = bits == 8;
  if ((bits != 8 && bits != 16) || registers.size() < pair + kLanes)
    return std::nullopt;
  std::vector<uint32_t> row(registers.begin(), registers.begin() + pair);
  row.insert(row.end(), lanes.begin() + kFirstLane, lanes.end());
  std::optional<Layout> stored = getRegistersFirst(from, row);
  if (!stored)
    return std::nullopt;
  // Each lane reads the row whose address it provides.
  lanes = {registers[pair], lanes[0], lanes[1], registers[pair + 1],
           registers[pair + 2]};
  std::copy(row.begin(), row.end(), registers.begin());
  Layout rows = Layout::getUnchecked(LayoutSpace::Reg, to.getShape(), bases);
  Layout smem = planExchange(rows, *stored, bits).smem;
  std::optional<MatrixMatch> matrix = matchLdmatrix(to, smem, bits);
  if (!matrix)
    return std::nullopt;
  bool keepsRegisters = from.getFlatBasis(kRegister, 0) == row[0] &&
                        (!pair || from.getFlatBasis(kRegister, 1) == row[1]);
  uint64_t packs = keepsRegisters ? 0 : from.getNumRegisters() * bits / 32;
  return Exchange{smem, matrix, *stored, packs};
}

/// Chooses the storage of a conversion: the conflict-free layout of the pair, a
/// layout whose rows `ldmatrix` distributes over lanes, or a canonical swizzle
/// that allows `ldmatrix`, if it is cheaper without more conflicts. A gate
/// forces the widest canonical swizzle of the tile regardless of cost.
static Exchange chooseExchange(const Layout &from, const Layout &to,
                               unsigned bits) {
  ExchangePlan plan = planExchange(to, from, bits);
  Exchange best{plan.smem, matchLdmatrix(to, plan.smem, bits), from};
  auto price = [&](const Exchange &exchange) {
    return ExchangePrice{countVectorPasses(exchange.from, exchange.smem, bits),
                         exchange.matrix
                             ? countMatrixPasses(to, *exchange.matrix)
                             : countVectorPasses(to, exchange.smem, bits),
                         exchange.packs};
  };
  ExchangePrice cost = price(best);
  auto take = [&](const Exchange &candidate) {
    ExchangePrice total = price(candidate);
    if (total.total() >= cost.total() || total.each() > cost.each())
      return;
    best = candidate;
    cost = total;
  };
  if (std::optional<Exchange> rows = planMatrixRows(from, to, bits))
    take(*rows);
  if (to.getRank() != 2)
    return best;
  bool forced = gates::alwaysSwizzle();
  Swizzle widest = Swizzle::None;
  for (unsigned major : {1, 0})
    for (Swizzle swizzle : {Swizzle::B128, Swizzle::B64, Swizzle::B32}) {
      std::optional<Layout> form =
          swizzledSmem(to.getShape(), swizzle, major, bits);
      if (!form)
        continue;
      Exchange candidate{*form, matchLdmatrix(to, *form, bits), from};
      if (forced && swizzle > widest) {
        best = candidate;
        widest = swizzle;
      }
      if (forced || !candidate.matrix)
        continue;
      take(candidate);
    }
  return best;
}

/// Renames registers: no data leaves the thread.
static SmallVector<Value>
convertRegisters(ArrayRef<Value> source, const Layout &from, const Layout &to) {
  LinearMap map = invertAndCompose(to, from);
  SmallVector<Value> result;
  for (int64_t reg = 0; reg < to.getNumRegisters(); ++reg)
    result.push_back(source[map(reg)]);
  return result;
}

/// Returns registers of four bytes in the order of `to`, each built from two
/// registers of `source`; none if one needs bytes of more registers.
static std::optional<SmallVector<Value>> permuteBytes(Emitter &emitter,
                                                      ValueRange source,
                                                      const Layout &from,
                                                      const Layout &to) {
  constexpr unsigned kPerWord = 4;
  LinearMap map = invertAndCompose(to, from);
  SmallVector<Value> words;
  for (uint64_t first = 0; first < uint64_t(to.getNumRegisters());
       first += kPerWord) {
    uint64_t left = map(first) / kPerWord, right = left;
    uint32_t selector = 0;
    for (unsigned i = 0; i < kPerWord; ++i) {
      uint64_t at = map(first + i), word = at / kPerWord;
      if (word != left && right == left)
        right = word;
      if (word != left && word != right)
        return std::nullopt;
      selector |= (at % kPerWord + (word == left ? 0 : kPerWord)) << 4 * i;
    }
    Type i32 = emitter.intType(32);
    Value permuted =
        LLVM::CallIntrinsicOp::create(
            emitter.builder, emitter.loc, i32,
            emitter.builder.getStringAttr("llvm.nvvm.prmt"),
            {emitter.bitcast(source[left], i32),
             emitter.bitcast(source[right], i32), emitter.i32(selector)})
            .getResult(0);
    words.push_back(emitter.bitcast(permuted, source[left].getType()));
  }
  return words;
}

static void print(raw_ostream &os, const ShufflePlan &plan) {
  os << plan.sourceRegister.size() << " rounds of shuffles, "
     << plan.numSelectBits() << " bits of the lane choose registers";
}

static void print(raw_ostream &os, const Exchange &exchange) {
  os << "shared memory, " << (exchange.matrix ? "read by ldmatrix, " : "")
     << exchange.smem.str();
}

/// Logs the method of the conversion at `loc`.
template <typename Plan>
static void logConversion(Location loc, const Plan &plan) {
  if (!isDebugged(DEBUG_TYPE))
    return;
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, plan);
  TILEIR_LOG() << loc << ": layout changes by " << text;
}

static SmallVector<Value> convertByShuffle(Emitter &emitter, ValueRange words,
                                           RankedTensorType fromType,
                                           RankedTensorType toType) {
  const Layout &from = getLayout(fromType), &to = getLayout(toType);
  Packing packing = getTilePacking(fromType);
  unsigned limit = llvm::Log2_64(packing.perWord);
  unsigned packed = commonPackedBits(to, from, limit);
  std::optional<ShufflePlan> plan = planShuffle(to, from, packed);
  assert(plan && "the choice was made with the same plan");
  logConversion(emitter.loc, *plan);

  // Groups of 2^packed elements, one value each.
  SmallVector<Value> elements = emitter.unpack(words, fromType), slots;
  int64_t group = int64_t(1) << packed;
  for (int64_t reg = 0; reg < int64_t(elements.size()); reg += group)
    slots.push_back(
        emitter.packVector(ArrayRef<Value>(elements).slice(reg, group)));
  auto permute = [&](SmallVector<Value> &values, const LinearMap &byLane) {
    for (unsigned bit = 0; bit < byLane.numInputs(); ++bit) {
      uint64_t flip = byLane.column(bit);
      if (!flip)
        continue;
      Value set = emitter.icmp(LLVM::ICmpPredicate::ne,
                               emitter.andConst(emitter.tid(), 1 << bit),
                               emitter.i32(0));
      SmallVector<Value> next;
      for (uint64_t i = 0; i < values.size(); ++i)
        next.push_back(emitter.select(set, values[i ^ flip], values[i]));
      values = next;
    }
  };
  permute(slots, plan->select);
  Value sourceLane = emitter.linearOfLane(plan->sourceLane);
  bool sameLane = plan->sourceLane == LinearMap::identity(5);
  SmallVector<Value> result;
  for (auto [lane, reg] :
       llvm::zip(plan->sourceLaneXor, plan->sourceRegister)) {
    Value value = slots[reg];
    if (sameLane && lane == 0)
      result.push_back(value);
    else if (sameLane)
      result.push_back(
          emitter.shuffle(NVVM::ShflKind::bfly, value, emitter.i32(lane)));
    else
      result.push_back(emitter.shuffle(NVVM::ShflKind::idx, value,
                                       emitter.xorConst(sourceLane, lane)));
  }
  permute(result, plan->undo);
  SmallVector<Value> out;
  for (Value slot : result)
    for (int64_t i = 0; i < group; ++i)
      out.push_back(group == 1 ? slot : emitter.extract(slot, i));
  return emitter.pack(out, toType);
}

static SmallVector<Value> convertThroughSmem(Emitter &emitter, Operation *op,
                                             ValueRange words,
                                             RankedTensorType fromType,
                                             RankedTensorType toType) {
  const Layout &from = getLayout(fromType), &to = getLayout(toType);
  Type element = fromType.getElementType();
  // An i1 occupies a byte there, and `ldmatrix` gives bytes.
  if (element.isInteger(1)) {
    Type byte = emitter.intType(8);
    auto bytesFrom = cast<RankedTensorType>(fromType.clone(byte));
    auto bytesTo = cast<RankedTensorType>(toType.clone(byte));
    SmallVector<Value> flags = emitter.unpack(words, fromType);
    for (Value &flag : flags)
      flag = emitter.resize(flag, 8);
    flags = emitter.unpack(convertThroughSmem(emitter, op,
                                              emitter.pack(flags, bytesFrom),
                                              bytesFrom, bytesTo),
                           bytesTo);
    for (Value &flag : flags)
      flag =
          emitter.icmp(LLVM::ICmpPredicate::ne, flag, emitter.constant(8, 0));
    return emitter.pack(flags, toType);
  }
  Exchange exchange = chooseExchange(from, to, getMemoryBits(element));
  logConversion(emitter.loc, exchange);
  SharedBuffer scratch(emitter.smemPtr(emitter.enterScratch(op)),
                       exchange.smem);
  SmallVector<Value> elements;
  std::optional<SmallVector<Value>> permuted;
  if (exchange.packs && getTilePacking(fromType).perWord == 4)
    permuted = permuteBytes(emitter, words, from, exchange.from);
  if (permuted)
    elements = emitter.unpack(*permuted, fromType);
  else
    elements =
        convertRegisters(emitter.unpack(words, fromType), from, exchange.from);
  SharedAccess(emitter, scratch, exchange.from, element).write(elements);
  emitter.barrier();
  return SharedAccess(emitter, scratch, to, element).readWords();
}

/// Converts the packed registers of a tile to another layout.
static SmallVector<Value> convertLayout(Emitter &emitter, Operation *op,
                                        ValueRange words, RankedTensorType from,
                                        RankedTensorType to) {
  unsigned bits = getRegisterBits(from.getElementType());
  switch (chooseConversion(getLayout(to), getLayout(from), bits).kind) {
  case ConversionKind::Identity:
    return llvm::to_vector(words);
  case ConversionKind::Registers:
    return emitter.pack(convertRegisters(emitter.unpack(words, from),
                                         getLayout(from), getLayout(to)),
                        to);
  case ConversionKind::Shuffle:
    reportConversion(op, "shuffles", to);
    return convertByShuffle(emitter, words, from, to);
  case ConversionKind::Shared:
    reportConversion(op, "shared memory", to);
    return convertThroughSmem(emitter, op, words, from, to);
  case ConversionKind::Cluster:
    break;
  }
  llvm_unreachable("refused before the conversion");
}

namespace {

struct ConvertLayoutLowering final : TilePattern<nv_tileas::ConvertLayoutOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::ConvertLayoutOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    SmallVector<Value> words =
        convertLayout(emitter, op, adaptor.getSource(),
                      cast<RankedTensorType>(op.getSource().getType()),
                      cast<RankedTensorType>(op.getType()));
    rewriter.replaceOpWithMultiple(op, {words});
    return success();
  }
};

} // namespace

void populateConvertLayoutPatterns(RewritePatternSet &patterns,
                                   const TileTypeConverter &converter,
                                   const LoweringState &state) {
  patterns.add<ConvertLayoutLowering>(converter, patterns.getContext(), state);
}

} // namespace tileir::lowering

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/AxisInfo.h"

#include "dialects/nv_tileaa/NVTileAA.h"
#include "passes/analysis/Remarks.h"

#include "mlir/Analysis/DataFlow/SparseAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

MLIR_DEFINE_EXPLICIT_TYPE_ID(tileir::AxisInfoAnalysis)

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

//===----------------------------------------------------------------------===//
// AxisInfo
//===----------------------------------------------------------------------===//

static constexpr int64_t kMaxDivisor = AxisFacts::kMaxDivisor;

/// The largest power of two that divides `value`.
static int64_t lowBit(int64_t value) {
  if (!value)
    return kMaxDivisor;
  uint64_t bits = static_cast<uint64_t>(value);
  return static_cast<int64_t>(
      std::min<uint64_t>(bits & (~bits + 1), kMaxDivisor));
}

static int64_t multiply(int64_t a, int64_t b) {
  return a > kMaxDivisor / b ? kMaxDivisor : a * b;
}

int64_t getRunStep(Type type) {
  auto ptr = dyn_cast<aa::TAPointerType>(getElementTypeOrSelf(type));
  return ptr ? std::max(1u, aa::getStorageBits(ptr.getPointee()) / 8) : 1;
}

static unsigned getInfoRank(Type type) {
  return std::max<size_t>(aa::getTileShape(type).size(), 1);
}

/// Extent along `d`; a scalar has one element.
static int64_t getExtent(Type type, unsigned d) {
  ArrayRef<int64_t> shape = aa::getTileShape(type);
  return shape.empty() ? 1 : shape[d];
}

AxisInfo AxisInfo::getMultiple(Type type, int64_t divisor) {
  AxisFacts facts;
  facts.divisibility = std::min(divisor, kMaxDivisor);
  return AxisInfo(SmallVector<AxisFacts>(getInfoRank(type), facts));
}

AxisInfo AxisInfo::getUnknown(Type type) {
  // An address is a multiple of the pointee's size.
  return getMultiple(type, getRunStep(type));
}

AxisInfo AxisInfo::getConstant(Type type, int64_t value) {
  AxisInfo info = getMultiple(type, lowBit(value));
  for (auto [d, facts] : llvm::enumerate(info.dims))
    facts.constancy = getExtent(type, d);
  info.constant = value;
  return info;
}

int64_t AxisInfo::getDivisibilityAt(unsigned d, int64_t run,
                                    int64_t step) const {
  const AxisFacts &facts = dims[d];
  if (run >= facts.contiguity)
    return facts.divisibility;
  // Element k of a run is its first element plus k steps.
  return std::min(facts.divisibility, lowBit(multiply(run, lowBit(step))));
}

AxisInfo AxisInfo::join(const AxisInfo &lhs, const AxisInfo &rhs,
                        int64_t step) {
  if (!lhs.isInitialized())
    return rhs;
  if (!rhs.isInitialized() || lhs == rhs)
    return lhs;
  SmallVector<AxisFacts> dims;
  for (unsigned d = 0; d < lhs.getRank(); ++d) {
    AxisFacts facts;
    facts.contiguity = std::min(lhs.getContiguity(d), rhs.getContiguity(d));
    facts.constancy = std::min(lhs.getConstancy(d), rhs.getConstancy(d));
    facts.divisibility =
        std::min(lhs.getDivisibilityAt(d, facts.contiguity, step),
                 rhs.getDivisibilityAt(d, facts.contiguity, step));
    dims.push_back(facts);
  }
  std::optional<int64_t> constant;
  if (lhs.constant == rhs.constant)
    constant = lhs.constant;
  return AxisInfo(dims, constant);
}

void AxisInfo::print(raw_ostream &os) const {
  auto list = [&](StringRef name, int64_t AxisFacts::*member) {
    os << name << " = [";
    llvm::interleaveComma(dims, os,
                          [&](const AxisFacts &facts) { os << facts.*member; });
    os << "]";
  };
  list("contiguity", &AxisFacts::contiguity);
  list(", divisibility", &AxisFacts::divisibility);
  list(", constancy", &AxisFacts::constancy);
  if (constant)
    os << ", constant = " << *constant;
}

//===----------------------------------------------------------------------===//
// Transfer functions
//===----------------------------------------------------------------------===//

namespace {

using Operands = ArrayRef<AxisInfo>;

/// Builds the facts of a result dimension by dimension.
template <typename Fn> AxisInfo forEachDim(Type type, Fn &&fn) {
  SmallVector<AxisFacts> dims;
  for (unsigned d = 0, e = getInfoRank(type); d < e; ++d)
    dims.push_back(fn(d));
  return AxisInfo(dims);
}

/// Facts of an integer tile before a change of width: a run that starts at a
/// multiple of its length does not cross the largest value.
AxisFacts beforeExtension(const AxisInfo &info, unsigned d) {
  AxisFacts facts = info.getDim(d);
  facts.contiguity = std::min(facts.contiguity, facts.divisibility);
  facts.divisibility = info.getDivisibilityAt(d, facts.contiguity);
  return facts;
}

/// `lhs + rhs * scale`, where the elements of `lhs` step by `scale` in a run.
AxisInfo add(Type type, const AxisInfo &lhs, const AxisInfo &rhs,
             int64_t scale) {
  return forEachDim(type, [&](unsigned d) {
    AxisFacts facts;
    facts.contiguity =
        std::max(std::min(lhs.getContiguity(d), rhs.getConstancy(d)),
                 std::min(lhs.getConstancy(d), rhs.getContiguity(d)));
    facts.constancy = std::min(lhs.getConstancy(d), rhs.getConstancy(d));
    facts.divisibility = std::min(
        lhs.getDivisibilityAt(d, facts.contiguity, scale),
        multiply(rhs.getDivisibilityAt(d, facts.contiguity), lowBit(scale)));
    return facts;
  });
}

AxisInfo subtract(Type type, const AxisInfo &lhs, const AxisInfo &rhs) {
  return forEachDim(type, [&](unsigned d) {
    AxisFacts facts;
    facts.contiguity = std::min(lhs.getContiguity(d), rhs.getConstancy(d));
    facts.constancy = std::min(lhs.getConstancy(d), rhs.getConstancy(d));
    facts.divisibility = std::min(lhs.getDivisibilityAt(d, facts.contiguity),
                                  rhs.getDivisibilityAt(d, facts.contiguity));
    return facts;
  });
}

AxisInfo multiplyTiles(Type type, const AxisInfo &lhs, const AxisInfo &rhs) {
  if (lhs.getConstant() == 1)
    return rhs;
  if (rhs.getConstant() == 1)
    return lhs;
  return forEachDim(type, [&](unsigned d) {
    AxisFacts facts;
    facts.constancy = std::min(lhs.getConstancy(d), rhs.getConstancy(d));
    facts.divisibility =
        multiply(lhs.getDivisibilityAt(d, 1), rhs.getDivisibilityAt(d, 1));
    return facts;
  });
}

/// Remainder of values that are not negative by a power of two.
AxisInfo remainder(Type type, const AxisInfo &lhs, int64_t modulus) {
  return forEachDim(type, [&](unsigned d) {
    AxisFacts facts;
    facts.contiguity = std::min({lhs.getContiguity(d), modulus,
                                 std::max<int64_t>(lhs.getDivisibility(d), 1)});
    facts.constancy = lhs.getConstancy(d);
    int64_t divisor = lhs.getDivisibilityAt(d, facts.contiguity);
    facts.divisibility = divisor >= modulus ? kMaxDivisor : divisor;
    return facts;
  });
}

/// Quotient of values that are not negative by a power of two.
AxisInfo quotient(Type type, const AxisInfo &lhs, int64_t divisor) {
  return forEachDim(type, [&](unsigned d) {
    AxisFacts facts;
    facts.constancy = std::max(
        lhs.getConstancy(d),
        std::min({lhs.getContiguity(d), divisor, lhs.getDivisibility(d)}));
    facts.divisibility =
        std::max<int64_t>(lhs.getDivisibilityAt(d, 1) / divisor, 1);
    if (divisor == 1)
      return lhs.getDim(d);
    return facts;
  });
}

/// Comparison: the elements of a run lie between two multiples of its length,
/// so `x < y` is the same for all of them if `y` is such a multiple.
AxisInfo compare(Type type, arith::CmpIPredicate predicate, const AxisInfo &lhs,
                 const AxisInfo &rhs) {
  using P = arith::CmpIPredicate;
  bool runOnLeft = predicate == P::slt || predicate == P::ult ||
                   predicate == P::sge || predicate == P::uge;
  bool runOnRight = predicate == P::sgt || predicate == P::ugt ||
                    predicate == P::sle || predicate == P::ule;
  auto runs = [](const AxisInfo &run, const AxisInfo &bound, unsigned d) {
    return std::min({run.getContiguity(d), run.getDivisibility(d),
                     bound.getConstancy(d), bound.getDivisibilityAt(d, 1)});
  };
  return forEachDim(type, [&](unsigned d) {
    AxisFacts facts;
    facts.constancy = std::min(lhs.getConstancy(d), rhs.getConstancy(d));
    if (runOnLeft)
      facts.constancy = std::max(facts.constancy, runs(lhs, rhs, d));
    if (runOnRight)
      facts.constancy = std::max(facts.constancy, runs(rhs, lhs, d));
    return facts;
  });
}

AxisInfo select(arith::SelectOp op, Operands operands) {
  const AxisInfo &condition = operands[0], &a = operands[1], &b = operands[2];
  int64_t step = getRunStep(op.getType());
  bool scalar = !isa<RankedTensorType>(op.getCondition().getType());
  return forEachDim(op.getType(), [&](unsigned d) {
    int64_t same = scalar ? kMaxDivisor : condition.getConstancy(d);
    AxisFacts facts;
    facts.contiguity = std::min({a.getContiguity(d), b.getContiguity(d), same});
    facts.constancy = std::min({a.getConstancy(d), b.getConstancy(d), same});
    facts.divisibility =
        std::min(a.getDivisibilityAt(d, facts.contiguity, step),
                 b.getDivisibilityAt(d, facts.contiguity, step));
    return facts;
  });
}

/// Divides every element of `info`, whose elements are of `type`.
int64_t elementDivisor(const AxisInfo &info, Type type) {
  int64_t divisor = 1, step = getRunStep(type);
  for (unsigned d = 0; d < info.getRank(); ++d)
    divisor = std::max(divisor, info.getDivisibilityAt(d, 1, step));
  return divisor;
}

AxisInfo broadcast(aa::BroadcastOp op, const AxisInfo &source) {
  Type from = op.getSource().getType();
  return forEachDim(op.getType(), [&](unsigned d) {
    AxisFacts facts = source.getDim(d);
    if (getExtent(from, d) != getExtent(op.getType(), d))
      facts.constancy = getExtent(op.getType(), d);
    return facts;
  });
}

AxisInfo expandDims(aa::ExpandDimsOp op, const AxisInfo &source) {
  AxisFacts added;
  added.divisibility = elementDivisor(source, op.getSource().getType());
  unsigned next = 0;
  return forEachDim(op.getType(), [&](unsigned d) {
    return llvm::is_contained(op.getAxes(), d) ? added : source.getDim(next++);
  });
}

/// A reshape keeps the order, so the innermost runs remain as far as they fit.
AxisInfo view(aa::ViewOp op, const AxisInfo &source) {
  Type from = op.getSource().getType(), to = op.getType();
  int64_t step = getRunStep(to);
  AxisFacts lost;
  lost.divisibility = elementDivisor(source, from);
  unsigned fromRank = getInfoRank(from), toRank = getInfoRank(to);
  SmallVector<AxisFacts> dims(toRank, lost);
  for (unsigned inner = 0; inner < std::min(fromRank, toRank); ++inner) {
    unsigned f = fromRank - 1 - inner, t = toRank - 1 - inner;
    dims[t] = source.getDim(f);
    if (getExtent(from, f) == getExtent(to, t))
      continue;
    dims[t].contiguity = std::min(dims[t].contiguity, getExtent(to, t));
    dims[t].constancy = std::min(dims[t].constancy, getExtent(to, t));
    dims[t].divisibility =
        source.getDivisibilityAt(f, dims[t].contiguity, step);
    break;
  }
  return AxisInfo(dims);
}

AxisInfo extractSlice(aa::ExtractSliceOp op, const AxisInfo &source) {
  int64_t step = getRunStep(op.getType());
  return forEachDim(op.getType(), [&](unsigned d) {
    AxisFacts facts = source.getDim(d);
    int64_t extent = getExtent(op.getType(), d);
    facts.contiguity = std::min(facts.contiguity, extent);
    facts.constancy = std::min(facts.constancy, extent);
    facts.divisibility = source.getDivisibilityAt(d, facts.contiguity, step);
    return facts;
  });
}

/// A cast between integers and pointers keeps runs of bytes only.
AxisInfo castPointer(Type from, Type to, const AxisInfo &source) {
  int64_t step = getRunStep(from);
  if (step == getRunStep(to))
    return source;
  return forEachDim(to, [&](unsigned d) {
    AxisFacts facts;
    facts.constancy = source.getConstancy(d);
    facts.divisibility = source.getDivisibilityAt(d, 1, step);
    return facts;
  });
}

AxisInfo assume(aa::AssumeOp op, const AxisInfo &source) {
  SmallVector<AxisFacts> dims(source.getDims());
  for (Attribute predicate : op.getPredicates()) {
    if (auto divBy = dyn_cast<aa::DivByAttr>(predicate)) {
      int64_t divisor = std::min<uint64_t>(divBy.getDivisor(), kMaxDivisor);
      if (!divBy.getEvery()) {
        for (AxisFacts &facts : dims)
          facts.divisibility = std::max(facts.divisibility, divisor);
        continue;
      }
      AxisFacts &facts = dims[*divBy.getAlong()];
      int64_t every = *divBy.getEvery();
      if (every > 0 && llvm::isPowerOf2_64(every) &&
          every >= facts.contiguity) {
        facts.contiguity = every;
        facts.divisibility = std::max(facts.divisibility, divisor);
      }
    } else if (auto same = dyn_cast<aa::SameElementsAttr>(predicate)) {
      for (auto [facts, group] : llvm::zip(dims, same.getValues()))
        if (group > 0 && llvm::isPowerOf2_64(group))
          facts.constancy = std::max(facts.constancy, group);
    }
  }
  return AxisInfo(dims, source.getConstant());
}

AxisInfo makeRange(aa::MakeRangeOp op) {
  AxisFacts facts;
  facts.contiguity = getExtent(op.getType(), 0);
  facts.divisibility = lowBit(op.getStart());
  return AxisInfo({facts});
}

AxisInfo constant(arith::ConstantOp op) {
  APInt value;
  if (matchPattern(op.getResult(), m_ConstantInt(&value)) &&
      value.getSignificantBits() <= 64)
    return AxisInfo::getConstant(op.getType(), value.getSExtValue());
  return AxisInfo::getUnknown(op.getType());
}

std::optional<int64_t> powerOfTwo(const AxisInfo &info) {
  std::optional<int64_t> value = info.getConstant();
  if (value && *value > 0 && llvm::isPowerOf2_64(*value))
    return value;
  return std::nullopt;
}

/// Facts about result 0 of `op`; operations without a case give unknown.
AxisInfo transfer(Operation *op, Operands in) {
  Type type = op->getResult(0).getType();
  return llvm::TypeSwitch<Operation *, AxisInfo>(op)
      .Case([&](arith::ConstantOp op) { return constant(op); })
      .Case([&](aa::MakeRangeOp op) { return makeRange(op); })
      .Case([&](aa::SplatOp) {
        AxisInfo info = AxisInfo::getMultiple(type, in[0].getDivisibility(0));
        return forEachDim(type, [&](unsigned d) {
          AxisFacts facts = info.getDim(d);
          facts.constancy = getExtent(type, d);
          return facts;
        });
      })
      .Case([&](aa::BroadcastOp op) { return broadcast(op, in[0]); })
      .Case([&](aa::ExpandDimsOp op) { return expandDims(op, in[0]); })
      .Case([&](aa::ViewOp op) { return view(op, in[0]); })
      .Case([&](aa::PermuteOp op) {
        return forEachDim(type, [&](unsigned d) {
          return in[0].getDim(op.getPermutation()[d]);
        });
      })
      .Case([&](aa::ExtractSliceOp op) { return extractSlice(op, in[0]); })
      .Case([&](aa::CatOp) {
        return AxisInfo::join(in[0], in[1], getRunStep(type));
      })
      .Case([&](aa::ExtractOp op) {
        return AxisInfo::getMultiple(
            type, elementDivisor(in[0], op.getSource().getType()));
      })
      .Case([&](aa::AssumeOp op) { return assume(op, in[0]); })
      .Case([&](aa::AddPtrOp) {
        AxisInfo offset = forEachDim(
            type, [&](unsigned d) { return beforeExtension(in[1], d); });
        return add(type, in[0], offset, getRunStep(type));
      })
      .Case([&](aa::BitcastOp op) {
        Type from = op.getSource().getType();
        return aa::isPtrTile(from) ? castPointer(from, type, in[0])
                                   : AxisInfo::getUnknown(type);
      })
      .Case<aa::IntToPtrOp, aa::PtrToIntOp>([&](auto op) {
        return castPointer(op.getSource().getType(), type, in[0]);
      })
      // A memref or view has the facts of its base address.
      .Case<aa::MakeMemRefOp, aa::BlockTileOp>([&](auto) {
        return AxisInfo::getMultiple(type, in[0].getDivisibility(0));
      })
      .Case([&](arith::AddIOp) { return add(type, in[0], in[1], 1); })
      .Case([&](arith::SubIOp) { return subtract(type, in[0], in[1]); })
      .Case([&](arith::MulIOp) { return multiplyTiles(type, in[0], in[1]); })
      .Case([&](arith::ShLIOp) {
        std::optional<int64_t> amount = in[1].getConstant();
        if (!amount || *amount < 0 || *amount > llvm::Log2_64(kMaxDivisor))
          return AxisInfo::getUnknown(type);
        return multiplyTiles(
            type, in[0], AxisInfo::getConstant(type, int64_t(1) << *amount));
      })
      .Case<arith::RemUIOp>([&](auto) {
        if (std::optional<int64_t> modulus = powerOfTwo(in[1]))
          return remainder(type, in[0], *modulus);
        return AxisInfo::getUnknown(type);
      })
      .Case<arith::DivUIOp>([&](auto) {
        if (std::optional<int64_t> divisor = powerOfTwo(in[1]))
          return quotient(type, in[0], *divisor);
        return AxisInfo::getUnknown(type);
      })
      .Case([&](arith::AndIOp) {
        for (unsigned i : {0u, 1u}) {
          std::optional<int64_t> mask = in[i].getConstant();
          if (mask && *mask > 0 && llvm::isPowerOf2_64(*mask + 1))
            return remainder(type, in[1 - i], *mask + 1);
        }
        // Low zero bits of either side are zero in the result.
        return forEachDim(type, [&](unsigned d) {
          AxisFacts facts;
          facts.constancy =
              std::min(in[0].getConstancy(d), in[1].getConstancy(d));
          facts.divisibility = std::max(in[0].getDivisibilityAt(d, 1),
                                        in[1].getDivisibilityAt(d, 1));
          return facts;
        });
      })
      .Case<arith::ExtSIOp, arith::ExtUIOp>([&](auto) {
        AxisInfo info = forEachDim(
            type, [&](unsigned d) { return beforeExtension(in[0], d); });
        std::optional<int64_t> value = in[0].getConstant();
        if (value && *value >= 0)
          info = AxisInfo::getConstant(type, *value);
        return info;
      })
      .Case<arith::TruncIOp, arith::IndexCastOp, arith::IndexCastUIOp>(
          [&](auto) { return AxisInfo(in[0].getDims()); })
      .Case([&](arith::CmpIOp op) {
        return compare(type, op.getPredicate(), in[0], in[1]);
      })
      .Case([&](arith::SelectOp op) { return select(op, in); })
      .Default([&](Operation *) { return AxisInfo::getUnknown(type); });
}

//===----------------------------------------------------------------------===//
// Data flow
//===----------------------------------------------------------------------===//

} // namespace

/// An `AxisInfo` whose join knows the step of its type. The class has a name
/// because its TypeID crosses shared objects with the solver.
class AxisInfoLattice final : public dataflow::AbstractSparseLattice {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AxisInfoLattice)
  using AbstractSparseLattice::AbstractSparseLattice;

  const AxisInfo &getInfo() const { return info; }

  ChangeResult join(const AxisInfo &other) {
    AxisInfo joined =
        AxisInfo::join(info, other, getRunStep(getAnchor().getType()));
    if (joined == info)
      return ChangeResult::NoChange;
    info = std::move(joined);
    return ChangeResult::Change;
  }
  ChangeResult join(const AbstractSparseLattice &rhs) override {
    return join(static_cast<const AxisInfoLattice &>(rhs).info);
  }
  void print(raw_ostream &os) const override { info.print(os); }

private:
  AxisInfo info;
};

namespace {

bool isTracked(Type type) {
  if (isa<aa::TAMemRefType, aa::TATiledViewType>(type))
    return true;
  Type element = getElementTypeOrSelf(type);
  return isa<IntegerType, IndexType, aa::TAPointerType>(element);
}

class AxisInfoDataFlow final
    : public dataflow::SparseForwardDataFlowAnalysis<AxisInfoLattice> {
public:
  using SparseForwardDataFlowAnalysis::SparseForwardDataFlowAnalysis;

  LogicalResult visitOperation(Operation *op,
                               ArrayRef<const AxisInfoLattice *> operands,
                               ArrayRef<AxisInfoLattice *> results) override {
    if (results.empty())
      return success();
    SmallVector<AxisInfo> infos;
    for (const AxisInfoLattice *operand : operands) {
      Type type = operand->getAnchor().getType();
      if (!isTracked(type)) {
        infos.push_back(AxisInfo::getUnknown(type));
        continue;
      }
      // Facts that are not known yet are waited for: the analysis is optimistic
      // about loops.
      if (!operand->getInfo().isInitialized())
        return success();
      infos.push_back(operand->getInfo());
    }
    for (auto [index, result] : llvm::enumerate(results)) {
      Type type = result->getAnchor().getType();
      if (index || !isTracked(type))
        setToEntryState(result);
      else
        propagateIfChanged(result, result->join(transfer(op, infos)));
    }
    return success();
  }

  void setToEntryState(AxisInfoLattice *lattice) override {
    Value value = lattice->getAnchor();
    AxisInfo info = AxisInfo::getUnknown(value.getType());
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto func =
          dyn_cast_or_null<aa::FuncOp>(argument.getOwner()->getParentOp());
      if (auto divBy = func ? func.getArgAttrOfType<IntegerAttr>(
                                  argument.getArgNumber(), aa::kDivByAttr)
                            : IntegerAttr())
        info = AxisInfo::getMultiple(
            value.getType(),
            std::max(info.getDivisibility(0), lowBit(divBy.getInt())));
    }
    propagateIfChanged(lattice, lattice->join(info));
  }

  /// The induction variable is the lower bound plus a multiple of the step.
  void visitNonControlFlowArguments(Operation *op,
                                    const RegionSuccessor &successor,
                                    ArrayRef<AxisInfoLattice *> arguments,
                                    unsigned firstIndex) override {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop)
      return SparseForwardDataFlowAnalysis::visitNonControlFlowArguments(
          op, successor, arguments, firstIndex);
    ProgramPoint *point = getProgramPointAfter(op);
    const AxisInfo &lower =
        getLatticeElementFor(point, loop.getLowerBound())->getInfo();
    const AxisInfo &step =
        getLatticeElementFor(point, loop.getStep())->getInfo();
    if (!lower.isInitialized() || !step.isInitialized())
      return;
    AxisInfoLattice *variable = getLatticeElement(loop.getInductionVar());
    AxisInfo info = AxisInfo::getMultiple(
        loop.getInductionVar().getType(),
        std::min(lower.getDivisibility(0), step.getDivisibility(0)));
    propagateIfChanged(variable, variable->join(info));
  }
};

} // namespace

AxisInfoAnalysis::AxisInfoAnalysis(Operation *func)
    : func(func), solver(std::make_unique<DataFlowSolver>()) {
  dataflow::loadBaselineAnalyses(*solver);
  solver->load<AxisInfoDataFlow>();
  // Without a result every query returns what the type implies.
  if (failed(solver->initializeAndRun(func)))
    solver = std::make_unique<DataFlowSolver>();
}

AxisInfoAnalysis::~AxisInfoAnalysis() = default;

AxisInfo AxisInfoAnalysis::get(Value value) const {
  const auto *lattice = solver->lookupState<AxisInfoLattice>(value);
  if (!lattice || !lattice->getInfo().isInitialized())
    return AxisInfo::getUnknown(value.getType());
  return lattice->getInfo();
}

int64_t AxisInfoAnalysis::getVectorElements(Value ptr, Value mask, unsigned d,
                                            int64_t maxBytes) const {
  AxisInfo info = get(ptr);
  int64_t step = getRunStep(ptr.getType());
  int64_t count = std::min(info.getContiguity(d), maxBytes / step);
  count = std::min(count, std::max<int64_t>(info.getDivisibility(d) / step, 1));
  if (mask)
    count = std::min(count, get(mask).getConstancy(d));
  return std::max<int64_t>(count, 1);
}

int64_t AxisInfoAnalysis::getBaseAlignment(Value memref) const {
  return get(memref).getDivisibility(0);
}

void AxisInfoAnalysis::print(raw_ostream &os) const {
  func->walk([&](Operation *op) {
    for (Value result : op->getResults()) {
      if (!nv_tileaa::isIntTile(result.getType()) &&
          !nv_tileaa::isPtrTile(result.getType()))
        continue;
      printPlace(os, op->getLoc());
      os << ": " << op->getName() << ": ";
      get(result).print(os);
      os << '\n';
    }
  });
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/ProductRegisters.h"
#include "passes/analysis/Remarks.h"
#include "passes/tileas/ChainOrder.h"
#include "passes/tileas/LoopValues.h"
#include "passes/tileas/PipelineIterators.h"
#include "passes/tileas/ProductFactors.h"
#include "passes/tileas/SkewTensorProducts.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/nv_tileas/Factors.h"
#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/SetVector.h"

#define DEBUG_TYPE "tileas-skew-products"

namespace tileir {

#define GEN_PASS_DEF_TILEASSKEWPRODUCTS
#include "passes/tileas/TileASSkewProducts.h.inc"

namespace {

using namespace mlir;
namespace as = mlir::nv_tileas;

struct TileASSkewProducts final
    : impl::TileASSkewProductsBase<TileASSkewProducts> {
  using TileASSkewProductsBase::TileASSkewProductsBase;

  void runOnOperation() override;
};

//===----------------------------------------------------------------------===//
// The loop as it is
//===----------------------------------------------------------------------===//

/// Two products of a loop, the second of what comes of the first.
struct ChainedProducts {
  scf::ForOp loop;
  as::AsyncDotOp first, second;
  as::DotWaitOp firstWait, secondWait;
  /// The accumulator of the second product, as the loop carries it.
  BlockArgument sum;
  /// Operations that the first product takes, in the order of the body, itself
  /// and its wait included; and what hands its slots back.
  SmallVector<Operation *> start, finish;
  /// Copies for later iterations.
  SmallVector<Operation *> copies;
  /// Those of factors of the first product, and what they are computed from, in
  /// the order of the body. They too are made an iteration ahead.
  SmallVector<Operation *> early;
  /// The slot of the second product, in the order of the body.
  SmallVector<Operation *> slot;
  /// The last operation that reads the result of the first product, where the
  /// next one may start.
  Operation *lastReader = nullptr;
  /// Operation that writes the registers that the second product reads as a
  /// factor.
  Operation *factor = nullptr;
  /// The first operation that needs the sum or writes registers that the second
  /// product of the iteration before reads.
  Operation *firstNeed = nullptr;
  /// The multiplication of the sum by a factor, all that reads it but the
  /// product; null where there is another reader.
  arith::MulFOp rescale;
  Value rescaleFactor;
  /// Operations that the factor is computed from, as far as they are pure.
  llvm::SmallSetVector<Operation *, 8> rescaleMakers;
  /// True if the next first product has to take the registers of this one: it
  /// starts behind the first half of the second product, whose factor has taken
  /// half of them by then, and the other half of that follows it.
  bool isLate = false;

  bool isOneOf(ArrayRef<Operation *> list, Operation *op) const {
    return llvm::is_contained(list, op);
  }
};

/// Finds out whether the products of a loop can be skewed.
class ChainFinder {
public:
  explicit ChainFinder(scf::ForOp loop) { chain.loop = loop; }

  /// The chain; without one, `reason` says why where there are two products.
  std::optional<ChainedProducts> run(std::string &reason);

private:
  std::string findProducts();
  std::string findStart();
  std::string findFinish();
  std::string findCopies();
  void findEarlyCopies();
  std::string findSum();
  std::string findPlaces();
  std::string findRoom();
  bool canHalve();
  void findRescale();
  void hoistRescaleFactor();
  Operation *inBody(Operation *op) {
    return chain.loop.getBody()->findAncestorOpInBlock(*op);
  }
  bool isFromBody(Value value) {
    Operation *op = value.getDefiningOp();
    return op && op->getBlock() == chain.loop.getBody();
  }

  ChainedProducts chain;
  SmallVector<as::AsyncDotOp> dots;
};

} // namespace

/// Returns whether `op` gives a slot, or another name for one.
static bool namesSlot(Operation *op) {
  return llvm::any_of(op->getResultTypes(), llvm::IsaPred<as::BufferType>);
}

/// Returns whether `value` is computed from `source` in the body of `loop`.
static bool dependsOn(Value value, Value source, Block *body) {
  llvm::SmallSetVector<Value, 16> work;
  work.insert(value);
  for (size_t i = 0; i < work.size(); ++i) {
    if (work[i] == source)
      return true;
    Operation *op = work[i].getDefiningOp();
    if (!op || !body->findAncestorOpInBlock(*op))
      continue;
    op->walk([&](Operation *inner) {
      work.insert(inner->operand_begin(), inner->operand_end());
    });
  }
  return false;
}

std::string ChainFinder::findProducts() {
  chain.first = dots[0];
  chain.second = dots[1];
  auto getWait = [&](as::AsyncDotOp dot) -> as::DotWaitOp {
    if (!dot.getResult().hasOneUse())
      return {};
    auto wait = dyn_cast<as::DotWaitOp>(*dot.getResult().user_begin());
    return wait && wait->getBlock() == chain.loop.getBody() &&
                   !wait.getPending()
               ? wait
               : as::DotWaitOp();
  };
  chain.firstWait = getWait(chain.first);
  chain.secondWait = getWait(chain.second);
  if (!chain.firstWait || !chain.secondWait)
    return "a product goes on into the next iteration already";
  return "";
}

/// Collects what the first product is computed from: its slots, and what is
/// pure and depends on nothing that the loop carries.
std::string ChainFinder::findStart() {
  Block *body = chain.loop.getBody();
  if (isFromBody(chain.first.getC()) ||
      llvm::is_contained(chain.loop.getRegionIterArgs(), chain.first.getC()))
    return "the first product adds to what the loop computes";
  if (isa<RankedTensorType>(chain.first.getA().getType()) &&
      (isFromBody(chain.first.getA()) ||
       llvm::is_contained(chain.loop.getRegionIterArgs(), chain.first.getA())))
    return "a factor of the first product is computed in the loop";
  llvm::SmallSetVector<Operation *, 8> ops;
  ops.insert(chain.first);
  for (size_t i = 0; i < ops.size(); ++i)
    for (Value operand : ops[i]->getOperands()) {
      if (auto arg = dyn_cast<BlockArgument>(operand)) {
        if (arg.getOwner() == body && arg != chain.loop.getInductionVar() &&
            !isa<as::PipelineIteratorType>(arg.getType()))
          return "the first product depends on what the loop carries";
        continue;
      }
      if (!isFromBody(operand))
        continue;
      Operation *op = operand.getDefiningOp();
      if (op->getNumRegions() || !(isa<as::PipelineWaitOp>(op) || isPure(op)))
        return "the first product depends on '" +
               op->getName().getStringRef().str() + "' in the loop";
      ops.insert(op);
    }
  ops.insert(chain.firstWait);
  for (Operation &op : *body)
    if (ops.contains(&op))
      chain.start.push_back(&op);
  return "";
}

/// Returns whether something other than `ops` uses a result of `op`.
static bool isReadOutside(Operation *op, ArrayRef<Operation *> ops) {
  return llvm::any_of(op->getUsers(), [&](Operation *user) {
    return !llvm::is_contained(ops, user);
  });
}

/// The slots of the first product are released behind it, and read by nobody
/// else.
std::string ChainFinder::findFinish() {
  for (Operation *op : chain.start) {
    if (namesSlot(op) && isReadOutside(op, chain.start))
      return "something else reads a factor of the first product";
    auto wait = dyn_cast<as::PipelineWaitOp>(op);
    if (!wait)
      continue;
    auto position = dyn_cast<BlockArgument>(wait.getIterator());
    if (!position || position.getOwner() != chain.loop.getBody())
      return "an iterator is not carried by the loop";
    Operation *release = nullptr, *advance = nullptr;
    for (Operation *user : position.getUsers()) {
      if (user == wait)
        continue;
      Operation *&step = isa<as::PipelineReleaseOp>(user)   ? release
                         : isa<as::PipelineAdvanceOp>(user) ? advance
                                                            : release;
      if (!isa<as::PipelineReleaseOp, as::PipelineAdvanceOp>(user) || step ||
          user->getBlock() != chain.loop.getBody())
        return "an iterator has an unknown user";
      step = user;
    }
    if (!release || !advance ||
        chain.loop.getTiedLoopYieldedValue(position)->get() !=
            advance->getResult(0) ||
        !advance->getResult(0).hasOneUse())
      return "the factors of the first product are not released once";
    chain.finish.push_back(release);
    chain.finish.push_back(advance);
  }
  return "";
}

std::string ChainFinder::findCopies() {
  for (Operation &op : *chain.loop.getBody()) {
    if (auto wait = dyn_cast<as::PipelineWaitOp>(op)) {
      if (getCreate(wait.getPipeline()).getSync() != as::PipelineSync::Mbarrier)
        return "threads copy a factor";
      if (getLead(wait.getPipeline(), chain.loop) < 2)
        return "copies run less than two iterations ahead";
    }
    if (isa<as::AsyncCopyOp>(op))
      return "threads copy a factor";
    if (isa<as::PipelineAcquireOp, as::AsyncTmaLoadOp, as::PipelineCommitOp>(
            op))
      chain.copies.push_back(&op);
  }
  for (Operation *op : chain.copies)
    for (Operation *user : op->getUsers())
      if (!chain.isOneOf(chain.copies, user))
        return "something waits for the token of a copy";
  return "";
}

/// The first product of the iteration behind is started early in a trip: a copy
/// that is issued at the end of the trip before would come just then. Its slot
/// is free a trip earlier as well. Copies that depend on more than the number
/// of the trip stay as they are.
void ChainFinder::findEarlyCopies() {
  llvm::SmallSetVector<Operation *, 16> ops;
  llvm::SmallSetVector<Value, 2> rings;
  for (Operation *op : chain.start)
    if (auto wait = dyn_cast<as::PipelineWaitOp>(op)) {
      if (getCreate(wait.getPipeline()).getType().getDepth() <=
          getLead(wait.getPipeline(), chain.loop))
        return;
      rings.insert(wait.getPipeline());
    }
  for (Operation *op : chain.copies) {
    auto acquire = dyn_cast<as::PipelineAcquireOp>(op);
    if (!acquire || !rings.contains(acquire.getPipeline()))
      continue;
    ops.insert(acquire);
    for (Operation *user : acquire->getUsers())
      ops.insert(user);
    for (Operation *user : acquire.getIterator().getUsers())
      if (isa<as::PipelineCommitOp>(user))
        ops.insert(user);
  }
  for (size_t i = 0; i < ops.size(); ++i) {
    if (!chain.isOneOf(chain.copies, ops[i]) &&
        (ops[i]->getNumRegions() || !isPure(ops[i])))
      return;
    for (Value operand : ops[i]->getOperands()) {
      if (isFromBody(operand))
        ops.insert(operand.getDefiningOp());
      else if (llvm::is_contained(chain.loop.getRegionIterArgs(), operand) &&
               !isa<as::PipelineIteratorType>(operand.getType()))
        return;
    }
  }
  for (Operation &op : *chain.loop.getBody())
    if (ops.contains(&op))
      chain.early.push_back(&op);
}

/// The second product adds to what the loop carries, and only the next
/// iteration needs the sum.
std::string ChainFinder::findSum() {
  Block *body = chain.loop.getBody();
  if (!dependsOn(chain.second.getA(), chain.firstWait.getResult(), body))
    return "the second product does not depend on the first one";
  Value result = chain.secondWait.getResult();
  if (!result.hasOneUse() || *result.user_begin() != body->getTerminator())
    return "something needs the sum of the second product at once";
  unsigned number = result.use_begin()->getOperandNumber();
  chain.sum = chain.loop.getRegionIterArg(number);
  if (chain.sum.use_empty())
    return "nothing adds to the sum of the second product";
  // Only threads write the registers that it reads. Names for them do not.
  Value factor = chain.second.getA();
  if (!isa<RankedTensorType>(factor.getType()) || !isFromBody(factor))
    return "the factor of the second product is not computed in registers";
  chain.factor = factor.getDefiningOp();
  while (isa<as::ConvertLayoutOp, as::ViewOp, as::PermuteOp>(chain.factor) &&
         isFromBody(chain.factor->getOperand(0)) &&
         chain.factor->getOperand(0).hasOneUse())
    chain.factor = chain.factor->getOperand(0).getDefiningOp();
  if (chain.factor->getNumRegions())
    return "the factor of the second product is not computed in registers";
  return "";
}

std::string ChainFinder::findPlaces() {
  Block *body = chain.loop.getBody();
  // Operations that write the registers of the factor, and those that need the
  // sum.
  chain.firstNeed = chain.factor;
  for (Operation *user : chain.sum.getUsers()) {
    Operation *at = inBody(user);
    if (at->isBeforeInBlock(chain.firstNeed))
      chain.firstNeed = at;
  }
  if (chain.firstNeed == body->getTerminator())
    return "nothing adds to the sum of the second product";
  // Threads wait for the slot first: a wait for products in one stretch of code
  // with what comes before it would be done before that.
  llvm::SmallSetVector<Operation *, 4> ops;
  ops.insert(chain.second.getB().getDefiningOp());
  for (size_t i = 0; i < ops.size(); ++i) {
    if (!ops[i] || !(isa<as::PipelineWaitOp>(ops[i]) || isPure(ops[i])))
      return "a factor of the second product is not a slot";
    for (Value operand : ops[i]->getOperands())
      if (isFromBody(operand))
        ops.insert(operand.getDefiningOp());
  }
  for (Operation &op : *body)
    if (ops.contains(&op)) {
      chain.slot.push_back(&op);
      if (&op == chain.firstNeed || chain.isOneOf(chain.start, &op))
        return "a factor of the second product is not a slot";
    }
  SmallVector<Operation *> readers(chain.slot);
  readers.push_back(chain.second);
  for (Operation *op : chain.slot)
    if (namesSlot(op) && isReadOutside(op, readers))
      return "something else reads a factor of the second product";
  for (Operation *user : chain.firstWait.getResult().getUsers()) {
    Operation *at = inBody(user);
    // The registers would have to be kept: then the next product starts before
    // anything else.
    if ((at->getNumRegions() > 0 && !isa<as::ReduceOp>(at)) ||
        !at->isBeforeInBlock(chain.firstNeed)) {
      chain.lastReader = nullptr;
      return "";
    }
    if (!chain.lastReader || chain.lastReader->isBeforeInBlock(at))
      chain.lastReader = at;
  }
  return "";
}

/// Finds the multiplication by which the sum follows its maximum.
void ChainFinder::findRescale() {
  Block *body = chain.loop.getBody();
  if (!chain.sum.hasOneUse())
    return;
  auto mul = dyn_cast<arith::MulFOp>(*chain.sum.user_begin());
  if (!mul || mul->getBlock() != body || !mul.getResult().hasOneUse() ||
      chain.second.getC() != mul.getResult() ||
      !chain.second.getAccType().getElementType().isF32())
    return;
  // A product with one is the sum itself, unless it flushes denormals.
  if (SymbolTable::getNearestSymbolTable(mul)->hasAttr(nv_tileaa::kFtzAttr))
    return;
  // Few numbers of a thread say whether it changes.
  Value factor = mul.getLhs() == chain.sum ? mul.getRhs() : mul.getLhs();
  if (!factor.getDefiningOp<as::BroadcastOp>())
    return;
  llvm::SmallSetVector<Operation *, 8> makers;
  makers.insert(factor.getDefiningOp());
  for (size_t i = 0; i < makers.size(); ++i) {
    if (makers[i]->getBlock() != body)
      return;
    for (Value operand : makers[i]->getOperands()) {
      if (!isFromBody(operand))
        continue;
      Operation *op = operand.getDefiningOp();
      if (!op->getNumRegions() && isPure(op))
        makers.insert(op);
      else if (!op->isBeforeInBlock(chain.firstNeed))
        return;
    }
  }
  if (makers.contains(chain.firstNeed))
    return;
  chain.rescale = mul;
  chain.rescaleFactor = factor;
  chain.rescaleMakers = makers;
}

/// The factor of the sum is computed as soon as it can be: nobody then waits
/// for the answer whether it is one.
void ChainFinder::hoistRescaleFactor() {
  for (Operation &op : llvm::make_early_inc_range(*chain.loop.getBody())) {
    if (!chain.rescaleMakers.contains(&op))
      continue;
    Operation *last = nullptr;
    for (Value operand : op.getOperands())
      if (isFromBody(operand) &&
          (!last || last->isBeforeInBlock(operand.getDefiningOp())))
        last = operand.getDefiningOp();
    if (last)
      op.moveAfter(last);
    else if (chain.firstNeed->isBeforeInBlock(&op))
      op.moveBefore(chain.firstNeed);
  }
}

/// Registers of a thread beside those of the two products.
static constexpr int64_t kOtherRegisters = 44;

/// The layout of the first half of the steps of a factor in registers.
static std::optional<Layout> getHalfLayout(RankedTensorType type) {
  return as::getTileLayout(type).getLayout().extract(
      {type.getDimSize(0), type.getDimSize(1) / 2});
}

/// Returns whether the second product can be made in two parts, half the steps
/// of K each, the factor of each when it is wanted.
bool ChainFinder::canHalve() {
  Operation *op = chain.factor;
  as::AsyncDotOp dot = chain.second;
  if (dot.getA() != op->getResult(0) || !op->getResult(0).hasOneUse() ||
      !op->hasTrait<OpTrait::Elementwise>() || !isPure(op) ||
      dot.getDepth() % (2 * dot.getAtom().getK()))
    return false;
  auto type = cast<RankedTensorType>(dot.getA().getType());
  auto isAlike = [&](Value operand) {
    auto tile = dyn_cast<RankedTensorType>(operand.getType());
    return tile && tile.getShape() == type.getShape() &&
           as::getTileLayout(tile).getLayout() ==
               as::getTileLayout(type).getLayout();
  };
  std::optional<Layout> half = getHalfLayout(type),
                        want = as::getDotOperandLayout(
                            dot.getAtom(),
                            as::getTileLayout(dot.getAccType()).getLayout(),
                            dot.getDepth() / 2, /*isA=*/true);
  return half && want && *half == *want &&
         llvm::all_of(op->getOperands(), isAlike);
}

/// Returns words of tiles that are made before `dot` and read behind it.
static int64_t countWordsAcross(as::AsyncDotOp dot) {
  llvm::SmallSetVector<Value, 8> across;
  for (Operation *op = dot->getNextNode(); op; op = op->getNextNode())
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *maker = operand.getDefiningOp();
            maker && maker->getBlock() == dot->getBlock() &&
            maker->isBeforeInBlock(dot))
          across.insert(operand);
    });
  int64_t words = 0;
  for (Value value : across)
    words += getRegisterWords(value.getType());
  return words;
}

/// Two results of the first product are live at once, or the next one takes the
/// registers of this one when the factor that is computed from it is ready.
std::string ChainFinder::findRoom() {
  auto func = chain.loop->getParentOfType<nv_tileaa::FuncOp>();
  RankedTensorType result = chain.first.getAccType();
  int64_t threads =
      int64_t(1) << (5 +
                     as::getTileLayout(result).getLayout().getNumBases(kWarp));
  int64_t available = getRegisterLimit(func, threads) - kOtherRegisters;
  int64_t once = getRegisterWords(result) +
                 getRegisterWords(chain.second.getAccType()) +
                 getRegisterWords(chain.first.getA().getType()) +
                 getRegisterWords(chain.second.getA().getType());
  int64_t twice = once + getRegisterWords(result);
  if (twice <= available)
    return "";
  chain.isLate =
      once + countWordsAcross(chain.second) <= available && canHalve();
  if (!chain.isLate)
    return "a thread would hold " + std::to_string(twice) +
           " words of products";
  chain.firstNeed = chain.factor;
  return "";
}

std::optional<ChainedProducts> ChainFinder::run(std::string &reason) {
  for (auto dot : chain.loop.getBody()->getOps<as::AsyncDotOp>())
    dots.push_back(dot);
  if (dots.size() != 2) {
    TILEIR_LOG() << chain.loop.getLoc() << ": " << dots.size()
                 << " products of warpgroups, two can be skewed";
    return std::nullopt;
  }
  for (auto find : {&ChainFinder::findProducts, &ChainFinder::findSum,
                    &ChainFinder::findStart, &ChainFinder::findFinish,
                    &ChainFinder::findCopies, &ChainFinder::findPlaces,
                    &ChainFinder::findRoom}) {
    reason = (this->*find)();
    if (!reason.empty())
      return std::nullopt;
  }
  for (Value result : chain.loop.getResults())
    if (isa<as::PipelineIteratorType>(result.getType()) &&
        !result.use_empty()) {
      reason = "another loop goes on with its rings";
      return std::nullopt;
    }
  findEarlyCopies();
  findRescale();
  if (chain.isLate && !chain.rescale) {
    reason = "too few registers, and threads multiply the sum every time";
    return std::nullopt;
  }
  if (chain.rescale)
    hoistRescaleFactor();
  return chain;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {

/// Makes the branch that takes the place of the loop.
class ChainSkewer {
public:
  explicit ChainSkewer(ChainedProducts chain)
      : chain(chain), loop(chain.loop), builder(loop), loc(loop.getLoc()) {}

  void run();

private:
  void emitFirst();
  scf::ForOp emitLoop(Value last);
  SmallVector<Value> emitLast(scf::ForOp skewed, Value last);
  void clone(ArrayRef<Operation *> ops, IRMapping &mapping) {
    for (Operation *op : ops)
      builder.clone(*op, mapping);
  }
  /// Returns whether `op` is made for another iteration: cloned apart from the
  /// rest.
  bool isMoved(Operation *op) const {
    if (chain.isOneOf(chain.start, op) || chain.isOneOf(chain.slot, op))
      return !isPure(op) || namesSlot(op);
    return chain.isOneOf(chain.finish, op) || chain.isOneOf(chain.copies, op);
  }
  void waitForSum(IRMapping &mapping);
  void rescaleSum(IRMapping &mapping);
  void holdFactor(IRMapping &mapping);
  Value getHalf(Value whole, unsigned dim, int64_t number);
  Value makeHalfFactor(IRMapping &mapping, int64_t number);
  Value multiplyHalf(IRMapping &mapping, int64_t number, Value factor,
                     Value sum);
  unsigned getNumber(BlockArgument arg) const { return arg.getArgNumber() - 1; }

  ChainedProducts chain;
  scf::ForOp loop;
  OpBuilder builder;
  Location loc;
  /// The first product of the first iteration, and the carried values there.
  Value started;
  SmallVector<Value> inits;
};

} // namespace

void ChainSkewer::emitFirst() {
  inits.assign(loop.getInits().begin(), loop.getInits().end());
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), loop.getLowerBound());
  mapping.map(loop.getRegionIterArgs(), inits);
  IRMapping early = mapping;
  clone(chain.early, early);
  clone(chain.start, mapping);
  clone(chain.finish, mapping);
  started = mapping.lookup(chain.firstWait.getResult());
  for (auto [arg, init] : llvm::zip(loop.getRegionIterArgs(), inits)) {
    Operation *next = loop.getTiedLoopYieldedValue(arg)->get().getDefiningOp();
    if (chain.isOneOf(chain.finish, next))
      init = mapping.lookup(next->getResult(0));
    // The iterator by which they are copied.
    bool isEarly = llvm::any_of(arg.getUsers(), [&](Operation *user) {
      return chain.isOneOf(chain.early, user);
    });
    if (isEarly && isa<as::PipelineIteratorType>(arg.getType()))
      init = builder.clone(*next, mapping)->getResult(0);
  }
  Value &sum = inits[getNumber(chain.sum)];
  sum = as::AsyncToAsyncOp::create(builder, loc, chain.second.getType(), sum);
}

/// The sum of the iteration before as a tile.
void ChainSkewer::waitForSum(IRMapping &mapping) {
  Value tile = as::DotWaitOp::create(builder, loc, chain.sum.getType(),
                                     mapping.lookup(chain.sum), /*pending=*/0);
  mapping.map(chain.sum, tile);
}

/// The sum of the iteration before, multiplied where that changes it. The first
/// product of the next iteration goes on.
void ChainSkewer::rescaleSum(IRMapping &mapping) {
  Value future = as::AsyncRescaleOp::create(
      builder, loc, chain.second.getType(), mapping.lookup(chain.sum),
      mapping.lookupOrDefault(chain.rescaleFactor));
  Value tile = as::DotWaitOp::create(builder, loc, chain.sum.getType(), future,
                                     /*pending=*/1);
  mapping.map(chain.rescale.getResult(), tile);
}

/// The product of the iteration before reads the registers of its factor until
/// the wait: what writes them stays behind that.
void ChainSkewer::holdFactor(IRMapping &mapping) {
  llvm::SmallSetVector<Value, 2> sources;
  for (Value operand : chain.factor->getOperands())
    if (isa<RankedTensorType>(operand.getType()) && mapping.contains(operand))
      sources.insert(operand);
  for (Value source : sources) {
    Value now = mapping.lookup(source);
    mapping.map(source, as::OptimizationBarrierOp::create(builder, loc,
                                                          now.getType(), now)
                            .getResult(0));
  }
}

/// Half of a tile, or of a slot, along `dim`.
Value ChainSkewer::getHalf(Value whole, unsigned dim, int64_t number) {
  MLIRContext *context = builder.getContext();
  if (auto buffer = dyn_cast<as::BufferType>(whole.getType())) {
    SmallVector<int64_t> shape(buffer.getShape()), offsets(shape.size(), 0);
    shape[dim] /= 2;
    offsets[dim] = number * shape[dim];
    auto part = as::BufferType::get(context, 0, shape, buffer.getElementType(),
                                    buffer.getLayout());
    return as::SubviewOp::create(builder, loc, part, whole, ValueRange(),
                                 offsets);
  }
  auto tile = cast<RankedTensorType>(whole.getType());
  SmallVector<int64_t> shape(tile.getShape());
  shape[dim] /= 2;
  SmallVector<Value> offsets;
  for (unsigned i = 0; i < shape.size(); ++i)
    offsets.push_back(arith::ConstantOp::create(
        builder, loc,
        builder.getI32IntegerAttr(i == dim ? number * shape[dim] : 0)));
  auto part =
      RankedTensorType::get(shape, tile.getElementType(),
                            as::getLayoutAttr(context, *getHalfLayout(tile)));
  return as::ExtractSliceOp::create(builder, loc, part, whole, offsets);
}

/// The factor of half of the second product, of numbers that nothing in front
/// of this place may read.
Value ChainSkewer::makeHalfFactor(IRMapping &mapping, int64_t number) {
  auto whole = cast<RankedTensorType>(chain.second.getA().getType());
  auto half = RankedTensorType::get(
      {whole.getDimSize(0), whole.getDimSize(1) / 2}, whole.getElementType(),
      as::getLayoutAttr(builder.getContext(), *getHalfLayout(whole)));
  SmallVector<Value> operands;
  for (Value operand : chain.factor->getOperands()) {
    Value part = getHalf(mapping.lookupOrDefault(operand), 1, number);
    operands.push_back(
        as::OptimizationBarrierOp::create(builder, loc, part.getType(), part)
            .getResult(0));
  }
  OperationState state(loc, chain.factor->getName(), operands, half);
  state.attributes = chain.factor->getDiscardableAttrDictionary();
  state.propertiesAttr = chain.factor->getPropertiesAsAttribute();
  return builder.create(state)->getResult(0);
}

/// Adds one of two halves of the second product to `sum`.
Value ChainSkewer::multiplyHalf(IRMapping &mapping, int64_t number,
                                Value factor, Value sum) {
  as::AsyncDotOp dot = chain.second;
  Value slot = getHalf(mapping.lookupOrDefault(dot.getB()), 0, number);
  return as::AsyncDotOp::create(builder, loc, dot.getType(), factor, slot, sum,
                                dot.getAtom(), dot.getSignednessAAttr(),
                                dot.getSignednessBAttr());
}

scf::ForOp ChainSkewer::emitLoop(Value last) {
  SmallVector<Value> all(inits);
  all.push_back(started);
  if (chain.isLate)
    all.push_back(loop.getLowerBound());
  auto skewed = scf::ForOp::create(builder, loc, loop.getLowerBound(), last,
                                   loop.getStep(), all);
  skewed->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  skewed.setUnsignedCmp(loop.getUnsignedCmp());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(skewed.getBody());
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), skewed.getInductionVar());
  size_t count = inits.size();
  mapping.map(loop.getRegionIterArgs(),
              skewed.getRegionIterArgs().take_front(count));
  mapping.map(chain.firstWait.getResult(), skewed.getRegionIterArg(count));
  // The first product of the iteration behind.
  IRMapping next = mapping;
  auto takeNext = [&] {
    next.map(loop.getInductionVar(),
             arith::AddIOp::create(builder, loc, skewed.getInductionVar(),
                                   loop.getStep()));
    for (Operation *op : chain.start)
      if (op != chain.first && op != chain.firstWait)
        builder.clone(*op, next);
  };
  auto startNext = [&] { builder.clone(*chain.first, next); };
  auto start = [&] {
    takeNext();
    startNext();
  };
  auto finishNext = [&](int64_t pending) {
    cast<as::DotWaitOp>(builder.clone(*chain.firstWait, next))
        .setPending(pending);
    clone(chain.finish, next);
  };
  if (!chain.lastReader && !chain.isLate)
    start();
  Value halfSum, halfFactor;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (chain.isLate && &op == chain.factor) {
      // Nothing waits for the whole sum: its products go on one behind the
      // other. When one is left, the factor of the iteration before is free.
      holdFactor(mapping);
      clone(chain.slot, mapping);
      takeNext();
      Value sum = as::AsyncRescaleOp::create(
          builder, loc, chain.second.getType(), mapping.lookup(chain.sum),
          mapping.lookupOrDefault(chain.rescaleFactor));
      sum = multiplyHalf(mapping, 0, makeHalfFactor(mapping, 0), sum);
      halfSum = as::DotWaitOp::create(builder, loc, sum.getType(), sum,
                                      /*pending=*/1);
      halfFactor = makeHalfFactor(mapping, 1);
      continue;
    }
    if (chain.isLate && &op == chain.second.getOperation()) {
      startNext();
      mapping.map(chain.second.getResult(),
                  multiplyHalf(mapping, 1, halfFactor, halfSum));
      continue;
    }
    if (&op == chain.firstNeed) {
      // Numbers that only the second product reads would sink behind the wait
      // for its slot.
      if (chain.rescale)
        holdFactor(mapping);
      clone(chain.slot, mapping);
      if (chain.rescale) {
        rescaleSum(mapping);
      } else {
        waitForSum(mapping);
        // The product of the next iteration is as old as the work of this one
        // by now. ptxas runs all products one by one (C7514) where threads read
        // a sum that is carried, behind a wait that leaves a younger one.
        finishNext(/*pending=*/0);
      }
      holdFactor(mapping);
    }
    if (&op == chain.secondWait.getOperation()) {
      mapping.map(chain.secondWait.getResult(),
                  mapping.lookup(chain.second.getResult()));
      if (chain.rescale)
        finishNext(/*pending=*/1);
    } else if (&op != chain.rescale && !isMoved(&op)) {
      // The second product reads its slot until the next iteration waits for
      // it.
      if (auto release =
              dyn_cast<as::PipelineReleaseOp>(builder.clone(op, mapping)))
        release.setPending(1);
    }
    if (&op == chain.lastReader && !chain.isLate)
      start();
  }
  clone(chain.early, next);
  for (Operation *op : chain.copies)
    if (!chain.isOneOf(chain.early, op))
      builder.clone(*op, mapping);
  SmallVector<Value> yielded;
  for (Value value : loop.getYieldedValues())
    yielded.push_back(chain.isOneOf(chain.finish, value.getDefiningOp())
                          ? next.lookup(value)
                          : mapping.lookupOrDefault(value));
  yielded.push_back(next.lookup(chain.firstWait.getResult()));
  // Where registers are scarce, the last iteration has its number from the
  // loop, not from something that lives through it.
  if (chain.isLate) {
    Value index = next.lookup(loop.getInductionVar());
    yielded.push_back(
        as::OptimizationBarrierOp::create(builder, loc, index.getType(), index)
            .getResult(0));
  }
  scf::YieldOp::create(builder, loc, yielded);
  return skewed;
}

/// The last iteration; gives what it yields.
SmallVector<Value> ChainSkewer::emitLast(scf::ForOp skewed, Value last) {
  IRMapping mapping;
  size_t count = inits.size();
  mapping.map(loop.getInductionVar(),
              chain.isLate ? skewed.getResults().back() : last);
  mapping.map(loop.getRegionIterArgs(), skewed.getResults().take_front(count));
  mapping.map(chain.firstWait.getResult(), skewed.getResult(count));
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (&op == chain.firstNeed) {
      clone(chain.slot, mapping);
      waitForSum(mapping);
      holdFactor(mapping);
    }
    if (!isMoved(&op))
      builder.clone(op, mapping);
  }
  SmallVector<Value> yielded;
  for (auto [value, result] :
       llvm::zip(loop.getYieldedValues(), loop.getResults()))
    if (!isa<as::PipelineIteratorType>(result.getType()))
      yielded.push_back(mapping.lookupOrDefault(value));
  return yielded;
}

void ChainSkewer::run() {
  SmallVector<OpResult> results;
  SmallVector<Type> types;
  SmallVector<Value> kept;
  for (OpResult result : loop.getResults())
    if (!isa<as::PipelineIteratorType>(result.getType())) {
      results.push_back(result);
      types.push_back(result.getType());
      kept.push_back(loop.getInits()[result.getResultNumber()]);
    }
  Value hasAny =
      arith::CmpIOp::create(builder, loc,
                            loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                                  : arith::CmpIPredicate::slt,
                            loop.getLowerBound(), loop.getUpperBound());
  auto branch = scf::IfOp::create(builder, loc, types, hasAny,
                                  /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  builder.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(builder, loc, kept);
  builder.setInsertionPointToEnd(branch.thenBlock());
  Value last = getLastIndex(builder, loop);
  emitFirst();
  scf::ForOp skewed = emitLoop(last);
  scf::YieldOp::create(builder, loc, emitLast(skewed, last));
  for (auto [old, result] : llvm::zip(results, branch.getResults()))
    old.replaceAllUsesWith(result);
  loop.erase();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Starts the first product of `loop` an iteration ahead; returns whether there
/// is one. Otherwise `reason` says why where there are two products. Sets
/// `isOrdered` where what stands between two products has another order now.
static bool skew(scf::ForOp loop, std::string &reason, bool &isOrdered) {
  if (hasTensorChain(loop)) {
    reason = skewTensorChain(loop);
    return reason.empty();
  }
  std::optional<ChainedProducts> chain = ChainFinder(loop).run(reason);
  isOrdered = orderChain(loop, /*isAhead=*/bool(chain));
  // It is the same chain, at other places.
  if (chain && isOrdered)
    chain = ChainFinder(loop).run(reason);
  if (chain)
    ChainSkewer(*chain).run();
  return bool(chain);
}

void TileASSkewProducts::runOnOperation() {
  SmallVector<scf::ForOp> loops;
  getOperation()->walk([&](scf::ForOp loop) { loops.push_back(loop); });
  bool changed = false;
  for (scf::ForOp loop : loops) {
    std::string reason;
    Location loc = loop.getLoc();
    auto options = remarkAbout(loop, "SkewProducts", "tileas");
    bool isOrdered = false, isSkewed = skew(loop, reason, isOrdered);
    changed |= isOrdered;
    numOrdered += isOrdered;
    TILEIR_LOG() << loc << ": "
                 << (isSkewed ? "skewed" : "products not skewed: ") << reason;
    if (!isSkewed) {
      if (!reason.empty())
        remark::missed(loc, options)
            << StringRef("Failed to start a product an iteration ahead")
            << remark::metric("Reason", StringRef(reason));
      continue;
    }
    remark::passed(loc, options)
        << StringRef("first product starts an iteration ahead");
    ++numLoops;
    changed = true;
  }
  if (!changed)
    markAllAnalysesPreserved();
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptx/RegisterCap.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

namespace tileir {

using namespace llvm;

/// Registers that ptxas uses beyond the need, for addresses and what it makes
/// itself: kernels of test/data/perf and of 2 to 12 arrays spill with fewer.
static constexpr unsigned kOwnRegisters = 5;
/// Blocks of an SM up to which one that waits is missed.
static constexpr unsigned kFewBlocks = 8;
/// Instructions from which on the need is not worked out.
static constexpr unsigned kMostInstructions = 20000;

namespace {

/// Works out the need of one function.
class NeedFinder {
public:
  explicit NeedFinder(Function &function)
      : function(function), layout(function.getDataLayout()) {}

  unsigned run();

private:
  using Values = DenseSet<const Value *>;

  unsigned getWords(const Value *value) const;
  std::vector<const Instruction *> getOrder(const BasicBlock &block) const;
  /// Walks a block backwards from what lives at its end.
  unsigned walk(const BasicBlock &block, Values &live) const;
  Values getLiveOut(const BasicBlock &block) const;

  /// The value whose register `value` is.
  static const Value *getRoot(const Value *value) {
    while (auto *inst = dyn_cast<Instruction>(value)) {
      if (!isa<BitCastInst, FreezeInst>(inst))
        break;
      value = inst->getOperand(0);
    }
    return value;
  }

  Function &function;
  const DataLayout &layout;
  DenseMap<const BasicBlock *, Values> liveIn;
};

} // namespace

/// Returns whether `value` is a number of the launch, which instructions read
/// where they want it.
static bool isOfLaunch(const Value *value) {
  auto *call = dyn_cast<IntrinsicInst>(value);
  if (!call)
    return false;
  switch (call->getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    return true;
  default:
    return false;
  }
}

unsigned NeedFinder::getWords(const Value *value) const {
  Type *type = value->getType();
  // Parts of a structure stand right behind it, predicates elsewhere.
  if (isOfLaunch(value) || type->isVoidTy() || type->isStructTy() ||
      type->isIntegerTy(1) || !type->isSized())
    return 0;
  return unsigned(divideCeil(layout.getTypeSizeInBits(type), 32));
}

/// Returns whether `inst` may stand anywhere between operands and users.
static bool isFree(const Instruction &inst) {
  return !inst.isTerminator() && !isa<PHINode, ExtractValueInst>(inst) &&
         !inst.getType()->isVoidTy() && !inst.mayReadOrWriteMemory() &&
         !inst.mayHaveSideEffects() &&
         !(isa<CallBase>(inst) && cast<CallBase>(inst).isConvergent());
}

/// The instructions of a block, what is free right before its first user.
std::vector<const Instruction *>
NeedFinder::getOrder(const BasicBlock &block) const {
  auto isMoved = [&](const Instruction &inst) {
    return isFree(inst) && any_of(inst.users(), [&](const User *user) {
             return !isa<PHINode>(user) &&
                    cast<Instruction>(user)->getParent() == &block;
           });
  };
  std::vector<const Instruction *> order;
  DenseSet<const Instruction *> done;
  for (const Instruction &root : block) {
    if (isMoved(root))
      continue;
    // An instruction and the first of its operands that is not looked at yet.
    SmallVector<std::pair<const Instruction *, unsigned>> stack = {{&root, 0}};
    while (!stack.empty()) {
      auto &[inst, next] = stack.back();
      if (isa<PHINode>(inst) || next == inst->getNumOperands()) {
        if (done.insert(inst).second)
          order.push_back(inst);
        stack.pop_back();
        continue;
      }
      auto *operand = dyn_cast<Instruction>(inst->getOperand(next++));
      if (operand && operand->getParent() == &block &&
          !done.contains(operand) && isMoved(*operand))
        stack.push_back({operand, 0});
    }
  }
  return order;
}

unsigned NeedFinder::walk(const BasicBlock &block, Values &live) const {
  // Conditions that do not fit predicates are words.
  constexpr unsigned kPredicates = 6;
  unsigned words = 0, conditions = 0, most = 0;
  auto count = [&](const Value *value, int sign) {
    words += unsigned(sign) * getWords(value);
    conditions += unsigned(sign) * value->getType()->isIntegerTy(1);
  };
  auto getAll = [&] {
    return words + std::max(conditions, kPredicates) - kPredicates;
  };
  for (const Value *value : live)
    count(value, 1);
  most = getAll();
  auto add = [&](const Value *value) {
    value = getRoot(value);
    if (isa<Instruction>(value) && live.insert(value).second)
      count(value, 1);
  };
  std::vector<const Instruction *> order = getOrder(block);
  for (const Instruction *inst : reverse(order)) {
    if (getRoot(inst) != inst)
      continue;
    // A value without uses has a register, too, for a moment.
    if (live.erase(inst))
      count(inst, -1);
    else
      most = std::max(most, getAll() + getWords(inst));
    if (!isa<PHINode>(inst))
      for (const Use &use : inst->operands())
        add(use.get());
    most = std::max(most, getAll());
  }
  return most;
}

NeedFinder::Values NeedFinder::getLiveOut(const BasicBlock &block) const {
  Values live;
  for (const BasicBlock *next : successors(&block)) {
    auto found = liveIn.find(next);
    if (found != liveIn.end())
      live.insert(found->second.begin(), found->second.end());
    for (const PHINode &phi : next->phis()) {
      const Value *value = getRoot(phi.getIncomingValueForBlock(&block));
      if (isa<Instruction>(value))
        live.insert(value);
    }
  }
  return live;
}

unsigned NeedFinder::run() {
  unsigned most = 0;
  for (bool changed = true; changed;) {
    changed = false;
    most = 0;
    for (const BasicBlock *block : post_order(&function)) {
      Values live = getLiveOut(*block);
      most = std::max(most, walk(*block, live));
      if (live.size() == liveIn[block].size())
        continue;
      liveIn[block] = std::move(live);
      changed = true;
    }
  }
  return most;
}

unsigned getRegisterNeed(Function &kernel) { return NeedFinder(kernel).run(); }

/// The numbers of a launch attribute, multiplied.
static unsigned getProduct(const Function &function, StringRef name) {
  unsigned product = 1;
  SmallVector<StringRef> parts;
  function.getFnAttribute(name).getValueAsString().split(parts, ',');
  for (StringRef part : parts) {
    unsigned number = 0;
    if (part.trim().getAsInteger(10, number))
      return 0;
    product *= number;
  }
  return product;
}

/// Where the threads of a block meet. Kernels with tensor cores or calls are
/// left out.
enum class Meets { Never, AtBarriers, LeftOut };

/// Finds out whether the threads of a block meet.
static Meets findMeetings(const Function &function) {
  auto meets = Meets::Never;
  for (const Instruction &inst : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&inst);
    if (!call)
      continue;
    StringRef text;
    if (auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand()))
      text = assembly->getAsmString();
    else if (const Function *callee = call->getCalledFunction();
             callee && callee->isIntrinsic())
      text = callee->getName();
    else // Nobody knows its registers here.
      return Meets::LeftOut;
    if (text.contains("mma") || text.contains("setmaxn") ||
        text.contains("tcgen05"))
      return Meets::LeftOut;
    if (text.contains("bar.sync") || text.contains("barrier.sync") ||
        text.contains("barrier.cta") || text.contains("nvvm.barrier"))
      meets = Meets::AtBarriers;
  }
  return meets;
}

PreservedAnalyses RegisterCapPass::run(Function &function,
                                       FunctionAnalysisManager &) {
  unsigned threads = function.hasFnAttribute("nvvm.reqntid")
                         ? getProduct(function, "nvvm.reqntid")
                         : 0;
  if (function.isDeclaration() || !threads ||
      function.hasFnAttribute("nvvm.maxnreg") ||
      function.getInstructionCount() > kMostInstructions)
    return PreservedAnalyses::all();
  Meets meets = findMeetings(function);
  if (meets == Meets::LeftOut)
    return PreservedAnalyses::all();
  uint64_t shared = target.sharedMemoryReserved();
  for (const GlobalVariable &variable : function.getParent()->globals())
    if (variable.getAddressSpace() == 3 && variable.getValueType()->isSized())
      shared +=
          function.getDataLayout().getTypeAllocSize(variable.getValueType());
  uint64_t blocks = std::min<uint64_t>(
      {target.blocksPerSM(), target.threadsPerSM() / threads,
       uint64_t(target.sharedMemoryPerSM()) / std::max<uint64_t>(shared, 1)});
  unsigned need = getRegisterNeed(function) + kOwnRegisters;
  // ptxas gives registers out by eights.
  auto cap = [&](uint64_t blocks) {
    return std::min<uint64_t>(limits::registersPerSM / (blocks * threads) / 8 *
                                  8,
                              limits::registersPerThread);
  };
  // Who never waits for others fills memory as well with fewer blocks, unless
  // as many threads fit as the SM has.
  if (meets == Meets::Never &&
      (blocks * threads + threads <= target.threadsPerSM() ||
       cap(blocks) < need))
    return PreservedAnalyses::all();
  while (blocks > 1 && cap(blocks) < need)
    --blocks;
  // Many blocks hide each other's waits as they are.
  if (meets == Meets::AtBarriers && blocks > kFewBlocks)
    return PreservedAnalyses::all();
  if (blocks > 1)
    function.addFnAttr("nvvm.maxnreg", utostr(cap(blocks)));
  return PreservedAnalyses::all();
}

} // namespace tileir

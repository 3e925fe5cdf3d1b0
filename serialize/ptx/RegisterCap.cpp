// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptx/RegisterCap.h"

#include "serialize/ptx/CalledText.h"
#include "serialize/ptx/Kernels.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

namespace tileir {

using namespace llvm;

/// Registers that ptxas uses beyond the need, for addresses and temporaries:
/// kernels of test/data/perf and of 2 to 12 arrays spill with fewer.
static constexpr unsigned kOwnRegisters = 5;
/// Address space of global memory.
static constexpr unsigned kGlobal = 1;
/// Further registers of a kernel that computes in f64, for the alignment of
/// pairs.
static constexpr unsigned kPairRegisters = 5;
/// Minimum cap: no kernel is faster with fewer registers.
static constexpr unsigned kMinRegisters = 24;
/// Maximum number of instructions of a kernel whose need is computed.
static constexpr unsigned kMaxInstructions = 20000;

namespace {

/// Computes the register need of one function.
class NeedFinder {
public:
  explicit NeedFinder(Function &function)
      : function(function), layout(function.getDataLayout()) {}

  unsigned run();

private:
  using Values = DenseSet<const Value *>;

  unsigned getRegisters(const Value *value) const;
  /// Walks a block backwards from the values live at its end. Returns the
  /// maximum.
  unsigned walk(const BasicBlock &block, Values &live) const;
  Values getLiveOut(const BasicBlock &block) const;

  /// The value whose register `value` shares.
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

/// Returns whether `value` is a launch number (thread or block), which
/// instructions read where they need it.
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

unsigned NeedFinder::getRegisters(const Value *value) const {
  Type *type = value->getType();
  // Extracts follow a structure directly, and predicates have registers of
  // their own.
  if (isOfLaunch(value) || type->isVoidTy() || type->isStructTy() ||
      type->isIntegerTy(1) || !type->isSized())
    return 0;
  return unsigned(divideCeil(layout.getTypeSizeInBits(type), 32));
}

/// Returns whether `inst` can move anywhere between its operands and its users.
static bool isFree(const Instruction &inst) {
  if (inst.isTerminator() || isa<PHINode, ExtractValueInst>(inst) ||
      inst.getType()->isVoidTy())
    return false;
  auto *call = dyn_cast<CallBase>(&inst);
  if (call && call->isConvergent())
    return false;
  if (auto *assembly =
          call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr)
    return !assembly->hasSideEffects() &&
           !StringRef(assembly->getConstraintString()).contains("{memory}");
  return !inst.mayReadOrWriteMemory() && !inst.mayHaveSideEffects();
}

/// Returns whether `inst` can move to its first user, up to the next write to
/// memory.
static bool isLateLoad(const Instruction &inst) {
  auto *load = dyn_cast<LoadInst>(&inst);
  return load && load->isSimple();
}

namespace {

/// Orders the instructions of a block for short live ranges: each directly
/// before its first user, and of the operands of an instruction first the one
/// with the longest chain, so that a running sum is complete before its next
/// addend is computed.
class LateOrder {
public:
  LateOrder(const BasicBlock &block, bool movesLoads);

  std::vector<const Instruction *> run();

private:
  /// An instruction, and the operands that remain to be placed.
  struct Step {
    const Instruction *inst;
    SmallVector<const Instruction *, 4> operands;
  };

  bool isMoved(const Instruction &inst) const { return lengths.count(&inst); }
  SmallVector<const Instruction *, 4>
  getOperands(const Instruction &inst) const;
  void place(const Instruction &root);

  const BasicBlock &block;
  std::vector<const Instruction *> order;
  DenseSet<const Instruction *> done;
  /// Length of the longest chain of operands that ends in each moving
  /// instruction.
  DenseMap<const Instruction *, unsigned> lengths;
};

} // namespace

LateOrder::LateOrder(const BasicBlock &block, bool movesLoads) : block(block) {
  for (const Instruction &inst : block) {
    // Values with uses in other blocks only stay where they are.
    if ((!isFree(inst) && !(movesLoads && isLateLoad(inst))) ||
        none_of(inst.users(), [&](const User *user) {
          return !isa<PHINode>(user) &&
                 cast<Instruction>(user)->getParent() == &block;
        }))
      continue;
    unsigned length = 0;
    for (const Use &use : inst.operands())
      if (auto *operand = dyn_cast<Instruction>(use.get()))
        length = std::max(length, lengths.lookup(operand));
    lengths[&inst] = length + 1;
  }
}

/// The operands of `inst` that may move to it, the first to be placed last.
SmallVector<const Instruction *, 4>
LateOrder::getOperands(const Instruction &inst) const {
  SmallVector<const Instruction *, 4> operands;
  if (isa<PHINode>(inst))
    return operands;
  for (const Use &use : reverse(inst.operands())) {
    auto *operand = dyn_cast<Instruction>(use.get());
    if (!operand || operand->getParent() != &block || !isMoved(*operand))
      continue;
    unsigned length = lengths.lookup(operand);
    auto at = find_if(operands, [&](const Instruction *other) {
      return lengths.lookup(other) > length;
    });
    operands.insert(at, operand);
  }
  return operands;
}

/// Places the movable operands of `root`, then `root`.
void LateOrder::place(const Instruction &root) {
  SmallVector<Step> stack = {{&root, getOperands(root)}};
  while (!stack.empty()) {
    Step &step = stack.back();
    if (step.operands.empty()) {
      if (done.insert(step.inst).second)
        order.push_back(step.inst);
      stack.pop_back();
      continue;
    }
    const Instruction *operand = step.operands.pop_back_val();
    if (!done.contains(operand))
      stack.push_back({operand, getOperands(*operand)});
  }
}

std::vector<const Instruction *> LateOrder::run() {
  // Loads that must come before the next write.
  std::vector<const Instruction *> waiting;
  for (const Instruction &root : block) {
    if (isMoved(root)) {
      if (isLateLoad(root))
        waiting.push_back(&root);
      continue;
    }
    SmallVector<const Instruction *, 4> operands = getOperands(root);
    for (const Instruction *operand : reverse(operands))
      if (!done.contains(operand))
        place(*operand);
    if (root.mayWriteToMemory() || root.mayHaveSideEffects()) {
      for (const Instruction *load : waiting)
        if (!done.contains(load))
          place(*load);
      waiting.clear();
    }
    place(root);
  }
  return std::move(order);
}

unsigned NeedFinder::walk(const BasicBlock &block, Values &live) const {
  // Conditions beyond the predicate registers take 32-bit registers.
  constexpr unsigned kPredicates = 6;
  unsigned registers = 0, conditions = 0, most = 0;
  auto count = [&](const Value *value, int sign) {
    registers += unsigned(sign) * getRegisters(value);
    conditions += unsigned(sign) * value->getType()->isIntegerTy(1);
  };
  auto getAll = [&] {
    return registers + std::max(conditions, kPredicates) - kPredicates;
  };
  for (const Value *value : live)
    count(value, 1);
  most = getAll();
  auto add = [&](const Value *value) {
    value = getRoot(value);
    if (isa<Instruction>(value) && live.insert(value).second)
      count(value, 1);
  };
  std::vector<const Instruction *> order =
      LateOrder(block, /*movesLoads=*/true).run();
  for (const Instruction *inst : reverse(order)) {
    if (getRoot(inst) != inst)
      continue;
    // A value without uses also takes a register for a moment.
    if (live.erase(inst))
      count(inst, -1);
    else
      most = std::max(most, getAll() + getRegisters(inst));
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

/// Returns whether `inst` extracts a part of a 32-bit register, or is a
/// bitcast.
static bool isPart(const Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::And:
  case Instruction::Shl:
  case Instruction::LShr:
    return inst.getType()->isIntegerTy(32) &&
           isa<ConstantInt>(inst.getOperand(1));
  default:
    return isa<BitCastInst>(inst);
  }
}

/// Moves instructions that split registers into the only block that uses them:
/// until there the whole takes one register, its halves two.
static void sinkParts(Function &function, const LoopInfo &loops) {
  for (BasicBlock &block : function)
    for (Instruction &inst : make_early_inc_range(reverse(block))) {
      if (!isPart(inst) || inst.use_empty())
        continue;
      auto *first = cast<Instruction>(*inst.user_begin());
      BasicBlock *place = first->getParent();
      if (place == &block || any_of(inst.users(), [&](const User *user) {
            return isa<PHINode>(user) ||
                   cast<Instruction>(user)->getParent() != place;
          }))
        continue;
      const Loop *loop = loops.getLoopFor(place);
      if (!loop || loop->contains(&block))
        inst.moveBefore(place->getFirstInsertionPt());
    }
}

/// Reorders `block` for short live ranges: ptxas keeps much of the input order.
/// Loads stay early.
static void reorder(BasicBlock &block) {
  BasicBlock::iterator end = block.getTerminator()->getIterator();
  for (const Instruction *inst : LateOrder(block, /*movesLoads=*/false).run())
    if (!isa<PHINode>(inst) && !inst->isTerminator())
      const_cast<Instruction *>(inst)->moveBefore(end);
}

unsigned getRegisterNeed(Function &kernel) { return NeedFinder(kernel).run(); }

/// Synchronization of the threads of a block. Kernels with tensor cores or
/// calls are left out.
enum class Synchronizes { Never, AtBarriers, LeftOut };

namespace {

/// Properties of a kernel, collected over its instructions.
struct Inventory {
  Synchronizes synchronizes = Synchronizes::Never;
  bool hasPairs = false;
  /// True if threads store vectors of elements, as for rows.
  bool writesRows = false;
  /// True if ptxas makes code with registers of its own of an instruction.
  bool isExpanded = false;
};

} // namespace

/// Returns whether ptxas makes a sequence or a subroutine of `inst`: divisions.
static bool isDivision(const Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return !isa<Constant>(inst.getOperand(1));
  case Instruction::FDiv:
  case Instruction::FRem:
    return true;
  default:
    return false;
  }
}

/// Finds out whether the threads of a CTA synchronize, and what they compute in
/// and write.
static Inventory takeInventory(const Function &function) {
  Inventory found;
  for (const Instruction &inst : instructions(function)) {
    found.hasPairs |= inst.getType()->isDoubleTy();
    found.isExpanded |= isDivision(inst);
    if (auto *store = dyn_cast<StoreInst>(&inst))
      found.writesRows |= store->getPointerAddressSpace() == kGlobal &&
                          store->getValueOperand()->getType()->isVectorTy();
    auto *call = dyn_cast<CallBase>(&inst);
    if (!call)
      continue;
    // The registers of a callee are unknown.
    const Function *callee = call->getCalledFunction();
    if (!call->isInlineAsm() && !(callee && callee->isIntrinsic()))
      return {Synchronizes::LeftOut};
    StringRef text = getCalledText(*call);
    if (usesTensorCores(text) || text.contains("setmaxn"))
      return {Synchronizes::LeftOut};
    found.hasPairs |= text.contains(".f64");
    found.isExpanded |= text.contains("sqrt") || text.contains("div.");
    found.writesRows |= text.contains("st.global") && text.contains(".v");
    if (text.contains("bar.sync") || text.contains("barrier.sync") ||
        text.contains("barrier.cta") || text.contains("nvvm.barrier"))
      found.synchronizes = Synchronizes::AtBarriers;
  }
  return found;
}

PreservedAnalyses RegisterCapPass::run(Function &function,
                                       FunctionAnalysisManager &manager) {
  SmallVector<int64_t, 3> block = getLaunchNumbers(function, "nvvm.reqntid");
  unsigned threads = block.empty() ? 0 : 1;
  for (int64_t extent : block)
    threads *= unsigned(extent);
  if (function.isDeclaration() || !threads ||
      function.hasFnAttribute("nvvm.maxnreg") ||
      function.getInstructionCount() > kMaxInstructions)
    return PreservedAnalyses::all();
  Inventory inventory = takeInventory(function);
  Synchronizes synchronizes = inventory.synchronizes;
  // One warp alone never waits at a barrier.
  if (synchronizes == Synchronizes::LeftOut ||
      (synchronizes == Synchronizes::AtBarriers &&
       threads <= limits::threadsPerWarp))
    return PreservedAnalyses::all();
  uint64_t shared = target.sharedMemoryReserved();
  for (const GlobalVariable &variable : function.getParent()->globals())
    if (variable.getAddressSpace() == 3 && variable.getValueType()->isSized())
      shared +=
          function.getDataLayout().getTypeAllocSize(variable.getValueType());
  uint64_t blocks = std::min<uint64_t>(
      {target.blocksPerSM(), target.threadsPerSM() / threads,
       uint64_t(target.sharedMemoryPerSM()) / std::max<uint64_t>(shared, 1)});
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  if (synchronizes == Synchronizes::AtBarriers)
    sinkParts(function, manager.getResult<LoopAnalysis>(function));
  unsigned need = getRegisterNeed(function) + kOwnRegisters;
  auto cap = [&](uint64_t blocks) {
    return std::min<uint64_t>(
        alignDown(limits::registersPerSM / (blocks * threads),
                  limits::registersGranule),
        limits::registersPerThread);
  };
  // A kernel without barriers saturates memory with fewer blocks as well,
  // unless the SM can hold its maximum of threads.
  if (synchronizes == Synchronizes::Never &&
      (blocks * threads + threads <= target.threadsPerSM() ||
       cap(blocks) < need))
    return preserved;
  while (blocks > 1 && cap(blocks) < need)
    --blocks;
  // A cap at the maximum of a thread has no effect.
  if (blocks == 1 || cap(blocks) == limits::registersPerThread)
    return preserved;
  for (BasicBlock &block : function)
    reorder(block);
  // With registers to spare ptxas computes a whole row before it stores some of
  // it, and a block takes longer: a softmax over 16,384 takes 0.149 ms instead
  // of 0.136 on an H200. A kernel that stores little gets faster: cross entropy
  // over 32,768 takes 0.080 ms instead of 0.096.
  unsigned most = need + (inventory.hasPairs ? kPairRegisters : 0);
  uint64_t registers = cap(blocks);
  // The further needs of divisions are not known.
  if (inventory.writesRows &&
      !(synchronizes == Synchronizes::Never && inventory.isExpanded))
    registers = std::min<uint64_t>(registers, std::max(most, kMinRegisters));
  function.addFnAttr("nvvm.maxnreg", utostr(registers));
  return preserved;
}

} // namespace tileir

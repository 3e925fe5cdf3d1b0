// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptx/Rematerialize.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

namespace tileir {

using namespace llvm;

/// Loop-carried 32-bit registers from which on a loop is limited by registers.
static constexpr uint64_t kMaxCarriedRegisters = 64;
/// Maximum number of instructions of a rematerialized expression.
static constexpr unsigned kMaxSteps = 8;
/// The same for an expression in a loop around the loop limited by registers.
static constexpr unsigned kMaxRepeatedSteps = 4;

namespace {

/// Rematerializes values in one function.
class Rematerializer {
public:
  Rematerializer(Function &function, const DominatorTree &dominators,
                 const LoopInfo &loops)
      : function(function), dominators(dominators), loops(loops) {}

  /// Returns whether something changed.
  bool run();

private:
  void findFullLoops();
  bool hideCounters();
  const Loop *findLoopBetween(Instruction *value, BasicBlock *place) const;
  bool isAtHand(Value *value, const Loop *loop) const;
  bool isCheap(Value *value, const Loop *loop, unsigned &steps) const;
  Value *make(Value *value, const Loop *loop, Instruction *before);
  bool isAfter(BasicBlock *block, const Loop *loop) const {
    return !loop->contains(block) &&
           numbers.lookup(block) > numbers.lookup(loop->getHeader());
  }

  Function &function;
  const DominatorTree &dominators;
  const LoopInfo &loops;
  /// Blocks in reverse post-order.
  DenseMap<const BasicBlock *, unsigned> numbers;
  SmallVector<const Loop *> full;
  /// Copies, by value and block.
  DenseMap<std::pair<Value *, BasicBlock *>, Value *> made;
};

} // namespace

/// Returns whether `value` is an instruction on integers, addresses or
/// predicates with almost no cost.
static bool isSimple(Value *value) {
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst)
    return false;
  if (isa<GetElementPtrInst>(inst))
    return inst->getType()->isPointerTy();
  if (!inst->getType()->isIntegerTy())
    return false;
  switch (inst->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::ICmp:
  case Instruction::Select:
    return all_of(inst->operands(), [](Value *operand) {
      return operand->getType()->isIntegerTy();
    });
  default:
    return false;
  }
}

/// The constraint letter of registers of `type`; null for other types. Inline
/// assembly would hide the memory space of a generic address.
static const char *getConstraint(Type *type, const DataLayout &layout) {
  bool isAddress = type->isPointerTy() && type->getPointerAddressSpace() != 0;
  if (!type->isIntegerTy() && !isAddress)
    return nullptr;
  switch (layout.getTypeSizeInBits(type)) {
  case 16:
    return "=h,0";
  case 32:
    return "=r,0";
  case 64:
    return "=l,0";
  default:
    return nullptr;
  }
}

/// Returns whether ptxas rereads `value` where it is needed.
static bool isFree(Value *value) {
  if (isa<Argument>(value))
    return true;
  auto *call = dyn_cast<IntrinsicInst>(value);
  if (!call)
    return false;
  switch (call->getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
    return true;
  default:
    return false;
  }
}

/// Finds the loops that carry many registers.
void Rematerializer::findFullLoops() {
  const DataLayout &layout = function.getDataLayout();
  for (const Loop *loop : loops.getLoopsInPreorder()) {
    uint64_t registers = 0;
    for (const PHINode &phi : loop->getHeader()->phis())
      registers += divideCeil(layout.getTypeSizeInBits(phi.getType()), 32);
    if (registers >= kMaxCarriedRegisters)
      full.push_back(loop);
  }
}

/// Returns a full loop through which `value` is live only for `place` and other
/// code outside of the loop; null without one.
const Loop *Rematerializer::findLoopBetween(Instruction *value,
                                            BasicBlock *place) const {
  // Each iteration of this loop reads `value`, which is live through all of it.
  // A full one, such as a loop over K around a loop of multiply-adds, keeps
  // reading it: another instruction in each iteration costs more.
  const Loop *around = loops.getLoopFor(place);
  if (around && around->contains(value))
    around = nullptr;
  for (const Loop *loop : full)
    if (!loop->contains(value) &&
        (around ? around->contains(loop) && !is_contained(full, around)
                : isAfter(place, loop)) &&
        dominators.dominates(value->getParent(), loop->getHeader()) &&
        none_of(value->users(), [&](User *user) {
          return loop->contains(cast<Instruction>(user));
        }))
      return loop;
  return nullptr;
}

/// Returns whether `value` is live through `loop` in any case, in a register
/// that inline assembly can name.
bool Rematerializer::isAtHand(Value *value, const Loop *loop) const {
  if (!getConstraint(value->getType(), function.getDataLayout()))
    return false;
  if (isFree(value))
    return true;
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || loop->contains(inst))
    return false;
  return any_of(value->users(), [&](User *user) {
    auto *other = cast<Instruction>(user);
    return loop->contains(other) || (isAfter(other->getParent(), loop) &&
                                     !(isSimple(value) && isSimple(other)));
  });
}

/// Returns whether `value` can be rematerialized after `loop` within `steps`
/// instructions, which are counted down.
bool Rematerializer::isCheap(Value *value, const Loop *loop,
                             unsigned &steps) const {
  if (!isSimple(value) || steps == 0)
    return false;
  --steps;
  return all_of(cast<Instruction>(value)->operands(), [&](Value *operand) {
    return isa<ConstantInt>(operand) || isAtHand(operand, loop) ||
           isCheap(operand, loop, steps);
  });
}

/// Makes an opaque copy of `value`.
static CallInst *hide(Value *value, Instruction *before) {
  Type *type = value->getType();
  auto *copy = InlineAsm::get(
      FunctionType::get(type, {type}, /*isVarArg=*/false),
      /*AsmString=*/"", getConstraint(type, before->getDataLayout()),
      /*hasSideEffects=*/true);
  return IRBuilder<>(before).CreateCall(copy, {value});
}

Value *Rematerializer::make(Value *value, const Loop *loop,
                            Instruction *before) {
  std::pair<Value *, BasicBlock *> key = {value, before->getParent()};
  if (Value *again = made.lookup(key))
    return again;
  if (isAtHand(value, loop))
    return made[key] = hide(value, before);
  auto *inst = cast<Instruction>(value);
  SmallVector<Value *> operands;
  for (Value *operand : inst->operands())
    operands.push_back(isa<ConstantInt>(operand) ? operand
                                                 : make(operand, loop, before));
  Instruction *clone = inst->clone();
  for (auto [i, operand] : enumerate(operands))
    clone->setOperand(i, operand);
  clone->insertBefore(before->getIterator());
  clone->setDebugLoc(before->getDebugLoc());
  return made[key] = clone;
}

/// Returns the instruction by which `loop` increments `phi`; null if it is no
/// counter.
static Instruction *getIncrement(const PHINode &phi, const Loop &loop) {
  BasicBlock *latch = loop.getLoopLatch();
  auto *next =
      latch ? dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(latch))
            : nullptr;
  if (!next || next->getOpcode() != Instruction::Add ||
      !is_contained(next->operands(), &phi) ||
      !all_of(next->operands(), [&](Value *operand) {
        return operand == &phi || loop.isLoopInvariant(operand);
      }))
    return nullptr;
  return next;
}

/// Hides the counters of loops around full ones from loop strength reduction,
/// which would carry a pointer through all loops for each address of the
/// innermost one. Increments and comparisons keep the counter. Loops that are
/// full themselves keep theirs.
bool Rematerializer::hideCounters() {
  SmallPtrSet<const Loop *, 4> outer;
  for (const Loop *loop : full)
    while ((loop = loop->getParentLoop()) && !is_contained(full, loop))
      outer.insert(loop);
  bool changed = false;
  for (const Loop *loop : loops.getLoopsInPreorder()) {
    if (!outer.contains(loop))
      continue;
    for (PHINode &phi : loop->getHeader()->phis()) {
      Instruction *increment = getIncrement(phi, *loop);
      if (!increment || !getConstraint(phi.getType(), function.getDataLayout()))
        continue;
      CallInst *hidden = hide(&phi, &*loop->getHeader()->getFirstInsertionPt());
      phi.replaceUsesWithIf(hidden, [&](const Use &use) {
        return use.getUser() != hidden && use.getUser() != increment &&
               !isa<ICmpInst>(use.getUser());
      });
      changed = true;
    }
  }
  return changed;
}

bool Rematerializer::run() {
  findFullLoops();
  if (full.empty())
    return false;
  SmallVector<BasicBlock *> blocks;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function)) {
    numbers[block] = blocks.size();
    blocks.push_back(block);
  }
  bool changed = hideCounters();
  for (BasicBlock *block : blocks)
    for (Instruction &user : make_early_inc_range(*block)) {
      if (isa<PHINode>(user))
        continue;
      for (Use &use : user.operands()) {
        auto *value = dyn_cast<Instruction>(use.get());
        if (!value || value->getParent() == block || !isSimple(value))
          continue;
        const Loop *loop = findLoopBetween(value, block);
        // Code inside of a loop repeats them in each iteration. A predicate
        // occupies no register.
        const Loop *around = loops.getLoopFor(block);
        bool isRepeated = around && !around->contains(value);
        if (isRepeated && value->getType()->isIntegerTy(1))
          continue;
        unsigned steps = isRepeated ? kMaxRepeatedSteps : kMaxSteps;
        if (!loop || isAtHand(value, loop) || !isCheap(value, loop, steps))
          continue;
        use.set(make(value, loop, &user));
        changed = true;
      }
    }
  return changed;
}

PreservedAnalyses RematerializePass::run(Function &function,
                                         FunctionAnalysisManager &manager) {
  Rematerializer rematerializer(
      function, manager.getResult<DominatorTreeAnalysis>(function),
      manager.getResult<LoopAnalysis>(function));
  if (!rematerializer.run())
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace tileir

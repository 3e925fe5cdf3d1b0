// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptx/RareBlocks.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

namespace tileir {

using namespace llvm;

/// Maximum number of instructions that the pass duplicates.
static constexpr size_t kMaxInstructions = 4000;

namespace {

/// A loop, and the block that moves out of it.
struct RareBlock {
  /// The only predecessor outside of the loop, the header and the latch.
  BasicBlock *before, *header, *latch;
  /// The block that branches to `rare`, `rare` itself, and the join after it.
  BasicBlock *fork, *rare, *join;
  /// Blocks of the loop before `join`, in function order.
  SmallSetVector<BasicBlock *, 8> head;
};

} // namespace

/// Returns whether `inst` waits for all warpgroup MMAs.
static bool isWaitForAll(const Instruction &inst) {
  auto *call = dyn_cast<CallBase>(&inst);
  auto *text = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
  return text && text->getAsmString() == "wgmma.wait_group.sync.aligned 0;";
}

/// Returns whether `block` waits for an accumulator and multiplies it, and does
/// nothing else.
static bool isRescale(const BasicBlock *block) {
  bool waits = false, multiplies = false;
  for (const Instruction &inst : *block) {
    if (inst.isTerminator())
      continue;
    if (isWaitForAll(inst))
      waits = true;
    else if (inst.getOpcode() == Instruction::FMul)
      multiplies = true;
    else if (!isa<ExtractValueInst>(inst))
      return false;
  }
  return waits && multiplies;
}

/// Finds a block of `loop` that can move out of it.
static std::optional<RareBlock> findRareBlock(const Loop *loop,
                                              const LoopInfo &loops,
                                              const DominatorTree &dominators) {
  RareBlock found;
  found.before = loop->getLoopPredecessor();
  found.header = loop->getHeader();
  found.latch = loop->getLoopLatch();
  if (!found.before || !found.latch)
    return std::nullopt;
  found.rare = nullptr;
  for (BasicBlock *block : loop->blocks()) {
    BasicBlock *fork = block->getSinglePredecessor();
    BasicBlock *join = block->getSingleSuccessor();
    if (loops.getLoopFor(block) != loop || !fork || !join ||
        !isRescale(block) || !join->hasNPredecessors(2) ||
        !is_contained(successors(fork), join) || succ_size(fork) != 2)
      continue;
    if (found.rare)
      return std::nullopt;
    found.fork = fork;
    found.rare = block;
    found.join = join;
  }
  if (!found.rare || !dominators.dominates(found.join, found.latch))
    return std::nullopt;
  size_t size = 0;
  for (BasicBlock &block : *found.header->getParent()) {
    if (!loop->contains(&block) || &block == found.rare ||
        dominators.dominates(found.join, &block))
      continue;
    found.head.insert(&block);
    size += block.size();
  }
  if (size > kMaxInstructions)
    return std::nullopt;
  // The head must leave the loop through the block only.
  for (BasicBlock *block : found.head)
    for (BasicBlock *next : successors(block))
      if (!found.head.contains(next) && block != found.fork)
        return std::nullopt;
  return found;
}

/// Makes uses outside of the head read the last definition, from the loop or
/// from the copy before it.
static void mendUses(const RareBlock &place, const ValueToValueMapTy &copies) {
  for (BasicBlock *block : place.head)
    for (Instruction &inst : *block) {
      SmallVector<Use *> outside;
      for (Use &use : inst.uses()) {
        auto *user = cast<Instruction>(use.getUser());
        auto *phi = dyn_cast<PHINode>(user);
        BasicBlock *at = phi ? phi->getIncomingBlock(use) : user->getParent();
        if (!place.head.contains(at))
          outside.push_back(&use);
      }
      if (outside.empty())
        continue;
      SSAUpdater updater;
      updater.Initialize(inst.getType(), inst.getName());
      updater.AddAvailableValue(block, &inst);
      updater.AddAvailableValue(cast<BasicBlock>(copies.lookup(block)),
                                copies.lookup(&inst));
      for (Use *use : outside)
        updater.RewriteUse(*use);
    }
}

static void takeOut(const RareBlock &place) {
  ValueToValueMapTy copies;
  SmallVector<BasicBlock *> front;
  for (BasicBlock *block : place.head) {
    BasicBlock *copy =
        CloneBasicBlock(block, copies, ".front", place.header->getParent());
    copy->moveBefore(place.header);
    copies[block] = copy;
    front.push_back(copy);
  }
  // The initial values of the loop are known before it.
  for (PHINode &phi : place.header->phis()) {
    cast<PHINode>(copies.lookup(&phi))->eraseFromParent();
    copies[&phi] = phi.getIncomingValueForBlock(place.before);
  }
  remapInstructionsInBlocks(front, copies);
  place.before->getTerminator()->replaceSuccessorWith(
      place.header, cast<BasicBlock>(copies.lookup(place.header)));
  for (PHINode &phi : place.header->phis())
    phi.removeIncomingValue(place.before, /*DeletePHIIfEmpty=*/false);
  auto *fork = cast<BasicBlock>(copies.lookup(place.fork));
  Instruction *branch = fork->getTerminator();
  BranchInst::Create(place.rare, fork)->setDebugLoc(branch->getDebugLoc());
  branch->eraseFromParent();
  mendUses(place, copies);
}

PreservedAnalyses RareBlocksPass::run(Function &function,
                                      FunctionAnalysisManager &manager) {
  const auto &loops = manager.getResult<LoopAnalysis>(function);
  const auto &dominators = manager.getResult<DominatorTreeAnalysis>(function);
  // All are found before the first rewrite changes the blocks; loops with such
  // blocks do not nest.
  SmallVector<RareBlock> places;
  for (const Loop *loop : loops.getLoopsInPreorder())
    if (std::optional<RareBlock> place = findRareBlock(loop, loops, dominators))
      places.push_back(*place);
  for (const RareBlock &place : places)
    takeOut(place);
  return places.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_EMULATOR_SCHEDULER_H
#define TOOLS_EMULATOR_SCHEDULER_H

#include "tools/cases/Case.h"
#include "tools/emulator/Exec.h"

namespace tileir::emu {

class Machine;

/// Blocks, warps and groups of lanes: who runs next, who waits.
class Scheduler {
public:
  Scheduler(Machine &machine, uint64_t seed) : rng(seed), machine(machine) {}

  /// Blocks of this launch that fit on one SM, by what PTX says.
  uint64_t residentBlocks() const;
  void splitGroup(Exec &x, Mask lanes, int pc);
  void exitLanes(Exec &x, Mask lanes);
  Frame *newFrame(Warp &warp, const FunctionCode &code, Frame *parent);
  void dropFrame(Warp &warp, Frame *frame);
  /// Something that a loop may wait for. Not what happens at block and cluster
  /// barriers: loops that never end meet there, too.
  void changed() { ++version; }
  uint64_t random() { return rng.next(); }
  /// After an access by which threads agree: now and then everybody else goes
  /// first, to find threads that rely on being alone.
  void giveWay(Exec &x);
  void barrierArrive(Exec &x, const Inst &inst, uint32_t id, uint32_t count,
                     Mask lanes, bool waits);
  void checkClusterBarrier(Cluster &cluster);
  /// For the statistics.
  void waitStarts(Group &group);
  void waitEnds(Group &group, const Inst &inst);
  /// Gives the block cluster number `n` back as stolen work.
  bool stealCluster(std::array<uint32_t, 3> &first);
  void merge(Warp &warp);
  /// Grid and clusters of the launch.
  bool countBlocks(std::string &error);
  /// Runs the launch, one cluster apart from the other where that is the same.
  bool schedule();
  /// Runs one cluster of the launch and no other.
  bool scheduleAlone(uint32_t cluster);

  uint64_t version = 0;
  uint64_t steps = 0;
  uint64_t sharedUsed = 0; ///< Bytes of a block of this launch.
  uint32_t nextBlock = 0, totalBlocks = 0;
  std::array<uint32_t, 3> totalGrid{};
  uint64_t clusterSize = 1;
  bool mayCommunicate =
      false; ///< Some instruction is for what blocks do together.
  uint64_t sharedSize =
      0; ///< Of a block of this launch, reserved part included.

private:
  /// False when the clusters have to run together; then nothing has happened.
  bool runApart();
  /// Runs what is left of the launch, blocks in turn.
  bool scheduleTogether();
  void checkBarriers(Block &block);
  /// Reports what is still in flight when the block's last thread exits.
  void checkExit(Exec &x, Block &block);
  void startBlocks(uint32_t first, uint32_t count);
  void startWarp(Block &block, int index);
  void fillSpecials(Warp &warp, Frame &frame);
  uint64_t specialValue(const SpecialRow &s, const Warp &warp,
                        const Frame &frame, int lane) const;
  void runWarp(Exec &x, Warp &warp, unsigned burst);
  Group *select(Warp &warp);
  void reportDeadlock(FindingKind kind);
  /// Looks whether the warp comes back to a state of its registers while
  /// nothing else changes; then nothing of its own will end its loop.
  void watchSpin(Warp &warp);
  /// All warps wait, or are in such loops.
  bool allSpin() const;
  void reportStuckWarp(Warp &warp);
  void finishBlock(Exec &x, Block &block);

  std::vector<std::unique_ptr<Block>> blocks;
  std::vector<std::unique_ptr<Cluster>> clusters;
  cases::SplitMix64 rng;
  bool watchesSpins = false;
  bool preempted = false; ///< The block that runs gives way to others.

  Machine &machine;
};

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_SCHEDULER_H

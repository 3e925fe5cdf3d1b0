// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_EMULATOR_MACHINE_H
#define TOOLS_EMULATOR_MACHINE_H

#include "dialects/support/Target.h"
#include "tools/cases/Case.h"
#include "tools/emulator/Exec.h"
#include "tools/emulator/Options.h"

#include <optional>

namespace tileir::emu {

class Profile;

/// Local memory of a thread: CUDA C++ Programming Guide, "Technical
/// Specifications".
constexpr uint64_t kLocalLimit = 512 * 1024;
/// The heap of device code, unless the host asks for more.
constexpr uint64_t kHeapLimit = 8 * 1024 * 1024;
/// Text that a run may print.
constexpr size_t kPrintLimit = 16 * 1024 * 1024;

/// What an instruction does where no barrier object lies.
enum class MissingBarrier : uint8_t { Finding, Nothing };

class Machine {
public:
  Machine(const Module &module, const Target &target, const Options &options);
  ~Machine();

  /// Decodes every function and places the module's variables.
  bool load(std::string &error);
  /// A global allocation; its address is `base`.
  Region &allocate(const std::string &name, uint64_t size, uint64_t align);
  /// Whether so many further bytes of emulated memory, with what is kept of
  /// each, fit into the memory of this machine.
  bool fits(uint64_t bytes) const;
  Region *findGlobal(const std::string &name);
  const Function *findEntry(const std::string &name, std::string &error) const;
  /// Places the parameters of an entry by the absolute rule.
  std::vector<uint64_t> parameterOffsets(const Function &entry,
                                         uint64_t &size) const;
  bool launch(const Launch &launch, std::string &error);
  /// Blocks of this launch that fit on one SM, by what PTX says.
  uint64_t residentBlocks() const;

  /// Where the CTAs' own memory begins, 0 without, and how much each gets.
  uint64_t perCtaBase = 0, perCtaBytes = 0;

  std::vector<Finding> findings;
  std::string printed;
  bool asserted = false;
  std::string failure; ///< What cannot be run: outcome "error".
  Stats stats;
  /// What instructions did while they ran; null unless it is asked for.
  std::unique_ptr<Profile> profile;
  const Target target;

  // For handlers.

  bool reports(FindingKind kind) const;
  void report(FindingKind kind, Exec &x, const Inst &inst, int lane,
              const std::string &message,
              const std::vector<Place> &related = {});
  void report(FindingKind kind, const Place &place, const std::string &message,
              const std::vector<Place> &related = {});
  /// The run cannot go on after what was last reported. When that kind is
  /// switched off, the reason is a `timeout`.
  void fatal();
  Place placeOf(const Block &block, int warp, int lane, const Inst &inst) const;
  Place placeOf(Agent agent, uint32_t inst) const;

  /// The memory of `bytes` at `address`, or null after a finding.
  uint8_t *access(Exec &x, const Inst &inst, int lane, Space space,
                  uint64_t address, uint32_t bytes, AccessKind kind,
                  Region *&region, uint64_t &offset, uint32_t align = 0);
  /// Checks and marks a read or write for initialisation and races. Who changes
  /// memory by an atomic access says so itself.
  void touch(Exec &x, const Inst &inst, int lane, Region &region,
             uint64_t offset, uint32_t bytes, AccessKind kind,
             const Semantics &semantics, bool sameValue = false,
             bool checkInit = true);
  void touchAs(Exec &x, const Inst &inst, int lane, const Knowledge &who,
               Agent as, uint32_t asClock, Region &region, uint64_t offset,
               uint32_t bytes, AccessKind kind, uint32_t flags, bool sameValue);
  void checkWritten(Exec &x, const Inst &inst, int lane, Region &region,
                    uint64_t offset, uint32_t bytes);
  Region *regionAt(uint64_t address);
  void acquireAt(ThreadClock &who, const Region &region, uint64_t offset,
                 const Semantics &semantics);
  void releaseAt(ThreadClock &who, const Region &region, uint64_t offset,
                 const Semantics &semantics, bool readModifyWrite);

  /// Before a strong write releases.
  void noteStrongWrite(Exec &x, const Inst &inst, int lane, Region &region,
                       uint64_t offset, uint32_t bytes, const uint8_t *old,
                       const uint8_t *now);
  /// The write that a strong load does not see yet; null: it sees the last.
  const StrongWrite *olderValue(Exec &x, const Inst &inst, int lane,
                                Region &region, uint64_t offset,
                                uint32_t bytes);
  /// fence.sc of these lanes.
  void viewFence(Exec &x, Mask lanes);
  /// Of a run whose answers differ: loads that were late and whose thread never
  /// looked again.
  void reportUnseenWrites();
  bool weakLoads = false; ///< There are strong loads; they may be late.

  void splitGroup(Exec &x, Mask lanes, int pc);
  void exitLanes(Exec &x, Mask lanes);
  Frame *newFrame(Warp &warp, const FunctionCode &code, Frame *parent);
  void dropFrame(Warp &warp, Frame *frame);
  /// Gives every lane of the warp at least `need` bytes of local memory.
  void growLocal(Warp &warp, uint32_t need);
  /// Copies the parameters whose address is taken to local memory.
  void copyParameters(Warp &warp, Frame &frame, Mask lanes);
  /// Something that a loop may wait for. Not what happens at block and cluster
  /// barriers: loops that never end meet there, too.
  void changed() { ++version; }
  uint64_t random() { return rng.next(); }
  /// After an access by which threads agree: now and then everybody else goes
  /// first, so that whoever relies on being the only one is found out.
  void giveWay(Exec &x);
  uint64_t variableAddress(const Function *function, int index) const;
  int functionIndex(const std::string &name) const;
  void barrierArrive(Exec &x, const Inst &inst, uint32_t id, uint32_t count,
                     Mask lanes, bool waits);
  void checkBarriers(Block &block);
  void checkClusterBarrier(Cluster &cluster);
  /// Performs a copy; the group of the warp need not be there any more.
  void performAsync(Exec &x, Warp &warp, int lane, const AsyncCopy &copy);
  /// Performs what a lane issued up to a sequence number.
  void finishAsync(Exec &x, Warp &warp, int lane, uint32_t upTo);
  /// Performs some outstanding work of a block; false when there is none.
  bool advanceAsync(Exec &x, Block &block);
  /// An ordinary access where barrier objects may be.
  void checkBarrierObject(Exec &x, const Inst &inst, int lane, Region &region,
                          uint64_t offset, uint32_t bytes);
  /// For the statistics.
  void waitStarts(Group &group);
  void waitEnds(Group &group, const Inst &inst);
  /// A register got a value that the ISA does not define.
  void undefinedResult(Exec &x, const Inst &inst, Mask lanes, int32_t row,
                       int rows, const std::string &unwritten = "");
  /// Whether `lane` of a register holds such a value.
  static bool isUndefined(const Exec &x, int32_t row, int lane);
  void followUndefined(Exec &x, const Inst &inst, Mask m);
  /// Bytes of a load, one bit each, that nobody has written; a race instead
  /// when a copy under way will. `region` null: local memory.
  uint64_t unwrittenBytes(Exec &x, const Inst &inst, int lane, Region *region,
                          uint64_t offset, uint32_t bytes, std::string &what);
  void loadUnwritten(Exec &x, const Inst &inst, int lane, int32_t row,
                     uint64_t bytes, bool whole, const std::string &what);
  /// The registers of these lanes end: what was loaded and never looked at.
  void forgetUnwritten(Warp &warp, Mask lanes);
  void storeUnwritten(Exec &x, int lane, int32_t row, uint32_t bytes,
                      Region *region, uint64_t offset);
  void followUnwritten(Exec &x, const Inst &inst, Mask m);
  /// Whether an output has bytes (`whole`: consists of bytes) that were copied
  /// from where nobody had written; the load is reported.
  bool reportCopied(const Region &region, uint64_t offset, uint64_t bytes,
                    bool whole);
  struct Copied {
    Place place;
    std::string what;
  };
  std::unordered_map<uint64_t, Copied> copied; ///< By address.
  /// Registers of a thread when the entry starts; 0: not known.
  uint32_t registersAtEntry(const Function &entry) const;
  /// Registers of a thread that the instruction asks for, 0 when it is none
  /// that does.
  uint32_t awaitedRegisters(const Inst &inst) const;
  void checkRegisterChanges(Block &block);
  /// The copy under way that may write here, or null.
  const Inst *pendingWrite(Exec &x, const Region &region, uint64_t offset,
                           uint32_t bytes, Place &issue);
  /// Reports reads of tcgen05.ld registers that no wait has followed.
  void settleEarlyReads(Exec &x);
  /// Before an instruction with watched registers runs.
  void watchRegisters(Exec &x, const Inst &inst, Mask m);
  void fenceRegisters(Exec &x);
  void wgmmaRegisters(Exec &x, const Inst &inst, uint32_t sequence);
  void loadRegisters(Exec &x, const Inst &inst);
  /// All four warps of a group execute the same.
  void groupWgmma(Exec &x, const Inst &inst, const WgmmaOp &op);
  void performWgmmas(Exec &x, uint32_t upTo);
  void deliverTensorLoads(Exec &x);
  /// What a lane knows about tensor memory; the caller adds who it is.
  TensorUser tensorUser(Exec &x, int lane);
  /// Makes complete loads and stores of the warp known to `lanes`.
  void tensorPublish(Exec &x, Mask lanes, bool fence);
  bool tensorOrdered(const TensorUser &user, Agent agent, uint32_t clock,
                     bool isQueue, bool &fence) const;
  /// With `unwritten`, a read of what nobody has written is told there and no
  /// finding yet.
  void touchTensor(Exec &x, const Inst &inst, int lane, TensorMemory &memory,
                   uint64_t offset, AccessKind kind, const TensorUser &user,
                   std::string *unwritten = nullptr);
  void checkTensorFree(Exec &x, const Inst &inst, int lane,
                       TensorMemory &memory, uint32_t column, uint32_t columns);
  bool fencedOnce = false;   ///< A fence.sc of the GPU was executed.
  bool tensorFences = false; ///< The module has a tcgen05.fence.
  int tensorGroup = 0;       ///< The `cta_group` of the first instruction.
  /// What is still under way when the block's last thread exits.
  void checkExit(Exec &x, Block &block);
  /// Rules of a tensor map that the kernel wrote itself.
  void checkMapProxy(Exec &x, const Inst &inst, int lane, Region &region,
                     uint64_t offset);
  /// The barrier object at an address, or null after a finding; where none
  /// lies, null with or without one.
  Mbarrier *mbarrierAt(Exec &x, const Inst &inst, int lane, Space space,
                       uint64_t address, MissingBarrier missing,
                       Region *&region);
  /// `as` and `clock`: how others will know of the arrival that `who` asks for.
  void mbarrierArrive(Exec &x, const Inst &inst, int lane, Mbarrier &bar,
                      uint32_t count, const Knowledge &who, Agent as,
                      uint32_t clock, uint64_t ticket);
  /// Whether the arrival comes after all of the phase before it, whatever the
  /// schedule.
  void checkArrivalOrder(Exec &x, const Inst &inst, int lane, Mbarrier &bar,
                         const Knowledge &who, Agent as);
  /// `ticket`: of the profile, by whoever started what ends here.
  void mbarrierTx(Exec &x, const Inst &inst, int lane, Mbarrier &bar,
                  int64_t bytes, uint64_t ticket, bool copied);
  void mbarrierCheck(Mbarrier &bar);
  /// The least scope that includes threads of both blocks.
  Scope scopeBetween(uint32_t a, uint32_t b) const;
  /// Publishes what a thread knows into `to`, as a release of a scope does or,
  /// relaxed, as the fences before it do.
  void publish(const ThreadClock &who, Released &to, bool release, Scope scope);
  /// What `who` learns from `from` with an acquire or a relaxed read.
  void learn(ThreadClock &who, const Released &from, bool acquire, Scope scope,
             bool order);
  Block *ownerOf(Exec &x, const Region &region);
  void performBulk(Exec &x, Block &block, const BulkOp &op);
  void finishBulk(Exec &x, Block &block, uint32_t thread, uint32_t upTo);
  void performWgmma(Exec &x, Warp &warp, const WgmmaOp &op);
  void performTensor(Exec &x, Block &block, const TensorOp &op);
  /// Gives the block cluster number `n` back as stolen work.
  bool stealCluster(std::array<uint32_t, 3> &first);
  std::string readString(uint64_t address);
  /// Calls a function that the driver has: a declaration in the module.
  void callDriver(Exec &x, const Inst &inst, Mask lanes,
                  const std::string &name);
  void print(Exec &x, const Inst &inst, int lane, uint64_t format,
             uint64_t arguments);
  uint64_t readGeneric(Exec &x, int lane, uint64_t address, uint32_t bytes);

  const Module &module;
  Options options;
  std::vector<Inst> code;
  std::vector<const Statement *> statements; ///< Of each of `code`.
  OperandStore operandStore;
  std::vector<FunctionCode> functions;
  Launch config;
  uint64_t version = 0;
  uint64_t steps = 0;
  bool stopped = false;
  std::vector<ReaderSet> readerSets;
  std::vector<std::array<Cell, 4>> splitCells;
  std::unordered_map<uint64_t, Released> releases;        ///< By address.
  std::unordered_map<uint64_t, StrongWrite> strongWrites; ///< By address.
  /// By address and thread: a load that was late.
  struct UnseenWrite {
    Place load, write;
    std::string what;
  };
  std::map<std::pair<uint64_t, Agent>, UnseenWrite> unseenWrites;
  std::set<int> pollingLines; ///< Of late loads, some looked again.
  ClockRef fencedView;        ///< Of all fence.sc until now.
  std::vector<Watch> watches{1};
  /// fence.proxy.tensormap of threads: releases, and acquires by address.
  struct MapFence {
    ClockRef known;
    Agent agent;
    uint32_t clock;
    Scope scope;
  };
  std::deque<MapFence> mapReleases;
  std::unordered_map<uint64_t, std::deque<MapFence>> mapAcquires;
  Region *params = nullptr;
  std::vector<std::unique_ptr<Block>> blocks;
  std::vector<std::unique_ptr<Cluster>> clusters;
  cases::SplitMix64 rng, weakRandom;
  uint64_t staticShared = 0; ///< End of the static shared memory of any kernel.
  std::vector<std::unique_ptr<Region>> regions; ///< Sorted by base.
  std::vector<uint64_t> moduleAddresses;        ///< Of the module's variables.
  uint32_t sharedBase = 0;
  std::vector<uint8_t> sharedGaps; ///< Bytes between variables, by offset.

  void merge(Warp &warp);

private:
  Region &addRegion(const std::string &name, Space space, uint64_t base,
                    uint64_t size);
  bool placeVariables(std::string &error);
  bool initialize(std::string &error);
  void startBlocks(uint32_t first, uint32_t count);
  void startWarp(Block &block, int index);
  void fillSpecials(Warp &warp, Frame &frame);
  void runWarp(Exec &x, Warp &warp, unsigned burst);
  Group *select(Warp &warp);
  bool schedule(std::string &error);
  void reportDeadlock(FindingKind kind);
  /// Looks whether the warp comes back to a state of its registers while
  /// nothing else changes; then nothing of its own will end its loop.
  void watchSpin(Warp &warp);
  /// All warps wait, or are in such loops.
  bool allSpin() const;
  bool watchesSpins = false;
  bool preempted = false; ///< The block that runs gives way to others.
  void reportStuckWarp(Warp &warp);
  void finishBlock(Exec &x, Block &block);

  uint64_t nextGlobal = kGlobalBase;
  uint64_t heapUsed = 0; ///< Bytes that malloc has given and free not got.
  std::map<const Function *, std::vector<uint64_t>> functionVariables;
  /// Where the shared memory of a kernel ends, and where it would without the
  /// gaps between its variables.
  struct SharedEnd {
    uint64_t spaced, tight;
  };
  std::map<const Function *, SharedEnd> sharedEnd;
  struct SharedPiece {
    const Function *owner; ///< Null: of the module.
    uint64_t at, size;
  };
  std::vector<SharedPiece> sharedPieces;
  uint64_t dynamicAlign = 1;
  uint64_t sharedUsed = 0; ///< Bytes of a block of this launch.
  std::map<std::string, size_t> findingIndex;
  /// The last report when its kind is switched off.
  std::optional<Finding> silenced;
  uint32_t nextBlock = 0, totalBlocks = 0;
  std::array<uint32_t, 3> totalGrid{};
  uint64_t clusterSize = 1;
  uint64_t sharedSize =
      0; ///< Of a block of this launch, reserved part included.
  Region *lastRegion = nullptr;
};

/// Decodes all functions of `machine.module` into `machine.code`.
bool decodeModule(Machine &machine, std::string &error);

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_MACHINE_H

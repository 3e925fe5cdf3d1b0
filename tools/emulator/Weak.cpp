// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Relaxed loads that are late: of a write that nothing orders before it, a
// strong load may still return what was there before. Such accesses do not
// race; a program that relies on their order goes wrong on a GPU now and then,
// here soon. Only what the memory model allows is done:
// - a thread that knows of the write, by whatever it has synchronised with, or
//   that has seen a strong load of what was released after it (kinder than the
//   letter: no second fence is asked for), gets the new value;
// - so does who has seen it before, or comes after a thread that has;
// - fence.sc instructions have one order;
// - read-modify-write operations always see the last write;
// - no thread waits for ever: the second or third look gets the new value.
#include "tools/emulator/Machine.h"

#include <algorithm>
#include <cstring>

namespace tileir::emu {

static bool knowsOf(const Knowledge &who, Agent writer, uint32_t clock) {
  return who.ordered(writer, clock) ||
         who.known->get(writer, Plane::View) >= clock;
}

bool StrongWrite::witness(const Knowledge &who) {
  constexpr size_t kWitnesses = 8;
  seen.push_back({who.agent, who.clock});
  return seen.size() < kWitnesses;
}

void WeakLoads::noteStrongWrite(Exec &x, const Inst &inst, int lane,
                                Region &region, uint64_t offset, uint32_t bytes,
                                const uint8_t *old, const uint8_t *now) {
  uint64_t key = region.base + offset;
  const ThreadClock &who = x.clock(lane);
  unseenWrites.erase({key, who.agent});
  if (std::memcmp(old, now, bytes) == 0) {
    // The write before this one stays the one to miss.
    auto it = strongWrites.find(key);
    if (it != strongWrites.end() && !it->second.witness(who))
      strongWrites.erase(it);
    return;
  }
  if (bytes > StrongWrite::kMax) {
    strongWrites.erase(key);
    return;
  }
  StrongWrite &w = strongWrites[key];
  w = StrongWrite();
  w.bytes = uint8_t(bytes);
  std::memcpy(w.old, old, bytes);
  std::memcpy(w.now, now, bytes);
  w.writer = who.agent;
  w.clock = who.clock;
  w.inst = uint32_t(&inst - machine.image.code.data());
  for (uint32_t k = 0; k < bytes && !region.written.empty(); ++k)
    w.unwritten |= !region.written[offset + k];
  auto it = machine.races.releases.find(key);
  if (it != machine.races.releases.end())
    w.before = it->second;
}

const StrongWrite *WeakLoads::olderValue(Exec &x, const Inst &inst, int lane,
                                         Region &region, uint64_t offset,
                                         uint32_t bytes) {
  uint64_t key = region.base + offset;
  auto it = strongWrites.find(key);
  if (it == strongWrites.end())
    return nullptr;
  StrongWrite &w = it->second;
  ThreadClock &who = x.clock(lane);
  auto fresh = [&]() -> const StrongWrite * {
    if (unseenWrites.erase({key, who.agent}))
      pollingLines.insert(inst.line);
    return nullptr;
  };
  if (w.bytes != bytes ||
      std::memcmp(w.now, region.data.data() + offset, bytes) != 0) {
    strongWrites.erase(it);
    return fresh();
  }
  if (knowsOf(who, w.writer, w.clock))
    return fresh();
  for (const auto &[agent, clock] : w.seen)
    if (knowsOf(who, agent, clock))
      return fresh();
  uint32_t &served = w.served[who.agent];
  uint32_t most = machine.options.async == AsyncMode::Late ? 2 : 1;
  bool surely = machine.options.async == AsyncMode::Late && served == 0;
  if (served < most && ((weakRandom.next() & 1) || surely)) {
    ++served;
    machine.scheduler.changed(); // Not a loop that comes back to where it was.
    unseenWrites[{key, who.agent}] = {
        machine.placeOf(*x.block, x.warp->index, lane, inst),
        machine.placeOf(w.writer, w.inst),
        region.space == Space::Shared
            ? std::string("shared memory")
            : "'" + region.name + "' byte " + std::to_string(offset)};
    return &w;
  }
  if (!w.witness(who))
    strongWrites.erase(it);
  return fresh();
}

void WeakLoads::viewFence(Exec &x, Mask lanes) {
  std::vector<ThreadClock *> threads;
  forLanes(lanes, [&](int l) { threads.push_back(&x.clock(l)); });
  fencedView = joinClocks(fencedView, joinThreads(threads));
  for (ThreadClock *t : threads)
    t->acquireInto(Plane::View, fencedView);
}

void WeakLoads::reportUnseenWrites() {
  auto polls = [&](const auto &entry) {
    return pollingLines.count(entry.second.load.line) != 0;
  };
  bool onlyPolls = std::all_of(unseenWrites.begin(), unseenWrites.end(), polls);
  for (const auto &entry : unseenWrites) {
    const UnseenWrite &unseen = entry.second;
    if (!onlyPolls && polls(entry))
      continue;
    machine.report(FindingKind::Race, unseen.load,
                   "read of " + unseen.what +
                       " returned what was there before the write at line " +
                       std::to_string(unseen.write.line) +
                       ", which nothing orders before it",
                   {unseen.write});
  }
  unseenWrites.clear();
}

} // namespace tileir::emu

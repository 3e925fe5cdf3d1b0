// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fences of threads and of proxies, and the rules for tensor maps that a kernel
// writes itself.
#include "tools/emulator/Decode.h"

namespace tileir::emu {

namespace {

struct FenceOperands {
  AddressOperand map; ///< Of the acquire of a tensor map.
  Scope scope = Scope::Gpu;
  bool isSequential = false; ///< .sc
  bool acquires = false;     ///< A tensor map.
};

void fence(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<FenceOperands>();
  bool everywhere = in.isSequential && in.scope == Scope::Gpu;
  x.m.races.fencedOnce |= everywhere;
  if (in.isSequential && x.m.weak.weakLoads)
    x.m.weak.viewFence(x, m);
  forLanes(m, [&](int l) {
    ThreadClock &t = x.clock(l);
    // Clocks that relaxed reads saw, as far as the fence reaches.
    for (size_t s = 0; s <= size_t(in.scope); ++s)
      if (t.pendingAcquire[s]) {
        t.acquire(t.pendingAcquire[s]);
        t.pendingAcquire[s] = ClockRef();
      }
    // These fences have one order, so that what other threads of the block did
    // before theirs counts, too, as does what they saw: `__threadfence();
    // __syncthreads();` before thread 0 sets a flag.
    if (everywhere)
      t.fence(4);
    t.releaseFence[size_t(in.scope)] = t.snapshot();
    ++t.clock;
  });
}

/// fence.proxy.async, of some spaces as `ThreadClock::fence` has them.
struct ProxyFence {
  uint8_t spaces = 0;
};

void fenceAsync(Exec &x, const Inst &i, Mask m) {
  forLanes(m, [&](int l) {
    x.clock(l).fence(i.as<ProxyFence>().spaces);
    ++x.clock(l).clock;
  });
}

constexpr size_t kMapFences = 1024; ///< More are forgotten, oldest first.

void fenceTensormap(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<FenceOperands>();
  fence(x, i, m);
  forLanes(m, [&](int l) {
    ThreadClock &t = x.clock(l);
    std::deque<RaceDetector::MapFence> &list =
        in.acquires
            ? x.m.races.mapAcquires[laneAddress(x, in.map, l) & ~uint64_t(127)]
            : x.m.races.mapReleases;
    if (list.size() >= kMapFences)
      list.pop_back();
    list.push_front({t.snapshot(), t.agent, t.clock, in.scope});
    ++t.clock;
  });
}

Scope takeScope(Decoder &d) {
  Scope scope = Scope::Gpu;
  if (d.has("cta"))
    scope = Scope::Cta;
  else if (d.has("cluster"))
    scope = Scope::Cluster;
  for (const char *w : {"gpu", "sys", "gl"})
    d.has(w);
  return scope;
}

bool decodeFence(Decoder &d) {
  std::string rest;
  if (!d.has("proxy")) {
    auto &in = d.make<FenceOperands>();
    in.isSequential = d.has("sc") || d.s->words[0] == "membar";
    for (const char *w : {"acq_rel", "acquire", "release", "mbarrier_init"})
      d.has(w);
    d.prefixed("sync_restrict", rest);
    in.scope = takeScope(d);
    d.emit(fence, Class::Other);
    return true;
  }
  if (d.has("alias")) {
    d.make<FenceOperands>();
    d.emit(fence, Class::Other);
    return true;
  }
  if (d.prefixed("tensormap", rest)) {
    auto &in = d.make<FenceOperands>();
    in.acquires = d.has("acquire");
    if (!in.acquires && !d.has("release"))
      return d.fail("expected '.acquire' or '.release'");
    in.scope = takeScope(d);
    if (in.acquires) {
      int64_t size;
      if (!d.operands(2, 2) ||
          !d.memoryOperand(d.operand(0), Space::Generic, in.map) ||
          !d.immediate(d.operand(1), size))
        return false;
      if (size != 128)
        return d.fail("the size of a tensor map is 128");
    }
    d.emit(fenceTensormap, Class::Other);
    return true;
  }
  auto &in = d.make<ProxyFence>();
  if (d.has("async")) {
    bool shared = d.prefixed("shared::", rest), global = d.has("global");
    in.spaces = uint8_t(shared ? 1 : global ? 2 : 3);
  } else if (d.prefixed("async::", rest)) {
    d.has("acquire");
    d.has("release");
    d.prefixed("sync_restrict", rest);
    takeScope(d);
    in.spaces = 1;
  } else {
    return d.fail("unknown proxy");
  }
  d.emit(fenceAsync, Class::Other);
  return true;
}

} // namespace

void RaceDetector::checkMapProxy(Exec &x, const Inst &inst, int lane,
                                 Region &region, uint64_t offset) {
  // Maps in parameters and those that no thread has touched are the host's.
  if (region.space != Space::Global || region.granules.empty())
    return;
  ThreadClock &user = x.clock(lane);
  uint32_t block = user.agent / kAgentsPerBlock;
  auto knows = [&](const MapFence &f) {
    return f.agent == user.agent || user.known->get(f.agent) >= f.clock;
  };
  auto covers = [&](const MapFence &f, const Cell &c) {
    return knows(f) && f.known->get(c.writer) >= c.writeClock &&
           f.scope >= scopeBetween(f.agent / kAgentsPerBlock, block);
  };
  for (uint64_t at = offset; at < offset + kTensorMapBytes; at += 4) {
    Cell c = cellAt(region, at);
    if (c.writer == kNoAgent)
      continue;
    const Inst &writer = machine.image.code[c.writeInst & Cell::InstMask];
    bool released = writer.releasesMap, acquired = false;
    for (const MapFence &f : mapReleases)
      released = released || covers(f, c);
    auto list = mapAcquires.find((region.base + offset) & ~uint64_t(127));
    if (list != mapAcquires.end())
      for (const MapFence &f : list->second)
        acquired = acquired || covers(f, c);
    if (released && acquired)
      continue;
    Place where = machine.placeOf(c.writer, c.writeInst);
    machine.report(
        FindingKind::TensorMap, x, inst, lane,
        std::string("tensor map was written by the kernel at line ") +
            std::to_string(where.line) +
            "; its use needs fence.proxy.tensormap::generic" +
            (released ? ".acquire of the map before it"
                      : ".release after the write"),
        {where});
    break;
  }
  if (machine.reports(FindingKind::Race))
    touchAs(x, inst, lane, user, user.agent, user.clock, region, offset,
            kTensorMapBytes, AccessKind::Read, 0, false);
}

void registerFences() {
  RegisterDecoders({{"fence", decodeFence}, {"membar", decodeFence}});
}

} // namespace tileir::emu

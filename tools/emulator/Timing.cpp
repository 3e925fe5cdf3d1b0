// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/emulator/Timing.h"

#include "tools/emulator/Operands.h"

#include <algorithm>
#include <deque>

namespace tileir::emu {

const char *Timing::resourceName(unsigned resource) {
  static const char *const names[] = {"issue", "tensor", "lsu",
                                      "tma",   "xu",     "l2"};
  return names[resource];
}

Timing::Timing(const Operations &operations, const std::vector<Inst> &code,
               const Target &target, uint64_t ctasPerSM)
    : ctasPerSM(ctasPerSM), rates(target), stalls(code.size()),
      loopTimes(operations.loops.size()), operations(operations), code(code) {}

namespace {

constexpr unsigned kSchedulers = 4; ///< Of an SM.
constexpr uint64_t kNever = ~uint64_t(0);

/// Work is counted in parts of a cycle: 6.4 cycles are no 7.
constexpr uint64_t kParts = 64;

/// A pipe.
struct Pipe {
  uint64_t free = 0; ///< From when on, in parts.
  uint64_t freeAt() const { return (free + kParts - 1) / kParts; }
  /// The end of work of so many parts that may begin at a cycle.
  uint64_t take(uint64_t from, uint64_t parts) {
    free = std::max(from * kParts, free) + parts;
    return freeAt();
  }
};

/// Bytes that a block has asked for and not waited for.
struct Flight {
  uint64_t bytes = 0;
  Samples drain; ///< At tensor instructions after the last copy, so far.
};

struct Sm {
  Flight flight;
  Pipe scheduler[kSchedulers];
  Pipe xu[kSchedulers], xu64[kSchedulers], half[kSchedulers], fp32[kSchedulers],
      alu[kSchedulers], tensor[kSchedulers];
  Pipe lsu, read, write, tma, fetch, tensorRead, tensorWrite;
  uint64_t tensorEnd = 0; ///< Of what was given to the tensor core.
};

/// Asynchronous work of a warp: what is open, and the groups of it.
struct Groups {
  struct Group {
    uint64_t end = 0, bytes = 0;
  };
  Group open;
  std::deque<Group> groups;
  void add(uint64_t end, uint64_t bytes = 0) {
    open.end = std::max(open.end, end);
    open.bytes += bytes;
  }
  void commit() {
    groups.push_back(open);
    open = {};
  }
  /// When all but the last `left` groups have ended.
  uint64_t endOf(int64_t left) const {
    uint64_t end = 0;
    for (int64_t k = 0; k + left < int64_t(groups.size()); ++k)
      end = std::max(end, groups[size_t(k)].end);
    return end;
  }
  /// Forgets all but the last `left` groups; the bytes of those.
  uint64_t drop(int64_t left) {
    uint64_t bytes = 0;
    for (; int64_t(groups.size()) > left; groups.pop_front())
      bytes += groups.front().bytes;
    return bytes;
  }
};

struct Ready {
  uint64_t at = 0;
  uint32_t by = 0; ///< Instruction.
};

struct WarpReplay {
  const std::vector<Event> *events = nullptr;
  size_t next = 0;
  Sm *sm = nullptr;
  unsigned scheduler = 0;
  uint64_t issued = 0; ///< One after the last issue.
  std::unordered_map<int32_t, Ready> registers;
  Groups copies, bulk, wgmma;
  uint64_t tensorAccess = 0; ///< End of tcgen05.ld and .st.
  // Of the next event.
  uint64_t at = 0;
  std::string why;
  bool blocked = false;
  uint64_t barrier = 0;   ///< Key of the one that it stands at; 0: none.
  uint32_t barrierAt = 0; ///< Its instruction.
  std::vector<uint64_t> lastBack; ///< By loop.
};

struct Phase {
  uint64_t missing = 0, at = 0;
  uint64_t bytes = 0; ///< Of copies, until a thread has waited.
};

} // namespace

class Replay {
public:
  Replay(Timing &timing, const Trace &trace)
      : t(timing), trace(trace), k(timing.ctasPerSM),
        perScheduler(std::max<uint64_t>(
            k * std::min<uint64_t>(trace.warpsPerBlock, kSchedulers),
            kSchedulers)) {}

  void run();

private:
  /// Parts of cycles that `work` takes at `rate`, of which each of `shares`
  /// has as much.
  static uint64_t parts(uint64_t work, unsigned rate, uint64_t shares) {
    if (!rate)
      return work ? kParts : 0;
    return std::max(kParts, (work * shares * kParts + rate - 1) / rate);
  }
  /// The same on a pipe of the SM, which its blocks share.
  uint64_t parts(uint64_t work, unsigned rate) const {
    return parts(work, rate, k);
  }
  static double asCycles(uint64_t parts) {
    return double(parts) / double(kParts);
  }
  unsigned latency(Rates::Latency of) const { return t.rates.latency(of); }
  uint64_t lanesOn(Pipe &pipe, uint64_t from, uint64_t lanes,
                   Rates::Slot slot) {
    return pipe.take(from, parts(lanes, t.rates.rate(slot), perScheduler));
  }
  void prepare(WarpReplay &w);
  Ready readyOf(const WarpReplay &w, const Operation &o) const;
  bool namePair(WarpReplay &w);
  void wait(WarpReplay &w, const Event &e, Op op);
  void issue(WarpReplay &w);
  uint64_t execute(WarpReplay &w, const Event &e, const Operation &o,
                   uint64_t at);
  uint64_t asynchronous(WarpReplay &w, const Event &e, const Operation &o,
                        uint64_t at);
  uint64_t memory(WarpReplay &w, const Event &e, const Operation &o,
                  uint64_t at);
  uint64_t tensorMma(WarpReplay &w, const Event &e, const Operation &o,
                     uint64_t at);
  uint64_t shared(WarpReplay &w, uint64_t passes, uint64_t at);
  uint64_t global(WarpReplay &w, const Event &e, bool writes, uint64_t at);
  void contribute(uint64_t ticket, uint64_t at);
  void stall(const WarpReplay &w, uint32_t code, uint64_t until,
             const std::string &why);
  void backEdge(WarpReplay &w, const Operation &o, uint64_t at);
  void takeOff(Flight &flight, uint64_t bytes);
  static void land(Flight &flight, uint64_t bytes) {
    flight.bytes -= std::min(flight.bytes, bytes);
  }

  Timing &t;
  const Trace &trace;
  const uint64_t k;
  /// Blocks that share a scheduler and its pipes, times the schedulers: blocks
  /// of fewer warps than there are schedulers are spread over them.
  const uint64_t perScheduler;
  std::vector<Sm> sms;
  std::vector<WarpReplay> warps;
  std::unordered_map<uint64_t, Phase> phases;
  std::unordered_map<uint64_t, std::vector<uint64_t>> keysOf; ///< By ticket.
  uint64_t end = 0;
  std::vector<std::vector<uint64_t>> iterations; ///< Cycles of each, by loop.
};

//===--- waits ------------------------------------------------------------===//

void Replay::contribute(uint64_t ticket, uint64_t at) {
  auto keys = keysOf.find(ticket);
  if (keys == keysOf.end())
    return;
  for (uint64_t key : keys->second) {
    Phase &p = phases[key];
    p.at = std::max(p.at, at);
    if (--p.missing)
      continue;
    for (WarpReplay &w : warps)
      if (w.blocked &&
          (w.barrier ? w.barrier : (*w.events)[w.next].waitKey) == key)
        prepare(w);
  }
}

/// Moves `w.at` to where the event's wait ends; it is blocked as long as no
/// thread knows.
void Replay::wait(WarpReplay &w, const Event &e, Op op) {
  uint64_t end = 0;
  const Inst &i = t.code[e.code];
  using L = Rates::Latency;
  switch (op) {
  case Op::MbarrierWait:
  case Op::ClusterWait: {
    auto it = phases.find(e.waitKey);
    if (!e.waitKey || it == phases.end())
      return;
    if (it->second.missing) {
      w.blocked = true;
      return;
    }
    end = it->second.at +
          latency(op == Op::MbarrierWait ? L::Mbarrier : L::ClusterBarrier);
    break;
  }
  case Op::CopyWait:
    if (i.as<GroupWait>().commits)
      end = std::max(w.copies.open.end, w.copies.endOf(0));
    else
      end = w.copies.endOf(i.as<GroupWait>().left);
    break;
  case Op::BulkWait:
    end = w.bulk.endOf(i.as<GroupWait>().left);
    break;
  case Op::WgmmaWait:
    end = w.wgmma.endOf(i.as<GroupWait>().left);
    break;
  case Op::TensorWait:
    end = w.tensorAccess;
    break;
  default:
    return;
  }
  if (end > w.at) {
    w.at = end;
    w.why = waitName(op);
  }
}

void Replay::prepare(WarpReplay &w) {
  w.blocked = false;
  if (w.barrier) {
    const Phase &p = phases[w.barrier];
    w.blocked = p.missing != 0;
    if (w.blocked)
      return;
    uint64_t free = p.at + latency(Rates::Latency::CtaBarrier);
    stall(w, w.barrierAt, free, "barrier");
    w.issued = std::max(w.issued, free);
    end = std::max(end, w.issued);
    w.barrier = 0;
  }
  while (namePair(w))
    ++w.next;
  if (w.next >= w.events->size())
    return;
  const Event &e = (*w.events)[w.next];
  const Operation &o = t.operations[e.code];
  w.at = w.issued;
  w.why.clear();
  if (Ready last = readyOf(w, o); last.at > w.at) {
    w.at = last.at;
    w.why = "line " + std::to_string(t.code[last.by].line);
  }
  wait(w, e, o.op);
}

/// The last of the registers that `o` reads.
Ready Replay::readyOf(const WarpReplay &w, const Operation &o) const {
  Ready last;
  for (uint32_t r = o.reads; r < o.writes; ++r) {
    auto it = w.registers.find(t.operations.registers[r]);
    if (it != w.registers.end() && it->second.at > last.at)
      last = it->second;
  }
  return last;
}

/// Lets the registers of a pair be there when what they are made of is, where
/// that comes next; returns whether it does. Nothing is issued.
bool Replay::namePair(WarpReplay &w) {
  if (w.next >= w.events->size())
    return false;
  const Operation &o = t.operations[(*w.events)[w.next].code];
  if (o.op != Op::Pair)
    return false;
  Ready last = readyOf(w, o);
  for (uint32_t r = o.writes; r < o.end; ++r)
    w.registers[t.operations.registers[r]] = last;
  return true;
}

//===--- bytes in flight --------------------------------------------------===//

/// Adds bytes that a copy brings. With it, what the tensor instructions before
/// saw belongs to the steady state of their loop.
void Replay::takeOff(Flight &flight, uint64_t bytes) {
  if (!bytes)
    return;
  flight.bytes += bytes;
  t.inFlight.add(flight.drain);
  flight.drain = {};
}

//===--- work -------------------------------------------------------------===//

uint64_t Replay::shared(WarpReplay &w, uint64_t passes, uint64_t at) {
  uint64_t work = parts(passes * 128, t.rates.rate(Rates::Lsu));
  t.busy[Timing::Lsu] += asCycles(work);
  return w.sm->lsu.take(at, work);
}

uint64_t Replay::global(WarpReplay &w, const Event &e, bool writes,
                        uint64_t at) {
  uint64_t bytes = uint64_t(e.sectors) * 32;
  uint64_t sent = shared(w, (bytes + 127) / 128, at);
  Rates::Slot slot = writes ? Rates::GlobalWrite : Rates::GlobalRead;
  uint64_t work = parts(bytes, t.rates.rate(slot));
  // Both directions at once: half of each.
  t.busy[Timing::L2] += asCycles(work);
  return (writes ? w.sm->write : w.sm->read).take(sent, work);
}

uint64_t Replay::memory(WarpReplay &w, const Event &e, const Operation &o,
                        uint64_t at) {
  using L = Rates::Latency;
  bool isGlobal = e.sectors != 0;
  switch (o.op) {
  case Op::Load:
    return isGlobal ? global(w, e, false, at) + latency(L::GlobalDram)
                    : shared(w, std::max(1u, e.sharedPasses), at) +
                          latency(L::SharedLoad);
  case Op::Store:
    return isGlobal ? global(w, e, true, at)
                    : shared(w, std::max(1u, e.sharedPasses), at) +
                          latency(L::SharedStore);
  case Op::Atomic:
    return isGlobal ? std::max(global(w, e, true, at), w.sm->read.freeAt()) +
                          latency(L::GlobalL2)
                    : shared(w, std::max(1u, e.sharedPasses), at) +
                          latency(L::SharedLoad);
  case Op::LoadMatrix:
    return shared(w, std::max(1u, e.sharedPasses), at) + latency(L::SharedLoad);
  case Op::StoreMatrix:
    return shared(w, std::max(1u, e.sharedPasses), at) +
           latency(L::SharedStore);
  case Op::CopyAsync: {
    uint64_t done = global(w, e, false, at) + latency(L::GlobalDram);
    w.copies.add(done, e.bytes);
    takeOff(w.sm->flight, e.bytes);
    return at;
  }
  case Op::BulkLoad:
  case Op::BulkStore: {
    uint64_t box = parts(latency(L::TmaBox), 1);
    t.busy[Timing::Tma] += asCycles(box);
    uint64_t sent = w.sm->tma.take(at, box);
    bool store = o.op == Op::BulkStore;
    uint64_t work = parts(
        e.bytes, t.rates.rate(store ? Rates::GlobalWrite : Rates::GlobalRead));
    t.busy[Timing::L2] += asCycles(work);
    uint64_t moved = (store ? w.sm->write : w.sm->read).take(sent, work);
    if (store) {
      w.bulk.add(moved + latency(L::TmaStore));
      return at;
    }
    takeOff(w.sm->flight, e.bytes);
    if (auto keys = keysOf.find(e.ticket); keys != keysOf.end())
      for (uint64_t key : keys->second)
        phases[key].bytes += e.bytes / keys->second.size();
    contribute(e.ticket, moved + latency(L::GlobalDram) + latency(L::TmaExtra));
    return at;
  }
  default:
    return at;
  }
}

uint64_t Replay::tensorMma(WarpReplay &w, const Event &e, const Operation &o,
                           uint64_t at) {
  using L = Rates::Latency;
  Sm &sm = *w.sm;
  sm.flight.drain.add(sm.flight.bytes);
  unsigned rate = t.rates.rate(o.mma);
  // The share of the peak that is used, by any warp.
  unsigned peak =
      t.rates.rate(o.mma == Rates::Mma::F16WarpWide ? Rates::Mma::F16 : o.mma);
  uint64_t macs = o.macs, operands = o.operands;
  bool wide = o.op == Op::TensorMma;
  if (wide)
    if (auto it = trace.tensorWork.find(e.ticket);
        it != trace.tensorWork.end()) {
      macs = it->second.macs;
      operands = it->second.operandBytes;
    }
  if (peak)
    t.busy[Timing::Tensor] += double(macs * k) / peak;
  uint64_t fetched =
      operands
          ? sm.fetch.take(at, parts(operands, t.rates.rate(Rates::MmaFetch)))
          : at;
  if (wide) {
    uint64_t work = parts(macs, rate), done = 0;
    for (Pipe &p : sm.tensor)
      done = std::max(done, p.take(at, work));
    sm.tensorEnd = std::max(done, fetched);
    return at;
  }
  uint64_t done =
      sm.tensor[w.scheduler].take(at, parts(macs, rate, perScheduler));
  done = std::max(done, fetched);
  if (o.op == Op::MmaSync)
    return done + latency(L::MmaSync);
  w.wgmma.add(done + latency(L::Wgmma));
  return at;
}

/// When the results of an event that issues at `at` are there.
uint64_t Replay::execute(WarpReplay &w, const Event &e, const Operation &o,
                         uint64_t at) {
  using L = Rates::Latency;
  Sm &sm = *w.sm;
  unsigned s = w.scheduler;
  switch (o.op) {
  case Op::Alu:
    return lanesOn(sm.alu[s], at, 32, Rates::Alu) + latency(L::DualAlu);
  case Op::Mul:
  case Op::Fp32:
    return lanesOn(sm.fp32[s], at, 32, Rates::Fp32) + latency(L::Fp32);
  case Op::Fp32x2:
    return lanesOn(sm.fp32[s], at, 64, Rates::Fp32x2) + latency(L::Fp32);
  case Op::Half:
    return lanesOn(sm.half[s], at, 64, Rates::Half) + latency(L::Fp32);
  case Op::F64:
    return lanesOn(sm.xu64[s], at, 32, Rates::Xu64) + latency(L::F64);
  case Op::Convert64:
    return lanesOn(sm.xu64[s], at, 32, Rates::Xu64) + latency(L::Convert);
  case Op::Xu: {
    uint64_t done = lanesOn(sm.xu[s], at, 32, Rates::Xu);
    t.busy[Timing::Special] += 32.0 * double(k) / t.rates.rate(Rates::Xu);
    return done + latency(L::Xu);
  }
  case Op::Convert:
    return lanesOn(sm.alu[s], at, 32, Rates::Alu) + latency(L::Convert);
  case Op::Shuffle:
    return shared(w, 1, at) + latency(L::Shuffle);
  case Op::Constant:
    return at + latency(L::SharedLoad);
  case Op::MmaSync:
  case Op::Wgmma:
  case Op::TensorMma:
    return tensorMma(w, e, o, at);
  default:
    return asynchronous(w, e, o, at);
  }
}

/// The same of asynchronous work and of barriers.
uint64_t Replay::asynchronous(WarpReplay &w, const Event &e, const Operation &o,
                              uint64_t at) {
  using L = Rates::Latency;
  Sm &sm = *w.sm;
  switch (o.op) {
  case Op::CopyCommit:
    w.copies.commit();
    return at;
  case Op::CopyWait:
    if (t.code[e.code].as<GroupWait>().commits)
      w.copies.commit();
    land(sm.flight, w.copies.drop(t.code[e.code].as<GroupWait>().left));
    return at;
  case Op::CopyArrive:
    if (auto keys = keysOf.find(e.ticket); keys != keysOf.end())
      phases[keys->second.front()].bytes += w.copies.open.bytes;
    w.copies.open.bytes = 0;
    contribute(e.ticket, std::max({at, w.copies.open.end, w.copies.endOf(0)}));
    return at;
  case Op::MbarrierWait:
    if (auto phase = phases.find(e.waitKey); phase != phases.end()) {
      land(sm.flight, phase->second.bytes);
      phase->second.bytes = 0;
    }
    return at;
  case Op::BulkCommit:
    w.bulk.commit();
    return at;
  case Op::BulkWait:
    w.bulk.drop(t.code[e.code].as<GroupWait>().left);
    return at;
  case Op::WgmmaCommit:
    w.wgmma.commit();
    return at;
  case Op::WgmmaWait:
    w.wgmma.drop(t.code[e.code].as<GroupWait>().left);
    return at;
  case Op::MbarrierArrive:
  case Op::MbarrierOther:
    shared(w, 1, at);
    contribute(e.ticket, at);
    return at + latency(L::SharedStore);
  case Op::BarrierArrive:
  case Op::BarrierWait:
  case Op::ClusterArrive:
    contribute(e.ticket, at);
    return at;
  case Op::TensorCommit:
    contribute(e.ticket, std::max(at, sm.tensorEnd) + latency(L::Tcgen05Mma));
    return at;
  case Op::TensorCopy:
    sm.tensorEnd = std::max(sm.tensorEnd, at) + latency(L::Tcgen05Copy);
    return at;
  case Op::TensorLoad:
  case Op::TensorStore: {
    bool load = o.op == Op::TensorLoad;
    uint64_t rows = load ? o.end - o.writes : o.writes - o.reads;
    uint64_t done =
        (load ? sm.tensorRead : sm.tensorWrite)
            .take(at,
                  parts(rows * 128, t.rates.rate(load ? Rates::TensorRead
                                                      : Rates::TensorWrite)));
    done += latency(L::Tcgen05Access);
    w.tensorAccess = std::max(w.tensorAccess, done);
    return done;
  }
  default:
    return memory(w, e, o, at);
  }
}

void Replay::stall(const WarpReplay &w, uint32_t code, uint64_t until,
                   const std::string &why) {
  if (until <= w.issued)
    return;
  t.stalls[code].cycles += until - w.issued;
  t.stalls[code].reasons[why] += until - w.issued;
}

//===--- the replay -------------------------------------------------------===//

void Replay::backEdge(WarpReplay &w, const Operation &o, uint64_t at) {
  size_t loop = size_t(o.backEdge);
  if (w.lastBack.empty())
    w.lastBack.assign(t.operations.loops.size(), kNever);
  if (w.lastBack[loop] != kNever)
    iterations[loop].push_back(at - w.lastBack[loop]);
  w.lastBack[loop] = at;
}

void Replay::issue(WarpReplay &w) {
  const Event &e = (*w.events)[w.next];
  const Operation &o = t.operations[e.code];
  Pipe &scheduler = w.sm->scheduler[w.scheduler];
  uint64_t at = std::max(w.at, scheduler.freeAt());
  stall(w, e.code, w.at, w.why);
  if (at > w.at) {
    t.stalls[e.code].cycles += at - w.at;
    t.stalls[e.code].reasons["scheduler"] += at - w.at;
  }
  // Each of the blocks on the scheduler takes its turn.
  scheduler.take(at, perScheduler * kParts / kSchedulers);
  t.busy[Timing::Issue] += double(k) / kSchedulers;
  w.issued = at + 1;
  uint64_t ready = e.lanes ? execute(w, e, o, at) : at + 1;
  end = std::max(end, std::max(ready, w.issued));
  if (o.op == Op::BarrierWait && e.waitKey) {
    w.barrier = e.waitKey;
    w.barrierAt = e.code;
  }
  for (uint32_t r = o.writes; r < o.end; ++r)
    w.registers[t.operations.registers[r]] = {ready, e.code};
  if (o.backEdge >= 0)
    backEdge(w, o, at);
  ++w.next;
  prepare(w);
}

void Replay::run() {
  size_t blocks = trace.warps.size() / trace.warpsPerBlock;
  sms.resize(blocks);
  warps.resize(trace.warps.size());
  iterations.resize(t.operations.loops.size());
  for (const Trace::Contribution &c : trace.contributions) {
    ++phases[c.key].missing;
    keysOf[c.ticket].push_back(c.key);
  }
  for (size_t n = 0; n < warps.size(); ++n) {
    WarpReplay &w = warps[n];
    w.events = &trace.warps[n];
    w.sm = &sms[n / trace.warpsPerBlock];
    w.scheduler = unsigned(n % trace.warpsPerBlock % kSchedulers);
    prepare(w);
  }
  while (true) {
    WarpReplay *best = nullptr, *stuck = nullptr;
    uint64_t least = kNever;
    for (WarpReplay &w : warps) {
      if (w.next >= w.events->size() && !w.barrier)
        continue;
      if (w.blocked) {
        stuck = stuck ? stuck : &w;
        continue;
      }
      uint64_t at = std::max(w.at, w.sm->scheduler[w.scheduler].freeAt());
      if (at < least) {
        least = at;
        best = &w;
      }
    }
    if (!best && !stuck)
      break;
    if (best) {
      issue(*best);
      continue;
    }
    // The operation in whose middle the run was ended: no thread arrives any
    // more.
    phases[stuck->barrier ? stuck->barrier
                          : (*stuck->events)[stuck->next].waitKey]
        .missing = 0;
    prepare(*stuck);
  }
  for (const Sm &sm : sms)
    end = std::max({end, sm.tensorEnd, sm.write.freeAt()});
  t.blocks += blocks;
  t.blockCycles += end * blocks;
  for (size_t n = 0; n < iterations.size(); ++n) {
    std::vector<uint64_t> &all = iterations[n];
    if (all.empty())
      continue;
    std::nth_element(all.begin(), all.begin() + long(all.size() / 2),
                     all.end());
    Timing::LoopTime &loop = t.loopTimes[n];
    ++loop.iterations;
    loop.cycles += all[all.size() / 2];
    loop.whole += all[all.size() / 2] * all.size();
  }
}

void Timing::add(const Trace &trace) { Replay(*this, trace).run(); }

} // namespace tileir::emu

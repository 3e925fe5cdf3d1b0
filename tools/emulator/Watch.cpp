// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers that asynchronous instructions read or write: the accumulators and
// fragments of wgmma, the destinations of tcgen05.ld. Only instructions that
// name such a register are looked at while the kernel runs.
#include "tools/emulator/Decode.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace tileir::emu {

//===--- before the run ---------------------------------------------------===//

namespace {

void collect(const Decoder &d, const Operand &o, bool written,
             std::vector<Watch::Use> &uses) {
  if (o.isReg()) {
    int bits = d.fn.registers[size_t(o.index)].bits;
    if (bits == 1)
      return;
    int32_t row = d.registerRow(o.index);
    for (int r = 0; r < std::max(1, bits / 32); ++r)
      uses.push_back({row + r, written});
    return;
  }
  for (const Operand &item : o.items)
    collect(d, item, written && o.kind != Operand::Kind::Address, uses);
}

/// The rows of a register, or of each part of a vector; false for predicates.
bool partsOf(const Decoder &d, const Operand &o,
             std::vector<std::vector<int32_t>> &parts) {
  for (const Operand &item : o.items)
    if (!partsOf(d, item, parts))
      return false;
  if (o.kind == Operand::Kind::Vector)
    return true;
  parts.emplace_back(); // Stays empty for a sink or a constant.
  if (!o.isReg())
    return true;
  int bits = d.fn.registers[size_t(o.index)].bits;
  for (int r = 0; bits > 1 && r < d.rowsOf(bits); ++r)
    parts.back().push_back(d.registerRow(o.index) + r);
  return bits > 1;
}

/// Returns what a move copies: a register into another, into parts, or of
/// parts.
std::vector<Watch::Copy> copiesOf(const Decoder &d, const Statement &s) {
  std::vector<std::vector<int32_t>> to, from;
  std::vector<Watch::Copy> out;
  if (s.words[0] != "mov" || s.operands.size() != 2 ||
      !partsOf(d, s.operands[0], to) || !partsOf(d, s.operands[1], from) ||
      (to.size() > 1 && from.size() > 1))
    return out;
  if (to.size() > 1) {
    size_t rows = from[0].size(); // Several parts may lie in one.
    for (size_t k = 0; rows && k < to.size(); ++k)
      for (size_t r = 0; r < to[k].size(); ++r)
        out.push_back(
            {to[k][r],
             {from[0][std::min(k * rows / to.size() + r, rows - 1)]}});
    return out;
  }
  size_t rows = to[0].size(), count = from.size();
  for (size_t r = 0; r < rows; ++r) {
    Watch::Copy copy{to[0][r], {}};
    if (count < rows) {
      const std::vector<int32_t> &part = from[r * count / rows];
      if (!part.empty())
        copy.from.push_back(part[r % part.size()]);
    } else {
      for (size_t k = r * count / rows; k < (r + 1) * count / rows; ++k)
        copy.from.insert(copy.from.end(), from[k].begin(), from[k].end());
    }
    if (!copy.from.empty())
      out.push_back(copy);
  }
  return out;
}

} // namespace

/// Marks waits for mbarriers whose result is not used: the next
/// statement that names the predicate sets it again, or none does.
static void findUnusedWaits(
    Machine &m, const Function &fn,
    const std::vector<std::pair<size_t, const Statement *>> &places) {
  auto names = [](auto &&self, const Operand &o, int index) -> bool {
    if (o.isReg())
      return o.index == index;
    for (const Operand &item : o.items)
      if (self(self, item, index))
        return true;
    return false;
  };
  for (size_t k = 0; k < places.size(); ++k) {
    const Statement &s = *places[k].second;
    if (s.words[0] != "mbarrier" || s.words.size() < 2 ||
        (s.words[1] != "test_wait" && s.words[1] != "try_wait") ||
        s.operands.empty() || !s.operands[0].isReg())
      continue;
    int index = s.operands[0].index;
    bool used = false, set = false;
    for (size_t n = k + 1; n < places.size() && !used && !set; ++n) {
      const Statement &next = *places[n].second;
      used = next.guard == index;
      for (size_t o = 1; o < next.operands.size(); ++o)
        used = used || names(names, next.operands[o], index);
      set = !next.operands.empty() && names(names, next.operands[0], index);
    }
    // Behind the back edge of a loop.
    size_t back = k;
    for (size_t n = k; n < places.size() && !used && !set; ++n) {
      const Statement &next = *places[n].second;
      if (next.words[0] != "bra" || next.operands.empty())
        continue;
      const Label *label = fn.findLabel(next.operands[0].name, next.scope);
      if (label && !label->isTable && label->statement >= 0)
        back = std::min(back, size_t(label->statement));
    }
    for (size_t n = back; n < k && !used && !set; ++n)
      used = places[n].second->guard == index;
    if (!used)
      markUnusedWait(m.image.code[places[k].first]);
  }
}

/// Marks atomic accesses whose result no operand names.
static void findBlindAtomics(
    Machine &m, const Function &fn,
    const std::vector<std::pair<size_t, const Statement *>> &places) {
  std::vector<unsigned> named(fn.registers.size());
  bool any = false;
  auto count = [&](auto &&self, const Operand &o) -> void {
    if (o.isReg())
      ++named[size_t(o.index)];
    for (const Operand &item : o.items)
      self(self, item);
  };
  for (const auto &[index, s] : places) {
    any |= s->words[0] == "atom";
    if (s->guard >= 0)
      ++named[size_t(s->guard)];
    for (const Operand &o : s->operands)
      count(count, o);
  }
  if (!any)
    return;
  for (const auto &[index, s] : places) {
    if (s->words[0] != "atom")
      continue;
    const Operand &to = s->operands[0];
    m.image.code[index].blind = to.kind == Operand::Kind::Sink ||
                                (to.isReg() && named[size_t(to.index)] == 1);
  }
}

/// Marks weak loads of what a compare-and-swap of the same width is to expect,
/// as the loop that computes an atomic operation begins: the swap finds out
/// when the value is old.
static void
findGuesses(Machine &m,
            const std::vector<std::pair<size_t, const Statement *>> &places) {
  std::set<int> expected; // Registers that reach the operand, through moves.
  for (const auto &[index, s] : places) {
    bool swaps =
        s->words[0] == "atom" && s->operands.size() > 2 &&
        std::find(s->words.begin(), s->words.end(), "cas") != s->words.end();
    if (swaps && s->operands[2].isReg())
      expected.insert(s->operands[2].index);
  }
  if (expected.empty())
    return;
  for (bool more = true; more;) {
    more = false;
    for (const auto &[index, s] : places)
      if (s->words[0] == "mov" && s->operands.size() == 2 &&
          s->operands[0].isReg() && s->operands[1].isReg() &&
          expected.count(s->operands[0].index))
        more |= expected.insert(s->operands[1].index).second;
  }
  for (const auto &[index, s] : places)
    m.image.code[index].guesses = s->words[0] == "ld" &&
                                  s->operands[0].isReg() &&
                                  expected.count(s->operands[0].index);
}

void Decoder::findWatches(
    const std::vector<std::pair<size_t, const Statement *>> &places) {
  findUnusedWaits(m, fn, places);
  findBlindAtomics(m, fn, places);
  findGuesses(m, places);
  std::set<int32_t> watched;
  for (const auto &place : places) {
    const Inst &i = m.image.code[place.first];
    if (i.registers == Inst::Plain)
      continue;
    auto watch = [&](const std::vector<int32_t> &rows) {
      watched.insert(rows.begin(), rows.end());
    };
    if (i.registers == Inst::TensorLoad) {
      watch(i.as<TensorRows>().rows);
      continue;
    }
    watch(i.as<WgmmaOperands>().d);
    watch(i.as<WgmmaOperands>().a);
  }
  if (watched.empty())
    return;
  // A copy stands for what it copies.
  std::vector<std::vector<Watch::Copy>> copies;
  for (const auto &place : places)
    copies.push_back(copiesOf(*this, *place.second));
  for (bool more = true; more;) {
    more = false;
    for (const std::vector<Watch::Copy> &all : copies)
      for (const Watch::Copy &copy : all)
        for (int32_t from : copy.from)
          if (watched.count(copy.to) != watched.count(from)) {
            watched.insert(copy.to);
            watched.insert(from);
            more = true;
          }
  }
  for (size_t at = 0; at < places.size(); ++at) {
    const auto &place = places[at];
    const Statement &s = *place.second;
    Watch w;
    std::vector<Watch::Use> uses;
    for (size_t k = 0; k < s.operands.size(); ++k)
      collect(*this, s.operands[k], k == 0, uses);
    for (const Watch::Use &u : uses)
      if (watched.count(u.row))
        w.uses.push_back(u);
    if (w.uses.empty())
      continue;
    w.copies = copies[at];
    m.image.code[place.first].watch = int32_t(m.registers.watches.size());
    m.registers.watches.push_back(std::move(w));
  }
}

//===--- during the run ---------------------------------------------------===//

/// The state of the warp's registers in this frame, or null when asynchronous
/// instructions of another frame are in flight.
static RegisterWatch *watchOf(Exec &x) {
  std::unique_ptr<RegisterWatch> &w = x.warp->watch;
  if (w && w->frame == x.frame)
    return w.get();
  if (w && ((x.warp->wgmma && x.warp->wgmma->waited < x.warp->wgmma->issued) ||
            !x.warp->tensorLoads.empty()))
    return nullptr;
  w = std::make_unique<RegisterWatch>();
  w->frame = x.frame;
  size_t rows = size_t(x.frame->code->rows);
  w->accumulator.resize(rows);
  w->fragment.resize(rows);
  w->tensor.resize(rows);
  w->shape.resize(rows);
  w->dirty.resize(rows);
  return w.get();
}

void TensorUnit::deliverTensorLoads(Exec &x) {
  for (TensorAccess &a : x.warp->tensorLoads) {
    const std::vector<int32_t> &to = a.inst->as<TensorRows>().rows;
    for (size_t r = 0; r < to.size(); ++r)
      std::memcpy(a.frame->rows + size_t(to[r]) * 128, &a.values[r * 32], 128);
  }
  x.warp->tensorLoads.clear();
}

void RegisterRules::watchRegisters(Exec &x, const Inst &inst, Mask m) {
  if (inst.registers != Inst::Plain)
    return;
  RegisterWatch *w = watchOf(x);
  if (!w)
    return;
  const Watch &watch = watches[size_t(inst.watch)];
  uint32_t waited = x.warp->wgmma ? x.warp->wgmma->waited : 0;
  uint32_t loaded = x.warp->tensor.waited[0];
  int lane = __builtin_ctz(m);
  for (const Watch::Copy &copy : watch.copies) {
    size_t to = size_t(copy.to);
    uint32_t accumulator = 0, fragment = 0, tensor = 0;
    uint64_t shape = 0;
    bool dirty = false;
    for (int32_t row : copy.from) {
      size_t from = size_t(row);
      if (w->accumulator[from] > waited)
        machine.tensor.performWgmmas(x, w->accumulator[from]);
      if (w->tensor[from] > loaded)
        machine.tensor.deliverTensorLoads(x);
      accumulator = std::max(accumulator, w->accumulator[from]);
      fragment = std::max(fragment, w->fragment[from]);
      tensor = std::max(tensor, w->tensor[from]);
      shape = w->shape[from];
      dirty |= w->dirty[from] != 0;
    }
    w->accumulator[to] = accumulator;
    w->fragment[to] = fragment;
    w->tensor[to] = tensor;
    w->shape[to] = shape;
    w->dirty[to] = dirty && !w->fresh;
  }
  if (!watch.copies.empty())
    return;
  for (const Watch::Use &u : watch.uses) {
    size_t row = size_t(u.row);
    const char *verb = u.written ? "written" : "read";
    if (w->accumulator[row] > waited ||
        (u.written && w->fragment[row] > waited))
      machine.report(
          FindingKind::Wgmma, x, inst, lane,
          std::string("register of a wgmma is ") + verb +
              " before wgmma.wait_group has waited for it",
          {machine.placeOf(*x.block, x.warp->index, lane, *w->wgmma)});
    if (w->tensor[row] > loaded && u.written) {
      machine.report(
          FindingKind::Tcgen05, x, inst, lane,
          "register of a tcgen05.ld is written before tcgen05.wait::ld",
          {machine.placeOf(*x.block, x.warp->index, lane, *w->load)});
    } else if (w->tensor[row] > loaded) {
      // LLVM moves what reads the registers before the wait, and the
      // hardware gives it the value. A finding when no wait follows at all.
      machine.tensor.deliverTensorLoads(x);
      if (w->early.empty() || w->early.back().first != &inst)
        w->early.push_back({&inst, w->load});
    }
    if (u.written && !w->fresh)
      w->dirty[row] = 1;
  }
}

void RegisterRules::settleEarlyReads(Exec &x) {
  RegisterWatch *w = x.warp->watch.get();
  if (!w || w->early.empty())
    return;
  int lane = __builtin_ctz(x.warp->live | 1u << 31);
  for (const auto &[read, load] : w->early)
    machine.report(
        FindingKind::Tcgen05, x, *read, lane,
        "register of a tcgen05.ld is read, and no tcgen05.wait::ld follows",
        {machine.placeOf(*x.block, x.warp->index, lane, *load)});
  w->early.clear();
}

/// Constants that compilers write between the fence and the first wgmma do not
/// make accumulators dirty.
void RegisterRules::fenceRegisters(Exec &x) {
  if (RegisterWatch *w = watchOf(x)) {
    w->fenced = w->fresh = true;
    std::fill(w->dirty.begin(), w->dirty.end(), 0);
  }
}

void RegisterRules::wgmmaRegisters(Exec &x, const Inst &inst,
                                   uint32_t sequence) {
  RegisterWatch *w = watchOf(x);
  if (!w)
    return;
  uint32_t waited = x.warp->wgmma->waited;
  const auto &in = inst.as<WgmmaOperands>();
  auto fail = [&](const char *what) {
    std::vector<Place> related;
    if (w->wgmma)
      related.push_back(machine.placeOf(*x.block, x.warp->index, 0, *w->wgmma));
    machine.report(FindingKind::Wgmma, x, inst, 0, what, related);
  };
  if (!w->fenced)
    fail("wgmma.fence is missing before the first wgmma");
  w->fenced = true;
  w->fresh = false;
  uint64_t shape = uint64_t(in.n) << 32 | uint64_t(in.k) << 16 |
                   uint64_t(in.typeD) << 8 | uint64_t(in.typeA);
  bool dirty = false, other = false, crossed = false;
  for (int32_t row : in.d) {
    size_t r = size_t(row);
    dirty |= w->dirty[r] != 0;
    other |= w->accumulator[r] > waited && w->shape[r] != shape;
    crossed |= w->fragment[r] > waited;
    w->accumulator[r] = sequence;
    w->shape[r] = shape;
  }
  for (int32_t row : in.a) {
    size_t r = size_t(row);
    dirty |= w->dirty[r] != 0;
    crossed |= w->accumulator[r] > waited;
    w->fragment[r] = sequence;
  }
  if (dirty)
    fail("registers of the wgmma were written, and wgmma.fence did not follow");
  if (other)
    fail("accumulators of a wgmma of another shape that has not been waited "
         "for");
  if (crossed)
    fail("registers are the fragment of one wgmma and the accumulator of "
         "another that has not been waited for");
  w->wgmma = &inst;
}

void RegisterRules::loadRegisters(Exec &x, const Inst &inst) {
  RegisterWatch *w = watchOf(x);
  if (!w)
    return;
  for (int32_t row : inst.as<TensorRows>().rows)
    w->tensor[size_t(row)] = x.warp->tensor.issued[0];
  w->load = &inst;
}

void TensorUnit::groupWgmma(Exec &x, const Inst &inst, const WgmmaOp &op) {
  std::vector<WgmmaIssue> &log = x.block->wgmmaLog[x.warp->index / 4];
  size_t at = op.sequence - 1;
  if (at >= log.size()) {
    log.push_back({&inst, op.a, op.b, x.warp->index});
    return;
  }
  const WgmmaIssue &first = log[at];
  Place other = machine.placeOf(*x.block, first.warp, 0, *first.inst);
  if (first.inst != &inst)
    machine.report(FindingKind::Wgmma, x, inst, 0,
                   "the warps of the group execute different wgmma", {other});
  else if (first.b != op.b || first.a != op.a)
    machine.report(FindingKind::Wgmma, x, inst, 0,
                   "the warps of the group give different matrix descriptors",
                   {other});
}

} // namespace tileir::emu

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine: placing variables, starting blocks, choosing what runs next.
#include "tools/tileir-run/emulator/Machine.h"

#include <algorithm>
#include <cstring>

namespace tileir::emu {

const char *className(Class cls) {
  static const char *const names[] = {
      "integer", "float",   "double",   "special",   "convert",
      "move",    "control", "barrier",  "warp_sync", "global",
      "shared",  "local",   "constant", "atomic",    "matrix",
      "tensor",  "async",   "mbarrier", "other"};
  return names[int(cls)];
}

Machine::Machine(const Module &module, const Target &target,
                 const Options &options)
    : target(target), module(module), options(options), rng(options.seed) {}

Machine::~Machine() = default;

//===--- variables --------------------------------------------------------===//

static uint64_t alignTo(uint64_t value, uint64_t align) {
  return align < 2 ? value : (value + align - 1) / align * align;
}

static Region &addRegion(std::vector<std::unique_ptr<Region>> &regions,
                         const std::string &name, Space space, uint64_t base,
                         uint64_t size) {
  auto region = std::make_unique<Region>();
  region->name = name;
  region->space = space;
  region->base = base;
  region->size = size;
  region->data.resize(size);
  Region &out = *region;
  auto at =
      std::upper_bound(regions.begin(), regions.end(), base,
                       [](uint64_t b, const auto &r) { return b < r->base; });
  regions.insert(at, std::move(region));
  return out;
}

Region &Machine::allocate(const std::string &name, uint64_t size,
                          uint64_t align) {
  // Allocations lie apart, so that a small overrun never meets another one.
  uint64_t base = alignTo(nextGlobal + 4096, std::max<uint64_t>(align, 256));
  nextGlobal = base + size;
  return addRegion(regions, name, Space::Global, base, size);
}

Region *Machine::findGlobal(const std::string &name) {
  int index = module.findVariable(name);
  if (index < 0 || (module.variables[index].space != Space::Global &&
                    module.variables[index].space != Space::Const))
    return nullptr;
  return regionAt(moduleAddresses[index]);
}

int Machine::functionIndex(const std::string &name) const {
  const Function *f = module.findFunction(name);
  for (size_t i = 0; i < module.functions.size(); ++i)
    if (module.functions[i].get() == f)
      return int(i);
  return -1;
}

uint64_t Machine::variableAddress(const Function *function, int index) const {
  return functionVariables.at(function)[index];
}

/// Shared variables of the module that only one function names are its own, so
/// that kernels of one module do not add up.
static const Function *soleUser(const Module &module, int variable) {
  const Function *user = nullptr;
  for (const auto &f : module.functions) {
    auto names = [&](auto &&self, const Operand &o) -> bool {
      if (o.kind == Operand::Kind::Variable && o.index == ~variable)
        return true;
      for (const Operand &item : o.items)
        if (self(self, item))
          return true;
      return false;
    };
    bool used = false;
    for (const Statement &s : f->body)
      for (const Operand &o : s.operands)
        used |= names(names, o);
    if (!used)
      continue;
    if (user || !f->isEntry)
      return nullptr;
    user = f.get();
  }
  return user;
}

bool Machine::placeVariables(std::string &error) {
  sharedBase = uint32_t(target.sharedMemoryReserved());
  uint64_t constAt = kConstBase;
  SharedEnd common{sharedBase, sharedBase};
  moduleAddresses.assign(module.variables.size(), 0);
  std::map<const Function *, SharedEnd> &own = sharedEnd;
  std::vector<std::pair<int, const Function *>> later;
  // Variables lie apart, so that what runs over one does not meet the next.
  auto placeShared = [&](SharedEnd &end, const Variable &v,
                         const Function *owner) {
    constexpr uint64_t kGap = 32;
    uint64_t at = end.spaced + (end.spaced > sharedBase ? kGap : 0);
    at = alignTo(at, v.align);
    end.spaced = at + v.size;
    end.tight = alignTo(end.tight, v.align) + v.size;
    sharedPieces.push_back({owner, at, v.size});
    return at;
  };
  for (size_t i = 0; i < module.variables.size(); ++i) {
    const Variable &v = module.variables[i];
    switch (v.space) {
    case Space::Global: {
      Region &r = allocate(v.name, v.size, v.align);
      moduleAddresses[i] = r.base;
      break;
    }
    case Space::Const: {
      constAt = alignTo(constAt + 64, std::max<uint64_t>(v.align, 16));
      addRegion(regions, v.name, Space::Const, constAt, v.size).readOnly = true;
      moduleAddresses[i] = constAt;
      constAt += v.size;
      break;
    }
    case Space::Shared:
      if (v.size == 0)
        break;
      if (const Function *f = soleUser(module, int(i))) {
        later.push_back({int(i), f});
        break;
      }
      moduleAddresses[i] = placeShared(common, v, nullptr);
      break;
    default:
      error = "line " + std::to_string(v.line) + ": variable '" + v.name +
              "' is in a state space that a module cannot have";
      return false;
    }
  }
  // Any kernel may call a function that has some.
  for (const auto &f : module.functions) {
    std::vector<uint64_t> &at = functionVariables[f.get()];
    at.assign(f->variables.size(), 0);
    for (size_t i = 0; i < f->variables.size() && !f->isEntry; ++i)
      if (const Variable &v = f->variables[i];
          v.space == Space::Shared && v.size)
        at[i] = placeShared(common, v, nullptr);
  }
  for (auto &[i, f] : later) {
    const Variable &v = module.variables[i];
    moduleAddresses[i] =
        placeShared(own.try_emplace(f, common).first->second, v, f);
  }
  uint64_t top = common.spaced;
  for (const auto &f : module.functions) {
    std::vector<uint64_t> &at = functionVariables[f.get()];
    uint64_t local = 0;
    SharedEnd &shared = own.try_emplace(f.get(), common).first->second;
    uint64_t paramSize;
    std::vector<uint64_t> offsets = parameterOffsets(*f, paramSize);
    for (size_t i = 0; i < f->variables.size(); ++i) {
      const Variable &v = f->variables[i];
      if (v.space == Space::Shared && v.size && f->isEntry) {
        at[i] = placeShared(shared, v, f.get());
      } else if (v.space == Space::Local) {
        local = alignTo(local, v.align);
        at[i] = local;
        local += v.size;
      } else if (v.space == Space::Global || v.space == Space::Const) {
        at[i] = allocate(v.name, v.size, v.align).base;
      }
    }
    if (f->isEntry)
      for (size_t p = 0; p < f->params.size(); ++p)
        if (f->params[p] >= 0)
          at[f->params[p]] =
              kParamBase + target.parameterBankOffset() + offsets[p];
    top = std::max(top, shared.spaced);
  }
  // Dynamic shared memory starts where the static one of any kernel ends.
  uint64_t dynamic = top + (top > sharedBase ? 32 : 0);
  for (const Variable &v : module.variables)
    if (v.space == Space::Shared && v.size == 0)
      dynamicAlign = std::max<uint64_t>(dynamicAlign, v.align);
  for (const auto &f : module.functions)
    for (const Variable &v : f->variables)
      if (v.space == Space::Shared && v.size == 0)
        dynamicAlign = std::max<uint64_t>(dynamicAlign, v.align);
  dynamic = alignTo(dynamic, dynamicAlign);
  for (size_t i = 0; i < module.variables.size(); ++i)
    if (module.variables[i].space == Space::Shared &&
        module.variables[i].size == 0)
      moduleAddresses[i] = dynamic;
  for (const auto &f : module.functions)
    for (size_t i = 0; i < f->variables.size(); ++i)
      if (f->variables[i].space == Space::Shared && f->variables[i].size == 0)
        functionVariables[f.get()][i] = dynamic;
  staticShared = dynamic;
  return true;
}

bool Machine::initialize(std::string &error) {
  auto write = [&](const Variable &v, uint64_t address) {
    Region *r = regionAt(address);
    if (!r || v.init.empty())
      return true;
    std::copy(v.init.begin(), v.init.end(), r->data.begin());
    for (const InitReloc &reloc : v.relocs) {
      uint64_t value;
      int index = module.findVariable(reloc.symbol);
      int function = functionIndex(reloc.symbol);
      if (index >= 0) {
        value = moduleAddresses[index];
        if (module.variables[index].space == Space::Shared && reloc.generic)
          value += kSharedWindow;
      } else if (function >= 0) {
        value = kCodeBase + uint64_t(function) * 16;
      } else {
        error = "line " + std::to_string(v.line) + ": unknown name '" +
                reloc.symbol + "' in an initial value";
        return false;
      }
      value += uint64_t(reloc.addend);
      if (reloc.mask != ~uint64_t(0))
        value =
            (value & reloc.mask) >> __builtin_ctzll(reloc.mask | 1ull << 63);
      for (int b = 0; b < reloc.bytes; ++b)
        r->data[reloc.offset + b] = uint8_t(value >> (8 * b));
    }
    return true;
  };
  for (size_t i = 0; i < module.variables.size(); ++i)
    if (moduleAddresses[i] >= kGlobalBase &&
        !write(module.variables[i], moduleAddresses[i]))
      return false;
  for (const auto &f : module.functions)
    for (size_t i = 0; i < f->variables.size(); ++i)
      if ((f->variables[i].space == Space::Global ||
           f->variables[i].space == Space::Const) &&
          !write(f->variables[i], functionVariables[f.get()][i]))
        return false;
  return true;
}

bool Machine::load(std::string &error) {
  if (!placeVariables(error) || !initialize(error) ||
      !decodeModule(*this, error))
    return false;
  // An instruction that is not known matters where it can be reached.
  for (const FunctionCode &fc : functions)
    if (fc.function->isEntry && fc.error.empty() && fc.first >= 0)
      return true;
  for (const FunctionCode &fc : functions)
    if (!fc.error.empty()) {
      error = fc.error;
      return false;
    }
  return true;
}

std::vector<uint64_t> Machine::parameterOffsets(const Function &entry,
                                                uint64_t &size) const {
  std::vector<uint64_t> out;
  int64_t end = 0;
  for (int p : entry.params) {
    if (p < 0) {
      out.push_back(0);
      continue;
    }
    const Variable &v = entry.variables[p];
    int64_t at = parameterOffset(target, end, int64_t(v.align));
    out.push_back(uint64_t(at));
    end = at + int64_t(v.size);
  }
  size = uint64_t(end);
  return out;
}

const Function *Machine::findEntry(const std::string &name,
                                   std::string &error) const {
  const Function *found = nullptr;
  std::string names;
  for (const auto &f : module.functions) {
    if (!f->isEntry || f->isDeclared)
      continue;
    names += (names.empty() ? "'" : ", '") + f->name + "'";
    if (name.empty()) {
      if (found) {
        error = "the module has several entries; name one of " + names +
                " as 'entry'";
        return nullptr;
      }
      found = f.get();
    } else if (f->name == name) {
      return f.get();
    }
  }
  if (!name.empty())
    error = "no entry '" + name + "'; the module has " +
            (names.empty() ? "none" : names);
  else if (!found)
    error = "the module has no entry";
  return name.empty() ? found : nullptr;
}

//===--- findings ---------------------------------------------------------===//

bool Machine::reports(const char *kind) const {
  return options.off.empty() || !options.off.count(kind);
}

Place Machine::placeOf(const Block &block, int warp, int lane,
                       const Inst &inst) const {
  Place p;
  p.line = inst.line;
  p.block = block.id;
  uint32_t t = uint32_t(warp * 32 + lane);
  p.thread = {t % config.block[0], t / config.block[0] % config.block[1],
              t / config.block[0] / config.block[1]};
  p.warp = warp;
  p.lane = lane;
  if (inst.loc.line) {
    auto it = module.files.find(inst.loc.file);
    p.source = (it == module.files.end() ? "?" : it->second) + ":" +
               std::to_string(inst.loc.line) + ":" +
               std::to_string(inst.loc.column);
  }
  return p;
}

Place Machine::placeOf(Agent agent, uint32_t inst) const {
  uint32_t b = agent / kAgentsPerBlock, at = agent % kAgentsPerBlock;
  const Inst &i = code[inst & Cell::InstMask];
  uint32_t threads = config.block[0] * config.block[1] * config.block[2];
  if (at >= threads)
    at -= threads;
  if (at >= threads)
    at = 0;
  Block block;
  block.id = {b % totalGrid[0], b / totalGrid[0] % totalGrid[1],
              b / totalGrid[0] / totalGrid[1]};
  return placeOf(block, int(at / 32), int(at % 32), i);
}

void Machine::report(const char *kind, const Place &place,
                     const std::string &message,
                     const std::vector<Place> &related) {
  if (!reports(kind))
    return;
  std::string key = std::string(kind) + ":" + std::to_string(place.line);
  for (const Place &r : related)
    key += ":" + std::to_string(r.line);
  auto [it, isNew] = findingIndex.try_emplace(key, findings.size());
  if (!isNew) {
    ++findings[it->second].count;
    return;
  }
  findings.push_back({kind, message, place, related, 1});
}

void Machine::report(const char *kind, Exec &x, const Inst &inst, int lane,
                     const std::string &message,
                     const std::vector<Place> &related) {
  report(kind, placeOf(*x.block, x.warp->index, lane, inst), message, related);
}

//===--- frames and groups ------------------------------------------------===//

Frame *Machine::newFrame(Warp &warp, const FunctionCode &fc, Frame *parent) {
  auto frame = std::make_unique<Frame>();
  frame->code = &fc;
  frame->parent = parent;
  frame->depth = parent ? parent->depth + 1 : 0;
  frame->storage.assign(size_t(fc.rows) * 16 + 8, 0);
  frame->rows = reinterpret_cast<uint8_t *>(
      alignTo(reinterpret_cast<uint64_t>(frame->storage.data()), 64));
  frame->predicates.assign(fc.predicates, 0);
  frame->predicates[0] = kAllLanes;
  frame->params.assign(size_t(fc.paramBytes) * 32, 0);
  frame->localBase = parent ? parent->localEnd() : 0;
  growLocal(warp, frame->localBase + uint32_t(fc.localBytes));
  for (const ConstantRow &c : fc.constants) {
    uint8_t *at = frame->rows + size_t(c.row) * 128;
    for (int l = 0; l < 32; ++l) {
      if (c.bytes <= 4)
        reinterpret_cast<uint32_t *>(at)[l] = uint32_t(c.bits);
      else
        reinterpret_cast<uint64_t *>(at)[l] = c.bits;
    }
  }
  fillSpecials(warp, *frame);
  Frame *out = frame.get();
  warp.frames.push_back(std::move(frame));
  return out;
}

void Machine::dropFrame(Warp &warp, Frame *frame) {
  if (warp.unwritten && warp.unwritten->frame == frame) {
    forgetUnwritten(warp, kAllLanes);
    warp.unwritten.reset();
  }
  if (warp.undefined && warp.undefined->frame == frame)
    warp.undefined.reset();
  for (size_t i = 0; i < warp.frames.size(); ++i)
    if (warp.frames[i].get() == frame) {
      warp.frames.erase(warp.frames.begin() + long(i));
      return;
    }
}

void Machine::fillSpecials(Warp &warp, Frame &frame) {
  const Block &b = *warp.block;
  auto axis = [](const std::string &n) { return n.back() - 'x'; };
  const std::array<uint32_t, 3> &c = config.cluster;
  for (const SpecialRow &s : frame.code->specials) {
    bool wide =
        s.name.size() > 3 && s.name.compare(s.name.size() - 3, 3, "#64") == 0;
    std::string n = wide ? s.name.substr(0, s.name.size() - 3) : s.name;
    wide |= n == "%localbase" || n == "%sharedbase" ||
            n == "%perctamemoryoffset" || n == "%perctamemorysize" ||
            n == "%gridid" || n == "%clock64" || n == "%globaltimer" ||
            n == "%current_graph_exec";
    auto *rows = frame.rows + size_t(s.row) * 128;
    for (int l = 0; l < 32; ++l) {
      uint32_t t = uint32_t(warp.firstThread + l);
      uint64_t v = 0;
      if (n.compare(0, 5, "%tid.") == 0)
        v = axis(n) == 0   ? t % config.block[0]
            : axis(n) == 1 ? t / config.block[0] % config.block[1]
                           : t / config.block[0] / config.block[1];
      else if (n.compare(0, 6, "%ntid.") == 0)
        v = config.block[axis(n)];
      else if (n.compare(0, 7, "%ctaid.") == 0)
        v = b.id[axis(n)];
      else if (n.compare(0, 8, "%nctaid.") == 0)
        v = totalGrid[axis(n)];
      else if (n.compare(0, 11, "%clusterid.") == 0)
        v = b.clusterId[axis(n)];
      else if (n.compare(0, 12, "%nclusterid.") == 0)
        v = totalGrid[axis(n)] / c[axis(n)];
      else if (n.compare(0, 15, "%cluster_ctaid.") == 0)
        v = b.clusterCta[axis(n)];
      else if (n.compare(0, 16, "%cluster_nctaid.") == 0)
        v = c[axis(n)];
      else if (n == "%cluster_ctarank")
        v = b.clusterRank;
      else if (n == "%cluster_nctarank")
        v = clusterSize;
      else if (n == "%is_explicit_cluster")
        v = config.explicitCluster;
      else if (n == "%laneid")
        v = uint32_t(l);
      else if (n == "%warpid")
        v = uint32_t(b.firstWarpSlot + warp.index);
      else if (n == "%nwarpid")
        v = 64;
      else if (n == "%smid")
        v = uint32_t(b.sm);
      else if (n == "%nsmid")
        v = config.smCount;
      else if (n == "%lanemask_eq")
        v = 1u << l;
      else if (n == "%lanemask_lt")
        v = (1u << l) - 1;
      else if (n == "%lanemask_le")
        v = (2ull << l) - 1;
      else if (n == "%lanemask_gt")
        v = uint32_t(~((2ull << l) - 1));
      else if (n == "%lanemask_ge")
        v = uint32_t(~((1u << l) - 1));
      else if (n == "%perctamemoryoffset" && perCtaBase)
        // Warp slots tell the CTAs of one SM apart.
        v = perCtaBase +
            (uint64_t(b.sm) * 64 + uint64_t(b.firstWarpSlot)) * perCtaBytes;
      else if (n == "%perctamemorysize")
        v = perCtaBytes;
      else if (n == "%dynamic_smem_size")
        v = config.sharedBytes;
      else if (n == "%total_smem_size" || n == "%aggr_smem_size")
        v = sharedBase + sharedUsed;
      else if (n == "%gridid")
        v = 1;
      else if (n == "%localbase")
        v = frame.localBase;
      else if (n == "%sharedbase")
        v = uint64_t(b.clusterRank) << 24;
      else if (n == "%reserved_smem_offset_end" ||
               n == "%reserved_smem_offset_cap")
        v = sharedBase;
      if (wide)
        reinterpret_cast<uint64_t *>(rows)[l] = v;
      else
        reinterpret_cast<uint32_t *>(rows)[l] = uint32_t(v);
    }
  }
}

void Machine::splitGroup(Exec &x, Mask lanes, int pc) {
  Group other;
  other.mask = lanes;
  other.pc = pc;
  other.frame = x.group->frame;
  x.group->mask &= ~lanes;
  x.warp->groups.push_back(other); // Capacity for 32 was reserved.
  x.regroup = true;
}

void Machine::merge(Warp &w) {
  for (size_t i = 0; i < w.groups.size(); ++i) {
    if (w.groups[i].mask == 0) {
      w.groups.erase(w.groups.begin() + long(i--));
      continue;
    }
    for (size_t j = i + 1; j < w.groups.size(); ++j) {
      Group &a = w.groups[i], &b = w.groups[j];
      if (a.pc == b.pc && a.frame == b.frame && a.state != Group::Waiting &&
          b.state != Group::Waiting) {
        a.mask |= b.mask;
        a.state = Group::Ready;
        w.groups.erase(w.groups.begin() + long(j--));
      }
    }
  }
}

Group *Machine::select(Warp &w) {
  if (w.groups.size() == 1)
    return w.groups[0].state == Group::Ready ? &w.groups[0] : nullptr;
  Group *best = nullptr;
  int ready = 0;
  for (Group &g : w.groups) {
    if (g.state != Group::Ready)
      continue;
    ++ready;
    if (!best || g.frame->depth > best->frame->depth ||
        (g.frame->depth == best->frame->depth && g.pc < best->pc))
      best = &g;
  }
  // The group that is behind runs first, so that groups meet again; but one
  // that spins must let the others come.
  if (ready > 1 && ++w.spin > 64 && (w.spin & 3) == 0) {
    uint64_t pick = random() % uint64_t(ready);
    for (Group &g : w.groups)
      if (g.state == Group::Ready && pick-- == 0)
        best = &g;
  }
  return best;
}

void Machine::runWarp(Exec &x, Warp &w, unsigned burst) {
  x.warp = &w;
  x.block = w.block;
  while (burst && !stopped) {
    Group *g = select(w);
    if (!g) {
      bool waiting = false;
      for (const Group &one : w.groups)
        waiting |= one.state == Group::Waiting;
      if (!waiting && !w.groups.empty())
        reportStuckWarp(w);
      return;
    }
    x.group = g;
    x.frame = g->frame;
    x.rows = g->frame->rows;
    x.predicates = g->frame->predicates.data();
    x.regroup = x.wait = x.yield = false;
    bool many = w.groups.size() > 1;
    while (burst) {
      --burst;
      const Inst &i = code[size_t(g->pc)];
      Mask m = g->mask;
      if (i.guard)
        m &= x.predicate(i.guard);
      ++steps;
      if (m) {
        if (i.aligned) {
          if (g->mask != w.live) {
            g->state = Group::Parked;
            break;
          }
          if (w.live != w.initial) {
            int lane = __builtin_ctz(w.live);
            report("convergence", x, i, lane,
                   "aligned instruction after lanes of the warp have exited");
            if (reports("convergence")) {
              fatal();
              return;
            }
          }
          if (m != g->mask) {
            report("convergence", x, i, __builtin_ctz(m),
                   "aligned instruction runs on a part of the warp because of "
                   "its predicate");
            if (reports("convergence")) {
              fatal();
              return;
            }
          }
        }
        if (options.stats) {
          ++w.counts[size_t(i.cls)];
          stats.laneInstructions += uint64_t(__builtin_popcount(m));
        }
        x.next = g->pc + 1;
        if (i.watch)
          watchRegisters(x, i, m);
        if (w.undefined)
          followUndefined(x, i, m);
        if (w.unwritten)
          followUnwritten(x, i, m);
        i.fn(x, i, m);
        if (stopped)
          return;
        if (x.wait)
          break; // The handler left the group where it is.
        g->pc = x.next;
        if (x.regroup) {
          merge(w);
          break;
        }
        if (x.yield)
          return;
      } else {
        ++g->pc;
      }
      if (many) {
        bool again = false;
        for (const Group &o : w.groups)
          if (&o != g && o.state != Group::Waiting &&
              o.frame->depth == g->frame->depth && o.pc <= g->pc)
            again |= o.pc == g->pc ? o.frame == g->frame
                                   : o.state == Group::Ready && w.spin <= 64;
        if (again) {
          size_t before = w.groups.size();
          merge(w);
          if (w.groups.size() < before)
            w.spin = 0;
          break;
        }
      }
    }
    if (w.groups.empty() || x.yield)
      return;
  }
}

//===--- blocks -----------------------------------------------------------===//

void Machine::startWarp(Block &b, int index) {
  auto w = std::make_unique<Warp>();
  w->block = &b;
  w->index = index;
  w->firstThread = index * 32;
  uint32_t left = b.threads - uint32_t(index) * 32;
  w->initial = w->live = left >= 32 ? kAllLanes : (1u << left) - 1;
  w->groups.reserve(33);
  w->clocks.resize(32);
  b.warps.push_back(std::move(w));
}

void Machine::startBlocks(uint32_t first, uint32_t count) {
  auto *zero = new VectorClock();
  std::array<uint32_t, 3> &cs = config.cluster;
  int entry = functionIndex(config.entry);
  uint32_t entryRegisters =
      registersAtEntry(*functions[size_t(entry)].function);
  for (uint32_t n = first; n < first + count; ++n) {
    std::array<uint32_t, 3> clusters{totalGrid[0] / cs[0], totalGrid[1] / cs[1],
                                     totalGrid[2] / cs[2]};
    std::array<uint32_t, 3> cid{n % clusters[0], n / clusters[0] % clusters[1],
                                n / clusters[0] / clusters[1]};
    auto cluster = std::make_unique<Cluster>();
    for (uint32_t r = 0; r < clusterSize; ++r) {
      auto b = std::make_unique<Block>();
      b->machine = this;
      b->clusterId = cid;
      b->clusterRank = r;
      b->clusterCta = {r % cs[0], r / cs[0] % cs[1], r / cs[0] / cs[1]};
      for (int a = 0; a < 3; ++a)
        b->id[a] = cid[a] * cs[a] + b->clusterCta[a];
      b->linear =
          b->id[0] + totalGrid[0] * (b->id[1] + totalGrid[1] * b->id[2]);
      b->cluster = cluster.get();
      b->threads = config.block[0] * config.block[1] * config.block[2];
      b->liveThreads = b->threads;
      b->nextAgent = b->threads * 2;
      // Unique %warpid on one %smid: each resident block has its own slots.
      int warps = int((b->threads + 31) / 32);
      uint32_t perSm = uint32_t(std::max(1, 64 / warps));
      uint32_t index = uint32_t(n * clusterSize + r);
      b->sm = int(index % config.smCount);
      b->firstWarpSlot = int(index / config.smCount % perSm) * warps;
      b->shared.name = "shared memory";
      b->shared.space = Space::Shared;
      b->shared.size = sharedSize;
      b->shared.low = sharedBase;
      b->shared.data.assign(b->shared.size, 0xCD);
      b->shared.written.assign(b->shared.size, 0);
      b->shared.base = uint64_t(1) << 63 | uint64_t(b->linear) << 24;
      stats.peakShared = std::max(stats.peakShared, sharedUsed);
      for (int k = 0; k < warps; ++k)
        startWarp(*b, k);
      auto *clock = new VectorClock(*zero);
      clock->block = b->agentBase() / kAgentsPerBlock;
      clock->refs = 0;
      ClockRef start(clock);
      for (auto &w : b->warps) {
        w->registers = entryRegisters;
        for (int l = 0; l < 32; ++l) {
          ThreadClock &t = w->clocks[l];
          t.agent = b->agentBase() + uint32_t(w->firstThread + l);
          t.asyncAgent = t.agent + b->threads;
          t.known = start;
        }
        Group g;
        g.mask = w->live;
        g.frame = newFrame(*w, functions[size_t(entry)], nullptr);
        g.frame->lanes = w->live;
        g.pc = functions[size_t(entry)].first;
        w->groups.push_back(g);
      }
      cluster->blocks.push_back(b.get());
      cluster->expected += b->threads;
      blocks.push_back(std::move(b));
    }
    this->clusters.push_back(std::move(cluster));
  }
  delete zero;
}

void Machine::finishBlock(Exec &x, Block &b) {
  b.done = true;
  checkExit(x, b);
  for (auto &w : b.warps) {
    if (options.stats)
      for (size_t c = 0; c < size_t(Class::Count); ++c)
        stats.byWarp[w->index][c] += w->counts[c];
    w->frames.clear();
    w->local.clear();
    w->localWritten.clear();
  }
}

bool Machine::launch(const Launch &launch, std::string &error) {
  config = launch;
  std::string why;
  const Function *entry = findEntry(launch.entry, why);
  if (!entry) {
    error = why;
    return false;
  }
  config.entry = entry->name;
  if (!functions[size_t(functionIndex(entry->name))].error.empty()) {
    error = module.path + ": " +
            functions[size_t(functionIndex(entry->name))].error;
    return false;
  }
  if (!config.smCount)
    config.smCount = std::max(1u, target.typicalSMs());
  clusterSize =
      uint64_t(config.cluster[0]) * config.cluster[1] * config.cluster[2];
  totalGrid = config.grid;
  for (int a = 0; a < 3; ++a)
    if (totalGrid[a] % config.cluster[a]) {
      error = "the grid is no multiple of the cluster";
      return false;
    }
  uint64_t threads =
      uint64_t(config.block[0]) * config.block[1] * config.block[2];
  if (threads == 0 || threads > uint64_t(limits::threadsPerBlock)) {
    error = "a block of " + std::to_string(threads) +
            " threads cannot be launched; use 1 to " +
            std::to_string(limits::threadsPerBlock);
    return false;
  }
  const SharedEnd &end = sharedEnd.at(entry);
  sharedSize =
      config.sharedBytes ? staticShared + config.sharedBytes : end.spaced;
  sharedUsed = (config.sharedBytes
                    ? alignTo(end.tight, dynamicAlign) + config.sharedBytes
                    : end.tight) -
               sharedBase;
  sharedGaps.assign(sharedSize, 1);
  for (const SharedPiece &p : sharedPieces)
    if (!p.owner || p.owner == entry)
      for (uint64_t k = p.at; k < std::min(p.at + p.size, sharedSize); ++k)
        sharedGaps[k] = 0;
  for (uint64_t k = staticShared; k < sharedSize; ++k)
    sharedGaps[k] = 0;
  uint64_t shared = sharedUsed;
  if (int64_t(shared) > target.sharedMemoryPerBlock()) {
    error = "the kernel needs " + std::to_string(shared) +
            " bytes of shared memory, " + target.name() + " has " +
            std::to_string(target.sharedMemoryPerBlock()) + " for a block";
    return false;
  }
  perCtaBase = perCtaBytes = 0;
  if (entry->minPerCtaMemory && options.driverVersion >= 2) {
    perCtaBytes = (uint64_t(entry->minPerCtaMemory) + 127) / 128 * 128;
    Region &r = allocate("per-CTA memory",
                         uint64_t(config.smCount) * 64 * perCtaBytes, 128);
    r.written.assign(r.size, 0);
    perCtaBase = r.base;
  }
  uint64_t size;
  parameterOffsets(*entry, size);
  config.params.resize(size);
  params = &addRegion(regions, "parameters", Space::Param,
                      kParamBase + target.parameterBankOffset(), size);
  params->data = config.params;
  params->readOnly = true;
  uint64_t total = uint64_t(totalGrid[0]) * totalGrid[1] * totalGrid[2];
  if (total / clusterSize > (1ull << 31)) {
    error = "the grid is too large";
    return false;
  }
  totalBlocks = uint32_t(total / clusterSize);
  if (!options.maxSteps)
    options.maxSteps = 4000000000ull;
  return schedule(error);
}

/// Steps without any change of memory or barriers after which loops are watched
/// and after which the run is given up.
constexpr uint64_t kSuspicious = 500000, kLongest = 30000000;

bool Machine::schedule(std::string &) {
  Exec x(*this);
  // Blocks that fit on the machine may be resident together.
  uint64_t warps =
      (uint64_t(config.block[0]) * config.block[1] * config.block[2] + 31) / 32;
  uint64_t perSm = std::max<uint64_t>(
      1, std::min<uint64_t>({target.blocksPerSM(),
                             target.threadsPerSM() / (warps * 32),
                             uint64_t(target.sharedMemoryPerSM()) /
                                 (sharedBase + sharedUsed + 1)}));
  uint64_t resident =
      std::max<uint64_t>(1, perSm * config.smCount / clusterSize);
  uint64_t window =
      config.coResident ? resident : std::min<uint64_t>(4, resident);
  uint64_t lastVersion = ~uint64_t(0), idleSince = 0, forced = 0;
  while (!stopped) {
    // Forget blocks that are done.
    for (size_t c = 0; c < clusters.size();) {
      bool done = true;
      for (Block *b : clusters[c]->blocks)
        done &= b->done;
      if (!done) {
        ++c;
        continue;
      }
      for (Block *b : clusters[c]->blocks)
        for (size_t k = 0; k < blocks.size(); ++k)
          if (blocks[k].get() == b) {
            blocks.erase(blocks.begin() + long(k));
            break;
          }
      clusters.erase(clusters.begin() + long(c));
    }
    while (clusters.size() < window && nextBlock < totalBlocks) {
      startBlocks(nextBlock, 1);
      ++nextBlock;
    }
    if (blocks.empty())
      return true;
    uint64_t before = steps;
    bool finished = false;
    size_t start = size_t(random() % blocks.size());
    for (size_t k = 0; k < blocks.size() && !stopped; ++k) {
      Block &b = *blocks[(start + k) % blocks.size()];
      if (b.done)
        continue;
      unsigned slice = 4096;
      size_t n = b.warps.size();
      while (slice && !stopped) {
        size_t first = size_t(random() % n), tried = 0;
        Warp *w = nullptr;
        for (; tried < n; ++tried) {
          Warp &one = *b.warps[(first + tried) % n];
          if (one.done() || (one.polling && one.sleepVersion == version))
            continue;
          bool ready = false;
          for (const Group &g : one.groups)
            ready |= g.state != Group::Waiting;
          if (ready) {
            w = &one;
            break;
          }
        }
        if (!w)
          break;
        w->polling = false;
        unsigned burst = 1 + unsigned(random() & 63);
        uint64_t from = steps;
        if (watchesSpins)
          watchSpin(*w);
        runWarp(x, *w, burst);
        unsigned used = unsigned(steps - from);
        slice -= std::min(slice, std::max(1u, used));
      }
      bool done = true;
      for (auto &w : b.warps)
        done &= w->done();
      if (done && !stopped) {
        finishBlock(x, b);
        finished = true;
      }
    }
    if (stopped)
      break;
    if (finished)
      continue;
    if (steps > options.maxSteps) {
      reportDeadlock("timeout");
      break;
    }
    bool moved = steps != before;
    if (version != lastVersion) {
      lastVersion = version;
      idleSince = steps;
      forced = 0;
      watchesSpins = false;
    }
    if (moved && steps - idleSince > kSuspicious &&
        (window == resident || nextBlock == totalBlocks)) {
      // Nothing has changed for a while: are all of them in loops that only
      // memory can end?
      if (watchesSpins && allSpin()) {
        bool any = false;
        for (auto &b : blocks)
          any |= !b->done && advanceAsync(x, *b);
        if (any)
          continue;
        reportDeadlock("deadlock");
        break;
      }
      watchesSpins = true;
    }
    if (moved && steps - idleSince < kLongest) {
      if (window < resident && nextBlock < totalBlocks)
        window = std::min(resident, window * 2); // Somebody may wait for them.
      continue;
    }
    if (window < resident && nextBlock < totalBlocks) {
      window = std::min(resident, window * 2);
      continue;
    }
    if (moved) { // Busy, but nothing has changed for very long.
      reportDeadlock("timeout");
      break;
    }
    // Only pollers are left: let them look again, some count their tries.
    bool woke = false;
    for (auto &b : blocks)
      for (auto &w : b->warps)
        if (!w->done() && w->polling) {
          w->polling = false;
          woke = true;
        }
    if (!woke || ++forced > 200) {
      reportDeadlock("deadlock");
      break;
    }
  }
  return true;
}

} // namespace tileir::emu

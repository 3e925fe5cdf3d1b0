// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine: its memory, findings, frames of calls, groups of lanes.
#include "tools/emulator/Machine.h"
#include "tools/emulator/Profile.h"

#include <algorithm>

#include <unistd.h>

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
    : target(target), module(module), options(options), rng(options.seed),
      weakRandom(~options.seed) {}

Machine::~Machine() = default;

//===--- memory -----------------------------------------------------------===//

Region &Machine::addRegion(const std::string &name, Space space, uint64_t base,
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
  return addRegion(name, Space::Global, base, size);
}

bool Machine::fits(uint64_t bytes) const {
  static const uint64_t physical =
      uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGE_SIZE));
  // A byte has a copy of itself and one that says whether it was written.
  uint64_t used = nextGlobal - kGlobalBase;
  return bytes < physical / 2 && used < physical / 2 &&
         used + bytes < physical / 2;
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

//===--- findings ---------------------------------------------------------===//

bool Machine::reports(FindingKind kind) const { return !options.off.has(kind); }

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

void Machine::report(FindingKind kind, const Place &place,
                     const std::string &message,
                     const std::vector<Place> &related) {
  silenced.reset();
  if (!reports(kind)) {
    silenced = Finding{kind, message, place, related, 1};
    return;
  }
  std::string key =
      std::string(nameOf(kind)) + ":" + std::to_string(place.line);
  for (const Place &r : related)
    key += ":" + std::to_string(r.line);
  auto [it, isNew] = findingIndex.try_emplace(key, findings.size());
  if (!isNew) {
    ++findings[it->second].count;
    return;
  }
  findings.push_back({kind, message, place, related, 1});
}

void Machine::fatal() {
  if (!stopped && silenced && failure.empty()) {
    Finding why = std::move(*silenced);
    report(FindingKind::Timeout, why.place,
           std::string("the run ends here, although '") + nameOf(why.kind) +
               "' is switched off: " + why.message,
           why.related);
  }
  stopped = true;
}

void Machine::report(FindingKind kind, Exec &x, const Inst &inst, int lane,
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
  frame->allRows = uint64_t(fc.rows) + (parent ? parent->allRows : 0);
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

} // namespace tileir::emu

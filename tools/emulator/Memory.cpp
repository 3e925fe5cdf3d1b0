// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory: where an address leads, bounds, alignment, initialisation.
#include "tools/emulator/Machine.h"

#include "tools/cases/Case.h"

#include <algorithm>
#include <cstring>

namespace tileir::emu {

void Region::makeGranules(uint64_t page) {
  if (granules.empty())
    granules.assign(size / Granule::kBytes / kGranulePage + 1, nullptr);
  if (freeGranules.empty()) {
    granulePages.emplace_back(new Granule[kGranulePage]);
    granules[page] = granulePages.back().get();
    return;
  }
  granules[page] = freeGranules.back();
  freeGranules.pop_back();
  std::fill_n(granules[page], kGranulePage, Granule());
}

void Region::forgetGranules(uint64_t page) {
  if (granules.empty() || !granules[page])
    return;
  freeGranules.push_back(granules[page]);
  granules[page] = nullptr;
}

Region &Memory::addRegion(const std::string &name, Space space, uint64_t base,
                          uint64_t size) {
  auto region = std::make_unique<Region>();
  region->name = name;
  region->space = space;
  region->base = base;
  region->size = size;
  region->data.assign(size, 0);
  Region &out = *region;
  auto at =
      std::upper_bound(regions.begin(), regions.end(), base,
                       [](uint64_t b, const auto &r) { return b < r->base; });
  regions.insert(at, std::move(region));
  return out;
}

Region &Memory::allocate(const std::string &name, uint64_t size,
                         uint64_t align) {
  // Allocations lie apart, so that a small overrun never meets another one.
  uint64_t base = alignTo(nextGlobal + 4096, std::max<uint64_t>(align, 256));
  nextGlobal = base + size;
  return addRegion(name, Space::Global, base, size);
}

bool Memory::hasAddresses(uint64_t size, uint64_t align) const {
  uint64_t gap = 2 * std::max<uint64_t>(align, 4096);
  uint64_t free = kConstBase - nextGlobal;
  // Host addresses for the bytes and for whether each was written.
  cases::SparseArray<uint8_t> bytes, written;
  return gap < free && size < free - gap && bytes.tryReset(size) &&
         written.tryReset(size);
}

bool Memory::fits(uint64_t bytes) const {
  // A byte has a copy of itself and one that says whether it was written.
  uint64_t all;
  return !__builtin_add_overflow(used, bytes, &all) && cases::fitsMemory(all);
}

Region *Memory::regionAt(uint64_t address) {
  if (lastRegion && address - lastRegion->base < lastRegion->size)
    return lastRegion;
  auto at =
      std::upper_bound(regions.begin(), regions.end(), address,
                       [](uint64_t a, const auto &r) { return a < r->base; });
  if (at == regions.begin())
    return nullptr;
  Region *r = (at - 1)->get();
  if (address - r->base >= r->size)
    return nullptr;
  return lastRegion = r;
}

static const char *spaceName(Space space) {
  switch (space) {
  case Space::Generic:
    return "generic";
  case Space::Global:
    return "global";
  case Space::Shared:
    return "shared";
  case Space::SharedCluster:
    return "shared::cluster";
  case Space::Local:
    return "local";
  case Space::Const:
    return "const";
  case Space::Param:
    return "param";
  }
  return "";
}

std::string hex(uint64_t value) {
  char buffer[24];
  std::snprintf(buffer, sizeof buffer, "0x%llx", (unsigned long long)value);
  return buffer;
}

namespace {

/// An access that is looked for.
struct Wanted {
  Exec &x;
  const Inst &inst;
  int lane;
  Space space;
  uint64_t address;
  uint32_t bytes;
  AccessKind kind;

  const char *verb() const {
    return kind == AccessKind::Read    ? "read"
           : kind == AccessKind::Write ? "write"
                                       : "atomic access";
  }

  uint8_t *outside(const std::string &detail) const {
    x.m.report(FindingKind::Bounds, x, inst, lane,
               std::string(verb()) + " of " + std::to_string(bytes) +
                   " bytes at " + hex(address) + " in " + spaceName(space) +
                   " memory" + detail);
    x.m.fatal();
    return nullptr;
  }

  /// False after a finding that ends the run.
  bool isAligned(uint32_t align) const {
    if ((address & (align - 1)) == 0 || (align & (align - 1)))
      return true;
    x.m.report(FindingKind::Align, x, inst, lane,
               std::string(verb()) + " of " + std::to_string(bytes) +
                   " bytes at " + hex(address) + " needs alignment " +
                   std::to_string(align));
    if (!x.m.reports(FindingKind::Align))
      return true;
    x.m.fatal();
    return false;
  }

  /// A generic address as one of its window.
  void resolve() {
    if (address >= kSharedWindow && address < kSharedWindow + (1ull << 32)) {
      space = Space::SharedCluster;
      address -= kSharedWindow;
    } else if (address >= kLocalWindow &&
               address < kLocalWindow + (1ull << 32)) {
      space = Space::Local;
      address -= kLocalWindow;
    } else {
      space = Space::Global;
    }
  }

  uint8_t *shared(Region *&region, uint64_t &offset) {
    address = uint32_t(address);
    uint32_t rank = uint32_t(address >> 24);
    Block *b = x.block;
    if (rank != b->clusterRank) {
      if (space == Space::Shared || rank >= b->cluster->blocks.size())
        return outside(": not in this block");
      b = b->cluster->blocks[rank];
      if (b->done) {
        x.m.report(FindingKind::ClusterExit, x, inst, lane,
                   "access to the shared memory of a block that has exited");
        x.m.fatal();
        return nullptr;
      }
    }
    region = &b->shared;
    offset = address & 0xFFFFFF;
    if (offset < region->low || offset + bytes > region->size)
      return outside(": the block has " + hex(region->low) + " to " +
                     hex(region->size));
    const std::vector<uint8_t> &gaps = x.m.memory.sharedGaps;
    if (gaps[offset] | gaps[offset + bytes - 1])
      return outside(": between the variables of the block");
    return region->data.data() + offset;
  }

  uint8_t *local(Region *&region, uint64_t &offset) const {
    Warp &w = *x.warp;
    if (address + bytes > w.localBytes)
      return outside("");
    if (x.frame &&
        address + bytes >
            x.frame->localBase + uint64_t(x.frame->code->localBytes) &&
        address + bytes > x.frame->localEnd()) {
      x.m.report(FindingKind::Lifetime, x, inst, lane,
                 std::string(verb()) +
                     " of local memory of a function that has returned");
      if (x.m.reports(FindingKind::Lifetime)) {
        x.m.fatal();
        return nullptr;
      }
    }
    region = nullptr;
    offset = size_t(lane) * w.localBytes + address;
    // Loads look themselves for what was never written.
    if (kind != AccessKind::Read)
      std::memset(&w.localWritten[offset], 1, bytes);
    return w.local.data() + offset;
  }
};

/// Names the allocation that an address misses.
std::string nearest(const std::vector<std::unique_ptr<Region>> &regions,
                    uint64_t address) {
  std::string near;
  for (auto &one : regions)
    if (address + 4096 >= one->base && address < one->base + one->size + 4096)
      near = address < one->base
                 ? ": " + std::to_string(one->base - address) +
                       " bytes before '" + one->name + "'"
                 : ": " + std::to_string(address - one->base - one->size) +
                       " bytes after '" + one->name + "' of " +
                       std::to_string(one->size) + " bytes";
  return near.empty() ? ": no allocation is there" : near;
}

} // namespace

uint8_t *Memory::access(Exec &x, const Inst &inst, int lane, Space space,
                        uint64_t address, uint32_t bytes, AccessKind kind,
                        Region *&region, uint64_t &offset, uint32_t align) {
  Wanted w{x, inst, lane, space, address, bytes, kind};
  if (!w.isAligned(align ? align : bytes))
    return nullptr;
  bool generic = space == Space::Generic;
  if (generic)
    w.resolve();
  switch (w.space) {
  case Space::Shared:
  case Space::SharedCluster:
    return w.shared(region, offset);
  case Space::Local:
    return w.local(region, offset);
  case Space::Param:
  case Space::Const: // Perhaps made in 32 bits.
    if (!(w.address >> 32))
      w.address += w.space == Space::Param ? kParamBase : kConstBase;
    break;
  default:
    break;
  }
  Region *r = regionAt(w.address);
  if (!r)
    return w.outside(nearest(regions, w.address));
  offset = w.address - r->base;
  if (offset < r->low || offset + bytes > r->size)
    return w.outside(": beyond the end of '" + r->name + "' of " +
                     std::to_string(r->size) + " bytes");
  if (!generic && w.space != r->space &&
      !(w.space == Space::Param && r->space == Space::Global))
    return w.outside(std::string(": the address is in ") + spaceName(r->space) +
                     " memory");
  if (r->readOnly && kind != AccessKind::Read)
    return w.outside(": the memory is read-only");
  if (r->footprint)
    r->footprint->mark(offset, bytes,
                       kind == AccessKind::Read ? Footprint::Read
                                                : Footprint::Written);
  region = r;
  return r->data.data() + offset;
}

bool Memory::accessLanes(Exec &x, Space space, Mask lanes, uint64_t *places,
                         uint32_t bytes, uint32_t align, AccessKind kind,
                         Region *&region) {
  uint64_t low = 0;
  forLanes(lanes, [&](int l) { low |= places[l]; });
  if ((low & (align - 1)) || (align & (align - 1)))
    return false;
  uint64_t first = places[__builtin_ctz(lanes)];
  switch (space) {
  case Space::Shared:
  case Space::SharedCluster:
    return sharedLanes(x, space, lanes, places, bytes, region);
  case Space::Generic:
    return first >= kSharedWindow
               ? sharedLanes(x, space, lanes, places, bytes, region)
               : globalLanes(lanes, places, bytes, kind, region);
  case Space::Global:
    return globalLanes(lanes, places, bytes, kind, region);
  default:
    return false;
  }
}

bool Memory::sharedLanes(Exec &x, Space space, Mask lanes, uint64_t *places,
                         uint32_t bytes, Region *&region) const {
  Block &b = *x.block;
  region = &b.shared;
  bool generic = space == Space::Generic;
  uint64_t start =
      (uint64_t(b.clusterRank) << 24) + (generic ? kSharedWindow : 0);
  uint64_t least = region->low, size = region->size;
  if (size < least + bytes)
    return false;
  const uint8_t *gaps = sharedGaps.data();
  bool right = true;
  forLanes(lanes, [&](int l) {
    uint64_t at = (generic ? places[l] : uint32_t(places[l])) - start;
    places[l] = at;
    if (at - least > size - bytes - least)
      right = false;
    else
      right &= !(gaps[at] | gaps[at + bytes - 1]) &&
               (at >= region->barriersTo || at + bytes <= region->barriersFrom);
  });
  return right;
}

bool Memory::globalLanes(Mask lanes, uint64_t *places, uint32_t bytes,
                         AccessKind kind, Region *&region) {
  region = regionAt(places[__builtin_ctz(lanes)]);
  if (!region || region->space != Space::Global ||
      region->size < region->low + bytes ||
      (region->readOnly && kind != AccessKind::Read))
    return false;
  uint64_t start = region->base, least = region->low,
           most = region->size - bytes - least;
  bool right = true;
  forLanes(lanes, [&](int l) {
    places[l] -= start;
    right &= places[l] - least <= most;
  });
  if (right && region->footprint)
    forRuns(lanes, places, bytes, [&](uint64_t from, uint64_t count) {
      region->footprint->mark(from, count,
                              kind == AccessKind::Read ? Footprint::Read
                                                       : Footprint::Written);
    });
  return right;
}

bool Memory::isWritten(const Region &region, Mask lanes,
                       const uint64_t *offsets, uint32_t bytes) {
  bool right = true;
  if (!region.written.empty())
    forRuns(lanes, offsets, bytes, [&](uint64_t from, uint64_t count) {
      right = right && !std::memchr(&region.written[from], 0, count);
    });
  return right;
}

void Memory::checkWritten(Exec &x, const Inst &inst, int lane, Region &region,
                          uint64_t offset, uint32_t bytes) {
  if (region.written.empty())
    return;
  const uint8_t *w = region.written.data() + offset;
  const void *bad = std::memchr(w, 0, bytes);
  if (!bad)
    return;
  uint64_t k = uint64_t(static_cast<const uint8_t *>(bad) - w);
  std::string what =
      "read of " +
      (region.space == Space::Shared
           ? std::string("shared memory at ") + hex(offset + k)
           : "'" + region.name + "' byte " + std::to_string(offset + k));
  Place issue;
  if (machine.reports(FindingKind::Race) &&
      pendingWrite(x, region, offset + k, 1, issue))
    machine.report(FindingKind::Race, x, inst, lane,
                   what + " races with the copy issued at line " +
                       std::to_string(issue.line) + ", which is in flight",
                   {issue});
  else
    machine.report(FindingKind::Init, x, inst, lane,
                   what + ", which was never written");
}

const Inst *Memory::pendingWrite(Exec &x, const Region &region, uint64_t offset,
                                 uint32_t bytes, Place &issue) {
  auto overlaps = [&](uint64_t from, uint64_t count) {
    return from < offset + bytes && offset < from + count;
  };
  for (Block *b : x.block->cluster->blocks) {
    for (const BulkOp &op : b->bulk) {
      bool hit = false;
      if (op.kind == BulkOp::Store || op.kind == BulkOp::Reduce) {
        uint64_t base = region.base;
        hit = region.space == Space::Global &&
              (op.tensor ? op.map.address - base < region.size
                         : overlaps(op.global - base, op.bytes));
      } else if (region.space == Space::Shared &&
                 overlaps(op.shared & 0xFFFFFF, op.bytes)) {
        for (Block *to : x.block->cluster->blocks)
          hit |= &to->shared == &region &&
                 (op.multicast ? op.multicast >> to->clusterRank & 1
                               : op.shared >> 24 == to->clusterRank);
      }
      if (hit) {
        issue = machine.placeOf(*b, op.warp->index, op.lane, *op.inst);
        return op.inst;
      }
    }
    if (&b->shared != &region)
      continue;
    for (auto &w : b->warps)
      for (int l = 0; w->async && l < 32; ++l)
        for (const AsyncCopy &copy : (*w->async)[size_t(l)].pending)
          if (!copy.isArrival &&
              overlaps(copy.destination & 0xFFFFFF, copy.bytes)) {
            issue = machine.placeOf(*b, w->index, l, *copy.inst);
            return copy.inst;
          }
  }
  return nullptr;
}

} // namespace tileir::emu

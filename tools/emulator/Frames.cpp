// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Frames of calls with their constants and special registers, and groups of
// lanes that part and meet.
#include "tools/emulator/Machine.h"

namespace tileir::emu {

Frame *Scheduler::newFrame(Warp &warp, const FunctionCode &fc, Frame *parent) {
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
  machine.memory.growLocal(warp, frame->localBase + uint32_t(fc.localBytes));
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

void Scheduler::dropFrame(Warp &warp, Frame *frame) {
  if (warp.unwritten && warp.unwritten->frame == frame) {
    machine.registers.forgetUnwritten(warp, kAllLanes);
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

static std::array<uint32_t, 3> inGrid(uint32_t n,
                                      const std::array<uint32_t, 3> &size) {
  return {n % size[0], n / size[0] % size[1], n / size[0] / size[1]};
}

uint64_t Scheduler::specialValue(const SpecialRow &s, const Warp &warp,
                                 const Frame &frame, int l) const {
  const Block &b = *warp.block;
  const Launch &config = machine.config;
  const Memory &memory = machine.memory;
  const std::array<uint32_t, 3> &c = config.cluster;
  size_t axis = size_t(s.axis);
  switch (s.what) {
  case Special::Zero:
    return 0;
  case Special::Tid:
    return inGrid(uint32_t(warp.firstThread + l), config.block)[axis];
  case Special::Ntid:
    return config.block[axis];
  case Special::Ctaid:
    return b.id[axis];
  case Special::Nctaid:
    return totalGrid[axis];
  case Special::ClusterId:
    return b.clusterId[axis];
  case Special::Nclusterid:
    return totalGrid[axis] / c[axis];
  case Special::ClusterCtaid:
    return b.clusterCta[axis];
  case Special::ClusterNctaid:
    return c[axis];
  case Special::ClusterCtarank:
    return b.clusterRank;
  case Special::ClusterNctarank:
    return clusterSize;
  case Special::IsExplicitCluster:
    return config.explicitCluster;
  case Special::Laneid:
    return uint32_t(l);
  case Special::Warpid:
    return uint32_t(b.firstWarpSlot + warp.index);
  case Special::Nwarpid:
    return 64;
  case Special::Smid:
    return uint32_t(b.sm);
  case Special::Nsmid:
    return config.smCount;
  case Special::LanemaskEq:
    return 1u << l;
  case Special::LanemaskLt:
    return (1u << l) - 1;
  case Special::LanemaskLe:
    return (2ull << l) - 1;
  case Special::LanemaskGt:
    return uint32_t(~((2ull << l) - 1));
  case Special::LanemaskGe:
    return uint32_t(~((1u << l) - 1));
  case Special::PerCtaMemoryOffset:
    // Warp slots tell the CTAs of one SM apart.
    return memory.perCtaBase ? memory.perCtaBase + (uint64_t(b.sm) * 64 +
                                                    uint64_t(b.firstWarpSlot)) *
                                                       memory.perCtaBytes
                             : 0;
  case Special::PerCtaMemorySize:
    return memory.perCtaBytes;
  case Special::DynamicSharedSize:
    return config.sharedBytes;
  case Special::TotalSharedSize:
    return machine.image.sharedBase + sharedUsed;
  case Special::ReservedSharedEnd:
    return machine.image.sharedBase;
  case Special::Gridid:
    return 1;
  case Special::LocalBase:
    return frame.localBase;
  case Special::SharedBase:
    return uint64_t(b.clusterRank) << 24;
  }
  return 0;
}

void Scheduler::fillSpecials(Warp &warp, Frame &frame) {
  for (const SpecialRow &s : frame.code->specials) {
    uint8_t *row = frame.rows + size_t(s.row) * 128;
    for (int l = 0; l < 32; ++l) {
      uint64_t v = specialValue(s, warp, frame, l);
      if (s.wide)
        reinterpret_cast<uint64_t *>(row)[l] = v;
      else
        reinterpret_cast<uint32_t *>(row)[l] = uint32_t(v);
    }
  }
}

void Scheduler::splitGroup(Exec &x, Mask lanes, int pc) {
  Group other;
  other.mask = lanes;
  other.pc = pc;
  other.frame = x.group->frame;
  x.group->mask &= ~lanes;
  x.warp->groups.push_back(other); // Capacity for 32 was reserved.
  x.regroup = true;
}

void Scheduler::merge(Warp &w) {
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

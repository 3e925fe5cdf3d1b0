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

void Scheduler::fillSpecials(Warp &warp, Frame &frame) {
  const Block &b = *warp.block;
  auto axis = [](const std::string &n) { return n.back() - 'x'; };
  const std::array<uint32_t, 3> &c = machine.config.cluster;
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
        v = axis(n) == 0 ? t % machine.config.block[0]
            : axis(n) == 1
                ? t / machine.config.block[0] % machine.config.block[1]
                : t / machine.config.block[0] / machine.config.block[1];
      else if (n.compare(0, 6, "%ntid.") == 0)
        v = machine.config.block[axis(n)];
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
        v = machine.config.explicitCluster;
      else if (n == "%laneid")
        v = uint32_t(l);
      else if (n == "%warpid")
        v = uint32_t(b.firstWarpSlot + warp.index);
      else if (n == "%nwarpid")
        v = 64;
      else if (n == "%smid")
        v = uint32_t(b.sm);
      else if (n == "%nsmid")
        v = machine.config.smCount;
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
      else if (n == "%perctamemoryoffset" && machine.memory.perCtaBase)
        // Warp slots tell the CTAs of one SM apart.
        v = machine.memory.perCtaBase +
            (uint64_t(b.sm) * 64 + uint64_t(b.firstWarpSlot)) *
                machine.memory.perCtaBytes;
      else if (n == "%perctamemorysize")
        v = machine.memory.perCtaBytes;
      else if (n == "%dynamic_smem_size")
        v = machine.config.sharedBytes;
      else if (n == "%total_smem_size" || n == "%aggr_smem_size")
        v = machine.image.sharedBase + sharedUsed;
      else if (n == "%gridid")
        v = 1;
      else if (n == "%localbase")
        v = frame.localBase;
      else if (n == "%sharedbase")
        v = uint64_t(b.clusterRank) << 24;
      else if (n == "%reserved_smem_offset_end" ||
               n == "%reserved_smem_offset_cap")
        v = machine.image.sharedBase;
      if (wide)
        reinterpret_cast<uint64_t *>(rows)[l] = v;
      else
        reinterpret_cast<uint32_t *>(rows)[l] = uint32_t(v);
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

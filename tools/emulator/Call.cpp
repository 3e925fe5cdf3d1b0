// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of device functions, and their return.
#include "tools/emulator/CallParams.h"

#include <algorithm>

namespace tileir::emu {

namespace {

void call(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<CallOperands>();
  int64_t index = in.function;
  if (index < 0) {
    auto *target = x.row<uint64_t>(in.target);
    uint64_t first = target[__builtin_ctz(m)];
    Mask same = 0;
    forLanes(m, [&](int l) { same |= Mask(target[l] == first) << l; });
    index = int64_t(first - kCodeBase) / 16;
    if (first < kCodeBase || uint64_t(index) >= x.m.image.functions.size()) {
      x.m.report(FindingKind::Undefined, x, i, __builtin_ctz(m),
                 "call through an address that is no function");
      x.m.fatal();
      return;
    }
    if (same != m) {
      x.m.scheduler.splitGroup(x, m & ~same, x.group->pc);
      m = same;
    }
  }
  const FunctionCode &callee = x.m.image.functions[size_t(index)];
  if (!callee.error.empty()) {
    x.m.failure = x.m.image.module.path + ": " + callee.error;
    x.m.fatal();
    return;
  }
  if (callee.first < 0)
    return x.m.callDriver(x, i, m, callee);
  // Registers of callers live on the host's heap.
  constexpr uint64_t kMaxRows = 4u << 20;
  if (x.frame->depth > 1000 ||
      x.frame->localEnd() + uint64_t(callee.localBytes) > kLocalLimit ||
      x.frame->allRows + uint64_t(callee.rows) > kMaxRows) {
    x.m.report(FindingKind::Bounds, x, i, __builtin_ctz(m),
               "calls are nested too deeply");
    x.m.fatal();
    return;
  }
  Frame *f = x.m.scheduler.newFrame(*x.warp, callee, x.frame);
  f->lanes = m;
  f->call = &i;
  if (callee.localBytes)
    forLanes(m, [&](int l) {
      uint64_t at = uint64_t(l) * x.warp->localBytes + f->localBase;
      std::memset(&x.warp->localWritten[at], 0, size_t(callee.localBytes));
    });
  f->returnPc = x.group->pc + 1;
  for (size_t k = 0; k < std::min(callee.params.size(), in.arguments.size());
       ++k) {
    const Passed &from = in.arguments[k];
    const ParamSlot &slot = callee.params[k];
    forLanes(m, [&](int l) {
      uint8_t *to = slot.inRegister ? nullptr : paramAt(*f, l, slot.offset);
      uint8_t value[8] = {};
      if (from.inRegister) {
        copyRow(*x.frame, from.at, from.bytes, l, value);
        if (to)
          std::memcpy(to, value, size_t(std::min(slot.bytes, 8)));
        else
          setRow(*f, slot.row, slot.bytes, l, value);
      } else {
        uint8_t *bytes = paramAt(*x.frame, l, from.at);
        if (to)
          std::memcpy(to, bytes, size_t(std::min(slot.bytes, from.bytes)));
        else
          setRow(*f, slot.row, slot.bytes, l, bytes);
      }
    });
  }
  x.m.memory.copyParameters(*x.warp, *f, m);
  if (m == x.group->mask) {
    x.group->frame = f;
    x.next = callee.first;
    x.regroup = true;
    return;
  }
  x.m.scheduler.splitGroup(x, m, callee.first);
  x.warp->groups.back().frame = f;
}

void ret(Exec &x, const Inst &i, Mask m) {
  Frame *f = x.frame;
  if (!f->parent) {
    x.m.scheduler.exitLanes(x, m);
    return;
  }
  const std::vector<Passed> &results = f->call->as<CallOperands>().results;
  for (size_t k = 0; k < std::min(f->code->results.size(), results.size());
       ++k) {
    const Passed &to = results[k];
    const ParamSlot &slot = f->code->results[k];
    forLanes(m, [&](int l) {
      uint8_t value[8] = {};
      const uint8_t *from = value;
      if (slot.inRegister)
        copyRow(*f, slot.row, slot.bytes, l, value);
      else
        from = paramAt(*f, l, slot.offset);
      if (to.inRegister)
        setRow(*f->parent, to.at, std::min(slot.bytes, to.bytes), l, from);
      else
        std::memcpy(paramAt(*f->parent, l, to.at), from,
                    size_t(std::min(slot.bytes, to.bytes)));
    });
  }
  int pc = f->returnPc;
  Frame *parent = f->parent;
  f->lanes &= ~m;
  if (m == x.group->mask) {
    x.group->frame = parent;
    x.next = pc;
    x.regroup = true;
  } else {
    x.m.scheduler.splitGroup(x, m, pc);
    x.warp->groups.back().frame = parent;
  }
  if (!f->lanes)
    x.m.scheduler.dropFrame(*x.warp, f);
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// One argument or result.
bool passed(Decoder &d, const Operand &o, std::vector<Passed> &out) {
  if (o.isReg()) {
    int bits = d.fn.registers[o.index].bits;
    out.push_back({true, d.registerRow(o.index), (bits + 7) / 8});
    return true;
  }
  if (o.isImm()) {
    out.push_back({true, d.constantRow(o.bits, 8), 8});
    return true;
  }
  if (o.kind == Operand::Kind::Sink) {
    out.push_back({true, d.sinkRow(), 8});
    return true;
  }
  Operand wrapped;
  wrapped.kind = Operand::Kind::Address;
  wrapped.items.push_back(o);
  Decoder::Address a;
  if (!d.address(wrapped, Space::Param, a))
    return false;
  if (!a.frameParam)
    return d.fail("expected a register or a .param variable as argument");
  out.push_back({false, int32_t(a.offset), int32_t(a.variable->size)});
  return true;
}

bool decodeCall(Decoder &d) {
  d.has("uni");
  if (!d.operands(1, 4))
    return false;
  size_t at = 0;
  auto &in = d.make<CallOperands>();
  if (d.operand(0).kind == Operand::Kind::Vector) {
    for (const Operand &o : d.operand(0).items)
      if (!passed(d, o, in.results))
        return false;
    at = 1;
  }
  if (at >= d.count())
    return d.fail("expected a function");
  const Operand &target = d.operand(at++);
  if (target.isReg()) {
    if (!d.source(target, Type::U64, in.target))
      return false;
  } else {
    in.function = d.m.image.functionIndex(target.name);
    if (in.function < 0)
      return d.fail("unknown function '" + target.name + "'");
  }
  if (at < d.count() && d.operand(at).kind == Operand::Kind::Vector)
    for (const Operand &o : d.operand(at).items)
      if (!passed(d, o, in.arguments))
        return false;
  d.emit(call, Class::Control);
  return true;
}

bool decodeRet(Decoder &d) {
  d.has("uni");
  d.emit(ret, Class::Control);
  return true;
}

} // namespace

void registerCalls() {
  RegisterDecoders({{"call", decodeCall}, {"ret", decodeRet}});
}

} // namespace tileir::emu

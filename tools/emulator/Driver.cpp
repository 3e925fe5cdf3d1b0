// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that the driver has: printf, assertions, the heap.
#include "tools/emulator/CallParams.h"
#include "tools/emulator/FloatOps.h"

#include <algorithm>
#include <cctype>

namespace tileir::emu {

std::string Memory::readString(uint64_t address) {
  std::string out;
  while (Region *r = regionAt(address)) {
    uint64_t offset = address - r->base;
    if (offset >= r->size || !r->data[offset])
      break;
    out += char(r->data[offset]);
    ++address;
  }
  return out;
}

uint64_t Memory::readGeneric(Exec &x, int lane, uint64_t address,
                             uint32_t bytes) {
  uint64_t value = 0;
  if (address >= kLocalWindow && address < kLocalWindow + (1ull << 32)) {
    uint64_t offset = address - kLocalWindow;
    if (offset + bytes <= x.warp->localBytes)
      std::memcpy(&value,
                  &x.warp->local[size_t(lane) * x.warp->localBytes + offset],
                  bytes);
    return value;
  }
  Region *r = regionAt(address);
  if (r && address - r->base + bytes <= r->size)
    std::memcpy(&value, &r->data[address - r->base], bytes);
  return value;
}

/// printf with the arguments packed at natural alignment.
void Machine::print(Exec &x, const Inst &inst, int lane, uint64_t format,
                    uint64_t arguments) {
  std::string f = memory.readString(format), out;
  uint64_t at = arguments;
  auto next = [&](uint32_t bytes) {
    at = (at + bytes - 1) / bytes * bytes;
    uint64_t value = memory.readGeneric(x, lane, at, bytes);
    at += bytes;
    return value;
  };
  // Sum of the widths of a specification; no format is wider.
  auto limit = [](std::string &spec, const std::string &digits) {
    if (!digits.empty())
      spec += digits.size() > 3 || std::stoi(digits) > 400 ? "400" : digits;
  };
  for (size_t k = 0; k < f.size(); ++k) {
    if (f[k] != '%') {
      out += f[k];
      continue;
    }
    std::string spec = "%";
    ++k;
    int longs = 0;
    std::string digits;
    while (k < f.size() && f[k] &&
           std::strchr("-+ #0123456789.*hlLzjt", f[k])) {
      if (std::isdigit(uint8_t(f[k])) && (f[k] != '0' || !digits.empty())) {
        digits += f[k++];
        continue;
      }
      limit(spec, digits);
      digits.clear();
      if (f[k] == '*')
        spec += std::to_string(std::clamp(int32_t(next(4)), -400, 400));
      else if (f[k] == 'l' || f[k] == 'z' || f[k] == 'j' || f[k] == 't')
        ++longs;
      else if (f[k] != 'h' && f[k] != 'L')
        spec += f[k];
      ++k;
    }
    limit(spec, digits);
    if (k >= f.size())
      break;
    auto put = [&](auto value) {
      int n = std::snprintf(nullptr, 0, spec.c_str(), value);
      std::string text(size_t(std::max(n, 0)), ' ');
      std::snprintf(text.data(), text.size() + 1, spec.c_str(), value);
      out += text;
    };
    char c = f[k];
    if (c == '%') {
      out += '%';
    } else if (std::strchr("diouxXc", c) && longs) {
      spec += "ll";
      spec += c;
      put((long long)next(8));
    } else if (std::strchr("diouxXc", c)) {
      spec += c;
      put(int(next(4)));
    } else if (std::strchr("eEfFgGaA", c)) {
      spec += c;
      put(asDouble(next(8)));
    } else if (c == 's') {
      spec += c;
      put(memory.readString(next(8)).c_str());
    } else if (c == 'p') {
      spec = "0x%llx";
      put((unsigned long long)next(8));
    } else {
      out += spec + c;
    }
  }
  printed += out;
  if (printed.size() <= kPrintLimit)
    return;
  failure = "line " + std::to_string(inst.line) + ": the kernel has printed " +
            std::to_string(printed.size()) + " bytes; print less";
  fatal();
}

DriverFunction driverFunction(const std::string &name) {
  static const std::pair<const char *, DriverFunction> functions[] = {
      {"vprintf", DriverFunction::Print},
      {"malloc", DriverFunction::Malloc},
      {"free", DriverFunction::Free},
      {"__assertfail", DriverFunction::AssertFail},
      {"__nanosleep", DriverFunction::Nanosleep}};
  for (auto &[known, function] : functions)
    if (name == known)
      return function;
  return DriverFunction::None;
}

namespace {

/// The arguments and the result of a call.
class DriverCall {
public:
  DriverCall(Exec &x, const Inst &i) : x(x), i(i), in(i.as<CallOperands>()) {}

  uint64_t argument(size_t k, int lane) const {
    uint64_t value = 0;
    if (k >= in.arguments.size())
      return value;
    const Passed &from = in.arguments[k];
    if (from.inRegister)
      copyRow(*x.frame, from.at, from.bytes, lane,
              reinterpret_cast<uint8_t *>(&value));
    else
      std::memcpy(&value, paramAt(*x.frame, lane, from.at),
                  size_t(std::min(from.bytes, 8)));
    return value;
  }

  void give(int lane, uint64_t value, size_t bytes) const {
    if (in.results.empty())
      return;
    const Passed &to = in.results[0];
    if (to.inRegister)
      setRow(*x.frame, to.at, to.bytes, lane,
             reinterpret_cast<uint8_t *>(&value));
    else
      std::memcpy(paramAt(*x.frame, lane, to.at), &value, bytes);
  }

  void malloc(int lane) const {
    Memory &memory = x.m.memory;
    uint64_t bytes = argument(0, lane);
    if (bytes == 0 || bytes > kHeapLimit ||
        memory.heapUsed + bytes > kHeapLimit)
      return give(lane, 0, 8);
    memory.heapUsed += bytes;
    Region &region = memory.allocate("malloc", bytes, 16);
    region.written.assign(bytes, 0);
    give(lane, region.base, 8);
  }

  void free(int lane) const {
    Memory &memory = x.m.memory;
    uint64_t address = argument(0, lane);
    if (!address)
      return;
    Region *region = memory.regionAt(address);
    if (!region || region->base != address || region->name != "malloc") {
      x.m.report(FindingKind::Undefined, x, i, lane,
                 "free of an address that malloc did not give, or twice");
      return x.m.fatal();
    }
    // From now on no thread may access it.
    memory.heapUsed -= region->size;
    region->name = "malloc (freed)";
    region->low = region->size;
  }

  void assertFail(int lane) const {
    Machine &m = x.m;
    Place p = m.placeOf(*x.block, x.warp->index, lane, i);
    auto coordinates = [](const std::array<uint32_t, 3> &a) {
      return "[" + std::to_string(a[0]) + "," + std::to_string(a[1]) + "," +
             std::to_string(a[2]) + "]";
    };
    std::string text = m.memory.readString(argument(1, lane)) + ":" +
                       std::to_string(uint32_t(argument(2, lane))) + ": " +
                       m.memory.readString(argument(3, lane)) +
                       ": block: " + coordinates(p.block) +
                       ", thread: " + coordinates(p.thread) + " Assertion `" +
                       m.memory.readString(argument(0, lane)) + "` failed.";
    m.printed += text + "\n";
    m.asserted = true;
    m.report(FindingKind::Assert, p, text);
    m.fatal();
  }

private:
  Exec &x;
  const Inst &i;
  const CallOperands &in;
};

} // namespace

void Machine::callDriver(Exec &x, const Inst &i, Mask m,
                         const FunctionCode &callee) {
  DriverCall call(x, i);
  switch (callee.driver) {
  case DriverFunction::Print:
    forLanes(m, [&](int l) {
      print(x, i, l, call.argument(0, l), call.argument(1, l));
      call.give(l, 1, 4);
    });
    return;
  case DriverFunction::Malloc:
    return forLanes(m, [&](int l) { call.malloc(l); });
  case DriverFunction::Free:
    return forLanes(m, [&](int l) { call.free(l); });
  case DriverFunction::AssertFail:
    return call.assertFail(__builtin_ctz(m));
  case DriverFunction::Nanosleep:
    x.yield = true;
    return;
  case DriverFunction::None:
    failure = "line " + std::to_string(i.line) +
              ": call of external function '" + callee.function->name +
              "', which the emulator does not have";
    fatal();
  }
}

} // namespace tileir::emu

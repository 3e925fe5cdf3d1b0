// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Video instructions: on the bytes or halves of a register at once (vadd4), and
// on one part of each (vadd).
#include "tools/emulator/Decode.h"

#include <algorithm>

namespace tileir::emu {

namespace {

enum VideoOp { VAdd, VSub, VAvrg, VAbsDiff, VMin, VMax, VSet, VShl, VShr };
bool compared(int64_t p, int64_t q, int comparison) {
  switch (comparison) {
  case 0:
    return p == q;
  case 1:
    return p != q;
  case 2:
    return p < q;
  case 3:
    return p <= q;
  case 4:
    return p > q;
  default:
    return p >= q;
  }
}

/// What both forms do with two numbers; shifts are the scalar form's own.
int64_t combine(int operation, int64_t p, int64_t q, int comparison) {
  switch (operation) {
  case VAdd:
    return p + q;
  case VSub:
    return p - q;
  case VAvrg:
    return (p + q + (p + q >= 0)) >> 1;
  case VAbsDiff:
    return p < q ? q - p : p - q;
  case VMin:
    return std::min(p, q);
  case VMax:
    return std::max(p, q);
  default:
    return compared(p, q, comparison);
  }
}

int64_t clampTo(int64_t v, int bits, bool isSigned) {
  int64_t low = isSigned ? -(int64_t(1) << (bits - 1)) : 0;
  int64_t high = (int64_t(1) << (isSigned ? bits - 1 : bits)) - 1;
  return std::clamp(v, low, high);
}

/// i.a operation, i.b lanes, i.c flags: 1 a signed, 2 b signed, 4 d signed,
/// 8 saturate, 16 sum of lanes; i.e comparison of vset. numbers: mask, then
/// selectors of a and b.
void videoLanes(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<uint32_t>(i.o[0]), *a = x.row<uint32_t>(i.o[1]),
       *b = x.row<uint32_t>(i.o[2]), *c = x.row<uint32_t>(i.o[3]);
  int n = i.b, w = 32 / n;
  uint32_t ones = w == 8 ? 255 : 65535;
  const std::vector<int64_t> &info = i.extra->numbers;
  lanes(m, [&](int l) {
    uint64_t both = uint64_t(b[l]) << 32 | a[l];
    auto pick = [&](int sel, bool isSigned) -> int64_t {
      uint32_t v = uint32_t(both >> (w * sel)) & ones;
      return isSigned ? int64_t(int32_t(v << (32 - w)) >> (32 - w)) : v;
    };
    uint32_t r = c[l];
    int64_t sum = int32_t(c[l]);
    if (i.c & 16)
      r = 0;
    for (int k = 0; k < n; ++k) {
      if (!(info[0] >> k & 1))
        continue;
      int64_t p = pick(int(info[1 + k]), i.c & 1);
      int64_t q = pick(int(info[1 + n + k]), i.c & 2);
      int64_t v = combine(i.a, p, q, i.e);
      if (i.c & 8)
        v = clampTo(v, w, i.c & 4);
      sum += v;
      if (!(i.c & 16))
        r = (r & ~(ones << (w * k))) | (uint32_t(v) & ones) << (w * k);
    }
    d[l] = i.c & 16 ? uint32_t(sum) : r;
  });
}

/// A part of a register: 0 all of it, 1 to 4 its bytes, 5 and 6 its halves.
int partBits(int part) { return part == 0 ? 32 : part < 5 ? 8 : 16; }
int partShift(int part) {
  return part == 0 ? 0 : part < 5 ? 8 * (part - 1) : 16 * (part - 5);
}
int64_t partOf(uint32_t word, int part, bool isSigned) {
  int unused = 32 - partBits(part);
  uint32_t high = word >> partShift(part) << unused;
  return isSigned ? int64_t(int32_t(high) >> unused) : int64_t(high >> unused);
}

enum Second : uint8_t { NoSecond, AddSecond, MinSecond, MaxSecond };
/// Parts of d, a and b in o[4] to o[6]; o[7] the second operation, 4 added when
/// shifts wrap. i.a operation, i.c flags: 1 a signed, 2 b signed, 4 d signed, 8
/// saturate; i.e comparison of vset.
void videoPart(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<uint32_t>(i.o[0]), *a = x.row<uint32_t>(i.o[1]),
       *b = x.row<uint32_t>(i.o[2]), *c = x.row<uint32_t>(i.o[3]);
  bool isSigned = i.c & 4;
  lanes(m, [&](int l) {
    int64_t p = partOf(a[l], i.o[5], i.c & 1),
            q = partOf(b[l], i.o[6], i.c & 2);
    int64_t v;
    if (i.a == VShl || i.a == VShr) {
      int64_t n = i.o[7] & 4 ? q & 31 : std::min<int64_t>(q & 0xFFFFFFFF, 32);
      v = i.a == VShl ? int64_t(uint64_t(p) << n) : p >> n;
    } else {
      v = combine(i.a, p, q, i.e);
    }
    if (i.c & 8)
      v = clampTo(v, partBits(i.o[4]), isSigned);
    uint32_t word = uint32_t(v);
    bool less = isSigned ? int32_t(word) < int32_t(c[l]) : word < c[l];
    switch (i.o[7] & 3) {
    case AddSecond:
      word += c[l];
      break;
    case MinSecond:
      word = less ? word : c[l];
      break;
    case MaxSecond:
      word = less ? c[l] : word;
      break;
    }
    if (i.o[4]) {
      uint32_t ones = ((1u << partBits(i.o[4])) - 1) << partShift(i.o[4]);
      word = (word << partShift(i.o[4]) & ones) | (c[l] & ~ones);
    }
    d[l] = word;
  });
}

/// i.a: 1 one more, 2 the product is negated, 4 c is; i.b: bits to shift the
/// result by; the rest as videoPart.
void videoMad(Exec &x, const Inst &i, Mask m) {
  auto *d = x.row<uint32_t>(i.o[0]), *a = x.row<uint32_t>(i.o[1]),
       *b = x.row<uint32_t>(i.o[2]), *c = x.row<uint32_t>(i.o[3]);
  bool isSigned = (i.c & 3) || (i.a & 6);
  lanes(m, [&](int l) {
    __int128 v =
        __int128(partOf(a[l], i.o[5], i.c & 1)) * partOf(b[l], i.o[6], i.c & 2);
    if (i.a & 2)
      v = -v;
    // A number that is negated is complemented in 32 bits first.
    uint32_t added = i.a & 4 ? ~c[l] : c[l];
    v += isSigned ? __int128(int32_t(added)) : __int128(added);
    v = (v + ((i.a & 5) != 0)) >> i.b;
    if (i.c & 8) {
      __int128 low = isSigned ? INT32_MIN : 0;
      __int128 high = isSigned ? INT32_MAX : UINT32_MAX;
      v = v < low ? low : v > high ? high : v;
    }
    d[l] = uint32_t(v);
  });
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// Takes the comparison of vset into e.
bool takeComparison(Decoder &d) {
  static const char *const names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  for (int k = 0; k < 6; ++k)
    if (d.has(names[k])) {
      d.inst.e = uint8_t(k);
      return true;
    }
  return d.fail("expected a comparison");
}

bool decodeVideoLanes(Decoder &d) {
  static const std::pair<const char *, VideoOp> ops[] = {
      {"vadd", VAdd}, {"vsub", VSub}, {"vavrg", VAvrg}, {"vabsdiff", VAbsDiff},
      {"vmin", VMin}, {"vmax", VMax}, {"vset", VSet}};
  std::string w = d.s->words[0];
  int n = w.back() - '0';
  w.pop_back();
  for (auto &[name, op] : ops)
    if (w == name)
      d.inst.a = op;
  d.inst.b = uint8_t(n);
  bool isSet = d.inst.a == VSet;
  Type dt = isSet ? Type::U32 : d.type();
  Type at = d.type(), bt = d.type();
  if (bt == Type::None)
    return d.fail("expected types of all operands");
  d.inst.c = uint8_t((at == Type::S32) | (bt == Type::S32) << 1 |
                     (dt == Type::S32) << 2);
  if (isSet) {
    if (!takeComparison(d))
      return false;
  }
  if (d.has("sat"))
    d.inst.c |= 8;
  if (d.has("add"))
    d.inst.c |= 16;
  if (!d.operands(4, 4) || !d.destination(d.operand(0), Type::B32, d.inst.o[0]))
    return false;
  for (int k = 1; k < 4; ++k)
    if (!d.source(d.operand(k), Type::B32, d.inst.o[k]))
      return false;
  std::vector<int64_t> &info = d.extra().numbers;
  char letter = n == 4 ? 'b' : 'h';
  // .b210 lists the lanes from the highest down.
  int64_t mask = (1 << n) - 1;
  const std::string &to = d.operand(0).name;
  if (!to.empty() && to[0] == letter) {
    mask = 0;
    for (size_t k = 1; k < to.size(); ++k)
      mask |= 1 << (to[k] - '0');
  }
  info.push_back(mask);
  for (int side = 0; side < 2; ++side) {
    const std::string &sel = d.operand(1 + side).name;
    for (int k = 0; k < n; ++k) {
      int64_t value = side * n + k;
      if (int(sel.size()) == n + 1 && sel[0] == letter)
        value = sel[n - k] - '0';
      info.push_back(value);
    }
  }
  d.emit(videoLanes, Class::Integer);
  return true;
}

/// The part that an operand selects.
bool takePart(Decoder &d, const Operand &o, int32_t &part) {
  static const char *const names[] = {"b0", "b1", "b2", "b3", "h0", "h1"};
  // A register without a selector bears its own name, or none.
  bool selects = o.name.size() == 2;
  for (int k = 0; k < 6 && selects; ++k)
    if (o.name == names[k]) {
      part = k + 1;
      return true;
    }
  part = 0;
  return true;
}

bool decodeVideo(Decoder &d) {
  static const std::pair<const char *, VideoOp> ops[] = {
      {"vadd", VAdd}, {"vsub", VSub}, {"vabsdiff", VAbsDiff}, {"vmin", VMin},
      {"vmax", VMax}, {"vset", VSet}, {"vshl", VShl},         {"vshr", VShr}};
  const std::string &w = d.s->words[0];
  bool isMad = w == "vmad", isSet = w == "vset";
  for (auto &[name, op] : ops)
    if (w == name)
      d.inst.a = op;
  Type dt = isSet ? Type::U32 : d.type(), at = d.type(), bt = d.type();
  for (Type t : {dt, at, bt})
    if (t != Type::U32 && t != Type::S32)
      return d.fail("expected .u32 or .s32 for every operand");
  d.inst.c = uint8_t((at == Type::S32) | (bt == Type::S32) << 1 |
                     (dt == Type::S32) << 2);
  if (isSet && !takeComparison(d))
    return false;
  if (d.has("sat"))
    d.inst.c |= 8;
  int32_t &second = d.inst.o[7];
  second = d.has("add")   ? AddSecond
           : d.has("min") ? MinSecond
           : d.has("max") ? MaxSecond
                          : NoSecond;
  bool shifts = d.inst.a == VShl || d.inst.a == VShr;
  if (shifts && !isMad) {
    if (d.has("wrap"))
      second |= 4;
    else if (!d.has("clamp"))
      return d.fail("expected '.clamp' or '.wrap'");
  }
  if (isMad) {
    bool po = d.has("po"), product = false, third = false;
    if (d.count() == 4) {
      product = d.operand(1).minus != d.operand(2).minus;
      third = d.operand(3).minus;
    }
    if (product && third)
      return d.fail("'-' may stand before the product or before the third "
                    "source, not before both");
    if (po && (product || third))
      return d.fail("'.po' excludes '-'");
    d.inst.a = uint8_t(po | product << 1 | third << 2);
    d.inst.b = d.has("shr7") ? 7 : d.has("shr15") ? 15 : 0;
  }
  if (!d.operands(3, 4) || !takePart(d, d.operand(0), d.inst.o[4]) ||
      !takePart(d, d.operand(1), d.inst.o[5]) ||
      !takePart(d, d.operand(2), d.inst.o[6]) ||
      !d.destination(d.operand(0), Type::B32, d.inst.o[0]))
    return false;
  if (d.count() == 3 && (isMad || second & 3 || d.inst.o[4]))
    return d.fail("expected a third source");
  d.inst.o[3] = d.constantRow(0, 4);
  for (size_t k = 1; k < d.count(); ++k) {
    Operand o = d.operand(k);
    o.minus &= !isMad;
    if (!d.source(o, Type::B32, d.inst.o[k]))
      return false;
  }
  d.emit(isMad ? videoMad : videoPart, Class::Integer);
  return true;
}

} // namespace

void registerVideo() {
  RegisterDecoders({
      {"vadd4", decodeVideoLanes},     {"vsub4", decodeVideoLanes},
      {"vavrg4", decodeVideoLanes},    {"vabsdiff4", decodeVideoLanes},
      {"vmin4", decodeVideoLanes},     {"vmax4", decodeVideoLanes},
      {"vset4", decodeVideoLanes},     {"vadd2", decodeVideoLanes},
      {"vsub2", decodeVideoLanes},     {"vavrg2", decodeVideoLanes},
      {"vabsdiff2", decodeVideoLanes}, {"vmin2", decodeVideoLanes},
      {"vmax2", decodeVideoLanes},     {"vset2", decodeVideoLanes},
      {"vadd", decodeVideo},           {"vsub", decodeVideo},
      {"vabsdiff", decodeVideo},       {"vmin", decodeVideo},
      {"vmax", decodeVideo},           {"vset", decodeVideo},
      {"vshl", decodeVideo},           {"vshr", decodeVideo},
      {"vmad", decodeVideo},
  });
}

} // namespace tileir::emu

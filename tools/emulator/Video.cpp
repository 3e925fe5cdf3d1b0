// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Video instructions: on the bytes or halves of a register at once (vadd4), and
// on one part of each (vadd). What ptxas makes of the latter is not always what
// the manual says; here they do what ptxas 13.5 and an H200 do.
#include "tools/emulator/Decode.h"

#include <algorithm>

namespace tileir::emu {

namespace {

enum VideoOp : uint8_t {
  VAdd,
  VSub,
  VAvrg,
  VAbsDiff,
  VMin,
  VMax,
  VSet,
  VShl,
  VShr
};
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

/// Returns what both forms do with two numbers; shifts are the scalar form's
/// own.
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

/// Operands that all forms share.
struct VideoRows : Rows {
  VideoOp op = VAdd;
  uint8_t comparison = 0; ///< Of vset.
  bool signedA = false, signedB = false, signedD = false, saturates = false;
};

struct VideoLanes : VideoRows {
  uint8_t lanes = 4;
  bool sums = false;
  uint8_t mask = 0;                         ///< Lanes of d that are written.
  uint8_t selectA[4] = {}, selectB[4] = {}; ///< Lanes of b follow those of a.
};

void videoLanes(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<VideoLanes>();
  auto *d = x.row<uint32_t>(in.d), *a = x.row<uint32_t>(in.a),
       *b = x.row<uint32_t>(in.b), *c = x.row<uint32_t>(in.c);
  int n = in.lanes, w = 32 / n;
  uint32_t ones = w == 8 ? 255 : 65535;
  lanes(m, [&](int l) {
    uint64_t both = uint64_t(b[l]) << 32 | a[l];
    auto pick = [&](int sel, bool isSigned) -> int64_t {
      uint32_t v = uint32_t(both >> (w * sel)) & ones;
      return isSigned ? int64_t(int32_t(v << (32 - w)) >> (32 - w)) : v;
    };
    uint32_t r = c[l];
    int64_t sum = int32_t(c[l]);
    if (in.sums)
      r = 0;
    for (int k = 0; k < n; ++k) {
      if (!(in.mask >> k & 1))
        continue;
      int64_t p = pick(in.selectA[k], in.signedA);
      int64_t q = pick(in.selectB[k], in.signedB);
      int64_t v = combine(in.op, p, q, in.comparison);
      if (in.saturates)
        v = clampTo(v, w, in.signedD);
      sum += v;
      if (!in.sums)
        r = (r & ~(ones << (w * k))) | (uint32_t(v) & ones) << (w * k);
    }
    d[l] = in.sums ? uint32_t(sum) : r;
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

/// Clamps what goes into a part of d: negative numbers become the largest one,
/// too.
int64_t clampToPart(int64_t v, int bits, bool isSigned) {
  int64_t most = (int64_t(1) << (isSigned ? bits - 1 : bits)) - 1;
  return v < 0 || v > most ? most : v;
}

enum Second : uint8_t { NoSecond, AddSecond, MinSecond, MaxSecond };
struct VideoParts : VideoRows {
  uint8_t partD = 0, partA = 0, partB = 0; ///< As `partBits` counts.
  Second second = NoSecond;
  bool wraps = false; ///< Of shifts.
};

void videoPart(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<VideoParts>();
  auto *d = x.row<uint32_t>(in.d), *a = x.row<uint32_t>(in.a),
       *b = x.row<uint32_t>(in.b), *c = x.row<uint32_t>(in.c);
  bool isSigned = in.signedD;
  lanes(m, [&](int l) {
    int64_t p = partOf(a[l], in.partA, in.signedA),
            q = partOf(b[l], in.partB, in.signedB);
    int64_t v;
    bool shifts = in.op == VShl || in.op == VShr;
    if (shifts) {
      int64_t n = in.wraps ? q & 31 : std::min<int64_t>(q & 0xFFFFFFFF, 32);
      v = in.op == VShl ? int64_t(uint64_t(p) << n) : p >> n;
      // The clamp sees 34 bits.
      if (in.saturates)
        v = int64_t(uint64_t(v) << 30) >> 30;
    } else {
      v = combine(in.op, p, q, in.comparison);
    }
    if (in.saturates)
      v = in.partD && !shifts ? clampToPart(v, partBits(in.partD), isSigned)
                              : clampTo(v, 32, isSigned);
    uint32_t word = uint32_t(v);
    // Numbers of 64 bits are compared; of sums and clamped shifts the low word
    // is extended with its sign, also where d is unsigned.
    bool isNarrow =
        in.op == VAdd || in.op == VSub || (in.op == VShl && in.saturates);
    int64_t mine = isNarrow ? int64_t(int32_t(word)) : v;
    int64_t other = isSigned ? int64_t(int32_t(c[l])) : int64_t(c[l]);
    bool less = isSigned ? mine < other : uint64_t(mine) < uint64_t(other);
    switch (in.second) {
    case NoSecond:
      break;
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
    if (in.partD) {
      uint32_t ones = ((1u << partBits(in.partD)) - 1) << partShift(in.partD);
      word = (word << partShift(in.partD) & ones) | (c[l] & ~ones);
    }
    d[l] = word;
  });
}

struct VideoMad : VideoParts {
  bool plusOne = false, negatesProduct = false, negatesC = false;
  uint8_t shift = 0; ///< Of the result.
};

void videoMad(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<VideoMad>();
  auto *d = x.row<uint32_t>(in.d), *a = x.row<uint32_t>(in.a),
       *b = x.row<uint32_t>(in.b), *c = x.row<uint32_t>(in.c);
  bool isSigned = in.signedA || in.signedB || in.negatesProduct || in.negatesC;
  lanes(m, [&](int l) {
    // Whole registers and the third source are signed whatever their type is.
    int64_t v = int64_t(int32_t(partOf(a[l], in.partA, in.signedA))) *
                int32_t(partOf(b[l], in.partB, in.signedB));
    if (in.negatesProduct)
      v = -v;
    // A number that is negated is complemented in 32 bits first.
    v += int32_t(in.negatesC ? ~c[l] : c[l]);
    v += in.plusOne || in.negatesC;
    v = isSigned ? v >> in.shift : int64_t(uint64_t(v) >> in.shift);
    if (in.saturates)
      v = clampTo(v, 32, isSigned);
    d[l] = uint32_t(v);
  });
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// Takes the comparison of vset.
bool takeComparison(Decoder &d, VideoRows &in) {
  static const char *const names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  for (int k = 0; k < 6; ++k)
    if (d.has(names[k])) {
      in.comparison = uint8_t(k);
      return true;
    }
  return d.fail("expected a comparison");
}

void takeSigns(VideoRows &in, Type d, Type a, Type b) {
  in.signedD = d == Type::S32;
  in.signedA = a == Type::S32;
  in.signedB = b == Type::S32;
}

bool decodeVideoLanes(Decoder &d) {
  auto &in = d.make<VideoLanes>();
  static const std::pair<const char *, VideoOp> ops[] = {
      {"vadd", VAdd}, {"vsub", VSub}, {"vavrg", VAvrg}, {"vabsdiff", VAbsDiff},
      {"vmin", VMin}, {"vmax", VMax}, {"vset", VSet}};
  std::string w = d.s->words[0];
  int n = w.back() - '0';
  w.pop_back();
  for (auto &[name, op] : ops)
    if (w == name)
      in.op = op;
  in.lanes = uint8_t(n);
  bool isSet = in.op == VSet;
  Type dt = isSet ? Type::U32 : d.type();
  Type at = d.type(), bt = d.type();
  if (bt == Type::None)
    return d.fail("expected types of all operands");
  takeSigns(in, dt, at, bt);
  if (isSet) {
    if (!takeComparison(d, in))
      return false;
  }
  in.saturates = d.has("sat");
  in.sums = d.has("add");
  if (!d.operands(4, 4) || !d.destination(d.operand(0), Type::B32, in.d))
    return false;
  int32_t *sources[] = {&in.a, &in.b, &in.c};
  for (int k = 0; k < 3; ++k)
    if (!d.source(d.operand(k + 1), Type::B32, *sources[k]))
      return false;
  char letter = n == 4 ? 'b' : 'h';
  // .b210 lists the lanes from the highest down.
  in.mask = uint8_t((1 << n) - 1);
  const std::string &to = d.operand(0).name;
  if (!to.empty() && to[0] == letter) {
    in.mask = 0;
    for (size_t k = 1; k < to.size(); ++k)
      in.mask |= uint8_t(1 << (to[k] - '0'));
  }
  for (int side = 0; side < 2; ++side) {
    const std::string &sel = d.operand(1 + side).name;
    for (int k = 0; k < n; ++k) {
      int value = side * n + k;
      if (int(sel.size()) == n + 1 && sel[0] == letter)
        value = sel[n - k] - '0';
      (side ? in.selectB : in.selectA)[k] = uint8_t(value);
    }
  }
  d.emit(videoLanes, Class::Integer);
  return true;
}

/// The part that an operand selects.
uint8_t selectedPart(const Operand &o) {
  static const char *const names[] = {"b0", "b1", "b2", "b3", "h0", "h1"};
  // A register without a selector bears its own name, or none.
  bool selects = o.name.size() == 2;
  for (int k = 0; k < 6 && selects; ++k)
    if (o.name == names[k])
      return uint8_t(k + 1);
  return 0;
}

bool decodeVideo(Decoder &d) {
  auto &in = d.make<VideoMad>(); // The other forms read a part of it.
  static const std::pair<const char *, VideoOp> ops[] = {
      {"vadd", VAdd}, {"vsub", VSub}, {"vabsdiff", VAbsDiff}, {"vmin", VMin},
      {"vmax", VMax}, {"vset", VSet}, {"vshl", VShl},         {"vshr", VShr}};
  const std::string &w = d.s->words[0];
  bool isMad = w == "vmad", isSet = w == "vset";
  for (auto &[name, op] : ops)
    if (w == name)
      in.op = op;
  Type dt = isSet ? Type::U32 : d.type(), at = d.type(), bt = d.type();
  for (Type t : {dt, at, bt})
    if (t != Type::U32 && t != Type::S32)
      return d.fail("expected .u32 or .s32 for every operand");
  takeSigns(in, dt, at, bt);
  if (isSet && !takeComparison(d, in))
    return false;
  in.saturates = d.has("sat");
  in.second = d.has("add")   ? AddSecond
              : d.has("min") ? MinSecond
              : d.has("max") ? MaxSecond
                             : NoSecond;
  bool shifts = in.op == VShl || in.op == VShr;
  if (shifts && !isMad) {
    in.wraps = d.has("wrap");
    if (!in.wraps && !d.has("clamp"))
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
    in.plusOne = po;
    in.negatesProduct = product;
    in.negatesC = third;
    in.shift = d.has("shr7") ? 7 : d.has("shr15") ? 15 : 0;
  }
  if (!d.operands(3, 4))
    return false;
  in.partD = selectedPart(d.operand(0));
  in.partA = selectedPart(d.operand(1));
  in.partB = selectedPart(d.operand(2));
  if (!d.destination(d.operand(0), Type::B32, in.d))
    return false;
  if (d.count() == 3 && (isMad || in.second || in.partD))
    return d.fail("expected a third source");
  in.c = d.constantRow(0, 4);
  int32_t *sources[] = {&in.a, &in.b, &in.c};
  for (size_t k = 1; k < d.count(); ++k) {
    Operand o = d.operand(k);
    o.minus &= !isMad;
    if (!d.source(o, Type::B32, *sources[k - 1]))
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

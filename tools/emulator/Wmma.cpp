// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// wmma.load, wmma.store, wmma.mma. The ISA leaves the place of an element in a
// fragment open; here element number e of the matrix, row by row, lies in lane
// e % 32, place e / 32 of the thread's elements. Where threads hold more than
// the matrix has, it begins again.
#include "tools/emulator/Decode.h"
#include "tools/emulator/FloatOps.h"
#include "tools/emulator/MatrixElement.h"

#include <algorithm>
#include <cstring>

namespace tileir::emu {

namespace {

/// Elements of `bits` (1 to 64) that a thread holds in its registers.
class Fragment {
public:
  Fragment(Exec &x, const std::vector<int32_t> &rows, int bits)
      : x(x), rows(rows), bits(bits), per(bits == 64 ? 1 : 32 / bits) {}

  uint64_t get(int lane, int k) const {
    if (bits == 64)
      return x.row<uint64_t>(rows[size_t(k)])[lane];
    uint32_t word = x.row<uint32_t>(rows[size_t(k / per)])[lane];
    return bits == 32 ? word : word >> (k % per * bits) & ((1u << bits) - 1);
  }
  void set(int lane, int k, uint64_t value) const {
    if (bits == 64) {
      x.row<uint64_t>(rows[size_t(k)])[lane] = value;
      return;
    }
    uint32_t &word = x.row<uint32_t>(rows[size_t(k / per)])[lane];
    if (bits == 32) {
      word = uint32_t(value);
      return;
    }
    uint32_t ones = (1u << bits) - 1, shift = uint32_t(k % per * bits);
    word = (word & ~(ones << shift)) | (uint32_t(value) & ones) << shift;
  }
  int count() const { return int(rows.size()) * per; }
  /// Element `e` of the matrix.
  uint64_t element(int e) const { return get(e % 32, e / 32); }

private:
  Exec &x;
  const std::vector<int32_t> &rows;
  int bits, per;
};

int bitsOf(Type t) {
  switch (t) {
  case Type::TF32:
  case Type::S32:
    return 32;
  default:
    return typeBits(t);
  }
}

/// wmma.load and wmma.store.
struct FragmentAccess {
  AddressOperand address;
  int32_t stride = -1; ///< A row; -1: elements lie without gaps.
  int rows = 0, columns = 0;
  bool columnMajor = false, isStore = false;
  Type type = Type::None;
  std::vector<int32_t> registers;
};

void loadStore(Exec &x, const Inst &i, Mask) {
  const auto &in = i.as<FragmentAccess>();
  int rows = in.rows, columns = in.columns;
  bool columnMajor = in.columnMajor, isStore = in.isStore;
  int bits = bitsOf(in.type);
  int64_t stride = columnMajor ? rows : columns;
  if (in.stride >= 0)
    stride = x.row<int32_t>(in.stride)[0];
  uint64_t base = laneAddress(x, in.address, 0);
  Fragment f(x, in.registers, bits);
  int perByte = bits < 8 ? 8 / bits : 1;
  uint32_t bytes = uint32_t(std::max(bits / 8, 1));
  for (int k = 0; k < f.count(); ++k)
    for (int l = 0; l < 32; ++l) {
      int number = k * 32 + l;
      // A store writes each element once.
      if (isStore && number >= rows * columns)
        return;
      number %= rows * columns;
      int r = number / columns, c = number % columns;
      int64_t at = columnMajor ? c * stride + r : r * stride + c;
      uint64_t address =
          base + uint64_t(bits < 8 ? at / perByte : at * int64_t(bytes));
      Region *region = nullptr;
      uint64_t offset;
      uint8_t *p = x.m.memory.access(
          x, i, l, in.address.space, address, bytes,
          isStore ? AccessKind::Write : AccessKind::Read, region, offset);
      if (!p)
        return;
      uint64_t value = isStore ? f.get(l, k) : 0;
      if (region)
        x.m.races.touch(x, i, l, *region, offset, bytes,
                        isStore ? AccessKind::Write : AccessKind::Read,
                        Semantics(),
                        isStore && std::memcmp(p, &value, bytes) == 0);
      if (isStore) {
        std::memcpy(p, &value, bytes);
        continue;
      }
      std::memcpy(&value, p, bytes);
      if (bits < 8)
        value = value >> (at % perByte * bits) & ((1u << bits) - 1);
      f.set(l, k, value);
    }
}

/// D, A, B and C of wmma.mma.
struct WmmaOperands {
  int m = 0, n = 0, k = 0;
  bool saturates = false;
  bool isAnd = false; ///< Of bits; else xor.
  Type types[4] = {};
  std::vector<int32_t> registers[4];
};

void mma(Exec &x, const Inst &i, Mask) {
  const auto &in = i.as<WmmaOperands>();
  int M = in.m, N = in.n, K = in.k;
  Type dt = in.types[0], at = in.types[1], bt = in.types[2], ct = in.types[3];
  Fragment fd(x, in.registers[0], bitsOf(dt)),
      fa(x, in.registers[1], bitsOf(at)), fb(x, in.registers[2], bitsOf(bt)),
      fc(x, in.registers[3], bitsOf(ct));
  auto value = [](Type t, uint64_t bits) -> double {
    return t == Type::F64   ? asDouble(bits)
           : t == Type::B1  ? double(bits & 1)
           : t == Type::S32 ? double(int32_t(bits))
                            : decodeElement(t, bits);
  };
  std::vector<double> A(size_t(M) * K), B(size_t(K) * N), D(size_t(M) * N);
  for (int k = 0; k < M * K; ++k)
    A[size_t(k)] = value(at, fa.element(k));
  for (int k = 0; k < K * N; ++k)
    B[size_t(k)] = value(bt, fb.element(k));
  for (int r = 0; r < M; ++r)
    for (int c = 0; c < N; ++c) {
      double start = value(ct, fc.element(r * N + c)),
             sum = at == Type::F64 ? start : 0;
      for (int k = 0; k < K; ++k) {
        double p = A[size_t(r * K + k)], q = B[size_t(k * N + c)];
        if (at == Type::F64)
          sum = std::fma(p, q, sum);
        else if (at == Type::B1)
          sum += in.isAnd ? p * q : double(p != q);
        else
          sum += p * q;
      }
      D[size_t(r * N + c)] = at == Type::F64 ? sum : sum + start;
    }
  for (int k = 0; k < fd.count(); ++k)
    for (int l = 0; l < 32; ++l) {
      double s = D[size_t((k * 32 + l) % (M * N))];
      uint64_t bits;
      if (dt == Type::F64)
        bits = asBits(canonical(s));
      else if (dt == Type::F32)
        bits = asBits(canonical(float(s)));
      else if (dt == Type::F16)
        bits = floatToHalf(s);
      else
        bits =
            in.saturates
                ? uint32_t(int32_t(std::clamp(s, -2147483648.0, 2147483647.0)))
                : uint32_t(int64_t(s));
      fd.set(l, k, bits);
    }
  x.m.stats.tensorInstructions += 1;
  x.m.stats.tensorMacs += uint64_t(M) * uint64_t(N) * uint64_t(K);
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// Registers of a thread for a fragment of `elements`. f16 operands and some
/// shapes hold every element twice.
size_t registersOf(Type t, char matrix, int elements) {
  int bits = bitsOf(t);
  if (matrix != 'c' && t == Type::F16)
    return 8;
  return size_t(std::max(1, elements * bits / 32 / (bits == 64 ? 64 : 32)));
}

bool decodeAccess(Decoder &d, bool isStore) {
  auto &in = d.make<FragmentAccess>();
  char matrix = isStore ? 'd' : d.has("a") ? 'a' : d.has("b") ? 'b' : 'c';
  if (isStore ? !d.has("d") : matrix == 'c' && !d.has("c"))
    return d.fail("expected the name of a matrix");
  if (!d.has("sync") || !d.has("aligned"))
    return d.fail("expected '.sync.aligned'");
  d.inst.aligned = true;
  bool row = d.has("row");
  if (!row && !d.has("col"))
    return d.fail("expected '.row' or '.col'");
  int m, n, k;
  Space s;
  if (!takeShape(d, m, n, k))
    return false;
  takeMemorySpace(d, s);
  Type t = d.type();
  int rows = matrix == 'b' ? k : m, columns = matrix == 'a' ? k : n;
  if (matrix == 'd')
    matrix = 'c';
  in.rows = rows;
  in.columns = columns;
  in.columnMajor = !row;
  in.type = t;
  in.isStore = isStore;
  if (!d.operands(2, 3))
    return false;
  const Operand &regs = d.operand(isStore ? 1 : 0);
  Type held = t == Type::F64 ? Type::B64 : Type::B32;
  if (!(isStore ? d.sources(regs, held, in.registers)
                : d.destinations(regs, held, in.registers)))
    return false;
  size_t expected = registersOf(t, matrix, rows * columns);
  if (in.registers.size() != expected)
    return d.fail("expected " + std::to_string(expected) + " registers");
  if (!d.memoryOperand(d.operand(isStore ? 0 : 1), s, in.address))
    return false;
  if (d.count() == 3 && !d.source(d.operand(2), Type::B32, in.stride))
    return false;
  d.emit(loadStore, s == Space::Shared ? Class::Shared : Class::Global);
  return true;
}

bool decodeWmma(Decoder &d) {
  if (d.next("load"))
    return decodeAccess(d, false);
  if (d.next("store"))
    return decodeAccess(d, true);
  if (!d.next("mma"))
    return d.fail("unknown operation");
  bool isXor = d.has("xor"), isAnd = d.has("and");
  if (isXor || isAnd)
    d.has("popc");
  if (!d.has("sync") || !d.has("aligned"))
    return d.fail("expected '.sync.aligned'");
  d.inst.aligned = true;
  // The layouts say how the fragments were loaded, which they remember.
  for (int side = 0; side < 2; ++side)
    if (!d.next("row") && !d.next("col"))
      return d.fail("expected the layouts of A and B");
  auto &in = d.make<WmmaOperands>();
  int &m = in.m, &n = in.n, &k = in.k;
  if (!takeShape(d, m, n, k))
    return false;
  in.saturates = d.has("satfinite");
  in.isAnd = isAnd;
  if (d.has("rn") || d.has("rz") || d.has("rm") || d.has("rp")) {
    // Rounding of f64; the sum is rounded to nearest at every step.
    if (d.s->opcode.find(".rn") == std::string::npos)
      return d.fail("rounding of products of f64 other than to nearest is not "
                    "supported; use '.rn'");
  }
  std::vector<Type> types;
  for (Type t = d.type(); t != Type::None; t = d.type())
    types.push_back(t);
  if (types.size() == 2) // Of D and C; A and B are f16.
    types = {types[0], Type::F16, Type::F16, types[1]};
  if (types.size() != 4)
    return d.fail("expected types of D, A, B and C");
  std::copy(types.begin(), types.end(), in.types);
  if (!d.operands(4, 4))
    return false;
  for (int v = 0; v < 4; ++v) {
    Type held = types[size_t(v)] == Type::F64 ? Type::B64 : Type::B32;
    if (!(v ? d.sources(d.operand(size_t(v)), held, in.registers[v])
            : d.destinations(d.operand(0), held, in.registers[0])))
      return false;
    char matrix = v == 1 ? 'a' : v == 2 ? 'b' : 'c';
    int elements = v == 1 ? m * k : v == 2 ? k * n : m * n;
    size_t expected = registersOf(types[size_t(v)], matrix, elements);
    if (in.registers[v].size() != expected)
      return d.fail("expected " + std::to_string(expected) +
                    " registers in operand " + std::to_string(v));
  }
  d.emit(mma, Class::Matrix);
  return true;
}

} // namespace

void registerWmma() { RegisterDecoders({{"wmma", decodeWmma}}); }

} // namespace tileir::emu

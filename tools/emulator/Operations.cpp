// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/emulator/Operations.h"

#include "tools/emulator/Machine.h"

#include <algorithm>

namespace tileir::emu {

const char *waitName(Op op) {
  switch (op) {
  case Op::BarrierWait:
  case Op::ClusterWait:
    return "barrier";
  case Op::MbarrierWait:
    return "mbarrier";
  case Op::CopyWait:
    return "cp_group";
  case Op::BulkWait:
    return "bulk_group";
  case Op::WgmmaWait:
    return "wgmma";
  case Op::TensorWait:
    return "tcgen05";
  default:
    return nullptr;
  }
}

Operations::Operations(const Machine &m) {
  table.resize(m.image.code.size());
  for (size_t k = 0; k < m.image.code.size(); ++k) {
    if (k < m.image.statements.size() && m.image.statements[k]) {
      classify(m, k);
      dependencies(m, k);
    } else {
      table[k].op = Op::Other;
      table[k].reads = table[k].writes = table[k].end =
          uint32_t(registers.size());
    }
  }
  findLoops(m);
}

//===--- kinds ------------------------------------------------------------===//

namespace {

struct Words {
  const Statement &s;
  bool has(const char *word) const {
    return std::find(s.words.begin() + 1, s.words.end(), word) != s.words.end();
  }
  bool begins(const char *prefix) const {
    for (size_t k = 1; k < s.words.size(); ++k)
      if (s.words[k].compare(0, std::char_traits<char>::length(prefix),
                             prefix) == 0)
        return true;
    return false;
  }
};

Op copyOp(const Words &w) {
  if (w.has("bulk")) {
    if (w.has("commit_group"))
      return Op::BulkCommit;
    if (w.has("wait_group"))
      return Op::BulkWait;
    if (w.has("prefetch"))
      return Op::Other;
    return w.begins("mbarrier") ? Op::BulkLoad : Op::BulkStore;
  }
  if (w.has("commit_group"))
    return Op::CopyCommit;
  if (w.has("wait_group") || w.has("wait_all"))
    return Op::CopyWait;
  return w.has("mbarrier") ? Op::CopyArrive : Op::CopyAsync;
}

Op barrierOp(const Words &w) {
  if (w.has("warp"))
    return Op::Shuffle;
  if (w.has("cluster"))
    return w.has("arrive") ? Op::ClusterArrive : Op::ClusterWait;
  return w.has("arrive") ? Op::BarrierArrive : Op::BarrierWait;
}

Op mbarrierOp(const Words &w) {
  if (w.has("test_wait") || w.has("try_wait"))
    return Op::MbarrierWait;
  return w.has("arrive") || w.has("arrive_drop") ? Op::MbarrierArrive
                                                 : Op::MbarrierOther;
}

Op wgmmaOp(const Words &w) {
  return w.has("mma_async")      ? Op::Wgmma
         : w.has("commit_group") ? Op::WgmmaCommit
         : w.has("wait_group")   ? Op::WgmmaWait
                                 : Op::Fence;
}

Op tensorOp(const Words &w) {
  static const std::pair<const char *, Op> ops[] = {
      {"mma", Op::TensorMma},   {"cp", Op::TensorCopy},
      {"ld", Op::TensorLoad},   {"st", Op::TensorStore},
      {"wait", Op::TensorWait}, {"commit", Op::TensorCommit},
      {"fence", Op::Fence}};
  for (const auto &[word, op] : ops)
    if (w.s.words.size() > 1 && w.s.words[1] == word)
      return op;
  return Op::Other;
}

/// Both types of a conversion are integers.
bool isIntegerResize(const Words &w) {
  int integers = 0;
  for (const char *word :
       {"u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64"})
    integers += int(std::count(w.s.words.begin() + 1, w.s.words.end(), word));
  return integers == 2;
}

Op arithmeticOp(const Words &w, const Inst &i) {
  switch (i.cls) {
  case Class::Integer:
    return w.s.words[0] == "mul" || w.s.words[0] == "mad" || w.begins("dp")
               ? Op::Mul
               : Op::Alu;
  case Class::Float:
    if (w.has("f32x2"))
      return Op::Fp32x2;
    if (w.has("f16") || w.has("f16x2") || w.has("bf16") || w.has("bf16x2"))
      return Op::Half;
    // Compares, selects, minima: the lanes of integers.
    for (const char *word : {"setp", "set", "selp", "slct", "min", "max"})
      if (w.s.words[0] == word)
        return Op::Alu;
    return Op::Fp32;
  case Class::Double:
    return Op::F64;
  case Class::Special:
    return Op::Xu;
  case Class::Convert:
    // Between integers ptxas moves, shifts or masks: no conversion unit.
    if (isIntegerResize(w))
      return Op::Alu;
    return w.has("f64") || w.has("s64") || w.has("u64") ? Op::Convert64
                                                        : Op::Convert;
  case Class::Move:
    return Op::Alu;
  case Class::Control:
    return Op::Control;
  case Class::WarpSync:
    return Op::Shuffle;
  default:
    return Op::Other;
  }
}

/// Words of registers that become a wide register or come of one: ptxas gives
/// them neighbouring registers.
bool isPair(const Statement &s) {
  if (s.words[0] != "mov" || s.guard >= 0 || s.words.size() != 2 ||
      (s.words[1] != "b64" && s.words[1] != "b128") || s.operands.size() != 2)
    return false;
  auto isWide = [](const Operand &x) { return x.isReg(); };
  auto areWords = [](const Operand &x) {
    return x.kind == Operand::Kind::Vector &&
           std::all_of(x.items.begin(), x.items.end(),
                       [](const Operand &item) { return item.isReg(); });
  };
  return (isWide(s.operands[0]) && areWords(s.operands[1])) ||
         (areWords(s.operands[0]) && isWide(s.operands[1]));
}

Op kindOf(const Statement &s, const Inst &i) {
  Words w{s};
  const std::string &name = s.words[0];
  if (isPair(s))
    return Op::Pair;
  if (name == "ld" || name == "ldu")
    return w.begins("param") || w.begins("const") ? Op::Constant : Op::Load;
  if (name == "st" && w.has("async"))
    return Op::BulkLoad;
  if (name == "red" && w.has("async"))
    return Op::BulkLoad;
  if (name == "st")
    return w.begins("param") ? Op::Alu : Op::Store;
  if (name == "atom" || name == "red")
    return Op::Atomic;
  if (name == "ldmatrix")
    return Op::LoadMatrix;
  if (name == "stmatrix")
    return Op::StoreMatrix;
  if (name == "cp")
    return copyOp(w);
  if (name == "bar" || name == "barrier")
    return barrierOp(w);
  if (name == "mbarrier")
    return mbarrierOp(w);
  if (name == "mma")
    return Op::MmaSync;
  if (name == "wgmma")
    return wgmmaOp(w);
  if (name == "tcgen05")
    return tensorOp(w);
  if (name == "fence" || name == "membar")
    return Op::Fence;
  return arithmeticOp(w, i);
}

/// The row of rates that a product's types take.
Rates::Mma mmaKind(const std::vector<Type> &types, Op op) {
  Type d = types.empty() ? Type::F32 : types[0];
  Type a = types.size() > 1 ? types[1] : Type::F16;
  switch (a) {
  case Type::F16:
  case Type::BF16:
    return op == Op::MmaSync ? Rates::Mma::F16WarpWide
           : d == Type::F16  ? Rates::Mma::F16Acc16
                             : Rates::Mma::F16;
  case Type::TF32:
    return Rates::Mma::Tf32;
  case Type::F64:
    return Rates::Mma::F64;
  case Type::E2M1:
    return Rates::Mma::F4;
  case Type::E4M3:
  case Type::E5M2:
  case Type::E2M3:
  case Type::E3M2:
    return Rates::Mma::F8;
  default:
    return Rates::Mma::I8;
  }
}

} // namespace

void Operations::classify(const Machine &m, size_t at) {
  const Statement &s = *m.image.statements[at];
  Operation &o = table[at];
  o.op = kindOf(s, m.image.code[at]);
  if (!isTensorOp(o.op))
    return;
  std::vector<Type> types;
  int rows = 0, columns = 0, depth = 0;
  for (size_t k = 1; k < s.words.size(); ++k) {
    const std::string &w = s.words[k];
    int used = 0;
    if (std::sscanf(w.c_str(), "m%dn%dk%d%n", &rows, &columns, &depth, &used) ==
            3 &&
        size_t(used) == w.size())
      continue;
    if (Type t = parseType(w); t != Type::None)
      types.push_back(t);
  }
  if (o.op == Op::TensorMma) {
    Words w{s};
    o.mma = w.has("kind::tf32") ? Rates::Mma::Tf32
            : w.has("kind::i8") ? Rates::Mma::I8
            : w.has("kind::f8f6f4") || w.has("kind::mxf8f6f4") ? Rates::Mma::F8
            : w.begins("kind::mxf4") ? Rates::Mma::F4
                                     : Rates::Mma::F16;
    return;
  }
  o.mma = mmaKind(types, o.op);
  if (o.op == Op::MmaSync) {
    o.macs = uint32_t(rows * columns * depth);
    return;
  }
  // A quarter of the group's.
  o.macs = uint32_t(rows / 4 * columns * depth);
  int bits = types.size() > 1 ? typeBits(types[1]) : 16;
  if (types.size() > 1 && types[1] == Type::TF32)
    bits = 32;
  bool fragment =
      s.operands.size() > 1 && s.operands[1].kind == Operand::Kind::Vector;
  o.operands = uint32_t((fragment ? 0 : rows * depth) + columns * depth) *
               uint32_t(bits) / 8 / 4;
}

//===--- registers --------------------------------------------------------===//

void Operations::dependencies(const Machine &m, size_t at) {
  const Statement &s = *m.image.statements[at];
  const FunctionCode &fc = m.image.functions[size_t(m.image.code[at].function)];
  Operation &o = table[at];
  std::vector<int32_t> reads, writes;
  auto add = [&](int index, std::vector<int32_t> &to) {
    int bits = fc.function->registers[size_t(index)].bits;
    int32_t row = fc.registerRows[size_t(index)];
    if (bits == 1) {
      to.push_back(~row);
      return;
    }
    for (int r = 0; r < std::max(1, bits / 32); ++r)
      to.push_back(row + r);
  };
  auto collect = [&](auto &&self, const Operand &x, bool written) -> void {
    if (x.isReg())
      add(x.index, written ? writes : reads);
    for (const Operand &item : x.items)
      self(self, item, written && x.kind != Operand::Kind::Address);
  };
  // These have no result.
  bool none = o.op == Op::Control || o.op == Op::BarrierWait ||
              o.op == Op::BarrierArrive || o.op == Op::Store;
  if (s.guard >= 0)
    add(s.guard, reads);
  for (size_t k = 0; k < s.operands.size(); ++k)
    collect(collect, s.operands[k], k == 0 && !none);
  // Accumulators chain: what the next product adds to needs no wait.
  if (o.op == Op::Wgmma) {
    reads.clear();
    for (size_t k = 1; k < s.operands.size(); ++k)
      collect(collect, s.operands[k], false);
    writes.clear();
  }
  o.reads = uint32_t(registers.size());
  registers.insert(registers.end(), reads.begin(), reads.end());
  o.writes = uint32_t(registers.size());
  registers.insert(registers.end(), writes.begin(), writes.end());
  o.end = uint32_t(registers.size());
}

//===--- loops ------------------------------------------------------------===//

void Operations::findLoops(const Machine &m) {
  auto isBack = [&](size_t k) {
    return k < m.image.statements.size() && m.image.statements[k] &&
           m.image.statements[k]->words[0] == "bra" &&
           m.image.code[k].target >= 0 && size_t(m.image.code[k].target) <= k;
  };
  // A loop that only looks at an mbarrier is part of its wait.
  auto polls = [&](size_t first, size_t last) {
    bool waits = false;
    for (size_t k = first; k <= last; ++k) {
      Op op = table[k].op;
      waits |= op == Op::MbarrierWait;
      if (op != Op::MbarrierWait && op != Op::Control && op != Op::Alu &&
          op != Op::Other)
        return false;
    }
    return waits;
  };
  std::map<int, int> lastOf; // By label.
  for (size_t k = 0; k < m.image.code.size(); ++k)
    if (isBack(k)) {
      size_t first = size_t(m.image.code[k].target);
      if (polls(first, k)) {
        for (size_t j = first; j <= k; ++j)
          table[j].polls = true;
        continue;
      }
      int &last = lastOf[int(first)];
      last = std::max(last, int(k));
    }
  for (const auto &[first, last] : lastOf)
    loops.push_back({first, last, m.image.code[size_t(last)].line});
  for (size_t n = 0; n < loops.size(); ++n) {
    const Loop &loop = loops[n];
    for (int k = loop.first; k <= loop.last; ++k) {
      int &in = table[size_t(k)].loop;
      if (in < 0 || loops[size_t(in)].last - loops[size_t(in)].first >
                        loop.last - loop.first)
        in = int(n);
      if (isBack(size_t(k)) && m.image.code[size_t(k)].target == loop.first &&
          !table[size_t(k)].polls)
        table[size_t(k)].backEdge = int(n);
    }
  }
}

} // namespace tileir::emu

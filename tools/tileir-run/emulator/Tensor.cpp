// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tcgen05: tensor memory, its loads and stores, copies into it, matrix products
// and commits. Products, copies and commits of a block run in order.
#include "tools/tileir-run/emulator/Decode.h"
#include "tools/tileir-run/emulator/Descriptor.h"
#include "tools/tileir-run/emulator/FloatOps.h"

#include <algorithm>

namespace tileir::emu {

double decodeElement(Type t, uint64_t bits);

constexpr uint32_t kColumns = 512, kLanes = 128;

static TensorMemory &memoryOf(Block &b) {
  if (!b.tmem) {
    b.tmem = std::make_unique<TensorMemory>();
    Region &r = b.tmem->region;
    r.name = "tensor memory";
    r.space = Space::Global;
    r.size = kColumns * kLanes * 4;
    r.data.assign(r.size, 0xCD);
    r.written.assign(r.size, 0);
    r.base = uint64_t(1) << 62 | uint64_t(b.linear) << 24;
  }
  return *b.tmem;
}

/// Offset of a lane and column in the region.
static uint64_t cellOffset(uint32_t lane, uint32_t column) {
  return (uint64_t(lane) * kColumns + column) * 4;
}

namespace {

/// One operation of the tensor core.
class TensorRun {
public:
  TensorRun(Machine &m, Exec &x, Block &home, const TensorOp &op)
      : m(m), x(x), home(home), op(op), inst(*op.inst), scope(x, *op.warp) {}

  void run() {
    if (op.kind == TensorOp::Commit)
      commit();
    else if (op.kind == TensorOp::Copy)
      copy();
    else
      mma();
  }

private:
  void fail(const char *kind, const std::string &message) {
    if (failed)
      return;
    failed = true;
    m.report(kind, x, inst, op.lane, message);
    m.fatal();
  }

  void commit() {
    auto arrive = [&](uint64_t address) {
      Region *region;
      Mbarrier *bar = m.mbarrierAt(x, inst, op.lane, Space::SharedCluster,
                                   address, false, region);
      if (!bar)
        return;
      if (op.user.as != kNoAgent) {
        // Waiters know that what the thread issued before is complete.
        auto *clock = new VectorClock();
        clock->block = home.agentBase() / kAgentsPerBlock;
        clock->set(op.user.as, op.user.clock);
        Block *owner = m.ownerOf(x, *region);
        uint32_t at = owner->agentBase() / kAgentsPerBlock;
        bar->arriving.add(at, Scope::Gpu, false, ClockRef(clock));
        if (owner != &home)
          bar->signal = {bar->phase + 1, true, op.user.as, op.user.clock,
                         m.placeOf(home, op.warp->index, op.lane, inst)};
      }
      m.mbarrierArrive(x, inst, op.lane, *bar, 1);
    };
    if (!op.multicast) {
      arrive(op.barrier);
      return;
    }
    for (uint32_t rank = 0; rank < home.cluster->blocks.size(); ++rank)
      if (op.multicast >> rank & 1)
        arrive((op.barrier & 0xFFFFFF) | uint64_t(rank) << 24);
  }

  /// Checks that the tensor core may read shared memory.
  void touchShared(Block &b, uint64_t offset, uint32_t bytes) {
    m.checkWritten(x, inst, op.lane, b.shared, offset, bytes);
    if (!m.reports("race") || op.user.as == kNoAgent)
      return;
    if (&b != &home)
      b.remoteAccesses[op.user.as] = {op.user.clock,
                                      uint32_t(&inst - m.code.data())};
    m.touchAs(x, inst, op.lane, op.issuer, op.user.as, op.user.clock, b.shared,
              offset, bytes, AccessKind::Read, Cell::AsyncProxy, false);
  }

  /// A piece of shared memory of block `b`; 16 bytes are checked at once.
  uint64_t fetch(Block &b, uint64_t offset, uint32_t bytes,
                 std::vector<uint8_t> &seen) {
    Region &r = b.shared;
    uint64_t value = 0;
    if (failed)
      return value;
    if (offset < r.low || offset + bytes > r.size) {
      fail("bounds", "matrix descriptor names shared memory outside the block");
      return value;
    }
    uint64_t piece = offset / 16;
    if (seen.size() <= piece)
      seen.resize(r.size / 16 + 1, 0);
    if (!seen[piece]) {
      seen[piece] = 1;
      touchShared(b, piece * 16,
                  uint32_t(std::min<uint64_t>(16, r.size - piece * 16)));
    }
    std::memcpy(&value, &r.data[offset], bytes);
    return value;
  }

  uint32_t *cell(Block &b, uint32_t lane, uint32_t column, AccessKind kind) {
    TensorMemory &t = memoryOf(b);
    if (lane >= kLanes || column >= kColumns) {
      fail("bounds", "tensor memory lane " + std::to_string(lane) +
                         ", column " + std::to_string(column) +
                         " does not exist");
      return nullptr;
    }
    bool allocated = false;
    for (const auto &p : t.pieces)
      allocated |= column >= p.column && column < p.column + p.columns;
    if (!allocated) {
      fail("bounds", "tensor memory column " + std::to_string(column) +
                         " is not allocated");
      return nullptr;
    }
    uint64_t offset = cellOffset(lane, column);
    m.touchTensor(x, inst, op.lane, t, offset, kind, op.user);
    return reinterpret_cast<uint32_t *>(&t.region.data[offset]);
  }

  //===--- cp -------------------------------------------------------------===//

  // numbers: rows, bits of a row, multicast (0 none, 1 02_13, 2 01_23, 3 x4),
  // packed source bits (0, 4, 6).
  void copy() {
    const std::vector<int64_t> &n = inst.extra->numbers;
    MatrixDescriptor d = MatrixDescriptor::tcgen05(op.a);
    uint32_t rows = uint32_t(n[0]), words = uint32_t(n[1]) / 32;
    int packed = int(n[3]);
    for (Block *b : pair()) {
      std::vector<uint8_t> seen;
      uint32_t lane0 = op.d >> 16, column0 = op.d & 0xFFFF;
      for (uint32_t r = 0; r < rows && !failed; ++r)
        for (uint32_t w = 0; w < words && !failed; ++w) {
          uint32_t value = 0;
          for (uint32_t k = 0; k < 4; ++k) {
            uint32_t byte = w * 4 + k;
            if (packed) { // 16 elements in 16 bytes of which 8 or 12 are used.
              uint32_t chunk = byte / 16, e = byte % 16, bit = e * packed;
              uint64_t at = d.kMajor(r, chunk * 16 + bit / 8);
              uint32_t two = uint32_t(fetch(*b, at, 1, seen));
              if (bit % 8 + packed > 8)
                two |= uint32_t(fetch(*b, d.kMajor(r, chunk * 16 + bit / 8 + 1),
                                      1, seen))
                       << 8;
              value |= (two >> (bit % 8) & ((1u << packed) - 1)) << (8 * k);
            } else {
              value |= uint32_t(fetch(*b, d.kMajor(r, byte), 1, seen))
                       << (8 * k);
            }
          }
          uint32_t targets[4], count = 1;
          targets[0] = r;
          if (n[2] == 1) { // 02_13
            targets[0] = r % 32 + (r / 32) * 32;
            targets[1] = targets[0] + 64;
            count = 2;
          } else if (n[2] == 2) { // 01_23
            targets[0] = r % 32 + (r / 32) * 64;
            targets[1] = targets[0] + 32;
            count = 2;
          } else if (n[2] == 3) {
            for (uint32_t q = 0; q < 4; ++q)
              targets[q] = r + 32 * q;
            count = 4;
          }
          for (uint32_t q = 0; q < count; ++q)
            if (uint32_t *c = cell(*b, lane0 + targets[q], column0 + w,
                                   AccessKind::Write))
              *c = value;
        }
    }
  }

  /// The blocks that an instruction works in: one, or the pair.
  std::vector<Block *> pair() {
    if (inst.b != 2)
      return {&home};
    uint32_t even = home.clusterRank & ~1u;
    if (even + 1 >= home.cluster->blocks.size()) {
      fail("cluster", "cta_group::2 needs a cluster of at least two blocks");
      return {};
    }
    return {home.cluster->blocks[even], home.cluster->blocks[even + 1]};
  }

  //===--- mma ------------------------------------------------------------===//

  enum Kind { F16Kind, Tf32, F8f6f4, I8, MxF8f6f4, MxF4, MxF4nvf4 };

  static Type typeOf(Kind kind, uint32_t code) {
    switch (kind) {
    case F16Kind:
      return code == 0 ? Type::F16 : code == 1 ? Type::BF16 : Type::None;
    case Tf32:
      return code == 2 ? Type::TF32 : Type::None;
    case I8:
      return code == 0 ? Type::U8 : code == 1 ? Type::S8 : Type::None;
    case MxF4:
    case MxF4nvf4:
      return (code & 3) == 1 ? Type::E2M1 : Type::None;
    default:
      return code == 0   ? Type::E4M3
             : code == 1 ? Type::E5M2
             : code == 3 ? Type::E2M3
             : code == 4 ? Type::E3M2
             : code == 5 ? Type::E2M1
                         : Type::None;
    }
  }

  static int bitsOf(Type t) {
    switch (t) {
    case Type::TF32:
      return 32;
    case Type::F16:
    case Type::BF16:
      return 16;
    case Type::E2M1:
      return 4;
    case Type::E2M3:
    case Type::E3M2:
      return 6;
    default:
      return 8;
    }
  }

  /// Element (row, k) of an operand in shared memory. Narrow types of the
  /// f8f6f4 kinds lie as 16 elements in 16 bytes.
  double element(Block &b, const MatrixDescriptor &d, Type t, bool dense4,
                 bool rowMajor, uint32_t row, uint32_t k,
                 std::vector<uint8_t> &seen) {
    int bits = bitsOf(t);
    if (bits >= 8) {
      uint32_t bytes = uint32_t(bits) / 8;
      uint64_t at =
          rowMajor ? d.rowMajor(row, k, bytes) : d.kMajor(row, k * bytes);
      return decodeElement(t, fetch(b, at, bytes, seen));
    }
    uint32_t bit = dense4 ? k * 4 : k / 16 * 128 + k % 16 * uint32_t(bits);
    uint32_t two = uint32_t(fetch(b, d.kMajor(row, bit / 8), 1, seen));
    if (bit % 8 + uint32_t(bits) > 8)
      two |= uint32_t(fetch(b, d.kMajor(row, bit / 8 + 1), 1, seen)) << 8;
    return decodeElement(t, two >> (bit % 8) & ((1u << bits) - 1));
  }

  /// Block, lane and column offset of element (row, n) of D.
  void place(uint32_t M, uint32_t N, uint32_t row, uint32_t n, size_t &block,
             uint32_t &lane, uint32_t &column) const {
    bool two = inst.b == 2;
    block = 0;
    column = n;
    if (!two && inst.c) { // .ws
      if (M == 128)
        lane = row;
      else if (M == 64) {
        lane = row + 64 * (n >= N / 2);
        column = n % (N / 2);
      } else {
        lane = row + 32 * (n / (N / 4));
        column = n % (N / 4);
      }
    } else if (!two) {
      lane = M == 128 ? row : row % 16 + 32 * (row / 16);
    } else if (M == 256) {
      block = row / 128;
      lane = row % 128;
    } else {
      block = row / 64;
      lane = row % 64 + 64 * (n >= N / 2);
      column = n % (N / 2);
    }
  }

  double scaleOf(Block &b, uint32_t base, uint32_t index, uint32_t byte,
                 Type t) {
    uint32_t *c = cell(b, (base >> 16) + index % 32,
                       (base & 0xFFFF) + index / 32, AccessKind::Read);
    return c ? decodeElement(t, *c >> (8 * byte)) : 0;
  }

  void mma() {
    Kind kind = Kind(inst.a);
    uint32_t id = op.idesc;
    bool mx = kind >= MxF8f6f4, fp4 = kind == MxF4 || kind == MxF4nvf4;
    uint32_t N = (id >> 17 & 63) << 3;
    uint32_t M = mx ? (id >> 27 & 3) << 7 : (id >> 24 & 31) << 4;
    Type at = typeOf(kind, id >> 7 & 7), bt = typeOf(kind, id >> 10 & 7);
    if (at == Type::None || bt == Type::None)
      return fail("tcgen05", "instruction descriptor has a type that the kind "
                             "does not know");
    uint32_t K = kind == F16Kind ? 16
                 : kind == Tf32  ? 8
                 : fp4           ? (id >> 31 ? 96 : 64)
                                 : 32;
    uint32_t dCode = id >> 4 & 3;
    Type dt = mx           ? Type::F32
              : dCode == 0 ? Type::F16
              : dCode == 1 ? Type::F32
                           : Type::S32;
    if (id >> 2 & 1)
      return fail("tcgen05", "sparse products are not supported");
    bool two = inst.b == 2;
    bool legalM =
        two ? M == 128 || M == 256 : M == 64 || M == 128 || (inst.c && M == 32);
    if (!legalM || N < 8 || N > 256)
      return fail("tcgen05", "shape " + std::to_string(M) + " x " +
                                 std::to_string(N) + " is not legal");
    bool negA = !mx || kind == MxF8f6f4 ? id >> 13 & 1 : false;
    bool negB = id >> 14 & 1;
    bool aRow = !fp4 && (id >> 15 & 1), bRow = !fp4 && (id >> 16 & 1);
    std::vector<Block *> blocks = pair();
    if (blocks.empty())
      return;
    std::vector<double> A(size_t(M) * K), B(size_t(N) * K);
    uint32_t perBlock = M / uint32_t(blocks.size());
    for (size_t c = 0; c < blocks.size() && !failed; ++c) {
      std::vector<uint8_t> seen;
      if (inst.e) { // A in tensor memory.
        uint32_t bits = uint32_t(bitsOf(at)), per = 32 / (bits < 8 ? 8 : bits);
        for (uint32_t r = 0; r < perBlock && !failed; ++r) {
          uint32_t lane = perBlock == 64 && !two ? r % 16 + 32 * (r / 16) : r;
          for (uint32_t k = 0; k < K && !failed; ++k) {
            uint32_t *v =
                cell(*blocks[c], uint32_t(op.a >> 16 & 0xFFFF) + lane,
                     uint32_t(op.a & 0xFFFF) + k / per, AccessKind::Read);
            if (v)
              A[(c * perBlock + r) * K + k] =
                  decodeElement(at, *v >> (k % per * (32 / per)));
          }
        }
      } else {
        MatrixDescriptor d = MatrixDescriptor::tcgen05(op.a);
        for (uint32_t r = 0; r < perBlock && !failed; ++r)
          for (uint32_t k = 0; k < K && !failed; ++k)
            A[(c * perBlock + r) * K + k] =
                element(*blocks[c], d, at, fp4, aRow, r, k, seen);
      }
      MatrixDescriptor d = MatrixDescriptor::tcgen05(op.b);
      uint32_t columns = N / uint32_t(blocks.size());
      for (uint32_t n = 0; n < columns && !failed; ++n)
        for (uint32_t k = 0; k < K && !failed; ++k)
          B[(c * columns + n) * K + k] =
              element(*blocks[c], d, bt, fp4, bRow, n, k, seen);
    }
    if (mx && !failed) {
      int block = int(inst.extra->numbers[0]); // Elements to a scale.
      Type st = id >> 23 & 1 ? Type::UE8M0 : Type::UE4M3;
      uint32_t idA = id >> 29 & 3, idB = id >> 4 & 3;
      uint32_t groups = K / uint32_t(block);
      for (uint32_t r = 0; r < M && !failed; ++r) {
        Block &b = *blocks[r / perBlock];
        for (uint32_t g = 0; g < groups; ++g) {
          double s = scaleOf(b, op.scaleA, r % perBlock, idA + g, st);
          for (int k = 0; k < block; ++k)
            A[size_t(r) * K + g * uint32_t(block) + uint32_t(k)] *= s;
        }
      }
      for (uint32_t n = 0; n < N && !failed; ++n)
        for (uint32_t g = 0; g < groups; ++g) {
          double s = scaleOf(*blocks[0], op.scaleB, n, idB + g, st);
          for (int k = 0; k < block; ++k)
            B[size_t(n) * K + g * uint32_t(block) + uint32_t(k)] *= s;
        }
    }
    double sign = negA != negB ? -1 : 1;
    for (uint32_t r = 0; r < M && !failed; ++r)
      for (uint32_t n = 0; n < N && !failed; ++n) {
        const double *p = &A[size_t(r) * K], *q = &B[size_t(n) * K];
        double sum = 0;
        for (uint32_t k = 0; k < K; ++k)
          sum += p[k] * q[k];
        sum *= sign;
        size_t block;
        uint32_t lane, column;
        place(M, N, r, n, block, lane, column);
        uint32_t at = (op.d >> 16) + lane;
        if (op.disable[(block * 4 + at / 32) % 8] >> at % 32 & 1)
          continue;
        uint32_t *c =
            cell(*blocks[block], (op.d >> 16) + lane, (op.d & 0xFFFF) + column,
                 op.accumulate ? AccessKind::Atomic : AccessKind::Write);
        if (!c)
          return;
        double old = !op.accumulate    ? 0
                     : dt == Type::F16 ? double(halfToFloat(uint16_t(*c)))
                     : dt == Type::S32 ? double(int32_t(*c))
                                       : double(asFloat(*c));
        sum += std::ldexp(old, -int(inst.o[7]));
        if (dt == Type::F16) {
          *c = floatToHalf(sum);
        } else if (dt == Type::S32) {
          *c = id >> 3 & 1 ? uint32_t(int32_t(
                                 std::clamp(sum, -2147483648.0, 2147483647.0)))
                           : uint32_t(int64_t(sum));
        } else {
          *c = asBits(canonical(float(sum)));
        }
      }
    ++m.stats.tensorInstructions;
    m.stats.tensorMacs += uint64_t(M) * N * K;
    m.changed();
  }

  Machine &m;
  Exec &x;
  Block &home;
  const TensorOp &op;
  const Inst &inst;
  AsIssuer scope;
  bool failed = false;
};

} // namespace

void Machine::performTensor(Exec &x, Block &block, const TensorOp &op) {
  TensorRun(*this, x, block, op).run();
}

namespace {

void submit(Exec &x, TensorOp op) {
  Block &b = *x.block;
  TensorMemory &t = memoryOf(b);
  ThreadClock &thread = x.clock(op.lane);
  op.warp = x.warp;
  op.issuer = thread;
  op.user = x.m.tensorUser(x, op.lane);
  op.user.isQueue = true;
  op.user.as = t.queueAgent(b, thread.agent);
  op.user.clock = ++t.issuers[thread.agent].issued;
  if (!x.m.tensorFences)
    x.m.tensorPublish(x, 1u << op.lane, false);
  ++thread.clock;
  t.queue.push_back(std::move(op));
  bool now = x.m.options.async == AsyncMode::Early ||
             (x.m.options.async == AsyncMode::Random && x.m.random() % 3 == 0);
  while (now && !t.queue.empty() && !x.m.stopped) {
    TensorOp one = std::move(t.queue.front());
    t.queue.pop_front();
    x.m.performTensor(x, b, one);
  }
}

/// One kernel uses one cta_group.
bool checkGroup(Exec &x, const Inst &i, int lane) {
  if (!x.m.tensorGroup)
    x.m.tensorGroup = i.b;
  if (x.m.tensorGroup == i.b)
    return true;
  x.m.report("tcgen05", x, i, lane,
             "cta_group::" + std::to_string(i.b) +
                 " in a kernel that uses cta_group::" +
                 std::to_string(x.m.tensorGroup));
  x.m.fatal();
  return false;
}

void alloc(Exec &x, const Inst &i, Mask m) {
  int l = __builtin_ctz(m);
  uint32_t n = x.row<uint32_t>(i.o[0])[l];
  TensorMemory &t = memoryOf(*x.block);
  if (!checkGroup(x, i, l))
    return;
  if (t.relinquished) {
    x.m.report("tcgen05", x, i, l,
               "tcgen05.alloc after tcgen05.relinquish_alloc_permit");
    x.m.fatal();
    return;
  }
  if (n < 32 || n > 512 || (n & (n - 1))) {
    x.m.report("tcgen05", x, i, l,
               std::to_string(n) +
                   " columns cannot be allocated; use a power of two from 32 "
                   "to 512");
    x.m.fatal();
    return;
  }
  uint32_t at = kColumns;
  for (uint32_t c = 0; c + n <= kColumns && at == kColumns; c += n) {
    bool free = true;
    for (const auto &p : t.pieces)
      free &= c + n <= p.column || p.column + p.columns <= c;
    if (free)
      at = c;
  }
  if (at == kColumns) {
    // Somebody has to free columns first.
    x.yield = true;
    x.next = x.group->pc;
    x.warp->polling = true;
    x.warp->sleepVersion = x.m.version;
    return;
  }
  t.pieces.push_back({at, n, x.m.placeOf(*x.block, x.warp->index, l, i)});
  Region *region = nullptr;
  uint64_t offset;
  uint8_t *p = x.m.access(
      x, i, l,
      Space(i.c == uint8_t(Space::Generic) ? uint8_t(Space::Shared) : i.c),
      laneAddress(x, i, i.o[1], l), 4, AccessKind::Write, region, offset);
  if (!p)
    return;
  x.m.touch(x, i, l, *region, offset, 4, AccessKind::Write, Semantics());
  // The tensor core writes the address: no fence between proxies is needed
  // when a copy overwrites it.
  if (Cell &cell = region->cell(offset); cell.writer != kSplit)
    cell.writeInst |= Cell::AsyncProxy;
  std::memcpy(p, &at, 4);
  x.m.changed();
}

void dealloc(Exec &x, const Inst &i, Mask m) {
  int l = __builtin_ctz(m);
  uint32_t address = x.row<uint32_t>(i.o[0])[l], n = x.row<uint32_t>(i.o[1])[l];
  TensorMemory &t = memoryOf(*x.block);
  if (!checkGroup(x, i, l))
    return;
  for (size_t k = 0; k < t.pieces.size(); ++k)
    if (t.pieces[k].column == (address & 0xFFFF) && t.pieces[k].columns == n) {
      x.m.checkTensorFree(x, i, l, t, t.pieces[k].column, n);
      t.freed.push_back(t.pieces[k]);
      t.freed.back().where = x.m.placeOf(*x.block, x.warp->index, l, i);
      t.pieces.erase(t.pieces.begin() + long(k));
      x.m.changed();
      return;
    }
  x.m.report("tcgen05", x, i, l,
             "tensor memory that is freed was not allocated in this size");
  x.m.fatal();
}

void relinquish(Exec &x, const Inst &i, Mask m) {
  if (checkGroup(x, i, __builtin_ctz(m)))
    memoryOf(*x.block).relinquished = true;
}

void fenceBefore(Exec &x, const Inst &, Mask m) {
  x.m.settleEarlyReads(x);
  x.m.tensorPublish(x, m, true);
}

void fenceAfter(Exec &x, const Inst &, Mask m) {
  forLanes(m, [&](int l) { x.clock(l).tensorKnown = x.clock(l).known; });
}

/// Who the warp is in its loads or stores; numbers the next one.
TensorUser accessUser(Exec &x, bool store) {
  WarpTensor &w = x.warp->tensor;
  if (w.agent[store] == kNoAgent)
    w.agent[store] = x.block->newAgentPair();
  ++w.issued[store];
  TensorUser user = x.m.tensorUser(x, 0);
  user.as = w.agent[store];
  user.clock = w.issued[store];
  return user;
}

/// TMEM row and column offset of register r of a lane, by shape (i.a): 0
/// 32x32b, 1 16x64b, 2 16x128b, 3 16x256b, 4 16x32bx2.
void spot(const Inst &i, int L, int r, uint32_t &row, uint32_t &column) {
  switch (i.a) {
  case 0:
    row = uint32_t(L);
    column = uint32_t(r);
    break;
  case 1:
    row = uint32_t((L >> 2) + 8 * (L & 1));
    column = uint32_t((L >> 1 & 1) + 2 * r);
    break;
  case 2:
    row = uint32_t((L >> 2) + 8 * (r & 1));
    column = uint32_t((L & 3) + 4 * (r >> 1));
    break;
  case 3:
    row = uint32_t((L >> 2) + 8 * (r >> 1 & 1));
    column = uint32_t(2 * (L & 3) + (r & 1) + 8 * (r >> 2));
    break;
  default:
    row = uint32_t(L & 15);
    column = uint32_t(r); // The upper half of the lanes adds i.imm.
    break;
  }
}

/// Reports columns that were allocated once.
bool wasFreed(Exec &x, const Inst &i, int lane, TensorMemory &t,
              uint32_t column) {
  for (const auto &p : t.freed)
    if (column >= p.column && column < p.column + p.columns) {
      x.m.report("lifetime", x, i, lane,
                 "tensor memory column " + std::to_string(column) +
                     " was freed at line " + std::to_string(p.where.line),
                 {p.where});
      x.m.fatal();
      return true;
    }
  return false;
}

/// The cell of register r of lane L, or null after a finding.
uint32_t *tensorCell(Exec &x, const Inst &i, uint32_t address, int L, int r,
                     int half, AccessKind kind, const TensorUser &user) {
  uint32_t row, column;
  spot(i, L, r, row, column);
  if (i.b) // Two neighbouring columns to a register.
    column = 2 * column + uint32_t(half);
  if (i.a == 4 && L >= 16)
    column += uint32_t(i.imm);
  row += address >> 16;
  column += address & 0xFFFF;
  TensorMemory &t = memoryOf(*x.block);
  bool allocated = false;
  for (const auto &p : t.pieces)
    allocated |= column >= p.column && column < p.column + p.columns;
  if (row < kLanes && !allocated && wasFreed(x, i, L, t, column))
    return nullptr;
  if (row >= kLanes || !allocated) {
    x.m.report("bounds", x, i, L,
               "tensor memory lane " + std::to_string(row) + ", column " +
                   std::to_string(column) + " is not allocated");
    x.m.fatal();
    return nullptr;
  }
  uint64_t offset = cellOffset(row, column);
  x.m.touchTensor(x, i, L, t, offset, kind, user);
  return reinterpret_cast<uint32_t *>(&t.region.data[offset]);
}

bool checkQuarter(Exec &x, const Inst &i, uint32_t address) {
  uint32_t lane = address >> 16, own = uint32_t(x.warp->index % 4) * 32;
  bool sixteen = i.a != 0;
  if (lane == own || (sixteen && lane == own + 16))
    return true;
  x.m.report("tcgen05", x, i, 0,
             "warp " + std::to_string(x.warp->index) +
                 " can only access lanes " + std::to_string(own) + " to " +
                 std::to_string(own + 31) + " of tensor memory, not lane " +
                 std::to_string(lane));
  x.m.fatal();
  return false;
}

void tensorLoad(Exec &x, const Inst &i, Mask m) {
  uint32_t address = x.row<uint32_t>(i.o[0])[0] + uint32_t(i.o[1]);
  if (!checkQuarter(x, i, address))
    return;
  const std::vector<int32_t> &to = i.extra->v[0];
  TensorUser user = accessUser(x, false);
  x.m.loadRegisters(x, i);
  TensorAccess a{&i, x.frame, address, std::vector<uint32_t>(to.size() * 32)};
  for (int r = 0; r < int(to.size()); ++r)
    for (int l = 0; l < 32; ++l) {
      uint32_t value = 0;
      for (int half = 0; half < (i.b ? 2 : 1); ++half) {
        uint32_t *c =
            tensorCell(x, i, address, l, r, half, AccessKind::Read, user);
        if (!c)
          return;
        value |= i.b ? (*c & 0xFFFF) << (16 * half) : *c;
      }
      a.values[size_t(r) * 32 + size_t(l)] = value;
    }
  bool now = x.m.options.async == AsyncMode::Early ||
             (x.m.options.async == AsyncMode::Random && x.m.random() % 2);
  x.warp->tensorLoads.push_back(std::move(a));
  if (now)
    x.m.deliverTensorLoads(x);
}

void waitLoads(Exec &x, const Inst &, Mask m) {
  x.m.deliverTensorLoads(x);
  if (x.warp->watch)
    x.warp->watch->early.clear();
  WarpTensor &w = x.warp->tensor;
  w.waited[0] = w.issued[0];
  x.m.tensorPublish(x, m, false);
}

void waitStores(Exec &x, const Inst &, Mask m) {
  WarpTensor &w = x.warp->tensor;
  w.waited[1] = w.issued[1];
  x.m.tensorPublish(x, m, false);
}

void tensorStore(Exec &x, const Inst &i, Mask m) {
  uint32_t address = x.row<uint32_t>(i.o[0])[0] + uint32_t(i.o[1]);
  if (!checkQuarter(x, i, address))
    return;
  const std::vector<int32_t> &from = i.extra->v[0];
  TensorUser user = accessUser(x, true);
  for (int r = 0; r < int(from.size()); ++r)
    for (int l = 0; l < 32; ++l) {
      uint32_t value = x.row<uint32_t>(from[size_t(r)])[l];
      for (int half = 0; half < (i.b ? 2 : 1); ++half) {
        uint32_t *c =
            tensorCell(x, i, address, l, r, half, AccessKind::Write, user);
        if (!c)
          return;
        *c = i.b ? value >> (16 * half) & 0xFFFF : value;
      }
    }
}

/// o[0] d, o[1] A descriptor or address, o[2] B, o[3] idesc, o[4] predicate,
/// o[5], o[6] scales.
void tensorMma(Exec &x, const Inst &i, Mask m) {
  if (!checkGroup(x, i, __builtin_ctz(m)))
    return;
  forLanes(m, [&](int l) {
    TensorOp op;
    op.kind = TensorOp::Mma;
    op.inst = &i;
    op.lane = l;
    const std::vector<int64_t> &offsets = i.extra->numbers;
    op.d = x.row<uint32_t>(i.o[0])[l] + uint32_t(offsets[1]);
    op.a = i.e ? x.row<uint32_t>(i.o[1])[l] + uint32_t(offsets[2])
               : x.row<uint64_t>(i.o[1])[l];
    op.b = x.row<uint64_t>(i.o[2])[l];
    op.idesc = x.row<uint32_t>(i.o[3])[l];
    op.accumulate = x.predicate(uint32_t(i.o[4])) >> l & 1;
    for (size_t k = 0; k < i.extra->v[0].size(); ++k)
      op.disable[k] = x.row<uint32_t>(i.extra->v[0][k])[l];
    if (i.o[5] >= 0) {
      op.scaleA = x.row<uint32_t>(i.o[5])[l] + uint32_t(offsets[3]);
      op.scaleB = x.row<uint32_t>(i.o[6])[l] + uint32_t(offsets[4]);
    }
    submit(x, std::move(op));
  });
}

void tensorCopy(Exec &x, const Inst &i, Mask m) {
  if (!checkGroup(x, i, __builtin_ctz(m)))
    return;
  forLanes(m, [&](int l) {
    TensorOp op;
    op.kind = TensorOp::Copy;
    op.inst = &i;
    op.lane = l;
    op.d = x.row<uint32_t>(i.o[0])[l];
    op.a = x.row<uint64_t>(i.o[1])[l];
    submit(x, std::move(op));
  });
}

void tensorCommit(Exec &x, const Inst &i, Mask m) {
  forLanes(m, [&](int l) {
    TensorOp op;
    op.kind = TensorOp::Commit;
    op.inst = &i;
    op.lane = l;
    op.barrier = laneAddress(x, i, i.o[1], l);
    if (op.barrier >= kSharedWindow)
      op.barrier -= kSharedWindow;
    if (i.o[2] >= 0)
      op.multicast = x.row<uint32_t>(i.o[2])[l] & 0xFFFF;
    submit(x, std::move(op));
  });
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// `[taddr]` or `[taddr+offset]`; the offset goes to o[1].
bool tensorAddress(Decoder &d, const Operand &o, int32_t &row,
                   int32_t &offset) {
  Decoder::Address a;
  if (!d.address(o, Space::Shared, a))
    return false;
  if (a.row < 0) {
    row = d.constantRow(uint64_t(a.offset), 4);
    offset = 0;
    return true;
  }
  if (a.wide)
    return d.fail("expected a 32-bit tensor-memory address");
  row = a.row;
  offset = int32_t(a.offset);
  return true;
}

bool decodeAccess(Decoder &d, bool isLoad) {
  if (d.has("red"))
    return d.fail("'tcgen05.ld.red' is not supported");
  d.has("sync");
  d.has("aligned");
  d.inst.aligned = true;
  static const std::pair<const char *, int> shapes[] = {{"32x32b", 1},
                                                        {"16x64b", 1},
                                                        {"16x128b", 2},
                                                        {"16x256b", 4},
                                                        {"16x32bx2", 1}};
  int per = 0, times = 0;
  for (int k = 0; k < 5; ++k)
    if (d.has(shapes[k].first)) {
      d.inst.a = uint8_t(k);
      per = shapes[k].second;
    }
  for (const std::string &w : d.s->words)
    if (!times && std::sscanf(w.c_str(), "x%d", &times) == 1)
      d.has(w);
  d.inst.b = d.has("pack::16b") || d.has("unpack::16b");
  d.type();
  size_t n = d.inst.a == 4 ? 3 : 2;
  if (!per || !times || !d.operands(n, n))
    return d.fail("expected a shape and a count");
  const Operand &address = d.operand(isLoad ? 1 : 0);
  const Operand &regs = d.operand(isLoad ? 0 : n - 1);
  std::vector<int32_t> &rows = d.extra().v[0];
  if (!(isLoad ? d.destinations(regs, Type::B32, rows)
               : d.sources(regs, Type::B32, rows)) ||
      !tensorAddress(d, address, d.inst.o[0], d.inst.o[1]))
    return false;
  if (n == 3 && !d.immediate(d.operand(isLoad ? 2 : 1), d.inst.imm))
    return false;
  size_t expected = size_t(per * times);
  if (rows.size() != expected)
    return d.fail("expected " + std::to_string(expected) + " registers");
  d.inst.registers = isLoad ? Inst::TensorLoad : Inst::Plain;
  d.emit(isLoad ? tensorLoad : tensorStore, Class::Tensor);
  return true;
}

bool decodeTensorMma(Decoder &d) {
  static const char *const kinds[] = {"f16",      "tf32", "f8f6f4",  "i8",
                                      "mxf8f6f4", "mxf4", "mxf4nvf4"};
  std::string kind, rest;
  if (d.has("sp"))
    return d.fail("sparse products are not supported");
  d.inst.c = d.has("ws");
  d.prefixed("cta_group::", rest);
  d.inst.b = uint8_t(rest == "2" ? 2 : 1);
  d.prefixed("kind::", kind);
  int k = -1;
  for (int j = 0; j < 7; ++j)
    if (kind == kinds[j])
      k = j;
  if (k < 0)
    return d.fail("unknown kind '" + kind + "'");
  d.inst.a = uint8_t(k);
  bool scaled = d.has("block_scale");
  std::string vec;
  bool block16 = d.has("block16"), block32 = d.has("block32");
  d.prefixed("scale_vec::", vec);
  while (d.prefixed("collector::", rest)) {
  }
  if (d.has("ashift"))
    return d.fail("'.ashift' is not supported");
  int block = block16 || vec == "4X" ? 16 : 32;
  (void)block32;
  d.extra().numbers.push_back(block);
  d.inst.o[5] = d.inst.o[6] = -1;
  size_t n = d.count();
  if (n < (scaled ? 7u : 5u))
    return d.fail("an operand is missing");
  // Offsets of D, A and the scales follow the block size.
  std::vector<int64_t> &numbers = d.extra().numbers;
  auto taddr = [&](size_t k, int32_t &row) {
    int32_t offset;
    if (!tensorAddress(d, d.operand(k), row, offset))
      return false;
    numbers.push_back(offset);
    return true;
  };
  d.inst.e = d.operand(1).kind == Operand::Kind::Address;
  if (!taddr(0, d.inst.o[0]) ||
      !(d.inst.e ? taddr(1, d.inst.o[1])
                 : d.source(d.operand(1), Type::B64, d.inst.o[1])))
    return d.fail("expected '[taddr]' as D, a descriptor or '[taddr]' as A");
  if (!d.inst.e)
    numbers.push_back(0);
  if (!d.source(d.operand(2), Type::B64, d.inst.o[2]) ||
      !d.source(d.operand(3), Type::B32, d.inst.o[3]))
    return false;
  size_t at = 4;
  if (scaled) {
    if (!taddr(4, d.inst.o[5]) || !taddr(5, d.inst.o[6]))
      return d.fail("expected '[taddr]' of the scales");
    at = 6;
  } else if (d.operand(at).kind == Operand::Kind::Vector) {
    size_t masks = d.operand(at).items.size();
    if (masks != (d.inst.b == 2 ? 8u : 4u))
      return d.fail("expected 4 masks of lanes, 8 of a pair");
    if (!d.sources(d.operand(at), Type::B32, d.extra().v[0]))
      return false;
    ++at;
  }
  if (at >= n || !d.predicateSource(d.operand(at), d.inst.o[4]))
    return d.fail("expected the predicate that enables D as input");
  if (at + 1 < n) {
    int64_t scale;
    if (!d.immediate(d.operand(at + 1), scale) || scale < 0 || scale > 15)
      return d.fail("expected a scale of D from 0 to 15");
    d.inst.o[7] = int32_t(scale);
  }
  d.emit(tensorMma, Class::Tensor);
  return true;
}

bool decodeTensorCopy(Decoder &d) {
  std::string rest;
  d.prefixed("cta_group::", rest);
  d.inst.b = uint8_t(rest == "2" ? 2 : 1);
  static const struct {
    const char *name;
    int rows, bits;
  } shapes[] = {{"128x256b", 128, 256},
                {"128x128b", 128, 128},
                {"4x256b", 4, 256},
                {"64x128b", 64, 128},
                {"32x128b", 32, 128}};
  std::vector<int64_t> &n = d.extra().numbers;
  for (auto &s : shapes)
    if (d.has(s.name))
      n = {s.rows, s.bits, 0, 0};
  if (n.empty())
    return d.fail("expected a shape");
  if (d.has("warpx2::02_13"))
    n[2] = 1;
  if (d.has("warpx2::01_23"))
    n[2] = 2;
  if (d.has("warpx4"))
    n[2] = 3;
  d.has("b8x16");
  if (d.has("b6x16_p32"))
    n[3] = 6;
  if (d.has("b4x16_p64"))
    n[3] = 4;
  int32_t offset;
  if (!d.operands(2, 2) ||
      !tensorAddress(d, d.operand(0), d.inst.o[0], offset) || offset ||
      !d.source(d.operand(1), Type::B64, d.inst.o[1]))
    return d.fail("expected '[taddr]' and a descriptor");
  d.emit(tensorCopy, Class::Tensor);
  return true;
}

bool decodeTensor(Decoder &d) {
  std::string rest;
  Space s;
  if (d.next("mma"))
    return decodeTensorMma(d);
  if (d.next("ld"))
    return decodeAccess(d, true);
  if (d.next("st"))
    return decodeAccess(d, false);
  if (d.next("cp"))
    return decodeTensorCopy(d);
  if (d.next("shift"))
    return d.fail("'tcgen05.shift' is not supported");
  bool waitLoad = d.has("wait::ld"), waitStore = d.has("wait::st");
  if (waitLoad || waitStore) {
    d.has("sync");
    d.has("aligned");
    d.inst.aligned = true;
    d.emit(waitLoad ? waitLoads : waitStores, Class::Tensor);
    return true;
  }
  bool before = d.has("fence::before_thread_sync");
  if (before || d.has("fence::after_thread_sync")) {
    d.m.tensorFences = true;
    d.emit(before ? fenceBefore : fenceAfter, Class::Tensor);
    return true;
  }
  bool isAlloc = d.next("alloc"), isFree = !isAlloc && d.next("dealloc");
  if (isAlloc || isFree || d.next("relinquish_alloc_permit")) {
    d.prefixed("cta_group::", rest);
    d.inst.b = uint8_t(rest == "2" ? 2 : 1);
    d.has("sync");
    d.has("aligned");
    d.inst.aligned = true;
    takeMemorySpace(d, s);
    d.type();
    if (isAlloc) {
      if (!d.operands(2, 2) ||
          !d.memoryOperand(d.operand(0),
                           s == Space::Generic ? Space::Shared : s) ||
          !d.source(d.operand(1), Type::B32, d.inst.o[0]))
        return false;
      d.emit(alloc, Class::Tensor);
    } else if (isFree) {
      if (!d.operands(2, 2) ||
          !d.source(d.operand(0), Type::B32, d.inst.o[0]) ||
          !d.source(d.operand(1), Type::B32, d.inst.o[1]))
        return false;
      d.emit(dealloc, Class::Tensor);
    } else {
      d.emit(relinquish, Class::Tensor);
    }
    return true;
  }
  if (d.next("commit")) {
    d.prefixed("cta_group::", rest);
    d.has("mbarrier::arrive::one");
    takeMemorySpace(d, s);
    bool multicast = d.has("multicast::cluster");
    d.type();
    d.inst.o[2] = -1;
    int bits;
    if (!d.operands(multicast ? 2 : 1, multicast ? 2 : 1) ||
        !d.memoryOperand(d.operand(0), s == Space::Generic
                                           ? Space::Generic
                                           : Space::SharedCluster) ||
        (multicast && !d.anySource(d.operand(1), Type::B16, d.inst.o[2], bits)))
      return false;
    d.emit(tensorCommit, Class::Tensor);
    return true;
  }
  return d.fail("unknown operation");
}

} // namespace

void registerTensor() { RegisterDecoders({{"tcgen05", decodeTensor}}); }

} // namespace tileir::emu

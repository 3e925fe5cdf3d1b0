// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tcgen05: matrix products, copies into tensor memory and commits, when they
// happen. Those of a block run in order.
#include "tools/emulator/TensorCore.h"
#include "tools/emulator/FloatOps.h"
#include "tools/emulator/MatrixElement.h"
#include "tools/emulator/Profile.h"

#include <algorithm>

namespace tileir::emu {

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
    else if (op.kind == TensorOp::Shift)
      shift();
    else
      mma();
  }

private:
  void fail(FindingKind kind, const std::string &message) {
    if (failed)
      return;
    failed = true;
    m.report(kind, x, inst, op.lane, message);
    m.fatal();
  }

  void commit() {
    auto arrive = [&](uint64_t address) {
      Region *region;
      Mbarrier *bar =
          m.async.mbarrierAt(x, inst, op.lane, Space::SharedCluster, address,
                             MissingBarrier::Finding, region);
      if (!bar)
        return;
      if (op.user.as != kNoAgent) {
        // Waiters know that what the thread issued before is complete.
        auto *clock = new VectorClock();
        clock->block = home.agentBase() / kAgentsPerBlock;
        clock->set(op.user.as, op.user.clock);
        Block *owner = m.async.ownerOf(x, *region);
        uint32_t at = owner->agentBase() / kAgentsPerBlock;
        bar->arriving.add(at, Scope::Gpu, false, ClockRef(clock));
        // Everything that the thread knew when it committed was executed
        // before.
        bar->arriving.add(at, Scope::Gpu, true, op.issuingThread.snapshot());
        if (owner != &home)
          bar->signal = {bar->phase + 1, true, op.user.as, op.user.clock,
                         m.placeOf(home, op.warp->index, op.lane, inst)};
      }
      m.async.mbarrierArrive(x, inst, op.lane, *bar, 1, op.issuingThread,
                             op.user.as, op.user.clock, op.ticket);
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
    m.memory.checkWritten(x, inst, op.lane, b.shared, offset, bytes);
    if (!m.reports(FindingKind::Race) || op.user.as == kNoAgent)
      return;
    if (&b != &home)
      b.remoteAccesses[op.user.as] = {op.user.clock,
                                      uint32_t(&inst - m.image.code.data())};
    m.races.touchAs(x, inst, op.lane, op.issuingThread, op.user.as,
                    op.user.clock, b.shared, offset, bytes, AccessKind::Read,
                    Cell::AsyncProxy, false);
  }

  /// Bytes of shared memory of block `b` that lie together; pieces of 16 are
  /// checked at once, the first `used` bytes of them. Null after a finding.
  const uint8_t *fetch(Block &b, uint64_t offset, uint32_t bytes,
                       std::vector<bool> &seen, uint32_t used = 16) {
    Region &r = b.shared;
    if (failed)
      return nullptr;
    if (offset < r.low || offset + bytes > r.size) {
      fail(FindingKind::Bounds,
           "matrix descriptor names shared memory outside the block");
      return nullptr;
    }
    uint64_t piece = offset / 16;
    if (seen.empty())
      seen.resize(r.size / 16 + 1);
    if (!seen[piece]) {
      seen[piece] = true;
      touchShared(b, piece * 16,
                  uint32_t(std::min<uint64_t>(used, r.size - piece * 16)));
    }
    return &r.data[offset];
  }

  uint32_t fetchByte(Block &b, uint64_t offset, std::vector<bool> &seen,
                     uint32_t used = 16) {
    const uint8_t *p = fetch(b, offset, 1, seen, used);
    return p ? *p : 0;
  }

  uint32_t *cell(Block &b, uint32_t lane, uint32_t column, AccessKind kind) {
    return cells(b, lane, column, 1, kind);
  }

  /// `count` columns of a lane; null after a finding.
  uint32_t *cells(Block &b, uint32_t lane, uint32_t column, uint32_t count,
                  AccessKind kind) {
    TensorMemory &t = memoryOf(b);
    bool isOnePiece = false;
    for (const auto &p : t.pieces)
      isOnePiece |=
          column >= p.column && column + count <= p.column + p.columns;
    isOnePiece &= lane < kLanes && column + count <= kColumns;
    for (uint32_t c = column; c < column + count && !isOnePiece; ++c) {
      if (lane >= kLanes || c >= kColumns) {
        fail(FindingKind::Bounds, "tensor memory lane " + std::to_string(lane) +
                                      ", column " + std::to_string(c) +
                                      " does not exist");
        return nullptr;
      }
      bool allocated = false;
      for (const auto &p : t.pieces)
        allocated |= c >= p.column && c < p.column + p.columns;
      if (!allocated) {
        fail(FindingKind::Bounds,
             "tensor memory column " + std::to_string(c) + " is not allocated");
        return nullptr;
      }
    }
    uint64_t offset = cellOffset(lane, column);
    m.tensor.touchTensors(x, inst, op.lane, t, offset, count, kind, op.user);
    return reinterpret_cast<uint32_t *>(&t.region.data[offset]);
  }

  //===--- cp -------------------------------------------------------------===//

  void copy() {
    const auto &in = inst.as<TensorCopy>();
    MatrixDescriptor d = MatrixDescriptor::tcgen05(op.a);
    uint32_t rows = in.rows, words = in.bits / 32;
    int packed = in.packedBits;
    for (Block *b : pair()) {
      std::vector<bool> seen;
      uint32_t lane0 = op.d >> 16, column0 = op.d & 0xFFFF;
      for (uint32_t r = 0; r < rows && !failed; ++r)
        for (uint32_t w = 0; w < words && !failed; ++w) {
          uint32_t value = 0;
          for (uint32_t k = 0; k < 4; ++k) {
            uint32_t byte = w * 4 + k;
            if (packed) { // 16 elements in 16 bytes of which 8 or 12 are used.
              uint32_t chunk = byte / 16, e = byte % 16, bit = e * packed;
              uint64_t at = d.kMajor(r, chunk * 16 + bit / 8);
              uint32_t used = 2 * uint32_t(packed);
              uint32_t two = fetchByte(*b, at, seen, used);
              if (bit % 8 + packed > 8)
                two |= fetchByte(*b, d.kMajor(r, chunk * 16 + bit / 8 + 1),
                                 seen, used)
                       << 8;
              value |= (two >> (bit % 8) & ((1u << packed) - 1)) << (8 * k);
            } else {
              value |= fetchByte(*b, d.kMajor(r, byte), seen) << (8 * k);
            }
          }
          uint32_t targets[4], count = 1;
          targets[0] = r;
          if (in.multicast == TensorCopy::Halves02And13) {
            targets[0] = r % 32 + (r / 32) * 32;
            targets[1] = targets[0] + 64;
            count = 2;
          } else if (in.multicast == TensorCopy::Halves01And23) {
            targets[0] = r % 32 + (r / 32) * 64;
            targets[1] = targets[0] + 32;
            count = 2;
          } else if (in.multicast == TensorCopy::Quarters) {
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

  //===--- shift ----------------------------------------------------------===//

  /// Every row of 32 bytes takes the place of the one before it. The rows of a
  /// warp's 32 lanes are shifted by themselves, so that the last of them keeps
  /// what it has: PTX speaks of the last row only; public measurements on a
  /// B200 show the last of every 32.
  void shift() {
    uint32_t column0 = op.d & 0xFFFF;
    for (Block *b : pair())
      for (uint32_t lane = op.d >> 16; lane < kLanes; ++lane) {
        if (lane % 32 == 31)
          continue;
        for (uint32_t c = column0; c < column0 + 8 && !failed; ++c) {
          // Bytes that no thread has written stay unwritten where it goes.
          Region &r = memoryOf(*b).region;
          if (c < kColumns && !r.written[cellOffset(lane + 1, c)]) {
            if (cell(*b, lane, c, AccessKind::Write))
              r.written[cellOffset(lane, c)] = 0;
            continue;
          }
          uint32_t *from = cell(*b, lane + 1, c, AccessKind::Read);
          uint32_t *to = from ? cell(*b, lane, c, AccessKind::Write) : nullptr;
          if (to)
            *to = *from;
        }
      }
    m.scheduler.changed();
  }

  /// The blocks that an instruction works in: one, or the pair.
  std::vector<Block *> pair() {
    if (op.group != 2)
      return {&home};
    uint32_t even = home.clusterRank & ~1u;
    if (even + 1 >= home.cluster->blocks.size()) {
      fail(FindingKind::Cluster,
           "cta_group::2 needs a cluster of at least two blocks");
      return {};
    }
    return {home.cluster->blocks[even], home.cluster->blocks[even + 1]};
  }

  //===--- mma ------------------------------------------------------------===//

  using Kind = TensorMma::Kind;
  const TensorMma &tensorMma() const { return inst.as<TensorMma>(); }

  static Type typeOf(Kind kind, uint32_t code) {
    switch (kind) {
    case TensorMma::F16:
      return code == 0 ? Type::F16 : code == 1 ? Type::BF16 : Type::None;
    case TensorMma::Tf32:
      return code == 2 ? Type::TF32 : Type::None;
    case TensorMma::I8:
      return code == 0 ? Type::U8 : code == 1 ? Type::S8 : Type::None;
    case TensorMma::MxF4:
    case TensorMma::MxF4nvf4:
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

  /// Element (row, k) of a narrow type of the f8f6f4 kinds: 16 lie in 16 bytes,
  /// with a gap after them.
  double narrow(Block &b, const MatrixDescriptor &d, Type t, uint32_t row,
                uint32_t k, std::vector<bool> &seen) {
    uint32_t bits = uint32_t(elementBits(t)), used = 2 * bits;
    uint32_t bit = k / 16 * 128 + k % 16 * bits;
    uint32_t two = fetchByte(b, d.kMajor(row, bit / 8), seen, used);
    if (bit % 8 + bits > 8)
      two |= fetchByte(b, d.kMajor(row, bit / 8 + 1), seen, used) << 8;
    return decodeElement(t, two >> (bit % 8) & ((1u << bits) - 1));
  }

  /// Rows of elements of an operand in shared memory, to their places in `to`.
  template <typename Places>
  void readRows(Block &b, const MatrixDescriptor &d, Type t, bool dense4,
                bool rowMajor, uint32_t first, uint32_t rows,
                std::vector<bool> &seen, Places place, double *to) {
    if (elementBits(t) < 8 && !dense4) {
      for (uint32_t r = 0; r < rows; ++r)
        for (int k = 0; k < place.K && !failed; ++k)
          to[place(int(r), k)] = narrow(b, d, t, first + r, uint32_t(k), seen);
      return;
    }
    readMatrix(
        d, t, rowMajor, int(first), int(rows), place.K,
        [&](uint64_t at, uint32_t bytes) { return fetch(b, at, bytes, seen); },
        place, to);
  }

  /// Shape that an instruction computes, of its kind and descriptor.
  struct Shape {
    uint32_t M, N, K;
    uint32_t stored; ///< Of a row of A: half of K when A is sparse.
    Type d, a, b;
    bool dense4; ///< 4-bit elements lie side by side.
    Sparsity sparsity;
    std::vector<Block *> blocks;
    uint32_t rows; ///< Of A and D in each block.
  };

  /// False after a finding.
  bool takeShape(Shape &s) {
    Kind kind = tensorMma().kind;
    uint32_t id = op.idesc;
    bool mx = kind >= TensorMma::MxF8f6f4;
    s.dense4 = kind == TensorMma::MxF4 || kind == TensorMma::MxF4nvf4;
    s.N = (id >> 17 & 63) << 3;
    s.M = mx ? (id >> 27 & 3) << 7 : (id >> 24 & 31) << 4;
    s.a = typeOf(kind, id >> 7 & 7);
    s.b = typeOf(kind, id >> 10 & 7);
    if (s.a == Type::None || s.b == Type::None) {
      fail(FindingKind::Tcgen05,
           "instruction descriptor has a type that the kind does "
           "not know");
      return false;
    }
    bool sparse = id >> 2 & 1;
    if (sparse != tensorMma().isSparse) {
      fail(FindingKind::Tcgen05, std::string("instruction descriptor says ") +
                                     (sparse ? "sparse" : "dense") +
                                     ", the instruction says otherwise");
      return false;
    }
    s.K = kind == TensorMma::F16    ? 16
          : kind == TensorMma::Tf32 ? 8
          : s.dense4                ? (id >> 31 ? 96 : 64)
                                    : 32;
    s.stored = s.K;
    if (sparse) {
      s.sparsity = {kind == TensorMma::Tf32 ? 2 : s.dense4 ? 8 : 4, true, true};
      s.K *= 2;
    }
    uint32_t d = id >> 4 & 3;
    s.d = mx || d == 1 ? Type::F32 : d == 0 ? Type::F16 : Type::S32;
    bool legalM = op.group == 2 ? s.M == 128 || s.M == 256
                                : s.M == 64 || s.M == 128 ||
                                      (tensorMma().isWs && s.M == 32);
    if (!legalM || s.N < 8 || s.N > 256) {
      fail(FindingKind::Tcgen05, "shape " + std::to_string(s.M) + " x " +
                                     std::to_string(s.N) + " is not legal");
      return false;
    }
    if (tensorMma().isWs && !checkZeroColumns(s))
      return false;
    s.blocks = pair();
    s.rows = s.blocks.empty() ? 0 : s.M / uint32_t(s.blocks.size());
    return !s.blocks.empty();
  }

  /// Lane of a row of a block where columns are not folded: 64 rows take every
  /// other group of 16 lanes.
  uint32_t laneOf(const Shape &s, uint32_t row) const {
    bool spread = s.rows == 64 && !tensorMma().isWs &&
                  (op.group != 2 || s.sparsity.chunk);
    return spread ? row % 16 + 32 * (row / 16) : row;
  }

  /// Of the columns of D; beyond a half or a quarter they lie in further lanes.
  uint32_t partsOf(const Shape &s) const {
    if (tensorMma().isWs)
      return 128 / s.M;
    return op.group == 2 && s.M == 128 && !s.sparsity.chunk ? 2 : 1;
  }

  std::vector<double> readA(const Shape &s, bool rowMajor) {
    std::vector<double> A(size_t(s.M) * s.stored);
    for (size_t c = 0; c < s.blocks.size(); ++c) {
      if (!tensorMma().isInTensorMemory) {
        std::vector<bool> seen;
        readRows(*s.blocks[c], MatrixDescriptor::tcgen05(op.a), s.a, s.dense4,
                 rowMajor, 0, s.rows, seen,
                 InRows{int(s.stored), int(c * s.rows)}, A.data());
        continue;
      }
      uint32_t bits = uint32_t(std::max(elementBits(s.a), s.dense4 ? 4 : 8));
      uint32_t per = 32 / bits; // In a column of tensor memory.
      for (uint32_t r = 0; r < s.rows && !failed; ++r)
        for (uint32_t k = 0; k < s.stored && !failed; ++k) {
          double &to = A[(c * s.rows + r) * s.stored + k];
          if (uint32_t *v = cell(
                  *s.blocks[c], uint32_t(op.a >> 16 & 0xFFFF) + laneOf(s, r),
                  uint32_t(op.a & 0xFFFF) + k / per, AccessKind::Read))
            to = decodeElement(s.a, *v >> (k % per * bits));
        }
    }
    return s.sparsity.chunk ? spread(s, A) : A;
  }

  /// Gives the kept elements of a sparse A their places. Metadata lie beside
  /// the rows: of types of up to 8 bits, a row has eight chunks to a column; of
  /// wider ones, a column has rows r and r + 8 of a group of 16 in its halves,
  /// four chunks each, and further four chunks eight lanes on.
  std::vector<double> spread(const Shape &s, const std::vector<double> &kept) {
    bool wide = elementBits(s.a) >= 16;
    uint32_t selector = wide ? op.idesc & 3 : 0;
    return spreadRows(
        m, x, inst, op.lane, s.sparsity, kept, int(s.M), int(s.K),
        [&](int row, int chunk) -> uint32_t {
          uint32_t r = uint32_t(row) % s.rows, c = uint32_t(chunk);
          uint32_t line = wide ? r / 16 * 16 + c / 4 * 8 + r % 8 : r;
          uint32_t column = wide ? selector : c / 8;
          uint32_t shift = wide ? 16 * (r / 8 & 1) + 4 * (c % 4) : 4 * (c % 8);
          uint32_t *v = cell(*s.blocks[uint32_t(row) / s.rows],
                             (op.metadata >> 16) + laneOf(s, line),
                             (op.metadata & 0xFFFF) + column, AccessKind::Read);
          return v ? *v >> shift & 15 : 4u;
        });
  }

  /// The column of B that column `n` of the product has, or -1 for zeros: the
  /// descriptor of a mask names runs of columns that are used and skipped in
  /// turn, for each part of D, where to begin, and a shift of all columns.
  int sourceColumn(const Shape &s, uint32_t n) const {
    uint64_t mask = op.zeroColumns;
    if (mask >> 39 & 1) {
      uint32_t width = s.N * s.M / 128, part = n / width;
      uint32_t used = (mask >> 48 & 255) + 1, skipped = (mask >> 40 & 255) + 1;
      bool skipsFirst = mask >> (32 + part) & 1;
      uint32_t at = n % width + uint32_t(mask >> (8 * part) & 255);
      at %= used + skipped;
      if (skipsFirst ? at < skipped : at >= used)
        return -1;
    }
    return int(n + (mask >> 56 & 63));
  }

  /// False after a finding.
  bool checkZeroColumns(const Shape &s) {
    uint64_t mask = op.zeroColumns;
    if (mask >> 62 || mask >> 36 & 7) {
      fail(FindingKind::Tcgen05,
           "reserved bits of the mask of zero columns are set");
      return false;
    }
    // The instruction descriptor says how far a shift may go.
    uint32_t shift = mask >> 56 & 63, code = op.idesc >> 30;
    uint32_t most = code ? 4u << code : 0;
    most = std::min(most, s.M == 32 ? 16u : 32u);
    if (shift > most) {
      fail(FindingKind::Tcgen05,
           "the mask of zero columns shifts by " + std::to_string(shift) +
               ", the instruction descriptor allows " + std::to_string(most));
      return false;
    }
    uint32_t used = (mask >> 48 & 255) + 1, skipped = (mask >> 40 & 255) + 1;
    for (uint32_t part = 0; part < 128 / s.M && mask >> 39 & 1; ++part)
      if ((mask >> (8 * part) & 255) >=
          (mask >> (32 + part) & 1 ? skipped : used)) {
        fail(FindingKind::Tcgen05,
             "start count " + std::to_string(part) +
                 " of the mask of zero columns leaves nothing of "
                 "the first span");
        return false;
      }
    return true;
  }

  template <typename Places>
  std::vector<double> readB(const Shape &s, bool rowMajor) {
    std::vector<double> B(size_t(s.N) * s.K);
    uint32_t columns = s.N / uint32_t(s.blocks.size());
    for (size_t c = 0; c < s.blocks.size(); ++c) {
      std::vector<bool> seen;
      MatrixDescriptor d = MatrixDescriptor::tcgen05(op.b);
      auto read = [&](uint32_t n, uint32_t from, uint32_t count) {
        readRows(*s.blocks[c], d, s.b, s.dense4, rowMajor, from, count, seen,
                 Places{int(s.K), int(c * columns + n)}, B.data());
      };
      if (!tensorMma().isWs) {
        read(0, 0, columns);
        continue;
      }
      for (uint32_t n = 0; n < columns; ++n)
        if (int from = sourceColumn(s, n); from >= 0)
          read(n, uint32_t(from), 1);
    }
    return B;
  }

  /// B of every block, as `multiplyRows` takes it. Every block scales its rows
  /// of A, and all of B, by its own tensor memory.
  std::vector<std::vector<double>> scaledB(const Shape &s, bool rowMajor,
                                           std::vector<double> &A) {
    if (tensorMma().kind < TensorMma::MxF8f6f4)
      return {readB<InColumns>(s, rowMajor)};
    std::vector<std::vector<double>> packed(s.blocks.size());
    const std::vector<double> all = readB<InRows>(s, rowMajor);
    for (size_t c = 0; c < s.blocks.size(); ++c) {
      std::vector<double> B = all;
      scale(s, *s.blocks[c], op.scaleA, op.idesc >> 29 & 3, s.rows,
            &A[c * s.rows * s.K]);
      scale(s, *s.blocks[c], op.scaleB, op.idesc >> 4 & 3, s.N, B.data());
      packColumns(B.data(), int(s.N), int(s.K), packed[c]);
    }
    return packed;
  }

  double scaleOf(Block &b, uint32_t base, uint32_t index, uint32_t byte,
                 Type t) {
    // More than four scales go on in the columns of the next atom.
    uint32_t *c =
        cell(b, (base >> 16) + index % 32,
             (base & 0xFFFF) + index / 32 + byte / 4 * 4, AccessKind::Read);
    return c ? decodeElement(t, *c >> (8 * (byte % 4))) : 0;
  }

  /// Multiplies rows of A, or columns of B, by their scales, which `block` has
  /// for `count` of them from `first` on.
  void scale(const Shape &s, Block &block, uint32_t base, uint32_t id,
             uint32_t count, double *values) {
    // Elements to a scale; a sparse product has as many scales as a dense one.
    uint32_t size = tensorMma().blockSize;
    if (s.sparsity.chunk)
      size *= 2;
    Type t = op.idesc >> 23 & 1 ? Type::UE8M0 : Type::UE4M3;
    for (uint32_t r = 0; r < count && !failed; ++r)
      for (uint32_t k = 0; k < s.K; ++k) {
        if (k % size == 0)
          factor = scaleOf(block, base, r, id + k / size, t);
        values[size_t(r) * s.K + k] *= factor;
      }
  }

  void mma() {
    Kind kind = tensorMma().kind;
    uint32_t id = op.idesc;
    Shape s;
    if (!takeShape(s))
      return;
    bool rows = !s.dense4; // 4-bit operands are always K-major.
    std::vector<double> A = readA(s, rows && (id >> 15 & 1));
    std::vector<std::vector<double>> B = scaledB(s, rows && (id >> 16 & 1), A);
    bool negate = kind != TensorMma::I8 && ((id >> 13 ^ id >> 14) & 1);
    std::vector<double> dots(size_t(s.rows) * s.N);
    for (size_t c = 0; c < s.blocks.size() && !failed; ++c) {
      multiplyRows(&A[c * s.rows * s.K], B[c % B.size()].data(), dots.data(),
                   int(s.rows), int(s.N), int(s.K));
      if (negate)
        for (double &sum : dots)
          sum = -sum;
      for (uint32_t r = 0; r < s.rows && !failed; ++r)
        accumulate(s, c, r, &dots[size_t(r) * s.N]);
    }
    ++m.stats.tensorInstructions;
    m.stats.tensorMacs += uint64_t(s.M) * s.N * s.K;
    if (m.profile) {
      // The part of one SM of a pair; A may come from tensor memory.
      uint64_t blocks = s.blocks.size();
      uint64_t elements =
          (tensorMma().isInTensorMemory ? 0 : uint64_t(s.M) * s.K) +
          uint64_t(s.N) * s.K;
      int bits = kind > TensorMma::MxF8f6f4 ? 4
                 : kind == TensorMma::F16   ? 16
                 : kind == TensorMma::Tf32  ? 32
                                            : 8;
      m.profile->tensorWork(home, op.ticket, uint64_t(s.M) * s.N * s.K / blocks,
                            elements * uint64_t(bits) / 8 / blocks);
    }
    m.scheduler.changed();
  }

  /// Adds a row of sums to D, or sets it.
  void accumulate(const Shape &s, size_t block, uint32_t row,
                  const double *dots) {
    uint32_t width = s.N / partsOf(s), lane = laneOf(s, row) + (op.d >> 16);
    for (uint32_t n = 0; n < s.N && !failed; n += width) {
      uint32_t at = lane + 128 / partsOf(s) * (n / width);
      if (op.disable[(block * 4 + at / 32) % 8] >> at % 32 & 1)
        continue;
      uint32_t *d =
          cells(*s.blocks[block], at, op.d & 0xFFFF, width,
                op.accumulate ? AccessKind::Atomic : AccessKind::Write);
      if (d && s.d == Type::F32 && !tensorMma().scaleD)
        addFloats(d, dots + n, width);
      else
        for (uint32_t k = 0; d && k < width; ++k)
          d[k] = accumulated(s, d[k], dots[n + k]);
    }
  }

  void addFloats(uint32_t *d, const double *dots, uint32_t count) const {
    for (uint32_t k = 0; k < count; ++k) {
      double old = op.accumulate ? double(asFloat(d[k])) : 0;
      d[k] = asBits(canonical(float(dots[k] + old)));
    }
  }

  uint32_t accumulated(const Shape &s, uint32_t before, double sum) const {
    double old = !op.accumulate     ? 0
                 : s.d == Type::F16 ? double(halfToFloat(uint16_t(before)))
                 : s.d == Type::S32 ? double(int32_t(before))
                                    : double(asFloat(before));
    sum += tensorMma().scaleD ? std::ldexp(old, -tensorMma().scaleD) : old;
    if (s.d == Type::F16)
      return floatToHalf(sum);
    if (s.d == Type::F32)
      return asBits(canonical(float(sum)));
    if (op.idesc >> 3 & 1)
      return uint32_t(int32_t(std::clamp(sum, -2147483648.0, 2147483647.0)));
    return uint32_t(int64_t(sum));
  }

  Machine &m;
  Exec &x;
  Block &home;
  const TensorOp &op;
  const Inst &inst;
  AsIssuingWarp scope;
  double factor = 1; ///< The scale of the elements that follow.
  bool failed = false;
};

} // namespace

void TensorUnit::performTensor(Exec &x, Block &block, const TensorOp &op) {
  TensorRun(machine, x, block, op).run();
}

} // namespace tileir::emu

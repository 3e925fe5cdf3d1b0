// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// wgmma: each warp of a group computes its 16 rows; shared operands are read
// when the instruction is performed, at the latest at the wait.
#include "tools/emulator/Decode.h"
#include "tools/emulator/FloatOps.h"
#include "tools/emulator/MatrixElement.h"

#include <algorithm>

namespace tileir::emu {

namespace {

/// One wgmma of one warp, when it happens.
class WgmmaRun {
public:
  WgmmaRun(Machine &m, Exec &x, Warp &warp, const WgmmaOp &op)
      : m(m), x(x), warp(warp), op(op), inst(*op.inst),
        in(inst.as<WgmmaOperands>()), shared(warp.block->shared),
        scope(x, warp),
        racing(m.reports(FindingKind::Race) && warp.wgmma->agent != kNoAgent) {}

  void run() {
    std::vector<double> A = readA();
    if (in.chunk)
      A = spread(A);
    std::vector<double> B = readB();
    multiply(A, B);
    if (warp.index % 4 == 0) // One for the group.
      ++m.stats.tensorInstructions;
    m.stats.tensorMacs += uint64_t(16) * uint64_t(in.n) * uint64_t(in.k);
  }

private:
  template <typename T> T *row(int32_t r) {
    return reinterpret_cast<T *>(op.frame->rows + size_t(r) * 128);
  }

  /// Checks a piece of 16 bytes.
  void touch(uint64_t piece) {
    uint32_t count = uint32_t(std::min<uint64_t>(16, shared.size - piece * 16));
    m.memory.checkWritten(x, inst, 0, shared, piece * 16, count);
    if (racing)
      m.races.touchAs(x, inst, 0, op.issuingThread, warp.wgmma->agent,
                      op.sequence, shared, piece * 16, count, AccessKind::Read,
                      Cell::AsyncProxy, false);
  }

  /// Bytes of a matrix that lie together; 16-byte pieces are checked once a
  /// matrix. Null after a finding.
  const uint8_t *fetch(uint64_t offset, uint32_t bytes,
                       std::vector<bool> &seen) {
    if (failed)
      return nullptr;
    if (offset < shared.low || offset + bytes > shared.size) {
      m.report(FindingKind::Bounds, x, inst, 0,
               "matrix descriptor names shared memory outside the block");
      m.fatal();
      failed = true;
      return nullptr;
    }
    uint64_t piece = offset / 16;
    if (seen.empty())
      seen.resize(shared.size / 16 + 1);
    if (!seen[piece]) {
      seen[piece] = true;
      touch(piece);
    }
    return &shared.data[offset];
  }

  /// Rows of a matrix in shared memory.
  template <typename Places>
  void read(uint64_t descriptor, Type t, bool transposed, int first, int rows,
            Places place, double *to) {
    std::vector<bool> seen;
    readMatrix(
        MatrixDescriptor::wgmma(descriptor), t, transposed, first, rows,
        place.K,
        [&](uint64_t at, uint32_t bytes) { return fetch(at, bytes, seen); },
        place, to);
  }

  /// The 16 rows of A that are this warp's.
  std::vector<double> readA() {
    int stored = in.chunk ? in.k / 2 : in.k; // Of a row.
    std::vector<double> A(size_t(16) * stored);
    if (in.hasFragment()) {
      int bits = elementBits(in.typeA), per = 32 / bits;
      for (int l = 0; l < 32; ++l) {
        int g = l / 4, t = l % 4;
        for (int r = 0; r < 4; ++r) {
          uint32_t v = row<uint32_t>(in.a[size_t(r)])[l];
          for (int j = 0; j < per; ++j) {
            int m = g + 8 * (r & 1), k = per * t + j + 4 * per * (r >> 1);
            A[size_t(m) * stored + k] =
                decodeElement(in.typeA, v >> (bits * j));
          }
        }
      }
      return A;
    }
    read(op.a, in.typeA, in.transposesA, warp.index % 4 * 16, 16,
         InRows{stored}, A.data());
    return A;
  }

  std::vector<double> spread(const std::vector<double> &kept) {
    Sparsity sparsity{in.chunk, true};
    return spreadRows(
        m, x, inst, 0, sparsity, kept, 16, in.k, [&](int row, int chunk) {
          MetadataPlace p = metadataPlace(in.typeA, in.k / in.chunk,
                                          int(in.selector), row, chunk);
          return op.metadata[size_t(p.lane)] >> p.shift & 15;
        });
  }

  std::vector<double> readB() {
    std::vector<double> B(size_t(in.n) * in.k);
    read(op.b, in.typeB, in.transposesB, 0, in.n, InColumns{in.k}, B.data());
    return B;
  }

  void multiply(const std::vector<double> &A, const std::vector<double> &B) {
    if (failed)
      return;
    double scale = double(in.scaleA * in.scaleB);
    std::vector<double> dots(size_t(16) * in.n);
    multiplyRows(A.data(), B.data(), dots.data(), 16, in.n, in.k);
    if (in.typeD == Type::F32)
      return addFloats(dots.data(), scale);
    for (int l = 0; l < 32; ++l) {
      int g = l / 4, t = l % 4;
      for (int r = 0; r < in.n / 2; ++r) {
        int m = g + 8 * (r >> 1 & 1), n = 8 * (r >> 2) + 2 * t + (r & 1);
        add(l, r, dots[size_t(m) * in.n + n] * scale);
      }
    }
  }

  /// Adds to accumulators of f32, or sets them.
  void addFloats(const double *dots, double scale) {
    for (int r = 0; r < in.n / 2; ++r) {
      float *d = row<float>(in.d[size_t(r)]);
      const double *from =
          dots + 8 * (r >> 1 & 1) * in.n + 8 * (r >> 2) + (r & 1);
      double values[32];
      for (int l = 0; l < 32; ++l)
        values[l] = from[l / 4 * in.n + 2 * (l % 4)] * scale;
      for (int l = 0; l < 32; ++l)
        d[l] = canonical(
            float(op.accumulate ? values[l] + double(d[l]) : values[l]));
    }
  }

  /// Adds to accumulator `r` of a lane, or sets it.
  void add(int l, int r, double sum) {
    if (in.typeD == Type::F16) {
      uint32_t &d = row<uint32_t>(in.d[size_t(r / 2)])[l];
      int shift = 16 * (r & 1);
      if (op.accumulate)
        sum += halfToFloat(uint16_t(d >> shift));
      d = (d & ~(0xFFFFu << shift)) | uint32_t(floatToHalf(sum)) << shift;
    } else {
      int32_t &d = row<int32_t>(in.d[size_t(r)])[l];
      if (op.accumulate)
        sum += d;
      d = in.saturates ? int32_t(std::clamp(sum, -2147483648.0, 2147483647.0))
                       : int32_t(uint32_t(int64_t(sum)));
    }
  }

  Machine &m;
  Exec &x;
  Warp &warp;
  const WgmmaOp &op;
  const Inst &inst;
  const WgmmaOperands &in;
  Region &shared;
  AsIssuingWarp scope;
  bool racing, failed = false;
};

} // namespace

void TensorUnit::performWgmma(Exec &x, Warp &warp, const WgmmaOp &op) {
  WgmmaRun(machine, x, warp, op).run();
}

void TensorUnit::performWgmmas(Exec &x, uint32_t upTo) {
  WgmmaState &s = *x.warp->wgmma;
  size_t done = 0;
  while (done < s.pending.size() && s.pending[done].sequence <= upTo &&
         !machine.stopped)
    performWgmma(x, *x.warp, s.pending[done++]);
  s.pending.erase(s.pending.begin(), s.pending.begin() + long(done));
}

namespace {

WgmmaState &stateOf(Exec &x) {
  if (!x.warp->wgmma) {
    x.warp->wgmma = std::make_unique<WgmmaState>();
    x.warp->wgmma->agent = x.block->newAgent();
  }
  return *x.warp->wgmma;
}

void mmaAsync(Exec &x, const Inst &i, Mask m) {
  const auto &in = i.as<WgmmaOperands>();
  WgmmaState &s = stateOf(x);
  if (x.block->threads < uint32_t(x.warp->index / 4 + 1) * 128) {
    x.m.report(FindingKind::Wgmma, x, i, 0,
               "wgmma needs a group of four warps");
    x.m.fatal();
    return;
  }
  WgmmaOp op;
  op.inst = &i;
  op.frame = x.frame;
  if (!in.hasFragment())
    op.a = x.row<uint64_t>(in.descriptorA)[0];
  op.b = x.row<uint64_t>(in.descriptorB)[0];
  op.accumulate = x.predicate(uint32_t(in.accumulates)) & 1;
  if (in.chunk)
    op.metadata.assign(x.row<uint32_t>(in.metadata),
                       x.row<uint32_t>(in.metadata) + 32);
  op.sequence = ++s.issued;
  s.last = &i;
  op.issuingThread = x.clock(0);
  forLanes(m, [&](int l) { ++x.clock(l).clock; });
  x.m.registers.wgmmaRegisters(x, i, op.sequence);
  x.m.tensor.groupWgmma(x, i, op);
  s.pending.push_back(op);
  // Instructions of one warp finish in order.
  if (x.m.options.async == AsyncMode::Early ||
      (x.m.options.async == AsyncMode::Random &&
       x.m.scheduler.random() % 3 == 0))
    x.m.tensor.performWgmmas(x, s.issued);
}

void commit(Exec &x, const Inst &i, Mask m) {
  WgmmaState &s = stateOf(x);
  s.groups.push_back(s.issued);
}

void wait(Exec &x, const Inst &i, Mask m) {
  WgmmaState &s = stateOf(x);
  uint32_t target = 0;
  while (int64_t(s.groups.size()) > i.as<GroupWait>().left) {
    target = s.groups.front();
    s.groups.pop_front();
  }
  if (!target)
    return;
  x.m.tensor.performWgmmas(x, target);
  s.waited = std::max(s.waited, target);
  if (s.agent == kNoAgent)
    return;
  auto *clock = new VectorClock();
  clock->block = x.block->agentBase() / kAgentsPerBlock;
  clock->set(s.agent, target);
  ClockRef seen(clock);
  forLanes(m, [&](int l) { x.clock(l).acquire(seen); });
}

void fence(Exec &x, const Inst &, Mask) { x.m.registers.fenceRegisters(x); }

/// Metadata and selector of a sparse A.
bool takeMetadata(Decoder &d, WgmmaOperands &in) {
  in.chunk = in.typeA == Type::TF32 ? 2 : 4;
  int values = selectorCount(in.typeA, in.k / in.chunk);
  if (!d.source(d.operand(3), Type::B32, in.metadata) ||
      !d.immediate(d.operand(4), in.selector))
    return d.fail("expected metadata and the selector of its threads");
  if (in.selector < 0 || in.selector >= values)
    return d.fail("the sparsity selector must be below " +
                  std::to_string(values));
  return true;
}

/// D, A and B.
bool takeMatrices(Decoder &d, WgmmaOperands &in, bool fragment) {
  if (!d.destinations(d.operand(0), Type::B32, in.d))
    return false;
  if (int(in.d.size()) != (in.typeD == Type::F16 ? in.n / 4 : in.n / 2))
    return d.fail("wrong number of accumulator registers");
  if (fragment) {
    if (!d.sources(d.operand(1), Type::B32, in.a) || in.a.size() != 4)
      return d.fail("expected four registers of A");
  } else if (!d.source(d.operand(1), Type::B64, in.descriptorA)) {
    return false;
  }
  return d.source(d.operand(2), Type::B64, in.descriptorB);
}

/// Takes the shape m64nNkK and the types.
bool takeShapeAndTypes(Decoder &d, WgmmaOperands &in, bool sparse) {
  int m = 0;
  for (const std::string &w : d.s->words)
    if (std::sscanf(w.c_str(), "m%dn%dk%d", &m, &in.n, &in.k) == 3)
      d.has(w);
  in.saturates = d.has("satfinite");
  for (Type *t : {&in.typeD, &in.typeA, &in.typeB})
    *t = d.type();
  if (m != 64 || in.n < 8 || in.n > 256 || in.n % 8 || in.typeB == Type::None)
    return d.fail("expected a shape m64nNkK and three types");
  if (in.k * elementBits(in.typeA) != (sparse ? 512 : 256))
    return d.fail("K does not fit the type of A");
  if (in.typeA == Type::B1 && (!d.has("and") || !d.has("popc") || sparse))
    return d.fail("expected a dense MMA of bits with '.and.popc'");
  return true;
}

bool decodeMmaAsync(Decoder &d) {
  auto &in = d.make<WgmmaOperands>();
  bool sparse = d.has("sp");
  if (!takeShapeAndTypes(d, in, sparse))
    return false;
  bool half = in.typeA == Type::F16 || in.typeA == Type::BF16;
  bool fragment = d.count() > 1 && d.operand(1).kind == Operand::Kind::Vector;
  size_t immediates = in.typeD == Type::S32 ? 0 : !half ? 2 : fragment ? 3 : 4;
  size_t scaleAt = sparse ? 5 : 3;
  // Without the scale-d predicate, D is accumulated.
  if (!d.operands(scaleAt + immediates, scaleAt + 1 + immediates))
    return false;
  bool hasScale = d.count() == scaleAt + 1 + immediates;
  if (!takeMatrices(d, in, fragment) || (sparse && !takeMetadata(d, in)) ||
      (hasScale && !d.predicateSource(d.operand(scaleAt), in.accumulates)))
    return false;
  int64_t *values[] = {&in.scaleA, &in.scaleB, &in.transposesA,
                       &in.transposesB};
  if (fragment) // Only B can be transposed.
    values[2] = &in.transposesB;
  for (size_t j = 0; j < immediates; ++j)
    if (!d.immediate(d.operand(d.count() - immediates + j), *values[j]))
      return false;
  d.inst.registers = Inst::Wgmma;
  d.emit(mmaAsync, Class::Tensor);
  return true;
}

bool decodeWgmma(Decoder &d) {
  bool isFence = d.has("fence"), isCommit = d.has("commit_group"),
       isWait = d.has("wait_group"), isMma = d.has("mma_async");
  if (!d.has("sync") || !d.has("aligned"))
    return d.fail("expected '.sync.aligned'");
  d.inst.aligned = true;
  if (isFence || isCommit) {
    d.emit(isFence ? fence : commit, Class::Tensor);
    return true;
  }
  if (isWait) {
    auto &in = d.make<GroupWait>();
    return d.operands(1, 1) && d.immediate(d.operand(0), in.left) &&
           (d.emit(wait, Class::Tensor), true);
  }
  if (!isMma)
    return d.fail("unknown operation");
  return decodeMmaAsync(d);
}

} // namespace

void registerWgmma() { RegisterDecoders({{"wgmma", decodeWgmma}}); }

} // namespace tileir::emu

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// wgmma: each warp of a group computes its 16 rows; shared operands are read
// when the instruction is performed, at the latest at the wait.
#include "tools/emulator/Decode.h"
#include "tools/emulator/Descriptor.h"
#include "tools/emulator/FloatOps.h"
#include "tools/emulator/MatrixElement.h"

#include <algorithm>

namespace tileir::emu {

/// Numbers of Extra.
enum {
  N_,
  K_,
  ScaleA,
  ScaleB,
  TransposeA,
  TransposeB,
  Chunk, ///< Of a sparse A: see `Sparsity`. 0 when A is dense.
  Selector,
  NumberCount
};

// i.a satfinite; i.b A in registers; v[0] D, v[1] A; o[0], o[1] descriptors;
// o[2] scale-d; o[3] metadata of a sparse A; types D, A, B.
void Machine::performWgmma(Exec &x, Warp &warp, const WgmmaOp &op) {
  AsIssuer scope(x, warp);
  const Inst &i = *op.inst;
  const Extra &e = *i.extra;
  int N = int(e.numbers[N_]), K = int(e.numbers[K_]);
  Sparsity sparsity{int(e.numbers[Chunk]), true};
  int stored = sparsity.chunk ? K / 2 : K; // Of a row of A.
  Type dt = e.types[0], at = e.types[1], bt = e.types[2];
  Region &shared = warp.block->shared;
  Frame &f = *op.frame;
  auto row = [&](int32_t r) { return f.rows + size_t(r) * 128; };
  bool raceOn = reports(FindingKind::Race) && warp.wgmma->agent != kNoAgent;
  bool bad = false;
  // Reads one element; 16-byte pieces are checked once a matrix.
  auto fetch = [&](uint64_t offset, int bytes, std::vector<uint64_t> &seen) {
    uint64_t value = 0;
    if (bad)
      return value;
    if (offset < shared.low || offset + uint64_t(bytes) > shared.size) {
      report(FindingKind::Bounds, x, i, 0,
             "matrix descriptor names shared memory outside the block");
      fatal();
      bad = true;
      return value;
    }
    uint64_t piece = offset / 16;
    if (seen.size() <= piece)
      seen.resize(piece + 1, 0);
    if (!seen[piece]) {
      seen[piece] = 1;
      uint32_t count =
          uint32_t(std::min<uint64_t>(16, shared.size - piece * 16));
      checkWritten(x, i, 0, shared, piece * 16, count);
      if (raceOn) {
        touchAs(x, i, 0, op.issuer, warp.wgmma->agent, op.sequence, shared,
                piece * 16, count, AccessKind::Read, Cell::AsyncProxy, false);
      }
    }
    std::memcpy(&value, &shared.data[offset], size_t(bytes));
    return value;
  };
  // An element of a matrix in shared memory; bits lie in bytes.
  auto element = [&](const MatrixDescriptor &d, Type t, bool transposed,
                     int rowOfMatrix, int k, std::vector<uint64_t> &seen) {
    int bits = elementBits(t), bytes = std::max(bits / 8, 1);
    uint64_t where =
        transposed
            ? d.rowMajor(uint64_t(rowOfMatrix), uint64_t(k), uint64_t(bytes))
            : d.kMajor(uint64_t(rowOfMatrix), uint64_t(k * bits / 8));
    return decodeElement(t, fetch(where, bytes, seen) >> (k * bits % 8));
  };
  std::vector<uint64_t> seenA, seenB;
  std::vector<double> A(size_t(16) * stored), B(size_t(N) * K);
  int first = warp.index % 4 * 16;
  if (i.b) {
    int bits = elementBits(at), per = 32 / bits;
    for (int l = 0; l < 32; ++l) {
      int g = l / 4, t = l % 4;
      for (int r = 0; r < 4; ++r) {
        uint32_t v = reinterpret_cast<uint32_t *>(row(e.v[1][size_t(r)]))[l];
        for (int j = 0; j < per; ++j) {
          int m = g + 8 * (r & 1), k = per * t + j + 4 * per * (r >> 1);
          A[size_t(m) * stored + k] = decodeElement(at, v >> (bits * j));
        }
      }
    }
  } else {
    MatrixDescriptor d = MatrixDescriptor::wgmma(op.a);
    for (int m = 0; m < 16; ++m)
      for (int k = 0; k < stored; ++k)
        A[size_t(m) * stored + k] =
            element(d, at, e.numbers[TransposeA], first + m, k, seenA);
  }
  if (sparsity.chunk)
    A = spreadRows(*this, x, i, 0, sparsity, A, 16, K, [&](int m, int chunk) {
      MetadataPlace p = metadataPlace(at, K / sparsity.chunk,
                                      int(e.numbers[Selector]), m, chunk);
      return op.metadata[size_t(p.lane)] >> p.shift & 15;
    });
  MatrixDescriptor descriptorB = MatrixDescriptor::wgmma(op.b);
  for (int n = 0; n < N; ++n)
    for (int k = 0; k < K; ++k)
      B[size_t(n) * K + k] =
          element(descriptorB, bt, e.numbers[TransposeB], n, k, seenB);
  double scale = double(e.numbers[ScaleA] * e.numbers[ScaleB]);
  for (int l = 0; l < 32 && !bad; ++l) {
    int g = l / 4, t = l % 4;
    for (int r = 0; r < N / 2; ++r) {
      int m = g + 8 * (r >> 1 & 1), n = 8 * (r >> 2) + 2 * t + (r & 1);
      const double *p = &A[size_t(m) * K], *q = &B[size_t(n) * K];
      double sum = 0;
      for (int k = 0; k < K; ++k)
        sum += p[k] * q[k];
      sum *= scale;
      if (dt == Type::F16) {
        uint32_t &d =
            reinterpret_cast<uint32_t *>(row(e.v[0][size_t(r / 2)]))[l];
        int shift = 16 * (r & 1);
        if (op.accumulate)
          sum += halfToFloat(uint16_t(d >> shift));
        d = (d & ~(0xFFFFu << shift)) | uint32_t(floatToHalf(sum)) << shift;
      } else if (dt == Type::S32) {
        int32_t &d = reinterpret_cast<int32_t *>(row(e.v[0][size_t(r)]))[l];
        if (op.accumulate)
          sum += d;
        d = i.a ? int32_t(std::clamp(sum, -2147483648.0, 2147483647.0))
                : int32_t(uint32_t(int64_t(sum)));
      } else {
        float &d = reinterpret_cast<float *>(row(e.v[0][size_t(r)]))[l];
        if (op.accumulate)
          sum += d;
        d = canonical(float(sum));
      }
    }
  }
  if (warp.index % 4 == 0) // One for the group.
    ++stats.tensorInstructions;
  stats.tensorMacs += uint64_t(16) * uint64_t(N) * uint64_t(K);
}

void Machine::performWgmmas(Exec &x, uint32_t upTo) {
  WgmmaState &s = *x.warp->wgmma;
  size_t done = 0;
  while (done < s.pending.size() && s.pending[done].sequence <= upTo &&
         !stopped)
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
  if (!i.b)
    op.a = x.row<uint64_t>(i.o[0])[0];
  op.b = x.row<uint64_t>(i.o[1])[0];
  op.accumulate = x.predicate(uint32_t(i.o[2])) & 1;
  if (i.extra->numbers[Chunk])
    op.metadata.assign(x.row<uint32_t>(i.o[3]), x.row<uint32_t>(i.o[3]) + 32);
  op.sequence = ++s.issued;
  s.last = &i;
  op.issuer = x.clock(0);
  forLanes(m, [&](int l) { ++x.clock(l).clock; });
  x.m.wgmmaRegisters(x, i, op.sequence);
  x.m.groupWgmma(x, i, op);
  s.pending.push_back(op);
  // Instructions of one warp finish in order.
  if (x.m.options.async == AsyncMode::Early ||
      (x.m.options.async == AsyncMode::Random && x.m.random() % 3 == 0))
    x.m.performWgmmas(x, s.issued);
}

void commit(Exec &x, const Inst &i, Mask m) {
  WgmmaState &s = stateOf(x);
  s.groups.push_back(s.issued);
}

void wait(Exec &x, const Inst &i, Mask m) {
  WgmmaState &s = stateOf(x);
  uint32_t target = 0;
  while (int64_t(s.groups.size()) > i.imm) {
    target = s.groups.front();
    s.groups.pop_front();
  }
  if (!target)
    return;
  x.m.performWgmmas(x, target);
  s.waited = std::max(s.waited, target);
  if (s.agent == kNoAgent)
    return;
  auto *clock = new VectorClock();
  clock->block = x.block->agentBase() / kAgentsPerBlock;
  clock->set(s.agent, target);
  ClockRef seen(clock);
  forLanes(m, [&](int l) { x.clock(l).acquire(seen); });
}

void fence(Exec &x, const Inst &, Mask) { x.m.fenceRegisters(x); }

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
    if (!d.operands(1, 1) || !d.immediate(d.operand(0), d.inst.imm))
      return false;
    d.emit(wait, Class::Tensor);
    return true;
  }
  if (!isMma)
    return d.fail("unknown operation");
  bool sparse = d.has("sp");
  int m = 0, n = 0, k = 0;
  for (const std::string &w : d.s->words)
    if (std::sscanf(w.c_str(), "m%dn%dk%d", &m, &n, &k) == 3)
      d.has(w);
  d.inst.a = d.has("satfinite");
  Extra &e = d.extra();
  for (int t = 0; t < 3; ++t)
    e.types[t] = d.type();
  Type dt = e.types[0], at = e.types[1], bt = e.types[2];
  if (m != 64 || n < 8 || n > 256 || n % 8 || bt == Type::None)
    return d.fail("expected a shape m64nNkK and three types");
  if (k * elementBits(at) != (sparse ? 512 : 256))
    return d.fail("K does not fit the type of A");
  if (at == Type::B1 && (!d.has("and") || !d.has("popc") || sparse))
    return d.fail("expected a dense product of bits with '.and.popc'");
  bool integer = dt == Type::S32;
  bool half = at == Type::F16 || at == Type::BF16;
  d.inst.b = d.count() > 1 && d.operand(1).kind == Operand::Kind::Vector;
  size_t immediates = integer ? 0 : !half ? 2 : d.inst.b ? 3 : 4;
  size_t scaleAt = sparse ? 5 : 3;
  // Without the scale-d predicate, D is accumulated.
  if (!d.operands(scaleAt + immediates, scaleAt + 1 + immediates))
    return false;
  bool hasScale = d.count() == scaleAt + 1 + immediates;
  if (!d.destinations(d.operand(0), Type::B32, e.v[0]))
    return false;
  if (int(e.v[0].size()) != (dt == Type::F16 ? n / 4 : n / 2))
    return d.fail("wrong number of accumulator registers");
  if (d.inst.b) {
    if (!d.sources(d.operand(1), Type::B32, e.v[1]) || e.v[1].size() != 4)
      return d.fail("expected four registers of A");
  } else if (!d.source(d.operand(1), Type::B64, d.inst.o[0])) {
    return false;
  }
  if (!d.source(d.operand(2), Type::B64, d.inst.o[1]))
    return false;
  e.numbers.assign(NumberCount, 0);
  e.numbers[N_] = n;
  e.numbers[K_] = k;
  e.numbers[ScaleA] = e.numbers[ScaleB] = 1;
  if (sparse) {
    int chunk = at == Type::TF32 ? 2 : 4;
    e.numbers[Chunk] = chunk;
    int values = selectorCount(at, k / chunk);
    if (!d.source(d.operand(3), Type::B32, d.inst.o[3]) ||
        !d.immediate(d.operand(4), e.numbers[Selector]))
      return d.fail("expected metadata and the selector of its threads");
    if (e.numbers[Selector] < 0 || e.numbers[Selector] >= values)
      return d.fail("the sparsity selector must be below " +
                    std::to_string(values));
  }
  d.inst.o[2] = 0;
  if (hasScale && !d.predicateSource(d.operand(scaleAt), d.inst.o[2]))
    return false;
  for (size_t j = 0; j < immediates; ++j) {
    int64_t value;
    if (!d.immediate(d.operand(d.count() - immediates + j), value))
      return false;
    // With A in registers only B can be transposed.
    e.numbers[d.inst.b && j == 2 ? size_t(TransposeB) : ScaleA + j] = value;
  }
  d.inst.registers = Inst::Wgmma;
  d.emit(mmaAsync, Class::Tensor);
  return true;
}

} // namespace

void registerWgmma() { RegisterDecoders({{"wgmma", decodeWgmma}}); }

} // namespace tileir::emu

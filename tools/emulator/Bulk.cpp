// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bulk and tensor copies, asynchronous stores: what they do when they happen.
#include "tools/emulator/BulkOps.h"
#include "tools/emulator/FloatOps.h"
#include "tools/emulator/MemoryOps.h"

#include <algorithm>

namespace tileir::emu {

static Type formatType(int format) {
  static const Type types[] = {Type::U8,  Type::U16, Type::U32, Type::S32,
                               Type::U64, Type::S64, Type::F16, Type::F32,
                               Type::F32, Type::F64, Type::BF16};
  return format <= 10 ? types[format] : Type::U8;
}

/// Combines `bytes` of `value` into `at`, element by element.
static void reduceBytes(AtomOp op, Type t, uint8_t *at, const uint8_t *value,
                        uint32_t bytes) {
  uint32_t size = uint32_t(typeBits(t)) / 8;
  for (uint32_t k = 0; k + size <= bytes; k += size) {
    uint64_t old = 0, b = 0;
    std::memcpy(&old, at + k, size);
    std::memcpy(&b, value + k, size);
    uint64_t r = reduceElement(op, t, old, b);
    std::memcpy(at + k, &r, size);
  }
}

namespace {

/// Performs one operation.
class BulkRun {
public:
  BulkRun(Machine &m, Exec &x, const BulkOp &op)
      : m(m), x(x), op(op), inst(*op.inst), scope(x, *op.warp) {}

  void run() {
    Block &home = *op.warp->block;
    if (op.kind == BulkOp::Load) {
      if (!op.multicast) {
        into(op.shared, op.barrier);
        return;
      }
      for (uint32_t rank = 0; rank < home.cluster->blocks.size(); ++rank)
        if (op.multicast >> rank & 1) {
          uint64_t window = uint64_t(rank) << 24;
          into((op.shared & 0xFFFFFF) | window,
               (op.barrier & 0xFFFFFF) | window);
          m.stats.multicastBytes += op.bytes;
        }
      m.stats.tmaBytes += op.bytes; // Read once, for all.
      return;
    }
    if (op.kind == BulkOp::SharedToShared) {
      std::vector<uint8_t> data(op.bytes);
      Region *region;
      uint64_t offset;
      uint8_t *p =
          m.memory.access(x, inst, op.lane, Space::SharedCluster, op.peer,
                          op.bytes, AccessKind::Read, region, offset, 16);
      if (!p)
        return;
      m.memory.checkWritten(x, inst, op.lane, *region, offset, op.bytes);
      // Who knows of the completion may overwrite the source.
      Mbarrier *bar = barrierOf(op.barrier);
      if (!bar)
        return;
      touchShared(*region, offset, op.bytes, AccessKind::Read, bar->agent,
                  uint32_t(bar->phase + 1));
      std::memcpy(data.data(), p, op.bytes);
      writeShared(op.shared, op.barrier, data);
      return;
    }
    if (op.kind == BulkOp::Element) {
      std::vector<uint8_t> data(op.bytes);
      std::memcpy(data.data(), op.values, op.bytes);
      writeShared(op.shared, op.barrier, data);
      return;
    }
    out(home);
  }

private:
  Mbarrier *barrierOf(uint64_t address) {
    Region *region;
    Mbarrier *bar =
        m.async.mbarrierAt(x, inst, op.lane, Space::SharedCluster, address,
                           MissingBarrier::Finding, region);
    // Of the block that owns the barrier: its threads wait.
    if (bar && bar->agent == kNoAgent)
      bar->agent = m.async.ownerOf(x, *region)->newAgent();
    return bar;
  }

  /// The agent and clock of writes that signal `bar`.
  void complete(Mbarrier &bar, uint64_t bytes) {
    if (bar.agent != kNoAgent) {
      // Waiters see the data, and nothing else that the issuing thread did.
      auto *clock = new VectorClock();
      clock->block = bar.agent / kAgentsPerBlock;
      clock->set(bar.agent, uint32_t(bar.phase + 1));
      bar.arriving.add(clock->block, Scope::Gpu, false, ClockRef(clock));
      // Everything that it knew was executed before.
      bar.arriving.add(clock->block, Scope::Gpu, true,
                       op.issuingThread.snapshot());
      bar.signal = {bar.phase + 1,
                    clock->block != op.issuingThread.agent / kAgentsPerBlock,
                    bar.agent, uint32_t(bar.phase + 1),
                    m.placeOf(*op.warp->block, op.warp->index, op.lane, inst)};
    }
    m.async.mbarrierTx(x, inst, op.lane, bar, -int64_t(bytes), op.ticket,
                       op.kind == BulkOp::Load);
  }

  bool raceOn() const { return m.reports(FindingKind::Race); }

  void touchShared(Region &region, uint64_t offset, uint32_t bytes,
                   AccessKind kind, Agent as, uint32_t clock) {
    m.async.checkMbarrier(x, inst, op.lane, region, offset, bytes);
    if (!raceOn() || as == kNoAgent)
      return;
    // st.async and red.async work in the generic proxy.
    bool generic = op.kind == BulkOp::Element && op.genericProxy;
    m.races.touchAs(x, inst, op.lane, op.issuingThread, as, clock, region,
                    offset, bytes, kind,
                    generic ? 0u : uint32_t(Cell::AsyncProxy), false);
  }

  void writeShared(uint64_t address, uint64_t barrier,
                   const std::vector<uint8_t> &data) {
    Mbarrier *bar = barrierOf(barrier);
    Region *region;
    uint64_t offset;
    uint8_t *p = bar ? m.memory.access(x, inst, op.lane, Space::SharedCluster,
                                       address, uint32_t(data.size()),
                                       AccessKind::Write, region, offset, 1)
                     : nullptr;
    if (!p)
      return;
    touchShared(*region, offset, uint32_t(data.size()), AccessKind::Write,
                bar->agent, uint32_t(bar->phase + 1));
    std::memset(&region->written[offset], 1, data.size());
    if (op.reduction && op.reduction->exists)
      reduceBytes(op.reduction->op, op.reduction->type, p, data.data(),
                  uint32_t(data.size()));
    else
      std::memcpy(p, data.data(), data.size());
    complete(*bar, data.size());
  }

  /// Calls `row(globalAddress or null, units in bounds first, count, shared
  /// offset)` for each innermost row of the box.
  template <typename F> void rows(F row) {
    const TensorMap &map = op.map;
    if (map.im2col)
      return pixels(row);
    uint32_t counts[5] = {1, 1, 1, 1, 1};
    for (int d = 0; d < map.rank; ++d)
      counts[d] = map.boxUnits(d);
    if (op.gather)
      counts[1] = 4;
    uint32_t rowBytes = counts[0] * uint32_t(map.sharedBytes());
    uint64_t offset = 0;
    uint32_t index[5] = {};
    while (true) {
      bool inside = true;
      uint64_t address = map.address;
      for (int d = 1; d < map.rank; ++d) {
        int64_t c = op.gather
                        ? op.coordinates[1 + index[d]]
                        : op.coordinates[d] + int64_t(index[d]) * map.step(d);
        inside &= c >= 0 && uint64_t(c) < map.dims[d];
        address += uint64_t(c) * map.strides[d];
      }
      row(address, inside, offset, rowBytes, counts[0]);
      if (m.stopped)
        return;
      offset += rowBytes;
      int d = 1;
      for (; d < map.rank; ++d) {
        if (++index[d] < counts[d])
          break;
        index[d] = 0;
      }
      if (d >= map.rank)
        return;
    }
  }

  /// A place of the walk of an im2col copy: W, H and D, and the image.
  struct Pixel {
    int64_t base[3] = {}, image = 0;
  };

  /// The next filter base of the box, W first. The wide modes keep H and D.
  void advance(Pixel &p) const {
    const TensorMap &map = op.map;
    int walked = map.wide ? 1 : map.rank - 2;
    for (int d = 0; d < walked; ++d) {
      p.base[d] += map.elementStrides[1 + d];
      if (p.base[d] <= int64_t(map.dims[1 + d]) - 1 + map.upper[d] + shift())
        return;
      p.base[d] = map.lower[d] + shift();
    }
    ++p.image;
  }

  /// By how much a copy of a wide mode moves the box along W.
  int64_t shift() const { return op.map.wide ? op.offsets[1] : 0; }

  /// The rows of an im2col box, a pixel each; the pixel lies at the offsets of
  /// the instruction from its filter base. In the wide modes pixels of the halo
  /// follow: those that the walk would come to next, at the end or, of 128
  /// pixels, after every 32, first ones first.
  template <typename F> void pixels(F row) {
    const TensorMap &map = op.map;
    Pixel p;
    p.image = op.coordinates[map.rank - 1];
    for (int d = 0; d < map.rank - 2; ++d)
      p.base[d] = op.coordinates[1 + d] + (d == 0 ? shift() : 0);
    uint32_t halo = map.wide ? op.offsets[0] : 0, chunks = map.haloChunks();
    uint32_t count = map.columnPixels();
    for (uint32_t k = 0; k < count && !m.stopped; ++k) {
      pixel(row, p, k);
      advance(p);
      if ((k + 1) % (count / chunks))
        continue;
      Pixel next = p;
      for (uint32_t h = 0; h < halo && !m.stopped; ++h) {
        pixel(row, next, count + h * chunks + (k + 1) / (count / chunks) - 1);
        advance(next);
      }
    }
  }

  template <typename F> void pixel(F row, const Pixel &p, uint32_t index) {
    const TensorMap &map = op.map;
    int last = map.rank - 1;
    bool inside = p.image >= 0 && uint64_t(p.image) < map.dims[last];
    uint64_t address = map.address + uint64_t(p.image) * map.strides[last];
    for (int d = 0; d < map.rank - 2; ++d) {
      int64_t c = p.base[d] + (map.wide ? 0 : int64_t(op.offsets[d]));
      inside &= c >= 0 && uint64_t(c) < map.dims[1 + d];
      address += uint64_t(c) * map.strides[1 + d];
    }
    uint32_t rowBytes = map.boxUnits(0) * uint32_t(map.sharedBytes());
    row(address, inside, uint64_t(index) * rowBytes, rowBytes, map.boxUnits(0));
  }

  /// The first unit in bounds and the one after the last.
  void bounds(int64_t &first, int64_t &last, uint32_t count) const {
    const TensorMap &map = op.map;
    int64_t step = int64_t(map.step(0));
    if (map.unit() > 1)
      step = map.unit();
    first = 0;
    last = count;
    int64_t c0 = op.coordinates[0];
    while (first < last && c0 + first * step < 0)
      ++first;
    while (last > first && c0 + (last - 1) * step >= int64_t(map.dims[0]))
      --last;
  }

  /// Bytes of one global unit at index `u` of a row.
  uint64_t unitAddress(uint64_t row, int64_t u) const {
    const TensorMap &map = op.map;
    if (map.unit() > 1)
      return row +
             uint64_t(op.coordinates[0] / 16 + u) * uint64_t(map.globalBytes());
    return row + uint64_t(op.coordinates[0] + u * int64_t(map.step(0))) *
                     uint64_t(map.globalBytes());
  }

  /// The fill of all floats is the same 16 bits, whatever their width (measured
  /// on an H200).
  static void fillNaN(const TensorMap &map, std::vector<uint8_t> &row) {
    bool isFloat = map.format >= 6 && map.format <= 10;
    for (size_t k = 0; k + 2 <= row.size() && isFloat; k += 2) {
      row[k] = 0xF7;
      row[k + 1] = 0x7F;
    }
  }

  /// Rounds the values as formats of f32 do.
  static void roundRow(const TensorMap &map, std::vector<uint8_t> &row) {
    if (map.format != 8 && !map.roundToTf32)
      return;
    for (size_t k = 0; k + 4 <= row.size(); k += 4) {
      float f;
      std::memcpy(&f, &row[k], 4);
      if (map.format == 8)
        f = flush(f);
      uint32_t bits = asBits(f);
      if (map.roundToTf32 && std::isfinite(f))
        bits = uint32_t(
            cases::encodeFloat(cases::kTF32, f, cases::Rounding::NearestEven)
            << 13);
      std::memcpy(&row[k], &bits, 4);
    }
  }

  uint64_t place(uint64_t address) const {
    return (address & ~uint64_t(0xFFFFFF)) |
           swizzleAddress(address & 0xFFFFFF, op.map.swizzle, op.map.atomicity);
  }

  /// Calls `f` with the place, the offset in the row and the size of the parts
  /// of bytes `low` to `high` of a row at `at` that swizzles keep together.
  template <typename F>
  void pieces(uint64_t at, uint32_t low, uint32_t high, F f) const {
    for (uint32_t k = low, n = 0; k < high; k += n) {
      n = std::min(high - k, 8 - uint32_t((at + k) % 8));
      f(place(at + k), k, n);
    }
  }

  void into(uint64_t shared, uint64_t barrier) {
    Mbarrier *bar = barrierOf(barrier);
    Region *region;
    uint64_t offset;
    uint8_t *base =
        bar ? m.memory.access(x, inst, op.lane, Space::SharedCluster, shared,
                              op.bytes, AccessKind::Write, region, offset,
                              op.tensor ? 128 : 16)
            : nullptr;
    if (!base)
      return;
    uint32_t clock = uint32_t(bar->phase + 1);
    touchShared(*region, offset, op.bytes, AccessKind::Write, bar->agent,
                clock);
    std::memset(&region->written[offset], 1, op.bytes);
    if (!op.multicast)
      m.stats.tmaBytes += op.bytes;
    Agent reader = bar->agent;
    const Knowledge &who = op.issuingThread;
    auto readGlobal = [&](uint64_t address, uint32_t bytes, uint8_t *to) {
      Region *from;
      uint64_t at;
      uint8_t *p = m.memory.access(x, inst, op.lane, Space::Global, address,
                                   bytes, AccessKind::Read, from, at, 1);
      if (!p)
        return false;
      m.memory.checkWritten(x, inst, op.lane, *from, at, bytes);
      if (raceOn() && reader != kNoAgent)
        m.races.touchAs(x, inst, op.lane, who, reader, clock, *from, at, bytes,
                        AccessKind::Read, Cell::AsyncProxy, false);
      std::memcpy(to, p, bytes);
      return true;
    };
    if (!op.tensor) {
      if (readGlobal(op.global, op.bytes, base))
        complete(*bar, op.bytes);
      return;
    }
    const TensorMap &map = op.map;
    int gb = map.globalBytes(), sb = map.sharedBytes();
    uint8_t *data = region->data.data();
    uint64_t start = shared & 0xFFFFFF;
    rows([&](uint64_t address, bool inside, uint64_t at, uint32_t rowBytes,
             uint32_t count) {
      std::vector<uint8_t> row(rowBytes, 0);
      if (map.fillNaN)
        fillNaN(map, row);
      int64_t first, last;
      bounds(first, last, count);
      if (inside && first < last) {
        bool dense = gb == sb && (map.step(0) == 1 || map.unit() > 1);
        if (dense) {
          if (!readGlobal(unitAddress(address, first),
                          uint32_t((last - first) * gb), &row[first * sb]))
            return;
        } else {
          for (int64_t u = first; u < last; ++u)
            if (!readGlobal(unitAddress(address, u), uint32_t(gb),
                            &row[u * sb]))
              return;
        }
      }
      roundRow(map, row);
      pieces(start + at, 0, rowBytes, [&](uint64_t to, uint32_t k, uint32_t n) {
        std::memcpy(data + to, &row[k], n);
      });
    });
    if (!m.stopped)
      complete(*bar, op.bytes);
  }

  /// Writes or reduces bytes of global memory; false after a finding. Several
  /// lanes may store the same box: equal values do not race.
  bool putGlobal(const BulkState &state, uint64_t address, uint32_t bytes,
                 const uint8_t *from) {
    bool reduce = op.kind == BulkOp::Reduce;
    Region *to;
    uint64_t at;
    uint8_t *p = m.memory.access(x, inst, op.lane, Space::Global, address,
                                 bytes, AccessKind::Write, to, at, 1);
    if (!p)
      return false;
    if (reduce)
      m.memory.checkWritten(x, inst, op.lane, *to, at, bytes);
    uint32_t flags = Cell::AsyncProxy;
    if (reduce)
      flags |= Cell::Strong | Cell::Atomic |
               uint32_t(Scope::Gpu) << Cell::ScopeShift;
    if (raceOn() && state.writer != kNoAgent)
      m.races.touchAs(x, inst, op.lane, op.issuingThread, state.writer,
                      op.sequence, *to, at, bytes,
                      reduce ? AccessKind::Atomic : AccessKind::Write, flags,
                      !reduce && std::memcmp(p, from, bytes) == 0);
    if (!to->written.empty())
      std::memset(&to->written[at], 1, bytes);
    if (reduce)
      reduceBytes(op.reduction->op,
                  op.tensor ? formatType(op.map.format) : op.reduction->type, p,
                  from, bytes);
    else
      std::memcpy(p, from, bytes);
    m.scheduler.changed();
    return true;
  }

  /// Shared to global: stores and reductions.
  void out(Block &home) {
    BulkState &state =
        home.bulkStates[uint32_t(op.warp->firstThread + op.lane)];
    Region *region;
    uint64_t offset;
    uint8_t *base = m.memory.access(x, inst, op.lane, Space::SharedCluster,
                                    op.shared, op.bytes, AccessKind::Read,
                                    region, offset, op.tensor ? 128 : 16);
    if (!base)
      return;
    auto readsShared = [&](uint64_t at, uint32_t bytes) {
      m.memory.checkWritten(x, inst, op.lane, *region, at, bytes);
      touchShared(*region, at, bytes, AccessKind::Read, state.reader,
                  op.sequence);
    };
    if (!op.tensor)
      readsShared(offset, op.bytes);
    m.stats.tmaBytes += op.bytes;
    auto writeGlobal = [&](uint64_t address, uint32_t bytes,
                           const uint8_t *from) {
      return putGlobal(state, address, bytes, from);
    };
    if (!op.tensor) {
      if (op.byteMask == 0xFFFF) {
        writeGlobal(op.global, op.bytes, base);
        return;
      }
      for (uint32_t k = 0; k < op.bytes && !m.stopped; ++k)
        if (op.byteMask >> (k % 16) & 1)
          writeGlobal(op.global + k, 1, base + k);
      return;
    }
    const TensorMap &map = op.map;
    int gb = map.globalBytes(), sb = map.sharedBytes();
    const uint8_t *data = region->data.data();
    uint64_t start = op.shared & 0xFFFFFF;
    rows([&](uint64_t address, bool inside, uint64_t at, uint32_t rowBytes,
             uint32_t count) {
      int64_t first, last;
      bounds(first, last, count);
      if (!inside || first >= last)
        return;
      // Bytes outside of the tensor belong to no array, written or not.
      uint32_t low = uint32_t(first * sb), high = uint32_t(last * sb);
      std::vector<uint8_t> row(rowBytes);
      if (map.swizzle == 0)
        readsShared(start + at + low, high - low);
      pieces(start + at, low, high, [&](uint64_t from, uint32_t k, uint32_t n) {
        if (map.swizzle)
          readsShared(from, n);
        std::memcpy(&row[k], data + from, n);
      });
      if (gb == sb && (map.step(0) == 1 || map.unit() > 1)) {
        writeGlobal(unitAddress(address, first), uint32_t((last - first) * gb),
                    &row[first * sb]);
        return;
      }
      for (int64_t u = first; u < last; ++u)
        if (!writeGlobal(unitAddress(address, u), uint32_t(gb), &row[u * sb]))
          return;
    });
  }

  Machine &m;
  Exec &x;
  const BulkOp &op;
  const Inst &inst;
  AsIssuingWarp scope;
};

} // namespace

void AsyncEngine::performBulk(Exec &x, Block &, const BulkOp &op) {
  BulkRun(machine, x, op).run();
}

void AsyncEngine::finishBulk(Exec &x, Block &block, uint32_t thread,
                             uint32_t upTo) {
  for (size_t k = 0; k < block.bulk.size() && !machine.stopped;) {
    BulkOp &one = block.bulk[k];
    bool mine = uint32_t(one.warp->firstThread + one.lane) == thread &&
                (one.kind == BulkOp::Store || one.kind == BulkOp::Reduce) &&
                one.sequence <= upTo;
    if (!mine) {
      ++k;
      continue;
    }
    BulkOp op = std::move(one);
    block.bulk.erase(block.bulk.begin() + long(k));
    performBulk(x, block, op);
  }
}

} // namespace tileir::emu

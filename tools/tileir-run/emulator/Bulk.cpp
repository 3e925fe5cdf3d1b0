// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bulk and tensor copies, maps, asynchronous stores, cluster launch control.
#include "tools/tileir-run/emulator/Decode.h"
#include "tools/tileir-run/emulator/FloatOps.h"

#include <algorithm>

namespace tileir::emu {

uint8_t takeSemantics(Decoder &d, bool atomic);
uint64_t reduceElement(const std::string &op, Type t, uint64_t old, uint64_t b);

static Type formatType(int format) {
  static const Type types[] = {Type::U8,  Type::U16, Type::U32, Type::S32,
                               Type::U64, Type::S64, Type::F16, Type::F32,
                               Type::F32, Type::F64, Type::BF16};
  return format <= 10 ? types[format] : Type::U8;
}

/// Combines `bytes` of `value` into `at`, element by element.
static void reduceBytes(const std::string &op, Type t, uint8_t *at,
                        const uint8_t *value, uint32_t bytes) {
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
      uint8_t *p = m.access(x, inst, op.lane, Space::SharedCluster, op.peer,
                            op.bytes, AccessKind::Read, region, offset, 16);
      if (!p)
        return;
      m.checkWritten(x, inst, op.lane, *region, offset, op.bytes);
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
    Mbarrier *bar = m.mbarrierAt(x, inst, op.lane, Space::SharedCluster,
                                 address, false, region);
    // Of the block that owns the barrier: its threads wait.
    if (bar && bar->agent == kNoAgent)
      bar->agent = m.ownerOf(x, *region)->newAgent();
    return bar;
  }

  /// The agent and clock of writes that signal `bar`.
  void complete(Mbarrier &bar, uint64_t bytes) {
    if (bar.agent != kNoAgent) {
      // Waiters see the data, and nothing else of the issuing thread.
      auto *clock = new VectorClock();
      clock->block = bar.agent / kAgentsPerBlock;
      clock->set(bar.agent, uint32_t(bar.phase + 1));
      bar.arriving.add(clock->block, Scope::Gpu, false, ClockRef(clock));
      bar.signal = {bar.phase + 1,
                    clock->block != op.issuer.agent / kAgentsPerBlock,
                    bar.agent, uint32_t(bar.phase + 1),
                    m.placeOf(*op.warp->block, op.warp->index, op.lane, inst)};
    }
    m.mbarrierTx(x, inst, op.lane, bar, -int64_t(bytes));
  }

  bool raceOn() const { return m.reports("race"); }

  void touchShared(Region &region, uint64_t offset, uint32_t bytes,
                   AccessKind kind, Agent as, uint32_t clock) {
    m.checkBarrierObject(x, inst, op.lane, region, offset, bytes);
    if (!raceOn() || as == kNoAgent)
      return;
    // st.async and red.async work in the generic proxy.
    bool generic = op.kind == BulkOp::Element && op.genericProxy;
    m.touchAs(x, inst, op.lane, op.issuer, as, clock, region, offset, bytes,
              kind, generic ? 0u : uint32_t(Cell::AsyncProxy), false);
  }

  void writeShared(uint64_t address, uint64_t barrier,
                   const std::vector<uint8_t> &data) {
    Mbarrier *bar = barrierOf(barrier);
    Region *region;
    uint64_t offset;
    uint8_t *p = bar ? m.access(x, inst, op.lane, Space::SharedCluster, address,
                                uint32_t(data.size()), AccessKind::Write,
                                region, offset, 1)
                     : nullptr;
    if (!p)
      return;
    touchShared(*region, offset, uint32_t(data.size()), AccessKind::Write,
                bar->agent, uint32_t(bar->phase + 1));
    std::memset(&region->written[offset], 1, data.size());
    if (!inst.extra->text.empty())
      reduceBytes(inst.extra->text, inst.extra->types[0], p, data.data(),
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
        int64_t c = op.gather ? op.coordinates[1 + index[d]]
                              : op.coordinates[d] +
                                    int64_t(index[d]) * map.elementStrides[d];
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

  /// The rows of an im2col box, a pixel each. Filter bases walk through their
  /// box, W first; the pixel lies at the offsets of the instruction from it.
  template <typename F> void pixels(F row) {
    const TensorMap &map = op.map;
    int spatial = map.rank - 2;
    int64_t base[3] = {}, image = op.coordinates[map.rank - 1];
    for (int d = 0; d < spatial; ++d)
      base[d] = op.coordinates[1 + d];
    uint32_t rowBytes = map.boxUnits(0) * uint32_t(map.sharedBytes());
    for (uint32_t p = 0; p < map.pixels && !m.stopped; ++p) {
      bool inside = image >= 0 && uint64_t(image) < map.dims[map.rank - 1];
      uint64_t address =
          map.address + uint64_t(image) * map.strides[map.rank - 1];
      for (int d = 0; d < spatial; ++d) {
        int64_t c = base[d] + int64_t(op.offsets[d]);
        inside &= c >= 0 && uint64_t(c) < map.dims[1 + d];
        address += uint64_t(c) * map.strides[1 + d];
      }
      row(address, inside, uint64_t(p) * rowBytes, rowBytes, map.boxUnits(0));
      int d = 0;
      for (; d < spatial; ++d) {
        base[d] += map.elementStrides[1 + d];
        if (base[d] <= int64_t(map.dims[1 + d]) - 1 + map.upper[d])
          break;
        base[d] = map.lower[d];
      }
      image += d == spatial;
    }
  }

  /// The first unit in bounds and the one behind the last.
  void bounds(int64_t &first, int64_t &last, uint32_t count) const {
    const TensorMap &map = op.map;
    int64_t step = int64_t(map.elementStrides[0]);
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
    return row +
           uint64_t(op.coordinates[0] + u * int64_t(map.elementStrides[0])) *
               uint64_t(map.globalBytes());
  }

  static void fillNaN(const TensorMap &map, std::vector<uint8_t> &row) {
    uint64_t pattern = 0;
    uint32_t size = uint32_t(map.sharedBytes());
    switch (map.format) {
    case 6:
    case 10:
      pattern = 0x7FFF;
      break;
    case 7:
    case 8:
      pattern = kNaN32;
      break;
    case 9:
      pattern = 0x7FF8000000000000;
      break;
    }
    for (size_t k = 0; k + size <= row.size(); k += size)
      std::memcpy(&row[k], &pattern, std::min<size_t>(size, 8));
  }

  uint64_t place(uint64_t address) const {
    return (address & ~uint64_t(0xFFFFFF)) |
           swizzleAddress(address & 0xFFFFFF, op.map.swizzle, op.map.atomicity);
  }

  void into(uint64_t shared, uint64_t barrier) {
    Mbarrier *bar = barrierOf(barrier);
    Region *region;
    uint64_t offset;
    uint8_t *base =
        bar ? m.access(x, inst, op.lane, Space::SharedCluster, shared, op.bytes,
                       AccessKind::Write, region, offset, op.tensor ? 128 : 16)
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
    const Knowledge &who = op.issuer;
    auto readGlobal = [&](uint64_t address, uint32_t bytes, uint8_t *to) {
      Region *from;
      uint64_t at;
      uint8_t *p = m.access(x, inst, op.lane, Space::Global, address, bytes,
                            AccessKind::Read, from, at, 1);
      if (!p)
        return false;
      m.checkWritten(x, inst, op.lane, *from, at, bytes);
      if (raceOn() && reader != kNoAgent)
        m.touchAs(x, inst, op.lane, who, reader, clock, *from, at, bytes,
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
        bool dense = gb == sb && (map.elementStrides[0] == 1 || map.unit() > 1);
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
      if (map.format == 8 || map.roundToTf32)
        for (uint32_t k = 0; k + 4 <= rowBytes; k += 4) {
          float f;
          std::memcpy(&f, &row[k], 4);
          if (map.format == 8)
            f = flush(f);
          uint32_t bits = asBits(f);
          if (map.roundToTf32 && std::isfinite(f))
            bits = uint32_t(cases::encodeFloat(cases::kTF32, f,
                                               cases::Rounding::NearestEven)
                            << 13);
          std::memcpy(&row[k], &bits, 4);
        }
      for (uint32_t k = 0; k < rowBytes; k += 8)
        std::memcpy(data + place(start + at + k), &row[k], 8);
    });
    if (!m.stopped)
      complete(*bar, op.bytes);
  }

  /// Shared to global: stores and reductions.
  void out(Block &home) {
    BulkState &state =
        home.bulkStates[uint32_t(op.warp->firstThread + op.lane)];
    Region *region;
    uint64_t offset;
    uint8_t *base =
        m.access(x, inst, op.lane, Space::SharedCluster, op.shared, op.bytes,
                 AccessKind::Read, region, offset, op.tensor ? 128 : 16);
    if (!base)
      return;
    auto readsShared = [&](uint64_t at, uint32_t bytes) {
      m.checkWritten(x, inst, op.lane, *region, at, bytes);
      touchShared(*region, at, bytes, AccessKind::Read, state.reader,
                  op.sequence);
    };
    if (!op.tensor)
      readsShared(offset, op.bytes);
    m.stats.tmaBytes += op.bytes;
    const Knowledge &who = op.issuer;
    bool reduce = op.kind == BulkOp::Reduce;
    // Several lanes may store the same box: equal values do not race.
    auto writeGlobal = [&](uint64_t address, uint32_t bytes,
                           const uint8_t *from) {
      Region *to;
      uint64_t at;
      uint8_t *p = m.access(x, inst, op.lane, Space::Global, address, bytes,
                            AccessKind::Write, to, at, 1);
      if (!p)
        return false;
      if (reduce)
        m.checkWritten(x, inst, op.lane, *to, at, bytes);
      if (raceOn() && state.writer != kNoAgent)
        m.touchAs(x, inst, op.lane, who, state.writer, op.sequence, *to, at,
                  bytes, reduce ? AccessKind::Atomic : AccessKind::Write,
                  Cell::AsyncProxy |
                      (reduce ? Cell::Strong | Cell::Atomic |
                                    uint32_t(Scope::Gpu) << Cell::ScopeShift
                              : 0u),
                  !reduce && std::memcmp(p, from, bytes) == 0);
      if (!to->written.empty())
        std::memset(&to->written[at], 1, bytes);
      if (reduce)
        reduceBytes(inst.extra->text,
                    op.tensor ? formatType(op.map.format)
                              : inst.extra->types[0],
                    p, from, bytes);
      else
        std::memcpy(p, from, bytes);
      m.changed();
      return true;
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
      // What lies outside of the tensor is nobody's, written or not. Swizzles
      // keep 8 bytes together.
      uint32_t low = uint32_t(first * sb), high = uint32_t(last * sb);
      if (map.swizzle == 0)
        readsShared(start + at + low, high - low);
      else
        for (uint32_t k = low; k < high; k = k / 8 * 8 + 8)
          readsShared(place(start + at + k / 8 * 8) + k % 8,
                      std::min(high, k / 8 * 8 + 8) - k);
      std::vector<uint8_t> row(rowBytes);
      for (uint32_t k = 0; k < rowBytes; k += 8)
        std::memcpy(&row[k], data + place(start + at + k), 8);
      if (gb == sb && (map.elementStrides[0] == 1 || map.unit() > 1)) {
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
  AsIssuer scope;
};

} // namespace

void Machine::performBulk(Exec &x, Block &, const BulkOp &op) {
  BulkRun(*this, x, op).run();
}

void Machine::finishBulk(Exec &x, Block &block, uint32_t thread,
                         uint32_t upTo) {
  for (size_t k = 0; k < block.bulk.size() && !stopped;) {
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

bool Machine::stealCluster(std::array<uint32_t, 3> &first) {
  if (nextBlock >= totalBlocks || random() % 4 == 0)
    return false;
  uint32_t n = nextBlock++;
  const std::array<uint32_t, 3> &c = config.cluster;
  std::array<uint32_t, 3> grid{totalGrid[0] / c[0], totalGrid[1] / c[1],
                               totalGrid[2] / c[2]};
  first = {n % grid[0] * c[0], n / grid[0] % grid[1] * c[1],
           n / grid[0] / grid[1] * c[2]};
  changed();
  return true;
}

namespace {

uint64_t sharedOf(uint64_t address) {
  return address >= kSharedWindow ? address - kSharedWindow : address;
}

/// Reads an address that v[3] describes: (row or -1, wide, offset index).
uint64_t operandAddress(Exec &x, const Inst &i, int which, int lane) {
  const std::vector<int32_t> &v = i.extra->v[3];
  int32_t row = v[size_t(3 * which)];
  int64_t offset = i.extra->numbers[size_t(v[size_t(3 * which + 2)])];
  if (row < 0)
    return uint64_t(offset);
  return v[size_t(3 * which + 1)]
             ? x.row<uint64_t>(row)[lane] + uint64_t(offset)
             : uint32_t(x.row<uint32_t>(row)[lane] + uint32_t(offset));
}

/// a kind; b: 1 tensor, 2 gather, 4 im2col; addresses: 0 destination or map, 1
/// source, 2 barrier; o[0] size row, o[1] multicast mask row or -1, o[2] byte
/// mask row or -1; v[0] coordinates, v[1] im2col offsets.
void bulk(Exec &x, const Inst &i, Mask m) {
  forLanes(m, [&](int l) {
    if (x.m.stopped)
      return;
    Block &block = *x.block;
    BulkOp op;
    op.kind = BulkOp::Kind(i.a);
    op.tensor = i.b & 1;
    op.gather = i.b & 2 ? 1 : 0;
    op.inst = &i;
    op.warp = x.warp;
    op.lane = l;
    bool load = op.kind == BulkOp::Load;
    if (op.tensor) {
      uint64_t mapAddress = operandAddress(x, i, load ? 1 : 0, l);
      op.shared = sharedOf(operandAddress(x, i, load ? 0 : 1, l));
      if (mapAddress % 64) {
        x.m.report("tensormap", x, i, l,
                   "tensor map is not aligned to 64 bytes");
        x.m.fatal();
        return;
      }
      Region *region = nullptr;
      uint64_t offset;
      uint8_t *p = x.m.access(x, i, l, Space::Generic, mapAddress, 128,
                              AccessKind::Read, region, offset, 64);
      if (!p || !region)
        return;
      x.m.checkWritten(x, i, l, *region, offset, 64);
      x.m.checkMapProxy(x, i, l, *region, offset);
      std::string why;
      if (!decodeTensorMap(p, op.map, why)) {
        x.m.report("tensormap", x, i, l, "bad tensor map: " + why);
        x.m.fatal();
        return;
      }
      const std::vector<int32_t> &c = i.extra->v[0];
      size_t expected = op.gather ? 5 : size_t(op.map.rank);
      if (c.size() != expected) {
        x.m.report("tensormap", x, i, l,
                   "map of rank " + std::to_string(op.map.rank) + " with " +
                       std::to_string(c.size()) + " coordinates");
        x.m.fatal();
        return;
      }
      if (op.map.interleave) {
        x.m.failure = "line " + std::to_string(i.line) +
                      ": interleaved tensor maps are not supported";
        x.m.fatal();
        return;
      }
      if (op.map.im2col != bool(i.b & 4)) {
        x.m.report("tensormap", x, i, l,
                   op.map.im2col
                       ? "im2col map with an instruction of tiled mode"
                       : "tiled map with an instruction of im2col mode");
        x.m.fatal();
        return;
      }
      const std::vector<int32_t> &offsets = i.extra->v[1];
      for (size_t k = 0; k < offsets.size(); ++k)
        op.offsets[k] = x.row<uint32_t>(offsets[k])[l] & 0xFFFF;
      for (size_t k = 0; k < c.size(); ++k)
        op.coordinates[k] = x.row<int32_t>(c[k])[l];
      op.bytes = uint32_t(op.map.boxBytes());
      if (op.gather)
        op.bytes = 4 * op.map.boxUnits(0) * uint32_t(op.map.sharedBytes());
      if (op.shared % 128) {
        x.m.report("align", x, i, l,
                   "shared address of a tensor copy needs alignment 128");
        x.m.fatal();
        return;
      }
    } else {
      op.bytes = x.row<uint32_t>(i.o[0])[l];
      uint64_t first = operandAddress(x, i, 0, l);
      uint64_t second = operandAddress(x, i, 1, l);
      if (op.kind == BulkOp::SharedToShared) {
        op.shared = sharedOf(first);
        op.peer = sharedOf(second);
      } else {
        op.shared = sharedOf(load ? first : second);
        op.global = load ? second : first;
      }
      if (op.bytes % 16 || op.shared % 16 || op.global % 16 || op.peer % 16) {
        x.m.report("align", x, i, l,
                   "addresses and size of a bulk copy must be multiples of 16");
        x.m.fatal();
        return;
      }
      if (!op.bytes)
        return;
    }
    if (load || op.kind == BulkOp::SharedToShared)
      op.barrier = sharedOf(operandAddress(x, i, 2, l));
    if (i.o[2] >= 0)
      op.byteMask = x.row<uint32_t>(i.o[2])[l] & 0xFFFF;
    if (i.o[1] >= 0)
      op.multicast = x.row<uint32_t>(i.o[1])[l] & 0xFFFF;
    // The destination is checked where the copy is issued.
    Region *region;
    uint64_t offset;
    if (!x.m.access(x, i, l, Space::SharedCluster, op.shared, op.bytes,
                    load ? AccessKind::Write : AccessKind::Read, region, offset,
                    16))
      return;
    op.issuer = x.clock(l);
    ++x.clock(l).clock;
    if (!load && op.kind != BulkOp::SharedToShared) {
      BulkState &state = block.bulkStates[uint32_t(x.warp->firstThread + l)];
      if (state.reader == kNoAgent) {
        state.reader = block.newAgent();
        state.writer = block.newAgent();
      }
      op.sequence = ++state.issued;
      state.last = &i;
    }
    bool now =
        x.m.options.async == AsyncMode::Early ||
        (x.m.options.async == AsyncMode::Random && x.m.random() % 3 == 0);
    if (now)
      x.m.performBulk(x, block, op);
    else
      block.bulk.push_back(std::move(op));
  });
}

void bulkCommit(Exec &x, const Inst &i, Mask m) {
  forLanes(m, [&](int l) {
    BulkState &s = x.block->bulkStates[uint32_t(x.warp->firstThread + l)];
    s.groups.push_back(s.issued);
  });
}

/// imm groups that may be left; a: .read.
void bulkWait(Exec &x, const Inst &i, Mask m) {
  forLanes(m, [&](int l) {
    uint32_t thread = uint32_t(x.warp->firstThread + l);
    auto it = x.block->bulkStates.find(thread);
    if (it == x.block->bulkStates.end())
      return;
    BulkState &s = it->second;
    if (int64_t(s.groups.size()) <= i.imm)
      return;
    uint32_t target = s.groups[s.groups.size() - size_t(i.imm) - 1];
    x.m.finishBulk(x, *x.block, thread, target);
    s.read = std::max(s.read, target);
    if (s.reader == kNoAgent)
      return;
    ThreadClock &t = x.clock(l);
    t.known.modify().set(s.reader, target);
    if (!i.a) {
      t.known.modify().set(s.writer, target);
      while (!s.groups.empty() && s.groups.front() <= target &&
             int64_t(s.groups.size()) > i.imm)
        s.groups.pop_front();
    }
  });
}

/// st.async and red.async: addresses 0 destination, 2 barrier; v[0] values;
/// types[0]; text the reduction.
void storeAsync(Exec &x, const Inst &i, Mask m) {
  forLanes(m, [&](int l) {
    if (x.m.stopped)
      return;
    BulkOp op;
    op.kind = BulkOp::Element;
    op.genericProxy = true;
    op.inst = &i;
    op.warp = x.warp;
    op.lane = l;
    op.shared = sharedOf(operandAddress(x, i, 0, l));
    op.barrier = sharedOf(operandAddress(x, i, 1, l));
    uint32_t size = uint32_t(typeBits(i.extra->types[0])) / 8;
    uint8_t *to = reinterpret_cast<uint8_t *>(op.values);
    for (int32_t row : i.extra->v[0]) {
      if (size == 8)
        std::memcpy(to, &x.row<uint64_t>(row)[l], 8);
      else
        std::memcpy(to, &x.row<uint32_t>(row)[l], size);
      to += size;
      op.bytes += size;
    }
    op.issuer = x.clock(l);
    ++x.clock(l).clock;
    if (x.m.options.async == AsyncMode::Early)
      x.m.performBulk(x, *x.block, op);
    else
      x.block->bulk.push_back(std::move(op));
  });
}

/// st.bulk: zeros; o[0] the size, c the space of the address.
void storeBulk(Exec &x, const Inst &i, Mask m) {
  forLanes(m, [&](int l) {
    if (x.m.stopped)
      return;
    uint64_t bytes = x.row<uint64_t>(i.o[0])[l];
    Region *region = nullptr;
    uint64_t offset;
    if (bytes % 8 || bytes > 0xFFFFFF) {
      x.m.report("ub", x, i, l,
                 "size " + std::to_string(bytes) +
                     " of st.bulk is no multiple of 8 below 16 MiB");
      x.m.fatal();
      return;
    }
    if (!bytes)
      return;
    uint8_t *p =
        x.m.access(x, i, l, Space(i.c), operandAddress(x, i, 0, l),
                   uint32_t(bytes), AccessKind::Write, region, offset, 8);
    if (!p)
      return;
    if (region)
      x.m.touch(x, i, l, *region, offset, uint32_t(bytes), AccessKind::Write,
                Semantics());
    std::memset(p, 0, bytes);
  });
}

//===--- tensor maps in memory --------------------------------------------===//

/// a field, b ordinal, o[0] value row; types[0].
enum Field : uint8_t {
  FAddress,
  FRank,
  FBox,
  FDim,
  FStride,
  FElementStride,
  FElemtype,
  FInterleave,
  FSwizzle,
  FAtomicity,
  FFill
};
void tensormapReplace(Exec &x, const Inst &i, Mask m) {
  forLanes(m, [&](int l) {
    if (x.m.stopped)
      return;
    Region *region = nullptr;
    uint64_t offset;
    uint8_t *p = x.m.access(x, i, l, Space(i.c), laneAddress(x, i, i.o[1], l),
                            128, AccessKind::Write, region, offset, 64);
    if (!p || !region)
      return;
    x.m.touch(x, i, l, *region, offset, 128, AccessKind::Atomic, Semantics());
    x.m.changed();
    uint64_t v = typeBits(i.extra->types[0]) == 64 ? x.row<uint64_t>(i.o[0])[l]
                                                   : x.row<uint32_t>(i.o[0])[l];
    auto bits = [&](int at, int low, int count, uint64_t value) {
      uint32_t w;
      std::memcpy(&w, p + at, 4);
      uint32_t mask = uint32_t(((uint64_t(1) << count) - 1) << low);
      w = (w & ~mask) | (uint32_t(value << low) & mask);
      std::memcpy(p + at, &w, 4);
    };
    int k = i.b;
    switch (i.a) {
    case FAddress: {
      uint64_t address = (v >> 4 & ((uint64_t(1) << 53) - 1)) << 4;
      std::memcpy(p, &address, 8);
      bits(8, 21, 1, 0);
      break;
    }
    case FRank:
      bits(8, 4, 3, v);
      break;
    case FBox:
      if (k == 0)
        bits(0x34, 24, 8, v - 1);
      else
        bits(0x38, 8 * (k - 1), 8, v - 1);
      break;
    case FDim:
      bits(0x20 + 4 * k, 0, 32, v - 1);
      break;
    case FStride:
      bits(0x0c + 4 * k, 0, 32, v >> 4);
      bits(0x1c, 4 * k, 4, v >> 36);
      break;
    case FElementStride:
      bits(0x34, 3 * k, 3, v - 1);
      break;
    case FElemtype: {
      uint64_t code = v == 11 ? 7 : v == 12 ? 8 : v >= 13 ? v - 2 : v;
      bits(8, 7, 4, code);
      bits(8, 16, 1, v == 11 || v == 12);
      break;
    }
    case FInterleave:
      bits(8, 11, 2, v);
      break;
    case FSwizzle:
      bits(8, 13, 2, v == 4 ? 0 : v);
      bits(8, 22, 1, v == 4);
      break;
    case FAtomicity:
      bits(8, 19, 2, v);
      break;
    case FFill:
      bits(8, 15, 1, v);
      break;
    }
  });
}

/// Addresses 0 destination in global, 1 source in shared memory.
void tensormapCopy(Exec &x, const Inst &i, Mask m) {
  int l = __builtin_ctz(m);
  Region *from = nullptr, *to = nullptr;
  uint64_t fromOffset, toOffset;
  uint8_t *q = x.m.access(x, i, l, Space::Generic, operandAddress(x, i, 0, l),
                          128, AccessKind::Write, to, toOffset, 128);
  uint64_t source = sharedOf(operandAddress(x, i, 1, l));
  uint8_t *p = q ? x.m.access(x, i, l, Space::SharedCluster, source, 128,
                              AccessKind::Read, from, fromOffset, 128)
                 : nullptr;
  if (!p || !to)
    return;
  x.m.touch(x, i, l, *from, fromOffset, 128, AccessKind::Read, Semantics());
  x.m.touch(x, i, l, *to, toOffset, 128, AccessKind::Write, Semantics());
  std::memcpy(q, p, 128);
  forLanes(m, [&](int k) {
    ThreadClock &t = x.clock(k);
    t.releaseFence[size_t(Scope::Gpu)] = t.snapshot();
    ++t.clock;
  });
}

//===--- cluster launch control -------------------------------------------===//

/// Addresses 0 response, 1 barrier; a: multicast to all blocks of the cluster.
void tryCancel(Exec &x, const Inst &i, Mask m) {
  forLanes(m, [&](int l) {
    if (x.m.stopped)
      return;
    std::array<uint32_t, 3> first{};
    if (x.block->cluster->refused) {
      Place seen = x.m.placeOf(*x.block, x.block->cluster->refusedWarp, 0,
                               *x.block->cluster->refused);
      x.m.report("ub", x, i, l,
                 "try_cancel after line " + std::to_string(seen.line) +
                     " has seen that an earlier one failed",
                 {seen});
    }
    bool stolen = x.m.stealCluster(first);
    BulkOp op;
    op.kind = BulkOp::Element;
    op.inst = &i;
    op.warp = x.warp;
    op.lane = l;
    op.bytes = 16;
    op.values[0] = uint64_t(stolen) | uint64_t(first[0]) << 32;
    op.values[1] = first[1] | uint64_t(first[2]) << 32;
    op.issuer = x.clock(l);
    ++x.clock(l).clock;
    uint64_t response = sharedOf(operandAddress(x, i, 0, l));
    uint64_t barrier = sharedOf(operandAddress(x, i, 1, l));
    size_t count = i.a ? x.block->cluster->blocks.size() : 1;
    for (size_t rank = 0; rank < count; ++rank) {
      op.shared = response;
      op.barrier = barrier;
      if (i.a) {
        op.shared = (response & 0xFFFFFF) | uint64_t(rank) << 24;
        op.barrier = (barrier & 0xFFFFFF) | uint64_t(rank) << 24;
      }
      if (x.m.options.async == AsyncMode::Early)
        x.m.performBulk(x, *x.block, op);
      else
        x.block->bulk.push_back(op);
    }
  });
}
void queryCancel(Exec &x, const Inst &i, Mask m) {
  auto *low = x.row<uint64_t>(i.o[1]), *high = x.row<uint64_t>(i.o[1] + 2);
  if (i.a == 0) {
    Mask p = 0;
    forLanes(m, [&](int l) { p |= Mask(low[l] & 1) << l; });
    x.setPredicate(uint32_t(i.o[0]), p, m);
    if (m & ~p) {
      x.block->cluster->refused = &i;
      x.block->cluster->refusedWarp = x.warp->index;
    }
    return;
  }
  Mask none = 0;
  forLanes(m, [&](int l) { none |= Mask(!(low[l] & 1)) << l; });
  for (int32_t row : i.extra->v[0])
    if (none)
      x.m.undefinedResult(x, i, none, row, 1);
  forLanes(m, [&](int l) {
    uint32_t id[4] = {uint32_t(low[l] >> 32), uint32_t(high[l]),
                      uint32_t(high[l] >> 32), 0};
    const std::vector<int32_t> &to = i.extra->v[0];
    for (size_t k = 0; k < to.size(); ++k)
      x.row<uint32_t>(to[k])[l] = id[i.a == 1 ? k : size_t(i.a - 2)];
  });
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool addAddress(Decoder &d, const Operand &o, Space s) {
  Decoder::Address a;
  // Only the base; coordinates follow it in the same brackets.
  Operand base = o;
  if (base.items.size() > 1)
    base.items.resize(1);
  if (!d.address(base, s, a))
    return false;
  Extra &e = d.extra();
  e.numbers.push_back(a.offset);
  e.v[3].insert(e.v[3].end(), {a.row, a.wide, int32_t(e.numbers.size()) - 1});
  return true;
}

bool hasWord(const Decoder &d, const char *word) {
  for (const std::string &w : d.s->words)
    if (w == word)
      return true;
  return false;
}

bool decodeBulk(Decoder &d) {
  bool reduce = hasWord(d, "reduce");
  bool policy = hasWord(d, "L2::cache_hint");
  d.has("reduce");
  d.has("async");
  d.has("bulk");
  if (d.has("commit_group")) {
    d.emit(bulkCommit, Class::Async);
    return true;
  }
  if (d.has("wait_group")) {
    d.inst.a = d.has("read");
    if (!d.operands(1, 1) || !d.immediate(d.operand(0), d.inst.imm))
      return false;
    d.emit(bulkWait, Class::Async);
    return true;
  }
  if (hasWord(d, "prefetch"))
    return decodeTable().at("prefetch")(d);
  bool tensor = d.has("tensor");
  std::string dims;
  if (tensor)
    for (const char *n : {"1d", "2d", "3d", "4d", "5d"})
      if (d.has(n))
        dims = n;
  if (tensor && dims.empty())
    return d.fail("expected a dimension as '.2d'");
  std::string rest;
  bool gather = d.has("tile::gather4") || d.has("tile::scatter4");
  d.has("tile");
  bool im2col = d.has("im2col") || d.has("im2col_no_offs");
  if (d.prefixed("im2col", rest))
    return d.fail("mode '.im2col" + rest +
                  "' is not supported: PTX shows the walk of its halo in a "
                  "figure only; use .im2col");
  // Destination, then source.
  bool toShared = false, toCluster = false, fromShared = false;
  if (d.next("shared::cluster"))
    toShared = toCluster = true;
  else if (d.next("shared::cta") || d.next("shared"))
    toShared = true;
  else if (!d.next("global"))
    return d.fail("expected the destination's state space");
  if (d.next("shared::cta") || d.next("shared"))
    fromShared = true;
  else if (!d.next("global"))
    return d.fail("expected the source's state space");
  bool group = d.has("bulk_group");
  d.has("mbarrier::complete_tx::bytes");
  bool multicast = d.has("multicast::cluster");
  d.prefixed("cta_group::", rest);
  d.has("L2::cache_hint");
  d.hints();
  bool byteMask = d.has("cp_mask");
  Extra &e = d.extra();
  if (reduce) {
    for (const char *op :
         {"add", "min", "max", "inc", "dec", "and", "or", "xor"})
      if (e.text.empty() && d.has(op))
        e.text = op;
    if (e.text.empty())
      return d.fail("expected a reduction");
    d.has("noftz");
    if (!tensor)
      e.types[0] = d.type();
    d.has("tile");
  }
  for (const char *w : {"relaxed", "weak", "cta", "cluster", "gpu", "sys"})
    d.has(w);
  d.inst.b = uint8_t((tensor ? 1 : 0) | (gather ? 2 : 0) | (im2col ? 4 : 0));
  d.inst.a = toShared && fromShared ? BulkOp::SharedToShared
             : toShared             ? BulkOp::Load
             : reduce               ? BulkOp::Reduce
                                    : BulkOp::Store;
  if (reduce && toShared && !(toCluster && fromShared && !tensor))
    return d.fail("a reduction into shared memory goes from .shared::cta to "
                  ".shared::cluster");
  if (!toShared && !group)
    return d.fail("expected '.bulk_group'");
  size_t n = d.count() - (policy ? 1 : 0);
  d.inst.o[1] = d.inst.o[2] = -1;
  if (tensor) {
    // load: [dst], [map, {c}], [bar]{, mask}; store: [map, {c}], [src].
    size_t at = toShared ? 1 : 0;
    if (n < (toShared ? 3u : 2u))
      return d.fail("an operand is missing");
    const Operand &map = d.operand(at);
    if (map.items.size() != 2)
      return d.fail("expected '[map, {coordinates}]'");
    if (!addAddress(d, d.operand(0),
                    toShared ? Space::SharedCluster : Space::Generic) ||
        !addAddress(d, d.operand(1),
                    toShared ? Space::Generic : Space::Shared) ||
        (toShared && !addAddress(d, d.operand(2), Space::Shared)) ||
        !d.sources(map.items[1], Type::B32, e.v[0]))
      return false;
    if (im2col && toShared) {
      std::vector<Operand> offsets =
          n > 3 ? Decoder::elements(d.operand(3)) : std::vector<Operand>();
      if (offsets.size() + 2 != Decoder::elements(map.items[1]).size())
        return d.fail("expected one im2col offset per spatial dimension");
      for (const Operand &o : offsets) {
        int bits;
        e.v[1].emplace_back();
        if (!d.anySource(o, Type::B16, e.v[1].back(), bits))
          return false;
      }
    }
    if (multicast) {
      int bits;
      if (n < 4 || !d.anySource(d.operand(n - 1), Type::B16, d.inst.o[1], bits))
        return d.fail("expected a multicast mask");
    }
    d.inst.blind = reduce;
    d.emit(bulk, Class::Async);
    // The reduction is no label.
    return true;
  }
  // [dst], [src], size{, [bar]}{, mask}
  if (n < (toShared ? 4u : 3u))
    return d.fail("an operand is missing");
  if (!addAddress(d, d.operand(0),
                  toShared ? Space::SharedCluster : Space::Global) ||
      !addAddress(d, d.operand(1),
                  fromShared ? Space::Shared : Space::Global) ||
      !d.source(d.operand(2), Type::B32, d.inst.o[0]) ||
      (toShared && !addAddress(d, d.operand(3), Space::SharedCluster)))
    return false;
  if (multicast) {
    int bits;
    if (n < 5 || !d.anySource(d.operand(4), Type::B16, d.inst.o[1], bits))
      return d.fail("expected a multicast mask");
  }
  if (byteMask) {
    int bits;
    if (toShared || n != 4 ||
        !d.anySource(d.operand(d.count() - 1), Type::B16, d.inst.o[2], bits))
      return d.fail("expected a byte mask as the last operand");
  }
  d.inst.blind = reduce;
  d.emit(bulk, Class::Async);
  return true;
}

bool decodeStoreBulk(Decoder &d) {
  d.has("weak");
  Space s;
  takeMemorySpace(d, s);
  int64_t value;
  if (!d.operands(3, 3) || !addAddress(d, d.operand(0), s) ||
      !d.source(d.operand(1), Type::B64, d.inst.o[0]) ||
      !d.immediate(d.operand(2), value))
    return false;
  if (value)
    return d.fail("the initial value must be 0");
  d.inst.c = uint8_t(s);
  d.emit(storeBulk, Class::Shared);
  return true;
}

bool decodeStoreAsync(Decoder &d) {
  bool isRed = d.s->words[0] == "red";
  if (d.has("bulk"))
    return decodeStoreBulk(d);
  d.has("async");
  takeSemantics(d, true);
  Space s;
  takeMemorySpace(d, s);
  d.has("mbarrier::complete_tx::bytes");
  Extra &e = d.extra();
  if (isRed) {
    for (const char *op :
         {"add", "min", "max", "inc", "dec", "and", "or", "xor"})
      if (e.text.empty() && d.has(op))
        e.text = op;
  }
  d.has("v2");
  d.has("v4");
  e.types[0] = d.type();
  if (!d.operands(3, 3) || !addAddress(d, d.operand(0), Space::SharedCluster) ||
      !d.sources(d.operand(1), e.types[0], e.v[0]) ||
      !addAddress(d, d.operand(2), Space::SharedCluster))
    return false;
  d.emit(storeAsync, Class::Async);
  return true;
}

bool decodeTensormap(Decoder &d) {
  if (d.has("cp_fenceproxy")) {
    for (size_t k = 1; k < d.s->words.size(); ++k)
      d.has(d.s->words[k]);
    d.inst.aligned = d.inst.releasesMap = true;
    if (!d.operands(3, 3) || !addAddress(d, d.operand(0), Space::Generic) ||
        !addAddress(d, d.operand(1), Space::Shared))
      return false;
    d.emit(tensormapCopy, Class::Async);
    return true;
  }
  if (!d.has("replace") || !d.has("tile"))
    return d.fail("expected '.replace.tile' or '.cp_fenceproxy'");
  static const std::pair<const char *, Field> fields[] = {
      {"global_address", FAddress},
      {"rank", FRank},
      {"box_dim", FBox},
      {"global_dim", FDim},
      {"global_stride", FStride},
      {"element_stride", FElementStride},
      {"elemtype", FElemtype},
      {"interleave_layout", FInterleave},
      {"swizzle_mode", FSwizzle},
      {"swizzle_atomicity", FAtomicity},
      {"fill_mode", FFill}};
  bool found = false;
  for (auto &[name, field] : fields)
    if (d.has(name)) {
      d.inst.a = field;
      found = true;
    }
  if (!found)
    return d.fail("unknown field");
  Space s;
  takeMemorySpace(d, s);
  d.has("b1024");
  Extra &e = d.extra();
  e.types[0] = d.type();
  bool ordinal = d.inst.a == FBox || d.inst.a == FDim || d.inst.a == FStride ||
                 d.inst.a == FElementStride;
  if (!d.operands(ordinal ? 3 : 2, ordinal ? 3 : 2))
    return false;
  if (ordinal) {
    int64_t k;
    if (!d.immediate(d.operand(1), k) || k < 0 || k > 4)
      return d.fail("expected a dimension from 0 to 4");
    d.inst.b = uint8_t(k);
  }
  if (!d.memoryOperand(d.operand(0), s) ||
      !d.source(d.operand(d.count() - 1), e.types[0], d.inst.o[0]))
    return false;
  d.emit(tensormapReplace, Class::Async);
  return true;
}

bool decodeLaunchControl(Decoder &d) {
  if (d.has("try_cancel")) {
    d.inst.a = hasWord(d, "multicast::cluster::all");
    for (size_t k = 1; k < d.s->words.size(); ++k)
      d.has(d.s->words[k]);
    if (!d.operands(2, 2) || !addAddress(d, d.operand(0), Space::Shared) ||
        !addAddress(d, d.operand(1), Space::Shared))
      return false;
    d.emit(tryCancel, Class::Async);
    return true;
  }
  if (!d.has("query_cancel"))
    return d.fail("unknown operation");
  if (!d.operands(2, 2) || !d.source(d.operand(1), Type::B128, d.inst.o[1]))
    return false;
  if (d.has("is_canceled")) {
    d.has("pred");
    d.type();
    d.type();
    if (!d.predicateDestination(d.operand(0), d.inst.o[0]))
      return false;
  } else {
    d.inst.a = d.has("get_first_ctaid")      ? 1
               : d.has("get_first_ctaid::x") ? 2
               : d.has("get_first_ctaid::y") ? 3
               : d.has("get_first_ctaid::z") ? 4
                                             : 0;
    d.has("v4");
    d.type();
    d.type();
    if (!d.inst.a || !d.destinations(d.operand(0), Type::B32, d.extra().v[0]))
      return d.fail("unknown query");
  }
  d.emit(queryCancel, Class::Async);
  return true;
}

} // namespace

void registerBulk() {
  RegisterDecoders({{"cp#bulk", decodeBulk},
                    {"st#async", decodeStoreAsync},
                    {"red#async", decodeStoreAsync},
                    {"tensormap", decodeTensormap},
                    {"clusterlaunchcontrol", decodeLaunchControl}});
}

} // namespace tileir::emu

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/layout/Conversion.h"

#include "dialects/support/layout/Packing.h"
#include "dialects/support/layout/SharedMemory.h"

#include <algorithm>
#include <cassert>

namespace tileir {

static uint64_t lowMask(unsigned bits) { return (uint64_t(1) << bits) - 1; }

static unsigned countNonZero(const LinearMap &map) {
  unsigned count = 0;
  for (unsigned i = 0; i < map.numInputs(); ++i)
    count += map.column(i) != 0;
  return count;
}

unsigned ShufflePlan::numSelectBits() const {
  return countNonZero(select) + countNonZero(undo);
}

unsigned commonPackedBits(const Layout &dst, const Layout &src,
                          unsigned limit) {
  LinearMap map = invertAndCompose(dst, src);
  limit =
      std::min({limit, dst.getNumBases(kRegister), src.getNumBases(kRegister)});
  unsigned packed = 0;
  while (packed < limit && map.column(packed) == uint64_t(1) << packed)
    ++packed;
  for (; packed; --packed) {
    bool untouched = true;
    for (unsigned i = packed; i < map.numInputs(); ++i)
      untouched &= (map.column(i) & lowMask(packed)) == 0;
    if (untouched)
      break;
  }
  return packed;
}

std::optional<ShufflePlan> planShuffle(const Layout &dst, const Layout &src,
                                       unsigned packedBits) {
  LinearMap map = invertAndCompose(dst, src);
  unsigned dstRegs = dst.getNumBases(kRegister);
  unsigned srcRegs = src.getNumBases(kRegister);
  for (unsigned i = 0; i < map.numInputs(); ++i) {
    uint64_t image = map.column(i);
    bool outer = i >= dstRegs + 5;
    // Warps and CTAs keep their data, and no other bit crosses them.
    if (outer ? image != uint64_t(1) << (srcRegs + i - dstRegs)
              : (image >> (srcRegs + 5)) != 0)
      return std::nullopt;
  }
  unsigned slotBits = dstRegs - packedBits;
  LinearMap regs = map.inputs(packedBits, slotBits);
  LinearMap lanes = map.inputs(dstRegs, 5);
  LinearMap regToReg = regs.rows(packedBits, srcRegs - packedBits);
  LinearMap regToLane = regs.rows(srcRegs, 5);
  LinearMap laneToReg = lanes.rows(packedBits, srcRegs - packedBits);
  LinearMap laneToLane = lanes.rows(srcRegs, 5);

  // Make (lane -> source lane) injective on the lanes that differ: keep the
  // independent bits first, then spread the others over source lanes that hold
  // copies, or let them fetch another register in the same round.
  ShufflePlan plan;
  plan.sourceLane = laneToLane;
  plan.undo = LinearMap(std::vector<uint64_t>(5, 0));
  Span span;
  std::vector<unsigned> dependent;
  for (unsigned j = 0; j < 5; ++j) {
    if (dst.getFlatBasis(kLane, j) == 0 && !laneToLane.column(j))
      continue; // reads the lane with this bit clear
    if (!span.insert(laneToLane.column(j)))
      dependent.push_back(j);
  }
  uint64_t freeLanes = src.zeroMask(kLane);
  uint64_t usedRegs = 0;
  for (unsigned j : dependent) {
    uint64_t image = laneToLane.column(j);
    bool found = false;
    for (unsigned f = 0; f < 5 && !found; ++f)
      if ((freeLanes >> f) & 1 && span.insert(image ^ (1u << f))) {
        plan.sourceLane.column(j) = image ^ (1u << f);
        found = true;
      }
    for (unsigned i = 0; i < slotBits && !found; ++i)
      if (!((usedRegs >> i) & 1) && span.insert(image ^ regToLane.column(i))) {
        plan.sourceLane.column(j) = image ^ regToLane.column(i);
        plan.undo.column(j) = uint64_t(1) << i;
        usedRegs |= uint64_t(1) << i;
        found = true;
      }
    if (!found)
      return std::nullopt;
  }
  LinearMap lanesOfSource = plan.sourceLane.rightInverse(5);
  LinearMap published;
  for (unsigned j = 0; j < 5; ++j)
    published.append(laneToReg.column(j) ^ regToReg(plan.undo.column(j)));
  plan.select = published.compose(lanesOfSource);
  for (uint64_t round = 0; round < uint64_t(1) << slotBits; ++round) {
    uint64_t lane = regToLane(round);
    plan.sourceLaneXor.push_back(lane);
    plan.sourceRegister.push_back(regToReg(round) ^ plan.select(lane));
  }
  return plan;
}

namespace {

/// Builds the bases of an exchange layout in groups, all independent.
class BasisBuilder {
public:
  bool add(uint64_t vector) {
    if (!span.insert(vector))
      return false;
    bases.push_back(vector);
    return true;
  }
  bool contains(uint64_t vector) const { return span.contains(vector); }
  uint64_t reduce(uint64_t vector) const { return span.reduce(vector); }
  std::vector<uint32_t> bases;

private:
  Span span;
};

} // namespace

/// Reduced, independent images of `vectors` modulo `chosen`.
static std::vector<uint64_t> reduceAll(const std::vector<uint64_t> &vectors,
                                       const BasisBuilder &chosen) {
  std::vector<uint64_t> result;
  Span span;
  for (uint64_t vector : vectors) {
    vector = chosen.reduce(vector);
    if (span.insert(vector))
      result.push_back(vector);
  }
  return result;
}

static std::vector<uint64_t> laneVectors(const Layout &layout, unsigned count) {
  std::vector<uint64_t> result;
  for (unsigned i = 0; i < count; ++i)
    result.push_back(layout.getFlatBasis(kLane, i));
  return result;
}

/// The vectors of `from` that extend `base`.
static std::vector<uint64_t> completeSpan(const std::vector<uint64_t> &base,
                                          const std::vector<uint64_t> &from) {
  Span span;
  for (uint64_t vector : base)
    span.insert(vector);
  std::vector<uint64_t> result;
  for (uint64_t vector : from)
    if (span.insert(vector))
      result.push_back(vector);
  return result;
}

ExchangePlan planExchange(const Layout &dst, const Layout &src, unsigned bits) {
  assert(bits >= 8 && "memory elements have at least 8 bits");
  unsigned tileBits = dst.getTileBits();
  std::vector<uint64_t> units;
  for (unsigned i = 0; i < tileBits; ++i)
    units.push_back(uint64_t(1) << i);

  BasisBuilder chosen;
  unsigned common =
      std::min(dst.getNumBases(kRegister), src.getNumBases(kRegister));
  unsigned vectorBits = 0;
  while (vectorBits < common && (bits << (vectorBits + 1)) <= 128 &&
         dst.getFlatBasis(kRegister, vectorBits) ==
             src.getFlatBasis(kRegister, vectorBits) &&
         chosen.add(dst.getFlatBasis(kRegister, vectorBits)))
    ++vectorBits;

  // Fill a 32-bit word, so that lanes of one bank read one word.
  std::vector<uint64_t> srcLanes = laneVectors(src, 5);
  std::vector<uint64_t> dstLanes = laneVectors(dst, 5);
  std::vector<uint64_t> allLanes = srcLanes;
  allLanes.insert(allLanes.end(), dstLanes.begin(), dstLanes.end());
  std::vector<uint64_t> candidates = intersectSpans(srcLanes, dstLanes);
  for (uint64_t vector : completeSpan(allLanes, units))
    candidates.push_back(vector);
  candidates.insert(candidates.end(), srcLanes.begin(), srcLanes.end());
  candidates.insert(candidates.end(), units.begin(), units.end());
  for (uint64_t vector : candidates)
    if ((bits << chosen.bases.size()) < 32 && chosen.bases.size() < tileBits)
      chosen.add(vector);

  // Number of lanes in one wavefront.
  unsigned bytes = std::max(4u, (bits << vectorBits) / 8);
  unsigned wave = 0;
  while ((2u << wave) <= std::min(32u, 128 / bytes))
    ++wave;
  std::vector<uint64_t> p = reduceAll(laneVectors(src, wave), chosen);
  std::vector<uint64_t> q = reduceAll(laneVectors(dst, wave), chosen);
  std::vector<uint64_t> both = intersectSpans(p, q);
  std::vector<uint64_t> e = completeSpan(both, p);
  std::vector<uint64_t> f = completeSpan(both, q);
  std::vector<uint64_t> sum = both;
  sum.insert(sum.end(), e.begin(), e.end());
  sum.insert(sum.end(), f.begin(), f.end());
  std::vector<uint64_t> baseAndSum(chosen.bases.begin(), chosen.bases.end());
  baseAndSum.insert(baseAndSum.end(), sum.begin(), sum.end());

  std::vector<uint64_t> segments = completeSpan(baseAndSum, units);
  size_t pairs = std::min(e.size(), f.size());
  for (size_t i = 0; i < pairs; ++i)
    segments.push_back(e[i] ^ f[i]);
  segments.insert(segments.end(), e.begin(), e.end());
  segments.insert(segments.end(), f.begin(), f.end());
  segments.insert(segments.end(), both.begin(), both.end());

  unsigned bankedBits = 0; // bits of the element offset within 128 bytes
  while ((bits << (bankedBits + 1)) <= 1024)
    ++bankedBits;
  unsigned numSegments = tileBits > bankedBits ? tileBits - bankedBits : 0;
  BasisBuilder withSegments = chosen;
  for (uint64_t vector : segments)
    if (withSegments.bases.size() < chosen.bases.size() + numSegments)
      withSegments.add(vector);
  std::vector<uint32_t> segmentBases(withSegments.bases.begin() +
                                         chosen.bases.size(),
                                     withSegments.bases.end());

  BasisBuilder whole = withSegments;
  for (const std::vector<uint64_t> &group : {both, e, f, units})
    for (uint64_t vector : group)
      whole.add(vector);
  std::vector<uint32_t> bankBases(
      whole.bases.begin() + withSegments.bases.size(), whole.bases.end());

  Layout::FlatBases bases(2);
  bases[kOffset] = chosen.bases;
  bases[kOffset].insert(bases[kOffset].end(), bankBases.begin(),
                        bankBases.end());
  bases[kOffset].insert(bases[kOffset].end(), segmentBases.begin(),
                        segmentBases.end());
  ExchangePlan plan;
  plan.smem = Layout::getUnchecked(LayoutSpace::Smem, dst.getShape(), bases);
  plan.vectorBits = vectorBits;
  plan.bytes = std::max<int64_t>(128, (int64_t(bits) << tileBits) / 8);
  return plan;
}

ConversionChoice chooseConversion(const Layout &dst, const Layout &src,
                                  unsigned bits) {
  LinearMap map = invertAndCompose(dst, src);
  unsigned dstRegs = dst.getNumBases(kRegister);
  unsigned srcRegs = src.getNumBases(kRegister);
  bool sameOuter = dst.getNumBases(kLane) == src.getNumBases(kLane) &&
                   dst.getNumBases(kWarp) == src.getNumBases(kWarp) &&
                   dst.getNumBases(kRegCta) == src.getNumBases(kRegCta);
  bool inThread = sameOuter;
  for (unsigned i = 0; i < map.numInputs(); ++i)
    inThread &= i < dstRegs
                    ? map.column(i) < uint64_t(1) << srcRegs
                    : map.column(i) == uint64_t(1) << (srcRegs + i - dstRegs);
  if (inThread) {
    bool identity = dstRegs == srcRegs;
    for (unsigned i = 0; i < dstRegs; ++i)
      identity &= map.column(i) == uint64_t(1) << i;
    return {identity ? ConversionKind::Identity : ConversionKind::Registers, 0};
  }
  unsigned firstCta = srcRegs + 5 + src.getNumBases(kWarp);
  for (unsigned i = 0; i < map.numInputs(); ++i) {
    bool cta = i >= dstRegs + 5 + dst.getNumBases(kWarp);
    uint64_t image = map.column(i) >> firstCta;
    if (cta ? map.column(i) != uint64_t(1) << (srcRegs + i - dstRegs)
            : image != 0)
      return {ConversionKind::Cluster, ~0u};
  }

  unsigned memoryBits = std::max(bits, 8u);
  ExchangePlan exchange = planExchange(dst, src, memoryBits);
  unsigned stores =
      1u << (srcRegs - smemAccess(src, exchange.smem, memoryBits).vectorBits);
  unsigned loads =
      1u << (dstRegs - smemAccess(dst, exchange.smem, memoryBits).vectorBits);
  unsigned sharedCost = stores + loads + 2 * 30;

  unsigned limit = bits < 8 ? 0 : bits == 8 ? 2 : bits == 16 ? 1 : 0;
  unsigned packed = commonPackedBits(dst, src, limit);
  unsigned words = (1u << (dstRegs - packed)) * (bits > 32 ? 2 : 1);
  if (std::max(words, 1u << (srcRegs - packed)) <= 64)
    if (std::optional<ShufflePlan> plan = planShuffle(dst, src, packed)) {
      unsigned cost = words * (1 + 2 * plan->numSelectBits());
      if (cost <= sharedCost)
        return {ConversionKind::Shuffle, cost};
    }
  return {ConversionKind::Shared, sharedCost};
}

} // namespace tileir

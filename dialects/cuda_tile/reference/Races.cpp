// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order of accesses. Between tile blocks, by vector clocks: a release covers
// all earlier operations of its tile block, with any token, so that every
// reported conflict is unordered. Within a tile block, by tokens.

#include "dialects/cuda_tile/reference/TileBlock.h"

namespace tileir::reference {

using namespace mlir;

void TileBlock::acquire(uint64_t address) {
  auto found = run.released.find(address);
  if (found == run.released.end())
    return;
  returned = std::max(returned, found->second->of(number));
  clock.join(*found->second);
}

void TileBlock::release(uint64_t address, const Order &order) {
  if (run.isFreeOfSync)
    return;
  if (!order.releases) {
    // A plain store ends the release sequence; an atomic continues it.
    if (!order.isAtomic)
      run.released.erase(address);
    return;
  }
  // One step of the clock for all elements of an operation.
  if (!snapshot) {
    clock.advance(number);
    snapshot = std::make_shared<const Clock>(clock);
  }
  std::shared_ptr<const Clock> &entry = run.released[address];
  if (!entry || !order.isAtomic) {
    entry = snapshot;
    return;
  }
  Clock joined = *entry;
  joined.join(*snapshot);
  entry = std::make_shared<const Clock>(std::move(joined));
}

//===----------------------------------------------------------------------===//
// Races
//===----------------------------------------------------------------------===//

bool TileBlock::happenedBefore(const Event &event) const {
  if (event.block != number)
    return clock.of(event.block) > event.epoch;
  // Of the block's own operations, those precede that a token orders, or that
  // the block released and acquired again from others.
  if (event.epoch < returned ||
      (event.chain == step.chain && event.position == step.position))
    return true;
  if (!step.before)
    return false;
  auto chain = llvm::lower_bound(*step.before, std::pair(event.chain, 0u));
  return chain != step.before->end() && chain->first == event.chain &&
         chain->second >= event.position;
}

const Event &TileBlock::noteEvent(Operation *op, const Order &order) {
  uint32_t epoch = clock.of(number);
  if (step.event == 0 || run.events[step.event].epoch != epoch) {
    step.event = run.events.size();
    step.withThis.clear();
    run.events.push_back({op, number, epoch, step.chain, step.position,
                          order.isWeak, order.isWeakWithin});
  }
  return run.events[step.event];
}

std::optional<std::pair<uint32_t, bool>>
TileBlock::findRace(const Event &self, uint32_t writer,
                    uint32_t readers) const {
  auto races = [&](uint32_t number) {
    const Event &event = run.events[number];
    bool isWeak = event.block == self.block
                      ? event.isWeakWithin || self.isWeakWithin
                      : event.isWeak || self.isWeak;
    return isWeak && !happenedBefore(event);
  };
  if (writer && races(writer))
    return std::pair(writer, true);
  for (; readers; readers = run.readers[readers].rest)
    if (races(run.readers[readers].event))
      return std::pair(run.readers[readers].event, false);
  return std::nullopt;
}

uint32_t TileBlock::addReader(const Event &self, uint32_t readers) {
  auto [known, isFirst] = step.withThis.try_emplace(readers, 0);
  if (!isFirst)
    return known->second;
  // Events after this read are also after the readers that precede it. A list
  // is searched when its length has doubled, so the cost stays low.
  uint32_t size = run.readers[readers].size, kept = 0;
  if (size & (size - 1)) {
    kept = readers;
  } else {
    for (uint32_t list = readers; list; list = run.readers[list].rest) {
      Readers entry = run.readers[list];
      const Event &event = run.events[entry.event];
      bool isCovered = self.isWeak >= event.isWeak &&
                       self.isWeakWithin >= event.isWeakWithin &&
                       happenedBefore(event);
      if (isCovered)
        continue;
      run.readers.push_back({entry.event, kept, run.readers[kept].size + 1});
      kept = run.readers.size() - 1;
    }
  }
  run.readers.push_back({step.event, kept, run.readers[kept].size + 1});
  return known->second = run.readers.size() - 1;
}

void TileBlock::checkRace(Operation *op, Allocation &allocation,
                          uint64_t offset, unsigned size, bool isWrite,
                          const Order &order) {
  if (allocation.writer.empty()) {
    allocation.writer.reset(allocation.bytes.size());
    allocation.readers.reset(allocation.bytes.size());
  }
  Event self = noteEvent(op, order);
  bool isReported = false;
  for (uint64_t byte = offset; byte < offset + size; ++byte) {
    uint32_t &writer = allocation.writer.at(byte),
             &readers = allocation.readers.at(byte);
    std::pair<uint32_t, uint32_t> others(writer, isWrite ? readers : 0);
    if (others != step.harmless && !isReported) {
      auto found = findRace(self, others.first, others.second);
      if (!found)
        step.harmless = others;
      isReported = found.has_value();
      if (found)
        run.reportRace(op, id, isWrite, run.events[found->first], found->second,
                       allocation, byte);
    }
    if (!isWrite) {
      readers = addReader(self, readers);
      continue;
    }
    // Events after this write are also after those reads.
    writer = step.event;
    readers = 0;
  }
}

} // namespace tileir::reference

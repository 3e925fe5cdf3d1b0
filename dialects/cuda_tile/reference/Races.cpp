// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order between tile blocks, by vector clocks: a release takes along everything
// that its tile block did before, whatever its token says, so that only
// conflicts are reported that nothing orders.

#include "dialects/cuda_tile/reference/TileBlock.h"

namespace tileir::reference {

using namespace mlir;

void TileBlock::acquire(uint64_t address) {
  auto found = run.released.find(address);
  if (found != run.released.end())
    clock.join(*found->second);
}

void TileBlock::release(uint64_t address, const Order &order) {
  if (run.isFreeOfSync)
    return;
  if (!order.releases) {
    // A plain store ends what a release began; an atomic passes it on.
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

bool TileBlock::happenedBefore(const Touch &touch) const {
  return touch.block == 0 || touch.block == number + 1 ||
         clock.of(touch.block - 1) > touch.epoch;
}

void TileBlock::checkRace(Operation *op, Allocation &allocation,
                          uint64_t offset, unsigned size, bool isWrite,
                          bool isWeak) {
  if (allocation.written.empty()) {
    allocation.written.reset(allocation.bytes.size());
    allocation.read.reset(allocation.bytes.size());
  }
  Touch self{number + 1, clock.of(number), isWeak};
  auto races = [&](const Touch &touch) {
    return (isWeak || touch.isWeak) && !happenedBefore(touch);
  };
  bool isReported = false;
  for (uint64_t byte = offset; byte < offset + size; ++byte) {
    Touch &write = allocation.written.at(byte),
          &read = allocation.read.at(byte);
    bool conflicts = races(write);
    auto others =
        read.block ? allocation.readers.find(byte) : allocation.readers.end();
    if (isWrite) {
      conflicts |= races(read);
      if (others != allocation.readers.end())
        conflicts |= llvm::any_of(others->second, races);
    }
    if (conflicts && !isReported) {
      isReported = true;
      report(op, "race",
             Twine(isWrite ? "write" : "read") + " of '" + allocation.name +
                 "', byte " + Twine(byte) +
                 ", that another tile block accesses");
    }
    if (isWrite) {
      // Who is ordered behind this write is ordered behind those reads.
      write = self;
      read = {};
      if (others != allocation.readers.end())
        allocation.readers.erase(others);
    } else if (read.block == 0 || read.block == self.block ||
               happenedBefore(read)) {
      read = self;
    } else {
      std::vector<Touch> &list = allocation.readers[byte];
      auto known = llvm::find_if(
          list, [&](const Touch &touch) { return touch.block == self.block; });
      if (known != list.end())
        *known = self;
      else
        list.push_back(self);
    }
  }
}

} // namespace tileir::reference

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/Heuristics.h"

#include <algorithm>

namespace tileir {

bool paysScaledDot(const Target &target, int64_t rows, int64_t columns) {
  int64_t extent = std::min(rows, columns);
  if (target.hasTcgen05())
    return extent >= heuristics::scaledExtentOfTensorMemory;
  return target.hasMmaBlockScale() && extent >= heuristics::scaledExtentOfWarps;
}

bool paysRestagedDot(const Target &target, int64_t rows, int64_t columns,
                     int64_t depth) {
  return target.hasTcgen05() &&
         rows * columns * depth >= heuristics::restagedMultiplyAdds;
}

bool paysCopiedStore(const Target &target, int64_t bytes) {
  return target.hasTma() && bytes >= heuristics::copiedStoreBytes;
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/Heuristics.h"

namespace tileir {

bool paysScaledProduct(const Target &target, int64_t rows, int64_t columns) {
  switch (target.number()) {
#define TILEIR_THRESHOLD(Number, ScaledRows, ScaledColumns, ...)               \
  case Number:                                                                 \
    return rows >= ScaledRows && columns >= ScaledColumns;
#include "dialects/support/Heuristics.def"
  default:
    return false;
  }
}

bool paysStoredProduct(const Target &target, int64_t rows, int64_t columns,
                       int64_t depth) {
  switch (target.number()) {
#define TILEIR_THRESHOLD(Number, ScaledRows, ScaledColumns, StoredElements)    \
  case Number:                                                                 \
    return StoredElements && rows * columns * depth >= StoredElements;
#include "dialects/support/Heuristics.def"
  default:
    return false;
  }
}

} // namespace tileir

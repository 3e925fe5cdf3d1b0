// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rates and latencies of a GPU, from Rates.def.
#ifndef DIALECTS_SUPPORT_RATES_H
#define DIALECTS_SUPPORT_RATES_H

#include "dialects/support/Target.h"

namespace tileir {

class Rates {
public:
  enum Slot : unsigned {
#define TILEIR_RATE(Name, ...) Name,
#include "dialects/support/Rates.def"
    SlotCount
  };
  enum class Mma : unsigned {
#define TILEIR_MMA_RATE(Name, ...) Name,
#include "dialects/support/Rates.def"
    Count
  };
  enum class Latency : unsigned {
#define TILEIR_LATENCY(Name, ...) Name,
#include "dialects/support/Rates.def"
    Count
  };

  explicit Rates(const Target &target);

  /// Version of the table; it increases with every change of a number.
  static unsigned version();
  /// Name of the column, such as `H90`.
  const char *family() const;
  /// Units a cycle and SM; 0 where the GPU lacks the slot.
  unsigned rate(Slot slot) const;
  unsigned rate(Mma kind) const;
  /// Cycles.
  unsigned latency(Latency of) const;
  unsigned clockMHz() const;
  /// DRAM bytes a cycle of one SM when all SMs load.
  double dramBytesPerCycle() const;

private:
  unsigned column = 0;
  unsigned sms = 1;
};

} // namespace tileir

#endif // DIALECTS_SUPPORT_RATES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rates and latencies of a GPU, as Rates.def has them.
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

  /// Goes up with every change of a number.
  static unsigned version();
  /// `H90`.
  const char *family() const;
  /// Units a cycle and SM; 0 where there is no such slot.
  unsigned rate(Slot slot) const;
  unsigned rate(Mma kind) const;
  /// Cycles.
  unsigned latency(Latency of) const;
  unsigned clockMHz() const;
  /// Bytes of DRAM that one SM gets in a cycle when all of them ask.
  double dramBytesPerCycle() const;

private:
  unsigned column = 0;
  unsigned sms = 1;
};

} // namespace tileir

#endif // DIALECTS_SUPPORT_RATES_H

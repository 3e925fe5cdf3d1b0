// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/support/Rates.h"

#include <algorithm>

namespace tileir {

namespace {

enum Family : unsigned {
#define TILEIR_RATE_FAMILY(Name) Name,
#include "dialects/support/Rates.def"
  FamilyCount
};

constexpr const char *kFamilies[] = {
#define TILEIR_RATE_FAMILY(Name) #Name,
#include "dialects/support/Rates.def"
};

using Row = unsigned[FamilyCount];

constexpr Row kRates[] = {
#define TILEIR_RATE(Name, A, B, C, D, E, F, G, Meaning) {A, B, C, D, E, F, G},
#include "dialects/support/Rates.def"
};

constexpr Row kMma[] = {
#define TILEIR_MMA_RATE(Name, A, B, C, D, E, F, G, Meaning)                    \
  {A, B, C, D, E, F, G},
#include "dialects/support/Rates.def"
};

constexpr Row kLatencies[] = {
#define TILEIR_LATENCY(Name, A, B, C, D, E, F, G, Meaning)                     \
  {A, B, C, D, E, F, G},
#include "dialects/support/Rates.def"
};

enum Memory : unsigned {
#define TILEIR_MEMORY(Name, ...) Name,
#include "dialects/support/Rates.def"
};

constexpr Row kMemory[] = {
#define TILEIR_MEMORY(Name, A, B, C, D, E, F, G, Meaning) {A, B, C, D, E, F, G},
#include "dialects/support/Rates.def"
};

} // namespace

Rates::Rates(const Target &target) : sms(std::max(1u, target.typicalSMs())) {
  switch (target.number()) {
#define TILEIR_RATE_FAMILY_OF(Number, Family)                                  \
  case Number:                                                                 \
    column = Family;                                                           \
    break;
#include "dialects/support/Rates.def"
  default: // a chip without a column takes the oldest
    column = A80;
  }
}

unsigned Rates::version() {
#define TILEIR_MODEL_VERSION(Version) return Version;
#include "dialects/support/Rates.def"
}

const char *Rates::family() const { return kFamilies[column]; }
unsigned Rates::rate(Slot slot) const { return kRates[slot][column]; }
unsigned Rates::rate(Mma kind) const { return kMma[unsigned(kind)][column]; }
unsigned Rates::latency(Latency of) const {
  return kLatencies[unsigned(of)][column];
}
unsigned Rates::clockMHz() const { return kMemory[ClockMHz][column]; }
double Rates::dramBytesPerCycle() const {
  return kMemory[DramGBs][column] * 1000.0 / kMemory[ClockMHz][column] / sms;
}

} // namespace tileir

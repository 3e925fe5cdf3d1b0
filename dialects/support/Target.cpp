// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/Target.h"

#include <algorithm>

namespace tileir {

namespace {

enum class Suffixes : uint8_t { None, A, AF };
enum class Need : uint8_t { Plain, Suffix, AOnly };

struct FeatureRow {
  Need need;
  std::string_view meaning;
};

} // namespace

static constexpr FeatureRow featureRows[] = {
#define TILEIR_FEATURE(Name, Needs, Meaning) {Need::Needs, Meaning},
#include "dialects/support/Targets.def"
};

static_assert(sizeof(featureRows) / sizeof(featureRows[0]) <= 64,
              "features of a row are the bits of one word");

struct TargetRow {
  unsigned number;
  Suffixes suffixes;
  unsigned codegen, ptxas;
  unsigned ptxPlain, ptxA, ptxF;
  unsigned ptxDefault, ptxDefaultF;
  bool tileLowering;
  int64_t smemPerSM, smemPerBlock, smemReserved;
  unsigned threadsPerSM, blocksPerSM;
  unsigned tmemColumns;
  unsigned clusterPortable, clusterMax;
  unsigned sms;
  int64_t l2MiB;
  unsigned paramBankOffset;
  uint64_t features;
};

#define TILEIR_F(Name) (uint64_t(1) << unsigned(Feature::Name))

static constexpr TargetRow rows[] = {
#define TILEIR_TARGET(Number, Suffix, Codegen, Ptxas, PtxPlain, PtxA, PtxF,    \
                      PtxDefault, PtxDefaultF, TileLowering, SmemPerSM,        \
                      SmemPerBlock, SmemReserved, ThreadsPerSM, BlocksPerSM,   \
                      TmemColumns, ClusterPortable, ClusterMax, SMs, L2MiB,    \
                      ParamBankOffset, FeatureBits)                            \
  {Number,                                                                     \
   Suffixes::Suffix,                                                           \
   Codegen,                                                                    \
   Ptxas,                                                                      \
   PtxPlain,                                                                   \
   PtxA,                                                                       \
   PtxF,                                                                       \
   PtxDefault,                                                                 \
   PtxDefaultF,                                                                \
   TileLowering,                                                               \
   SmemPerSM,                                                                  \
   SmemPerBlock,                                                               \
   SmemReserved,                                                               \
   ThreadsPerSM,                                                               \
   BlocksPerSM,                                                                \
   TmemColumns,                                                                \
   ClusterPortable,                                                            \
   ClusterMax,                                                                 \
   SMs,                                                                        \
   L2MiB,                                                                      \
   ParamBankOffset,                                                            \
   FeatureBits},
#include "dialects/support/Targets.def"
};

#undef TILEIR_F

static const TargetRow *findRow(unsigned number) {
  for (const TargetRow &row : rows)
    if (row.number == number)
      return &row;
  return nullptr;
}

std::optional<Target> Target::fromNumber(unsigned number) {
  if (const TargetRow *row = findRow(number))
    return Target(row, ArchSuffix::None);
  return std::nullopt;
}

std::optional<Target> Target::parse(std::string_view name) {
  constexpr std::string_view prefix = "sm_";
  if (name.substr(0, prefix.size()) != prefix)
    return std::nullopt;
  name.remove_prefix(prefix.size());
  ArchSuffix suffix = ArchSuffix::None;
  if (!name.empty() && (name.back() == 'a' || name.back() == 'f')) {
    suffix = name.back() == 'a' ? ArchSuffix::A : ArchSuffix::F;
    name.remove_suffix(1);
  }
  // No chip has more than four digits; a leading zero is another name.
  if (name.empty() || name.size() > 4 || name.front() == '0')
    return std::nullopt;
  unsigned number = 0;
  for (char c : name) {
    if (c < '0' || c > '9')
      return std::nullopt;
    number = number * 10 + unsigned(c - '0');
  }
  std::optional<Target> target = fromNumber(number);
  if (!target || !target->hasSuffix(suffix))
    return std::nullopt;
  return Target(target->row, suffix);
}

std::vector<Target> Target::all() {
  std::vector<Target> result;
  for (const TargetRow &row : rows)
    result.push_back(Target(&row, ArchSuffix::None));
  return result;
}

std::string Target::tileLoweringNames() {
  std::string names;
  for (const Target &target : all()) {
    if (!target.supportedForTileLowering())
      continue;
    if (!names.empty())
      names += ", ";
    names += target.name();
  }
  return names;
}

unsigned Target::number() const { return row->number; }

std::string Target::baseName() const {
  return "sm_" + std::to_string(row->number);
}

std::string Target::name() const {
  switch (suffix_) {
  case ArchSuffix::None:
    return baseName();
  case ArchSuffix::A:
    return baseName() + "a";
  case ArchSuffix::F:
    return baseName() + "f";
  }
  return baseName();
}

bool Target::supportedForTileLowering() const { return row->tileLowering; }

Target Target::codegen() const {
  if (row->codegen == row->number)
    return *this;
  return Target(findRow(row->codegen),
                suffix_ == ArchSuffix::None ? ArchSuffix::None : ArchSuffix::F);
}

unsigned Target::ptxasMinimum() const { return row->ptxas; }

bool Target::hasSuffix(ArchSuffix suffix) const {
  switch (suffix) {
  case ArchSuffix::None:
    return true;
  case ArchSuffix::A:
    return row->suffixes != Suffixes::None;
  case ArchSuffix::F:
    return row->suffixes == Suffixes::AF;
  }
  return false;
}

Target Target::accelerated() const {
  if (suffix_ == ArchSuffix::None && hasSuffix(ArchSuffix::A))
    return Target(row, ArchSuffix::A);
  return *this;
}

Target Target::minimal(bool needsAccelerated) const {
  return needsAccelerated ? accelerated() : *this;
}

bool Target::assemblesFor(const Target &arch) const {
  switch (suffix_) {
  case ArchSuffix::None:
    return number() <= arch.number();
  case ArchSuffix::A:
    return *this == arch;
  case ArchSuffix::F:
    return majorVersion() == arch.majorVersion() && number() <= arch.number();
  }
  return false;
}

static bool rowHas(const TargetRow &row, Feature feature) {
  return (row.features >> unsigned(feature)) & 1;
}

bool Target::hasExactly(Feature feature) const {
  if (!rowHas(*row, feature))
    return false;
  switch (featureRows[unsigned(feature)].need) {
  case Need::Plain:
    return true;
  case Need::Suffix:
    return suffix_ != ArchSuffix::None;
  case Need::AOnly:
    return codegen().suffix_ == ArchSuffix::A;
  }
  return false;
}

bool Target::has(Feature feature) const {
  return accelerated().hasExactly(feature);
}

bool Target::needsAccelerated(Feature feature) const {
  Target plain = withoutSuffix();
  return plain.has(feature) && !plain.hasExactly(feature);
}

int64_t Target::sharedMemoryPerBlock() const { return row->smemPerBlock; }

int64_t Target::sharedMemoryWithoutOption() const {
  if (suffix_ == ArchSuffix::A)
    return row->smemPerBlock;
  return std::min(row->smemPerBlock, limits::staticSharedDefault);
}

int64_t Target::sharedMemoryPerSM() const { return row->smemPerSM; }
int64_t Target::sharedMemoryReserved() const { return row->smemReserved; }
unsigned Target::threadsPerSM() const { return row->threadsPerSM; }
unsigned Target::blocksPerSM() const { return row->blocksPerSM; }
unsigned Target::tensorMemoryColumns() const { return row->tmemColumns; }
unsigned Target::clusterPortable() const { return row->clusterPortable; }
unsigned Target::clusterMax() const { return row->clusterMax; }
unsigned Target::typicalSMs() const { return row->sms; }
int64_t Target::typicalL2Bytes() const { return row->l2MiB << 20; }
unsigned Target::parameterBankOffset() const { return row->paramBankOffset; }

unsigned Target::ptxMinimum() const {
  switch (suffix_) {
  case ArchSuffix::None:
    return row->ptxPlain;
  case ArchSuffix::A:
    return row->ptxA;
  case ArchSuffix::F:
    return row->ptxF;
  }
  return 0;
}

unsigned Target::ptxDefault() const {
  return suffix_ == ArchSuffix::F ? row->ptxDefaultF : row->ptxDefault;
}

unsigned ptxFloor(const Target &target, const PtxNeeds &needs) {
  unsigned floor = target.ptxMinimum();
  auto raise = [&](bool needed, int64_t version) {
    if (needed)
      floor = std::max(floor, unsigned(version));
  };
  raise(needs.parameterBytes > limits::parameterBytesSmall,
        limits::ptxLargeParameters);
  raise(needs.tensormapReplace, limits::ptxTensormapReplace);
  raise(target.suffix() == ArchSuffix::F, limits::ptxFamilyTargets);
  raise(needs.hiddenParameters, limits::ptxHiddenParameters);
  raise(needs.blocksAreClusters, limits::ptxBlocksAreClusters);
  return floor;
}

int64_t parameterByteLimit(unsigned ptx) {
  return ptx < limits::ptxLargeParameters ? limits::parameterBytesSmall
                                          : limits::parameterBytesLarge;
}

std::string_view describe(Feature feature) {
  return featureRows[unsigned(feature)].meaning;
}

int64_t parameterOffset(const Target &target, int64_t end, int64_t align) {
  int64_t bank = target.parameterBankOffset();
  return (bank + end + align - 1) / align * align - bank;
}

} // namespace tileir

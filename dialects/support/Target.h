// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_SUPPORT_TARGET_H
#define DIALECTS_SUPPORT_TARGET_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tileir {

/// Numbers that do not depend on the target; the meanings stand in Targets.def.
namespace limits {
#define TILEIR_LIMIT(Name, Value, Meaning)                                     \
  inline constexpr int64_t Name = Value;
#include "dialects/support/Targets.def"
} // namespace limits

/// Instruction families; what each covers stands in Targets.def.
enum class Feature : unsigned {
#define TILEIR_FEATURE(Name, Need, Meaning) Name,
#include "dialects/support/Targets.def"
};

/// Letter behind the number of a chip name.
enum class ArchSuffix : uint8_t { None, A, F };

/// One row of Targets.def.
struct TargetRow;

/// A GPU target: a row of the table and the suffix that was asked for. A value
/// type, cheap to copy. Every question about an SM is asked here; no other
/// place compares SM numbers.
class Target {
public:
  /// Parses `sm_<number>[a|f]`. Empty for a number without a row and for a
  /// suffix that the chip does not have.
  static std::optional<Target> parse(std::string_view name);
  /// The unsuffixed target of `major * 10 + minor`.
  static std::optional<Target> fromNumber(unsigned number);
  /// All unsuffixed targets, ascending.
  static std::vector<Target> all();
  /// The names that a user may give for tile lowering, unsuffixed, separated by
  /// ", " : what an error about an unknown target lists.
  static std::string tileLoweringNames();

  /// `major * 10 + minor`.
  unsigned number() const;
  unsigned majorVersion() const { return number() / 10; }
  unsigned minorVersion() const { return number() % 10; }
  ArchSuffix suffix() const { return suffix_; }
  /// `sm_90`, `sm_90a`, `sm_100f`.
  std::string name() const;
  /// The name without its suffix.
  std::string baseName() const;
  bool operator==(const Target &other) const {
    return row == other.row && suffix_ == other.suffix_;
  }
  bool operator!=(const Target &other) const { return !(*this == other); }

  /// True when tile kernels can be compiled for this target.
  bool supportedForTileLowering() const;
  /// The target whose name LLVM and `.target` of the PTX have: this one where
  /// LLVM knows the chip; else the first chip of its family, as 'f' in place of
  /// either suffix. What it offers is what code for this target may use.
  Target codegen() const;
  /// First release of ptxas that knows the chip, major * 100 + minor.
  unsigned ptxasMinimum() const;

  // Suffix rule.

  /// True when an `a` (or `f`) variant of the chip exists.
  bool hasSuffix(ArchSuffix suffix) const;
  /// The chip that code is generated for by default: the `a` variant where one
  /// exists, unless a suffix was asked for.
  Target accelerated() const;
  /// The chip with the smallest reach that is still enough: the plain one
  /// unless `needsAccelerated`; an explicit suffix always stands.
  Target minimal(bool needsAccelerated) const;
  Target withoutSuffix() const { return Target(row, ArchSuffix::None); }

  /// True when PTX whose `.target` is this may be assembled for `arch`: a plain
  /// target for any newer chip, an `f` target within its family, an `a` target
  /// for itself only.
  bool assemblesFor(const Target &arch) const;

  // Features.

  /// True when code for this target may use `feature`. An unsuffixed target
  /// counts as its `a` variant, because that is what it becomes by default; an
  /// explicit `f` does not offer what needs `a`.
  bool has(Feature feature) const;
  /// True when exactly this name, as ptxas reads it, offers `feature`.
  bool hasExactly(Feature feature) const;
  /// True when the plain chip name does not offer `feature` and a suffixed one
  /// does; users of such a feature set `nv_tileas.needs_accelerated_arch`.
  bool needsAccelerated(Feature feature) const;

#define TILEIR_FEATURE(Name, Need, Meaning)                                    \
  /** Shorthand for `has(Feature::Name)`. */                                   \
  bool has##Name() const { return has(Feature::Name); }
#include "dialects/support/Targets.def"

  // Limits.

  /// Largest static shared memory of a block in bytes, with
  /// `--enable-extended-smem=true`. Does not look at the gate
  /// TILE_AS_DEBUG_UNLIMITED_SMEM: see `sharedMemoryCap` in RuntimeGates.h.
  int64_t sharedMemoryPerBlock() const;
  /// Static shared memory of a block in bytes that this very name takes without
  /// `--enable-extended-smem=true`.
  int64_t sharedMemoryWithoutOption() const;
  int64_t sharedMemoryPerSM() const;
  /// Bytes that the system takes from each resident block.
  int64_t sharedMemoryReserved() const;
  unsigned threadsPerSM() const;
  unsigned blocksPerSM() const;
  /// 32-bit columns of tensor memory, 0 without tensor memory.
  unsigned tensorMemoryColumns() const;
  /// CTAs of a cluster that run everywhere, and at most. 1 without clusters.
  unsigned clusterPortable() const;
  unsigned clusterMax() const;
  /// SMs and L2 bytes of the largest common part.
  unsigned typicalSMs() const;
  int64_t typicalL2Bytes() const;
  /// Offset of the first kernel parameter in constant bank 0.
  unsigned parameterBankOffset() const;

  // PTX versions, times ten.

  /// Smallest version that LLVM and ptxas take for this name; 0 when unknown.
  unsigned ptxMinimum() const;
  /// Version assumed for a module that names none.
  unsigned ptxDefault() const;

private:
  Target(const TargetRow *row, ArchSuffix suffix) : row(row), suffix_(suffix) {}

  const TargetRow *row;
  ArchSuffix suffix_;
};

/// Features of a module that raise its PTX version above `Target::ptxMinimum`.
struct PtxNeeds {
  int64_t parameterBytes = 0;
  bool tensormapReplace = false;
  bool hiddenParameters = false;
  bool blocksAreClusters = false;
};

/// The PTX version, times ten, that `target` with `needs` takes at least.
unsigned ptxFloor(const Target &target, const PtxNeeds &needs);

/// Most bytes of kernel parameters in PTX version `ptx` (times ten).
int64_t parameterByteLimit(unsigned ptx);

/// Text of a feature as in Targets.def, for diagnostics.
std::string_view describe(Feature feature);

/// Block offset at which a parameter of `size` bytes and alignment `align`
/// starts when the previous one ends at block offset `end`. Alignment counts
/// from the start of the constant bank, not of the block.
int64_t parameterOffset(const Target &target, int64_t end, int64_t align);

} // namespace tileir

#endif // DIALECTS_SUPPORT_TARGET_H

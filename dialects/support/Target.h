// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_SUPPORT_TARGET_H
#define DIALECTS_SUPPORT_TARGET_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tileir {

/// Limits that do not depend on the target; Targets.def explains them.
namespace limits {
#define TILEIR_LIMIT(Name, Value, Meaning)                                     \
  inline constexpr int64_t Name = Value;
#include "dialects/support/Targets.def"
} // namespace limits

/// Instruction families; Targets.def says what each covers.
enum class Feature : unsigned {
#define TILEIR_FEATURE(Name, Need, Meaning) Name,
#include "dialects/support/Targets.def"
};

/// Suffix of a chip name.
enum class ArchSuffix : uint8_t { None, A, F };

/// One row of Targets.def.
struct TargetRow;

/// A GPU target: a row of the table and the requested suffix. A value type,
/// cheap to copy. It answers every question about an SM; no other code compares
/// SM numbers.
class Target {
public:
  /// Parses `sm_<number>[a|f]`. Empty for a number without a row and for a
  /// suffix that the chip does not have.
  static std::optional<Target> parse(std::string_view name);
  /// The unsuffixed target of `major * 10 + minor`.
  static std::optional<Target> fromNumber(unsigned number);
  /// All unsuffixed targets, ascending.
  static std::vector<Target> all();
  /// Unsuffixed target names for tile lowering, separated by ", ", for the
  /// error about an unknown target.
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

  /// Returns whether tile kernels can be compiled for this target.
  bool supportedForTileLowering() const;
  /// The target for LLVM and for `.target` of the PTX: this one where LLVM
  /// knows the chip; else the first chip of its family, with 'f' for either
  /// suffix. Code for this target may use the features of the result.
  Target codegen() const;
  /// First release of ptxas that supports the chip, major * 100 + minor.
  unsigned ptxasMinimum() const;

  // Suffix rule.

  /// Returns whether an `a` (or `f`) variant of the chip exists.
  bool hasSuffix(ArchSuffix suffix) const;
  /// The default chip of code generation: the `a` variant where one exists,
  /// unless the user gave a suffix.
  Target accelerated() const;
  /// The least specific chip name that suffices: the plain one unless
  /// `needsAccelerated`; an explicit suffix stays.
  Target minimal(bool needsAccelerated) const;
  Target withoutSuffix() const { return Target(row, ArchSuffix::None); }

  /// Returns whether PTX with this `.target` may be assembled for `arch`: a
  /// plain target for any newer chip, an `f` target within its family, an `a`
  /// target for itself only.
  bool assemblesFor(const Target &arch) const;

  // Features.

  /// Returns whether code for this target may use `feature`. An unsuffixed
  /// target counts as its `a` variant, its default for code generation; an
  /// explicit `f` lacks the features that need `a`.
  bool has(Feature feature) const;
  /// Returns whether exactly this name, as ptxas reads it, has `feature`.
  bool hasExactly(Feature feature) const;
  /// Returns whether `feature` needs a suffixed name; users of such a feature
  /// set `nv_tileas.needs_accelerated_arch`.
  bool needsAccelerated(Feature feature) const;

#define TILEIR_FEATURE(Name, Need, Meaning)                                    \
  /** Shorthand for `has(Feature::Name)`. */                                   \
  bool has##Name() const { return has(Feature::Name); }
#include "dialects/support/Targets.def"

  // Limits.

  /// Maximum static shared memory of a block in bytes, with
  /// `--enable-extended-smem=true`. Ignores TILE_AS_DEBUG_UNLIMITED_SMEM: see
  /// `sharedMemoryCap` in RuntimeGates.h.
  int64_t sharedMemoryPerBlock() const;
  /// Maximum static shared memory of a block in bytes that ptxas accepts for
  /// exactly this name without `--enable-extended-smem=true`.
  int64_t sharedMemoryWithoutOption() const;
  int64_t sharedMemoryPerSM() const;
  /// Bytes that the system takes from each resident block.
  int64_t sharedMemoryReserved() const;
  unsigned threadsPerSM() const;
  unsigned blocksPerSM() const;
  /// 32-bit columns of tensor memory, 0 without tensor memory.
  unsigned tensorMemoryColumns() const;
  /// Maximum CTAs of a cluster on every device, and on some device. 1 without
  /// clusters.
  unsigned clusterPortable() const;
  unsigned clusterMax() const;
  /// SMs and L2 bytes of the largest common GPU of the chip.
  unsigned typicalSMs() const;
  int64_t typicalL2Bytes() const;
  /// Offset of the first kernel parameter in constant bank 0.
  unsigned parameterBankOffset() const;

  // PTX versions, times ten.

  /// Minimum version that LLVM and ptxas accept for this name; 0 when unknown.
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

/// The minimum PTX version, times ten, for `target` with `needs`.
unsigned ptxFloor(const Target &target, const PtxNeeds &needs);

/// Maximum bytes of kernel parameters in PTX version `ptx` (times ten).
int64_t parameterByteLimit(unsigned ptx);

/// Text of a feature as in Targets.def, for diagnostics.
std::string_view describe(Feature feature);

/// Block offset at which a parameter of `size` bytes and alignment `align`
/// starts when the previous one ends at block offset `end`. Alignment counts
/// from the start of the constant bank, not of the block.
int64_t parameterOffset(const Target &target, int64_t end, int64_t align);

} // namespace tileir

#endif // DIALECTS_SUPPORT_TARGET_H

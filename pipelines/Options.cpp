// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipelines/Options.h"

#include "dialects/support/Target.h"

#include "llvm/ADT/StringExtras.h"

namespace tileir {

using namespace mlir;

StringRef fallbackComputeCapability() { return "sm_90"; }

//===----------------------------------------------------------------------===//
// Layers of defaults
//===----------------------------------------------------------------------===//

/// Sets a default; an explicit value stays.
template <typename OptionT, typename ValueT>
static void setDefault(OptionT &option, const ValueT &value) {
  if (!option.hasValue())
    option.setValue(value);
}

void applyFrontEndDefaults(TileIRPipelineOptions &options) {
  setDefault(options.scheduleTraceFile, "");
  setDefault(options.enableDebugLogging, false);
}

void applyPipelineDefaults(TileIRPipelineOptions &options) {
  setDefault(options.numWarps, 4);
  setDefault(options.numCtas, 1);
  setDefault(options.computeCapability, "");
  setDefault(options.optLevel, 2);
  setDefault(options.v2OptLevel, 0);
  setDefault(options.pipelineStrategy, "none");
  setDefault(options.indexBitwidth, 32);
  setDefault(options.unspecializedPipelineNumStages, 4);
  setDefault(options.approx, false);
  setDefault(options.ftz, false);
  setDefault(options.useNvgpucompLibnvvm, false);
  setDefault(options.emitLineInfo, "none");
  setDefault(options.dynamicPersistent, false);
  setDefault(options.scheduleTraceFile, "");
  setDefault(options.enableRandomDelay, false);
  setDefault(options.randomDelaySeed, uint64_t(0));
  setDefault(options.rrtSizeThreshold, 4096u);
  setDefault(options.maxConstraintIterations, 10u);
  setDefault(options.enableDebugLogging, false);
  setDefault(options.hostTriple, "native");
  setDefault(options.dumpHost, "");
  setDefault(options.launchAbi, "tile");
  setDefault(options.archSuffix, "accelerated");
  setDefault(options.debuginfoLevel, "none");
  setDefault(options.launcherStubs, false);
  setDefault(options.orderBlocks, true);
  setDefault(options.specializeAgents, true);
  setDefault(options.checkBarriers, false);
  setDefault(options.wrapWarp, 0u);
  setDefault(options.optionalPasses, -1);
  setDefault(options.plantedFault, "");
  setDefault(options.launcherApi, "driver");
  setDefault(options.preset, "");
}

/// Returns whether single threads issue the MMAs of `target`. MMAs then have
/// warps of their own at every level of effort.
static bool hasIssuedMmas(const std::optional<Target> &target) {
  return target && target->hasTcgen05();
}

/// Strategy of a driver level. Warp specialization needs TMA and mbarriers;
/// full debug information keeps the order of the source.
static StringRef effortStrategy(const DriverFlags &flags) {
  if (flags.deviceDebug || flags.optLevel <= 0)
    return "none";
  std::optional<Target> target = Target::parse(flags.gpuName);
  if ((flags.optLevel == 1 && !hasIssuedMmas(target)) ||
      (target && !target->hasTma()))
    return "unspecialize";
  return "warp-specialize";
}

void applyDriverDefaults(TileIRPipelineOptions &options,
                         const DriverFlags &flags) {
  // The level sets the effort; the pipeline is always complete.
  setDefault(options.optLevel, 3);
  setDefault(options.pipelineStrategy, effortStrategy(flags).str());
  // An explicit strategy is never reduced.
  setDefault(options.specializeAgents,
             flags.optLevel > 1 || options.pipelineStrategy.hasValue());
  setDefault(options.v2OptLevel, std::clamp(flags.optLevel, 0, 3));
  setDefault(options.rrtSizeThreshold, 4096u);
  setDefault(options.computeCapability, flags.gpuName);
  setDefault(options.debuginfoLevel, flags.deviceDebug ? "full"
                                     : flags.lineInfo  ? "debug-directives"
                                                       : "none");
  setDefault(options.hostTriple,
             flags.hostTriple.empty() ? "native" : flags.hostTriple);
  setDefault(options.launchAbi, flags.launchAbi);
  setDefault(options.archSuffix, flags.archSuffix);
  setDefault(options.launcherStubs, flags.launcherStubs);
  setDefault(options.approx, flags.approx);
  setDefault(options.ftz, flags.ftz);
}

void applyPreset(TileIRPipelineOptions &options) {
  if (options.preset != "tileiras")
    return;
  DriverFlags flags;
  flags.gpuName = options.computeCapability;
  if (options.v2OptLevel.hasValue())
    flags.optLevel = options.v2OptLevel;
  flags.deviceDebug = options.debuginfoLevel == "full";
  applyDriverDefaults(options, flags);
}

//===----------------------------------------------------------------------===//
// Validation
//===----------------------------------------------------------------------===//

static std::optional<TileIRPipelineOptions::Strategy>
parseStrategy(StringRef name) {
  using Strategy = TileIRPipelineOptions::Strategy;
  if (name == "none")
    return Strategy::None;
  if (name == "unspecialize" || name == "unspecialized")
    return Strategy::Unspecialize;
  if (name == "warp-specialize" || name == "warp-specialized")
    return Strategy::WarpSpecialize;
  return std::nullopt;
}

TileIRPipelineOptions::Strategy TileIRPipelineOptions::strategy() const {
  return parseStrategy(pipelineStrategy).value_or(Strategy::None);
}

/// Formats `one of 'a', 'b'`.
static std::string oneOf(ArrayRef<StringRef> names) {
  return "one of " + llvm::join(llvm::map_range(names,
                                                [](StringRef name) {
                                                  return "'" + name.str() + "'";
                                                }),
                                ", ");
}

LogicalResult TileIRPipelineOptions::validate(
    llvm::function_ref<void(const Twine &)> report) const {
  bool ok = true;
  auto check = [&](const auto &option, bool accepted, const Twine &set) {
    if (accepted)
      return;
    std::string value;
    llvm::raw_string_ostream(value) << option.getValue();
    report("invalid value '" + Twine(value) + "' for pipeline option '" +
           option.ArgStr + "'; expected " + set);
    ok = false;
  };
  auto checkName = [&](const Option<std::string> &option,
                       ArrayRef<StringRef> names) {
    check(option, llvm::is_contained(names, option.getValue()), oneOf(names));
  };
  auto inRange = [](int value, int low, int high) {
    return low <= value && value <= high;
  };
  auto isPowerOf2 = [](int value) {
    return value > 0 && llvm::isPowerOf2_32(unsigned(value));
  };

  check(numWarps, isPowerOf2(numWarps) && numWarps <= 32,
        "a power of two from 1 to 32");
  check(numCtas, isPowerOf2(numCtas) && numCtas <= limits::clusterMax,
        "one of 1, 2, 4, 8, 16");
  if (!computeCapability.empty()) {
    std::optional<Target> target = Target::parse(computeCapability.getValue());
    check(computeCapability, target && target->supportedForTileLowering(),
          "one of " + Target::tileLoweringNames());
  }
  check(optLevel, inRange(optLevel, 0, 3), "0 to 3");
  check(v2OptLevel, inRange(v2OptLevel, 0, 3), "0 to 3");
  check(pipelineStrategy, parseStrategy(pipelineStrategy).has_value(),
        oneOf({"none", "unspecialize", "warp-specialize"}));
  check(indexBitwidth, indexBitwidth == 32 || indexBitwidth == 64, "32 or 64");
  check(unspecializedPipelineNumStages,
        inRange(unspecializedPipelineNumStages, 0, 64), "0 to 64");
  checkName(emitLineInfo, {"none", "frontend", "tileas-boundary"});
  check(maxConstraintIterations, maxConstraintIterations >= 1u, "1 or more");
  checkName(launchAbi, {"tile", "plain"});
  checkName(archSuffix, {"accelerated", "minimal"});
  checkName(debuginfoLevel,
            {"none", "full", "line-tables", "debug-directives"});
  checkName(launcherApi, {"driver", "runtime"});
  check(preset, preset.empty() || preset == "tileiras", "'tileiras'");
  if (preset == "tileiras" && computeCapability.empty()) {
    report("pipeline option 'preset=tileiras' needs 'compute-capability', as "
           "that program needs --gpu-name");
    ok = false;
  }
  check(optionalPasses, optionalPasses >= -1, "-1 or more");
  checkName(plantedFault, {"", "wrong-add", "wrong-bound", "missing-barrier",
                           "silent-failure", "crash"});
  return success(ok);
}

} // namespace tileir

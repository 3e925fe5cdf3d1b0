// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PIPELINES_OPTIONS_H
#define PIPELINES_OPTIONS_H

#include "mlir/Pass/PassOptions.h"

#include <optional>
#include <string>

namespace tileir {

/// The options of `tileir{…}`. Enumerations are strings, so that `validate`
/// reports a bad value with the choices. No field has a default of its own: the
/// layers below give the values, and the textual form overrides all of them. An
/// option whose pass is not in the pipeline is checked and then has no effect.
struct TileIRPipelineOptions
    : mlir::PassPipelineOptions<TileIRPipelineOptions> {
  Option<int> numWarps{
      *this, "num-warps",
      llvm::cl::desc("Worker warps per CTA, where a kernel has no hint")};
  Option<int> numCtas{
      *this, "num-ctas",
      llvm::cl::desc("CTAs per tile block, where a kernel has no hint")};
  Option<std::string> computeCapability{
      *this, "compute-capability",
      llvm::cl::desc("Target, sm_NN[a|f]; empty keeps what the module says")};
  Option<int> optLevel{
      *this, "opt-level",
      llvm::cl::desc("Tier: 0 verifies, 1 stops at nv_tileaa, 2 stops in llvm "
                     "and nvgpu, 3 is complete")};
  Option<int> v2OptLevel{*this, "v2-opt-level",
                         llvm::cl::desc("Effort of the scheduler, 0 to 3")};
  Option<std::string> pipelineStrategy{
      *this, "pipeline-strategy",
      llvm::cl::desc("'none', 'unspecialize' or 'warp-specialize'")};
  Option<int> indexBitwidth{*this, "index-bitwidth",
                            llvm::cl::desc("Width of index values, 32 or 64")};
  Option<int> unspecializedPipelineNumStages{
      *this, "unspecialized-pipeline-num-stages",
      llvm::cl::desc("Stages of the unspecialized software pipeline; 0 and 1 "
                     "expand nothing")};
  Option<bool> approx{*this, "approx",
                      llvm::cl::desc("Allow approximate f32 functions")};
  Option<bool> ftz{*this, "ftz", llvm::cl::desc("Flush f32 denormals to zero")};
  Option<bool> useNvgpucompLibnvvm{
      *this, "use-nvgpucomp-libnvvm",
      llvm::cl::desc("Recorded for the serializer, which warns about it")};
  Option<std::string> emitLineInfo{
      *this, "emit-line-info",
      llvm::cl::desc("Print the module with locations: 'none', 'frontend' or "
                     "'tileas-boundary'")};
  Option<bool> dynamicPersistent{
      *this, "dynamic-persistent",
      llvm::cl::desc("Make kernels persistent where the target allows it")};
  Option<std::string> scheduleTraceFile{
      *this, "schedule-trace-file",
      llvm::cl::desc("File for the trace of the scheduler; empty writes none")};
  Option<bool> enableRandomDelay{
      *this, "enable-random-delay",
      llvm::cl::desc("Perturb the scheduler's constraints, for tests")};
  Option<uint64_t> randomDelaySeed{
      *this, "random-delay-seed",
      llvm::cl::desc("Seed of the schedule perturbation")};
  Option<unsigned> rrtSizeThreshold{
      *this, "rrt-size-threshold",
      llvm::cl::desc(
          "Maximum number of time slots of a reservation table; 0 with "
          "'warp-specialize' builds its light variant, without any")};
  Option<unsigned> maxConstraintIterations{
      *this, "max-constraint-iterations",
      llvm::cl::desc("Maximum number of iterations of constraint generation")};
  Option<bool> enableDebugLogging{
      *this, "enable-debug-logging",
      llvm::cl::desc("Launcher stubs print their arguments")};
  Option<std::string> hostTriple{
      *this, "host-triple",
      llvm::cl::desc("Triple of the host module; 'native' is this machine's")};
  Option<std::string> dumpHost{
      *this, "dump-host",
      llvm::cl::desc("File for the host module as text, '-' is stdout")};

  // Options beyond those above, which other tools share.
  Option<std::string> preset{
      *this, "preset",
      llvm::cl::desc("'tileiras': the list of passes of that program, called "
                     "with v2-opt-level (3, if not given) as its -O")};
  Option<std::string> launchAbi{
      *this, "launch-abi",
      llvm::cl::desc("'tile': hidden parameters are filled by the host object "
                     "inside the cubin; 'plain': by the launcher")};
  Option<std::string> archSuffix{
      *this, "arch-suffix",
      llvm::cl::desc("'accelerated': the 'a' chip from sm_90 on; 'minimal': "
                     "only where a kernel needs it")};
  Option<std::string> debuginfoLevel{
      *this, "debuginfo-level",
      llvm::cl::desc("'none', 'full', 'line-tables' or 'debug-directives'")};
  Option<bool> launcherStubs{
      *this, "launcher-stubs",
      llvm::cl::desc("Also build functions that launch each kernel")};
  Option<std::string> launcherApi{
      *this, "launcher-api",
      llvm::cl::desc("'driver': those functions call cuLaunchKernel; "
                     "'runtime': cudaLaunchKernel")};
  Option<bool> orderBlocks{
      *this, "order-blocks",
      llvm::cl::desc(
          "Order tile blocks so that concurrent dots share operands in "
          "L2")};
  Option<bool> specializeAgents{
      *this, "specialize-agents",
      llvm::cl::desc("With 'warp-specialize': give tensor copies a warp of "
                     "their own where it is legal")};
  Option<bool> checkBarriers{
      *this, "check-barriers",
      llvm::cl::desc("Check storage and barriers before the conversion")};
  Option<unsigned> wrapWarp{
      *this, "wrap-warp",
      llvm::cl::desc("Tests: put each kernel into an agent that starts at this "
                     "warp; 0 for none")};
  Option<int> optionalPasses{
      *this, "optional-passes",
      llvm::cl::desc("For bisection: run only the first N passes that a kernel "
                     "can do without; -1 for all")};
  Option<std::string> plantedFault{
      *this, "planted-fault",
      llvm::cl::desc("Tests: a fault of `test-tileir-plant-fault`; empty for "
                     "none")};

  /// Strategies after `validate`, with aliases resolved.
  enum class Strategy { None, Unspecialize, WarpSpecialize };
  Strategy strategy() const;
  /// Returns whether tensor copies get a warp of their own where legal.
  bool makesAgents() const {
    return strategy() == Strategy::WarpSpecialize && specializeAgents;
  }
  /// Returns whether warp specialization has its light form: boundaries and
  /// barriers, but no search for a schedule and no redistribution of registers.
  bool isLight() const {
    return strategy() == Strategy::WarpSpecialize && rrtSizeThreshold == 0u;
  }

  /// Reports every value outside its set, in the order above.
  mlir::LogicalResult
  validate(llvm::function_ref<void(const llvm::Twine &)> report) const;
};

/// Options of a driver's command line; empty optionals were not given.
struct DriverFlags {
  int optLevel = 3;
  std::string gpuName;
  bool lineInfo = false;
  bool deviceDebug = false;
  /// Triple of `--host-arch` and `--host-os`; empty when neither was given.
  std::string hostTriple;
  std::string launchAbi = "tile";
  std::string archSuffix = "accelerated";
  bool launcherStubs = false;
  bool approx = false;
  bool ftz = false;
};

// Layers of defaults, lowest first. Each layer sets only options that the text
// of the pipeline (or an assignment) has not set, and a later layer overwrites
// an earlier one. Defaults have no other place.

/// Sets the defaults on which front ends rely: no trace, no debug logging.
void applyFrontEndDefaults(TileIRPipelineOptions &options);
/// Sets the defaults of `tileir{…}` without a driver.
void applyPipelineDefaults(TileIRPipelineOptions &options);
/// Sets the defaults of a driver: the complete pipeline, with the effort of its
/// level.
void applyDriverDefaults(TileIRPipelineOptions &options,
                         const DriverFlags &flags);

/// Sets the values of `preset`, as the last layer. A preset is the name of a
/// driver; the options describe its command line.
void applyPreset(TileIRPipelineOptions &options);

/// Target of a module that names none, without a driver.
llvm::StringRef fallbackComputeCapability();

} // namespace tileir

#endif // PIPELINES_OPTIONS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipelines/Segments.h"

#include "dialects/nv_tileaa/NVTileAA.h"
#include "passes/cuda_tile/Passes.h"
#include "passes/frame/Passes.h"
#include "passes/host_wrapper/Passes.h"
#include "passes/nvvm_finalize/Passes.h"
#include "passes/tileaa/Passes.h"
#include "passes/tileas/Passes.h"
#include "passes/tileas_lowering/Passes.h"
#include "passes/tileas_schedule/Passes.h"
#include "passes/warp_specialize/Passes.h"

#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

namespace tileir {

using namespace mlir;

namespace {

/// Adds passes to one anchor after another; consecutive passes on one anchor
/// share a nested manager.
class Segments {
public:
  Segments(OpPassManager &manager, const TileIRPipelineOptions &options)
      : root(manager), options(options) {}

  void build();

private:
  void scope(StringRef phase);
  void frontend();
  void tileLowering();
  void strategy();
  void agents();
  void schedule();
  void reportUnwritten();
  void cleanUp();
  void lowering();
  void conversion();

  void onModule(std::unique_ptr<Pass> pass) {
    device = function = nullptr;
    root.addPass(std::move(pass));
  }
  void onDevice(std::unique_ptr<Pass> pass) {
    if (!device)
      device = &root.nest<gpu::GPUModuleOp>();
    function = nullptr;
    device->addPass(std::move(pass));
  }
  void onFunction(std::unique_ptr<Pass> pass) {
    if (!device)
      device = &root.nest<gpu::GPUModuleOp>();
    if (!function)
      function = &device->nest<nv_tileaa::FuncOp>();
    function->addPass(std::move(pass));
  }

  /// Returns whether the next optional pass belongs to the pipeline. A pipeline
  /// without all optional passes from any point on must give right code:
  /// `tileir-bisect` searches for a fault in this way.
  bool wants() {
    return options.optionalPasses < 0 || numOptional++ < options.optionalPasses;
  }

  void snapshot(StringRef when, StringRef tag);
  void plant(ArrayRef<StringRef> faults);
  std::unique_ptr<Pass> fold();
  std::unique_ptr<Pass> debugScope();
  std::unique_ptr<Pass> hostWrapper();

  OpPassManager &root;
  OpPassManager *device = nullptr;
  OpPassManager *function = nullptr;
  const TileIRPipelineOptions &options;
  int numOptional = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Passes that several segments use
//===----------------------------------------------------------------------===//

void Segments::scope(StringRef phase) {
  TileIRScopeOptions scope;
  scope.name = "CompileNVVM";
  scope.phase = phase;
  onModule(createTileIRScope(scope));
}

void Segments::snapshot(StringRef when, StringRef tag) {
  if (options.emitLineInfo != when)
    return;
  TileIRSnapshotOptions snapshot;
  snapshot.tag = tag;
  onDevice(createTileIRSnapshot(snapshot));
}

/// Adds the pass that plants a fault, if the option names one of `faults`.
void Segments::plant(ArrayRef<StringRef> faults) {
  if (!llvm::is_contained(faults, StringRef(options.plantedFault)) || !wants())
    return;
  TestTileIRPlantFaultOptions plant;
  plant.fault = options.plantedFault;
  onDevice(createTestTileIRPlantFault(plant));
}

/// The canonicalizer without its simplification of regions, which takes half of
/// its time: LLVM simplifies blocks, too.
std::unique_ptr<Pass> Segments::fold() {
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  return createCanonicalizerPass(config);
}

std::unique_ptr<Pass> Segments::debugScope() {
  TileIRInsertDebugScopeOptions scopes;
  scopes.emissionKind =
      options.debuginfoLevel == "full" ? "full" : "line-tables-only";
  return createTileIRInsertDebugScope(scopes);
}

std::unique_ptr<Pass> Segments::hostWrapper() {
  TileIREmitHostWrapperOptions host;
  host.enableDebugLogging = options.enableDebugLogging;
  host.hostTriple = options.hostTriple;
  host.dumpHost = options.dumpHost;
  host.launcherStubs = options.launcherStubs;
  host.launcherApi = options.launcherApi;
  return createTileIREmitHostWrapper(host);
}

//===----------------------------------------------------------------------===//
// The order, top to bottom
//===----------------------------------------------------------------------===//

/// cuda_tile to nv_tileaa.
void Segments::frontend() {
  TileIRAttachTargetOptions target;
  target.computeCapability = options.computeCapability;
  target.fallbackComputeCapability = fallbackComputeCapability();
  target.numWarps = options.numWarps;
  target.numCtas = options.numCtas;
  target.approx = options.approx;
  target.ftz = options.ftz;
  target.dynamicPersistent = options.dynamicPersistent;
  target.useNvgpucompLibnvvm = options.useNvgpucompLibnvvm;
  target.launchAbi = options.launchAbi;
  onModule(createTileIRAttachTarget(target));
  ConvertCudaTileToTileAAOptions convert;
  convert.computeCapability = options.computeCapability;
  convert.numWarps = options.numWarps;
  convert.numCtas = options.numCtas;
  convert.fixedWarps = options.numWarps.hasValue();
  convert.fixedCtas = options.numCtas.hasValue();
  if (wants())
    onDevice(createCudaTileSimplifyLoops());
  onDevice(createConvertCudaTileToTileAA(convert));
  if (wants())
    onFunction(createTileAAPromoteAllocas());
  onDevice(debugScope());
  if (wants())
    onDevice(createCanonicalizerPass());
  if (wants())
    onFunction(createTileAADropDeadValues());
  if (wants())
    onFunction(createTileAAHoistInvariants());
  // Without a strategy no later pass splits the loops again.
  if (options.strategy() != TileIRPipelineOptions::Strategy::None && wants())
    onFunction(createTileAAMergeMaskedLoops());
  plant({"wrong-add"});
  snapshot("frontend", "after-frontend");
}

/// nv_tileaa to nv_tileas, and the layouts.
void Segments::tileLowering() {
  onDevice(createTileIRGPUModulePrepare());
  onFunction(createTileAASplitClusters());
  ConvertTileAAToTileASOptions convert;
  convert.numWarps = options.numWarps;
  convert.numCtas = options.numCtas;
  onDevice(createConvertTileAAToTileAS(convert));
  onModule(hostWrapper());
  bool choosesLayouts =
      options.optLevel >= 3 ||
      options.strategy() != TileIRPipelineOptions::Strategy::None;
  if (choosesLayouts) {
    // At this point MMA operands are still results of loads.
    if (options.orderBlocks && options.v2OptLevel >= 2 &&
        options.strategy() != TileIRPipelineOptions::Strategy::None && wants())
      onFunction(createTileASOrderBlocks());
    onDevice(createTileASPlanCta());
    onDevice(createTileASStageRegisterOperands());
    // Without a strategy no later pass makes an asynchronous MMA.
    if (options.strategy() != TileIRPipelineOptions::Strategy::None)
      onFunction(createTileASAssignMma());
  }
  onFunction(createTileASDecomposeDotScaled());
  if (choosesLayouts) {
    onDevice(createTileASAssignLoadStoreLayouts());
    if (wants())
      onDevice(createTileASRemoveLayoutConversions());
    if (wants())
      onFunction(createTileASRollTiles());
    if (wants())
      onFunction(createTileASSplitConversions());
  }
  plant({"wrong-bound"});
  if (options.dynamicPersistent)
    onFunction(createTileASDynamicPersistent());
}

/// Software pipelining. Warp specialization runs it, too: as its fallback, and
/// to build the loops that it splits into agents.
void Segments::strategy() {
  if (options.strategy() == TileIRPipelineOptions::Strategy::None)
    return;
  int stages = options.unspecializedPipelineNumStages;
  TileASStageOperandsOptions stage;
  // An explicit number of stages holds where it fits.
  if (options.unspecializedPipelineNumStages.getNumOccurrences())
    stage.numStages = stages > 1 ? stages : 2;
  onFunction(createTileASStageOperands(stage));
  onFunction(createTileASMaterializeMma());
  onFunction(createTileASPlaceAccumulators());
  // Without a schedule the next pass stages copies itself.
  if (options.v2OptLevel >= 1 && wants())
    schedule();
  UnspecializedPipelineOptions pipeline;
  pipeline.numStages = stages;
  onFunction(createUnspecializedPipeline(pipeline));
  if (wants())
    onFunction(createTileASShiftChainedDots());
  if (wants())
    onFunction(createTileASSplitMaskedLoops());
  if (options.makesAgents() && wants())
    agents();
  if (wants())
    onFunction(createTileASUseTensorCopies());
  onFunction(createTileASExpandPipelines());
}

/// Warp specialization: creates agents, resolves their shared values and
/// assigns their warps. The light form leaves each thread an equal share of
/// registers.
void Segments::agents() {
  TileASSpecializeAgentsOptions specialize;
  specialize.shareRegisters = !options.isLight();
  onFunction(createTileASSpecializeAgents(specialize));
  onFunction(createTileASResolveAgentBoundary());
  if (!options.isLight())
    onFunction(createTileASCheckRegisterBudget());
  onFunction(createOptimizeExecutionUnitMapping());
  onFunction(createPropagateExecutionUnit());
}

/// Modulo scheduling. The heavy form begins with a pass after which the cleanup
/// folds no operation of a dependence graph. The light form keeps the program
/// order and needs no reservation table; the cleanup comes first.
void Segments::schedule() {
  bool isLight = options.isLight();
  if (!isLight)
    onFunction(createTileASPrepareForScheduling());
  else
    cleanUp();
  TileASGenerateScheduleConstraintsOptions generate;
  if (isLight)
    generate.scheduler = "serial";
  generate.numWarps = options.numWarps;
  generate.v2OptLevel = options.v2OptLevel;
  generate.rrtSizeThreshold = options.rrtSizeThreshold;
  generate.maxConstraintIterations = options.maxConstraintIterations;
  generate.enableRandomDelay = options.enableRandomDelay;
  generate.randomDelaySeed = options.randomDelaySeed;
  onFunction(createTileASGenerateScheduleConstraints(generate));
  if (!isLight) {
    cleanUp();
    TileASCheckScheduleOptions check;
    check.after = "cse";
    onFunction(createTileASCheckSchedule(check));
  }
  TileASMaterializeScheduleOptions materialize;
  materialize.v2OptLevel = options.v2OptLevel;
  materialize.light = isLight;
  materialize.useAUS = !options.makesAgents();
  materialize.scheduleTraceFile = options.scheduleTraceFile;
  onFunction(createTileASMaterializeSchedule(materialize));
}

/// Reports a requested trace where no pass schedules loops. Other options of
/// left-out passes are ignored, but a user would notice a missing file late.
void Segments::reportUnwritten() {
  if (options.scheduleTraceFile.empty())
    return;
  TileIRReportUnwrittenOptions report;
  if (options.optLevel < 2)
    report.because = "opt-level=" + llvm::itostr(options.optLevel);
  else if (options.strategy() == TileIRPipelineOptions::Strategy::None)
    report.because = "pipeline-strategy=none";
  else if (options.v2OptLevel < 1)
    report.because = "v2-opt-level=0";
  else
    return;
  report.file = options.scheduleTraceFile;
  report.category = "tileas_schedule";
  onModule(createTileIRReportUnwritten(report));
}

/// Runs on functions, as its neighbours do.
void Segments::cleanUp() {
  onFunction(createCanonicalizerPass());
  onFunction(createCSEPass());
}

/// nv_tileas to llvm, nvvm and nvgpu.
void Segments::lowering() {
  if (options.wrapWarp) {
    TestTileASWrapAgentOptions wrap;
    wrap.firstWarp = options.wrapWarp;
    onFunction(createTestTileASWrapAgent(wrap));
  }
  onFunction(createTileASLegalizeLayouts());
  onFunction(createTileASAssignBuffers());
  onFunction(createTileASInsertBarriers());
  if (options.checkBarriers)
    onFunction(createTileASCheckBarriers());
  if (options.strategy() == TileIRPipelineOptions::Strategy::WarpSpecialize)
    onFunction(createTileASSplitCopyAndMmaWarps());
  ConvertTileASToLLVMOptions convert;
  convert.prepareMode = "none";
  convert.indexBitwidth = options.indexBitwidth;
  onDevice(createConvertTileASToLLVM(convert));
  if (wants())
    onDevice(createCSEPass());
  onDevice(createConvertTileASToNVGPU());
  plant({"missing-barrier", "silent-failure", "crash"});
}

/// Converts the rest to llvm and nvvm, in the form that the serializer accepts.
void Segments::conversion() {
  onDevice(createTileIRVerifyLowered());
  if (wants())
    onDevice(fold());
  onDevice(debugScope());
  onDevice(createTileIRLegalizeLLVMKernel());
  onDevice(createSCFToControlFlowPass());
  onDevice(createConvertNVGPUToNVVMPass());
  ConvertGpuOpsToNVVMOpsOptions gpu;
  gpu.indexBitwidth = options.indexBitwidth;
  onDevice(createConvertGpuOpsToNVVMOps(gpu));
  onDevice(createConvertVectorToLLVMPass());
  onDevice(createConvertToLLVMPass());
  onDevice(createConvertNVVMToLLVMPass());
  onDevice(createReconcileUnrealizedCastsPass());
  if (wants())
    onDevice(fold());
  if (wants())
    onDevice(createCSEPass());
  onDevice(createTileIRFinalizeLLVMKernel());
  ConvertTargetToNVVMOptions target;
  target.archSuffix = options.archSuffix;
  target.debug = options.debuginfoLevel == "full";
  onDevice(createConvertTargetToNVVM(target));
  TileIRPostNVVMFinalizeOptions finalize;
  finalize.debuginfoLevel = options.debuginfoLevel;
  onDevice(createTileIRPostNVVMFinalize(finalize));
  onModule(hostWrapper());
}

void Segments::build() {
  int tier = options.optLevel;
  scope("begin");
  if (tier >= 1)
    frontend();
  if (tier >= 2) {
    tileLowering();
    strategy();
  }
  reportUnwritten();
  if (tier >= 2) {
    snapshot("tileas-boundary", "tileas-llvm-boundary");
    lowering();
  }
  if (tier >= 3)
    conversion();
  scope("end");
}

void buildTileIRPipeline(OpPassManager &manager,
                         const TileIRPipelineOptions &options) {
  Segments(manager, options).build();
}

} // namespace tileir

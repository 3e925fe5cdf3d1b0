// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipelines/Segments.h"

#include "passes/host_wrapper/Passes.h"
#include "passes/nvvm_finalize/Passes.h"
#include "passes/tileaa/Passes.h"
#include "passes/tileas/Passes.h"
#include "passes/tileas_lowering/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/Passes.h"

namespace tileir {

using namespace mlir;

namespace {

/// Adds passes to one anchor after another; neighbours on the same anchor share
/// one nested manager.
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
  void lowering();
  void conversion();

  void onModule(std::unique_ptr<Pass> pass) {
    device = nullptr;
    root.addPass(std::move(pass));
  }
  void onDevice(std::unique_ptr<Pass> pass) {
    if (!device)
      device = &root.nest<gpu::GPUModuleOp>();
    device->addPass(std::move(pass));
  }

  void snapshot(StringRef when, StringRef tag);
  std::unique_ptr<Pass> debugScope();
  std::unique_ptr<Pass> hostWrapper();

  OpPassManager &root;
  OpPassManager *device = nullptr;
  const TileIRPipelineOptions &options;
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
  onDevice(createConvertCudaTileToTileAA(convert));
  onDevice(debugScope());
  onDevice(createCanonicalizerPass());
  snapshot("frontend", "after-frontend");
}

/// nv_tileaa to nv_tileas, and the layouts.
void Segments::tileLowering() {
  onDevice(createTileIRGPUModulePrepare());
  ConvertTileAAToTileASOptions convert;
  convert.numWarps = options.numWarps;
  convert.numCtas = options.numCtas;
  onDevice(createConvertTileAAToTileAS(convert));
  onModule(hostWrapper());
  if (options.optLevel >= 3 ||
      options.strategy() != TileIRPipelineOptions::Strategy::None) {
    // tileas-plan-cta: layouts over several CTAs
    onDevice(createTileASAssignLoadStoreLayouts());
    onDevice(createTileASRemoveLayoutConversions());
  }
  // tileas-dynamic-persistent: `dynamic-persistent`.
}

/// Software pipelining and warp specialization. No pass of theirs exists yet:
/// every strategy builds the list of `none`, in which tiles lower
/// synchronously.
void Segments::strategy() {
  // All on nv_tileaa.func.
  //
  // unspecialize:
  //   tileas-materialize-async
  //   tileas-generate-schedule-constraints
  //   tileas-schedule-canonicalize, tileas-check-schedule{after=…},
  //     tileas-schedule-cse, tileas-check-schedule{after=…}
  //   tileas-materialize-schedule{use-AUS=true}
  //   unspecialized-pipeline{num-stages}
  //   tileas-optimize-pipeline-region
  //   tileas-assign-buffers
  //
  // warp-specialize with threshold 0:
  //   tileas-materialize-async,
  //     tileas-generate-schedule-constraints{scheduler=serial}, the cleanups,
  //     tileas-materialize-schedule{light=true}
  //   unspecialized-pipeline{num-stages}
  //   tileas-resolve-agent-boundary
  //   tileas-insert-agent-barriers
  //   optimize-execution-unit-mapping, propagate-execution-unit
  //   tileas-assign-buffers
  //
  // warp-specialize:
  //   tileas-materialize-async, tileas-prepare-for-scheduling,
  //     tileas-specialize-agents
  //   tileas-generate-schedule-constraints, the cleanups,
  //     tileas-materialize-schedule, unspecialized-pipeline{num-stages}
  //   tileas-check-register-budget
  //   tileas-assign-buffers, tileas-resolve-agent-boundary,
  //     tileas-remove-layout-conversions, optimize-execution-unit-mapping,
  //     propagate-execution-unit, tileas-insert-agent-barriers,
  //     tileas-optimize-pipeline-region
}

/// nv_tileas to llvm, nvvm and nvgpu.
void Segments::lowering() {
  ConvertTileASToLLVMOptions convert;
  convert.indexBitwidth = options.indexBitwidth;
  onDevice(createConvertTileASToLLVM(convert));
  onDevice(createCSEPass());
  onDevice(createConvertTileASToNVGPU());
}

/// What is left to llvm and nvvm, in the form that the serializer takes.
void Segments::conversion() {
  onDevice(createTileIRVerifyLowered());
  onDevice(createCanonicalizerPass());
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
  onDevice(createCanonicalizerPass());
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

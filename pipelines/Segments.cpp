// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipelines/Segments.h"

#include "passes/host_wrapper/Passes.h"
#include "passes/nvvm_finalize/Passes.h"

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

  std::unique_ptr<Pass> hostWrapper();

  OpPassManager &root;
  OpPassManager *device = nullptr;
  const TileIRPipelineOptions &options;
};

} // namespace

//===----------------------------------------------------------------------===//
// Passes that several segments use
//===----------------------------------------------------------------------===//

std::unique_ptr<Pass> Segments::hostWrapper() {
  TileIREmitHostWrapperOptions host;
  host.enableDebugLogging = options.enableDebugLogging;
  host.hostTriple = options.hostTriple;
  host.dumpHost = options.dumpHost;
  host.launcherStubs = options.launcherStubs;
  return createTileIREmitHostWrapper(host);
}

//===----------------------------------------------------------------------===//
// The order, top to bottom
//===----------------------------------------------------------------------===//

/// cuda_tile to nv_tileaa.
void Segments::frontend() {
  // tileir-attach-target
  // convert-cudatile-to-tileaa
  // tileir-insert-debug-scope
  onDevice(createCanonicalizerPass());
  // tileir-snapshot{tag=after-frontend}: `emit-line-info=frontend`
}

/// nv_tileaa to nv_tileas, and the layouts.
void Segments::tileLowering() {
  onDevice(createTileIRGPUModulePrepare());
  // convert-tileaa-to-tileas
  onModule(hostWrapper());
  // tileas-plan-cta: tier 3, or a strategy; layouts over several CTAs.
  // tileas-assign-load-store-layouts: same.
  // tileas-remove-layout-conversions: same.
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
  // convert-tileas-to-llvm{index-bitwidth}
  onDevice(createCSEPass());
  // convert-tileas-to-nvgpu
}

/// What is left to llvm and nvvm, in the form that the serializer takes.
void Segments::conversion() {
  onDevice(createTileIRVerifyLowered());
  onDevice(createCanonicalizerPass());
  // tileir-insert-debug-scope
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
  // tileir-scope{name=CompileNVVM phase=begin}
  if (tier >= 1)
    frontend();
  if (tier >= 2) {
    tileLowering();
    strategy();
    // tileir-snapshot{tag=tileas-llvm-boundary}:
    // `emit-line-info=tileas-boundary`
    lowering();
  }
  if (tier >= 3)
    conversion();
  // tileir-scope{name=CompileNVVM phase=end}
}

void buildTileIRPipeline(OpPassManager &manager,
                         const TileIRPipelineOptions &options) {
  Segments(manager, options).build();
}

} // namespace tileir

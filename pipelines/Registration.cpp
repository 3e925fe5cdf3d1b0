// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipelines/Segments.h"

#include "dialects/cuda_tile/CudaTile.h"
#include "dialects/nv_tileaa/NVTileAA.h"
#include "dialects/nv_tileas/NVTileAS.h"
#include "passes/cuda_tile/Passes.h"
#include "passes/frame/Passes.h"
#include "passes/host_wrapper/Passes.h"
#include "passes/nvvm_finalize/Passes.h"
#include "passes/tileaa/Passes.h"
#include "passes/tileas/Passes.h"
#include "passes/tileas_lowering/Passes.h"
#include "passes/tileas_schedule/Passes.h"
#include "passes/warp_specialize/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassRegistry.h"

namespace tileir {

using namespace mlir;

/// Parses and checks the options of `tileir{…}` before it builds the pipeline,
/// so that it reports a bad value with its choices and no pass runs.
static LogicalResult
addPipeline(OpPassManager &manager, StringRef text,
            llvm::function_ref<LogicalResult(const Twine &)> report) {
  // Passes on another anchor would abort the process.
  StringRef anchor = manager.getOpAnchorName();
  if (anchor != ModuleOp::getOperationName())
    return report("'tileir' runs on '" + ModuleOp::getOperationName() +
                  "', not on '" + anchor +
                  "'; write builtin.module(tileir{…})");
  TileIRPipelineOptions options;
  if (failed(options.parseFromString(text)))
    return failure();
  applyFrontEndDefaults(options);
  applyPipelineDefaults(options);
  applyPreset(options);
  if (failed(options.validate([&](const Twine &text) { (void)report(text); })))
    return failure();
  buildTileIRPipeline(manager, options);
  return success();
}

void registerTileIRPipelines() {
  registerPassPipeline(
      "tileir", "Compiles cuda_tile modules to llvm and nvvm", addPipeline,
      [](llvm::function_ref<void(const detail::PassOptions &)> describe) {
        TileIRPipelineOptions options;
        applyFrontEndDefaults(options);
        applyPipelineDefaults(options);
        describe(options);
      });
}

void registerTileIRPasses() {
  registerCudaTilePasses();
  registerFramePasses();
  registerTileAAPasses();
  registerTileASFamily();
  registerTileASScheduleFamily();
  registerWarpSpecializeFamily();
  registerTileASLoweringPasses();
  registerHostWrapperPasses();
  registerNVVMFinalizePasses();
}

void registerTileIRDialects(DialectRegistry &registry) {
  registry.insert<cuda_tile::CudaTileDialect, nv_tileaa::TileAADialect,
                  nv_tileas::TileASDialect>();
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                  func::FuncDialect, gpu::GPUDialect, index::IndexDialect,
                  LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
                  nvgpu::NVGPUDialect, NVVM::NVVMDialect, scf::SCFDialect,
                  ub::UBDialect, vector::VectorDialect>();
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertFuncToLLVMInterface(registry);
  index::registerConvertIndexToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  registerConvertMemRefToLLVMInterface(registry);
  registerConvertNVVMToLLVMInterface(registry);
  NVVM::registerConvertGpuToNVVMInterface(registry);
  ub::registerConvertUBToLLVMInterface(registry);
  vector::registerConvertVectorToLLVMInterface(registry);
  func::registerInlinerExtension(registry);
}

} // namespace tileir

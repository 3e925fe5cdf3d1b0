// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PIPELINES_SEGMENTS_H
#define PIPELINES_SEGMENTS_H

#include "pipelines/Options.h"

#include "mlir/Pass/PassManager.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tileir {

/// Adds the passes of `tileir{…}` to `manager`, which is anchored on
/// `builtin.module`. The options are valid and complete. The pipeline depends
/// on the options alone, never on the IR or the target.
void buildTileIRPipeline(mlir::OpPassManager &manager,
                         const TileIRPipelineOptions &options);

/// Registers `tileir` with the textual pipeline parser.
void registerTileIRPipelines();

/// Registers the passes of all families.
void registerTileIRPasses();

/// Registers every dialect that a pass of the pipeline reads or creates, with
/// the interfaces for the conversions to LLVM.
void registerTileIRDialects(mlir::DialectRegistry &registry);

} // namespace tileir

#endif // PIPELINES_SEGMENTS_H

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
/// `builtin.module`. The options are valid and have their defaults. The list
/// depends on the options alone, never on the IR or the target.
void buildTileIRPipeline(mlir::OpPassManager &manager,
                         const TileIRPipelineOptions &options);

/// Makes `tileir` known to the textual pipeline parser.
void registerTileIRPipelines();

/// Registers the passes of all families.
void registerTileIRPasses();

/// Registers every dialect that a pass of the pipeline reads or creates, with
/// the interfaces that the conversions to LLVM look for.
void registerTileIRDialects(mlir::DialectRegistry &registry);

} // namespace tileir

#endif // PIPELINES_SEGMENTS_H

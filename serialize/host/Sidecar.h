// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_HOST_SIDECAR_H
#define SERIALIZE_HOST_SIDECAR_H

#include "serialize/ptx/DeviceModule.h"

#include "llvm/ADT/StringRef.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace tileir {

/// Section and owner of the note that holds the sidecar.
inline constexpr llvm::StringLiteral sidecarSection = ".note.tileir.launch";
inline constexpr llvm::StringLiteral sidecarOwner = "TileIR";

/// Writes as JSON the facts for a launcher that does the driver's work, about
/// the kernels of `source` (the module from which `device` was made): launch
/// shape, parameters, workspace, and for each tensor map its recipe.
/// docs/design/launch.md describes it.
Status makeSidecar(mlir::Operation *source, const DeviceModule &device,
                   const Reporter &reporter, std::string &json);

} // namespace tileir

#endif // SERIALIZE_HOST_SIDECAR_H

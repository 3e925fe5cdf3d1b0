// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_NV_TILEAS_NVTILEAS_H
#define DIALECTS_NV_TILEAS_NVTILEAS_H

#include "dialects/nv_tileaa/NVTileAA.h"
#include "dialects/nv_tileas/Storage.h"
#include "dialects/support/layout/Layout.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/Hashing.h"

namespace tileir {
inline llvm::hash_code hash_value(const Layout &layout) {
  return layout.hash();
}
} // namespace tileir

#include "dialects/nv_tileas/Dialect.h.inc"
#include "dialects/nv_tileas/Enums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/nv_tileas/Attrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/nv_tileas/Types.h.inc"

#include "dialects/nv_tileas/NVTileASInterfaces.h.inc"

namespace mlir::nv_tileas {

// Resources for the effects of this dialect. `Sync` represents barriers and
// asynchronous groups.
struct GlobalResource : SideEffects::Resource::Base<GlobalResource> {
  StringRef getName() final { return "nv_tileas.global"; }
};
struct SharedResource : SideEffects::Resource::Base<SharedResource> {
  StringRef getName() final { return "nv_tileas.shared"; }
};
struct TensorResource : SideEffects::Resource::Base<TensorResource> {
  StringRef getName() final { return "nv_tileas.tensor"; }
};
struct SyncResource : SideEffects::Resource::Base<SyncResource> {
  StringRef getName() final { return "nv_tileas.sync"; }
};

/// The register layout of a tile type; null for other types.
LayoutAttr getTileLayout(Type type);
/// The tile `type` with another layout.
RankedTensorType withLayout(RankedTensorType type, LayoutAttr layout);
/// The attribute of a layout of the layout library.
LayoutAttr getLayoutAttr(MLIRContext *context, const tileir::Layout &layout);

bool isTileElementType(Type type);
/// Returns whether `type` is a tile type: with a layout or, inside of a
/// conversion, without.
inline bool isTile(Type type) { return isa<RankedTensorType>(type); }
/// Returns whether `type` is a scalar, or a tile with a register layout, whose
/// element type satisfies `accepts`.
bool isTileOrScalarOf(Type type, llvm::function_ref<bool(Type)> accepts);
/// Bits of an element in memory: i1 is a byte, tf32 is 32 bits, a pointer 64.
unsigned getStorageBits(Type elementType);

/// i1 in the shape and layout of `type`.
Type getMaskType(Type type);
/// Returns the pointee type of a tile of pointers, in its shape and layout.
Type getPointeeTile(Type type);

/// Returns whether `acc` distributes 64-row blocks to warpgroups round-robin,
/// each block with all columns, as the `wgmma` atom does.
bool isWarpgroupAcc(MmaAtomAttr atom, const tileir::Layout &acc);

/// The layout that an atom requires of an operand in registers, for the
/// accumulator's layout. None where the shapes have no such layout, and for
/// operand B of `wgmma`.
std::optional<tileir::Layout> getDotOperandLayout(MmaAtomAttr atom,
                                                  const tileir::Layout &acc,
                                                  int64_t k, bool isA);

} // namespace mlir::nv_tileas

MLIR_DECLARE_EXPLICIT_TYPE_ID(mlir::nv_tileas::GlobalResource)
MLIR_DECLARE_EXPLICIT_TYPE_ID(mlir::nv_tileas::SharedResource)
MLIR_DECLARE_EXPLICIT_TYPE_ID(mlir::nv_tileas::TensorResource)
MLIR_DECLARE_EXPLICIT_TYPE_ID(mlir::nv_tileas::SyncResource)

#define GET_OP_CLASSES
#include "dialects/nv_tileas/Ops.h.inc"

#endif // DIALECTS_NV_TILEAS_NVTILEAS_H

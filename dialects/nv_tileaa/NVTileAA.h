// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_NV_TILEAA_NVTILEAA_H
#define DIALECTS_NV_TILEAA_NVTILEAA_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/nv_tileaa/Enums.h.inc"

namespace mlir::nv_tileaa {

/// Kind of a memory access.
enum class AccessKind { Load, Store, Rmw, Cas };

//===----------------------------------------------------------------------===//
// Tiles: a scalar, or a static ranked tensor without encoding whose extents are
// powers of two, of a number or a pointer.
//===----------------------------------------------------------------------===//

/// Maximum number of elements of a tile.
inline constexpr int64_t kMaxTileElements = 16777216;

/// Returns whether `type` is i1, i4, i8, i16, i32, i64 or a float of tiles.
bool isNumber(Type type);
bool isTileOrScalar(Type type);
bool isNumberTile(Type type);
bool isIntTile(Type type);
bool isFloatTile(Type type);
bool isMathTile(Type type);
bool isPtrTile(Type type);
bool isBoolTile(Type type);
bool isI64Tile(Type type);
bool isScalarTile(Type type);
bool isTensorTile(Type type);
bool isNumberTensor(Type type);
bool isCoordinate(Type type);

/// The shape of a tile or encoded tensor; empty for a scalar.
ArrayRef<int64_t> getTileShape(Type tile);
/// The type of `element`s in the shape of `tile`.
Type withElementType(Type tile, Type element);
/// i1 in the shape of a tile of pointers.
Type getMaskType(Type ptrTile);
/// Returns the pointee type of a tile of pointers, in its shape.
Type getPointeeTile(Type ptrTile);
/// Bits that one element takes in memory: i1 has 8, tf32 has 32, 4-bit types
/// have 4.
unsigned getStorageBits(Type element);

/// Memory spaces, in the numbering of the NVPTX back end.
enum MemorySpace : unsigned {
  GenericSpace = 0,
  GlobalSpace = 1,
  SharedSpace = 3,
  ConstantSpace = 4,
  LocalSpace = 5,
  TensorSpace = 6,
  SharedClusterSpace = 7,
};

/// Resources of side effects.
struct GlobalMemory : SideEffects::Resource::Base<GlobalMemory> {
  StringRef getName() final { return "nv_tileaa.global_memory"; }
};
struct HostIO : SideEffects::Resource::Base<HostIO> {
  StringRef getName() final { return "nv_tileaa.host_io"; }
};
struct QueueState : SideEffects::Resource::Base<QueueState> {
  StringRef getName() final { return "nv_tileaa.queue_state"; }
};
struct GridState : SideEffects::Resource::Base<GridState> {
  StringRef getName() final { return "nv_tileaa.grid_state"; }
};

// Names of the discardable attributes.
inline constexpr StringLiteral kComputeCapabilityAttr =
    "nv_tileaa.compute_capability";
inline constexpr StringLiteral kTargetSpecAttr = "nv_tileaa.target_spec";
inline constexpr StringLiteral kNumWarpsAttr = "nv_tileaa.num_warps";
inline constexpr StringLiteral kNumCtasAttr = "nv_tileaa.num_ctas";
inline constexpr StringLiteral kApproxAttr = "nv_tileaa.approx";
inline constexpr StringLiteral kFtzAttr = "nv_tileaa.ftz";
inline constexpr StringLiteral kDynamicPersistentAttr =
    "nv_tileaa.dynamic_persistent";
inline constexpr StringLiteral kLibnvvmUseNvgpucompAttr =
    "nv_tileaa.libnvvm_use_nvgpucomp";
inline constexpr StringLiteral kProducerAttr = "nv_tileaa.producer";
/// On accesses to views of multicast memory: the combination of the copies by a
/// load; any value on stores and reductions, which reach all copies.
inline constexpr StringLiteral kMultimemAttr = "nv_tileaa.multimem";
inline constexpr StringLiteral kNoAliasAttr = "nv_tileaa.noalias";
inline constexpr StringLiteral kReadOnlyAttr = "nv_tileaa.readonly";
inline constexpr StringLiteral kGridConstantAttr = "nv_tileaa.grid_constant";
inline constexpr StringLiteral kDivByAttr = "nv_tileaa.div_by";

} // namespace mlir::nv_tileaa

#include "dialects/nv_tileaa/Dialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/nv_tileaa/Attrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/nv_tileaa/Types.h.inc"

#include "dialects/nv_tileaa/NVTileAAInterfaces.h.inc"

#define GET_OP_CLASSES
#include "dialects/nv_tileaa/Ops.h.inc"

MLIR_DECLARE_EXPLICIT_TYPE_ID(mlir::nv_tileaa::GlobalMemory)
MLIR_DECLARE_EXPLICIT_TYPE_ID(mlir::nv_tileaa::HostIO)
MLIR_DECLARE_EXPLICIT_TYPE_ID(mlir::nv_tileaa::QueueState)
MLIR_DECLARE_EXPLICIT_TYPE_ID(mlir::nv_tileaa::GridState)

#endif // DIALECTS_NV_TILEAA_NVTILEAA_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_LAUNCH_TENSORMAP_H
#define DIALECTS_LAUNCH_TENSORMAP_H

#include "dialects/launch/Expression.h"
#include "dialects/launch/KernelAbi.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tileir {

/// An element format of tensor maps.
struct MapElement {
  /// Name in `tensormap.replace`: `bf16`, `tf32`, `b4x16_p64`.
  llvm::StringLiteral name;
  /// Name in `cuTensorMapEncodeTiled`, without the prefix of the enumeration.
  llvm::StringLiteral driverName;
  /// Bits 10:7 of word 1, and bit 16.
  unsigned code;
  bool roundToTf32;
  /// Bits of an element in global memory, and of 16 of them in shared memory.
  unsigned bits;
  unsigned sharedBitsOf16;
  bool isFloat;
};

/// The formats in the order of `tensormap.replace`.
llvm::ArrayRef<MapElement> mapElements();
const MapElement *findMapElement(llvm::StringRef name);
/// The format of tiles of `type`, a builtin integer or float type: integers of
/// any sign take the unsigned format, 8-bit floats the format of bytes. Null
/// for a type without one.
const MapElement *mapElementOf(mlir::Type type);

/// Constants of a tiled tensor map. Dimension 0 is the contiguous
/// one.
struct TensorMapShape {
  const MapElement *element = nullptr;
  llvm::SmallVector<unsigned, 5> box;
  llvm::SmallVector<unsigned, 5> elementStrides;
  unsigned interleave = 0;  ///< 0 none, 1 16B, 2 32B
  unsigned swizzle = 0;     ///< 0 none, 1 32B, 2 64B, 3 128B, 4 96B
  unsigned atomicity = 0;   ///< 0 16B, 1 32B, 2 32B with 8B flip, 3 64B
  unsigned l2Promotion = 2; ///< 0 none, 1 64B, 2 128B, 3 256B
  bool fillNaN = false;

  unsigned rank() const { return unsigned(box.size()); }
  /// Bytes of the innermost box in shared memory.
  unsigned innerBoxBytes() const;
  /// The low half of word 1 without the bit for large tensors.
  uint32_t modeWord() const;
  /// Bytes 0x34 to 0x3b: element strides and box extents.
  uint64_t boxWords() const;

  /// Names in attributes and in the sidecar, which are the driver's.
  llvm::StringRef interleaveName() const;
  llvm::StringRef swizzleName() const;
  llvm::StringRef l2PromotionName() const;
  llvm::StringRef fillName() const { return fillNaN ? "nan" : "zeros"; }
};

/// A tensor map that is a function of the kernel's visible parameters: base
/// address, extents in elements, strides in bytes from dimension 1 on.
struct TensorMapRecipe {
  TensorMapShape shape;
  ExpressionGraph graph;
  ExpressionGraph::Id base = 0;
  llvm::SmallVector<ExpressionGraph::Id, 5> extents;
  llvm::SmallVector<ExpressionGraph::Id, 4> strides;
};

namespace launch {
/// On a hidden tensor map, and on a call of `makeTensorMapName`: a dictionary.
///   element          name of a MapElement
///   base             expression, the address (not on a call)
///   extents, strides arrays of expressions (not on a call)
///   values           optional array of expressions, named %0, %1 … (same)
///   box              array<i64>
///   element_strides  optional array<i64>, all 1 when absent
///   swizzle          optional, "none" when absent
///   interleave, l2_promotion, oob_fill
///                    optional: "none", "128B", "zeros" when absent
inline constexpr llvm::StringLiteral tensorMapName = "tileir.tensormap";
/// On a visible argument: an integer that always divides its value.
inline constexpr llvm::StringLiteral divisibleByName = "tileir.divisible_by";
/// A call of this variadic function represents a tensor map: base, extents,
/// strides in bytes. `tileir-legalize-llvm-kernel` builds the map on the host
/// or on the device.
inline constexpr llvm::StringLiteral makeTensorMapName =
    "__tileir_make_tensor_map";
/// Returns the offset of per-CTA memory, 0 where ptxas or the driver has none.
/// The serializer decides.
inline constexpr llvm::StringLiteral perCtaMemoryName =
    "__tileir_per_cta_memory";
} // namespace launch

using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

/// Reads the constant fields of a `tileir.tensormap` dictionary. Emits one
/// error for a missing or wrong field, or for a shape that the hardware does
/// not support.
mlir::FailureOr<TensorMapShape> parseTensorMapShape(mlir::DictionaryAttr attr,
                                                    EmitError emitError);

/// The recipe of argument `index` of `kernel`, a hidden tensor map.
mlir::FailureOr<TensorMapRecipe>
parseTensorMapRecipe(mlir::FunctionOpInterface kernel, unsigned index);

/// The attribute that `parseTensorMapRecipe` reads back as `recipe`.
mlir::DictionaryAttr tensorMapAttr(mlir::MLIRContext *context,
                                   const TensorMapRecipe &recipe);

/// Widths of the visible parameters of `kernel` in expressions: 64 for a
/// pointer, 0 for a parameter that is no integer.
llvm::SmallVector<unsigned> parameterWidths(mlir::FunctionOpInterface kernel);

/// Emits an error when `llvm.align` and `tileir.divisible_by` of the visible
/// arguments do not prove the alignment of `recipe` that the hardware requires.
mlir::LogicalResult proveTensorMap(mlir::FunctionOpInterface kernel,
                                   const TensorMapRecipe &recipe,
                                   EmitError emitError);

/// Emits the values of `graph` as LLVM operations, in order; `argument` gives
/// the value of a parameter, an integer of the node's width.
llvm::SmallVector<mlir::Value> emitExpressions(
    mlir::ImplicitLocOpBuilder &b, const ExpressionGraph &graph,
    llvm::function_ref<mlir::Value(unsigned index, unsigned width)> argument);

/// Emits the significant half of a map as eight i64 values. `base`, `extents`
/// and `strides` are integers; narrow ones count as unsigned.
std::array<mlir::Value, 8> emitTensorMapWords(mlir::ImplicitLocOpBuilder &b,
                                              const TensorMapShape &shape,
                                              mlir::Value base,
                                              mlir::ValueRange extents,
                                              mlir::ValueRange strides);

} // namespace tileir

#endif // DIALECTS_LAUNCH_TENSORMAP_H

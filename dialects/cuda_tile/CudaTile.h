// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Public header of the cuda_tile dialect: types, attributes, operations.

#ifndef DIALECTS_CUDA_TILE_CUDATILE_H
#define DIALECTS_CUDA_TILE_CUDATILE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/cuda_tile/Dialect.h.inc"
#include "dialects/cuda_tile/Enums.h.inc"

namespace mlir::cuda_tile {

class PaddingValueAttr;
class PointerKindAttr;
class TensorViewType;
class TileType;

//===----------------------------------------------------------------------===//
// Debug information
//===----------------------------------------------------------------------===//

/// Any node of the debug information.
class DINodeAttr : public Attribute {
public:
  using Attribute::Attribute;
  static bool classof(Attribute attr);
};

/// A debug node that contains names: a compile unit, a file, a local scope.
class DIScopeAttr : public DINodeAttr {
public:
  using DINodeAttr::DINodeAttr;
  static bool classof(Attribute attr);
};

/// A scope inside of a function.
class DILocalScopeAttr : public DIScopeAttr {
public:
  using DIScopeAttr::DIScopeAttr;
  static bool classof(Attribute attr);
};

} // namespace mlir::cuda_tile

#include "dialects/cuda_tile/AttrInterfaces.h.inc"
#include "dialects/cuda_tile/TypeInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/cuda_tile/Attrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/cuda_tile/Types.h.inc"

namespace mlir::cuda_tile {

//===----------------------------------------------------------------------===//
// Implicit terminators
//===----------------------------------------------------------------------===//

/// Ends a region of `if`; `yield` is the implicit one.
struct IfTerminator {
  static bool classof(Operation *op);
  static StringRef getOperationName() { return "cuda_tile.yield"; }
  static void build(OpBuilder &, OperationState &) {}
};

/// Ends a region of `loop`; `continue` is the implicit one. `return` checks
/// itself whether it may be one.
struct LoopTerminator {
  static bool classof(Operation *op);
  static StringRef getOperationName() { return "cuda_tile.continue"; }
  static void build(OpBuilder &, OperationState &) {}
};

//===----------------------------------------------------------------------===//
// Releases
//===----------------------------------------------------------------------===//

/// Returns whether verifiers follow the newest release where it differs from
/// the published dialect.
bool followsNewestRelease(MLIRContext *context);

/// Makes verifiers follow the newest release until the end of a scope. For a
/// whole context, its owner calls `setFollowsNewestRelease` of the dialect.
class NewestReleaseScope {
public:
  /// Loads the dialect.
  explicit NewestReleaseScope(MLIRContext *context);
  ~NewestReleaseScope();
  NewestReleaseScope(const NewestReleaseScope &) = delete;
  NewestReleaseScope &operator=(const NewestReleaseScope &) = delete;

private:
  CudaTileDialect &dialect;
  bool before;
};

/// Returns the end of the lists of float types in diagnostics: ` or
/// fnv8E5M3FNU` in the newest release, nothing in the published dialect.
StringRef nameNewestFloat(MLIRContext *context);
inline StringRef nameNewestFloat(Operation &op) {
  return nameNewestFloat(op.getContext());
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Returns whether `type` is a number: a pointee type of pointers and an
/// element type of views.
bool isNumberType(Type type);

/// The i1 tile of the shape of `tile`.
Type getI1TileLike(Type tile);

/// Returns whether `pointers` is a tile of pointers to the elements of
/// `values`, of the same shape.
bool isPointerTileOf(Type pointers, Type values);

/// Returns whether `optional` is absent or a tile of the shape of `tile`.
bool isAbsentOrSameShape(Value optional, Value tile);

/// Bytes of one element of `type` in memory: one for i1, four for tf32. 0 for
/// elements of four bits, of which two share a byte.
unsigned getElementBytes(Type type);

/// The value of the 8 bits of an element of fnv8E5M3FNU.
double decodeFNV8E5M3FNU(uint8_t bits);

/// Bits of `value`, rounded to the nearest even; saturates.
uint8_t encodeFNV8E5M3FNU(double value);

/// Prints a type of this dialect without its prefix, other types unchanged.
void printShortType(AsmPrinter &printer, Type type);

/// Parses a type that may lack the prefix of this dialect.
ParseResult parseShortType(AsmParser &parser, Type &type);

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

class ModuleOp;

/// Returns `op` if it is a module of this dialect, the first operation in it if
/// it is a builtin module that starts with one, else null.
ModuleOp extractCudaTileModuleOp(Operation *op);

/// Registers the dialect and the command-line flags `-Wunsupported-hints` and
/// `-Werr-hints`, which take effect when the dialect loads. Only the shared
/// object has the flags.
void registerDialectWithFlags(DialectRegistry &registry);

} // namespace mlir::cuda_tile

#define GET_OP_CLASSES
#include "dialects/cuda_tile/Ops.h.inc"

#endif // DIALECTS_CUDA_TILE_CUDATILE_H

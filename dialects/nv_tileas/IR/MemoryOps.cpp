// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::MemScope;
using nv_tileaa::MemSemantic;
using nv_tileaa::RmwMode;
using nv_tileaa::TATiledViewType;
using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

//===----------------------------------------------------------------------===//
// Common checks
//===----------------------------------------------------------------------===//

namespace {

/// Kind of an access, which decides its legal orders and atoms.
enum class Access { Load, Store, Atomic };

} // namespace

template <typename OpTy>
static LogicalResult verifyOrder(OpTy op, Access access) { // C1
  MemSemantic semantic = op.getMemSemantic();
  bool weak = semantic == MemSemantic::Weak;
  if (access == Access::Atomic && weak)
    return op.emitOpError("memory ordering semantics must be one of: relaxed, "
                          "acquire, release, acq_rel");
  if (weak && op.getMemScope())
    return op.emitOpError("mem_scope not supported when mem_semantic is weak");
  if (!weak && !op.getMemScope())
    return op.emitOpError("mem_scope required when mem_semantic is not weak");
  bool bad = false;
  if (access == Access::Load)
    bad = semantic == MemSemantic::Release || semantic == MemSemantic::AcqRel;
  if (access == Access::Store)
    bad = semantic == MemSemantic::Acquire || semantic == MemSemantic::AcqRel;
  if (bad)
    return op.emitOpError("unsupported mem_semantic: ")
           << nv_tileaa::stringifyMemSemantic(semantic);
  return success();
}

template <typename OpTy>
static LogicalResult verifyAtom(OpTy op, Access access) {
  CopyAtomAttr atom = op.getAtomAttr();
  if (!atom)
    return success();
  CopyKind kind = atom.getKind();
  CopyKind own = access == Access::Load ? CopyKind::Ldg : CopyKind::Stg;
  if (kind == CopyKind::Unknown || kind == CopyKind::Universal || kind == own)
    return success();
  return op.emitOpError("copy atom '")
         << stringifyCopyKind(kind) << "' does not "
         << (access == Access::Load ? "read" : "write") << " global memory";
}

/// C2 of the pointer forms.
template <typename OpTy>
static LogicalResult verifyPointee(OpTy op, Type value) {
  Type pointee = getPointeeTile(op.getPtr().getType());
  if (pointee == value)
    return success();
  return op.emitOpError("expects a value of type ")
         << pointee << " for the pointers, but got " << value;
}

static LogicalResult verifyTileShape(Operation *op, TATiledViewType view,
                                     Type value) { // C4
  auto tile = cast<RankedTensorType>(value);
  if (tile.getShape() != view.getTileShape())
    return op->emitOpError(
        "requires the same shape for tileSize and tensor value");
  if (tile.getElementType() != view.getElementType())
    return op->emitOpError("view elementType not equal with tensor element "
                           "type: ")
           << view.getElementType() << " != " << tile.getElementType();
  return success();
}

static LogicalResult verifyInBounds(Operation *op, TATiledViewType view,
                                    std::optional<ArrayRef<bool>> inBounds) {
  if (inBounds && inBounds->size() != view.getRank()) // C5
    return op->emitOpError("incorrect number of in_bounds elements: expected ")
           << view.getRank() << ", but found " << inBounds->size();
  return success();
}

/// Verifies the common constraints of tiled accesses, except order and atom.
template <typename OpTy> static LogicalResult verifyTiled(OpTy op, Type value) {
  auto view = cast<TATiledViewType>(op.getView().getType());
  if (op.getCoords().size() != view.getRank()) // C2
    return op.emitOpError("expects ")
           << view.getRank() << " coordinates, but got "
           << op.getCoords().size();
  for (Value coord : op.getCoords())
    if (coord.getType() != op.getCoords().front().getType())
      return op.emitOpError("expects all coordinates to have one integer type, "
                            "but got ")
             << op.getCoords().front().getType() << " and " << coord.getType();
  if (!op.getOffsets().empty() && op.getOffsets().size() != view.getRank())
    return op.emitOpError("expects ") // C3
           << view.getRank() << " offsets, but got " << op.getOffsets().size();
  if (view.hasSparseDim()) // C6
    return op.emitOpError("expects a view without sparse dimension");
  if (failed(verifyTileShape(op, view, value)))
    return failure();
  return verifyInBounds(op, view, op.getInBounds());
}

template <typename OpTy>
static LogicalResult verifySparse(OpTy op, Type value) {
  auto view = cast<TATiledViewType>(op.getView().getType());
  if (!view.hasSparseDim()) // C6
    return op.emitOpError("expects a view with a sparse dimension");
  if (op.getCoords().size() != view.getRank()) // C2
    return op.emitOpError("expects ")
           << view.getRank() << " coordinates, but got "
           << op.getCoords().size();
  for (auto [d, coord] : llvm::enumerate(op.getCoords())) {
    auto tile = dyn_cast<RankedTensorType>(coord.getType());
    bool sparse = int64_t(d) == view.getSparseDim();
    if (sparse != bool(tile) || (tile && tile.getRank() != 1))
      return op.emitOpError("expects a rank-1 tile of indices in the sparse "
                            "dimension and scalars in the others");
    if (tile && tile.getDimSize(0) != view.getTileShape()[d])
      return op.emitOpError("expected gather/scatter index size (")
             << tile.getDimSize(0) << ") to match tile shape at dimension " << d
             << " (" << view.getTileShape()[d] << ")";
  }
  if (failed(verifyTileShape(op, view, value)))
    return failure();
  return verifyInBounds(op, view, op.getInBounds());
}

static void loadEffects(MemSemantic semantic, bool isVolatile,
                        Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), GlobalResource::get());
  if (semantic != MemSemantic::Weak || isVolatile)
    effects.emplace_back(MemoryEffects::Write::get(), GlobalResource::get());
}

static void rmwEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), GlobalResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), GlobalResource::get());
}

static void writeEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), GlobalResource::get());
}

//===----------------------------------------------------------------------===//
// Pointer forms
//===----------------------------------------------------------------------===//

LogicalResult LoadOp::verify() {
  if (failed(verifyOrder(*this, Access::Load)) ||
      failed(verifyPointee(*this, getValue().getType())))
    return failure();
  if (getOther() && !getMask())
    return emitOpError("'other' requires 'mask'"); // C3
  return verifyAtom(*this, Access::Load);          // C4
}

void LoadOp::getEffects(Effects &effects) {
  loadEffects(getMemSemantic(), getIsVolatile(), effects);
}

LogicalResult StoreOp::verify() {
  if (failed(verifyOrder(*this, Access::Store)) ||
      failed(verifyPointee(*this, getValue().getType())))
    return failure();
  return verifyAtom(*this, Access::Store); // C3
}

void StoreOp::getEffects(Effects &effects) { writeEffects(effects); }

LogicalResult AtomicRmwOp::verify() {
  if (failed(verifyOrder(*this, Access::Atomic)) ||
      failed(verifyPointee(*this, getValue().getType())))
    return failure();
  Type element = getElementTypeOrSelf(getValue().getType());
  StringRef mode = nv_tileaa::stringifyRmwMode(getRmwMode());
  bool word = element.isInteger(32) || element.isInteger(64);
  switch (getRmwMode()) { // C3
  case RmwMode::AddF:
    if (!element.isF16() && !element.isBF16() && !element.isF32() &&
        !element.isF64())
      return emitOpError("'addf' works only with floats f16, bf16, f32, and "
                         "f64");
    return success();
  case RmwMode::Xchg:
    if (!word && !element.isF32() && !element.isF64())
      return emitOpError("'xchg' works only with integers or float of 32 or 64 "
                         "bitwidth");
    return success();
  default:
    if (!word)
      return emitOpError("'")
             << mode << "' works only with integers i32 and i64";
    return success();
  }
}

void AtomicRmwOp::getEffects(Effects &effects) { rmwEffects(effects); }

LogicalResult AtomicCasOp::verify() {
  if (failed(verifyOrder(*this, Access::Atomic)) ||
      failed(verifyPointee(*this, getValue().getType())))
    return failure();
  Type element = getElementTypeOrSelf(getValue().getType());
  if (!element.isInteger(32) && !element.isInteger(64) && !element.isF32() &&
      !element.isF64()) // C3
    return emitOpError("expect only float or integer types with 32 or 64 bit");
  return success();
}

void AtomicCasOp::getEffects(Effects &effects) { rmwEffects(effects); }

//===----------------------------------------------------------------------===//
// Tiled forms
//===----------------------------------------------------------------------===//

LogicalResult TiledLoadOp::verify() {
  if (failed(verifyOrder(*this, Access::Load)) ||
      failed(verifyTiled(*this, getValue().getType())))
    return failure();
  return verifyAtom(*this, Access::Load); // C7
}

void TiledLoadOp::getEffects(Effects &effects) {
  loadEffects(getMemSemantic(), getIsVolatile(), effects);
}

LogicalResult TiledStoreOp::verify() {
  if (failed(verifyOrder(*this, Access::Store)) ||
      failed(verifyTiled(*this, getValue().getType())))
    return failure();
  return verifyAtom(*this, Access::Store); // C7
}

void TiledStoreOp::getEffects(Effects &effects) { writeEffects(effects); }

LogicalResult TiledAtomicRmwOp::verify() {
  bool isMultimem = (*this)->hasAttr(nv_tileaa::kMultimemAttr);
  if (getMemSemantic() != MemSemantic::Relaxed && !isMultimem) // C1
    return emitOpError("only 'relaxed' memory ordering is supported for "
                       "view-based atomic reductions");
  if (failed(verifyOrder(*this, Access::Atomic)))
    return failure();
  if (*getMemScope() == MemScope::Sys && !isMultimem)
    return emitOpError("memory scope 'sys' is not supported for view-based "
                       "atomic reductions; use 'tl_blk' or 'gpu'");
  if (failed(verifyTiled(*this, getValue().getType())))
    return failure();
  if (getOld() && getOld().getType() != getValue().getType()) // C8
    return emitOpError("'old' must have the type of the value");
  Type element = cast<RankedTensorType>(getValue().getType()).getElementType();
  unsigned bits = getStorageBits(element);
  RmwMode mode = getRmwMode();
  if (mode == RmwMode::AddF) // C7
    return emitOpError("tiled_atomic_rmw op cannot use fadd operation, please "
                       "use add instead for both int and float types");
  if (mode == RmwMode::Xchg)
    return emitOpError("tiled_atomic_rmw op cannot use xchg operation");
  if (bits <= 8)
    return emitOpError("tiled_atomic_rmw not supported for 8-bit types");
  if (element.isInteger(16))
    return emitOpError("tiled_atomic_rmw not supported for 16-bit integer");
  if (bits == 16 && mode != RmwMode::Add && mode != RmwMode::Max &&
      mode != RmwMode::Min)
    return emitOpError("tiled_atomic_rmw for 16-bit float only supports add, "
                       "max, min operations");
  return success();
}

void TiledAtomicRmwOp::getEffects(Effects &effects) { rmwEffects(effects); }

LogicalResult GatherLoadOp::verify() {
  if (failed(verifyOrder(*this, Access::Load)) ||
      failed(verifySparse(*this, getValue().getType())))
    return failure();
  return verifyAtom(*this, Access::Load);
}

void GatherLoadOp::getEffects(Effects &effects) {
  loadEffects(getMemSemantic(), getIsVolatile(), effects);
}

LogicalResult ScatterStoreOp::verify() {
  if (failed(verifyOrder(*this, Access::Store)) ||
      failed(verifySparse(*this, getValue().getType())))
    return failure();
  return verifyAtom(*this, Access::Store);
}

void ScatterStoreOp::getEffects(Effects &effects) { writeEffects(effects); }

//===----------------------------------------------------------------------===//
// copy
//===----------------------------------------------------------------------===//

LogicalResult CopyOp::verify() {
  auto source = dyn_cast<BufferType>(getSrc().getType());
  bool store = !source && getDst() && !getResult();
  bool load = source && !getDst() && getResult();
  if (!store && !load) // C1
    return emitOpError("copies a tile into a buffer or a buffer into a tile");
  auto tile = cast<RankedTensorType>(store ? getSrc().getType()
                                           : getResult().getType());
  auto buffer = store ? cast<BufferType>(getDst().getType()) : source;
  if (buffer.isStaged() || buffer.getShape() != tile.getShape() ||
      buffer.getElementType() != tile.getElementType()) // C2
    return emitOpError("expects equal shapes and element types, and one stage");
  if (!getAtom())
    return success();
  CopyKind kind = getAtom()->getKind();
  bool legal =
      llvm::is_contained({CopyKind::Unknown, CopyKind::Universal}, kind);
  legal |= store ? kind == CopyKind::Sts || kind == CopyKind::Stsm
                 : kind == CopyKind::Lds || kind == CopyKind::Ldsm;
  if (!legal) // C3
    return emitOpError("copy atom '")
           << stringifyCopyKind(kind) << "' does not "
           << (store ? "write" : "read") << " a buffer";
  return success();
}

void CopyOp::getEffects(Effects &effects) {
  auto source = dyn_cast<BufferType>(getSrc().getType());
  BufferType buffer = source ? source : cast<BufferType>(getDst().getType());
  SideEffects::Resource *resource = SharedResource::get();
  if (buffer.getSpace() == tileir::LayoutSpace::Tmem)
    resource = TensorResource::get();
  if (source)
    effects.emplace_back(MemoryEffects::Read::get(), resource);
  else
    effects.emplace_back(MemoryEffects::Write::get(), resource);
}

void CopyOp::getStorageEffects(SmallVectorImpl<StorageEffect> &effects) {
  bool isWrite = bool(getDst());
  Value buffer = isWrite ? Value(getDst()) : getSrc();
  bool isTensor = cast<BufferType>(buffer.getType()).getSpace() ==
                  tileir::LayoutSpace::Tmem;
  effects.push_back(
      {buffer, isWrite, isTensor ? Proxy::Tensor : Proxy::Generic});
}

//===----------------------------------------------------------------------===//
// Facts that accesses state about themselves
//===----------------------------------------------------------------------===//

MemoryKind LoadOp::getMemoryKind() { return MemoryKind::Load; }
MemoryKind StoreOp::getMemoryKind() { return MemoryKind::Store; }
MemoryKind AtomicRmwOp::getMemoryKind() { return MemoryKind::Atomic; }
MemoryKind AtomicCasOp::getMemoryKind() { return MemoryKind::Atomic; }
MemoryKind TiledLoadOp::getMemoryKind() { return MemoryKind::Load; }
MemoryKind TiledStoreOp::getMemoryKind() { return MemoryKind::Store; }
MemoryKind TiledAtomicRmwOp::getMemoryKind() { return MemoryKind::Atomic; }
MemoryKind GatherLoadOp::getMemoryKind() { return MemoryKind::Load; }
MemoryKind ScatterStoreOp::getMemoryKind() { return MemoryKind::Store; }

SmallVector<Value> LoadOp::getAddressOperands() { return {getPtr()}; }
SmallVector<Value> StoreOp::getAddressOperands() { return {getPtr()}; }
SmallVector<Value> AtomicRmwOp::getAddressOperands() { return {getPtr()}; }
SmallVector<Value> AtomicCasOp::getAddressOperands() { return {getPtr()}; }

template <typename OpTy> static SmallVector<Value> getViewOperands(OpTy op) {
  SmallVector<Value> operands = {op.getView()};
  llvm::append_range(operands, op.getCoords());
  return operands;
}

template <typename OpTy> static SmallVector<Value> getTiledOperands(OpTy op) {
  SmallVector<Value> operands = getViewOperands(op);
  llvm::append_range(operands, op.getOffsets());
  return operands;
}

SmallVector<Value> TiledLoadOp::getAddressOperands() {
  return getTiledOperands(*this);
}
SmallVector<Value> TiledStoreOp::getAddressOperands() {
  return getTiledOperands(*this);
}
SmallVector<Value> TiledAtomicRmwOp::getAddressOperands() {
  return getTiledOperands(*this);
}
SmallVector<Value> GatherLoadOp::getAddressOperands() {
  return getViewOperands(*this);
}
SmallVector<Value> ScatterStoreOp::getAddressOperands() {
  return getViewOperands(*this);
}

Value LoadOp::getAccessMask() { return getMask(); }
Value StoreOp::getAccessMask() { return getMask(); }
Value AtomicRmwOp::getAccessMask() { return getMask(); }
Value AtomicCasOp::getAccessMask() { return getMask(); }
Value TiledLoadOp::getAccessMask() { return {}; }
Value TiledStoreOp::getAccessMask() { return {}; }
Value TiledAtomicRmwOp::getAccessMask() { return {}; }
Value GatherLoadOp::getAccessMask() { return {}; }
Value ScatterStoreOp::getAccessMask() { return {}; }

Value LoadOp::getStoredValue() { return {}; }
Value StoreOp::getStoredValue() { return getValue(); }
Value AtomicRmwOp::getStoredValue() { return getValue(); }
Value AtomicCasOp::getStoredValue() { return getValue(); }
Value TiledLoadOp::getStoredValue() { return {}; }
Value TiledStoreOp::getStoredValue() { return getValue(); }
Value TiledAtomicRmwOp::getStoredValue() { return getValue(); }
Value GatherLoadOp::getStoredValue() { return {}; }
Value ScatterStoreOp::getStoredValue() { return getValue(); }

Type LoadOp::getAccessedTile() { return getValue().getType(); }
Type StoreOp::getAccessedTile() { return getValue().getType(); }
Type AtomicRmwOp::getAccessedTile() { return getValue().getType(); }
Type AtomicCasOp::getAccessedTile() { return getValue().getType(); }
Type TiledLoadOp::getAccessedTile() { return getValue().getType(); }
Type TiledStoreOp::getAccessedTile() { return getValue().getType(); }
Type TiledAtomicRmwOp::getAccessedTile() { return getValue().getType(); }
Type GatherLoadOp::getAccessedTile() { return getValue().getType(); }
Type ScatterStoreOp::getAccessedTile() { return getValue().getType(); }

//===----------------------------------------------------------------------===//
// Tokens, addresses
//===----------------------------------------------------------------------===//

OpFoldResult JoinMemTokenOp::fold(FoldAdaptor) {
  if (getTokens().empty() || !llvm::all_equal(getTokens()))
    return {};
  return getTokens().front();
}

static bool sameShapeAndLayout(Type a, Type b) {
  auto x = dyn_cast<RankedTensorType>(a), y = dyn_cast<RankedTensorType>(b);
  if (!x || !y)
    return !x && !y;
  return x.getShape() == y.getShape() && x.getEncoding() == y.getEncoding();
}

LogicalResult AddPtrOp::verify() {
  if (!sameShapeAndLayout(getBase().getType(), getOffset().getType())) // C1
    return emitOpError("expects one shape and layout");
  return success();
}

template <typename OpTy> static LogicalResult verifyPtrCast(OpTy op, Type i64) {
  if (!getElementTypeOrSelf(i64).isInteger(64)) // C1
    return op.emitOpError("expects i64 elements");
  if (!sameShapeAndLayout(op.getSource().getType(), op.getType())) // C2
    return op.emitOpError("expects one shape and layout");
  return success();
}

LogicalResult PtrToIntOp::verify() { return verifyPtrCast(*this, getType()); }
LogicalResult IntToPtrOp::verify() {
  return verifyPtrCast(*this, getSource().getType());
}

LogicalResult MakeMemRefOp::verify() {
  nv_tileaa::TAMemRefType type = getType();
  auto check = [&](unsigned expected, size_t actual, StringRef what) {
    if (expected == actual) // C1
      return success();
    return LogicalResult(emitOpError("expects ")
                         << expected << " dynamic " << what << ", but got "
                         << actual);
  };
  if (failed(check(type.getNumDynamicSizes(), getSizes().size(), "sizes")) ||
      failed(
          check(type.getNumDynamicStrides(), getStrides().size(), "strides")))
    return failure();
  nv_tileaa::TAPointerType base = getBase().getType();
  if (base.getPointee() != type.getElementType()) // C2
    return emitOpError("base pointee type ")
           << base.getPointee() << " does not match memref element type "
           << type.getElementType();
  if (base.getSpace() != type.getSpace())
    return emitOpError("base memory space ")
           << base.getSpace() << " does not match memref space "
           << type.getSpace();
  return success();
}

LogicalResult BlockTileOp::verify() {
  if (getType().getSource() != getSource().getType()) // C1
    return emitOpError("expects a view of ")
           << getSource().getType() << ", but got " << getType();
  return success();
}

LogicalResult GetDimSizeOp::verify() {
  int64_t rank = getSource().getType().getRank();
  if (getDim() >= rank) // C1
    return emitOpError("'dim' ")
           << getDim() << " is out of range for rank " << rank;
  return success();
}

LogicalResult GetGlobalOp::verifySymbolUses(SymbolTableCollection &table) {
  auto global = table.lookupNearestSymbolFrom<nv_tileaa::GlobalOp>(
      getOperation(), getNameAttr());
  if (!global) // C1
    return emitOpError("'@")
           << getName() << "' does not reference a valid global";
  Type element = cast<ShapedType>(global.getValue().getType()).getElementType();
  if (element != getType().getPointee())
    return emitOpError("pointee type of result ")
           << getType() << " does not match the global's element type "
           << element;
  return success();
}

LogicalResult AllocaOp::verify() {
  if (getNumElem() < 1) // C1
    return emitOpError("expects a positive number of elements, got ")
           << getNumElem();
  if (!llvm::isPowerOf2_64(getAlignment())) // C2
    return emitOpError("'alignment' must be a power of two, got ")
           << getAlignment();
  return success();
}

void AllocaOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(),
                       getOperation()->getResult(0), GlobalResource::get());
}

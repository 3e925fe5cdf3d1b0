// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileas/NVTileAS.h"

#include "dialects/support/layout/TensorBox.h"

#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::TATiledViewType;
using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

// Both enumerations have the same order.
static_assert(unsigned(TmaSwizzle::None) == unsigned(tileir::Swizzle::None) &&
              unsigned(TmaSwizzle::B32) == unsigned(tileir::Swizzle::B32) &&
              unsigned(TmaSwizzle::B64) == unsigned(tileir::Swizzle::B64) &&
              unsigned(TmaSwizzle::B128) == unsigned(tileir::Swizzle::B128) &&
              unsigned(TmaSwizzle::B128Wide) ==
                  unsigned(tileir::Swizzle::B128Wide));

// Limits of tensor maps (PTX ISA, "Tensors").
static constexpr int64_t kMaxDims = 5;
static constexpr int64_t kMaxBoxExtent = 256;
static constexpr int64_t kLineBytes = 16;

static int64_t getBytes(Type element) {
  return std::max(8u, getStorageBits(element)) / 8;
}

//===----------------------------------------------------------------------===//
// Type
//===----------------------------------------------------------------------===//

LogicalResult
TmaDescType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                    ArrayRef<int64_t> box, Type elementType,
                    ArrayRef<int32_t> order, TmaSwizzle swizzle) {
  if (box.empty() || int64_t(box.size()) > kMaxDims)
    return emitError() << "a tensor map has 1 to " << kMaxDims
                       << " dimensions, got " << box.size();
  if (!isTileElementType(elementType) || getStorageBits(elementType) < 8)
    return emitError() << "invalid element type " << elementType;
  for (int64_t extent : box)
    if (extent < 1 || extent > kMaxBoxExtent)
      return emitError() << "extents of a box are from 1 to " << kMaxBoxExtent
                         << ", got " << extent;
  SmallVector<bool> seen(box.size(), false);
  for (int32_t d : order) {
    if (d < 0 || d >= int64_t(box.size()) || seen[d])
      return emitError() << "'order' is not a permutation of the dimensions";
    seen[d] = true;
  }
  if (order.size() != box.size())
    return emitError() << "'order' is not a permutation of the dimensions";
  int64_t line = box[order[0]] * getBytes(elementType);
  if (line % kLineBytes)
    return emitError() << "a line of a box has a multiple of " << kLineBytes
                       << " bytes, got " << line;
  int64_t span = tileir::getSpanBytes(tileir::Swizzle(swizzle));
  if (swizzle != TmaSwizzle::None && line != span)
    return emitError() << "a line of a box with this swizzle has " << span
                       << " bytes, got " << line;
  return success();
}

Type TmaDescType::parse(AsmParser &parser) {
  SmallVector<int64_t> box;
  SmallVector<int32_t> order;
  Type elementType;
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  auto parseDim = [&] { return parser.parseInteger(order.emplace_back()); };
  if (parser.parseLess() ||
      parser.parseDimensionList(box, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseComma() ||
      parser.parseKeyword("order") || parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseDim) ||
      parser.parseComma() || parser.parseKeyword("swizzle") ||
      parser.parseEqual())
    return {};
  SMLoc wordLoc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return {};
  std::optional<TmaSwizzle> swizzle = symbolizeTmaSwizzle(word);
  if (!swizzle) {
    parser.emitError(wordLoc) << "unknown swizzle '" << word << "'";
    return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<TmaDescType>(loc, parser.getContext(),
                                        ArrayRef<int64_t>(box), elementType,
                                        ArrayRef<int32_t>(order), *swizzle);
}

void TmaDescType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getBox());
  printer << 'x' << getElementType() << ", order = [";
  llvm::interleaveComma(getOrder(), printer);
  printer << "], swizzle = " << stringifyTmaSwizzle(getSwizzle()) << '>';
}

//===----------------------------------------------------------------------===//
// make_tiled_tma_desc
//===----------------------------------------------------------------------===//

/// Returns whether a copy may read elements of type `inMemory` as `type`.
static bool mayArriveAs(Type inMemory, Type type) {
  return inMemory == type || (inMemory.isF32() && isa<FloatTF32Type>(type));
}

LogicalResult MakeTiledTmaDescOp::verify() {
  TATiledViewType view = getView().getType();
  TmaDescType desc = getType();
  if (view.hasSparseDim() || !view.getGroupSizes().empty() ||
      view.getRank() != desc.getRank() ||
      !mayArriveAs(view.getElementType(), desc.getElementType())) // C1
    return emitOpError("expects one memory dimension for each of the ")
           << desc.getRank() << " dimensions of the map, of elements "
           << desc.getElementType() << ", but got " << view;
  for (auto [tile, box] : llvm::zip(view.getTileShape(), desc.getBox()))
    if (tile % box) // C2
      return emitOpError("a box extent of ")
             << box << " does not divide the tile extent " << tile;
  ArrayRef<int64_t> strides = view.getSource().getStrides();
  for (auto [i, d] : llvm::enumerate(desc.getOrder())) { // C3
    int64_t stride = strides[view.getMemRefDim(d)];
    if (i == 0 && stride != 1)
      return emitOpError("'order' begins with dimension ")
             << d << ", whose stride is not 1";
    if (i && !ShapedType::isDynamic(stride) &&
        stride * getBytes(desc.getElementType()) % kLineBytes)
      return emitOpError("a stride of ")
             << stride << " elements is not a multiple of " << kLineBytes
             << " bytes";
  }
  if (view.getPadding() &&
      view.getPadding().getValue() != nv_tileaa::PaddingValue::Zero) // C4
    return emitOpError("reads zero where the view has other padding");
  return success();
}

//===----------------------------------------------------------------------===//
// async.tma_load
//===----------------------------------------------------------------------===//

/// Returns whether boxes of `part` fill what one of `whole` does: they are as
/// wide, and begin where the swizzle does, every 8 rows.
static bool fillsBox(ArrayRef<int64_t> part, ArrayRef<int64_t> whole,
                     ArrayRef<int32_t> order) {
  constexpr int64_t kRows = 8;
  for (auto [place, dim] : llvm::enumerate(order)) {
    if (part[dim] == whole[dim])
      continue;
    if (place == 0 || whole[dim] % part[dim] ||
        (place == 1 && part[dim] % kRows))
      return false;
  }
  return true;
}

/// Checks (C1) to (C3) of copies between a buffer and a memory object.
template <typename CopyOp> static LogicalResult verifyTensorCopy(CopyOp op) {
  TmaDescType desc = op.getDesc().getType();
  BufferType buffer = op.getBuffer().getType();
  if (op.getCoords().size() != desc.getRank()) // C1
    return op.emitOpError("expects ")
           << desc.getRank() << " coordinates, but got "
           << op.getCoords().size();
  if (buffer.isStaged() || !buffer.isWhole() ||
      buffer.getSpace() != tileir::LayoutSpace::Smem ||
      buffer.getElementType() != desc.getElementType()) // C2
    return op.emitOpError("expects a whole unstaged buffer of ")
           << desc.getElementType() << " in shared memory, but got " << buffer;
  std::vector<unsigned> order(desc.getOrder().begin(), desc.getOrder().end());
  std::string why = "it is of another rank";
  std::optional<tileir::TensorBox> box;
  if (buffer.getRank() == desc.getRank())
    box = tileir::tensorBox(buffer.getLayout().getLayout(), order,
                            getStorageBits(buffer.getElementType()), &why);
  if (!box) // C3
    return op.emitOpError("tensor copies cannot fill the buffer: ") << why;
  if (!fillsBox(desc.getBox(), box->extents, desc.getOrder()) ||
      box->swizzle != tileir::Swizzle(desc.getSwizzle()))
    return op.emitOpError("the map's boxes are not those of the buffer, ")
           << TmaDescType::get(op.getContext(), box->extents,
                               desc.getElementType(), desc.getOrder(),
                               TmaSwizzle(box->swizzle));
  return success();
}

LogicalResult AsyncTmaLoadOp::verify() {
  if (failed(verifyTensorCopy(*this)))
    return failure();
  if (getCtaGroup() != 1 && getCtaGroup() != 2) // C4
    return emitOpError("'cta_group' must be 1 or 2, got ") << getCtaGroup();
  return success();
}

void AsyncTmaLoadOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), GlobalResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), SharedResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), SyncResource::get());
}

void AsyncTmaLoadOp::getStorageEffects(
    SmallVectorImpl<StorageEffect> &effects) {
  StorageEffect effect;
  effect.buffer = getBuffer();
  effect.isWrite = true;
  effect.proxy = Proxy::Async;
  effect.isElected = true;
  effect.opens = AsyncCompletion::Mbarrier;
  effects.push_back(effect);
}

AsyncCompletion AsyncTmaLoadOp::getCompletion() {
  return AsyncCompletion::Mbarrier;
}
AsyncRole AsyncTmaLoadOp::getAsyncRole() { return AsyncRole::Issue; }

//===----------------------------------------------------------------------===//
// async.tma_store, async.bulk_wait
//===----------------------------------------------------------------------===//

LogicalResult AsyncTmaStoreOp::verify() { return verifyTensorCopy(*this); }

void AsyncTmaStoreOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), SharedResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), GlobalResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), SyncResource::get());
}

void AsyncTmaStoreOp::getStorageEffects(
    SmallVectorImpl<StorageEffect> &effects) {
  StorageEffect effect;
  effect.buffer = getBuffer();
  effect.proxy = Proxy::Async;
  effect.isElected = true;
  effect.opens = AsyncCompletion::BulkGroup;
  effects.push_back(effect);
}

AsyncCompletion AsyncTmaStoreOp::getCompletion() {
  return AsyncCompletion::BulkGroup;
}
AsyncRole AsyncTmaStoreOp::getAsyncRole() { return AsyncRole::Issue; }

LogicalResult AsyncBulkWaitOp::verify() {
  if (static_cast<int32_t>(getPending()) < 0) // C1
    return emitOpError("'pending' must not be negative");
  return success();
}

void AsyncBulkWaitOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), SyncResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), SyncResource::get());
  // The buffers are free from this point on.
  effects.emplace_back(MemoryEffects::Write::get(), SharedResource::get());
}

AsyncCompletion AsyncBulkWaitOp::getCompletion() {
  return AsyncCompletion::BulkGroup;
}
AsyncRole AsyncBulkWaitOp::getAsyncRole() { return AsyncRole::Wait; }
int64_t AsyncBulkWaitOp::getPendingGroups() { return getPending(); }

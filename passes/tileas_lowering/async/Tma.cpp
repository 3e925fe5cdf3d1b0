// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor maps, and TMA copies (PTX ISA, "cp.async.bulk.tensor").

#include "passes/analysis/ClusterAttrs.h"
#include "passes/tileas_lowering/Lowering.h"
#include "passes/tileas_lowering/async/Elected.h"

#include "dialects/launch/TensorMap.h"

using namespace mlir;

namespace tileir::lowering {

/// Returns the function whose calls `tileir-legalize-llvm-kernel` replaces by
/// maps.
static LLVM::LLVMFuncOp getMapFunction(Emitter &emitter, OpBuilder &builder) {
  Operation *module = builder.getInsertionBlock()->getParentOp();
  while (!module->hasTrait<OpTrait::SymbolTable>())
    module = module->getParentOp();
  if (auto func = dyn_cast_or_null<LLVM::LLVMFuncOp>(
          SymbolTable::lookupSymbolIn(module, launch::makeTensorMapName)))
    return func;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&module->getRegion(0).front());
  return LLVM::LLVMFuncOp::create(
      builder, builder.getUnknownLoc(), launch::makeTensorMapName,
      LLVM::LLVMFunctionType::get(emitter.ptrType(0), {}, /*isVarArg=*/true));
}

/// The bits of a tf32 are copied unchanged; f32 in memory is rounded to tf32.
static const MapElement *getMapElement(Type type, Type inMemory) {
  if (isa<FloatTF32Type>(inMemory))
    type = Float32Type::get(type.getContext());
  return mapElementOf(type);
}

static DictionaryAttr getMapAttr(Builder &builder, nv_tileas::TmaDescType type,
                                 const MapElement &element) {
  static constexpr StringLiteral swizzles[] = {"none", "32B", "64B", "128B",
                                               "128B_ATOM_32B"};
  SmallVector<int64_t> box;
  for (int32_t d : type.getOrder())
    box.push_back(type.getBox()[d]);
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("element", builder.getStringAttr(element.name)),
       builder.getNamedAttr("box", builder.getDenseI64ArrayAttr(box)),
       builder.getNamedAttr(
           "swizzle",
           builder.getStringAttr(swizzles[unsigned(type.getSwizzle())]))});
}

/// Broadcasts `address` from one lane to the warp: ptxas keeps a known uniform
/// value in the uniform registers that TMA copies read, instead of recomputing
/// it for each copy.
static Value makeUniform(Emitter &emitter, Value address) {
  return emitter.shuffle(NVVM::ShflKind::idx, address, emitter.i32(0));
}

namespace {

struct MakeDescLowering final : TilePattern<nv_tileas::MakeTiledTmaDescOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::MakeTiledTmaDescOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!state.target.has(Feature::Tma))
      return op.emitOpError("needs sm_90 or later, target is '")
             << state.target.name()
             << "'; compile for one, or load without tensor maps";
    nv_tileas::TmaDescType type = op.getType();
    const MapElement *element = getMapElement(
        type.getElementType(), op.getView().getType().getElementType());
    if (!element)
      return op.emitOpError("no tensor map has elements of type ")
             << type.getElementType() << "; load without tensor maps";
    Emitter emitter(rewriter, op, state);
    nv_tileaa::TATiledViewType view = op.getView().getType();
    MemRefValues memref(adaptor.getView(), view.getSource());
    SmallVector<Value> operands = {memref.base};
    for (int32_t d : type.getOrder())
      operands.push_back(memref.size(emitter, view.getMemRefDim(d)));
    for (int32_t d : type.getOrder().drop_front())
      operands.push_back(
          emitter.mulConst(memref.stride(emitter, view.getMemRefDim(d)),
                           getMemoryBits(type.getElementType()) / 8));
    auto call = LLVM::CallOp::create(
        rewriter, op.getLoc(), getMapFunction(emitter, rewriter), operands);
    call->setAttr(launch::tensorMapName, getMapAttr(rewriter, type, *element));
    call->setAttr(launch::divisibleByName, rewriter.getI64IntegerAttr(16));
    Value address = LLVM::PtrToIntOp::create(
        rewriter, op.getLoc(), emitter.intType(64), call.getResult());
    // A store alone does not justify keeping an address live.
    bool isRead =
        llvm::any_of(op->getUsers(), llvm::IsaPred<nv_tileas::AsyncTmaLoadOp>);
    rewriter.replaceOp(op, isRead ? makeUniform(emitter, address) : address);
    return success();
  }
};

/// Returns the start coordinates of the boxes of a tile, in the order of their
/// bytes.
SmallVector<Layout::Coord> getBoxes(nv_tileas::TmaDescType desc,
                                    nv_tileas::BufferType buffer) {
  SmallVector<Layout::Coord> boxes = {Layout::Coord(desc.getRank(), 0)};
  for (unsigned d = 0; d < desc.getRank(); ++d) {
    SmallVector<Layout::Coord> more;
    for (const Layout::Coord &box : boxes)
      for (int64_t at = 0; at < buffer.getShape()[d]; at += desc.getBox()[d]) {
        more.push_back(box);
        more.back()[d] = at;
      }
    boxes = std::move(more);
  }
  return boxes;
}

/// Returns the address of the mbarrier `signal` that `copy` signals.
static Value getSignalAddress(Emitter &emitter, Operation *copy, Value signal) {
  signal = getSharedAddress(emitter, signal);
  auto load = dyn_cast<nv_tileas::AsyncTmaLoadOp>(copy);
  if (!load || load.getCtaGroup() == 1)
    return signal;
  return LLVM::SubOp::create(emitter.builder, emitter.loc, signal,
                             getLeaderDistance(emitter));
}

/// Emits an instruction for each box of the tile that `op` moves, in the thread
/// for which `condition` holds. `write` returns the text after the name of the
/// instruction from the address of the box, the coordinates in the tensor, and
/// the mbarrier `signal`, if there is one.
template <typename OpTy, typename Adaptor>
static void emitBoxes(Emitter &emitter, OpTy op, Adaptor adaptor, Value signal,
                      Value condition,
                      llvm::function_ref<std::string(const std::string &address,
                                                     const std::string &place,
                                                     const std::string &object)>
                          write) {
  nv_tileas::TmaDescType desc = op.getDesc().getType();
  nv_tileas::BufferType buffer = op.getBuffer().getType();
  const Layout &layout = buffer.getLayout().getLayout();
  LinearMap offsets = smemOffsets(layout);
  int64_t bytes = getMemoryBits(buffer.getElementType()) / 8;
  Value start = getSharedAddress(emitter, adaptor.getBuffer().front());
  if (signal)
    signal = getSignalAddress(emitter, op, signal);
  SmallVector<Value> coords;
  for (ValueRange coord : adaptor.getCoords())
    coords.push_back(coord.front());
  for (const Layout::Coord &box : getBoxes(desc, buffer)) {
    PtxBuilder ptx = emitter.ptx(PtxEffects::Memory);
    std::string address = ptx.in(emitter.add(
                    start, emitter.i32(offsets(layout.flatten(box)) * bytes))),
                map = ptx.in(adaptor.getDesc().front()),
                object = signal ? ptx.in(signal) : std::string();
    SmallVector<std::string> at;
    for (int32_t d : desc.getOrder())
      at.push_back(ptx.in(emitter.add(coords[d], emitter.i32(box[d]))));
    std::string guard = ptx.guard(condition);
    ptx.emit(guard + "cp.async.bulk.tensor." + Twine(desc.getRank()) + "d." +
             write(address, "[" + map + ", {" + llvm::join(at, ", ") + "}]",
                   object));
  }
}

/// The bits of the rank of the CTA in `axes`, put together.
static Value getPieceOf(Emitter &emitter, Value rank, uint32_t axes) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  Value piece = emitter.i32(0);
  unsigned next = 0;
  for (unsigned axis = 0; axes >> axis; ++axis) {
    if (!(axes >> axis & 1))
      continue;
    Value bit = LLVM::LShrOp::create(builder, loc, rank, emitter.i32(axis));
    bit = LLVM::AndOp::create(builder, loc, bit, emitter.i32(1));
    bit = LLVM::ShlOp::create(builder, loc, bit, emitter.i32(next++));
    piece = LLVM::OrOp::create(builder, loc, piece, bit);
  }
  return piece;
}

/// The bits of the CTAs whose ranks differ from `rank` in `axes` at most.
static Value getSharerMask(Emitter &emitter, Value rank, uint32_t axes) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  uint32_t first = 0;
  for (uint32_t cta = 0; cta <= axes; ++cta)
    if ((cta & ~axes) == 0)
      first |= 1u << cta;
  Value base =
      LLVM::AndOp::create(builder, loc, rank, emitter.i32(int32_t(~axes)));
  Value mask = LLVM::ShlOp::create(builder, loc, emitter.i32(first), base);
  return LLVM::TruncOp::create(builder, loc, emitter.intType(16), mask);
}

/// Copies the boxes of the CTA's own share of a tile, which all CTAs in `axes`
/// of it get. The first boxes along the outermost dimensions are those of the
/// first CTA.
static void emitSharedBoxes(Emitter &emitter, nv_tileas::AsyncTmaLoadOp op,
                            ValueRange bufferValues, ValueRange descValues,
                            ArrayRef<Value> coords, Value signal,
                            Value condition, uint32_t axes) {
  nv_tileas::TmaDescType desc = op.getDesc().getType();
  nv_tileas::BufferType buffer = op.getBuffer().getType();
  const Layout &layout = buffer.getLayout().getLayout();
  LinearMap offsets = smemOffsets(layout);
  int64_t bytes = getMemoryBits(buffer.getElementType()) / 8;
  SmallVector<Layout::Coord> boxes = getBoxes(desc, buffer);
  unsigned sharers = 1u << llvm::popcount(axes);
  unsigned own = boxes.size() / sharers;
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  Value rank =
      NVVM::BlockInClusterIdXOp::create(builder, loc, builder.getI32Type());
  Value piece = getPieceOf(emitter, rank, axes),
        mask = getSharerMask(emitter, rank, axes);
  // Extents and boxes are powers of two: each bit of the share adds its part.
  Value start = getSharedAddress(emitter, bufferValues.front());
  SmallVector<Value> first(coords);
  for (unsigned bit = 0; 1u << bit < sharers; ++bit) {
    Value isSet = LLVM::LShrOp::create(builder, loc, piece, emitter.i32(bit));
    isSet = LLVM::AndOp::create(builder, loc, isSet, emitter.i32(1));
    const Layout::Coord &box = boxes[own << bit];
    start = emitter.add(
        start, emitter.mulConst(isSet, offsets(layout.flatten(box)) * bytes));
    for (auto [coord, at] : llvm::zip(first, box))
      if (at)
        coord = emitter.add(coord, emitter.mulConst(isSet, at));
  }
  for (const Layout::Coord &box : ArrayRef(boxes).take_front(own)) {
    PtxBuilder ptx = emitter.ptx(PtxEffects::Memory);
    std::string address = ptx.in(emitter.add(
                    start, emitter.i32(offsets(layout.flatten(box)) * bytes))),
                map = ptx.in(descValues.front()), object = ptx.in(signal),
                ctas = ptx.in(mask);
    SmallVector<std::string> at;
    for (int32_t d : desc.getOrder())
      at.push_back(ptx.in(emitter.add(first[d], emitter.i32(box[d]))));
    std::string guard = ptx.guard(condition);
    ptx.emit(guard + "cp.async.bulk.tensor." + Twine(desc.getRank()) +
             "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes."
             "multicast::cluster [" +
             address + "], [" + map + ", {" + llvm::join(at, ", ") + "}], [" +
             object + "], " + ctas + ";");
  }
}

struct TmaLoadLowering final : TilePattern<nv_tileas::AsyncTmaLoadOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::AsyncTmaLoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getSignal())
      return op.emitOpError("signals no mbarrier; run tileas-expand-pipelines");
    Emitter emitter(rewriter, op, state);
    Value condition = emitter.andBits(
        op.getCondition() ? adaptor.getCondition().front() : Value(),
        getElectedThread(emitter));
    if (auto axes = op->getAttrOfType<IntegerAttr>(kSharedAxesAttr)) {
      SmallVector<Value> coords;
      for (ValueRange coord : adaptor.getCoords())
        coords.push_back(coord.front());
      emitSharedBoxes(emitter, op, adaptor.getBuffer(), adaptor.getDesc(),
                      coords,
                      getSharedAddress(emitter, adaptor.getSignal().front()),
                      condition, axes.getInt());
      rewriter.replaceOpWithMultiple(op, {SmallVector<Value>()});
      return success();
    }
    // The mbarrier may be in the other CTA of the pair.
    bool isOfPair = op.getCtaGroup() > 1;
    emitBoxes(emitter, op, adaptor, adaptor.getSignal().front(), condition,
              [&](const std::string &address, const std::string &place,
                  const std::string &object) {
                return (isOfPair ? "shared::cluster" : "shared::cta") +
                       (".global.tile.mbarrier::complete_tx::bytes" +
                        std::string(isOfPair ? ".cta_group::2 [" : " [")) +
                       address + "], " + place + ", [" + object + "];";
              });
    rewriter.replaceOpWithMultiple(op, {SmallVector<Value>()});
    return success();
  }
};

struct TmaStoreLowering final : TilePattern<nv_tileas::AsyncTmaStoreOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::AsyncTmaStoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    Value elected = getElectedThread(emitter);
    emitBoxes(emitter, op, adaptor, /*signal=*/Value(), elected,
              [](const std::string &address, const std::string &place,
                 const std::string &) {
                return "global.shared::cta.tile.bulk_group " + place + ", [" +
                       address + "];";
              });
    PtxBuilder ptx = emitter.ptx(PtxEffects::Memory);
    std::string guard = ptx.guard(elected);
    ptx.emit(guard + "cp.async.bulk.commit_group;");
    rewriter.replaceOpWithMultiple(op, {SmallVector<Value>()});
    return success();
  }
};

struct BulkWaitLowering final : TilePattern<nv_tileas::AsyncBulkWaitOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::AsyncBulkWaitOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    PtxBuilder ptx = emitter.ptx(PtxEffects::Memory);
    std::string guard = ptx.guard(getElectedThread(emitter));
    ptx.emit(guard + "cp.async.bulk.wait_group" +
             (op.getComplete() ? " " : ".read ") +
             Twine(int64_t(op.getPending())) + ";");
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void populateTmaPatterns(RewritePatternSet &patterns,
                         const TileTypeConverter &converter,
                         const LoweringState &state) {
  patterns.add<MakeDescLowering, TmaLoadLowering, TmaStoreLowering,
               BulkWaitLowering>(converter, patterns.getContext(), state);
}

} // namespace tileir::lowering

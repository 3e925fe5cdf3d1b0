// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Storage in shared memory: allocations, views, subviews, and copies from and
// to registers.

#include "passes/tileas_lowering/Lowering.h"
#include "passes/tileas_lowering/memory/SharedAccess.h"

using namespace mlir;

namespace tileir::lowering {

/// Buffers in tensor memory have patterns of their own.
static bool isInTensorMemory(Type type) {
  auto buffer = dyn_cast<nv_tileas::BufferType>(type);
  return buffer && buffer.getSpace() == LayoutSpace::Tmem;
}

namespace {

struct AllocLowering final : TilePattern<nv_tileas::AllocTensorOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::AllocTensorOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (isInTensorMemory(op.getType()))
      return rewriter.notifyMatchFailure(op, "allocates tensor memory");
    Emitter emitter(rewriter, op, state);
    SmallVector<Value> values;
    if (isa<nv_tileas::BufferType>(op.getType())) {
      values = {emitter.smemPtr(op.getSmemOffset().value_or(0)),
                emitter.i32(0)};
    } else {
      SmallVector<Type> words;
      if (failed(types().convertTypes(op.getType(), words)))
        return rewriter.notifyMatchFailure(op, "the tile has no type in LLVM");
      for (Type word : words)
        values.push_back(emitter.poison(word));
    }
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }
};

struct DeallocLowering final : TilePattern<nv_tileas::DeallocOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::DeallocOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

/// Tiles and whole buffers keep their values; a stage has an address of its
/// own.
struct ViewLowering final : TilePattern<nv_tileas::ViewOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::ViewOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (isInTensorMemory(op.getType()))
      return rewriter.notifyMatchFailure(op, "views tensor memory");
    SmallVector<Value> words = llvm::to_vector(adaptor.getSource());
    if (op.getStage()) {
      Emitter emitter(rewriter, op, state);
      auto buffer = cast<nv_tileas::BufferType>(op.getSource().getType());
      words[0] =
          emitter.gep(words[0], emitter.mulConst(adaptor.getStage().front(),
                                                 buffer.getStageStride()));
    }
    rewriter.replaceOpWithMultiple(op, {words});
    return success();
  }
};

/// The images of the offsets are XOR-ed into the position.
struct SubviewLowering final : TilePattern<nv_tileas::SubviewOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::SubviewOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    nv_tileas::BufferType type = op.getType();
    const Layout &layout = type.getLayout().getLayout();
    LinearMap offsets = smemOffsets(layout);
    unsigned bytes = getMemoryBits(type.getElementType()) / 8;
    Value position = adaptor.getSource()[1];
    unsigned next = 0;
    for (auto [d, offset] : llvm::enumerate(op.getStaticOffsets())) {
      if (!ShapedType::isDynamic(offset)) {
        Layout::Coord coord(layout.getRank(), 0);
        coord[d] = offset;
        position =
            emitter.xorConst(position, offsets(layout.flatten(coord)) * bytes);
        continue;
      }
      SmallVector<uint64_t> columns;
      for (unsigned bit = 0; bit < layout.getLog2Extent(d); ++bit)
        columns.push_back(offsets(layout.unit(d, bit)) * bytes);
      position = emitter.xorValues(
          position,
          emitter.linearOf(adaptor.getOffsets()[next++].front(), columns));
    }
    rewriter.replaceOpWithMultiple(
        op, {SmallVector<Value>{adaptor.getSource()[0], position}});
    return success();
  }
};

/// Copies between registers and a buffer.
struct CopyLowering final : TilePattern<nv_tileas::CopyOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::CopyOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (isInTensorMemory(op.getDst() ? op.getDst().getType()
                                     : op.getSrc().getType()))
      return rewriter.notifyMatchFailure(op, "copies to or from tensor memory");
    Emitter emitter(rewriter, op, state);
    if (op.getDst()) {
      auto tile = cast<RankedTensorType>(op.getSrc().getType());
      SharedBuffer buffer(adaptor.getDst(), op.getDst().getType());
      SharedAccess(emitter, buffer, getLayout(tile), tile.getElementType())
          .write(emitter.unpack(adaptor.getSrc(), tile));
      rewriter.eraseOp(op);
      return success();
    }
    auto tile = cast<RankedTensorType>(op.getResult().getType());
    SharedBuffer buffer(adaptor.getSrc(),
                        cast<nv_tileas::BufferType>(op.getSrc().getType()));
    SharedAccess access(emitter, buffer, getLayout(tile),
                        tile.getElementType());
    rewriter.replaceOpWithMultiple(op, {access.readWords()});
    return success();
  }
};

} // namespace

void populateBufferPatterns(RewritePatternSet &patterns,
                            const TileTypeConverter &converter,
                            const LoweringState &state) {
  patterns.add<AllocLowering, DeallocLowering, ViewLowering, SubviewLowering,
               CopyLowering>(converter, patterns.getContext(), state);
}

} // namespace tileir::lowering

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/tiles/ClusterGather.h"

#include "passes/tileas_lowering/async/Elected.h"
#include "passes/tileas_lowering/memory/Access.h"

#include "dialects/nv_tileas/ClusterOps.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tileir::lowering {

namespace {

/// Where an element of the result of a gather comes from: bits of the rank of
/// the CTA, and the row-major index in the tile of that CTA. Both are linear in
/// the row-major index of the result.
struct Origin {
  Origin(nv_tileas::ClusterGatherOp op, uint32_t index) {
    const Layout &from = getLayout(op.getSource().getType());
    unsigned dim = op.getDim();
    unsigned first = from.getFlatShift(dim) + from.getLog2Extent(dim);
    unsigned count = llvm::popcount(op.getAxes());
    uint32_t low = (uint32_t(1) << first) - 1;
    place = (index & low) | ((index >> count) & ~low);
    for (unsigned bit = 0, next = first; bit < 32; ++bit)
      if (op.getAxes() >> bit & 1)
        rank |= (index >> next++ & 1) << bit;
  }

  uint32_t rank = 0, place = 0;
};

struct ClusterGatherLowering final : TilePattern<nv_tileas::ClusterGatherOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::ClusterGatherOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override;

private:
  /// Writes the CTA's tile to its scratch memory, in row-major order.
  static void write(Emitter &emitter, nv_tileas::ClusterGatherOp op,
                    ValueRange words);
  /// Reads the elements of the result from the scratch memory of all CTAs.
  static SmallVector<Value> read(Emitter &emitter,
                                 nv_tileas::ClusterGatherOp op);
};

} // namespace

void ClusterGatherLowering::write(Emitter &emitter,
                                  nv_tileas::ClusterGatherOp op,
                                  ValueRange words) {
  auto type = cast<RankedTensorType>(op.getSource().getType());
  const Layout &layout = getLayout(type);
  Value base = emitter.smemPtr(emitter.enterScratch(op));
  Value thread = emitter.rowMajorOfThread(layout);
  int64_t bytes = getMemoryBits(type.getElementType()) / 8;
  SmallVector<Value> pointers;
  for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg)
    pointers.push_back(emitter.gep(
        base, emitter.mulConst(emitter.xorConst(thread, layout.applyFlat(reg)),
                               bytes)));
  storeShared(emitter, emitter.ownsElements(layout), pointers,
              emitter.unpack(words, type), type.getElementType());
}

/// Loads one element of `bits` from the shared memory of the CTA `rank`, at the
/// address of `pointer` in it.
static Value loadOfPeer(Emitter &emitter, Value pointer, Value rank,
                        unsigned bits) {
  // No register of PTX has 8 bits.
  unsigned width = std::max(16u, bits);
  PtxBuilder ptx = emitter.ptx(PtxEffects::Memory);
  std::string loaded = ptx.out(emitter.intType(width)),
              at = ptx.in(getSharedAddress(emitter, pointer)),
              of = ptx.in(rank);
  Value image = ptx.emit("{\n\t.reg .b32 there;\n\tmapa.shared::cluster.u32 "
                         "there, " +
                         at + ", " + of + ";\n\tld.shared::cluster." +
                         (bits == 8 ? "u" : "b") + std::to_string(bits) + " " +
                         loaded + ", [there];\n\t}")
                    .front();
  return emitter.resize(image, bits);
}

SmallVector<Value> ClusterGatherLowering::read(Emitter &emitter,
                                               nv_tileas::ClusterGatherOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  Type element = type.getElementType();
  const Layout &layout = getLayout(type);
  unsigned bits = getMemoryBits(element);
  SmallVector<uint64_t> ranks, places;
  for (unsigned space : {kLane, kWarp})
    for (uint32_t basis : layout.getFlatBases(space)) {
      Origin origin(op, basis);
      ranks.push_back(origin.rank);
      places.push_back(origin.place);
    }
  // Bits of the rank beside `axes` are those of the executing CTA.
  Value own = NVVM::BlockInClusterIdXOp::create(emitter.builder, emitter.loc,
                                                emitter.builder.getI32Type());
  Value others = emitter.andConst(own, ~uint32_t(op.getAxes()) & 0xf);
  Value rank = emitter.xorValues(others, emitter.linearOfThread(ranks));
  Value place = emitter.linearOfThread(places);
  Value base = emitter.smemPtr(emitter.enterScratch(op));
  SmallVector<Value> elements;
  for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg) {
    Origin origin(op, layout.applyFlat(reg));
    Value pointer = emitter.gep(
        base,
        emitter.mulConst(emitter.xorConst(place, origin.place), bits / 8));
    Value image =
        loadOfPeer(emitter, pointer, emitter.xorConst(rank, origin.rank), bits);
    elements.push_back(emitter.fromMemory(image, 1, element).front());
  }
  return elements;
}

LogicalResult ClusterGatherLowering::matchAndRewrite(
    nv_tileas::ClusterGatherOp op, OneToNOpAdaptor adaptor,
    ConversionPatternRewriter &rewriter) const {
  Emitter emitter(rewriter, op, state);
  if (!emitter.execScope().isCta())
    return op.emitOpError("is executed by all threads of a cluster; move it "
                          "out of the agent");
  write(emitter, op, adaptor.getSource());
  emitter.clusterBarrier();
  SmallVector<Value> elements = read(emitter, op);
  // No CTA writes to its scratch memory, or ends, while another one reads.
  emitter.clusterBarrier();
  rewriter.replaceOpWithMultiple(
      op, {emitter.pack(elements, cast<RankedTensorType>(op.getType()))});
  return success();
}

void populateClusterGatherPatterns(RewritePatternSet &patterns,
                                   const TileTypeConverter &converter,
                                   const LoweringState &state) {
  patterns.add<ClusterGatherLowering>(converter, patterns.getContext(), state);
}

} // namespace tileir::lowering

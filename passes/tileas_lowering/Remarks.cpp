// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Remarks on the lowering of a kernel, for its author.

#include "passes/analysis/Remarks.h"

#include "passes/tileas_lowering/Lowering.h"
#include "passes/tileas_lowering/memory/Access.h"

#include "dialects/support/RuntimeGates.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tileir::lowering {

/// Returns the maximum of the unsigned `value`.
static APInt getUpperBound(Value value) {
  constexpr unsigned kBits = 192; // products and sums of i64 fit
  IntegerAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return constant.getValue().zextOrTrunc(64).zext(kBits);
  auto type = dyn_cast<IntegerType>(value.getType());
  unsigned bits = type ? std::min(type.getWidth(), 64u) : 64;
  APInt bound = APInt::getMaxValue(bits).zext(kBits);
  Operation *op = value.getDefiningOp();
  if (auto extend = dyn_cast_if_present<arith::ExtUIOp>(op))
    return getUpperBound(extend.getIn());
  if (auto assume = dyn_cast_if_present<nv_tileas::AssumeOp>(op)) {
    APInt inner = getUpperBound(assume.getValue());
    for (Attribute attr : assume.getPredicates()) {
      auto bounded = dyn_cast<nv_tileaa::BoundedAttr>(attr);
      if (!bounded || !bounded.getLb() || *bounded.getLb() < 0)
        continue;
      inner = llvm::APIntOps::umin(inner,
                                   APInt::getSignedMaxValue(bits).zext(kBits));
      if (bounded.getUb())
        inner = llvm::APIntOps::umin(
            inner, APInt(64, uint64_t(*bounded.getUb())).zext(kBits));
    }
    return inner;
  }
  return bound;
}

/// Returns the signed bits of the distance in elements from the base of `view`
/// to any element of a tile, including elements outside the array.
static unsigned getIndexBits(Value view) {
  constexpr unsigned kBits = 192;
  auto type = cast<nv_tileaa::TATiledViewType>(view.getType());
  auto tile = view.getDefiningOp<nv_tileas::BlockTileOp>();
  auto memref = tile ? tile.getSource().getDefiningOp<nv_tileas::MakeMemRefOp>()
                     : nv_tileas::MakeMemRefOp();
  if (!memref)
    return 64;
  nv_tileaa::TAMemRefType source = type.getSource();
  APInt last(kBits, 0);
  for (unsigned d = 0; d < type.getRank(); ++d) {
    unsigned dim = type.getMemRefDim(d);
    auto bound = [&](ArrayRef<int64_t> known, ValueRange dynamic) {
      if (!ShapedType::isDynamic(known[dim]))
        return APInt(64, uint64_t(known[dim])).zext(kBits);
      return getUpperBound(dynamic[llvm::count_if(known.take_front(dim),
                                                  ShapedType::isDynamic)]);
    };
    APInt size = bound(source.getShape(), memref.getSizes());
    APInt stride = bound(source.getStrides(), memref.getStrides());
    // The last tile begins before the end.
    int64_t extent = type.getTileShape()[d];
    if (extent == 1)
      size = size.isZero() ? size : size - 1;
    else
      size += uint64_t(extent) - 1;
    last += size * stride;
  }
  return std::min(last.getActiveBits() + 1, 64u);
}

/// Returns `[M, N, K]`.
static std::string getShapeText(nv_tileas::MmaAtomAttr atom) {
  return llvm::formatv("[{0}, {1}, {2}]", atom.getM(), atom.getN(), atom.getK())
      .str();
}

static void reportDot(nv_tileas::DotOp dot) {
  nv_tileas::MmaAtomAttr atom = dot.getAtom();
  auto opts = remarkAbout(dot, "RemarkTensorCoreMMA", kTensorCoreRemarks);
  if (atom.getKind() == nv_tileas::MmaKind::Fma) {
    remark::failed(dot.getLoc(), opts)
        << StringRef("MMA operation failed to optimize to use Tensor Cores, it "
                     "is using FMA instructions instead")
        << remark::metric("Instruction", "FMA")
        << remark::metric("Shape", getShapeText(atom));
    return;
  }
  // `mma.sync` came with sm_80, its 8-bit floats with sm_89.
  bool narrow = isa<Float8E4M3FNType, Float8E5M2Type>(atom.getAType());
  remark::passed(dot.getLoc(), opts)
      << StringRef("MMA operation successfully optimized to use Tensor Cores")
      << remark::metric("Instruction",
                        narrow ? "Tensor-core SM89" : "Tensor-core SM80")
      << remark::metric("Shape", getShapeText(atom));
}

/// Reports a `wgmma` or `tcgen05.mma` operation.
static void reportDot(Operation *op, nv_tileas::MmaAtomAttr atom) {
  bool isInTensorMemory = atom.getKind() == nv_tileas::MmaKind::Umma;
  remark::passed(op->getLoc(),
                 remarkAbout(op, "RemarkTensorCoreMMA", kTensorCoreRemarks))
      << StringRef("MMA operation successfully optimized to use Tensor Cores")
      << remark::metric("Instruction", isInTensorMemory ? "Tensor-core SM100"
                                                        : "Tensor-core SM90")
      << remark::metric("Shape", getShapeText(atom));
}

/// Reports the instruction of `op` if it is an MMA and `seen` has no equal
/// location and instruction: slices of a dot and unrolled bodies count once.
static void
reportDot(Operation *op,
          llvm::SmallDenseSet<std::pair<Location, Attribute>> &seen) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](nv_tileas::DotOp dot) {
        if (seen.insert({dot.getLoc(), dot.getAtom()}).second)
          reportDot(dot);
      })
      .Case<nv_tileas::AsyncDotOp, nv_tileas::AsyncDotIntoOp>([&](auto dot) {
        if (seen.insert({dot.getLoc(), dot.getAtom()}).second)
          reportDot(dot, dot.getAtom());
      });
}

/// Hints that remain at this stage have no effect.
static void reportUnusedHints(Operation *op) {
  auto unused = [&](StringRef key, StringRef why) {
    remark::missed(op->getLoc(), remarkAbout(op, "HintUnused", kHintRemarks))
        << StringRef(llvm::formatv("OptimizationHint {0} has no effect: {1}",
                                   key, why)
                         .str());
  };
  if (isa_and_present<nv_tileas::TileASDialect>(op->getDialect())) {
    if (op->getAttr("latency"))
      unused("latency", "the access is not pipelined");
    if (auto allow = op->getAttrOfType<BoolAttr>("allow_tma");
        allow && allow.getValue())
      unused("allow_tma", "the access does not use TMA");
  }
}

/// Reports environment variables that have no effect on the kernel.
static void reportUnusedVariables(nv_tileaa::FuncOp func) {
  auto unused = [&](StringRef variable, StringRef why) {
    remark::missed(func.getLoc(),
                   remarkAbout(func, "VariableUnused", kHintRemarks))
        << StringRef(
               llvm::formatv("{0} has no effect: {1}", variable, why).str());
  };
  bool loads = false, stores = false;
  func->walk([&](Operation *op) {
    loads |= isa<nv_tileas::AsyncTmaLoadOp>(op);
    stores |= isa<nv_tileas::AsyncTmaStoreOp>(op);
  });
  if (gates::preferTmaForLoadStore() == true && !loads && !stores)
    unused("TILEIR_PREFER_TMA_FOR_LOAD_STORE", "no access uses TMA");
  if (gates::delayTmaStoreWait() && !stores)
    unused("TILEIR_DELAY_TMA_STORE_WAIT", "no store is a bulk store");
}

/// Returns the maximum index bits of a view in `func`; 0 if the program counts
/// all of them in i64.
static unsigned getIndexBits(nv_tileaa::FuncOp func) {
  unsigned bits = 0;
  auto see = [&](auto access) {
    if (llvm::none_of(access.getCoords().getTypes(), [](Type type) {
          return getElementTypeOrSelf(type).isInteger(64);
        }))
      bits = std::max(bits, getIndexBits(access.getView()));
  };
  func.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<nv_tileas::TiledLoadOp, nv_tileas::GatherLoadOp,
              nv_tileas::TiledStoreOp, nv_tileas::ScatterStoreOp,
              nv_tileas::TiledAtomicRmwOp>(see)
        .Case([&](nv_tileas::AsyncCopyOp copy) {
          if (isa<nv_tileaa::TATiledViewType>(copy.getSource().getType()) &&
              llvm::none_of(copy.getCoords().getTypes(),
                            [](Type type) { return type.isInteger(64); }))
            bits = std::max(bits, getIndexBits(copy.getSource()));
        });
  });
  return bits;
}

template <typename CopyOp>
static void reportTensorCopy(CopyOp op, StringRef name, StringRef text,
                             StringRef instruction) {
  std::string shape;
  llvm::raw_string_ostream os(shape);
  llvm::interleave(op.getDesc().getType().getBox(), os, "x");
  remark::passed(op.getLoc(), remarkAbout(op, name, kMemoryRemarks))
      << text << remark::metric("Instruction", instruction)
      << remark::metric("Shape", StringRef(shape));
}

void reportInstructions(Operation *module) {
  if (!module->getContext()->getRemarkEngine())
    return;
  module->walk([](nv_tileaa::FuncOp func) {
    reportUnusedVariables(func);
    // Addresses always have 64 bits.
    if (unsigned bits = getIndexBits(func); bits > 32)
      remark::missed(func.getLoc(),
                     remarkAbout(func, "RemarkTensorViewIndexTypeNarrowing",
                                 kMemoryRemarks))
          << StringRef(
                 llvm::formatv("Could not narrow tensor_view indexing to i32: "
                               "index computations may require {0} bits",
                               bits)
                     .str());
    // One load may appear before its loop and in it, and in slices.
    llvm::SmallDenseSet<Location> seen;
    auto isFirst = [&](Operation *op) {
      return seen.insert(op->getLoc()).second ||
             (isa<nv_tileas::TiledLoadOp, nv_tileas::GatherLoadOp>(op) &&
              isa<UnknownLoc>(op->getLoc()));
    };
    llvm::SmallDenseSet<std::pair<Location, Attribute>> dots;
    func.walk([&](Operation *op) {
      reportUnusedHints(op);
      reportDot(op, dots);
      auto copy = dyn_cast<nv_tileas::AsyncCopyOp>(op);
      bool isView =
          copy && isa<nv_tileaa::TATiledViewType>(copy.getSource().getType());
      if (auto load = dyn_cast<nv_tileas::AsyncTmaLoadOp>(op);
          load && isFirst(op))
        return reportTensorCopy(load, "RemarkMemoryLoadInstructionSelected",
                                "Load instruction selected",
                                "TMA Load instruction");
      if (auto store = dyn_cast<nv_tileas::AsyncTmaStoreOp>(op);
          store && isFirst(op))
        return reportTensorCopy(store, "RemarkMemoryStoreInstructionSelected",
                                "Store instruction selected",
                                "TMA Store instruction");
      bool isLoad = isa<nv_tileas::TiledLoadOp, nv_tileas::GatherLoadOp>(op);
      if ((!isLoad && !isView) || !isFirst(op))
        return;
      remark::passed(op->getLoc(),
                     remarkAbout(op, "RemarkMemoryLoadInstructionSelected",
                                 kMemoryRemarks))
          << StringRef("Load instruction selected")
          << remark::metric("Instruction", "Global-memory load instruction");
    });
  });
}

void reportWidth(Operation *op, const AccessList &list, unsigned elementBits,
                 StringRef limit) {
  if (!op->getContext()->getRemarkEngine())
    return;
  remark::analysis(op->getLoc(),
                   remarkAbout(op, "AccessWidth", "tileas_lowering"))
      << StringRef(llvm::formatv("{0} accesses of {1} bits per thread{2}{3}",
                                 list.accesses.size(), list.width * elementBits,
                                 limit.empty() ? "" : ", limited by ", limit)
                       .str())
      << remark::metric("Accesses", list.accesses.size())
      << remark::metric("Bits", list.width * elementBits)
      << remark::metric("Align", list.align);
}

void reportConversion(Operation *op, StringRef way, RankedTensorType type) {
  if (!op->getContext()->getRemarkEngine())
    return;
  remark::analysis(op->getLoc(),
                   remarkAbout(op, "LayoutConversion", "tileas_lowering"))
      << StringRef(llvm::formatv("the tile changes its layout through {0}", way)
                       .str())
      << remark::metric("Way", way)
      << remark::metric("Elements", type.getNumElements());
}

} // namespace tileir::lowering

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/nv_tileas/ClusterOps.h"
#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/nv_tileas/Printing.h"
#include "dialects/nv_tileas/ScaledBlocks.h"

#include "dialects/nv_tileas/Clipping.h"
#include "dialects/nv_tileas/MmaOperands.h"
#include "dialects/support/Target.h"
#include "dialects/support/layout/Fragments.h"
#include "dialects/support/layout/TensorMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nv_tileas;

#include "dialects/nv_tileas/Dialect.cpp.inc"
#include "dialects/nv_tileas/Enums.cpp.inc"
#include "dialects/nv_tileas/NVTileASInterfaces.cpp.inc"

MLIR_DEFINE_EXPLICIT_TYPE_ID(mlir::nv_tileas::GlobalResource)
MLIR_DEFINE_EXPLICIT_TYPE_ID(mlir::nv_tileas::SharedResource)
MLIR_DEFINE_EXPLICIT_TYPE_ID(mlir::nv_tileas::TensorResource)
MLIR_DEFINE_EXPLICIT_TYPE_ID(mlir::nv_tileas::SyncResource)

namespace {

/// Gives layouts short aliases, since every tile type has one.
struct TileASAsmInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (!isa<LayoutAttr>(attr))
      return AliasResult::NoAlias;
    os << "layout";
    return AliasResult::FinalAlias;
  }
};

/// A token has no value, so a user of a selected token waits for both.
/// nv_tileaa, which owns the type, has the same rule; its join must not return
/// to functions that are past nv_tileaa.
struct SelectOfTokens final : OpRewritePattern<arith::SelectOp> {
  explicit SelectOfTokens(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(arith::SelectOp op,
                                PatternRewriter &rewriter) const override {
    auto func = op->getParentOfType<FunctionOpInterface>();
    if (!isa<nv_tileaa::MemTokenType>(op.getType()) || !func ||
        !hasOperations(func))
      return rewriter.notifyMatchFailure(
          op, "not a choice between tokens in a function of layouts");
    rewriter.replaceOpWithNewOp<JoinMemTokenOp>(
        op, op.getType(), ValueRange{op.getTrueValue(), op.getFalseValue()});
    return success();
  }

private:
  /// Returns whether `func` is past nv_tileaa: the first operation that has a
  /// token result, or belongs to this dialect, decides.
  static bool hasOperations(Operation *func) {
    bool has = false;
    func->walk<WalkOrder::PreOrder>([&](Operation *op) {
      has = isa_and_present<TileASDialect>(op->getDialect());
      return has || isa<nv_tileaa::CreateMemTokenOp, nv_tileaa::JoinMemTokenOp,
                        nv_tileaa::TileAAMemoryOpInterface>(op)
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    return has;
  }
};

} // namespace

void TileASDialect::getCanonicalizationPatterns(
    RewritePatternSet &results) const {
  results.add<SelectOfTokens>(getContext());
}

namespace {

/// Elements reach the printing thread through scratch memory.
struct PrintScratch : ScratchOpInterface::ExternalModel<PrintScratch, PrintOp> {
  int64_t getScratchBytes(Operation *op) const {
    int64_t elements = 0;
    for (Type type : cast<PrintOp>(op).getArgs().getTypes())
      if (auto tile = dyn_cast<RankedTensorType>(type))
        elements += tile.getNumElements();
    return std::min(elements, tileir::kPrintValues) * tileir::kPrintValueBytes;
  }
};

} // namespace

void TileASDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerTileASDialectOperations(this);
  addOperations<ClusterGatherOp>();
  PrintOp::attachInterface<PrintScratch>(*getContext());
  addInterfaces<TileASAsmInterface>();
}

/// Warps of the largest CTA.
static constexpr int64_t kMaxWarps =
    tileir::limits::threadsPerBlock / tileir::limits::threadsPerWarp;

/// Checks the warps of an agent: their number is a power of two, and they start
/// at a multiple of it.
static LogicalResult verifyAgent(Operation *op, Attribute attr) {
  auto agent = dyn_cast<DictionaryAttr>(attr);
  auto isNumber = [](NamedAttribute entry) {
    auto value = dyn_cast<IntegerAttr>(entry.getValue());
    return llvm::is_contained(
               {"warp_id", "num_warps", "barrier_id", "max_regs"},
               entry.getName().getValue()) &&
           value && value.getType().isInteger(32);
  };
  if (!agent || !agent.contains("num_warps") || !llvm::all_of(agent, isNumber))
    return op->emitError("'nv_tileas.agent' expects 'num_warps' and maybe "
                         "'warp_id', 'barrier_id' and 'max_regs', each of type "
                         "i32");
  auto number = [&](StringRef name, int64_t otherwise) {
    auto value = agent.getAs<IntegerAttr>(name);
    return value ? value.getInt() : otherwise;
  };
  int64_t first = number("warp_id", 0), warps = number("num_warps", 1);
  if (warps < 1 || !llvm::isPowerOf2_64(warps))
    return op->emitError("an agent has a power of two of warps, not ") << warps;
  if (first < 0 || first % warps || first + warps > kMaxWarps)
    return op->emitError("an agent of ")
           << warps << " warps starts at a multiple of that and ends at warp "
           << kMaxWarps << " at most, but 'warp_id' is " << first;
  int64_t barrier = number("barrier_id", 1);
  if (barrier < 1 || barrier >= tileir::limits::namedBarriers)
    return op->emitError("'barrier_id' of an agent is in [1, ")
           << tileir::limits::namedBarriers - 1 << "], but got " << barrier;
  int64_t registers = number("max_regs", tileir::limits::registersMin);
  if (registers < tileir::limits::registersMin ||
      registers > tileir::limits::registersPerThread + 1 ||
      registers % tileir::limits::registersGranule)
    return op->emitError("'max_regs' of an agent is a multiple of ")
           << tileir::limits::registersGranule << " in ["
           << tileir::limits::registersMin << ", "
           << tileir::limits::registersPerThread + 1 << "], but got "
           << registers;
  return success();
}

LogicalResult TileASDialect::verifyOperationAttribute(Operation *op,
                                                      NamedAttribute attr) {
  StringRef name = attr.getName();
  auto expects = [&](bool holds, StringRef what) -> LogicalResult {
    if (holds)
      return success();
    return op->emitError() << "'" << name << "' expects " << what;
  };
  if (name == getAlignAttrName()) {
    auto value = dyn_cast<IntegerAttr>(attr.getValue());
    return expects(value && value.getType().isInteger(32) &&
                       llvm::isPowerOf2_64(value.getValue().getZExtValue()),
                   "a power of two of type i32");
  }
  if (name == getContiguousAttrName()) {
    auto value = dyn_cast<DenseI32ArrayAttr>(attr.getValue());
    return expects(value && llvm::all_of(value.asArrayRef(),
                                         [](int32_t run) {
                                           return run > 0 &&
                                                  llvm::isPowerOf2_32(run);
                                         }),
                   "an i32 array of powers of two");
  }
  if (name == getWholeAttrName() || name == kClippedAttr)
    return expects(isa<DenseBoolArrayAttr>(attr.getValue()), "an i1 array");
  if (name == getTmaAttrName())
    return expects(isa<StringAttr>(attr.getValue()), "a string");
  if (name == getScratchOffsetAttrName()) {
    auto value = dyn_cast<IntegerAttr>(attr.getValue());
    return expects(isa<ScratchOpInterface>(op) && value &&
                       value.getType().isInteger(32) && value.getInt() >= 0,
                   "an i32 on an operation that needs storage while it runs");
  }
  if (name == "nv_tileas.agent" && op->getName().getStringRef() == "scf.if")
    return verifyAgent(op, attr.getValue());
  if (name == kTwiceAttr) {
    auto copy = dyn_cast<CopyOp>(op);
    return expects(copy && copy.getDst() && isa<UnitAttr>(attr.getValue()),
                   "a unit attribute of a store");
  }
  if (name == "nv_tileas.freed_by_waits")
    return expects(isa<PipelineCreateOp>(op) && isa<UnitAttr>(attr.getValue()),
                   "a unit attribute of a pipeline");
  // Attributes of functions and modules that remain after the tiles are
  // lowered.
  if (isa<FunctionOpInterface>(op) && name == kOrderedAttr)
    return expects(isa<UnitAttr>(attr.getValue()), "a unit attribute");
  if (isa<FunctionOpInterface>(op) &&
      llvm::is_contained({kSmemBytesAttr, kSmemAlignAttr,
                          llvm::StringLiteral("nv_tileas.num-host-tmas"),
                          llvm::StringLiteral("nv_tileas.num-device-tmas")},
                         name)) {
    auto value = dyn_cast<IntegerAttr>(attr.getValue());
    return expects(value && value.getType().isInteger(32), "an i32");
  }
  if (name == tileir::kNeedsAcceleratedArchAttr && isa<gpu::GPUModuleOp>(op))
    return expects(isa<UnitAttr>(attr.getValue()), "a unit attribute");
  return op->emitError() << "'" << name << "' is not a valid attribute of '"
                         << op->getName() << "'";
}

namespace mlir::nv_tileas {

LayoutAttr getTileLayout(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_or_null<LayoutAttr>(tensor.getEncoding())
                : LayoutAttr();
}

RankedTensorType withLayout(RankedTensorType type, LayoutAttr layout) {
  return RankedTensorType::get(type.getShape(), type.getElementType(), layout);
}

LayoutAttr getLayoutAttr(MLIRContext *context, const tileir::Layout &layout) {
  return LayoutAttr::get(context, layout);
}

bool isTileElementType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() &&
           llvm::is_contained({1u, 4u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return isa<Float16Type, BFloat16Type, Float32Type, FloatTF32Type, Float64Type,
             Float8E4M3FNType, Float8E5M2Type, Float8E8M0FNUType,
             Float4E2M1FNType, IndexType, nv_tileaa::TAPointerType>(type);
}

bool isTileOrScalarOf(Type type, llvm::function_ref<bool(Type)> accepts) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return getTileLayout(type) && isTileElementType(tensor.getElementType()) &&
           accepts(tensor.getElementType());
  return isTileElementType(type) && accepts(type);
}

unsigned getStorageBits(Type elementType) {
  return isa<IndexType>(elementType) ? 64
                                     : nv_tileaa::getStorageBits(elementType);
}

Type getMaskType(Type type) {
  Type i1 = IntegerType::get(type.getContext(), 1);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(i1);
  return i1;
}

Type getPointeeTile(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    auto pointer = cast<nv_tileaa::TAPointerType>(tensor.getElementType());
    return tensor.clone(pointer.getPointee());
  }
  return cast<nv_tileaa::TAPointerType>(type).getPointee();
}

/// Operand layout of a multiply-add loop: a thread holds all of K for the rows
/// (columns) of its accumulator.
static tileir::Layout getFmaOperandLayout(const tileir::Layout &acc, int64_t k,
                                          bool isA) {
  using tileir::Layout;
  unsigned kept = isA ? 0 : 1;
  Layout sliced = acc.slice(1 - kept);
  Layout::Shape shape = isA ? Layout::Shape{acc.getExtent(0), k}
                            : Layout::Shape{k, acc.getExtent(1)};
  Layout frame = Layout::getUnchecked(tileir::LayoutSpace::Reg, shape, {});
  Layout::FlatBases bases(4);
  for (unsigned bit = 0; bit < frame.getLog2Extent(1 - kept); ++bit)
    bases[tileir::kRegister].push_back(frame.unit(1 - kept, bit));
  for (unsigned input = 0; input < 4; ++input)
    for (uint32_t basis : sliced.getFlatBases(input)) {
      Layout::Coord coord(2, 0);
      coord[kept] = basis;
      bases[input].push_back(frame.flatten(coord));
    }
  return Layout::getUnchecked(tileir::LayoutSpace::Reg, shape, bases);
}

bool isWarpgroupAcc(MmaAtomAttr atom, const tileir::Layout &acc) {
  using namespace tileir;
  if (acc.getRank() != 2 || acc.getSpace() != LayoutSpace::Reg ||
      acc.getExtent(1) != atom.getN() || acc.getNumBases(kWarp) < 2)
    return false;
  int64_t groups = int64_t(1) << (acc.getNumBases(kWarp) - 2);
  return acc.getExtent(0) >= 64 * groups &&
         mmaLayout(acc.getShape(), wgmmaAccFragment(atom.getN()), MmaRole::Acc,
                   groups, 1) == acc;
}

/// Fragment layout of operand A; B has none.
static std::optional<tileir::Layout>
getWgmmaOperandLayout(MmaAtomAttr atom, const tileir::Layout &acc, int64_t k,
                      bool isA) {
  using namespace tileir;
  if (!isA || !isWarpgroupAcc(atom, acc) || k % atom.getK())
    return std::nullopt;
  int64_t groups = int64_t(1) << (acc.getNumBases(kWarp) - 2);
  return mmaLayout({acc.getExtent(0), k},
                   wgmmaAFragment(getStorageBits(atom.getAType())), MmaRole::A,
                   groups, 1);
}

/// Fragment layout of `mma.sync` for an accumulator whose first registers are a
/// fragment, and whose other registers go through its columns, then its rows. A
/// warp holds the rows (columns) of A (B) that it needs.
static tileir::Layout
getStackedOperandLayout(const tileir::Fragment &fragment,
                        const tileir::Layout &acc,
                        const tileir::Layout::Shape &shape, bool isA) {
  using namespace tileir;
  unsigned kept = isA ? 0 : 1;
  Layout frame = Layout::getUnchecked(LayoutSpace::Reg, shape, {});
  Layout::FlatBases bases(4);
  auto add = [&](unsigned input, int64_t row, int64_t column) {
    bases[input].push_back(frame.flatten({row, column}));
  };
  for (const Fragment::Basis &basis : fragment.registers)
    add(kRegister, basis[0], basis[1]);
  for (const Fragment::Basis &basis : fragment.lanes)
    add(kLane, basis[0], basis[1]);
  for (int64_t k = fragment.shape[1 - kept]; k < shape[1 - kept]; k *= 2)
    isA ? add(kRegister, 0, k) : add(kRegister, k, 0);
  // Columns of the accumulator next to the first fragment.
  for (unsigned input : {kRegister, kWarp})
    for (uint32_t flat : acc.getFlatBases(input)) {
      int64_t at = acc.unflatten(flat)[kept];
      bool isBeside = at >= fragment.shape[kept];
      if (isBeside || input == kWarp)
        add(input, isA && isBeside ? at : 0, !isA && isBeside ? at : 0);
    }
  return Layout::getUnchecked(LayoutSpace::Reg, shape, bases);
}

std::optional<tileir::Fragment> getMmaFragment(MmaAtomAttr atom,
                                               tileir::MmaRole role) {
  Type type = role == tileir::MmaRole::A   ? atom.getAType()
              : role == tileir::MmaRole::B ? atom.getBType()
                                           : atom.getCType();
  return tileir::mmaSyncFragment(role, atom.getM(), atom.getN(),
                                 atom.getTileK(),
                                 getStorageBits(atom.getTileElement(type)));
}

std::optional<tileir::Layout> getDotOperandLayout(MmaAtomAttr atom,
                                                  const tileir::Layout &acc,
                                                  int64_t k, bool isA) {
  using namespace tileir;
  if (acc.getRank() != 2 || acc.getSpace() != tileir::LayoutSpace::Reg)
    return std::nullopt;
  if (atom.getKind() == MmaKind::Fma)
    return getFmaOperandLayout(acc, k, isA);
  if (atom.getKind() == MmaKind::Wgmma)
    return getWgmmaOperandLayout(atom, acc, k, isA);
  std::optional<Fragment> accFragment = getMmaFragment(atom, MmaRole::Acc);
  MmaRole role = isA ? MmaRole::A : MmaRole::B;
  std::optional<Fragment> operand = getMmaFragment(atom, role);
  if (!accFragment || !operand)
    return std::nullopt;
  // The accumulator determines how the warps are split.
  int64_t warps = int64_t(1) << acc.getNumBases(kWarp);
  Layout::Shape shape = isA ? Layout::Shape{acc.getExtent(0), k}
                            : Layout::Shape{k, acc.getExtent(1)};
  auto findWarps = [&](const Fragment &ofAcc,
                       const Fragment &fragment) -> std::optional<Layout> {
    for (int64_t wm = 1; wm <= warps; wm *= 2)
      if (mmaLayout(acc.getShape(), ofAcc, MmaRole::Acc, wm, warps / wm) == acc)
        return mmaLayout(shape, fragment, role, wm, warps / wm);
    return std::nullopt;
  };
  if (auto layout = findWarps(*accFragment, *operand))
    return layout;
  if (getStorageBits(atom.getBType()) == kInterleavedBits)
    if (auto layout = findWarps(interleaveColumns(*accFragment),
                                isA ? *operand : interleaveColumns(*operand)))
      return layout;
  if (tensorLoadLayout(acc.getShape(), warps) == acc &&
      accFragment->shape[0] == 16)
    return getStackedOperandLayout(*operand, acc, shape, isA);
  return std::nullopt;
}

} // namespace mlir::nv_tileas

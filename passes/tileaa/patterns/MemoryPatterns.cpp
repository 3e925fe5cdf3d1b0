// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/cuda_tile/CudaTile.h"
#include "dialects/nv_tileaa/FixedLaunch.h"
#include "dialects/nv_tileaa/NVTileAA.h"
#include "passes/analysis/Remarks.h"
#include "passes/tileaa/patterns/Lowering.h"
#include "passes/tileaa/patterns/UnsignedFloat.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

// Both dialects give paddings the same numbers.
using Padding = cuda_tile::PaddingValue;
static_assert(uint32_t(Padding::zero) == uint32_t(aa::PaddingValue::Zero) &&
              uint32_t(Padding::neg_zero) ==
                  uint32_t(aa::PaddingValue::NegZero) &&
              uint32_t(Padding::nan) == uint32_t(aa::PaddingValue::NaN) &&
              uint32_t(Padding::pos_inf) ==
                  uint32_t(aa::PaddingValue::PosInf) &&
              uint32_t(Padding::neg_inf) == uint32_t(aa::PaddingValue::NegInf));
static_assert(cuda_tile::getMaxEnumValForPaddingValue() ==
              aa::getMaxEnumValForPaddingValue());

static aa::PaddingValueAttr toTileAA(cuda_tile::PaddingValueAttr padding) {
  if (!padding)
    return {};
  return aa::PaddingValueAttr::get(
      padding.getContext(), static_cast<aa::PaddingValue>(padding.getValue()));
}

static aa::TAMemRefType convertTensorView(cuda_tile::TensorViewType type) {
  return aa::TAMemRefType::get(type.getShape(),
                               carryUnsignedFloat(type.getElementType()),
                               type.getStrides());
}

static SmallVector<int64_t> widen(DenseI32ArrayAttr numbers) {
  return SmallVector<int64_t>(numbers.asArrayRef());
}

static SmallVector<int32_t> identityDims(size_t rank) {
  return llvm::to_vector(llvm::seq<int32_t>(0, rank));
}

static Type convertElement(Type type) {
  if (auto ptr = dyn_cast<cuda_tile::PointerType>(type))
    return aa::TAPointerType::get(carryUnsignedFloat(ptr.getPointeeType()));
  return carryUnsignedFloat(type);
}

CudaTileTypeConverter::CudaTileTypeConverter() {
  addConversion([](Type type) { return type; });
  addConversion([](cuda_tile::TileType type) -> Type {
    Type element = convertElement(type.getElementType());
    if (type.getShape().empty())
      return element;
    return RankedTensorType::get(type.getShape(), element);
  });
  addConversion(
      [](cuda_tile::PointerType type) -> Type { return convertElement(type); });
  addConversion([](cuda_tile::TokenType type) -> Type {
    return aa::MemTokenType::get(type.getContext());
  });
  addConversion([](cuda_tile::TensorViewType type) -> Type {
    return convertTensorView(type);
  });
  addConversion([](cuda_tile::PartitionViewType type) -> Type {
    SmallVector<int64_t> tile = widen(type.getTileShape());
    SmallVector<int32_t> dims(type.getDimMap());
    if (dims.empty())
      dims = identityDims(tile.size());
    return aa::TATiledViewType::get(
        tile, convertTensorView(type.getTensorView()), dims, tile, -1,
        toTileAA(type.getPaddingValue()));
  });
  addConversion([](cuda_tile::StridedViewType type) -> Type {
    SmallVector<int64_t> tile = widen(type.getTileShape());
    SmallVector<int32_t> dims(type.getDimMap());
    if (dims.empty())
      dims = identityDims(tile.size());
    return aa::TATiledViewType::get(tile,
                                    convertTensorView(type.getTensorView()),
                                    dims, widen(type.getTraversalStrides()), -1,
                                    toTileAA(type.getPaddingValue()));
  });
  // Coordinates count elements in every dimension.
  addConversion([](cuda_tile::GatherScatterViewType type) -> Type {
    SmallVector<int64_t> tile = widen(type.getTileShape());
    return aa::TATiledViewType::get(
        tile, convertTensorView(type.getTensorView()),
        identityDims(tile.size()), SmallVector<int64_t>(tile.size(), 1),
        type.getSparseDim(), toTileAA(type.getPaddingValue()));
  });
  auto materialize = [](OpBuilder &builder, Type type, ValueRange inputs,
                        Location loc) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, type, inputs)
        .getResult(0);
  };
  addSourceMaterialization(materialize);
  addTargetMaterialization(materialize);
}

namespace {

//===----------------------------------------------------------------------===//
// Pointers, views, tokens
//===----------------------------------------------------------------------===//

/// Extents and strides are unsigned in any width and become i64.
Value extendToI64(ConversionPatternRewriter &rewriter, Location loc,
                  Value value) {
  Type i64 = rewriter.getI64Type();
  if (value.getType() == i64)
    return value;
  return arith::ExtUIOp::create(rewriter, loc, i64, value);
}

struct MakeTensorViewLowering final : Lowering<cuda_tile::MakeTensorViewOp> {
  LogicalResult lower() {
    SmallVector<Value> sizes, strides;
    for (Value size : adaptor.getDynamicShape())
      sizes.push_back(extendToI64(rewriter, loc, size));
    for (Value stride : adaptor.getDynamicStrides())
      strides.push_back(extendToI64(rewriter, loc, stride));
    return replace(aa::MakeMemRefOp::create(
        rewriter, loc, convert(op.getType()), adaptor.getBase(), sizes, strides,
        /*alias_scope=*/IntegerAttr()));
  }
};

Value resizeUnsigned(ConversionPatternRewriter &rewriter, Location loc,
                     Value value, Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (from == to)
    return value;
  if (from < to)
    return arith::ExtUIOp::create(rewriter, loc, type, value);
  return arith::TruncIOp::create(rewriter, loc, type, value);
}

struct GetTensorShapeLowering final : Lowering<cuda_tile::GetTensorShapeOp> {
  LogicalResult lower() {
    SmallVector<Value> results;
    for (auto [dim, result] : llvm::enumerate(op->getResults())) {
      Value size = aa::GetDimSizeOp::create(
          rewriter, loc, rewriter.getI64Type(), adaptor.getSrc(), dim);
      results.push_back(
          resizeUnsigned(rewriter, loc, size, convert(result.getType())));
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// The source memref of a converted view.
Value getViewSource(Value view) {
  if (auto tile = view.getDefiningOp<aa::BlockTileOp>())
    return tile.getSource();
  return {};
}

struct GetIndexSpaceShapeLowering final
    : Lowering<cuda_tile::GetIndexSpaceShapeOp> {
  LogicalResult lower() {
    Value source = getViewSource(adaptor.getSrc());
    auto view = dyn_cast<aa::TATiledViewType>(adaptor.getSrc().getType());
    if (!source || !view)
      return rewriter.notifyMatchFailure(op, "view without known source");
    SmallVector<Value> results;
    for (auto [dim, result] : llvm::enumerate(op->getResults())) {
      Value size = aa::GetDimSizeOp::create(
          rewriter, loc, rewriter.getI64Type(), source, view.getMemRefDim(dim));
      // Rows of a gather are selected one by one; along the other dimensions
      // the extent counts tiles although coordinates count elements.
      if (view.getSparseDim() != static_cast<int32_t>(dim)) {
        Value step = arith::ConstantIntOp::create(
            rewriter, loc, rewriter.getI64Type(),
            view.hasSparseDim() ? view.getTileShape()[dim]
                                : view.getSteps()[dim]);
        size = arith::CeilDivUIOp::create(rewriter, loc, size, step);
      }
      results.push_back(
          resizeUnsigned(rewriter, loc, size, convert(result.getType())));
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct JoinTokensLowering final : Lowering<cuda_tile::JoinTokensOp> {
  LogicalResult lower() {
    rewriter.replaceOpWithNewOp<aa::JoinMemTokenOp>(op, convert(op.getType()),
                                                    adaptor.getTokens());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Facts, diagnostics
//===----------------------------------------------------------------------===//

Attribute toTileAA(Attribute predicate) {
  MLIRContext *context = predicate.getContext();
  if (auto divBy = dyn_cast<cuda_tile::DivByAttr>(predicate))
    return aa::DivByAttr::get(context, divBy.getDivisor(), divBy.getEvery(),
                              divBy.getAlong());
  if (auto bounded = dyn_cast<cuda_tile::BoundedAttr>(predicate))
    return aa::BoundedAttr::get(context, bounded.getLb(), bounded.getUb());
  if (auto same = dyn_cast<cuda_tile::SameElementsAttr>(predicate))
    return aa::SameElementsAttr::get(context, same.getValues().asArrayRef());
  return {};
}

struct AssumeLowering final : Lowering<cuda_tile::AssumeOp> {
  LogicalResult lower() {
    Attribute predicate = toTileAA(op.getPredicate());
    if (!predicate)
      return rewriter.notifyMatchFailure(
          op, "the predicate has no equivalent in nv_tileaa");
    if (!conversion.keepAssumes) {
      rewriter.replaceOp(op, adaptor.getValue());
      return success();
    }
    ++conversion.numAssumes;
    return replace(aa::AssumeOp::create(
        rewriter, loc, adaptor.getValue().getType(), adaptor.getValue(),
        rewriter.getArrayAttr(predicate)));
  }
};

struct AssertLowering final : Lowering<cuda_tile::AssertOp> {
  LogicalResult lower() {
    // An empty message would print nothing, not even the location.
    StringRef message = op.getMessage();
    rewriter.replaceOpWithNewOp<aa::AssertOp>(
        op, adaptor.getCondition(), message.empty() ? "false" : message);
    return success();
  }
};

struct PrintLowering final : Lowering<cuda_tile::PrintTkoOp> {
  LogicalResult lower() {
    SmallVector<Value> args(adaptor.getArgs());
    for (auto [arg, source] : llvm::zip(args, op.getArgs()))
      if (isUnsignedFloat(source.getType()))
        arg = decodeUnsignedFloat(rewriter, loc, arg);
    auto result =
        aa::PrintOp::create(rewriter, loc, aa::MemTokenType::get(getContext()),
                            op.getStr(), args, adaptor.getToken());
    copyDiscardableAttrs(op, result);
    // Version 13.1 has no token result.
    rewriter.replaceOp(op, op->getNumResults() ? result->getResults()
                                               : ValueRange());
    return success();
  }
};

struct AliasFenceLowering final : Lowering<cuda_tile::MemoryFenceAliasTkoOp> {
  LogicalResult lower() {
    return replace(aa::AliasFenceOp::create(rewriter, loc,
                                            aa::MemTokenType::get(getContext()),
                                            adaptor.getToken()));
  }
};

template <typename SourceOp, aa::GridDependency kind>
struct GridDependencyLowering final : Lowering<SourceOp> {
  LogicalResult lower() {
    return this->replace(aa::GridDependencyOp::create(
        this->rewriter, this->loc, aa::MemTokenType::get(this->getContext()),
        kind, this->adaptor.getToken()));
  }
};

//===----------------------------------------------------------------------===//
// Memory objects
//===----------------------------------------------------------------------===//

struct AllocaLowering final : Lowering<cuda_tile::AllocaOp> {
  LogicalResult lower() {
    auto type = cast<aa::TAPointerType>(convert(op.getResult().getType()));
    IntegerAttr alignment;
    if (op.getAlignment())
      alignment = rewriter.getI64IntegerAttr(op.getAlignment());
    // An empty allocation still has a distinct address.
    int64_t count = std::max<int64_t>(op.getNumElem(), 1);
    return replace(aa::AllocaOp::create(rewriter, loc, type,
                                        rewriter.getI64IntegerAttr(count),
                                        alignment, op.getGlobalAttr()));
  }
};

struct GlobalLowering final : Lowering<cuda_tile::GlobalOp> {
  LogicalResult lower() {
    auto dense = cast<DenseElementsAttr>(op.getValue());
    auto type = RankedTensorType::get(
        dense.getType().getShape(), carryUnsignedFloat(dense.getElementType()));
    if (isUnsignedFloat(dense.getElementType()))
      dense = carryUnsignedFloat(dense, type);
    IntegerAttr alignment;
    if (op.getAlignment())
      alignment = rewriter.getI64IntegerAttr(op.getAlignment());
    StringAttr visibility;
    if (op.getSymbolVisibility() == cuda_tile::SymbolVisibility::Private)
      visibility = rewriter.getStringAttr("private");
    auto result =
        aa::GlobalOp::create(rewriter, loc, op.getSymName(), visibility,
                             dense.reshape(type), alignment, op.getConstant());
    copyDiscardableAttrs(op, result);
    rewriter.eraseOp(op);
    return success();
  }
};

struct GetGlobalLowering final : Lowering<cuda_tile::GetGlobalOp> {
  LogicalResult lower() {
    rewriter.replaceOpWithNewOp<aa::GetGlobalOp>(
        op, convert(op.getResult().getType()), op.getNameAttr());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Grid and entries
//===----------------------------------------------------------------------===//

template <typename SourceOp, typename TargetOp>
struct GridLowering final : Lowering<SourceOp> {
  LogicalResult lower() {
    Type i32 = this->rewriter.getI32Type();
    SmallVector<Value> results;
    for (aa::Dim dim : {aa::Dim::X, aa::Dim::Y, aa::Dim::Z})
      if constexpr (std::is_same_v<TargetOp, aa::GetProgramIdOp>)
        results.push_back(TargetOp::create(this->rewriter, this->loc, i32, dim,
                                           /*of=*/Value()));
      else
        results.push_back(
            TargetOp::create(this->rewriter, this->loc, i32, dim));
    this->rewriter.replaceOp(this->op, results);
    return success();
  }
};

struct EntryLowering final : Lowering<cuda_tile::EntryOp> {
  LogicalResult lower() {
    TypeConverter::SignatureConversion signature(op.getNumArguments());
    if (failed(
            converter.convertSignatureArgs(op.getArgumentTypes(), signature)))
      return rewriter.notifyMatchFailure(
          op, "an argument has no type in nv_tileaa");
    auto func = aa::FuncOp::create(
        rewriter, loc, op.getSymName(),
        rewriter.getFunctionType(signature.getConvertedTypes(), {}),
        /*kernel=*/true);
    setLaunch(func);
    for (unsigned i = 0, e = op.getNumArguments(); i < e; ++i)
      for (NamedAttribute attr :
           mlir::function_interface_impl::getArgAttrs(op, i))
        if (attr.getNameDialect() != op->getDialect())
          func.setArgAttr(i, attr.getName(), attr.getValue());
    rewriter.inlineRegionBefore(op.getBody(), func.getBody(), func.end());
    if (failed(rewriter.convertRegionTypes(&func.getBody(), converter,
                                           &signature)))
      return rewriter.notifyMatchFailure(
          op, "an argument of the body has no type in nv_tileaa");
    copyDiscardableAttrs(op, func);
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Emits a remark that the hint `key` decides a value, and whether the hint
  /// names this target or every target.
  void reportHint(StringRef key) {
    auto entry = op.getOptimizationHintsAttr().getValue().getAs<DictionaryAttr>(
        conversion.chip);
    bool own = entry && entry.contains(key);
    remark::passed(
        loc,
        remarkAbout(op, own ? "RemarkHint" : "RemarkHintDefault", kHintRemarks))
        << StringRef(((own ? "OptimizationHint used "
                           : "OptimizationHint used default ") +
                      key)
                         .str());
  }

  /// Emits a remark where the hint `key` of `op` is changed: `used` is the
  /// value that takes effect, or none.
  void reportClamp(StringRef key, std::optional<int64_t> used,
                   const Twine &range) {
    DictionaryAttr hints = op.getOptimizationHintsAttr().getValue();
    for (StringRef chip : {StringRef(conversion.chip), StringRef("default")}) {
      auto entry = hints.getAs<DictionaryAttr>(chip);
      Attribute value = entry ? entry.get(key) : Attribute();
      if (!value)
        continue;
      auto asked = dyn_cast<IntegerAttr>(value);
      std::string text;
      llvm::raw_string_ostream stream(text);
      stream << "OptimizationHint " << key << " = ";
      if (asked)
        asked.getValue().print(stream, /*isSigned=*/true);
      else
        value.print(stream, /*elideType=*/true);
      if (asked && used && asked.getValue() == *used)
        return;
      stream << (used ? " becomes " + std::to_string(*used)
                      : std::string(" has no effect"))
             << ": " << range;
      remark::missed(loc, remarkAbout(op, "HintClamped", kHintRemarks))
          << StringRef(text);
      return;
    }
  }

  /// A hint overrides the option, because it belongs to this kernel.
  void setLaunch(aa::FuncOp func) {
    uint32_t numWarps = conversion.numWarps, numCtas = conversion.numCtas;
    bool fixedWarps = conversion.fixedWarps, fixedCtas = conversion.fixedCtas;
    uint32_t occupancy = 0;
    if (cuda_tile::OptimizationHintsAttr hints =
            op.getOptimizationHintsAttr()) {
      StringRef chip = conversion.chip;
      reportClamp("num_worker_warps_per_cta",
                  hints.getNumWorkerWarpsPerCTA(chip),
                  "a kernel has 4 or 8 worker warps");
      reportClamp("num_cta_in_cga", hints.getNumCTAInCGA(chip),
                  conversion.target.hasCluster()
                      ? "a power of two up to 16 is expected"
                      : "the target has no clusters");
      reportClamp("occupancy", hints.getOccupancy(chip),
                  "a number from 1 to 32 is expected");
      if (std::optional<int> warps = hints.getNumWorkerWarpsPerCTA(chip)) {
        numWarps = *warps;
        fixedWarps = true;
        ++conversion.numHintsApplied;
        reportHint("num_worker_warps_per_cta");
      }
      if (std::optional<int> ctas = hints.getNumCTAInCGA(chip)) {
        if (*ctas > 1 && !conversion.target.hasCluster()) {
          ++conversion.numHintsIgnored;
        } else {
          numCtas = *ctas;
          fixedCtas = true;
          ++conversion.numHintsApplied;
        }
      }
      if (std::optional<int> blocks = hints.getOccupancy(chip)) {
        occupancy = *blocks;
        ++conversion.numHintsApplied;
        reportHint("occupancy");
      }
    }
    func.setKernelSpecAttr(
        aa::KernelSpecAttr::get(getContext(), numWarps, numCtas, occupancy));
    UnitAttr unit = UnitAttr::get(getContext());
    if (fixedWarps)
      func->setAttr(aa::kFixedWarpsAttr, unit);
    if (fixedCtas)
      func->setAttr(aa::kFixedCtasAttr, unit);
  }
};

struct ReturnLowering final : Lowering<cuda_tile::ReturnOp> {
  LogicalResult lower() {
    rewriter.replaceOpWithNewOp<aa::ReturnOp>(op, adaptor.getOperands());
    return success();
  }
};

} // namespace

void populateMemoryPatterns(const TypeConverter &converter,
                            RewritePatternSet &patterns,
                            CudaTileConversion &conversion) {
  using namespace cuda_tile;
  addLowerings<SameOp<OffsetOp, aa::AddPtrOp>,
               SameOp<IntToPtrOp, aa::IntToPtrOp>,
               SameOp<PtrToIntOp, aa::PtrToIntOp>,
               SameOp<MakePartitionViewOp, aa::BlockTileOp>,
               SameOp<MakeStridedViewOp, aa::BlockTileOp>,
               SameOp<MakeGatherScatterViewOp, aa::BlockTileOp>,
               SameOp<MakeTokenOp, aa::CreateMemTokenOp>, JoinTokensLowering,
               MakeTensorViewLowering, GetTensorShapeLowering,
               GetIndexSpaceShapeLowering, AssumeLowering, AssertLowering,
               PrintLowering, AliasFenceLowering,
               GridDependencyLowering<GdcWaitTkoOp, aa::GridDependency::Wait>,
               GridDependencyLowering<GdcLaunchDependentsTkoOp,
                                      aa::GridDependency::LaunchDependents>,
               AllocaLowering, GlobalLowering, GetGlobalLowering,
               GridLowering<GetTileBlockIdOp, aa::GetProgramIdOp>,
               GridLowering<GetNumTileBlocksOp, aa::GetNumProgramsOp>,
               EntryLowering, ReturnLowering>(converter, patterns, conversion);
}

void populateCudaTileToTileAAPatterns(const TypeConverter &converter,
                                      RewritePatternSet &patterns,
                                      CudaTileConversion &conversion) {
  for (PopulatePatterns *populate :
       {populateAccessPatterns, populateArithmeticPatterns,
        populateControlPatterns, populateConversionPatterns,
        populateMemoryPatterns, populateShapePatterns,
        populateSpecialistPatterns})
    populate(converter, patterns, conversion);
}

} // namespace tileir

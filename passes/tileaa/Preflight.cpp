// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/cuda_tile/CudaTile.h"
#include "dialects/nv_tileaa/NVTileAA.h"
#include "dialects/support/layout/Layout.h"
#include "passes/tileaa/CudaTileConversion.h"

#include "llvm/Support/MathExtras.h"

namespace tileir {

using namespace mlir;

/// Returns why the value of a hint cannot be used, or an empty string.
static std::string getHintFault(StringRef key, Attribute value,
                                const CudaTileConversion &conversion) {
  if (key == "allow_tma")
    return isa<BoolAttr>(value) ? "" : "boolean expected";
  auto number = dyn_cast<IntegerAttr>(value);
  if (!number || isa<BoolAttr>(value))
    return "integer expected";
  int64_t n = number.getInt();
  if (key == "num_cta_in_cga") {
    if (n < 1 || n > 16 || !llvm::isPowerOf2_64(n))
      return "power of two up to 16 expected";
    if (n > 1 && !conversion.target.hasCluster())
      return "1 expected on a target without clusters";
  } else if (key == "num_worker_warps_per_cta") {
    if (n < 1 || n > 32 || !llvm::isPowerOf2_64(n))
      return "power of two up to 32 expected";
  } else if (key == "occupancy") {
    if (n < 1 || n > 32)
      return "number in [1, 32] expected";
  } else if (key == "latency") {
    if (n < 1 || n > 10)
      return "number in [1, 10] expected";
  }
  return "";
}

/// Emits, under strict hints, an error for each unusable hint of this target.
static LogicalResult verifyHints(Operation *op,
                                 cuda_tile::OptimizationHintsAttr hints,
                                 ArrayRef<StringRef> keys,
                                 const CudaTileConversion &conversion) {
  if (!hints || !conversion.strictHints)
    return success();
  LogicalResult result = success();
  for (NamedAttribute entry : hints.getValue()) {
    StringRef chip = entry.getName().getValue();
    if (chip != conversion.chip && chip != "default")
      continue;
    auto values = dyn_cast<DictionaryAttr>(entry.getValue());
    if (!values)
      continue;
    for (NamedAttribute hint : values) {
      StringRef key = hint.getName().getValue();
      std::string fault = llvm::is_contained(keys, key)
                              ? getHintFault(key, hint.getValue(), conversion)
                              : "unknown for this operation";
      if (fault.empty())
        continue;
      op->emitError("optimization hint '")
          << key << "' for " << chip << ": " << fault;
      result = failure();
    }
  }
  return result;
}

static LogicalResult verifyEntry(cuda_tile::EntryOp op,
                                 const CudaTileConversion &conversion) {
  LogicalResult result = success();
  for (auto [index, type] : llvm::enumerate(op.getArgumentTypes())) {
    auto tile = dyn_cast<cuda_tile::TileType>(type);
    if (tile && tile.getShape().empty())
      continue;
    op.emitError("entry argument ")
        << index << " has unsupported type " << type
        << "; pass scalars and pointers, and make views in the kernel";
    result = failure();
  }
  if (conversion.numCtas > 1 && !conversion.target.hasCluster()) {
    op.emitError("num-ctas = ")
        << conversion.numCtas << " needs sm_90 or later, target is '"
        << conversion.target.name() << "'; compile with num-ctas = 1";
    result = failure();
  }
  if (failed(verifyHints(
          op, op.getOptimizationHintsAttr(),
          {"num_cta_in_cga", "num_worker_warps_per_cta", "occupancy"},
          conversion)))
    result = failure();
  return result;
}

/// Two 4-bit elements share a byte, so each row must start on a byte.
static LogicalResult verifyPacking(cuda_tile::MakeTensorViewOp op) {
  cuda_tile::TensorViewType type = op.getType();
  if (nv_tileaa::getStorageBits(type.getElementType()) != 4)
    return success();
  for (auto [size, stride] : llvm::zip(type.getShape(), type.getStrides()))
    if (stride == 1 && (ShapedType::isDynamic(size) || size % 2 == 0))
      return success();
  return op.emitError("a view of 4-bit elements needs a dimension of static "
                      "stride 1 and even size; make the stride static");
}

/// Rejects operations that `cuda_tile` allows but the conversion or the target
/// does not support.
static LogicalResult verifySupported(Operation *op,
                                     const CudaTileConversion &conversion) {
  using namespace cuda_tile;
  if (!isa_and_present<CudaTileDialect>(op->getDialect()))
    return success();
  for (Type type : op->getResultTypes())
    if (auto tile = dyn_cast<TileType>(type);
        tile && tile.getRank() > int64_t(Layout::kMaxRank))
      return op->emitError("makes a tile of ")
             << tile.getRank() << " dimensions, of which "
             << unsigned(Layout::kMaxRank)
             << " are supported; reshape it, or view the tensor with fewer";
  if (isa<TestingFuncOp, TestingBytecodeTestNewAttributeOp,
          TestingBytecodeTestEvolutionOp>(op))
    return op->emitError("operation of bytecode tests computes nothing; "
                         "remove it");
  if (isa<MultimemLoadReduceViewTkoOp, MultimemReduceViewTkoOp,
          MultimemStoreViewTkoOp>(op) &&
      !conversion.target.has(Feature::Multimem))
    return op->emitError("'")
           << op->getName() << "' needs sm_90 or newer, target is '"
           << conversion.target.name()
           << "'; access the memory of each device through a pointer of its "
              "own";
  return success();
}

LogicalResult verifyConvertible(Operation *root,
                                CudaTileConversion &conversion) {
  bool valid = true;
  auto check = [&](LogicalResult result) { valid &= succeeded(result); };
  root->walk([&](Operation *op) {
    check(verifySupported(op, conversion));
    if (auto entry = dyn_cast<cuda_tile::EntryOp>(op)) {
      check(verifyEntry(entry, conversion));
    } else if (auto view = dyn_cast<cuda_tile::MakeTensorViewOp>(op)) {
      check(verifyPacking(view));
    } else if (auto load = dyn_cast<cuda_tile::LoadPtrTkoOp>(op)) {
      check(verifyHints(op, load.getOptimizationHintsAttr(), {"latency"},
                        conversion));
    } else if (auto store = dyn_cast<cuda_tile::StorePtrTkoOp>(op)) {
      check(verifyHints(op, store.getOptimizationHintsAttr(), {"latency"},
                        conversion));
    } else if (auto load = dyn_cast<cuda_tile::LoadViewTkoOp>(op)) {
      check(verifyHints(op, load.getOptimizationHintsAttr(),
                        {"latency", "allow_tma"}, conversion));
    } else if (auto store = dyn_cast<cuda_tile::StoreViewTkoOp>(op)) {
      check(verifyHints(op, store.getOptimizationHintsAttr(),
                        {"latency", "allow_tma"}, conversion));
    }
  });
  return success(valid);
}

} // namespace tileir

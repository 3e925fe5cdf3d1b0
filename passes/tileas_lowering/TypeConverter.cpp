// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/Lowering.h"

using namespace mlir;

namespace tileir::lowering {

bool isPackedInViews(Type element) {
  return isa<Float4E2M1FNType>(element) || element.isInteger(4);
}

Packing getTilePacking(RankedTensorType type) {
  return getPacking(getRegisterBits(type.getElementType()),
                    getLayout(type).getNumRegisters());
}

Type getRegisterType(Type element) {
  MLIRContext *context = element.getContext();
  if (auto ptr = dyn_cast<nv_tileaa::TAPointerType>(element))
    return LLVM::LLVMPointerType::get(context, ptr.getSpace());
  if (isa<FloatTF32Type>(element))
    return Float32Type::get(context);
  if (isPackedInViews(element) ||
      (isa<FloatType>(element) && element.getIntOrFloatBitWidth() <= 8))
    return IntegerType::get(context, 8);
  return element;
}

TileTypeConverter::TileTypeConverter(MLIRContext *context) {
  addConversion([](Type type) -> std::optional<Type> { return type; });
  addConversion([](FloatType type) -> std::optional<Type> {
    return getRegisterType(type);
  });
  addConversion([](IntegerType type) -> std::optional<Type> {
    return getRegisterType(type);
  });
  addConversion([](nv_tileaa::TAPointerType type) -> std::optional<Type> {
    return getRegisterType(type);
  });
  addConversion([](RankedTensorType type,
                   SmallVectorImpl<Type> &out) -> std::optional<LogicalResult> {
    if (!nv_tileas::getTileLayout(type))
      return std::nullopt;
    Packing packing = getTilePacking(type);
    Type word = getRegisterType(type.getElementType());
    if (packing.perWord > 1)
      word = VectorType::get({packing.perWord}, word);
    out.append(packing.numWords, word);
    return success();
  });
  addConversion([](nv_tileaa::MemTokenType,
                   SmallVectorImpl<Type> &) -> std::optional<LogicalResult> {
    return success();
  });
  // A validity bit and the coordinates.
  addConversion(
      [context](nv_tileaa::ProgramIdType,
                SmallVectorImpl<Type> &out) -> std::optional<LogicalResult> {
        out.push_back(IntegerType::get(context, 1));
        out.append(3, IntegerType::get(context, 32));
        return success();
      });
  auto memref = [context](nv_tileaa::TAMemRefType type,
                          SmallVectorImpl<Type> &out) {
    out.push_back(LLVM::LLVMPointerType::get(context, type.getSpace()));
    out.append(type.getNumDynamicSizes() + type.getNumDynamicStrides(),
               IntegerType::get(context, 64));
    return success();
  };
  addConversion(
      [memref](nv_tileaa::TAMemRefType type,
               SmallVectorImpl<Type> &out) -> std::optional<LogicalResult> {
        return memref(type, out);
      });
  addConversion(
      [memref](nv_tileaa::TATiledViewType type,
               SmallVectorImpl<Type> &out) -> std::optional<LogicalResult> {
        return memref(type.getSource(), out);
      });
  // The stage address, and the byte offset of a subview in it. In tensor
  // memory: row and column of the first cell.
  addConversion(
      [context](nv_tileas::BufferType type,
                SmallVectorImpl<Type> &out) -> std::optional<LogicalResult> {
        if (type.getSpace() == LayoutSpace::Tmem) {
          out.push_back(IntegerType::get(context, 32));
          return success();
        }
        out.push_back(
            LLVM::LLVMPointerType::get(context, nv_tileaa::SharedSpace));
        out.push_back(IntegerType::get(context, 32));
        return success();
      });
  addConversion([context](nv_tileas::MbarrierType) -> std::optional<Type> {
    return LLVM::LLVMPointerType::get(context, nv_tileaa::SharedSpace);
  });
  // The generic address of the map.
  addConversion([context](nv_tileas::TmaDescType) -> std::optional<Type> {
    return IntegerType::get(context, 64);
  });
  addConversion(
      [this](nv_tileas::FutureType type,
             SmallVectorImpl<Type> &out) -> std::optional<LogicalResult> {
        return convertTypes(type.getTile(), out);
      });
  auto cast = [](OpBuilder &builder, Type type, ValueRange values,
                 Location loc) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, type, values)
        .getResult(0);
  };
  addSourceMaterialization(cast);
  addTargetMaterialization(cast);
}

} // namespace tileir::lowering

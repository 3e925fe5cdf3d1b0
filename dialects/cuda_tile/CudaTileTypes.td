// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_CUDATILETYPES_TD
#define DIALECTS_CUDA_TILE_CUDATILETYPES_TD

include "dialects/cuda_tile/CudaTileBase.td"
include "dialects/cuda_tile/CudaTileInterfaces.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/CommonTypeConstraints.td"

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

class CudaTile_Element<string name, string predicate, string since = "13.1">
    : Type<CPred<predicate>, name> {
  string sinceVersion = since;
}
class CudaTile_IntElement<int width, string since = "13.1">
    : CudaTile_Element<"i" # width, "$_self.isSignlessInteger(" # width # ")",
                       since> {
  let builderCall = "$_builder.getIntegerType(" # width # ")";
}
class CudaTile_FloatElement<string name, string cppClass,
                            string since = "13.1">
    : CudaTile_Element<name, "::llvm::isa<::mlir::" # cppClass # ">($_self)",
                       since>;

def CudaTile_I1 : CudaTile_IntElement<1>;
def CudaTile_I4 : CudaTile_IntElement<4, "13.3">;
def CudaTile_I8 : CudaTile_IntElement<8>;
def CudaTile_I16 : CudaTile_IntElement<16>;
def CudaTile_I32 : CudaTile_IntElement<32>;
def CudaTile_I64 : CudaTile_IntElement<64>;
def CudaTile_F16 : CudaTile_FloatElement<"f16", "Float16Type">;
def CudaTile_BF16 : CudaTile_FloatElement<"bf16", "BFloat16Type">;
def CudaTile_F32 : CudaTile_FloatElement<"f32", "Float32Type">;
def CudaTile_TF32 : CudaTile_FloatElement<"tf32", "FloatTF32Type">;
def CudaTile_F64 : CudaTile_FloatElement<"f64", "Float64Type">;
def CudaTile_F8E4M3FN
    : CudaTile_FloatElement<"f8E4M3FN", "Float8E4M3FNType">;
def CudaTile_F8E5M2 : CudaTile_FloatElement<"f8E5M2", "Float8E5M2Type">;
def CudaTile_F8E8M0FNU
    : CudaTile_FloatElement<"f8E8M0FNU", "Float8E8M0FNUType", "13.2">;
def CudaTile_F4E2M1FN
    : CudaTile_FloatElement<"f4E2M1FN", "Float4E2M1FNType", "13.3">;
def CudaTile_FNV8E5M3FNU
    : CudaTile_Element<"fnv8E5M3FNU",
                       "::llvm::isa<::mlir::cuda_tile::FloatNV8E5M3FNUType>("
                       "$_self)", "13.4">;

/// Groups of element types, in the order of the diagnostics.
class CudaTile_Elements<list<Type> elements> {
  list<Type> types = elements;
}
def CudaTile_Ints : CudaTile_Elements<[
  CudaTile_I1, CudaTile_I8, CudaTile_I16, CudaTile_I32, CudaTile_I64
]>;
def CudaTile_BaseFloats : CudaTile_Elements<[
  CudaTile_F16, CudaTile_BF16, CudaTile_F32, CudaTile_F64
]>;
def CudaTile_Floats : CudaTile_Elements<!listconcat(
  CudaTile_BaseFloats.types,
  [CudaTile_TF32, CudaTile_F8E4M3FN, CudaTile_F8E5M2, CudaTile_F8E8M0FNU,
   CudaTile_F4E2M1FN])>;
def CudaTile_Numbers : CudaTile_Elements<!listconcat(
  CudaTile_Ints.types, CudaTile_Floats.types)>;

/// Pointee types of pointers and element types of views.
def CudaTile_Number
    : Type<CPred<"::mlir::cuda_tile::isNumberType($_self)">, "number">;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class CudaTile_Type<string name, string typeMnemonic, string since,
                    list<Trait> traits = []>
    : TypeDef<CudaTile_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
  string sinceVersion = since;
}

def CudaTile_PointerType : CudaTile_Type<"Pointer", "ptr", "13.1"> {
  let summary = "Pointer type";
  let description = [{
    A 64-bit address in global memory with the pointee type. It occurs only as
    the element type of a tile. The attribute (13.4) is the kind of the address:
    a `multicast` one reaches the copies of all devices. No attribute and `none`
    are different types.

    ```mlir
    !cuda_tile.ptr<f32>
    !cuda_tile.ptr<f32, <multicast>>
    ```
  }];
  let parameters = (ins
      "::mlir::Type":$pointeeType,
      OptionalParameter<"::mlir::cuda_tile::PointerKindAttr">:$ptrAttr);
  let builders = [
    TypeBuilderWithInferredContext<(ins
        "::mlir::Type":$pointeeType,
        CArg<"::mlir::cuda_tile::PointerKindAttr", "{}">:$ptrAttr), [{
      return $_get(pointeeType.getContext(), pointeeType, ptrAttr);
    }]>,
    TypeBuilder<(ins "::mlir::Type":$pointeeType), [{
      return $_get($_ctxt, pointeeType,
                   ::mlir::cuda_tile::PointerKindAttr());
    }]>,
  ];
  let assemblyFormat = [{
    `<` custom<ShortTypeParameter>($pointeeType) (`,` $ptrAttr^)? `>`
  }];
  let genVerifyDecl = 1;
}

def CudaTile_FloatNV8E5M3FNUType
    : CudaTile_Type<"FloatNV8E5M3FNU", "fnv8E5M3FNU", "13.4",
                    [DeclareTypeInterfaceMethods<FloatTypeInterface>]> {
  let summary = "8-bit float without a sign";
  let description = [{
    5 bits of exponent (bias 15), 3 of mantissa, subnormals, no infinity; all
    ones is the NaN. It occurs only as the element type of a tile. LLVM has no
    such float format: its semantics give the width, `decodeFNV8E5M3FNU` the
    values.

    ```mlir
    !cuda_tile.fnv8E5M3FNU
    ```
  }];
}

def CudaTile_TileType : CudaTile_Type<"Tile", "tile", "13.1",
    [ShapedTypeInterface]> {
  let summary = "Tile type";
  let description = [{
    An immutable array of numbers, pointers or 4-bit integers in row-major
    logical order. Every dimension is a positive
    power of two, the number of elements at most 2^24. Rank 0 is a scalar.

    ```mlir
    !cuda_tile.tile<8x16xf32>
    !cuda_tile.tile<ptr<i32>>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType);
  let builders = [
    TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<int64_t>":$shape,
                                        "::mlir::Type":$elementType), [{
      return $_get(elementType.getContext(), shape, elementType);
    }]>,
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Maximum number of elements of a tile.
    static constexpr int64_t kMaxNumElements = 1 << 24;

    bool hasRank() const { return true; }
    TileType cloneWith(std::optional<::llvm::ArrayRef<int64_t>> shape,
                       ::mlir::Type elementType) const;
  }];
}

def CudaTile_TensorViewType
    : CudaTile_Type<"TensorView", "tensor_view", "13.1"> {
  let summary = "tensor view type";
  let description = [{
    A strided tensor in global memory. Extents and strides are positive numbers,
    or `?` where they are dynamic; strides count elements. The attribute (13.4)
    is that of the base pointer.

    ```mlir
    !cuda_tile.tensor_view<?x96xf32, strides=[96,1]>
    !cuda_tile.tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    ```
  }];
  let parameters = (ins "::mlir::Type":$elementType,
                        ArrayRefParameter<"int64_t">:$shape,
                        ArrayRefParameter<"int64_t">:$strides,
                        OptionalParameter<
                            "::mlir::cuda_tile::PointerKindAttr">:$ptrAttr);
  let builders = [
    TypeBuilderWithInferredContext<(ins
        "::mlir::Type":$elementType, "::llvm::ArrayRef<int64_t>":$shape,
        "::llvm::ArrayRef<int64_t>":$strides,
        CArg<"::mlir::cuda_tile::PointerKindAttr", "{}">:$ptrAttr), [{
      return $_get(elementType.getContext(), elementType, shape, strides,
                   ptrAttr);
    }]>,
    TypeBuilder<(ins "::mlir::Type":$elementType,
                     "::llvm::ArrayRef<int64_t>":$shape,
                     "::llvm::ArrayRef<int64_t>":$strides), [{
      return $_get($_ctxt, elementType, shape, strides,
                   ::mlir::cuda_tile::PointerKindAttr());
    }]>,
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// A dynamic extent or stride.
    static constexpr int64_t kDynamic = ::mlir::ShapedType::kDynamic;

    int64_t getRank() const { return getShape().size(); }
    int64_t getNumDynamicDims() const {
      return ::llvm::count(getShape(), kDynamic);
    }
    int64_t getNumDynamicStrides() const {
      return ::llvm::count(getStrides(), kDynamic);
    }
  }];
}

class CudaTile_ViewType<string name, string mnemonic, string since>
    : CudaTile_Type<name, mnemonic, since,
                    [DeclareTypeInterfaceMethods<CudaTile_TileView>]> {
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    ::mlir::Type getElementType() const;
    ::mlir::cuda_tile::TileType getViewTileType() const;
  }];
  let extraClassDefinition = [{
    ::mlir::Type $cppClass::getElementType() const {
      return getTensorView().getElementType();
    }
    ::mlir::cuda_tile::TileType $cppClass::getViewTileType() const {
      ::llvm::ArrayRef<int32_t> shape = getTileShape();
      return ::mlir::cuda_tile::TileType::get(
          ::llvm::SmallVector<int64_t>(shape.begin(), shape.end()),
          getElementType());
    }
    int64_t $cppClass::getViewIndexRank() const {
      return getTileShape().size();
    }
    ::mlir::Type $cppClass::viewTileType() const { return getViewTileType(); }
    ::mlir::Type $cppClass::viewTensor() const { return getTensorView(); }
    ::mlir::Attribute $cppClass::viewPadding() const {
      return getPaddingValue();
    }
  }];
}

def CudaTile_PartitionViewType
    : CudaTile_ViewType<"PartitionView", "partition_view", "13.1"> {
  let summary = "partition view type";
  let description = [{
    Splits a tensor into a grid of tiles. Tile dimension `t` walks tensor
    dimension `dim_map[t]`. Elements of a tile outside of the tensor read as the
    padding value, or as any value without one, and are not written.

    ```mlir
    !cuda_tile.partition_view<tile=(8x64), padding_value = zero, tensor_view<?x96xf32, strides=[96,1]>, dim_map=[1, 0]>
    ```
  }];
  let parameters = (ins "::mlir::DenseI32ArrayAttr":$tile_shape,
                        "::mlir::cuda_tile::TensorViewType":$tensor_view,
                        ArrayRefParameter<"int32_t">:$dim_map,
                        OptionalParameter<"::mlir::cuda_tile::PaddingValueAttr">:$padding_value);
}

def CudaTile_StridedViewType
    : CudaTile_ViewType<"StridedView", "strided_view", "13.3"> {
  let summary = "strided view type";
  let description = [{
    A partition view whose tiles start at multiples of `traversal_strides`
    instead of the tile's own extents, so that tiles may overlap or leave gaps.

    ```mlir
    !cuda_tile.strided_view<tile=(16x32), traversal_strides=[8,32], tensor_view<?x96xf32, strides=[96,1]>>
    ```
  }];
  let parameters = (ins "::mlir::DenseI32ArrayAttr":$tile_shape,
                        "::mlir::DenseI32ArrayAttr":$traversal_strides,
                        "::mlir::cuda_tile::TensorViewType":$tensor_view,
                        ArrayRefParameter<"int32_t">:$dim_map,
                        OptionalParameter<"::mlir::cuda_tile::PaddingValueAttr">:$padding_value);
}

def CudaTile_GatherScatterViewType
    : CudaTile_ViewType<"GatherScatterView", "gather_scatter_view", "13.3"> {
  let summary = "gather/scatter view type";
  let description = [{
    Selects rows in dimension `sparse_dim` one by one: the index there is a
    vector of tensor coordinates. In every other dimension the scalar index is
    the tensor coordinate at which the tile begins, for any tile size. Indices
    are unsigned; elements outside of the tensor load as the padding value and
    are not stored. Where two elements share a byte a tile begins at an even
    one.

    ```mlir
    !cuda_tile.gather_scatter_view<tile=(16x32), tensor_view<?x96xf32, strides=[96,1]>, sparse_dim=0>
    ```
  }];
  let parameters = (ins "::mlir::DenseI32ArrayAttr":$tile_shape,
                        "::mlir::cuda_tile::TensorViewType":$tensor_view,
                        "int32_t":$sparse_dim,
                        OptionalParameter<"::mlir::cuda_tile::PaddingValueAttr">:$padding_value);
}

def CudaTile_TokenType : CudaTile_Type<"Token", "token", "13.1"> {
  let summary = "cuda tile token type";
  let description = [{
    An edge in the order of memory operations. It has no value at run time.

    ```mlir
    !cuda_tile.token
    ```
  }];
}

def CudaTile_TestingBytecodeTestEvolvedType
    : CudaTile_Type<"TestingBytecodeTestEvolved",
                    "testing$bytecode_test_evolved", "250.0"> {
  let summary = "type of the bytecode evolution tests";
  let description = [{
    Only the tests of the bytecode use this type: each version adds a parameter.

    ```mlir
    !cuda_tile.testing$bytecode_test_evolved<f32, i32>
    ```
  }];
  let parameters = (ins "::mlir::Type":$baseType,
                        "::mlir::Type":$newType,
                        OptionalParameter<"::mlir::cuda_tile::PaddingValueAttr">:$optionalAttr,
                        OptionalParameter<"::mlir::Type">:$optionalType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Operand constraints
//===----------------------------------------------------------------------===//

def CudaTile_IsTile
    : CPred<"::llvm::isa<::mlir::cuda_tile::TileType>($_self)">;
def CudaTile_IsScalarTile : And<[
  CudaTile_IsTile,
  CPred<"::llvm::cast<::mlir::cuda_tile::TileType>($_self).getRank() == 0">
]>;

class CudaTile_TileOf<list<Type> elements, string prefix = "tile">
    : ShapedContainerType<elements, CudaTile_IsTile, prefix,
                          "::mlir::cuda_tile::TileType">;
/// A tile of `elements`, of fnv8E5M3FNU, or of `more`. Diagnostics name
/// fnv8E5M3FNU only under the rules of the newest release.
class CudaTile_TileOfNewest<list<Type> elements, string prefix = "tile",
                            list<Type> more = []>
    : Type<CudaTile_TileOf<!listconcat(elements, [CudaTile_FNV8E5M3FNU],
                                       more)>.predicate,
           prefix # " of " # AnyTypeOf<elements>.summary #
               "{{::mlir::cuda_tile::nameNewestFloat($_op)}}" #
               !foldl("", more, text, type, text # " or " # type.summary) #
               " values",
           "::mlir::cuda_tile::TileType">;
class CudaTile_ScalarOf<list<Type> elements>
    : ShapedContainerType<elements, CudaTile_IsScalarTile, "0D tile",
                          "::mlir::cuda_tile::TileType">;
class CudaTile_BuildableScalar<Type element>
    : CudaTile_ScalarOf<[element]>,
      BuildableType<"::mlir::cuda_tile::TileType::get({}, " #
                    element.builderCall # ")">;

def CudaTile_IntTile : CudaTile_TileOf<CudaTile_Ints.types>;
def CudaTile_IntOrI4Tile
    : CudaTile_TileOf<!listconcat(CudaTile_Ints.types, [CudaTile_I4])>;
def CudaTile_I64Tile : CudaTile_TileOf<[CudaTile_I64]>;
def CudaTile_I1Tile : CudaTile_TileOf<[CudaTile_I1]>;
def CudaTile_I8Tile : CudaTile_TileOf<[CudaTile_I8]>;
def CudaTile_BaseFloatTile : CudaTile_TileOf<CudaTile_BaseFloats.types>;
def CudaTile_FloatTile : CudaTile_TileOfNewest<CudaTile_Floats.types>;
def CudaTile_NumberTile : CudaTile_TileOfNewest<CudaTile_Numbers.types>;
def CudaTile_NumberOrI4Tile
    : CudaTile_TileOfNewest<CudaTile_Numbers.types, "tile", [CudaTile_I4]>;
def CudaTile_PointerTile : CudaTile_TileOf<[CudaTile_PointerType]>;
def CudaTile_ScalarI1 : CudaTile_BuildableScalar<CudaTile_I1>;
def CudaTile_ScalarI32 : CudaTile_BuildableScalar<CudaTile_I32>;
def CudaTile_ScalarInt : CudaTile_ScalarOf<CudaTile_Ints.types>;
def CudaTile_ScalarPointer : CudaTile_ScalarOf<[CudaTile_PointerType]>;

/// Any element number or any type of this dialect.
def CudaTile_AnyType
    : Type<Or<[CudaTile_Number.predicate,
               CPred<"::llvm::isa<::mlir::cuda_tile::CudaTileDialect>("
                     "$_self.getDialect())">]>,
           "any cuda_tile type">;

#endif // DIALECTS_CUDA_TILE_CUDATILETYPES_TD

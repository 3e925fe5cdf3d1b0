// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_CUDATILEATTRS_TD
#define DIALECTS_CUDA_TILE_CUDATILEATTRS_TD

include "dialects/cuda_tile/CudaTileEnums.td"
include "dialects/cuda_tile/CudaTileInterfaces.td"
include "mlir/IR/AttrTypeBase.td"

//===----------------------------------------------------------------------===//
// Enums
//===----------------------------------------------------------------------===//

/// The messages about an unknown keyword are those of an enum attribute stored
/// as an integer; clients expect them.
class CudaTile_EnumParameter<EnumInfo info> : EnumParameter<info> {
  let parser = [{[&]() -> ::mlir::FailureOr<}] # info.cppType # [{> {
    ::llvm::SMLoc loc = $_parser.getCurrentLocation();
    std::string keyword;
    if (::mlir::failed($_parser.parseKeywordOrString(&keyword)))
      return ::mlir::failure();
    if (auto value = }] # info.cppNamespace # "::" #
                          info.stringToSymbolFnName # [{(keyword))
      return *value;
    return ::llvm::LogicalResult(
        $_parser.emitError(loc, "expected }] # info.cppType #
                                [{ to be one of: }] #
                                !interleave(!foreach(enumerant, info.enumerants,
                                                     enumerant.str), ", ") #
                                [{"));
  }()}];
}

class CudaTile_EnumAttr<EnumInfo info, string name, string since = "13.1">
    : EnumAttr<CudaTile_Dialect, info, name> {
  let parameters = (ins CudaTile_EnumParameter<info>:$value);
  let assemblyFormat = "`<` $value `>`";
  string sinceVersion = since;
}

def CudaTile_SignednessAttr
    : CudaTile_EnumAttr<CudaTile_Signedness, "signedness">;
def CudaTile_IntegerOverflowAttr
    : CudaTile_EnumAttr<CudaTile_IntegerOverflow, "overflow">;
def CudaTile_RoundingModeAttr
    : CudaTile_EnumAttr<CudaTile_RoundingMode, "rounding">;
def CudaTile_ComparisonOrderingAttr
    : CudaTile_EnumAttr<CudaTile_ComparisonOrdering, "comparison_ordering">;
def CudaTile_ComparisonPredicateAttr
    : CudaTile_EnumAttr<CudaTile_ComparisonPredicate, "comparison_predicate">;
def CudaTile_PaddingValueAttr
    : EnumAttr<CudaTile_Dialect, CudaTile_PaddingValue, "padding_value"> {
  let parameters = (ins CudaTile_EnumParameter<CudaTile_PaddingValue>:$value);
  string sinceVersion = "13.1";
}
def CudaTile_SymbolVisibilityAttr
    : CudaTile_EnumAttr<CudaTile_SymbolVisibility, "symbol_visibility",
                        "13.3">;
def CudaTile_PointerKindAttr
    : CudaTile_EnumAttr<CudaTile_PointerKind, "ptr_attr", "13.4">;
def CudaTile_MultimemReductionKindAttr
    : CudaTile_EnumAttr<CudaTile_MultimemReductionKind,
                        "multimem_reduction_kind", "13.5">;
def CudaTile_BytecodeTestPriorityAttr
    : CudaTile_EnumAttr<CudaTile_BytecodeTestPriority,
                        "bytecode_test_priority", "250.0">;

//===----------------------------------------------------------------------===//
// Assume predicates
//===----------------------------------------------------------------------===//

class CudaTile_Attr<string name, string attrMnemonic, string since,
                    list<Trait> traits = [],
                    string base = "::mlir::Attribute">
    : AttrDef<CudaTile_Dialect, name, traits, base> {
  let mnemonic = attrMnemonic;
  string sinceVersion = since;
}

class CudaTile_AssumePredicate<string name, string mnemonic>
    : CudaTile_Attr<name, mnemonic, "13.1", [DeclareAttrInterfaceMethods<
          CudaTile_AssumePredicateAttrInterface>]> {
  let hasCustomAssemblyFormat = 1;
}

def CudaTile_DivByAttr : CudaTile_AssumePredicate<"DivBy", "div_by"> {
  let summary = "values are multiples of a power of two";
  let description = [{
    Without `every`, all elements are multiples of the divisor. With it,
    dimension `along` is split into groups of `every` elements: the first of
    each group is a multiple and the others follow it one by one. Pointers count
    in bytes and advance by the size of the pointee. For a tensor view the
    predicate is about the base address.

    ```mlir
    #cuda_tile.div_by<16, every 8 along 1>
    ```
  }];
  let parameters = (ins "uint64_t":$divisor,
                        OptionalParameter<"std::optional<int64_t>">:$every,
                        OptionalParameter<"std::optional<int64_t>">:$along);
}

def CudaTile_SameElementsAttr
    : CudaTile_AssumePredicate<"SameElements", "same_elements"> {
  let summary = "groups of equal elements";
  let description = [{
    Dimension `k` is split into groups of `values[k]`; all elements of a group
    are equal.

    ```mlir
    #cuda_tile.same_elements<[1, 64]>
    ```
  }];
  let parameters = (ins "::mlir::DenseI64ArrayAttr":$values);
}

def CudaTile_BoundedAttr : CudaTile_AssumePredicate<"Bounded", "bounded"> {
  let summary = "inclusive signed bounds of integers";
  let description = [{
    `?` means that a bound is absent.

    ```mlir
    #cuda_tile.bounded<0, ?>
    ```
  }];
  let parameters = (ins OptionalParameter<"std::optional<int64_t>">:$lb,
                        OptionalParameter<"std::optional<int64_t>">:$ub);
}

def CudaTile_AssumePredicateAttr
    : Attr<CPred<"::llvm::isa<::mlir::cuda_tile::AssumePredicateAttrInterface>("
                 "$_self)">,
           "assume predicate attribute"> {
  let storageType = "::mlir::cuda_tile::AssumePredicateAttrInterface";
  let returnType = "::mlir::cuda_tile::AssumePredicateAttrInterface";
  let convertFromStorage = "$_self";
}

//===----------------------------------------------------------------------===//
// Optimization hints
//===----------------------------------------------------------------------===//

def CudaTile_OptimizationHintsAttr
    : CudaTile_Attr<"OptimizationHints", "optimization_hints", "13.1"> {
  let summary = "hints for code generation by target";
  let description = [{
    Maps the name of a target, or `default`, to a dictionary of hints. A hint
    never changes the result of the program, so unknown hints are preserved.

    ```mlir
    #cuda_tile.optimization_hints<sm_90 = {num_cta_in_cga = 2}, default = {occupancy = 4}>
    ```
  }];
  let parameters = (ins "::mlir::DictionaryAttr":$value);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The hints for target `sm` ("sm_90"), else those for `default`; none when
    /// they are absent or illegal for `sm`.
    std::optional<int> getNumCTAInCGA(::llvm::StringRef sm) const;
    /// The compiler clamps the value to its range.
    std::optional<int> getNumWorkerWarpsPerCTA(::llvm::StringRef sm) const;
    std::optional<bool> getAllowTMA(::llvm::StringRef sm) const;
    std::optional<int> getLatency(::llvm::StringRef sm) const;
    std::optional<int> getOccupancy(::llvm::StringRef sm) const;

    /// Warns at `op` about hints that no compiler reads; only `allowedKeys` are
    /// legal there. Fails after a warning if the dialect makes hints errors.
    ::llvm::LogicalResult
    verifyWithOp(::mlir::Operation *op,
                 ::llvm::ArrayRef<::llvm::StringRef> allowedKeys) const;
  }];
}

//===----------------------------------------------------------------------===//
// Debug information
//===----------------------------------------------------------------------===//

/// A parameter that messages name without its namespace.
class CudaTile_DIParameter<string name, string namespace = "::mlir::cuda_tile">
    : AttrParameter<name, "", namespace # "::" # name>;

def CudaTile_DIFileAttr : CudaTile_Attr<"DIFile", "di_file", "13.1", [],
                                        "::mlir::cuda_tile::DINodeAttr"> {
  let summary = "source file";
  let description = [{
    ```mlir
    #cuda_tile.di_file<"kernel.py" in "/src">
    ```
  }];
  let parameters = (ins CudaTile_DIParameter<"StringAttr", "::mlir">:$name,
                        CudaTile_DIParameter<"StringAttr", "::mlir">:$directory);
  let skipDefaultBuilders = 1;
  let builders = [
    AttrBuilder<(ins "::mlir::StringAttr":$name,
                     "::mlir::StringAttr":$directory), [{
      return $_get($_ctxt, name, directory);
    }]>,
  ];
  let assemblyFormat = "`<` $name `in` $directory `>`";
}

def CudaTile_DICompileUnitAttr
    : CudaTile_Attr<"DICompileUnit", "di_compile_unit", "13.1", [],
                    "::mlir::cuda_tile::DIScopeAttr"> {
  let summary = "compile unit";
  let description = [{
    ```mlir
    #cuda_tile.di_compile_unit<file = #di_file>
    ```
  }];
  let parameters = (ins CudaTile_DIParameter<"DIFileAttr">:$file);
  let skipDefaultBuilders = 1;
  let builders = [
    AttrBuilder<(ins "::mlir::cuda_tile::DIFileAttr":$file), [{
      return $_get($_ctxt, file);
    }]>,
  ];
  let assemblyFormat = "`<` struct(params) `>`";
}

def CudaTile_DISubprogramAttr
    : CudaTile_Attr<"DISubprogram", "di_subprogram", "13.1", [],
                    "::mlir::cuda_tile::DILocalScopeAttr"> {
  let summary = "function of the source program";
  let description = [{
    ```mlir
    #cuda_tile.di_subprogram<file = #di_file, line = 4, name = "add", linkageName = "add_f32", compileUnit = #di_compile_unit>
    ```
  }];
  let parameters = (ins CudaTile_DIParameter<"DIFileAttr">:$file,
                        "unsigned":$line,
                        CudaTile_DIParameter<"StringAttr", "::mlir">:$name,
                        CudaTile_DIParameter<"StringAttr", "::mlir">:$linkageName,
                        CudaTile_DIParameter<"DICompileUnitAttr">:$compileUnit,
                        DefaultValuedParameter<"unsigned", "0">:$scopeLine,
                        DefaultValuedParameter<
                            "::mlir::cuda_tile::DISubprogramFlags",
                            "::mlir::cuda_tile::DISubprogramFlags::None">
                            :$flags);
  let skipDefaultBuilders = 1;
  let builders = [
    AttrBuilder<(ins "::mlir::cuda_tile::DIFileAttr":$file,
                     "unsigned":$line,
                     "::mlir::StringAttr":$name,
                     "::mlir::StringAttr":$linkageName,
                     "::mlir::cuda_tile::DICompileUnitAttr":$compileUnit,
                     "unsigned":$scopeLine,
                     "::mlir::cuda_tile::DISubprogramFlags":$flags), [{
      return $_get($_ctxt, file, line, name, linkageName, compileUnit,
                   scopeLine, flags);
    }]>,
    AttrBuilder<(ins "::mlir::cuda_tile::DIFileAttr":$file, "unsigned":$line,
                     "::mlir::StringAttr":$name,
                     "::mlir::StringAttr":$linkageName,
                     "::mlir::cuda_tile::DICompileUnitAttr":$compileUnit,
                     "unsigned":$scopeLine), [{
      return $_get($_ctxt, file, line, name, linkageName, compileUnit,
                   scopeLine, ::mlir::cuda_tile::DISubprogramFlags::None);
    }]>,
  ];
  let assemblyFormat = "`<` struct(params) `>`";
  let extraClassDeclaration = [{
    /// A copy of this subprogram under another linkage name.
    DISubprogramAttr cloneWithNewLinkageName(::mlir::StringAttr newName) const {
      return get(getContext(), getFile(), getLine(), getName(), newName,
                 getCompileUnit(), getScopeLine(), getFlags());
    }
  }];
}

def CudaTile_DILexicalBlockAttr
    : CudaTile_Attr<"DILexicalBlock", "di_lexical_block", "13.1", [],
                    "::mlir::cuda_tile::DILocalScopeAttr"> {
  let summary = "block inside of a function of the source program";
  let description = [{
    ```mlir
    #cuda_tile.di_lexical_block<scope = #di_subprogram, file = #di_file, line = 7, column = 3>
    ```
  }];
  let parameters = (ins CudaTile_DIParameter<"DILocalScopeAttr">:$scope,
                        CudaTile_DIParameter<"DIFileAttr">:$file,
                        "unsigned":$line,
                        DefaultValuedParameter<"unsigned", "0">:$column);
  let skipDefaultBuilders = 1;
  let builders = [
    AttrBuilder<(ins "::mlir::cuda_tile::DILocalScopeAttr":$scope,
                     "::mlir::cuda_tile::DIFileAttr":$file,
                     "unsigned":$line,
                     "unsigned":$column), [{
      return $_get($_ctxt, scope, file, line, column);
    }]>,
  ];
  let assemblyFormat = "`<` struct(params) `>`";
}

def CudaTile_DILocAttr
    : LocationAttrDef<CudaTile_Dialect, "DILoc"> {
  let mnemonic = "di_loc";
  string sinceVersion = "13.1";
  let summary = "location with its scope";
  let description = [{
    ```mlir
    #cuda_tile.di_loc<loc("kernel.py":7:3) in #di_subprogram>
    ```
  }];
  let parameters = (ins CudaTile_DIParameter<"FileLineColLoc", "::mlir">:$sourceLoc,
                        CudaTile_DIParameter<"DILocalScopeAttr">:$scope);
  let skipDefaultBuilders = 1;
  let builders = [
    AttrBuilder<(ins "::mlir::FileLineColLoc":$sourceLoc,
                     "::mlir::cuda_tile::DILocalScopeAttr":$scope), [{
      return $_get($_ctxt, sourceLoc, scope);
    }]>,
  ];
  let assemblyFormat = "`<` $sourceLoc `in` $scope `>`";
}

//===----------------------------------------------------------------------===//
// Testing
//===----------------------------------------------------------------------===//

def CudaTile_BytecodeTestValueAttr
    : CudaTile_Attr<"BytecodeTestValue", "bytecode_test_value", "250.1"> {
  let summary = "attribute of the bytecode evolution tests";
  let description = [{
    ```mlir
    #cuda_tile.bytecode_test_value<7>
    ```
  }];
  let parameters = (ins "int64_t":$value);
  let assemblyFormat = "`<` $value `>`";
}

#endif // DIALECTS_CUDA_TILE_CUDATILEATTRS_TD

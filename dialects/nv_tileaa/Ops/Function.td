// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAA_OPS_FUNCTION_TD
#define DIALECTS_NV_TILEAA_OPS_FUNCTION_TD

include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "dialects/nv_tileaa/NVTileAAAttrs.td"
include "dialects/nv_tileaa/NVTileAAInterfaces.td"
include "dialects/nv_tileaa/NVTileAATypes.td"

def TileAA_FuncOp : TileAA_Op<"func",
    [AutomaticAllocationScope, FunctionOpInterface, IsolatedFromAbove,
     DeclareOpInterfaceMethods<TileAAAliasRootInterface>]> {
  let summary = "Defines a kernel or a device function";
  let description = [{
    The operation stays until the function lowering converts it to `llvm.func`.
    (C1) A kernel returns nothing and is public. (C2) `kernel_spec` only on
    kernels. (C3) One block.

    ```mlir
    nv_tileaa.func kernel @k(%p: !nv_tileaa.ptr<f32> {nv_tileaa.noalias}, %n: i32)
        attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs,
    UnitAttr:$kernel,
    OptionalAttr<TileAA_KernelSpecAttr>:$kernel_spec
  );
  let regions = (region AnyRegion:$body);
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type,
                   CArg<"bool", "false">:$kernel)>
  ];
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
    ::mlir::Region *getCallableRegion() {
      return isExternal() ? nullptr : &getBody();
    }
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def TileAA_ReturnOp : TileAA_Op<"return",
    [Pure, HasParent<"FuncOp">, Terminator, ReturnLike]> {
  let summary = "Ends a function";
  let description = [{
    (C1) The operands are the results of the function.

    ```mlir
    nv_tileaa.return %x : i32
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ValueRange()); }]>];
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let hasVerifier = 1;
}

def TileAA_YieldOp : TileAA_Op<"yield",
    [Pure, Terminator, ReturnLike,
     ParentOneOf<["ReduceOp", "ScanOp", "GenerateOp", "PragmaOp",
                  "ExecuteOp"]>]> {
  let summary = "Ends a region and yields values";
  let description = [{
    ```mlir
    nv_tileaa.yield %x : f32
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ValueRange()); }]>];
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

def TileAA_CallOp : TileAA_Op<"call",
    [DeclareOpInterfaceMethods<CallOpInterface>,
     DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Calls a device function";
  let description = [{
    (C1) The callee is a function of the same module and no kernel. (C2) Types
    agree.

    ```mlir
    %0 = nv_tileaa.call @helper(%n) : (i32) -> i32
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$operands,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $callee `(` $operands `)` attr-dict `:`
    functional-type($operands, $results)
  }];
}

def TileAA_LaunchFuncOp : TileAA_Op<"launch_func"> {
  let summary = "Launches a kernel from host code";
  let description = [{
    (C1) Not inside a `gpu.module`.

    ```mlir
    nv_tileaa.launch_func @m::@k grid(%x, %y, %z) args(%p : !nv_tileaa.ptr<f32>)
    ```
  }];
  let arguments = (ins SymbolRefAttr:$kernel, I32:$grid_x, I32:$grid_y,
                       I32:$grid_z, Variadic<AnyType>:$args);
  let assemblyFormat = [{
    $kernel `grid` `(` $grid_x `,` $grid_y `,` $grid_z `)`
    (`args` `(` $args^ `:` type($args) `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

def TileAA_ExecuteOp : TileAA_Op<"execute",
    [RecursiveMemoryEffects,
     DeclareOpInterfaceMethods<RegionBranchOpInterface,
                               ["getEntrySuccessorOperands"]>,
     SingleBlockImplicitTerminator<"::mlir::nv_tileaa::YieldOp">]> {
  let summary = "Runs a region on warps of its own";
  let description = [{
    ```mlir
    %1 = nv_tileaa.execute warps = 4 max_regs = 232 (%0 : i32) -> (i32) {
    ^bb0(%a: i32):
      nv_tileaa.yield %a : i32
    }
    ```
  }];
  let arguments = (ins I32Attr:$num_warps, OptionalAttr<I32Attr>:$max_regs,
                       Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `warps` `=` $num_warps (`max_regs` `=` $max_regs^)?
    (` ` `(` $inputs^ `:` type($inputs) `)`)? (`->` `(` type($results)^ `)`)?
    attr-dict-with-keyword $body
  }];
}

def TileAA_PluginOp : TileAA_Op<"plugin"> {
  let summary = "Represents a fragment that another tool provides";
  let description = [{
    ```mlir
    %0 = nv_tileaa.plugin "name"(%x) {max_regs = 64 : i32} : (i32) -> i32
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<AnyType>:$inputs,
                       OptionalAttr<I32Attr>:$max_regs,
                       OptionalAttr<I32Attr>:$smem_bytes,
                       OptionalAttr<I32Attr>:$tmem_bytes,
                       OptionalAttr<I32Attr>:$named_barriers,
                       OptionalAttr<ArrayAttr>:$input_layouts,
                       OptionalAttr<ArrayAttr>:$output_layouts);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $name `(` $inputs `)` attr-dict `:` functional-type($inputs, $results)
  }];
}

def TileAA_InjectIROp : TileAA_Op<"inject_ir"> {
  let summary = "Carries IR text that a late pass splices in";
  let description = [{
    ```mlir
    %0 = nv_tileaa.inject_ir "llvm" "text"(%x) : (i32) -> i32
    ```
  }];
  let arguments = (ins StrAttr:$kind, StrAttr:$text,
                       Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $kind $text `(` $inputs `)` attr-dict `:`
    functional-type($inputs, $results)
  }];
}

#endif // DIALECTS_NV_TILEAA_OPS_FUNCTION_TD

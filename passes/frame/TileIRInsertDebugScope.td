// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_FRAME_TILEIRINSERTDEBUGSCOPE_TD
#define PASSES_FRAME_TILEIRINSERTDEBUGSCOPE_TD

include "mlir/Pass/PassBase.td"

def TileIRInsertDebugScope : Pass<"tileir-insert-debug-scope"> {
  let summary = "Adds a debug scope to every function and operation";
  let description = [{
    Attaches a subprogram to every function without one, named after it, at its
    file and line. The operations of the function get this scope with the
    location they have, or the line of the function when theirs is unknown. Line
    tables need both. Existing scopes stay, and call sites keep both sides. A
    second run changes nothing.

    Input:

    ```mlir
    llvm.func @k() {
      llvm.return loc("k.py":5:3)
    } loc("k.py":4:1)
    ```

    Output:

    ```mlir
    #file = #llvm.di_file<"k.py" in "">
    #unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, producer = "tileir", isOptimized = true, emissionKind = LineTablesOnly>
    #type = #llvm.di_subroutine_type<>
    #k = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "k", linkageName = "k", file = #file, line = 4, scopeLine = 4, subprogramFlags = "Definition|Optimized", type = #type>
    llvm.func @k() {
      llvm.return loc(fused<#k>["k.py":5:3])
    } loc(fused<#k>["k.py":4:1])
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"emissionKind", "emission-kind", "std::string",
           /*default=*/"\"line-tables-only\"",
           "Debug information of new compile units: line-tables-only or full">,
    Option<"producer", "producer", "std::string", /*default=*/"\"tileir\"",
           "Producer of new compile units">,
  ];
  let statistics = [
    Statistic<"numScopes", "num-scopes",
              "Functions that got a scope">,
  ];
}

#endif // PASSES_FRAME_TILEIRINSERTDEBUGSCOPE_TD

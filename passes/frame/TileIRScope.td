// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_FRAME_TILEIRSCOPE_TD
#define PASSES_FRAME_TILEIRSCOPE_TD

include "mlir/Pass/PassBase.td"

def TileIRScope : Pass<"tileir-scope", "::mlir::ModuleOp"> {
  let summary = "Opens or closes a named instrumentation scope";
  let description = [{
    Opens or closes a scope with a public name around a part of the pipeline, for
    profilers and logs. The pass stands at both ends. When the pipeline fails in
    between, the dialect closes the scope as not completed, at the latest when
    the context ends. The pass changes nothing and preserves all analyses.

    Input and output, with `name=CompileNVVM phase=begin`:

    ```mlir
    module {
    }
    ```
  }];
  let options = [
    Option<"name", "name", "std::string", /*default=*/"\"CompileNVVM\"",
           "Name of the scope">,
    Option<"phase", "phase", "std::string", /*default=*/"\"begin\"",
           "begin opens the scope, end closes it">,
  ];
}

#endif // PASSES_FRAME_TILEIRSCOPE_TD

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_CUDA_TILE_TESTDEBUGINFOUPDATESYMBOLNAME_TD
#define PASSES_CUDA_TILE_TESTDEBUGINFOUPDATESYMBOLNAME_TD

include "mlir/Pass/PassBase.td"

def TestDebugInfoUpdateSymbolName
    : Pass<"test-debuginfo-update-symbol-name"> {
  let summary = "Renames a symbol together with its debug information";
  let description = [{
    Renames the symbol, and the linkage name of its subprogram wherever the
    scope uses it. For tests of `updateSymbolName`. Nested symbols are written
    `outer::inner`.

    Input, with `symbol-to-rename=m::k new-name=k2`:

    ```mlir
    cuda_tile.module @m {
      testing$func @k() {
      }
    }
    ```

    Output:

    ```mlir
    cuda_tile.module @m {
      testing$func @k2() {
      }
    }
    ```
  }];
  let options = [
    Option<"symbolToRename", "symbol-to-rename", "std::string",
           /*default=*/"\"\"", "The symbol">,
    Option<"scope", "scope", "std::string", /*default=*/"\"\"",
           "The symbol in which its uses are; the root when empty">,
    Option<"newName", "new-name", "std::string", /*default=*/"\"\"",
           "Its new name">,
    Option<"updateUses", "update-uses", "bool", /*default=*/"false",
           "Also rename the references to it">,
  ];
}

#endif // PASSES_CUDA_TILE_TESTDEBUGINFOUPDATESYMBOLNAME_TD

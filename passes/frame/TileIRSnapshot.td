// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_FRAME_TILEIRSNAPSHOT_TD
#define PASSES_FRAME_TILEIRSNAPSHOT_TD

include "mlir/Pass/PassBase.td"

def TileIRSnapshot : Pass<"tileir-snapshot"> {
  let summary = "Prints the IR with locations under a title";
  let description = [{
    Prints the IR at a named place of the pipeline, with debug locations, so
    that source lines can be followed. Changes nothing and preserves all
    analyses.

    Input:

    ```mlir
    gpu.module @m {
    }
    ```

    Printed with `tag=after-frontend`:

    ```
    // -----// TileIR snapshot: after-frontend //----- //
    gpu.module @m {
    } loc(#loc)
    ```
  }];
  let options = [
    Option<"tag", "tag", "std::string", /*default=*/"\"\"",
           "Title of the snapshot">,
    Option<"file", "file", "std::string", /*default=*/"\"\"",
           "File to append to; empty prints to the error stream">,
  ];
}

#endif // PASSES_FRAME_TILEIRSNAPSHOT_TD

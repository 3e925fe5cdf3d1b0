// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_CUDA_TILE_SYNTHESIZEDEBUGINFOSCOPES_TD
#define PASSES_CUDA_TILE_SYNTHESIZEDEBUGINFOSCOPES_TD

include "mlir/Pass/PassBase.td"

def SynthesizeDebugInfoScopes
    : Pass<"synthesize-debug-info-scopes", "::mlir::cuda_tile::ModuleOp"> {
  let summary = "Adds a debug scope to functions with file locations";
  let description = [{
    Attaches a subprogram to each function whose front end writes file locations
    only, named after the function, in a compile unit of the module's file
    (`<unknown>` without one). Line tables need a subprogram. An operation
    without a file location gets the function's. Functions with debug information
    stay as they are, and so do globals and the locations of block arguments.

    Input:

    ```mlir
    cuda_tile.module @kernels {
      entry @k() {
        return loc("k.py":5:3)
      } loc("k.py":4:1)
    } loc("/src/k.py":1:1)
    ```

    Output:

    ```mlir
    #di_file = #cuda_tile.di_file<"k.py" in "">
    #di_file1 = #cuda_tile.di_file<"k.py" in "/src">
    #di_compile_unit = #cuda_tile.di_compile_unit<file = #di_file1>
    #di_subprogram = #cuda_tile.di_subprogram<file = #di_file, line = 4, name = "k", linkageName = "k", compileUnit = #di_compile_unit, scopeLine = 4>
    cuda_tile.module @kernels {
      entry @k() {
        return loc(#cuda_tile.di_loc<loc("k.py":5:3) in #di_subprogram>)
      } loc(#cuda_tile.di_loc<loc("k.py":4:1) in #di_subprogram>)
    } loc("/src/k.py":1:1)
    ```
  }];
  let statistics = [
    Statistic<"numScopes", "num-scopes",
              "Functions that got a scope">,
  ];
}

#endif // PASSES_CUDA_TILE_SYNTHESIZEDEBUGINFOSCOPES_TD

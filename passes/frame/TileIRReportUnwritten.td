// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_FRAME_TILEIRREPORTUNWRITTEN_TD
#define PASSES_FRAME_TILEIRREPORTUNWRITTEN_TD

include "mlir/Pass/PassBase.td"

def TileIRReportUnwritten : Pass<"tileir-report-unwritten"> {
  let summary = "Reports that no pass of the pipeline writes a requested file";
  let description = [{
    Emits a missed remark at the anchor for a file that no pass writes. The
    builder of a pipeline leaves out passes by its options and cannot give
    diagnostics. Where the user asked a left-out pass for a file, the builder
    adds this pass in its place. The pass changes nothing and preserves all
    analyses.

    Input, with `file=trace.json because=v2-opt-level=0`:

    ```mlir
    module {
    }
    ```

    Output: the same, and the remark `'trace.json' is not written` with the
    reason `no pass writes it with v2-opt-level=0`.
  }];
  let options = [
    Option<"file", "file", "std::string", /*default=*/"\"\"",
           "Name of the file">,
    Option<"because", "because", "std::string", /*default=*/"\"\"",
           "Option of the pipeline that leaves out the pass">,
    Option<"category", "category", "std::string", /*default=*/"\"frame\"",
           "Category of the remark: the family of the pass that would write it">,
  ];
}

#endif // PASSES_FRAME_TILEIRREPORTUNWRITTEN_TD

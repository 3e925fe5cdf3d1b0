// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_NVTILEASINTERFACES_TD
#define DIALECTS_NV_TILEAS_NVTILEASINTERFACES_TD

include "mlir/IR/OpBase.td"

def TileAS_MemoryConsistencyOpInterface
    : OpInterface<"MemoryConsistencyOpInterface"> {
  let cppNamespace = "::mlir::nv_tileas";
  let description = [{
    Marks operations whose order other operations may rely on. Folding never
    moves, duplicates or erases one, except a dead load whose token is
    forwarded.
  }];
  let methods = [
    InterfaceMethod<"The token the operation waits for, null when there is none.",
                    "::mlir::Value", "getInputMemToken">,
    InterfaceMethod<"The token that stands for its completion, null when there is none.",
                    "::mlir::Value", "getResultMemToken">,
  ];
}

#endif // DIALECTS_NV_TILEAS_NVTILEASINTERFACES_TD

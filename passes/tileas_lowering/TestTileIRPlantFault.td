// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_LOWERING_TESTTILEIRPLANTFAULT_TD
#define PASSES_TILEAS_LOWERING_TESTTILEIRPLANTFAULT_TD

include "mlir/Pass/PassBase.td"

def TestTileIRPlantFault : Pass<"test-tileir-plant-fault"> {
  let summary = "Injects a fault into a kernel or the compilation";
  let description = [{
    Injects a fault, for tests of the tools that find faults. `wrong-add`
    replaces the first addition of tiles by a subtraction, `wrong-bound` removes
    the last iteration of the first loop, `missing-barrier` removes the first
    `nvvm.barrier0`. A module without such an operation does not change.
    `silent-failure` fails without an error, `crash` aborts.

    Input:

    ```mlir
    nv_tileaa.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
      %sum = arith.addf %a, %b : tensor<8xf32>
      nv_tileaa.return %sum : tensor<8xf32>
    }
    ```

    Output (`fault=wrong-add`):

    ```mlir
    nv_tileaa.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
      %sum = arith.subf %a, %b : tensor<8xf32>
      nv_tileaa.return %sum : tensor<8xf32>
    }
    ```
  }];
  let options = [
    Option<"fault", "fault", "std::string", "\"wrong-add\"",
           "Which of them">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // PASSES_TILEAS_LOWERING_TESTTILEIRPLANTFAULT_TD

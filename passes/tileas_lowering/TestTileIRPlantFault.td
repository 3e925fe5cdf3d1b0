// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_LOWERING_TESTTILEIRPLANTFAULT_TD
#define PASSES_TILEAS_LOWERING_TESTTILEIRPLANTFAULT_TD

include "mlir/Pass/PassBase.td"

def TestTileIRPlantFault : Pass<"test-tileir-plant-fault"> {
  let summary = "Breaks a kernel, or the compilation";
  let description = [{
    For tests of what finds faults. `wrong-add` makes the first addition of tiles
    a subtraction, `wrong-bound` takes the last iteration of the first loop away,
    `missing-barrier` takes the first `nvvm.barrier0` away. What has no such place
    stays as it is. `silent-failure` fails without an error, `crash` aborts.

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

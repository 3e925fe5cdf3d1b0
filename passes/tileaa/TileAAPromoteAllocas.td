// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAA_TILEAAPROMOTEALLOCAS_TD
#define PASSES_TILEAA_TILEAAPROMOTEALLOCAS_TD

include "mlir/Pass/PassBase.td"

def TileAAPromoteAllocas
    : Pass<"tileaa-promote-allocas", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Promotes local arrays with constant indices to registers";
  let description = [{
    Promotes each allocation whose accesses are all at constant places: each
    place becomes an SSA value, a number or a tile that branches and loops
    carry. C++ front ends put local arrays, and variables whose address is
    taken, into memory of the tile block. The pass first unrolls a loop of few
    iterations that makes indices constant, if no other index remains. It erases
    allocations without readers.

    An allocation stays in memory, as a whole, if its address escapes from
    accesses, if accesses overlap without being equal, or if the program shares
    it with other tile blocks. A place that is read before it is written has no
    defined value.

    Input:

    ```mlir
    nv_tileaa.func kernel @f(%x: f32, %out: !nv_tileaa.ptr<f32>) {
      %c4 = arith.constant 4 : i64
      %0 = nv_tileaa.alloca 8 align 4 : !nv_tileaa.ptr<i8>
      %1 = nv_tileaa.addptr %0, %c4 : !nv_tileaa.ptr<i8>, i64
      %2 = nv_tileaa.bitcast %1 : !nv_tileaa.ptr<i8> -> !nv_tileaa.ptr<f32>
      %t1 = nv_tileaa.store weak %2, %x : !nv_tileaa.ptr<f32>, f32
      %v, %t2 = nv_tileaa.load weak %2 token %t1 : !nv_tileaa.ptr<f32> -> f32
      %t3 = nv_tileaa.store weak %out, %v token %t2 : !nv_tileaa.ptr<f32>, f32
      nv_tileaa.return
    }
    ```

    Output:

    ```mlir
    nv_tileaa.func kernel @f(%x: f32, %out: !nv_tileaa.ptr<f32>) {
      %c4 = arith.constant 4 : i64
      %t = nv_tileaa.create_mem_token
      %t3 = nv_tileaa.store weak %out, %x token %t : !nv_tileaa.ptr<f32>, f32
      nv_tileaa.return
    }
    ```
  }];
  let options = [
    Option<"maxTrips", "max-trips", "int64_t", /*default=*/"64",
           "Maximum trip count of a loop that is unrolled">,
    Option<"maxUnrolledOps", "max-unrolled-ops", "int64_t", /*default=*/"2048",
           "Maximum number of operations of a loop and its nested loops after unrolling">,
    Option<"maxPlaces", "max-places", "int64_t", /*default=*/"64",
           "Maximum number of values that an allocation becomes">,
  ];
  let statistics = [
    Statistic<"numPromoted", "num-promoted",
              "Number of allocations that became values">,
    Statistic<"numUnrolled", "num-unrolled", "Number of loops unrolled">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::nv_tileaa::TileAADialect",
    "::mlir::scf::SCFDialect",
    "::mlir::ub::UBDialect",
  ];
}

#endif // PASSES_TILEAA_TILEAAPROMOTEALLOCAS_TD

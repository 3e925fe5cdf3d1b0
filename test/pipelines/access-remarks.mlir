// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses that are no tensor copies, and loads of loops that stay synchronous, say why.
// RUN: %mlir-opt %s --load-dialect-plugin=%libTileIR.so --load-pass-plugin=%libTileIR.so --pass-pipeline='builtin.module(tileir{opt-level=3 compute-capability=sm_90 pipeline-strategy=warp-specialize})' --remark-format=emitRemark --remarks-filter-missed=tileas -o %t.mlir 2>&1 | FileCheck %s --check-prefixes=CHECK,SM90
// RUN: %mlir-opt %s --load-dialect-plugin=%libTileIR.so --load-pass-plugin=%libTileIR.so --pass-pipeline='builtin.module(tileir{opt-level=3 compute-capability=sm_80 pipeline-strategy=warp-specialize})' --remark-format=emitRemark --remarks-filter-missed=tileas -o %t.mlir 2>&1 | FileCheck %s --check-prefixes=CHECK,SM80

!view = !cuda_tile.tensor_view<?x?xf32, strides=[?,1]>
!tiles = !cuda_tile.partition_view<tile=(32x32), tensor_view<?x?xf32, strides=[?,1]>>
!rows = !cuda_tile.gather_scatter_view<tile=(32x32), tensor_view<?x?xf32, strides=[?,1]>, sparse_dim=0>
cuda_tile.module @kernels {
  // CHECK: Function=pointers | {{.*}}Reason="no mma of its loop takes the tile as it is loaded"{{.*}}load stays synchronous
  // SM90: Function=pointers | {{.*}}Reason="it uses pointers", Remark="no tensor copy", Suggestion="store through a partition view"
  // SM80-NOT: Function=pointers
  entry @pointers(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>, %n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c128 = constant <i32: 128> : tile<i32>
    %iota = iota : tile<128xi32>
    %p1 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %pb = broadcast %p1 : tile<1xptr<f32>> -> tile<128xptr<f32>>
    %q1 = reshape %q : tile<ptr<f32>> -> tile<1xptr<f32>>
    %qb = broadcast %q1 : tile<1xptr<f32>> -> tile<128xptr<f32>>
    for %i in (%c0 to %n, step %c1) : tile<i32> {
      %o = muli %i, %c128 : tile<i32>
      %o1 = reshape %o : tile<i32> -> tile<1xi32>
      %ob = broadcast %o1 : tile<1xi32> -> tile<128xi32>
      %at = addi %iota, %ob : tile<128xi32>
      %x = offset %pb, %at : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
      %y = offset %qb, %at : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
      %v, %t = load_ptr_tko weak %x : tile<128xptr<f32>> -> tile<128xf32>, token
      %w = addf %v, %v rounding<nearest_even> : tile<128xf32>
      %u = store_ptr_tko weak %y, %w : tile<128xptr<f32>>, tile<128xf32> -> token
    }
    return
  }

  // Loads of loops come before the others, which another pass looks at.
  // CHECK: Function=views | {{.*}}Reason="no mma of its loop takes the tile as it is loaded"{{.*}}load stays synchronous
  // CHECK: Function=views | {{.*}}Reason="its rows are gathered one by one"{{.*}}load stays synchronous
  // SM90: Function=views | {{.*}}Reason="it is atomic"{{.*}}no tensor copy
  // SM90: Function=views | {{.*}}Reason="its rows are gathered one by one"{{.*}}no tensor copy
  // SM90: Function=views | {{.*}}Reason="outside of loops threads load as fast"{{.*}}no tensor copy
  // SM90: Function=views | {{.*}}Reason="every iteration of a loop would wait for it"{{.*}}no tensor copy
  // SM80-NOT: no tensor copy
  entry @views(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>, %r: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %rows = iota : tile<32xi32>
    %from = make_tensor_view %p, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !view
    %to = make_tensor_view %q, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !view
    %sums = make_tensor_view %r, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !view
    %x = make_partition_view %from : !tiles
    %g = make_gather_scatter_view %from : !rows
    %y = make_partition_view %to : !tiles
    %s = make_gather_scatter_view %to : !rows
    %z = make_partition_view %sums : !tiles
    %first, %t0 = load_view_tko weak %x[%c0, %c0] : !tiles, tile<i32> -> tile<32x32xf32>, token
    for %i in (%c1 to %n, step %c1) : tile<i32> {
      %a, %t1 = load_view_tko weak %x[%i, %c0] : !tiles, tile<i32> -> tile<32x32xf32>, token
      %b, %t2 = load_view_tko weak %g[%rows, %i] : !rows, tile<32xi32>, tile<i32> -> tile<32x32xf32>, token
      %c = addf %a, %b rounding<nearest_even> : tile<32x32xf32>
      %d = addf %c, %first rounding<nearest_even> : tile<32x32xf32>
      %t3 = store_view_tko weak %d, %y[%i, %c0] : tile<32x32xf32>, !tiles, tile<i32> -> token
      %t4 = atomic_red_view_tko relaxed device %z[%i, %c0], addf, %d : tile<32x32xf32>, !tiles, tile<i32> -> token
    }
    %t5 = store_view_tko weak %first, %s[%rows, %c0] : tile<32x32xf32>, !rows, tile<32xi32>, tile<i32> -> token
    return
  }
}

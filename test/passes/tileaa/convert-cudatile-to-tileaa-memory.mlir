// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileAAPasses.so --load-pass-plugin=%libTileAAPasses.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(convert-cudatile-to-tileaa{compute-capability=sm_90a}))' | FileCheck %s
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(convert-cudatile-to-tileaa{compute-capability=sm_90a keep-assumes=false}))' \
// RUN:   | FileCheck %s --check-prefix=DROP

gpu.module @m {
  cuda_tile.module @inner {
    // CHECK: nv_tileaa.global "private" constant @lut align 128 = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
    global private constant @lut alignment = 128 <f32: [1.0, 2.0]> : tile<2xf32>

    // CHECK-LABEL: nv_tileaa.func kernel @pointers(
    // CHECK-SAME: %[[P:.*]]: !nv_tileaa.ptr<f32> {nv_tileaa.div_by = 16 : i64}, %[[N:.*]]: i32)
    // DROP-LABEL: nv_tileaa.func kernel @pointers(
    // DROP-NOT: assume
    entry @pointers(%p: tile<ptr<f32>>, %n: tile<i32>) {
      // CHECK-NEXT: %[[A:.*]] = nv_tileaa.assume %[[P]] [#nv_tileaa.div_by<16>] : !nv_tileaa.ptr<f32>
      %0 = assume div_by<16>, %p : tile<ptr<f32>>
      // CHECK-NEXT: nv_tileaa.assume %[[N]] [#nv_tileaa.bounded<0, ?>] : i32
      %1 = assume bounded<0, ?>, %n : tile<i32>
      %2 = reshape %0 : tile<ptr<f32>> -> tile<1xptr<f32>>
      %3 = broadcast %2 : tile<1xptr<f32>> -> tile<64xptr<f32>>
      %4 = iota : tile<64xi32>
      // CHECK: %[[Q:.*]] = nv_tileaa.addptr %{{.*}}, %{{.*}} : tensor<64x!nv_tileaa.ptr<f32>>, tensor<64xi32>
      %5 = offset %3, %4 : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
      // CHECK: %[[M:.*]] = arith.constant dense<true>
      %mask = constant <i1: true> : tile<64xi1>
      // CHECK: %[[Z:.*]] = arith.constant dense<0.000000e+00>
      %pad = constant <f32: 0.0> : tile<64xf32>
      // CHECK: %[[T0:.*]] = nv_tileaa.create_mem_token
      %t0 = make_token : token
      // CHECK: %[[LD:.*]], %[[T1:.*]] = nv_tileaa.load weak %[[Q]] mask %[[M]] other %[[Z]] token %[[T0]] : tensor<64x!nv_tileaa.ptr<f32>> -> tensor<64xf32>
      %v, %t1 = load_ptr_tko weak %5, %mask, %pad token=%t0 : tile<64xptr<f32>>, tile<64xi1>, tile<64xf32> -> tile<64xf32>, token
      // CHECK: %{{.*}}, %[[T2:.*]] = nv_tileaa.load acquire gpu %[[Q]] {latency = 5 : i32} :
      %w, %t2 = load_ptr_tko acquire device %5 optimization_hints = <sm_90 = {latency = 5}> : tile<64xptr<f32>> -> tile<64xf32>, token
      // CHECK: %[[J:.*]] = nv_tileaa.join_mem_token %[[T1]], %[[T2]]
      %j = join_tokens %t1, %t2 : token
      // CHECK: nv_tileaa.store release sys %[[Q]], %[[LD]] mask %[[M]] token %[[J]] :
      %t3 = store_ptr_tko release sys %5, %v, %mask token=%j : tile<64xptr<f32>>, tile<64xf32>, tile<64xi1> -> token
      // Elements that are masked off read as zero.
      // CHECK: %[[OLD:.*]], %{{.*}} = nv_tileaa.atomic_rmw addf relaxed tl_blk %[[Q]], %[[LD]] mask %[[M]] :
      // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<64xf32>
      // CHECK: %[[SEL:.*]] = arith.select %[[M]], %[[OLD]], %[[ZERO]]
      %o, %t4 = atomic_rmw_tko relaxed tl_blk %5, addf, %v, %mask : tile<64xptr<f32>>, tile<64xf32>, tile<64xi1> -> tile<64xf32>, token
      // CHECK: nv_tileaa.atomic_cas acq_rel gpu %[[Q]], %[[SEL]], %[[LD]] :
      %c, %t5 = atomic_cas_tko acq_rel device %5, %o, %v : tile<64xptr<f32>>, tile<64xf32> -> tile<64xf32>, token
      // CHECK: %[[PR:.*]] = nv_tileaa.print "%f", %{{.*}} : tensor<64xf32> token %[[T0]]
      %t6 = print_tko "%f", %c token=%t0 : tile<64xf32> -> token
      // CHECK: nv_tileaa.assert %[[M]], "why"
      assert %mask, "why" : tile<64xi1>
      // CHECK: nv_tileaa.get_global @lut : !nv_tileaa.ptr<f32>
      %g = get_global @lut : tile<ptr<f32>>
      // CHECK: nv_tileaa.alloca 64 align 16 shareable : !nv_tileaa.ptr<f32>
      %al = alloca num_elem = 64, alignment = 16 global : tile<ptr<f32>>
      // CHECK: nv_tileaa.return
      return
    }

    // CHECK-LABEL: nv_tileaa.func kernel @views(
    // CHECK-SAME: %[[P:.*]]: !nv_tileaa.ptr<f32>, %[[N:.*]]: i32, %[[LD:.*]]: i64, %[[X:.*]]: i32, %[[B:.*]]: i8)
    entry @views(%p: tile<ptr<f32>>, %n: tile<i32>, %ld: tile<i64>, %x: tile<i32>, %b: tile<i8>) {
      // CHECK-NEXT: %[[N64:.*]] = arith.extui %[[N]] : i32 to i64
      // CHECK-NEXT: %[[M:.*]] = nv_tileaa.make_memref %[[P]] sizes[%[[N64]]] scope 1 : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<?x96xf32, strides = [96, 1], scope = 1>
      %0 = make_tensor_view %p, shape = [%n, 96], strides = [96, 1] : tile<i32> -> tensor_view<?x96xf32, strides=[96,1]>
      // CHECK-NEXT: nv_tileaa.make_memref %[[P]] sizes[%[[LD]]] strides[%[[LD]]] scope 1 : {{.*}} !nv_tileaa.memref<?x96xf32, strides = [?, 1], scope = 1>
      %1 = make_tensor_view %p, shape = [%ld, 96], strides = [%ld, 1] : tile<i64> -> tensor_view<?x96xf32, strides=[?,1]>
      // CHECK-NEXT: %[[PV:.*]] = nv_tileaa.block_tile %[[M]] : {{.*}} -> !nv_tileaa.tiled_view<8x64 of !nv_tileaa.memref<?x96xf32, strides = [96, 1], scope = 1>, dims = [1, 0], padding = neg_zero>
      %pv = make_partition_view %0 : partition_view<tile=(8x64), padding_value = neg_zero, tensor_view<?x96xf32, strides=[96,1]>, dim_map=[1, 0]>
      // CHECK-NEXT: %[[SV:.*]] = nv_tileaa.block_tile %[[M]] : {{.*}} -> !nv_tileaa.tiled_view<16x32 of {{.*}}, steps = [8, 32]>
      %sv = make_strided_view %0 : strided_view<tile=(16x32), traversal_strides=[8,32], tensor_view<?x96xf32, strides=[96,1]>>
      // CHECK-NEXT: %[[GV:.*]] = nv_tileaa.block_tile %[[M]] : {{.*}} -> !nv_tileaa.tiled_view<16x32 of {{.*}}, steps = [1, 1], sparse = 0, padding = zero>
      %gv = make_gather_scatter_view %0 : gather_scatter_view<tile=(16x32), padding_value = zero, tensor_view<?x96xf32, strides=[96,1]>, sparse_dim=0>
      // CHECK-NEXT: %[[V:.*]], %[[T1:.*]] = nv_tileaa.tiled_load weak %[[PV]][%[[X]], %[[X]]] {allow_tma = false, latency = 3 : i32} : {{.*}}[i32, i32] -> tensor<8x64xf32>
      %v, %t1 = load_view_tko weak %pv[%x, %x] optimization_hints = <default = {allow_tma = false, latency = 3}> : partition_view<tile=(8x64), padding_value = neg_zero, tensor_view<?x96xf32, strides=[96,1]>, dim_map=[1, 0]>, tile<i32> -> tile<8x64xf32>, token
      // Narrow coordinates are unsigned.
      // CHECK-NEXT: %[[BX:.*]] = arith.extui %[[B]] : i8 to i32
      // CHECK-NEXT: %[[BY:.*]] = arith.extui %[[B]] : i8 to i32
      // CHECK-NEXT: %[[W:.*]], %[[T2:.*]] = nv_tileaa.tiled_load weak %[[SV]][%[[BX]], %[[BY]]] token %[[T1]] :
      %w, %t2 = load_view_tko weak %sv[%b, %b] token = %t1 : strided_view<tile=(16x32), traversal_strides=[8,32], tensor_view<?x96xf32, strides=[96,1]>>, tile<i8> -> tile<16x32xf32>, token
      // CHECK-NEXT: %[[R:.*]] = nv_tileaa.make_range 0 to 16 : tensor<16xi32>
      %rows = iota : tile<16xi32>
      // CHECK-NEXT: %[[G:.*]], %{{.*}} = nv_tileaa.gather_load relaxed gpu %[[GV]][%[[R]], %[[X]]] : {{.*}}[tensor<16xi32>, i32] -> tensor<16x32xf32>
      %g, %t3 = load_view_tko relaxed device %gv[%rows, %x] : gather_scatter_view<tile=(16x32), padding_value = zero, tensor_view<?x96xf32, strides=[96,1]>, sparse_dim=0>, tile<16xi32>, tile<i32> -> tile<16x32xf32>, token
      // CHECK-NEXT: nv_tileaa.tiled_store release tl_blk %[[W]], %[[SV]][%[[X]], %[[X]]] token %[[T2]] : tensor<16x32xf32>
      %t4 = store_view_tko release tl_blk %w, %sv[%x, %x] token = %t2 : tile<16x32xf32>, strided_view<tile=(16x32), traversal_strides=[8,32], tensor_view<?x96xf32, strides=[96,1]>>, tile<i32> -> token
      // CHECK-NEXT: nv_tileaa.scatter_store weak %[[G]], %[[GV]][%[[R]], %[[X]]] : tensor<16x32xf32>
      %t5 = store_view_tko weak %g, %gv[%rows, %x] : tile<16x32xf32>, gather_scatter_view<tile=(16x32), padding_value = zero, tensor_view<?x96xf32, strides=[96,1]>, sparse_dim=0>, tile<16xi32>, tile<i32> -> token
      // CHECK-NEXT: nv_tileaa.tiled_atomic_rmw add relaxed gpu %[[SV]][%[[X]], %[[X]]], %[[W]] : {{.*}}[i32, i32], tensor<16x32xf32>{{$}}
      %t6 = atomic_red_view_tko relaxed device %sv[%x, %x], addf, %w : tile<16x32xf32>, strided_view<tile=(16x32), traversal_strides=[8,32], tensor_view<?x96xf32, strides=[96,1]>>, tile<i32> -> token
      // CHECK-NEXT: %[[D0:.*]] = nv_tileaa.get_dim_size %[[M]] dim = 0
      // CHECK-NEXT: arith.trunci %[[D0]] : i64 to i32
      // CHECK-NEXT: nv_tileaa.get_dim_size %[[M]] dim = 1
      // CHECK-NEXT: arith.trunci
      %d0, %d1 = get_tensor_shape %0 : tensor_view<?x96xf32, strides=[96,1]> -> tile<i32>
      // Tile dimension 0 walks memref dimension 1 in steps of 8.
      // CHECK-NEXT: %[[S1:.*]] = nv_tileaa.get_dim_size %[[M]] dim = 1
      // CHECK-NEXT: %[[C8:.*]] = arith.constant 8 : i64
      // CHECK-NEXT: arith.ceildivui %[[S1]], %[[C8]] : i64
      // CHECK-NEXT: nv_tileaa.get_dim_size %[[M]] dim = 0
      // CHECK-NEXT: arith.constant 64 : i64
      // CHECK-NEXT: arith.ceildivui
      %i0, %i1 = get_index_space_shape %pv : partition_view<tile=(8x64), padding_value = neg_zero, tensor_view<?x96xf32, strides=[96,1]>, dim_map=[1, 0]> -> tile<i64>
      // The gathered dimension counts elements.
      // CHECK-NEXT: %[[GS:.*]] = nv_tileaa.get_dim_size %[[M]] dim = 0
      // CHECK-NEXT: nv_tileaa.get_dim_size %[[M]] dim = 1
      // CHECK-NEXT: arith.constant 32 : i64
      // CHECK-NEXT: arith.ceildivui
      %g0, %g1 = get_index_space_shape %gv : gather_scatter_view<tile=(16x32), padding_value = zero, tensor_view<?x96xf32, strides=[96,1]>, sparse_dim=0> -> tile<i64>
      // CHECK-NEXT: nv_tileaa.return
      return
    }

    // CHECK-LABEL: nv_tileaa.func kernel @scopes(
    entry @scopes(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>, %i: tile<i64>) {
      // CHECK: nv_tileaa.make_memref %{{.*}} scope 2 :
      %0 = make_tensor_view %q, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
      %g = get_global @lut : tile<ptr<f32>>
      // CHECK: nv_tileaa.make_memref %{{.*}} scope 1024 :
      %1 = make_tensor_view %g, shape = [2], strides = [1] : tensor_view<2xf32, strides=[1]>
      %a = alloca num_elem = 8, alignment = 4 : tile<ptr<f32>>
      %o = offset %a, %i : tile<ptr<f32>>, tile<i64> -> tile<ptr<f32>>
      // CHECK: nv_tileaa.make_memref %{{.*}} scope 4096 :
      %2 = make_tensor_view %o, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
      %u = int_to_ptr %i : tile<i64> -> tile<ptr<f32>>
      // CHECK: nv_tileaa.make_memref %{{[^ ]*}} : {{.*}}strides = [1]>{{$}}
      %3 = make_tensor_view %u, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
      return
    }

    // CHECK-LABEL: nv_tileaa.func kernel @grid(
    entry @grid() {
      // CHECK-NEXT: nv_tileaa.get_program_id x
      // CHECK-NEXT: nv_tileaa.get_program_id y
      // CHECK-NEXT: nv_tileaa.get_program_id z
      %x, %y, %z = get_tile_block_id : tile<i32>
      // CHECK-NEXT: nv_tileaa.get_num_programs x
      // CHECK-NEXT: nv_tileaa.get_num_programs y
      // CHECK-NEXT: nv_tileaa.get_num_programs z
      %a, %b, %c = get_num_tile_blocks : tile<i32>
      return
    }
  }
}

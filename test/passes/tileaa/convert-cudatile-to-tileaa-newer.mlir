// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Additions of releases 13.4 and 13.5.
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileAAPasses.so --load-pass-plugin=%libTileAAPasses.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(convert-cudatile-to-tileaa))' | FileCheck %s

gpu.module @m attributes {nv_tileaa.target_spec = "sm_90"} {
  cuda_tile.module @a {
    // CHECK-LABEL: nv_tileaa.func kernel @insert(
    entry @insert(%i: tile<i32>, %j: tile<i32>) {
      %piece = constant <f32: 0.0> : tile<4x1xf32>
      %whole = constant <f32: 1.0> : tile<8x2xf32>
      // CHECK: %[[AT:.*]] = arith.muli %{{.*}}, %{{.*}} overflow<nuw> : i32
      // CHECK: nv_tileaa.insert_slice %{{.*}} into %{{.*}}[%[[AT]], %{{.*}}] : tensor<4x1xf32> into tensor<8x2xf32>
      %0 = insert %piece, %whole[%i, %j] : tile<4x1xf32>, tile<8x2xf32>
      print_tko "%f", %0 : tile<8x2xf32> -> token
      return
    }

    // CHECK-LABEL: nv_tileaa.func kernel @powers(
    entry @powers(%x: tile<f32>, %h: tile<f16>, %d: tile<f64>, %n: tile<i32>, %s: tile<i8>) {
      // CHECK: math.fpowi %{{.*}}, %{{.*}} : f32, i32
      %0 = fpowi %x, %n : tile<f32>, tile<i32>
      // CHECK: %[[S:.*]] = arith.extsi %{{.*}} : i8 to i32
      // CHECK: math.fpowi %{{.*}}, %[[S]] : f32, i32
      %1 = fpowi %x, %s : tile<f32>, tile<i8>
      // CHECK: math.fpowi %{{.*}}, %{{.*}} : f32, i32
      // CHECK: arith.truncf %{{.*}} : f32 to f16
      %2 = fpowi %h, %s : tile<f16>, tile<i8>
      // CHECK: math.powf %{{.*}}, %{{.*}} : f64
      %3 = fpowi %d, %s : tile<f64>, tile<i8>
      print_tko "%f %f %f %f", %0, %1, %2, %3 : tile<f32>, tile<f32>, tile<f16>, tile<f64> -> token
      return
    }

    // CHECK-LABEL: nv_tileaa.func kernel @conversions(
    entry @conversions(%x: tile<f32>) {
      // CHECK: %[[I:.*]] = arith.fptosi %[[X:.*]] : f32 to i8
      // CHECK: %[[HIGH:.*]] = arith.cmpf oge, %[[X]], %{{.*}} : f32
      // CHECK: arith.select %[[HIGH]], %{{.*}}, %[[I]] : i8
      // CHECK: arith.cmpf ole, %[[X]], %{{.*}} : f32
      // CHECK: arith.cmpf uno, %[[X]], %[[X]] : f32
      %0 = ftoi %x signed saturating : tile<f32> -> tile<i8>
      // CHECK: arith.fptoui
      %1 = ftoi %x unsigned saturating : tile<f32> -> tile<i16>
      // CHECK: %[[MORE:.*]] = arith.addi
      // CHECK: %[[CUT:.*]] = arith.andi %[[MORE]], %{{.*}} : i32
      // CHECK: %[[BACK:.*]] = arith.bitcast %[[CUT]] : i32 to f32
      // CHECK: %[[SAFE:.*]] = arith.select %{{.*}}, %{{.*}}, %[[BACK]] : f32
      // CHECK: nv_tileaa.fp_to_fp %[[SAFE]] rounding<zero> : f32 -> tf32
      %2 = ftof %x rounding<nearest_away> : tile<f32> -> tile<tf32>
      %3 = ftof %2 : tile<tf32> -> tile<f32>
      print_tko "%d %d %f", %0, %1, %3 : tile<i8>, tile<i16>, tile<f32> -> token
      return
    }

    // CHECK-LABEL: nv_tileaa.func kernel @booleans(
    entry @booleans(%p: tile<ptr<i8>>) {
      %t = constant <i1: true> : tile<16xi1>
      // CHECK: nv_tileaa.reduce %{{.*}} axis = 1 identities = [0 : i8] : tensor<2x8xi8> -> tensor<2xi8>
      // CHECK: arith.ori
      %0 = pack %t : tile<16xi1> -> tile<2xi8>
      // CHECK: arith.shrui %{{.*}}, %{{.*}} : tensor<2x8xi8>
      // CHECK: arith.trunci %{{.*}} : tensor<16xi8> to tensor<16xi1>
      %1 = unpack %0 : tile<2xi8> -> tile<16xi1>
      assert %1, "all" : tile<16xi1>
      return
    }

    // CHECK-LABEL: nv_tileaa.func kernel @grids(
    entry @grids() {
      // CHECK: %[[T0:.*]] = nv_tileaa.grid_dependency wait
      %t0 = gdc_wait_tko -> token
      // CHECK: %[[T1:.*]] = nv_tileaa.grid_dependency launch_dependents token %[[T0]]
      %t1 = gdc_launch_dependents_tko token = %t0 -> token
      // CHECK: nv_tileaa.alias_fence token %[[T1]]
      %t2 = memory_fence_alias_tko %t1
      return
    }

    // CHECK-LABEL: nv_tileaa.func kernel @multicast(
    entry @multicast(%p: tile<ptr<f32, <multicast>>>, %n: tile<i32>) {
      %i, %j, %k = get_tile_block_id : tile<i32>
      %tv = make_tensor_view %p, shape = [%n], strides = [1] : tile<ptr<f32, <multicast>>>, tile<i32> -> tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>
      %pv = make_partition_view %tv : partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
      // CHECK: nv_tileaa.tiled_load relaxed sys %{{.*}} in_bounds = [true] {allow_tma = false, nv_tileaa.multimem = #nv_tileaa.rmw_mode<add>}
      %y, %t3 = multimem_load_reduce_view_tko relaxed sys %pv[%i] inbounds = [true] : partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xf32>, token
      // CHECK: nv_tileaa.tiled_atomic_rmw add release sys %{{.*}} {allow_tma = false, nv_tileaa.multimem = #nv_tileaa.rmw_mode<add>}
      %t4 = multimem_reduce_view_tko release sys %pv, %y[%i] : partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<8xf32>, tile<i32> -> token
      // CHECK: nv_tileaa.tiled_store weak %{{.*}} {allow_tma = false, nv_tileaa.multimem = #nv_tileaa.rmw_mode<xchg>}
      %t5 = multimem_store_view_tko weak %pv, %y[%i] : partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<8xf32>, tile<i32> -> token
      return
    }
  }
}

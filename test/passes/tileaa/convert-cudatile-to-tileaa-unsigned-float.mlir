// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fnv8E5M3FNU travels as f8E8M0FNU, bits unchanged; conversions decode and encode it. What comes out is right: //test/coverage.
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileAAPasses.so --load-pass-plugin=%libTileAAPasses.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(convert-cudatile-to-tileaa))' | FileCheck %s

gpu.module @m attributes {nv_tileaa.target_spec = "sm_100"} {
  cuda_tile.module @a {
    // CHECK-LABEL: nv_tileaa.func kernel @k(
    //  CHECK-SAME:   !nv_tileaa.ptr<f8E8M0FNU>
    entry @k(%p: tile<ptr<fnv8E5M3FNU>>, %o: tile<ptr<f32>>) {
      // Half is 70 in hexadecimal, 2^-15 to the type that carries it.
      // CHECK: arith.constant dense<3.0517{{.*}}e-05> : tensor<8xf8E8M0FNU>
      %half = constant <fnv8E5M3FNU: 0.5> : tile<8xfnv8E5M3FNU>
      %tv = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xfnv8E5M3FNU, strides=[1]>
      // CHECK: nv_tileaa.memref<8xf8E8M0FNU,
      %v = make_partition_view %tv : partition_view<tile=(8), padding_value = nan, tensor_view<8xfnv8E5M3FNU, strides=[1]>>
      %c0 = constant <i32: 0> : tile<i32>
      %x, %t = load_view_tko weak %v[%c0] : partition_view<tile=(8), padding_value = nan, tensor_view<8xfnv8E5M3FNU, strides=[1]>>, tile<i32> -> tile<8xfnv8E5M3FNU>, token
      // CHECK: %[[BYTE:.*]] = arith.bitcast %{{.*}} : tensor<8xf8E8M0FNU> to tensor<8xi8>
      // CHECK: arith.shli
      // CHECK: %[[SCALED:.*]] = arith.bitcast %{{.*}} : tensor<8xi32> to tensor<8xf32>
      // CHECK: arith.mulf %[[SCALED]]
      // CHECK: arith.cmpi eq, %[[BYTE]]
      // CHECK: arith.select
      %f = ftof %x : tile<8xfnv8E5M3FNU> -> tile<8xf32>
      %sum = addf %f, %f : tile<8xf32>
      // CHECK: arith.bitcast %{{.*}} : tensor<8xi8> to tensor<8xf8E8M0FNU>
      %y = ftof %sum : tile<8xf32> -> tile<8xfnv8E5M3FNU>
      %u = store_view_tko weak %y, %v[%c0] : tile<8xfnv8E5M3FNU>, partition_view<tile=(8), padding_value = nan, tensor_view<8xfnv8E5M3FNU, strides=[1]>>, tile<i32> -> token
      %w = store_view_tko weak %half, %v[%c0] : tile<8xfnv8E5M3FNU>, partition_view<tile=(8), padding_value = nan, tensor_view<8xfnv8E5M3FNU, strides=[1]>>, tile<i32> -> token
      return
    }
  }
}

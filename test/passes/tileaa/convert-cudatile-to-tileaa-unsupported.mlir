// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that the dialect has and the conversion has not yet: one error at the operation, which says what to do instead.
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileAAPasses.so --load-pass-plugin=%libTileAAPasses.so
// RUN: %{opt} %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(convert-cudatile-to-tileaa))'

gpu.module @m attributes {nv_tileaa.target_spec = "sm_100"} {
  cuda_tile.module @a {
    // expected-error @below {{operation of bytecode tests computes nothing; remove it}}
    testing$func @function() {
      // expected-error @below {{operation of bytecode tests computes nothing; remove it}}
      testing$bytecode_test_new_attribute
      return
    }
  }
}

// -----

// The exactness of a widening conversion does not depend on the mode, and `inbounds` only promises.
gpu.module @m attributes {nv_tileaa.target_spec = "sm_100"} {
  cuda_tile.module @a {
    entry @harmless(%p: tile<ptr<f16, <unicast>>>, %n: tile<i32>) {
      %i, %j, %k = get_tile_block_id : tile<i32>
      %tv = make_tensor_view %p, shape = [%n], strides = [1] : tile<ptr<f16, <unicast>>>, tile<i32> -> tensor_view<?xf16, strides=[1], #cuda_tile.ptr_attr<unicast>>
      %pv = make_partition_view %tv : partition_view<tile=(8), tensor_view<?xf16, strides=[1], #cuda_tile.ptr_attr<unicast>>>
      %x, %t = load_view_tko weak %pv[%i] inbounds = [true] : partition_view<tile=(8), tensor_view<?xf16, strides=[1], #cuda_tile.ptr_attr<unicast>>>, tile<i32> -> tile<8xf16>, token
      %y = ftof %x rounding<nearest_away> : tile<8xf16> -> tile<8xf32>
      %t2 = print_tko "%f", %y : tile<8xf32> -> token
      return
    }
  }
}

// -----

// Multicast memory is for sm_90 and newer.
gpu.module @m attributes {nv_tileaa.target_spec = "sm_80"} {
  cuda_tile.module @a {
    entry @multicast(%p: tile<ptr<f32, <multicast>>>, %n: tile<i32>) {
      %i, %j, %k = get_tile_block_id : tile<i32>
      %tv = make_tensor_view %p, shape = [%n], strides = [1] : tile<ptr<f32, <multicast>>>, tile<i32> -> tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>
      %pv = make_partition_view %tv : partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
      // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' needs sm_90 or newer, target is 'sm_80'; access the memory of each device through a pointer of its own}}
      %y, %t3 = multimem_load_reduce_view_tko relaxed sys %pv[%i] : partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xf32>, token
      // expected-error @below {{'cuda_tile.multimem_reduce_view_tko' needs sm_90 or newer, target is 'sm_80'; access the memory of each device through a pointer of its own}}
      %t4 = multimem_reduce_view_tko relaxed sys %pv, %y[%i] : partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<8xf32>, tile<i32> -> token
      // expected-error @below {{'cuda_tile.multimem_store_view_tko' needs sm_90 or newer, target is 'sm_80'; access the memory of each device through a pointer of its own}}
      %t5 = multimem_store_view_tko weak %pv, %y[%i] : partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<8xf32>, tile<i32> -> token
      return
    }
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adjacent tiles share an address: the constant that an index adds to a multiple must not wrap, and bounds apply to the sum.
cuda_tile.module @kernels {
  entry @side_by_side(%x: tile<ptr<f32>>, %n: tile<i32>, %h: tile<ptr<f16>>, %rows: tile<i32>, %columns: tile<i32>, %near: tile<ptr<f32>>, %below: tile<ptr<f32>>, %copy: tile<ptr<f16>>) {
    %c1 = constant <i32: 1> : tile<i32>
    %c2 = constant <i32: 2> : tile<i32>
    %c3 = constant <i32: 3> : tile<i32>
    %c4 = constant <i32: 4> : tile<i32>
    %minus2 = constant <i32: -2> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %pid, %pid_y, %pid_z = get_tile_block_id : tile<i32>
    %size = assume bounded<0, ?>, %n : tile<i32>
    %xt = make_tensor_view %x, shape = [%size], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %xp = make_partition_view %xt : partition_view<tile=(64), padding_value = zero, tensor_view<?xf32, strides=[1]>>
    %nt = make_tensor_view %near, shape = [768], strides = [1] : tensor_view<768xf32, strides=[1]>
    %np = make_partition_view %nt : partition_view<tile=(64), tensor_view<768xf32, strides=[1]>>
    %at0 = muli %pid, %c4 : tile<i32>
    %at1 = addi %at0, %c1 : tile<i32>
    %at2 = addi %at0, %c2 : tile<i32>
    %at3 = addi %at0, %c3 : tile<i32>
    %v0, %t0 = load_view_tko weak %xp[%at0] : partition_view<tile=(64), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %v1, %t1 = load_view_tko weak %xp[%at1] : partition_view<tile=(64), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %v2, %t2 = load_view_tko weak %xp[%at2] : partition_view<tile=(64), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %v3, %t3 = load_view_tko weak %xp[%at3] : partition_view<tile=(64), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %s0 = store_view_tko weak %v0, %np[%at0] : tile<64xf32>, partition_view<tile=(64), tensor_view<768xf32, strides=[1]>>, tile<i32> -> token
    %s1 = store_view_tko weak %v1, %np[%at1] : tile<64xf32>, partition_view<tile=(64), tensor_view<768xf32, strides=[1]>>, tile<i32> -> token
    %s2 = store_view_tko weak %v2, %np[%at2] : tile<64xf32>, partition_view<tile=(64), tensor_view<768xf32, strides=[1]>>, tile<i32> -> token
    %s3 = store_view_tko weak %v3, %np[%at3] : tile<64xf32>, partition_view<tile=(64), tensor_view<768xf32, strides=[1]>>, tile<i32> -> token

    // The multiple is negative, the sum is not.
    %two = muli %pid, %c2 : tile<i32>
    %two1 = addi %two, %c1 : tile<i32>
    %low = muli %pid, %minus2 : tile<i32>
    %back = addi %low, %c4 : tile<i32>
    %b, %bt = load_view_tko weak %xp[%back] : partition_view<tile=(64), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %rt = make_tensor_view %below, shape = [192], strides = [1] : tensor_view<192xf32, strides=[1]>
    %rp = make_partition_view %rt : partition_view<tile=(64), tensor_view<192xf32, strides=[1]>>
    %bs = store_view_tko weak %b, %rp[%pid] : tile<64xf32>, partition_view<tile=(64), tensor_view<192xf32, strides=[1]>>, tile<i32> -> token

    // Rows and columns that only the launch knows.
    %r = assume bounded<0, ?>, %rows : tile<i32>
    %c = assume bounded<0, ?>, %columns : tile<i32>
    %ht = make_tensor_view %h, shape = [%r, %c], strides = [%c, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %hp = make_partition_view %ht : partition_view<tile=(4x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %ct = make_tensor_view %copy, shape = [24, 64], strides = [64, 1] : tensor_view<24x64xf16, strides=[64,1]>
    %cp = make_partition_view %ct : partition_view<tile=(4x32), tensor_view<24x64xf16, strides=[64,1]>>
    %p0, %p0t = load_view_tko weak %hp[%two, %zero] : partition_view<tile=(4x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<4x32xf16>, token
    %p1, %p1t = load_view_tko weak %hp[%two, %c1] : partition_view<tile=(4x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<4x32xf16>, token
    %q0, %q0t = load_view_tko weak %hp[%two1, %zero] : partition_view<tile=(4x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<4x32xf16>, token
    %q1, %q1t = load_view_tko weak %hp[%two1, %c1] : partition_view<tile=(4x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<4x32xf16>, token
    %ps0 = store_view_tko weak %p0, %cp[%two, %zero] : tile<4x32xf16>, partition_view<tile=(4x32), tensor_view<24x64xf16, strides=[64,1]>>, tile<i32> -> token
    %ps1 = store_view_tko weak %p1, %cp[%two, %c1] : tile<4x32xf16>, partition_view<tile=(4x32), tensor_view<24x64xf16, strides=[64,1]>>, tile<i32> -> token
    %qs0 = store_view_tko weak %q0, %cp[%two1, %zero] : tile<4x32xf16>, partition_view<tile=(4x32), tensor_view<24x64xf16, strides=[64,1]>>, tile<i32> -> token
    %qs1 = store_view_tko weak %q1, %cp[%two1, %c1] : tile<4x32xf16>, partition_view<tile=(4x32), tensor_view<24x64xf16, strides=[64,1]>>, tile<i32> -> token
  }
}

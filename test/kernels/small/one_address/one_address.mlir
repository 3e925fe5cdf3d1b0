// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles whose elements all access one address: every element counts, masked-off elements do
// not, and the address is not accessed if all are masked off. Float adds stay one by one.
cuda_tile.module @kernels {
  entry @one_address(%x: tile<ptr<i32>>, %n: tile<i32>, %p_add: tile<ptr<i32>>, %p_and: tile<ptr<i32>>, %p_or: tile<ptr<i32>>, %p_xor: tile<ptr<i32>>, %p_max: tile<ptr<i32>>, %p_min: tile<ptr<i32>>, %p_umax: tile<ptr<i32>>, %p_umin: tile<ptr<i32>>,
                     %part: tile<ptr<i32>>, %few: tile<ptr<i32>>, %square: tile<ptr<i32>>, %floats: tile<ptr<f32>>,
                     %released: tile<ptr<i32>>, %long: tile<ptr<i64>>, %untouched: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %xt = make_tensor_view %x, shape = [4, 256], strides = [256, 1] : tensor_view<4x256xi32, strides=[256,1]>
    %xp = make_partition_view %xt : partition_view<tile=(1x256), tensor_view<4x256xi32, strides=[256,1]>>
    %x2, %t0 = load_view_tko weak %xp[%b, %c0] : partition_view<tile=(1x256), tensor_view<4x256xi32, strides=[256,1]>>, tile<i32> -> tile<1x256xi32>, token
    %v = reshape %x2 : tile<1x256xi32> -> tile<256xi32>
    %iota = iota : tile<256xi32>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %ns = broadcast %n1 : tile<1xi32> -> tile<256xi32>
    %o1 = reshape %p_add : tile<ptr<i32>> -> tile<1xptr<i32>>
    %q1 = broadcast %o1 : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %r1, %u1 = atomic_rmw_tko relaxed device %q1, add, %v : tile<256xptr<i32>>, tile<256xi32> -> tile<256xi32>, token
    %o2 = reshape %p_and : tile<ptr<i32>> -> tile<1xptr<i32>>
    %q2 = broadcast %o2 : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %r2, %u2 = atomic_rmw_tko relaxed device %q2, and, %v : tile<256xptr<i32>>, tile<256xi32> -> tile<256xi32>, token
    %o3 = reshape %p_or : tile<ptr<i32>> -> tile<1xptr<i32>>
    %q3 = broadcast %o3 : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %r3, %u3 = atomic_rmw_tko relaxed device %q3, or, %v : tile<256xptr<i32>>, tile<256xi32> -> tile<256xi32>, token
    %o4 = reshape %p_xor : tile<ptr<i32>> -> tile<1xptr<i32>>
    %q4 = broadcast %o4 : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %r4, %u4 = atomic_rmw_tko relaxed device %q4, xor, %v : tile<256xptr<i32>>, tile<256xi32> -> tile<256xi32>, token
    %o5 = reshape %p_max : tile<ptr<i32>> -> tile<1xptr<i32>>
    %q5 = broadcast %o5 : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %r5, %u5 = atomic_rmw_tko relaxed device %q5, max, %v : tile<256xptr<i32>>, tile<256xi32> -> tile<256xi32>, token
    %o6 = reshape %p_min : tile<ptr<i32>> -> tile<1xptr<i32>>
    %q6 = broadcast %o6 : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %r6, %u6 = atomic_rmw_tko relaxed device %q6, min, %v : tile<256xptr<i32>>, tile<256xi32> -> tile<256xi32>, token
    %o7 = reshape %p_umax : tile<ptr<i32>> -> tile<1xptr<i32>>
    %q7 = broadcast %o7 : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %r7, %u7 = atomic_rmw_tko relaxed device %q7, umax, %v : tile<256xptr<i32>>, tile<256xi32> -> tile<256xi32>, token
    %o8 = reshape %p_umin : tile<ptr<i32>> -> tile<1xptr<i32>>
    %q8 = broadcast %o8 : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %r8, %u8 = atomic_rmw_tko relaxed device %q8, umin, %v : tile<256xptr<i32>>, tile<256xi32> -> tile<256xi32>, token
    %in = cmpi less_than %iota, %ns, signed : tile<256xi32> -> tile<256xi1>
    %o9 = reshape %part : tile<ptr<i32>> -> tile<1xptr<i32>>
    %q9 = broadcast %o9 : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %r9, %u9 = atomic_rmw_tko relaxed device %q9, add, %v, %in : tile<256xptr<i32>>, tile<256xi32>, tile<256xi1> -> tile<256xi32>, token
    %xfew = make_partition_view %xt : partition_view<tile=(1x8), tensor_view<4x256xi32, strides=[256,1]>>
    %x4, %t1 = load_view_tko weak %xfew[%b, %c0] : partition_view<tile=(1x8), tensor_view<4x256xi32, strides=[256,1]>>, tile<i32> -> tile<1x8xi32>, token
    %v8 = reshape %x4 : tile<1x8xi32> -> tile<8xi32>
    %o10 = reshape %few : tile<ptr<i32>> -> tile<1xptr<i32>>
    %q10 = broadcast %o10 : tile<1xptr<i32>> -> tile<8xptr<i32>>
    %r10, %u10 = atomic_rmw_tko relaxed device %q10, add, %v8 : tile<8xptr<i32>>, tile<8xi32> -> tile<8xi32>, token
    %v16 = reshape %v : tile<256xi32> -> tile<16x16xi32>
    %o11 = reshape %square : tile<ptr<i32>> -> tile<1x1xptr<i32>>
    %q11 = broadcast %o11 : tile<1x1xptr<i32>> -> tile<16x16xptr<i32>>
    %r11, %u11 = atomic_rmw_tko relaxed device %q11, max, %v16 : tile<16x16xptr<i32>>, tile<16x16xi32> -> tile<16x16xi32>, token
    %c255 = constant <i32: 255> : tile<256xi32>
    %low = andi %v, %c255 : tile<256xi32>
    %f = itof %low signed : tile<256xi32> -> tile<256xf32>
    %o12 = reshape %floats : tile<ptr<f32>> -> tile<1xptr<f32>>
    %q12 = broadcast %o12 : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %r12, %u12 = atomic_rmw_tko relaxed device %q12, addf, %f : tile<256xptr<f32>>, tile<256xf32> -> tile<256xf32>, token
    %o13 = reshape %released : tile<ptr<i32>> -> tile<1xptr<i32>>
    %q13 = broadcast %o13 : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %r13, %u13 = atomic_rmw_tko release device %q13, add, %v : tile<256xptr<i32>>, tile<256xi32> -> tile<256xi32>, token
    %w = exti %v signed : tile<256xi32> -> tile<256xi64>
    %o14 = reshape %long : tile<ptr<i64>> -> tile<1xptr<i64>>
    %q14 = broadcast %o14 : tile<1xptr<i64>> -> tile<256xptr<i64>>
    %r14, %u14 = atomic_rmw_tko relaxed device %q14, add, %w : tile<256xptr<i64>>, tile<256xi64> -> tile<256xi64>, token
    // The pointer is invalid, and the mask is false for every element.
    %far = constant <i32: 268435456> : tile<i32>
    %away = offset %untouched, %far : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %large = constant <i32: 1000> : tile<256xi32>
    %none = cmpi greater_than %ns, %large, signed : tile<256xi32> -> tile<256xi1>
    %o15 = reshape %away : tile<ptr<i32>> -> tile<1xptr<i32>>
    %q15 = broadcast %o15 : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %r15, %u15 = atomic_rmw_tko relaxed device %q15, add, %v, %none : tile<256xptr<i32>>, tile<256xi32>, tile<256xi1> -> tile<256xi32>, token
    return
  }
}

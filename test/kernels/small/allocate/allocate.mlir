// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that the tile block allocates: in every iteration of a loop, as an iter-arg, selected
// by a condition, and selected by an index, in which case it cannot be in shared memory.
cuda_tile.module @kernels {
  entry @allocate(%x: tile<ptr<i32>>, %n: tile<i32>, %y: tile<ptr<i32>>, %z: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %three = constant <i32: 3> : tile<i32>
    %iota = iota : tile<256xi32>
    %mask = constant <i32: 255> : tile<256xi32>
    %back = subi %mask, %iota : tile<256xi32>
    %av = make_tensor_view %x, shape = [256], strides = [1] : tensor_view<256xi32, strides=[1]>
    %ap = make_partition_view %av : partition_view<tile=(256), tensor_view<256xi32, strides=[1]>>
    %a, %ta = load_view_tko weak %ap[%zero] : partition_view<tile=(256), tensor_view<256xi32, strides=[1]>>, tile<i32> -> tile<256xi32>, token
    %start = make_token : token
    // Stored in order, loaded backwards: three times, each time one more.
    %r:2 = for %i in (%zero to %three, step %one) : tile<i32> iter_values(%v = %a, %t = %start) -> (tile<256xi32>, token) {
      %p = alloca num_elem = 256, alignment = 64 : tile<ptr<i32>>
      %p1 = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
      %ps = broadcast %p1 : tile<1xptr<i32>> -> tile<256xptr<i32>>
      %to = offset %ps, %iota : tile<256xptr<i32>>, tile<256xi32> -> tile<256xptr<i32>>
      %from = offset %ps, %back : tile<256xptr<i32>>, tile<256xi32> -> tile<256xptr<i32>>
      %u0 = store_ptr_tko weak %to, %v token=%t : tile<256xptr<i32>>, tile<256xi32> -> token
      %w, %u1 = load_ptr_tko weak %from token=%u0 : tile<256xptr<i32>> -> tile<256xi32>, token
      %ones = constant <i32: 1> : tile<256xi32>
      %s = addi %w, %ones : tile<256xi32>
      continue %s, %u1 : tile<256xi32>, token
    }
    // Two places, one of which is taken.
    %p = alloca num_elem = 256, alignment = 4 : tile<ptr<i32>>
    %q = alloca num_elem = 256, alignment = 16 global : tile<ptr<i32>>
    %even = cmpi equal %n, %zero, signed : tile<i32> -> tile<i1>
    %chosen = select %even, %p, %q : tile<i1>, tile<ptr<i32>>
    %cv = make_tensor_view %chosen, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xi32, strides=[16,1]>
    %cp = make_partition_view %cv : partition_view<tile=(16x16), tensor_view<16x16xi32, strides=[16,1]>>
    %ct = make_partition_view %cv : partition_view<tile=(16x16), tensor_view<16x16xi32, strides=[16,1]>, dim_map=[1, 0]>
    %b = reshape %r#0 : tile<256xi32> -> tile<16x16xi32>
    %t1 = store_view_tko weak %b, %cp[%zero, %zero] : tile<16x16xi32>, partition_view<tile=(16x16), tensor_view<16x16xi32, strides=[16,1]>>, tile<i32> -> token
    %c, %t2 = load_view_tko weak %ct[%zero, %zero] token = %t1 : partition_view<tile=(16x16), tensor_view<16x16xi32, strides=[16,1]>, dim_map=[1, 0]>, tile<i32> -> tile<16x16xi32>, token
    %d = reshape %c : tile<16x16xi32> -> tile<256xi32>
    %yv = make_tensor_view %y, shape = [256], strides = [1] : tensor_view<256xi32, strides=[1]>
    %yp = make_partition_view %yv : partition_view<tile=(256), tensor_view<256xi32, strides=[1]>>
    %ty = store_view_tko weak %d, %yp[%zero] : tile<256xi32>, partition_view<tile=(256), tensor_view<256xi32, strides=[1]>>, tile<i32> -> token
    // By numbers.
    %h = alloca num_elem = 256, alignment = 128 : tile<ptr<i32>>
    %address = ptr_to_int %h : tile<ptr<i32>> -> tile<i64>
    %a1 = reshape %address : tile<i64> -> tile<1xi64>
    %as = broadcast %a1 : tile<1xi64> -> tile<256xi64>
    %four = constant <i32: 4> : tile<256xi32>
    %bytes = muli %iota, %four : tile<256xi32>
    %wide = exti %bytes unsigned : tile<256xi32> -> tile<256xi64>
    %sum = addi %as, %wide : tile<256xi64>
    %at = int_to_ptr %sum : tile<256xi64> -> tile<256xptr<i32>>
    %low = constant <i64: 127> : tile<i64>
    %rest = andi %address, %low : tile<i64>
    %none = constant <i64: 0> : tile<i64>
    %aligned = cmpi equal %rest, %none, signed : tile<i64> -> tile<i1>
    assert %aligned, "128 bytes" : tile<i1>
    %t3 = store_ptr_tko weak %at, %d : tile<256xptr<i32>>, tile<256xi32> -> token
    %h1 = reshape %h : tile<ptr<i32>> -> tile<1xptr<i32>>
    %hs = broadcast %h1 : tile<1xptr<i32>> -> tile<256xptr<i32>>
    %hb = offset %hs, %back : tile<256xptr<i32>>, tile<256xi32> -> tile<256xptr<i32>>
    %e, %t4 = load_ptr_tko weak %hb token=%t3 : tile<256xptr<i32>> -> tile<256xi32>, token
    %zv = make_tensor_view %z, shape = [256], strides = [1] : tensor_view<256xi32, strides=[1]>
    %zp = make_partition_view %zv : partition_view<tile=(256), tensor_view<256xi32, strides=[1]>>
    %tz = store_view_tko weak %e, %zp[%zero] : tile<256xi32>, partition_view<tile=(256), tensor_view<256xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}

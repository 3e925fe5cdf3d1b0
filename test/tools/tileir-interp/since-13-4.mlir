// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Additions of versions 13.4 and 13.5.
// RUN: %tileir-interp %s --entry values | FileCheck %s --check-prefix=VALUES
// RUN: %tileir-interp %s --entry memory --arg 'x:i32[6]=iota' --arg 'y:i32[6]=zeros,output' --out=%t.memory \
// RUN:   --weak-memory=3 | FileCheck %s --check-prefix=MEMORY
// RUN: od -An -w64 -j128 -td4 %t.memory/y.npy | FileCheck %s --check-prefix=MEMORY-OUT
// RUN: %tileir-interp %s --entry leaves --arg 'x:i32[6]=iota' 2>&1 | FileCheck %s --check-prefixes=LEAVES,NOTE
// RUN: not %tileir-interp %s --entry leaves --arg 'x:i32[6]=iota' --check=inbounds 2>&1 | FileCheck %s --check-prefixes=LEAVES,FAULT
// RUN: not %tileir-interp %s --entry misplaced --arg n:i32=2 2>&1 | FileCheck %s --check-prefix=MISPLACED

cuda_tile.module @m {
  entry @values() {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    // VALUES: insert {{\[\[}}0, 1, 8, 9], [4, 5, 12, 13{{\]\]}}
    %iota = iota : tile<8xi32>
    %m = reshape %iota : tile<8xi32> -> tile<2x4xi32>
    %four = constant <i32: [[8, 9], [12, 13]]> : tile<2x2xi32>
    %inserted = insert %four, %m[%zero, %one] : tile<2x2xi32>, tile<2x4xi32>
    print_tko "insert %d\0A", %inserted : tile<2x4xi32> -> token
    // VALUES-NEXT: power [8, 0.25, -27, 1]
    %base = constant <f32: [2.0, -2.0, -3.0, 0.0]> : tile<4xf32>
    %exponent = constant <i8: [3, -2, 3, 0]> : tile<4xi8>
    %power = fpowi %base, %exponent : tile<4xf32>, tile<4xi8>
    print_tko "power %g\0A", %power : tile<4xf32> -> token
    // VALUES-NEXT: clamped [127, -128, 0, 3] [255, 0, 0, 3]
    %x = constant <f32: [1000.0, -1000.0, 0x7FC00000, 3.9]> : tile<4xf32>
    %signed = ftoi %x signed saturating : tile<4xf32> -> tile<4xi8>
    %unsigned = ftoi %x unsigned saturating : tile<4xf32> -> tile<4xi8>
    %wide = exti %unsigned unsigned : tile<4xi8> -> tile<4xi32>
    print_tko "clamped %d %d\0A", %signed, %wide : tile<4xi8>, tile<4xi32> -> token
    // 1 + 2^-11 lies between two numbers of tf32.
    // VALUES-NEXT: ties 1 1.00098 1
    %tie = constant <f32: 0x3F801000> : tile<f32>
    %even = ftof %tie : tile<f32> -> tile<tf32>
    %away = ftof %tie rounding<nearest_away> : tile<f32> -> tile<tf32>
    %cut = ftof %tie rounding<zero> : tile<f32> -> tile<tf32>
    print_tko "ties %.6g %.6g %.6g\0A", %even, %away, %cut : tile<tf32>, tile<tf32>, tile<tf32> -> token
    // VALUES-NEXT: scale [114688, 0, nan, 4] [254, 0, 255, 136]
    %large = constant <f32: [1.0e6, -1000.0, 0x7FC00000, 3.9]> : tile<4xf32>
    %scale = ftof %large : tile<4xf32> -> tile<4xfnv8E5M3FNU>
    %bits = bitcast %scale : tile<4xfnv8E5M3FNU> -> tile<4xi8>
    %shown = exti %bits unsigned : tile<4xi8> -> tile<4xi32>
    print_tko "scale %g %d\0A", %scale, %shown : tile<4xfnv8E5M3FNU>, tile<4xi32> -> token
    return
  }

  // MEMORY: read [0, 1] copies [3, 4]
  // MEMORY-OUT: 0 8 9 0 1 1
  entry @memory(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %t0 = gdc_wait_tko -> token
    %xv = make_tensor_view %x, shape = [6], strides = [1] : tensor_view<6xi32, strides=[1]>
    %xp = make_partition_view %xv : partition_view<tile=(2), tensor_view<6xi32, strides=[1]>>
    %a, %t1 = load_view_tko weak %xp[%zero] token = %t0 inbounds = [true] : partition_view<tile=(2), tensor_view<6xi32, strides=[1]>>, tile<i32> -> tile<2xi32>, token
    // Multicast: the memory of this device is the only copy.
    %ym = ptr_to_ptr %y : tile<ptr<i32>> -> tile<ptr<i32, <multicast>>>
    %yo = offset %ym, %one : tile<ptr<i32, <multicast>>>, tile<i32> -> tile<ptr<i32, <multicast>>>
    %yv = make_tensor_view %yo, shape = [5], strides = [1] : tile<ptr<i32, <multicast>>> -> tensor_view<5xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %yp = make_partition_view %yv : partition_view<tile=(2), tensor_view<5xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %v = constant <i32: [3, 4]> : tile<2xi32>
    %w = constant <i32: [5, 5]> : tile<2xi32>
    %t2 = multimem_store_view_tko weak %yp, %v[%zero] token = %t1 : partition_view<tile=(2), tensor_view<5xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<2xi32>, tile<i32>, token -> token
    %b, %t3 = multimem_load_reduce_view_tko relaxed sys %yp[%zero] token = %t2 : partition_view<tile=(2), tensor_view<5xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32>, token -> tile<2xi32>, token
    %t4 = multimem_reduce_view_tko relaxed sys %yp, %w[%zero] token = %t3 : partition_view<tile=(2), tensor_view<5xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<2xi32>, tile<i32>, token -> token
    %t5 = memory_fence_alias_tko %t4
    // The same memory through its ordinary address.
    %yw = make_tensor_view %y, shape = [6], strides = [1] : tensor_view<6xi32, strides=[1]>
    %yq = make_partition_view %yw : partition_view<tile=(2), tensor_view<6xi32, strides=[1]>>
    %ones = constant <i32: [1, 1]> : tile<2xi32>
    %two = constant <i32: 2> : tile<i32>
    %t6 = atomic_red_view_tko relaxed device %yq[%two], add, %ones token = %t5 inbounds = [true] : tile<2xi32>, partition_view<tile=(2), tensor_view<6xi32, strides=[1]>>, tile<i32> -> token
    %t7 = gdc_launch_dependents_tko token = %t6 -> token
    print_tko "read %d copies %d\0A", %a, %b token=%t7 : tile<2xi32>, tile<2xi32> -> token
    return
  }

  // NOTE: {{^}}note:
  // FAULT: {{^}}inbounds:
  // LEAVES-SAME: cuda_tile.load_view_tko: the tile leaves the tensor in dimension 0, which 'inbounds' denies
  entry @leaves(%x: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %xv = make_tensor_view %x, shape = [6], strides = [1] : tensor_view<6xi32, strides=[1]>
    %xp = make_partition_view %xv : partition_view<tile=(4), padding_value = zero, tensor_view<6xi32, strides=[1]>>
    %a, %t1 = load_view_tko weak %xp[%one] inbounds = [true] : partition_view<tile=(4), padding_value = zero, tensor_view<6xi32, strides=[1]>>, tile<i32> -> tile<4xi32>, token
    return
  }

  // MISPLACED: {{^}}ub: {{.*}}: cuda_tile.insert: index 0 is 2 of 2
  entry @misplaced(%n: tile<i32>) {
    %iota = iota : tile<4xi32>
    %piece = iota : tile<2xi32>
    %0 = insert %piece, %iota[%n] : tile<2xi32>, tile<4xi32>
    return
  }
}

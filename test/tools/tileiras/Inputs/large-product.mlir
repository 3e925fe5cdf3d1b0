// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matmul of which not even one step of K fits into shared memory: 65,536 rows.
#file = #cuda_tile.di_file<"large.py" in "/src/kernels">
#unit = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 4, name = "large_product", linkageName = "large_product", compileUnit = #unit, scopeLine = 4>
#entry = #cuda_tile.di_loc<loc("/src/kernels/large.py":4:0) in #sub>
#turn = #cuda_tile.di_loc<loc("/src/kernels/large.py":6:13) in #sub>
cuda_tile.module @kernels {
  entry @large_product(%from: tile<ptr<f32>>, %to: tile<ptr<f32>>) {
    %in = make_tensor_view %from, shape = [65536, 2], strides = [2, 1] : tensor_view<65536x2xf32, strides=[2,1]> loc(#entry)
    %row = make_tensor_view %from, shape = [2, 1], strides = [1, 1] : tensor_view<2x1xf32, strides=[1,1]> loc(#entry)
    %out = make_tensor_view %to, shape = [65536, 1], strides = [1, 1] : tensor_view<65536x1xf32, strides=[1,1]> loc(#entry)
    %pin = make_partition_view %in : partition_view<tile=(65536x2), tensor_view<65536x2xf32, strides=[2,1]>> loc(#entry)
    %prow = make_partition_view %row : partition_view<tile=(2x1), tensor_view<2x1xf32, strides=[1,1]>> loc(#entry)
    %pout = make_partition_view %out : partition_view<tile=(65536x1), tensor_view<65536x1xf32, strides=[1,1]>> loc(#entry)
    %c0 = constant <i32: 0> : tile<i32> loc(#entry)
    %a, %ta = load_view_tko weak %pin[%c0, %c0] : partition_view<tile=(65536x2), tensor_view<65536x2xf32, strides=[2,1]>>, tile<i32> -> tile<65536x2xf32>, token loc(#entry)
    %b, %tb = load_view_tko weak %prow[%c0, %c0] : partition_view<tile=(2x1), tensor_view<2x1xf32, strides=[1,1]>>, tile<i32> -> tile<2x1xf32>, token loc(#entry)
    %z = constant <f32: 0.0> : tile<65536x1xf32> loc(#entry)
    %s = mmaf %a, %b, %z : tile<65536x2xf32>, tile<2x1xf32>, tile<65536x1xf32> loc(#turn)
    %t = store_view_tko weak %s, %pout[%c0, %c0] : tile<65536x1xf32>, partition_view<tile=(65536x1), tensor_view<65536x1xf32, strides=[1,1]>>, tile<i32> -> token loc(#entry)
    return loc(#entry)
  } loc(#entry)
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running sums of a row that no loop cuts: 256 KiB go through shared memory.
#file = #cuda_tile.di_file<"large.py" in "/src/kernels">
#unit = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 4, name = "large_sum", linkageName = "large_sum", compileUnit = #unit, scopeLine = 4>
#entry = #cuda_tile.di_loc<loc("/src/kernels/large.py":4:0) in #sub>
#turn = #cuda_tile.di_loc<loc("/src/kernels/large.py":6:13) in #sub>
cuda_tile.module @kernels {
  entry @large_sum(%from: tile<ptr<f32>>, %to: tile<ptr<f32>>) {
    %in = make_tensor_view %from, shape = [65536], strides = [1] : tensor_view<65536xf32, strides=[1]> loc(#entry)
    %out = make_tensor_view %to, shape = [65536], strides = [1] : tensor_view<65536xf32, strides=[1]> loc(#entry)
    %pin = make_partition_view %in : partition_view<tile=(65536), tensor_view<65536xf32, strides=[1]>> loc(#entry)
    %pout = make_partition_view %out : partition_view<tile=(65536), tensor_view<65536xf32, strides=[1]>> loc(#entry)
    %c0 = constant <i32: 0> : tile<i32> loc(#entry)
    %a, %ta = load_view_tko weak %pin[%c0] : partition_view<tile=(65536), tensor_view<65536xf32, strides=[1]>>, tile<i32> -> tile<65536xf32>, token loc(#entry)
    %s = scan %a dim=0 reverse=false identities=[0.0 : f32] : tile<65536xf32> -> tile<65536xf32>
    (%e: tile<f32>, %p: tile<f32>) {
      %x = addf %e, %p : tile<f32> loc(#turn)
      yield %x : tile<f32> loc(#turn)
    } loc(#turn)
    %t = store_view_tko weak %s, %pout[%c0] : tile<65536xf32>, partition_view<tile=(65536), tensor_view<65536xf32, strides=[1]>>, tile<i32> -> token loc(#entry)
    return loc(#entry)
  } loc(#entry)
}

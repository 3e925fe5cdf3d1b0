// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Powers of f32 by i32.
cuda_tile.module @kernels {
  entry @far_powers(%x: tile<ptr<f32>>, %n: tile<ptr<i32>>, %out: tile<ptr<f32>>) {
    %i = iota : tile<1024xi32>
    %xr = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>
    %xb = broadcast %xr : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %xp = offset %xb, %i : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %nr = reshape %n : tile<ptr<i32>> -> tile<1xptr<i32>>
    %nb = broadcast %nr : tile<1xptr<i32>> -> tile<1024xptr<i32>>
    %np = offset %nb, %i : tile<1024xptr<i32>>, tile<1024xi32> -> tile<1024xptr<i32>>
    %or = reshape %out : tile<ptr<f32>> -> tile<1xptr<f32>>
    %ob = broadcast %or : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %op = offset %ob, %i : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %t0 = make_token : token
    %xv, %t1 = load_ptr_tko weak %xp : tile<1024xptr<f32>> -> tile<1024xf32>, token
    %nv, %t2 = load_ptr_tko weak %np : tile<1024xptr<i32>> -> tile<1024xi32>, token
    %r = fpowi %xv, %nv : tile<1024xf32>, tile<1024xi32>
    %t3 = store_ptr_tko weak %op, %r : tile<1024xptr<f32>>, tile<1024xf32> -> token
    return
  }
}

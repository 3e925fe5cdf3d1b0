// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Powers of f32 by f32, and by constants.
cuda_tile.module @kernels {
  entry @real_powers(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %out: tile<ptr<f32>>, %cubes: tile<ptr<f32>>, %squares: tile<ptr<f32>>) {
    %i = iota : tile<1024xi32>
    %xr = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>
    %xb = broadcast %xr : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %xp = offset %xb, %i : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %yr = reshape %y : tile<ptr<f32>> -> tile<1xptr<f32>>
    %yb = broadcast %yr : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %yp = offset %yb, %i : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %or = reshape %out : tile<ptr<f32>> -> tile<1xptr<f32>>
    %ob = broadcast %or : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %op = offset %ob, %i : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %cr = reshape %cubes : tile<ptr<f32>> -> tile<1xptr<f32>>
    %cb = broadcast %cr : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %cp = offset %cb, %i : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %sr = reshape %squares : tile<ptr<f32>> -> tile<1xptr<f32>>
    %sb = broadcast %sr : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %sp = offset %sb, %i : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %t0 = make_token : token
    %xv, %t1 = load_ptr_tko weak %xp : tile<1024xptr<f32>> -> tile<1024xf32>, token
    %yv, %t2 = load_ptr_tko weak %yp : tile<1024xptr<f32>> -> tile<1024xf32>, token
    %r = pow %xv, %yv : tile<1024xf32>
    %t3 = store_ptr_tko weak %op, %r : tile<1024xptr<f32>>, tile<1024xf32> -> token
    %three = constant <i32: 3> : tile<1024xi32>
    %c = fpowi %xv, %three : tile<1024xf32>, tile<1024xi32>
    %t4 = store_ptr_tko weak %cp, %c : tile<1024xptr<f32>>, tile<1024xf32> -> token
    %two = constant <f32: 2.0> : tile<1024xf32>
    %s = pow %xv, %two : tile<1024xf32>
    %t5 = store_ptr_tko weak %sp, %s : tile<1024xptr<f32>>, tile<1024xf32> -> token
    return
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose iterations cannot overlap say why, at their line.
// RUN: %mlir-opt %s --load-dialect-plugin=%libTileIR.so --load-pass-plugin=%libTileIR.so --pass-pipeline='builtin.module(tileir{opt-level=2 compute-capability=sm_90 pipeline-strategy=unspecialize v2-opt-level=2})' --remark-format=emitRemark --remarks-filter-missed='tileas_schedule' --verify-diagnostics -o /dev/null

!in = !cuda_tile.partition_view<tile=(64x64), tensor_view<1024x1024xf16, strides=[1024,1]>>
!out = !cuda_tile.partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[1024,1]>>
cuda_tile.module @kernels {
  entry @ends_by_condition(%a: tile<ptr<f16>>, %c: tile<ptr<f32>>, %n: tile<i32>) {
    %av = make_tensor_view %a, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf16, strides=[1024,1]>
    %cv = make_tensor_view %c, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
    %ap = make_partition_view %av : !in
    %cp = make_partition_view %cv : !out
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.0> : tile<64x64xf32>
    // expected-remark @below {{Reason="it ends by a condition, not by a count", Remark="iterations do not overlap", Suggestion="write it as 'for' over a range, with the condition as a bound or a mask"}}
    %r, %j = loop iter_values(%acc = %none, %i = %zero) : tile<64x64xf32>, tile<i32> -> tile<64x64xf32>, tile<i32> {
      %go = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
      if %go { } else { break %acc, %i : tile<64x64xf32>, tile<i32> }
      %x, %t1 = load_view_tko weak %ap[%zero, %i] : !in, tile<i32> -> tile<64x64xf16>, token
      %y, %t2 = load_view_tko weak %ap[%i, %zero] : !in, tile<i32> -> tile<64x64xf16>, token
      %m = mmaf %x, %y, %acc : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      %next = addi %i, %n : tile<i32>
      continue %m, %next : tile<64x64xf32>, tile<i32>
    }
    %t3 = store_view_tko weak %r, %cp[%zero, %zero] : tile<64x64xf32>, !out, tile<i32> -> token
    return
  }
  entry @under_condition(%a: tile<ptr<f16>>, %c: tile<ptr<f32>>, %n: tile<i32>, %k: tile<i32>) {
    %av = make_tensor_view %a, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf16, strides=[1024,1]>
    %cv = make_tensor_view %c, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
    %ap = make_partition_view %av : !in
    %cp = make_partition_view %cv : !out
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.0> : tile<64x64xf32>
    // expected-remark @below {{Reason="its loads and dots are conditional", Remark="iterations do not overlap"}}
    %r = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x64xf32>) {
      %go = cmpi less_than %i, %k, signed : tile<i32> -> tile<i1>
      %q = if %go -> (tile<64x64xf32>) {
        %x, %t1 = load_view_tko weak %ap[%zero, %i] : !in, tile<i32> -> tile<64x64xf16>, token
        %y, %t2 = load_view_tko weak %ap[%i, %zero] : !in, tile<i32> -> tile<64x64xf16>, token
        %m = mmaf %x, %y, %acc : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
        yield %m : tile<64x64xf32>
      } else {
        yield %acc : tile<64x64xf32>
      }
      continue %q : tile<64x64xf32>
    }
    %t3 = store_view_tko weak %r, %cp[%zero, %zero] : tile<64x64xf32>, !out, tile<i32> -> token
    return
  }
  entry @takes_in_what_others_write(%a: tile<ptr<f16>>, %c: tile<ptr<f32>>, %n: tile<i32>) {
    %av = make_tensor_view %a, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf16, strides=[1024,1]>
    %cv = make_tensor_view %c, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
    %ap = make_partition_view %av : !in
    %cp = make_partition_view %cv : !out
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.0> : tile<64x64xf32>
    // expected-remark @below {{Reason="no copy may pass 'nv_tileas.tiled_load'", Remark="iterations do not overlap"}}
    %r = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x64xf32>) {
      %x, %t1 = load_view_tko relaxed device %ap[%zero, %i] : !in, tile<i32> -> tile<64x64xf16>, token
      %m = mmaf %x, %x, %acc : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %m : tile<64x64xf32>
    }
    %t3 = store_view_tko weak %r, %cp[%zero, %zero] : tile<64x64xf32>, !out, tile<i32> -> token
    return
  }
  entry @prints(%a0: tile<ptr<f16>>, %c: tile<ptr<f32>>, %n: tile<i32>) {
    %a = assume div_by<16>, %a0 : tile<ptr<f16>>
    %av = make_tensor_view %a, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf16, strides=[1024,1]>
    %cv = make_tensor_view %c, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
    %ap = make_partition_view %av : !in
    %cp = make_partition_view %cv : !out
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.0> : tile<64x64xf32>
    // expected-remark @below {{Reason="no copy may pass 'nv_tileas.print'", Remark="operations stay in their order"}}
    %r = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x64xf32>) {
      %x, %t1 = load_view_tko weak %ap[%zero, %i] : !in, tile<i32> -> tile<64x64xf16>, token
      %y, %t2 = load_view_tko weak %ap[%i, %zero] : !in, tile<i32> -> tile<64x64xf16>, token
      %m = mmaf %x, %y, %acc : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      print_tko "%d", %i : tile<i32> -> token
      continue %m : tile<64x64xf32>
    }
    %t3 = store_view_tko weak %r, %cp[%zero, %zero] : tile<64x64xf32>, !out, tile<i32> -> token
    return
  }
  entry @computes_factors(%a: tile<ptr<f16>>, %c: tile<ptr<f32>>, %n: tile<i32>) {
    %av = make_tensor_view %a, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf16, strides=[1024,1]>
    %cv = make_tensor_view %c, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
    %ap = make_partition_view %av : !in
    %cp = make_partition_view %cv : !out
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.0> : tile<64x64xf32>
    // expected-remark @below {{Reason="no operation runs ahead: the loop fills no pipeline"}}
    %r = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x64xf32>) {
      %x, %t1 = load_view_tko weak %ap[%zero, %i] : !in, tile<i32> -> tile<64x64xf16>, token
      %y = exp2 %x : tile<64x64xf16>
      %m = mmaf %y, %y, %acc : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %m : tile<64x64xf32>
    }
    %t3 = store_view_tko weak %r, %cp[%zero, %zero] : tile<64x64xf32>, !out, tile<i32> -> token
    return
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divisions with known properties of their operands, exponentials by their sum and reciprocals
// of numbers of at least 1, compared with the same divisions of operands from memory.
cuda_tile.module @kernels {
  entry @shared_quotients(%x: tile<ptr<f32>>, %p: tile<ptr<f32>>, %q: tile<ptr<f32>>, %s: tile<ptr<f32>>,
                          %differs: tile<ptr<i32>>, %inverse: tile<ptr<i32>>, %isOne: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %xt = make_tensor_view %x, shape = [14, 512], strides = [512, 1] : tensor_view<14x512xf32, strides=[512,1]>
    %xp = make_partition_view %xt : partition_view<tile=(1x512), tensor_view<14x512xf32, strides=[512,1]>>
    %v, %t0 = load_view_tko weak %xp[%b, %c0] : partition_view<tile=(1x512), tensor_view<14x512xf32, strides=[512,1]>>, tile<i32> -> tile<1x512xf32>, token
    %e = exp %v : tile<1x512xf32>
    %sum = reduce %e dim=1 identities=[0.0 : f32] : tile<1x512xf32> -> tile<1xf32>
    (%new: tile<f32>, %all: tile<f32>) {
      %more = addf %new, %all : tile<f32>
      yield %more : tile<f32>
    }
    %sum1 = reshape %sum : tile<1xf32> -> tile<1x1xf32>
    %sums = broadcast %sum1 : tile<1x1xf32> -> tile<1x512xf32>
    %known = divf %e, %sums : tile<1x512xf32>
    %ones = constant <f32: 1.0> : tile<1x512xf32>
    %above = addf %e, %ones : tile<1x512xf32>
    %knownInverse = divf %ones, %above : tile<1x512xf32>

    %pt = make_tensor_view %p, shape = [14, 512], strides = [512, 1] : tensor_view<14x512xf32, strides=[512,1]>
    %pp = make_partition_view %pt : partition_view<tile=(1x512), tensor_view<14x512xf32, strides=[512,1]>>
    %t1 = store_view_tko weak %e, %pp[%b, %c0] : tile<1x512xf32>, partition_view<tile=(1x512), tensor_view<14x512xf32, strides=[512,1]>>, tile<i32> -> token
    %p1, %t2 = load_view_tko weak %pp[%b, %c0] token = %t1 : partition_view<tile=(1x512), tensor_view<14x512xf32, strides=[512,1]>>, tile<i32> -> tile<1x512xf32>, token
    %qt = make_tensor_view %q, shape = [14, 512], strides = [512, 1] : tensor_view<14x512xf32, strides=[512,1]>
    %qp = make_partition_view %qt : partition_view<tile=(1x512), tensor_view<14x512xf32, strides=[512,1]>>
    %t3 = store_view_tko weak %above, %qp[%b, %c0] : tile<1x512xf32>, partition_view<tile=(1x512), tensor_view<14x512xf32, strides=[512,1]>>, tile<i32> -> token
    %q1, %t4 = load_view_tko weak %qp[%b, %c0] token = %t3 : partition_view<tile=(1x512), tensor_view<14x512xf32, strides=[512,1]>>, tile<i32> -> tile<1x512xf32>, token
    %sp = offset %s, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %scalar = reshape %sum : tile<1xf32> -> tile<f32>
    %t5 = store_ptr_tko weak %sp, %scalar : tile<ptr<f32>>, tile<f32> -> token
    %s1, %t6 = load_ptr_tko weak %sp token = %t5 : tile<ptr<f32>> -> tile<f32>, token
    %s2 = reshape %s1 : tile<f32> -> tile<1x1xf32>
    %s3 = broadcast %s2 : tile<1x1xf32> -> tile<1x512xf32>
    %unknown = divf %p1, %s3 : tile<1x512xf32>
    %unknownInverse = divf %ones, %q1 : tile<1x512xf32>

    // One NaN is as good as another.
    %nan = constant <f32: 0x7FC00000> : tile<1x512xf32>
    %n0 = cmpf not_equal unordered %known, %known : tile<1x512xf32> -> tile<1x512xi1>
    %k0 = select %n0, %nan, %known : tile<1x512xi1>, tile<1x512xf32>
    %n1 = cmpf not_equal unordered %unknown, %unknown : tile<1x512xf32> -> tile<1x512xi1>
    %k1 = select %n1, %nan, %unknown : tile<1x512xi1>, tile<1x512xf32>
    %n2 = cmpf not_equal unordered %knownInverse, %knownInverse : tile<1x512xf32> -> tile<1x512xi1>
    %k2 = select %n2, %nan, %knownInverse : tile<1x512xi1>, tile<1x512xf32>
    %n3 = cmpf not_equal unordered %unknownInverse, %unknownInverse : tile<1x512xf32> -> tile<1x512xi1>
    %k3 = select %n3, %nan, %unknownInverse : tile<1x512xi1>, tile<1x512xf32>
    %b0 = bitcast %k0 : tile<1x512xf32> -> tile<1x512xi32>
    %b1 = bitcast %k1 : tile<1x512xf32> -> tile<1x512xi32>
    %b2 = bitcast %k2 : tile<1x512xf32> -> tile<1x512xi32>
    %b3 = bitcast %k3 : tile<1x512xf32> -> tile<1x512xi32>
    %d0 = xori %b0, %b1 : tile<1x512xi32>
    %d1 = xori %b2, %b3 : tile<1x512xi32>
    %dt = make_tensor_view %differs, shape = [14, 512], strides = [512, 1] : tensor_view<14x512xi32, strides=[512,1]>
    %dp = make_partition_view %dt : partition_view<tile=(1x512), tensor_view<14x512xi32, strides=[512,1]>>
    %t7 = store_view_tko weak %d0, %dp[%b, %c0] : tile<1x512xi32>, partition_view<tile=(1x512), tensor_view<14x512xi32, strides=[512,1]>>, tile<i32> -> token
    %it = make_tensor_view %inverse, shape = [14, 512], strides = [512, 1] : tensor_view<14x512xi32, strides=[512,1]>
    %ip = make_partition_view %it : partition_view<tile=(1x512), tensor_view<14x512xi32, strides=[512,1]>>
    %t8 = store_view_tko weak %d1, %ip[%b, %c0] : tile<1x512xi32>, partition_view<tile=(1x512), tensor_view<14x512xi32, strides=[512,1]>>, tile<i32> -> token

    // They add up to 1 if the row has a finite sum.
    %total = reduce %known dim=1 identities=[0.0 : f32] : tile<1x512xf32> -> tile<1xf32>
    (%new: tile<f32>, %all: tile<f32>) {
      %more = addf %new, %all : tile<f32>
      yield %more : tile<f32>
    }
    %low = constant <f32: 0.999> : tile<1xf32>
    %high = constant <f32: 1.001> : tile<1xf32>
    %l = cmpf greater_than ordered %total, %low : tile<1xf32> -> tile<1xi1>
    %h = cmpf less_than ordered %total, %high : tile<1xf32> -> tile<1xi1>
    %lh = andi %l, %h : tile<1xi1>
    %one = exti %lh unsigned : tile<1xi1> -> tile<1xi32>
    %ones1 = reshape %one : tile<1xi32> -> tile<i32>
    %op = offset %isOne, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t9 = store_ptr_tko weak %op, %ones1 : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}

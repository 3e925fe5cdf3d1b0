// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Affine maps composed along an axis: an order that combines neighbours only, and no other, is right.
cuda_tile.module @kernels {
  entry @ordered_reduce(%s0: tile<ptr<i32>>, %t0: tile<ptr<i32>>, %u0: tile<ptr<i32>>, %v0: tile<ptr<i32>>, %s1: tile<ptr<i32>>, %t1: tile<ptr<i32>>, %u1: tile<ptr<i32>>, %v1: tile<ptr<i32>>, %s2: tile<ptr<i32>>, %t2: tile<ptr<i32>>, %u2: tile<ptr<i32>>, %v2: tile<ptr<i32>>, %s3: tile<ptr<i32>>, %t3: tile<ptr<i32>>, %u3: tile<ptr<i32>>, %v3: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %s0v = make_tensor_view %s0, shape = [4096], strides = [1] : tensor_view<4096xi32, strides=[1]>
    %s0p = make_partition_view %s0v : partition_view<tile=(4096), tensor_view<4096xi32, strides=[1]>>
    %sx0, %sk0 = load_view_tko weak %s0p[%c0] : partition_view<tile=(4096), tensor_view<4096xi32, strides=[1]>>, tile<i32> -> tile<4096xi32>, token
    %t0v = make_tensor_view %t0, shape = [4096], strides = [1] : tensor_view<4096xi32, strides=[1]>
    %t0p = make_partition_view %t0v : partition_view<tile=(4096), tensor_view<4096xi32, strides=[1]>>
    %tx0, %tk0 = load_view_tko weak %t0p[%c0] : partition_view<tile=(4096), tensor_view<4096xi32, strides=[1]>>, tile<i32> -> tile<4096xi32>, token
    %r0:2 = reduce %sx0, %tx0 dim=0 identities=[1 : i32, 0 : i32] : tile<4096xi32>, tile<4096xi32> -> tile<i32>, tile<i32>
    (%e0: tile<i32>, %a0: tile<i32>, %e1: tile<i32>, %a1: tile<i32>) {
      %p = muli %e0, %a0 : tile<i32>
      %q = muli %e0, %a1 : tile<i32>
      %w = addi %q, %e1 : tile<i32>
      yield %p, %w : tile<i32>, tile<i32>
    }
    %u0v = make_tensor_view %u0, shape = [1], strides = [1] : tensor_view<1xi32, strides=[1]>
    %u0p = make_partition_view %u0v : partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>
    %uo0 = reshape %r0#0 : tile<i32> -> tile<1xi32>
    %uk0 = store_view_tko weak %uo0, %u0p[%c0] : tile<1xi32>, partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>, tile<i32> -> token
    %v0v = make_tensor_view %v0, shape = [1], strides = [1] : tensor_view<1xi32, strides=[1]>
    %v0p = make_partition_view %v0v : partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>
    %vo0 = reshape %r0#1 : tile<i32> -> tile<1xi32>
    %vk0 = store_view_tko weak %vo0, %v0p[%c0] : tile<1xi32>, partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>, tile<i32> -> token
    %s1v = make_tensor_view %s1, shape = [16, 256], strides = [256, 1] : tensor_view<16x256xi32, strides=[256,1]>
    %s1p = make_partition_view %s1v : partition_view<tile=(16x256), tensor_view<16x256xi32, strides=[256,1]>>
    %sx1, %sk1 = load_view_tko weak %s1p[%c0, %c0] : partition_view<tile=(16x256), tensor_view<16x256xi32, strides=[256,1]>>, tile<i32> -> tile<16x256xi32>, token
    %t1v = make_tensor_view %t1, shape = [16, 256], strides = [256, 1] : tensor_view<16x256xi32, strides=[256,1]>
    %t1p = make_partition_view %t1v : partition_view<tile=(16x256), tensor_view<16x256xi32, strides=[256,1]>>
    %tx1, %tk1 = load_view_tko weak %t1p[%c0, %c0] : partition_view<tile=(16x256), tensor_view<16x256xi32, strides=[256,1]>>, tile<i32> -> tile<16x256xi32>, token
    %r1:2 = reduce %sx1, %tx1 dim=1 identities=[1 : i32, 0 : i32] : tile<16x256xi32>, tile<16x256xi32> -> tile<16xi32>, tile<16xi32>
    (%e0: tile<i32>, %a0: tile<i32>, %e1: tile<i32>, %a1: tile<i32>) {
      %p = muli %e0, %a0 : tile<i32>
      %q = muli %e0, %a1 : tile<i32>
      %w = addi %q, %e1 : tile<i32>
      yield %p, %w : tile<i32>, tile<i32>
    }
    %u1v = make_tensor_view %u1, shape = [16], strides = [1] : tensor_view<16xi32, strides=[1]>
    %u1p = make_partition_view %u1v : partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>
    %uk1 = store_view_tko weak %r1#0, %u1p[%c0] : tile<16xi32>, partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>, tile<i32> -> token
    %v1v = make_tensor_view %v1, shape = [16], strides = [1] : tensor_view<16xi32, strides=[1]>
    %v1p = make_partition_view %v1v : partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>
    %vk1 = store_view_tko weak %r1#1, %v1p[%c0] : tile<16xi32>, partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>, tile<i32> -> token
    %s2v = make_tensor_view %s2, shape = [256, 16], strides = [16, 1] : tensor_view<256x16xi32, strides=[16,1]>
    %s2p = make_partition_view %s2v : partition_view<tile=(256x16), tensor_view<256x16xi32, strides=[16,1]>>
    %sx2, %sk2 = load_view_tko weak %s2p[%c0, %c0] : partition_view<tile=(256x16), tensor_view<256x16xi32, strides=[16,1]>>, tile<i32> -> tile<256x16xi32>, token
    %t2v = make_tensor_view %t2, shape = [256, 16], strides = [16, 1] : tensor_view<256x16xi32, strides=[16,1]>
    %t2p = make_partition_view %t2v : partition_view<tile=(256x16), tensor_view<256x16xi32, strides=[16,1]>>
    %tx2, %tk2 = load_view_tko weak %t2p[%c0, %c0] : partition_view<tile=(256x16), tensor_view<256x16xi32, strides=[16,1]>>, tile<i32> -> tile<256x16xi32>, token
    %r2:2 = reduce %sx2, %tx2 dim=0 identities=[1 : i32, 0 : i32] : tile<256x16xi32>, tile<256x16xi32> -> tile<16xi32>, tile<16xi32>
    (%e0: tile<i32>, %a0: tile<i32>, %e1: tile<i32>, %a1: tile<i32>) {
      %p = muli %e0, %a0 : tile<i32>
      %q = muli %e0, %a1 : tile<i32>
      %w = addi %q, %e1 : tile<i32>
      yield %p, %w : tile<i32>, tile<i32>
    }
    %u2v = make_tensor_view %u2, shape = [16], strides = [1] : tensor_view<16xi32, strides=[1]>
    %u2p = make_partition_view %u2v : partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>
    %uk2 = store_view_tko weak %r2#0, %u2p[%c0] : tile<16xi32>, partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>, tile<i32> -> token
    %v2v = make_tensor_view %v2, shape = [16], strides = [1] : tensor_view<16xi32, strides=[1]>
    %v2p = make_partition_view %v2v : partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>
    %vk2 = store_view_tko weak %r2#1, %v2p[%c0] : tile<16xi32>, partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>, tile<i32> -> token
    %s3v = make_tensor_view %s3, shape = [2, 1024], strides = [1024, 1] : tensor_view<2x1024xi32, strides=[1024,1]>
    %s3p = make_partition_view %s3v : partition_view<tile=(2x1024), tensor_view<2x1024xi32, strides=[1024,1]>>
    %sx3, %sk3 = load_view_tko weak %s3p[%c0, %c0] : partition_view<tile=(2x1024), tensor_view<2x1024xi32, strides=[1024,1]>>, tile<i32> -> tile<2x1024xi32>, token
    %t3v = make_tensor_view %t3, shape = [2, 1024], strides = [1024, 1] : tensor_view<2x1024xi32, strides=[1024,1]>
    %t3p = make_partition_view %t3v : partition_view<tile=(2x1024), tensor_view<2x1024xi32, strides=[1024,1]>>
    %tx3, %tk3 = load_view_tko weak %t3p[%c0, %c0] : partition_view<tile=(2x1024), tensor_view<2x1024xi32, strides=[1024,1]>>, tile<i32> -> tile<2x1024xi32>, token
    %r3:2 = reduce %sx3, %tx3 dim=1 identities=[1 : i32, 0 : i32] : tile<2x1024xi32>, tile<2x1024xi32> -> tile<2xi32>, tile<2xi32>
    (%e0: tile<i32>, %a0: tile<i32>, %e1: tile<i32>, %a1: tile<i32>) {
      %p = muli %e0, %a0 : tile<i32>
      %q = muli %e0, %a1 : tile<i32>
      %w = addi %q, %e1 : tile<i32>
      yield %p, %w : tile<i32>, tile<i32>
    }
    %u3v = make_tensor_view %u3, shape = [2], strides = [1] : tensor_view<2xi32, strides=[1]>
    %u3p = make_partition_view %u3v : partition_view<tile=(2), tensor_view<2xi32, strides=[1]>>
    %uk3 = store_view_tko weak %r3#0, %u3p[%c0] : tile<2xi32>, partition_view<tile=(2), tensor_view<2xi32, strides=[1]>>, tile<i32> -> token
    %v3v = make_tensor_view %v3, shape = [2], strides = [1] : tensor_view<2xi32, strides=[1]>
    %v3p = make_partition_view %v3v : partition_view<tile=(2), tensor_view<2xi32, strides=[1]>>
    %vk3 = store_view_tko weak %r3#1, %v3p[%c0] : tile<2xi32>, partition_view<tile=(2), tensor_view<2xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}

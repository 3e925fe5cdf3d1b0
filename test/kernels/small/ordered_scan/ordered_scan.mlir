// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Affine maps composed along every kind of axis, forwards and backwards: their order matters. What comes before is the first
// argument.
cuda_tile.module @kernels {
  entry @ordered_scan(%s0: tile<ptr<i32>>, %t0: tile<ptr<i32>>, %u0: tile<ptr<i32>>, %v0: tile<ptr<i32>>, %s1: tile<ptr<i32>>, %t1: tile<ptr<i32>>, %u1: tile<ptr<i32>>, %v1: tile<ptr<i32>>, %s2: tile<ptr<i32>>, %t2: tile<ptr<i32>>, %u2: tile<ptr<i32>>, %v2: tile<ptr<i32>>, %s3: tile<ptr<i32>>, %t3: tile<ptr<i32>>, %u3: tile<ptr<i32>>, %v3: tile<ptr<i32>>, %s4: tile<ptr<i32>>, %t4: tile<ptr<i32>>, %u4: tile<ptr<i32>>, %v4: tile<ptr<i32>>, %s5: tile<ptr<i32>>, %t5: tile<ptr<i32>>, %u5: tile<ptr<i32>>, %v5: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %s0v = make_tensor_view %s0, shape = [4096], strides = [1] : tensor_view<4096xi32, strides=[1]>
    %s0p = make_partition_view %s0v : partition_view<tile=(4096), tensor_view<4096xi32, strides=[1]>>
    %t0v = make_tensor_view %t0, shape = [4096], strides = [1] : tensor_view<4096xi32, strides=[1]>
    %t0p = make_partition_view %t0v : partition_view<tile=(4096), tensor_view<4096xi32, strides=[1]>>
    %u0v = make_tensor_view %u0, shape = [4096], strides = [1] : tensor_view<4096xi32, strides=[1]>
    %u0p = make_partition_view %u0v : partition_view<tile=(4096), tensor_view<4096xi32, strides=[1]>>
    %v0v = make_tensor_view %v0, shape = [4096], strides = [1] : tensor_view<4096xi32, strides=[1]>
    %v0p = make_partition_view %v0v : partition_view<tile=(4096), tensor_view<4096xi32, strides=[1]>>
    %sx0, %sk0 = load_view_tko weak %s0p[%c0] : partition_view<tile=(4096), tensor_view<4096xi32, strides=[1]>>, tile<i32> -> tile<4096xi32>, token
    %tx0, %tk0 = load_view_tko weak %t0p[%c0] : partition_view<tile=(4096), tensor_view<4096xi32, strides=[1]>>, tile<i32> -> tile<4096xi32>, token
    %r0:2 = scan %sx0, %tx0 dim=0 reverse=false identities=[1 : i32, 0 : i32] : tile<4096xi32>, tile<4096xi32> -> tile<4096xi32>, tile<4096xi32>
    (%a0: tile<i32>, %e0: tile<i32>, %a1: tile<i32>, %e1: tile<i32>) {
      %p = muli %e0, %a0 : tile<i32>
      %q = muli %e0, %a1 : tile<i32>
      %w = addi %q, %e1 : tile<i32>
      yield %p, %w : tile<i32>, tile<i32>
    }
    %uk0 = store_view_tko weak %r0#0, %u0p[%c0] : tile<4096xi32>, partition_view<tile=(4096), tensor_view<4096xi32, strides=[1]>>, tile<i32> -> token
    %vk0 = store_view_tko weak %r0#1, %v0p[%c0] : tile<4096xi32>, partition_view<tile=(4096), tensor_view<4096xi32, strides=[1]>>, tile<i32> -> token
    %s1v = make_tensor_view %s1, shape = [16, 256], strides = [256, 1] : tensor_view<16x256xi32, strides=[256,1]>
    %s1p = make_partition_view %s1v : partition_view<tile=(16x256), tensor_view<16x256xi32, strides=[256,1]>>
    %t1v = make_tensor_view %t1, shape = [16, 256], strides = [256, 1] : tensor_view<16x256xi32, strides=[256,1]>
    %t1p = make_partition_view %t1v : partition_view<tile=(16x256), tensor_view<16x256xi32, strides=[256,1]>>
    %u1v = make_tensor_view %u1, shape = [16, 256], strides = [256, 1] : tensor_view<16x256xi32, strides=[256,1]>
    %u1p = make_partition_view %u1v : partition_view<tile=(16x256), tensor_view<16x256xi32, strides=[256,1]>>
    %v1v = make_tensor_view %v1, shape = [16, 256], strides = [256, 1] : tensor_view<16x256xi32, strides=[256,1]>
    %v1p = make_partition_view %v1v : partition_view<tile=(16x256), tensor_view<16x256xi32, strides=[256,1]>>
    %sx1, %sk1 = load_view_tko weak %s1p[%c0, %c0] : partition_view<tile=(16x256), tensor_view<16x256xi32, strides=[256,1]>>, tile<i32> -> tile<16x256xi32>, token
    %tx1, %tk1 = load_view_tko weak %t1p[%c0, %c0] : partition_view<tile=(16x256), tensor_view<16x256xi32, strides=[256,1]>>, tile<i32> -> tile<16x256xi32>, token
    %r1:2 = scan %sx1, %tx1 dim=1 reverse=true identities=[1 : i32, 0 : i32] : tile<16x256xi32>, tile<16x256xi32> -> tile<16x256xi32>, tile<16x256xi32>
    (%a0: tile<i32>, %e0: tile<i32>, %a1: tile<i32>, %e1: tile<i32>) {
      %p = muli %e0, %a0 : tile<i32>
      %q = muli %e0, %a1 : tile<i32>
      %w = addi %q, %e1 : tile<i32>
      yield %p, %w : tile<i32>, tile<i32>
    }
    %uk1 = store_view_tko weak %r1#0, %u1p[%c0, %c0] : tile<16x256xi32>, partition_view<tile=(16x256), tensor_view<16x256xi32, strides=[256,1]>>, tile<i32> -> token
    %vk1 = store_view_tko weak %r1#1, %v1p[%c0, %c0] : tile<16x256xi32>, partition_view<tile=(16x256), tensor_view<16x256xi32, strides=[256,1]>>, tile<i32> -> token
    %s2v = make_tensor_view %s2, shape = [256, 16], strides = [16, 1] : tensor_view<256x16xi32, strides=[16,1]>
    %s2p = make_partition_view %s2v : partition_view<tile=(256x16), tensor_view<256x16xi32, strides=[16,1]>>
    %t2v = make_tensor_view %t2, shape = [256, 16], strides = [16, 1] : tensor_view<256x16xi32, strides=[16,1]>
    %t2p = make_partition_view %t2v : partition_view<tile=(256x16), tensor_view<256x16xi32, strides=[16,1]>>
    %u2v = make_tensor_view %u2, shape = [256, 16], strides = [16, 1] : tensor_view<256x16xi32, strides=[16,1]>
    %u2p = make_partition_view %u2v : partition_view<tile=(256x16), tensor_view<256x16xi32, strides=[16,1]>>
    %v2v = make_tensor_view %v2, shape = [256, 16], strides = [16, 1] : tensor_view<256x16xi32, strides=[16,1]>
    %v2p = make_partition_view %v2v : partition_view<tile=(256x16), tensor_view<256x16xi32, strides=[16,1]>>
    %sx2, %sk2 = load_view_tko weak %s2p[%c0, %c0] : partition_view<tile=(256x16), tensor_view<256x16xi32, strides=[16,1]>>, tile<i32> -> tile<256x16xi32>, token
    %tx2, %tk2 = load_view_tko weak %t2p[%c0, %c0] : partition_view<tile=(256x16), tensor_view<256x16xi32, strides=[16,1]>>, tile<i32> -> tile<256x16xi32>, token
    %r2:2 = scan %sx2, %tx2 dim=0 reverse=false identities=[1 : i32, 0 : i32] : tile<256x16xi32>, tile<256x16xi32> -> tile<256x16xi32>, tile<256x16xi32>
    (%a0: tile<i32>, %e0: tile<i32>, %a1: tile<i32>, %e1: tile<i32>) {
      %p = muli %e0, %a0 : tile<i32>
      %q = muli %e0, %a1 : tile<i32>
      %w = addi %q, %e1 : tile<i32>
      yield %p, %w : tile<i32>, tile<i32>
    }
    %uk2 = store_view_tko weak %r2#0, %u2p[%c0, %c0] : tile<256x16xi32>, partition_view<tile=(256x16), tensor_view<256x16xi32, strides=[16,1]>>, tile<i32> -> token
    %vk2 = store_view_tko weak %r2#1, %v2p[%c0, %c0] : tile<256x16xi32>, partition_view<tile=(256x16), tensor_view<256x16xi32, strides=[16,1]>>, tile<i32> -> token
    %s3v = make_tensor_view %s3, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xi32, strides=[128,1]>
    %s3p = make_partition_view %s3v : partition_view<tile=(64x128), tensor_view<64x128xi32, strides=[128,1]>>
    %t3v = make_tensor_view %t3, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xi32, strides=[128,1]>
    %t3p = make_partition_view %t3v : partition_view<tile=(64x128), tensor_view<64x128xi32, strides=[128,1]>>
    %u3v = make_tensor_view %u3, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xi32, strides=[128,1]>
    %u3p = make_partition_view %u3v : partition_view<tile=(64x128), tensor_view<64x128xi32, strides=[128,1]>>
    %v3v = make_tensor_view %v3, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xi32, strides=[128,1]>
    %v3p = make_partition_view %v3v : partition_view<tile=(64x128), tensor_view<64x128xi32, strides=[128,1]>>
    %sx3, %sk3 = load_view_tko weak %s3p[%c0, %c0] : partition_view<tile=(64x128), tensor_view<64x128xi32, strides=[128,1]>>, tile<i32> -> tile<64x128xi32>, token
    %tx3, %tk3 = load_view_tko weak %t3p[%c0, %c0] : partition_view<tile=(64x128), tensor_view<64x128xi32, strides=[128,1]>>, tile<i32> -> tile<64x128xi32>, token
    %r3:2 = scan %sx3, %tx3 dim=0 reverse=true identities=[1 : i32, 0 : i32] : tile<64x128xi32>, tile<64x128xi32> -> tile<64x128xi32>, tile<64x128xi32>
    (%a0: tile<i32>, %e0: tile<i32>, %a1: tile<i32>, %e1: tile<i32>) {
      %p = muli %e0, %a0 : tile<i32>
      %q = muli %e0, %a1 : tile<i32>
      %w = addi %q, %e1 : tile<i32>
      yield %p, %w : tile<i32>, tile<i32>
    }
    %uk3 = store_view_tko weak %r3#0, %u3p[%c0, %c0] : tile<64x128xi32>, partition_view<tile=(64x128), tensor_view<64x128xi32, strides=[128,1]>>, tile<i32> -> token
    %vk3 = store_view_tko weak %r3#1, %v3p[%c0, %c0] : tile<64x128xi32>, partition_view<tile=(64x128), tensor_view<64x128xi32, strides=[128,1]>>, tile<i32> -> token
    %s4v = make_tensor_view %s4, shape = [8, 4, 64], strides = [256, 64, 1] : tensor_view<8x4x64xi32, strides=[256,64,1]>
    %s4p = make_partition_view %s4v : partition_view<tile=(8x4x64), tensor_view<8x4x64xi32, strides=[256,64,1]>>
    %t4v = make_tensor_view %t4, shape = [8, 4, 64], strides = [256, 64, 1] : tensor_view<8x4x64xi32, strides=[256,64,1]>
    %t4p = make_partition_view %t4v : partition_view<tile=(8x4x64), tensor_view<8x4x64xi32, strides=[256,64,1]>>
    %u4v = make_tensor_view %u4, shape = [8, 4, 64], strides = [256, 64, 1] : tensor_view<8x4x64xi32, strides=[256,64,1]>
    %u4p = make_partition_view %u4v : partition_view<tile=(8x4x64), tensor_view<8x4x64xi32, strides=[256,64,1]>>
    %v4v = make_tensor_view %v4, shape = [8, 4, 64], strides = [256, 64, 1] : tensor_view<8x4x64xi32, strides=[256,64,1]>
    %v4p = make_partition_view %v4v : partition_view<tile=(8x4x64), tensor_view<8x4x64xi32, strides=[256,64,1]>>
    %sx4, %sk4 = load_view_tko weak %s4p[%c0, %c0, %c0] : partition_view<tile=(8x4x64), tensor_view<8x4x64xi32, strides=[256,64,1]>>, tile<i32> -> tile<8x4x64xi32>, token
    %tx4, %tk4 = load_view_tko weak %t4p[%c0, %c0, %c0] : partition_view<tile=(8x4x64), tensor_view<8x4x64xi32, strides=[256,64,1]>>, tile<i32> -> tile<8x4x64xi32>, token
    %r4:2 = scan %sx4, %tx4 dim=1 reverse=false identities=[1 : i32, 0 : i32] : tile<8x4x64xi32>, tile<8x4x64xi32> -> tile<8x4x64xi32>, tile<8x4x64xi32>
    (%a0: tile<i32>, %e0: tile<i32>, %a1: tile<i32>, %e1: tile<i32>) {
      %p = muli %e0, %a0 : tile<i32>
      %q = muli %e0, %a1 : tile<i32>
      %w = addi %q, %e1 : tile<i32>
      yield %p, %w : tile<i32>, tile<i32>
    }
    %uk4 = store_view_tko weak %r4#0, %u4p[%c0, %c0, %c0] : tile<8x4x64xi32>, partition_view<tile=(8x4x64), tensor_view<8x4x64xi32, strides=[256,64,1]>>, tile<i32> -> token
    %vk4 = store_view_tko weak %r4#1, %v4p[%c0, %c0, %c0] : tile<8x4x64xi32>, partition_view<tile=(8x4x64), tensor_view<8x4x64xi32, strides=[256,64,1]>>, tile<i32> -> token
    %s5v = make_tensor_view %s5, shape = [4, 8, 32], strides = [256, 32, 1] : tensor_view<4x8x32xi32, strides=[256,32,1]>
    %s5p = make_partition_view %s5v : partition_view<tile=(4x8x32), tensor_view<4x8x32xi32, strides=[256,32,1]>>
    %t5v = make_tensor_view %t5, shape = [4, 8, 32], strides = [256, 32, 1] : tensor_view<4x8x32xi32, strides=[256,32,1]>
    %t5p = make_partition_view %t5v : partition_view<tile=(4x8x32), tensor_view<4x8x32xi32, strides=[256,32,1]>>
    %u5v = make_tensor_view %u5, shape = [4, 8, 32], strides = [256, 32, 1] : tensor_view<4x8x32xi32, strides=[256,32,1]>
    %u5p = make_partition_view %u5v : partition_view<tile=(4x8x32), tensor_view<4x8x32xi32, strides=[256,32,1]>>
    %v5v = make_tensor_view %v5, shape = [4, 8, 32], strides = [256, 32, 1] : tensor_view<4x8x32xi32, strides=[256,32,1]>
    %v5p = make_partition_view %v5v : partition_view<tile=(4x8x32), tensor_view<4x8x32xi32, strides=[256,32,1]>>
    %sx5, %sk5 = load_view_tko weak %s5p[%c0, %c0, %c0] : partition_view<tile=(4x8x32), tensor_view<4x8x32xi32, strides=[256,32,1]>>, tile<i32> -> tile<4x8x32xi32>, token
    %tx5, %tk5 = load_view_tko weak %t5p[%c0, %c0, %c0] : partition_view<tile=(4x8x32), tensor_view<4x8x32xi32, strides=[256,32,1]>>, tile<i32> -> tile<4x8x32xi32>, token
    %r5:2 = scan %sx5, %tx5 dim=0 reverse=true identities=[1 : i32, 0 : i32] : tile<4x8x32xi32>, tile<4x8x32xi32> -> tile<4x8x32xi32>, tile<4x8x32xi32>
    (%a0: tile<i32>, %e0: tile<i32>, %a1: tile<i32>, %e1: tile<i32>) {
      %p = muli %e0, %a0 : tile<i32>
      %q = muli %e0, %a1 : tile<i32>
      %w = addi %q, %e1 : tile<i32>
      yield %p, %w : tile<i32>, tile<i32>
    }
    %uk5 = store_view_tko weak %r5#0, %u5p[%c0, %c0, %c0] : tile<4x8x32xi32>, partition_view<tile=(4x8x32), tensor_view<4x8x32xi32, strides=[256,32,1]>>, tile<i32> -> token
    %vk5 = store_view_tko weak %r5#1, %v5p[%c0, %c0, %c0] : tile<4x8x32xi32>, partition_view<tile=(4x8x32), tensor_view<4x8x32xi32, strides=[256,32,1]>>, tile<i32> -> token
    return
  }
}

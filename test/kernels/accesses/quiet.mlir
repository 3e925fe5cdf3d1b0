// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads of memory that the kernel says has no other name, plain and with a mask; of a table; of memory that may have
// another name; and of memory that the kernel writes before, through the same pointer.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    nv_tileaa.global "private" constant @table align 16 = dense<[1.0, 2.0, 4.0, 8.0]> : tensor<4xf32>
    nv_tileaa.func kernel @quiet(%x: !nv_tileaa.ptr<f32> {nv_tileaa.div_by = 16 : i64, nv_tileaa.noalias},
                                 %y: !nv_tileaa.ptr<f32> {nv_tileaa.readonly, nv_tileaa.noalias},
                                 %z: !nv_tileaa.ptr<f32>, %n: i32, %w: !nv_tileaa.ptr<f32> {nv_tileaa.noalias},
                                 %all: !nv_tileaa.ptr<f32>, %again: !nv_tileaa.ptr<f32>) {
      %b = nv_tileaa.get_program_id x
      %c128 = arith.constant 128 : i32
      %start = arith.muli %b, %c128 : i32
      %starts = nv_tileaa.splat %start : i32 -> tensor<128xi32>
      %iota = nv_tileaa.make_range 0 to 128 : tensor<128xi32>
      %at = arith.addi %starts, %iota : tensor<128xi32>
      %xs = nv_tileaa.splat %x : !nv_tileaa.ptr<f32> -> tensor<128x!nv_tileaa.ptr<f32>>
      %xp = nv_tileaa.addptr %xs, %at : tensor<128x!nv_tileaa.ptr<f32>>, tensor<128xi32>
      %a, %t0 = nv_tileaa.load weak %xp : tensor<128x!nv_tileaa.ptr<f32>> -> tensor<128xf32>
      %ns = nv_tileaa.splat %n : i32 -> tensor<128xi32>
      %in = arith.cmpi slt, %at, %ns : tensor<128xi32>
      %zero = arith.constant dense<0.0> : tensor<128xf32>
      %ys = nv_tileaa.splat %y : !nv_tileaa.ptr<f32> -> tensor<128x!nv_tileaa.ptr<f32>>
      %yp = nv_tileaa.addptr %ys, %at : tensor<128x!nv_tileaa.ptr<f32>>, tensor<128xi32>
      %c, %t1 = nv_tileaa.load weak %yp mask %in other %zero {eviction_policy = #nv_tileaa.eviction_policy<first>} : tensor<128x!nv_tileaa.ptr<f32>> -> tensor<128xf32>
      %g = nv_tileaa.get_global @table : !nv_tileaa.ptr<f32>
      %gs = nv_tileaa.splat %g : !nv_tileaa.ptr<f32> -> tensor<128x!nv_tileaa.ptr<f32>>
      %three = arith.constant dense<3> : tensor<128xi32>
      %entry = arith.andi %iota, %three : tensor<128xi32>
      %gp = nv_tileaa.addptr %gs, %entry : tensor<128x!nv_tileaa.ptr<f32>>, tensor<128xi32>
      %f, %t2 = nv_tileaa.load weak %gp : tensor<128x!nv_tileaa.ptr<f32>> -> tensor<128xf32>
      %zs = nv_tileaa.splat %z : !nv_tileaa.ptr<f32> -> tensor<128x!nv_tileaa.ptr<f32>>
      %zp = nv_tileaa.addptr %zs, %at : tensor<128x!nv_tileaa.ptr<f32>>, tensor<128xi32>
      %d, %t3 = nv_tileaa.load weak %zp : tensor<128x!nv_tileaa.ptr<f32>> -> tensor<128xf32>
      %s0 = arith.addf %a, %c : tensor<128xf32>
      %s1 = arith.addf %s0, %f : tensor<128xf32>
      %s2 = arith.addf %s1, %d : tensor<128xf32>
      %as = nv_tileaa.splat %all : !nv_tileaa.ptr<f32> -> tensor<128x!nv_tileaa.ptr<f32>>
      %ap = nv_tileaa.addptr %as, %at : tensor<128x!nv_tileaa.ptr<f32>>, tensor<128xi32>
      %t4 = nv_tileaa.store weak %ap, %s2 : tensor<128x!nv_tileaa.ptr<f32>>, tensor<128xf32>
      %ws = nv_tileaa.splat %w : !nv_tileaa.ptr<f32> -> tensor<128x!nv_tileaa.ptr<f32>>
      %wp = nv_tileaa.addptr %ws, %at : tensor<128x!nv_tileaa.ptr<f32>>, tensor<128xi32>
      %t5 = nv_tileaa.store weak %wp, %s2 : tensor<128x!nv_tileaa.ptr<f32>>, tensor<128xf32>
      %last = arith.constant dense<127> : tensor<128xi32>
      %back = arith.subi %last, %iota : tensor<128xi32>
      %backAt = arith.addi %starts, %back : tensor<128xi32>
      %wb = nv_tileaa.addptr %ws, %backAt : tensor<128x!nv_tileaa.ptr<f32>>, tensor<128xi32>
      %e, %t6 = nv_tileaa.load weak %wb token %t5 : tensor<128x!nv_tileaa.ptr<f32>> -> tensor<128xf32>
      %rs = nv_tileaa.splat %again : !nv_tileaa.ptr<f32> -> tensor<128x!nv_tileaa.ptr<f32>>
      %rp = nv_tileaa.addptr %rs, %at : tensor<128x!nv_tileaa.ptr<f32>>, tensor<128xi32>
      %t7 = nv_tileaa.store weak %rp, %e : tensor<128x!nv_tileaa.ptr<f32>>, tensor<128xf32>
      nv_tileaa.return
    }
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = env TILEIR_NEWEST_RULES=1 %mlir-opt --load-dialect-plugin=%libTileAAPasses.so --load-pass-plugin=%libTileAAPasses.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(convert-cudatile-to-tileaa{compute-capability=sm_90},canonicalize))' | FileCheck %s

gpu.module @m {
  cuda_tile.module @inner {
    // The loop says whether the kernel has returned; what follows it is for the case that it has not.
    // CHECK-LABEL: nv_tileaa.func kernel @return_in_loop(
    //  CHECK-SAME:   %[[P:.*]]: !nv_tileaa.ptr<i32>, %[[N:.*]]: i32, %[[E:.*]]: i32)
    //       CHECK:   %[[W:.*]]:{{.*}} = scf.while
    //       CHECK:   scf.if %[[W]]#[[#]] {
    //  CHECK-NEXT:   } else {
    //       CHECK:     nv_tileaa.store weak %[[P]], %[[W]]#
    //       CHECK:   }
    //  CHECK-NEXT:   nv_tileaa.return
    entry @return_in_loop(%p: tile<ptr<i32>>, %n: tile<i32>, %e: tile<i32>) {
      %r = loop iter_values(%i = %n) : tile<i32> -> tile<i32> {
        %c = cmpi equal %i, %e, signed : tile<i32> -> tile<i1>
        if %c {
          return
        }
        %d = cmpi equal %i, %n, unsigned : tile<i32> -> tile<i1>
        if %d {
          break %i : tile<i32>
        }
        %i1 = addi %i, %n : tile<i32>
        continue %i1 : tile<i32>
      }
      %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
      return
    }

    // A reduction may divide, and branch.
    // CHECK-LABEL: nv_tileaa.func kernel @divide(
    //       CHECK:   nv_tileaa.reduce
    //       CHECK:     arith.divsi
    //       CHECK:     scf.if
    //       CHECK:     nv_tileaa.yield
    entry @divide(%p: tile<ptr<i32>>, %c: tile<i1>) {
      %x = constant <i32: [8, 4, 2, 1]> : tile<4xi32>
      %r = reduce %x dim=0 identities=[1 : i32] : tile<4xi32> -> tile<i32>
      (%a: tile<i32>, %b: tile<i32>) {
        %d = divi %a, %b signed : tile<i32>
        %f = if %c -> (tile<i32>) {
          %g = divi %d, %b signed : tile<i32>
          yield %g : tile<i32>
        } else {
          yield %b : tile<i32>
        }
        yield %f : tile<i32>
      }
      %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
      return
    }

    // A tile that is only updated needs no padding.
    // CHECK-LABEL: nv_tileaa.func kernel @padded(
    //       CHECK:   nv_tileaa.block_tile {{.*}} -> !nv_tileaa.tiled_view<
    //   CHECK-NOT:     padding
    //       CHECK:   nv_tileaa.tiled_atomic_rmw
    //   CHECK-NOT:     padding
    //       CHECK:   nv_tileaa.return
    entry @padded(%p: tile<ptr<f32>>, %i: tile<i32>) {
      %v = constant <f32: 1.0> : tile<8xf32>
      %t = make_tensor_view %p, shape = [100], strides = [1] : tensor_view<100xf32, strides=[1]>
      %w = make_partition_view %t : partition_view<tile=(8), padding_value = zero, tensor_view<100xf32, strides=[1]>>
      %k = atomic_red_view_tko relaxed device %w[%i], addf, %v : tile<8xf32>, partition_view<tile=(8), padding_value = zero, tensor_view<100xf32, strides=[1]>>, tile<i32> -> token
      return
    }
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum that leaves one element of a loaded row becomes a load of that element.
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileAAPasses.so --load-pass-plugin=%libTileAAPasses.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(convert-cudatile-to-tileaa{compute-capability=sm_90}))' | FileCheck %s

gpu.module @m {
  // The element is loaded where its index is known; the store waits for both.
  // CHECK-LABEL: nv_tileaa.func kernel @picked
  //       CHECK:   %[[ROW:.*]], %[[T0:.*]] = nv_tileaa.tiled_load weak {{.*}} -> tensor<1x1024xbf16>
  //  CHECK-NEXT:   %[[AT:.*]], %{{.*}} = nv_tileaa.tiled_load weak {{.*}} -> tensor<1xi32>
  //       CHECK:   %[[IN:.*]] = arith.cmpi ult, %[[I:.*]], %[[N:.*]] : i32
  //       CHECK:   %[[K:.*]] = arith.select %[[IN]], %[[I]], %{{.*}} : i32
  //       CHECK:   %[[ONE:.*]], %[[T1:.*]] = nv_tileaa.tiled_load weak %{{.*}}[%{{.*}}, %[[K]]] {{.*}} -> tensor<1x1xbf16>
  //       CHECK:   %[[BOTH:.*]] = nv_tileaa.join_mem_token %[[T0]], %[[T1]]
  //   CHECK-NOT:   nv_tileaa.reduce
  //       CHECK:   nv_tileaa.tiled_store weak %{{.*}} token %[[BOTH]]
  //       CHECK:   nv_tileaa.fp_to_fp %[[ONE]] : tensor<1x1xbf16> -> tensor<1x1xf32>
  //   CHECK-NOT:   nv_tileaa.reduce
  //       CHECK:   arith.select
  //       CHECK:   arith.addf
  // The row is stored over before the index is known.
  // CHECK-LABEL: nv_tileaa.func kernel @late
  //   CHECK-NOT:   tensor<1x1xbf16>
  //       CHECK:   nv_tileaa.reduce
  // Elements are not added as they are: subnormal ones become zero.
  // CHECK-LABEL: nv_tileaa.func kernel @flushed
  //   CHECK-NOT:   tensor<1x1xbf16>
  //       CHECK:   nv_tileaa.reduce
  // The tile does not begin with the row.
  // CHECK-LABEL: nv_tileaa.func kernel @second
  //   CHECK-NOT:   tensor<1x1xbf16>
  //       CHECK:   nv_tileaa.reduce
  // Elements that are not picked are no zeros.
  // CHECK-LABEL: nv_tileaa.func kernel @negative_zeros
  //   CHECK-NOT:   tensor<1x1xbf16>
  //       CHECK:   nv_tileaa.reduce
  // Two elements share a byte.
  // CHECK-LABEL: nv_tileaa.func kernel @nibbles
  //   CHECK-NOT:   tensor<1x1xf4E2M1FN>
  //       CHECK:   nv_tileaa.reduce
  cuda_tile.module @t {
    entry @picked(%p: tile<ptr<bf16>>, %a: tile<ptr<i32>>, %o: tile<ptr<f32>>, %rows: tile<i32>, %columns: tile<i32>) {
      %b, %by, %bz = get_tile_block_id : tile<i32>
      %c0 = constant <i32: 0> : tile<i32>
      %c1 = constant <i32: 1> : tile<i32>
      %xv = make_tensor_view %p, shape = [%rows, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
      %xp = make_partition_view %xv : partition_view<tile=(1x1024), tensor_view<?x?xbf16, strides=[?,1]>>
      %av = make_tensor_view %a, shape = [%rows], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
      %ap = make_partition_view %av : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>
      %x, %t0 = load_view_tko weak %xp[%b, %c0] : partition_view<tile=(1x1024), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<1x1024xbf16>, token
      %i0, %t1 = load_view_tko weak %ap[%b] : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token
      %t2 = store_view_tko weak %x, %xp[%b, %c0] token = %t0 : tile<1x1024xbf16>, partition_view<tile=(1x1024), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
      %wide = ftof %x : tile<1x1024xbf16> -> tile<1x1024xf32>
      %n = iota : tile<1024xi32>
      %n1 = reshape %n : tile<1024xi32> -> tile<1x1024xi32>
      %i1 = reshape %i0 : tile<1xi32> -> tile<1x1xi32>
      %i2 = broadcast %i1 : tile<1x1xi32> -> tile<1x1024xi32>
      %is = cmpi equal %n1, %i2, signed : tile<1x1024xi32> -> tile<1x1024xi1>
      %z = constant <f32: 0.0> : tile<1x1024xf32>
      %s = select %is, %wide, %z : tile<1x1024xi1>, tile<1x1024xf32>
      %r = reduce %s dim=1 identities=[0.0 : f32] : tile<1x1024xf32> -> tile<1xf32>
      (%e: tile<f32>, %all: tile<f32>) {
        %m = addf %e, %all : tile<f32>
        yield %m : tile<f32>
      }
      %q = reshape %r : tile<1xf32> -> tile<f32>
      %ob = offset %o, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %t3 = store_ptr_tko weak %ob, %q : tile<ptr<f32>>, tile<f32> -> token
    }
    entry @late(%p: tile<ptr<bf16>>, %a: tile<ptr<i32>>, %o: tile<ptr<f32>>, %rows: tile<i32>, %columns: tile<i32>) {
      %b, %by, %bz = get_tile_block_id : tile<i32>
      %c0 = constant <i32: 0> : tile<i32>
      %c1 = constant <i32: 1> : tile<i32>
      %xv = make_tensor_view %p, shape = [%rows, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
      %xp = make_partition_view %xv : partition_view<tile=(1x1024), tensor_view<?x?xbf16, strides=[?,1]>>
      %av = make_tensor_view %a, shape = [%rows], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
      %ap = make_partition_view %av : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>
      %x, %t0 = load_view_tko weak %xp[%b, %c0] : partition_view<tile=(1x1024), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<1x1024xbf16>, token
      %t2 = store_view_tko weak %x, %xp[%b, %c0] token = %t0 : tile<1x1024xbf16>, partition_view<tile=(1x1024), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
      %i0, %t1 = load_view_tko weak %ap[%b] token = %t2 : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token
      %wide = ftof %x : tile<1x1024xbf16> -> tile<1x1024xf32>
      %n = iota : tile<1024xi32>
      %n1 = reshape %n : tile<1024xi32> -> tile<1x1024xi32>
      %i1 = reshape %i0 : tile<1xi32> -> tile<1x1xi32>
      %i2 = broadcast %i1 : tile<1x1xi32> -> tile<1x1024xi32>
      %is = cmpi equal %n1, %i2, signed : tile<1x1024xi32> -> tile<1x1024xi1>
      %z = constant <f32: 0.0> : tile<1x1024xf32>
      %s = select %is, %wide, %z : tile<1x1024xi1>, tile<1x1024xf32>
      %r = reduce %s dim=1 identities=[0.0 : f32] : tile<1x1024xf32> -> tile<1xf32>
      (%e: tile<f32>, %all: tile<f32>) {
        %m = addf %e, %all : tile<f32>
        yield %m : tile<f32>
      }
      %q = reshape %r : tile<1xf32> -> tile<f32>
      %ob = offset %o, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %t3 = store_ptr_tko weak %ob, %q : tile<ptr<f32>>, tile<f32> -> token
    }
    entry @flushed(%p: tile<ptr<bf16>>, %a: tile<ptr<i32>>, %o: tile<ptr<f32>>, %rows: tile<i32>, %columns: tile<i32>) {
      %b, %by, %bz = get_tile_block_id : tile<i32>
      %c0 = constant <i32: 0> : tile<i32>
      %c1 = constant <i32: 1> : tile<i32>
      %xv = make_tensor_view %p, shape = [%rows, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
      %xp = make_partition_view %xv : partition_view<tile=(1x1024), tensor_view<?x?xbf16, strides=[?,1]>>
      %av = make_tensor_view %a, shape = [%rows], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
      %ap = make_partition_view %av : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>
      %x, %t0 = load_view_tko weak %xp[%b, %c0] : partition_view<tile=(1x1024), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<1x1024xbf16>, token
      %i0, %t1 = load_view_tko weak %ap[%b] : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token
      %t2 = store_view_tko weak %x, %xp[%b, %c0] token = %t0 : tile<1x1024xbf16>, partition_view<tile=(1x1024), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
      %wide = ftof %x : tile<1x1024xbf16> -> tile<1x1024xf32>
      %n = iota : tile<1024xi32>
      %n1 = reshape %n : tile<1024xi32> -> tile<1x1024xi32>
      %i1 = reshape %i0 : tile<1xi32> -> tile<1x1xi32>
      %i2 = broadcast %i1 : tile<1x1xi32> -> tile<1x1024xi32>
      %is = cmpi equal %n1, %i2, signed : tile<1x1024xi32> -> tile<1x1024xi1>
      %z = constant <f32: 0.0> : tile<1x1024xf32>
      %s = select %is, %wide, %z : tile<1x1024xi1>, tile<1x1024xf32>
      %r = reduce %s dim=1 identities=[0.0 : f32] : tile<1x1024xf32> -> tile<1xf32>
      (%e: tile<f32>, %all: tile<f32>) {
        %m = addf %e, %all flush_to_zero : tile<f32>
        yield %m : tile<f32>
      }
      %q = reshape %r : tile<1xf32> -> tile<f32>
      %ob = offset %o, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %t3 = store_ptr_tko weak %ob, %q : tile<ptr<f32>>, tile<f32> -> token
    }
    entry @second(%p: tile<ptr<bf16>>, %a: tile<ptr<i32>>, %o: tile<ptr<f32>>, %rows: tile<i32>, %columns: tile<i32>) {
      %b, %by, %bz = get_tile_block_id : tile<i32>
      %c0 = constant <i32: 0> : tile<i32>
      %c1 = constant <i32: 1> : tile<i32>
      %xv = make_tensor_view %p, shape = [%rows, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
      %xp = make_partition_view %xv : partition_view<tile=(1x1024), tensor_view<?x?xbf16, strides=[?,1]>>
      %av = make_tensor_view %a, shape = [%rows], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
      %ap = make_partition_view %av : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>
      %x, %t0 = load_view_tko weak %xp[%b, %c1] : partition_view<tile=(1x1024), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<1x1024xbf16>, token
      %i0, %t1 = load_view_tko weak %ap[%b] : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token
      %t2 = store_view_tko weak %x, %xp[%b, %c1] token = %t0 : tile<1x1024xbf16>, partition_view<tile=(1x1024), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
      %wide = ftof %x : tile<1x1024xbf16> -> tile<1x1024xf32>
      %n = iota : tile<1024xi32>
      %n1 = reshape %n : tile<1024xi32> -> tile<1x1024xi32>
      %i1 = reshape %i0 : tile<1xi32> -> tile<1x1xi32>
      %i2 = broadcast %i1 : tile<1x1xi32> -> tile<1x1024xi32>
      %is = cmpi equal %n1, %i2, signed : tile<1x1024xi32> -> tile<1x1024xi1>
      %z = constant <f32: 0.0> : tile<1x1024xf32>
      %s = select %is, %wide, %z : tile<1x1024xi1>, tile<1x1024xf32>
      %r = reduce %s dim=1 identities=[0.0 : f32] : tile<1x1024xf32> -> tile<1xf32>
      (%e: tile<f32>, %all: tile<f32>) {
        %m = addf %e, %all : tile<f32>
        yield %m : tile<f32>
      }
      %q = reshape %r : tile<1xf32> -> tile<f32>
      %ob = offset %o, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %t3 = store_ptr_tko weak %ob, %q : tile<ptr<f32>>, tile<f32> -> token
    }
    entry @negative_zeros(%p: tile<ptr<bf16>>, %a: tile<ptr<i32>>, %o: tile<ptr<f32>>, %rows: tile<i32>, %columns: tile<i32>) {
      %b, %by, %bz = get_tile_block_id : tile<i32>
      %c0 = constant <i32: 0> : tile<i32>
      %c1 = constant <i32: 1> : tile<i32>
      %xv = make_tensor_view %p, shape = [%rows, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
      %xp = make_partition_view %xv : partition_view<tile=(1x1024), tensor_view<?x?xbf16, strides=[?,1]>>
      %av = make_tensor_view %a, shape = [%rows], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
      %ap = make_partition_view %av : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>
      %x, %t0 = load_view_tko weak %xp[%b, %c0] : partition_view<tile=(1x1024), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> tile<1x1024xbf16>, token
      %i0, %t1 = load_view_tko weak %ap[%b] : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token
      %t2 = store_view_tko weak %x, %xp[%b, %c0] token = %t0 : tile<1x1024xbf16>, partition_view<tile=(1x1024), tensor_view<?x?xbf16, strides=[?,1]>>, tile<i32> -> token
      %wide = ftof %x : tile<1x1024xbf16> -> tile<1x1024xf32>
      %n = iota : tile<1024xi32>
      %n1 = reshape %n : tile<1024xi32> -> tile<1x1024xi32>
      %i1 = reshape %i0 : tile<1xi32> -> tile<1x1xi32>
      %i2 = broadcast %i1 : tile<1x1xi32> -> tile<1x1024xi32>
      %is = cmpi equal %n1, %i2, signed : tile<1x1024xi32> -> tile<1x1024xi1>
      %z = constant <f32: -0.0> : tile<1x1024xf32>
      %s = select %is, %wide, %z : tile<1x1024xi1>, tile<1x1024xf32>
      %r = reduce %s dim=1 identities=[0.0 : f32] : tile<1x1024xf32> -> tile<1xf32>
      (%e: tile<f32>, %all: tile<f32>) {
        %m = addf %e, %all : tile<f32>
        yield %m : tile<f32>
      }
      %q = reshape %r : tile<1xf32> -> tile<f32>
      %ob = offset %o, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %t3 = store_ptr_tko weak %ob, %q : tile<ptr<f32>>, tile<f32> -> token
    }
    entry @nibbles(%p: tile<ptr<f4E2M1FN>>, %a: tile<ptr<i32>>, %o: tile<ptr<f32>>, %rows: tile<i32>, %columns: tile<i32>) {
      %b, %by, %bz = get_tile_block_id : tile<i32>
      %c0 = constant <i32: 0> : tile<i32>
      %c1 = constant <i32: 1> : tile<i32>
      %xv = make_tensor_view %p, shape = [%rows, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?xf4E2M1FN, strides=[?,1]>
      %xp = make_partition_view %xv : partition_view<tile=(1x1024), tensor_view<?x?xf4E2M1FN, strides=[?,1]>>
      %av = make_tensor_view %a, shape = [%rows], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
      %ap = make_partition_view %av : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>
      %x, %t0 = load_view_tko weak %xp[%b, %c0] : partition_view<tile=(1x1024), tensor_view<?x?xf4E2M1FN, strides=[?,1]>>, tile<i32> -> tile<1x1024xf4E2M1FN>, token
      %i0, %t1 = load_view_tko weak %ap[%b] : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token
      %t2 = store_view_tko weak %x, %xp[%b, %c0] token = %t0 : tile<1x1024xf4E2M1FN>, partition_view<tile=(1x1024), tensor_view<?x?xf4E2M1FN, strides=[?,1]>>, tile<i32> -> token
      %wide = ftof %x : tile<1x1024xf4E2M1FN> -> tile<1x1024xf32>
      %n = iota : tile<1024xi32>
      %n1 = reshape %n : tile<1024xi32> -> tile<1x1024xi32>
      %i1 = reshape %i0 : tile<1xi32> -> tile<1x1xi32>
      %i2 = broadcast %i1 : tile<1x1xi32> -> tile<1x1024xi32>
      %is = cmpi equal %n1, %i2, signed : tile<1x1024xi32> -> tile<1x1024xi1>
      %z = constant <f32: 0.0> : tile<1x1024xf32>
      %s = select %is, %wide, %z : tile<1x1024xi1>, tile<1x1024xf32>
      %r = reduce %s dim=1 identities=[0.0 : f32] : tile<1x1024xf32> -> tile<1xf32>
      (%e: tile<f32>, %all: tile<f32>) {
        %m = addf %e, %all : tile<f32>
        yield %m : tile<f32>
      }
      %q = reshape %r : tile<1xf32> -> tile<f32>
      %ob = offset %o, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %t3 = store_ptr_tko weak %ob, %q : tile<ptr<f32>>, tile<f32> -> token
    }
  }
}

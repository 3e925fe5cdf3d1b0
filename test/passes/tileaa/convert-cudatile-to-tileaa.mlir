// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileAAPasses.so --load-pass-plugin=%libTileAAPasses.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(convert-cudatile-to-tileaa{compute-capability=sm_90}))' | FileCheck %s

// CHECK: gpu.module @m attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.producer = "p", nv_tileaa.target_spec = "sm_90"}
gpu.module @m {
  cuda_tile.module @inner attributes {producer = "p"} {
    // CHECK-LABEL: nv_tileaa.func kernel @floats(
    // CHECK-SAME: %[[S:.*]]: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    entry @floats(%s: tile<f32>) {
      // CHECK-NEXT: arith.addf %[[S]], %[[S]] : f32
      %0 = addf %s, %s : tile<f32>
      // CHECK-NEXT: nv_tileaa.addf %[[S]], %[[S]] rounding<zero> : f32
      %1 = addf %s, %s rounding<zero> : tile<f32>
      // CHECK-NEXT: nv_tileaa.addf %[[S]], %[[S]] ftz : f32
      %2 = addf %s, %s flush_to_zero : tile<f32>
      // CHECK-NEXT: arith.subf
      %3 = subf %s, %s : tile<f32>
      // CHECK-NEXT: nv_tileaa.subf %[[S]], %[[S]] rounding<negative_inf> ftz : f32
      %4 = subf %s, %s rounding<negative_inf> flush_to_zero : tile<f32>
      // CHECK-NEXT: arith.mulf
      %5 = mulf %s, %s : tile<f32>
      // CHECK-NEXT: nv_tileaa.mulf %[[S]], %[[S]] rounding<positive_inf> : f32
      %6 = mulf %s, %s rounding<positive_inf> : tile<f32>
      // CHECK-NEXT: arith.divf
      %7 = divf %s, %s : tile<f32>
      // CHECK-NEXT: nv_tileaa.divf %[[S]], %[[S]] rounding<approx> : f32
      %8 = divf %s, %s rounding<approx> : tile<f32>
      // CHECK-NEXT: nv_tileaa.divf %[[S]], %[[S]] rounding<full> ftz : f32
      %9 = divf %s, %s rounding<full> flush_to_zero : tile<f32>
      // CHECK-NEXT: math.fma
      %10 = fma %s, %s, %s : tile<f32>
      // CHECK-NEXT: nv_tileaa.fma %[[S]], %[[S]], %[[S]] ftz : f32
      %11 = fma %s, %s, %s flush_to_zero : tile<f32>
      // CHECK-NEXT: math.sqrt
      %12 = sqrt %s : tile<f32>
      // CHECK-NEXT: nv_tileaa.sqrt %[[S]] rounding<approx> : f32
      %13 = sqrt %s rounding<approx> : tile<f32>
      // CHECK-NEXT: math.rsqrt
      %14 = rsqrt %s : tile<f32>
      // CHECK-NEXT: nv_tileaa.rsqrt %[[S]] ftz : f32
      %15 = rsqrt %s flush_to_zero : tile<f32>
      // CHECK-NEXT: math.exp2
      %16 = exp2 %s : tile<f32>
      // CHECK-NEXT: nv_tileaa.exp2 %[[S]] ftz : f32
      %17 = exp2 %s flush_to_zero : tile<f32>
      // CHECK-NEXT: math.exp %[[S]] : f32
      %18 = exp %s : tile<f32>
      // CHECK-NEXT: math.exp %[[S]] fastmath<afn> : f32
      %19 = exp %s rounding<approx> : tile<f32>
      // CHECK-NEXT: math.tanh %[[S]] fastmath<afn> : f32
      %20 = tanh %s rounding<approx> : tile<f32>
      // CHECK-NEXT: arith.maxnumf
      %21 = maxf %s, %s : tile<f32>
      // CHECK-NEXT: arith.maximumf
      %22 = maxf %s, %s propagate_nan : tile<f32>
      // CHECK-NEXT: nv_tileaa.maxf %[[S]], %[[S]] ftz : f32
      %23 = maxf %s, %s flush_to_zero : tile<f32>
      // CHECK-NEXT: arith.minnumf
      %24 = minf %s, %s : tile<f32>
      // CHECK-NEXT: arith.minimumf
      %25 = minf %s, %s propagate_nan : tile<f32>
      // CHECK-NEXT: nv_tileaa.minf %[[S]], %[[S]] propagate_nan ftz : f32
      %26 = minf %s, %s flush_to_zero propagate_nan : tile<f32>
      // CHECK-NEXT: math.absf
      %27 = absf %s : tile<f32>
      // CHECK-NEXT: math.ceil
      %28 = ceil %s : tile<f32>
      // CHECK-NEXT: math.cos
      %29 = cos %s : tile<f32>
      // CHECK-NEXT: math.cosh
      %30 = cosh %s : tile<f32>
      // CHECK-NEXT: math.floor
      %31 = floor %s : tile<f32>
      // CHECK-NEXT: math.log
      %32 = log %s : tile<f32>
      // CHECK-NEXT: math.log2
      %33 = log2 %s : tile<f32>
      // CHECK-NEXT: math.sin
      %34 = sin %s : tile<f32>
      // CHECK-NEXT: math.sinh
      %35 = sinh %s : tile<f32>
      // CHECK-NEXT: math.tan
      %36 = tan %s : tile<f32>
      // CHECK-NEXT: nv_tileaa.extern_elementwise "__nv_atan2f"
      %37 = atan2 %s, %s : tile<f32>
      // CHECK-NEXT: math.powf
      %38 = pow %s, %s : tile<f32>
      // CHECK-NEXT: arith.negf
      %39 = negf %s : tile<f32>
      // CHECK-NEXT: arith.remf
      %40 = remf %s, %s : tile<f32>
      // CHECK-NEXT: arith.cmpf oeq,
      %41 = cmpf equal ordered %s, %s : tile<f32> -> tile<i1>
      // CHECK-NEXT: arith.cmpf one,
      %42 = cmpf not_equal ordered %s, %s : tile<f32> -> tile<i1>
      // CHECK-NEXT: arith.cmpf olt,
      %43 = cmpf less_than ordered %s, %s : tile<f32> -> tile<i1>
      // CHECK-NEXT: arith.cmpf ole,
      %44 = cmpf less_than_or_equal ordered %s, %s : tile<f32> -> tile<i1>
      // CHECK-NEXT: arith.cmpf ogt,
      %45 = cmpf greater_than ordered %s, %s : tile<f32> -> tile<i1>
      // CHECK-NEXT: arith.cmpf oge,
      %46 = cmpf greater_than_or_equal ordered %s, %s : tile<f32> -> tile<i1>
      // CHECK-NEXT: arith.cmpf ueq,
      %47 = cmpf equal unordered %s, %s : tile<f32> -> tile<i1>
      // CHECK-NEXT: arith.cmpf une,
      %48 = cmpf not_equal unordered %s, %s : tile<f32> -> tile<i1>
      // CHECK-NEXT: arith.cmpf ult,
      %49 = cmpf less_than unordered %s, %s : tile<f32> -> tile<i1>
      // CHECK-NEXT: arith.cmpf uge,
      %50 = cmpf greater_than_or_equal unordered %s, %s : tile<f32> -> tile<i1>
      // CHECK-NEXT: nv_tileaa.return
      return
    }

    // CHECK-LABEL: nv_tileaa.func kernel @integers(
    // CHECK-SAME: %[[S:.*]]: i32)
    entry @integers(%s: tile<i32>) {
      // CHECK-NEXT: arith.addi %[[S]], %[[S]] : i32
      %0 = addi %s, %s : tile<i32>
      // CHECK-NEXT: arith.addi %[[S]], %[[S]] overflow<nsw> : i32
      %1 = addi %s, %s overflow<no_signed_wrap> : tile<i32>
      // CHECK-NEXT: arith.subi %[[S]], %[[S]] overflow<nuw> : i32
      %2 = subi %s, %s overflow<no_unsigned_wrap> : tile<i32>
      // CHECK-NEXT: arith.muli %[[S]], %[[S]] overflow<nsw, nuw> : i32
      %3 = muli %s, %s overflow<no_wrap> : tile<i32>
      // CHECK-NEXT: arith.shli %[[S]], %[[S]] : i32
      %4 = shli %s, %s : tile<i32>
      // CHECK-NEXT: arith.shrsi
      %5 = shri %s, %s signed : tile<i32>
      // CHECK-NEXT: arith.shrui
      %6 = shri %s, %s unsigned : tile<i32>
      // CHECK-NEXT: arith.divsi
      %7 = divi %s, %s signed : tile<i32>
      // CHECK-NEXT: arith.divui
      %8 = divi %s, %s unsigned : tile<i32>
      // CHECK-NEXT: arith.ceildivsi
      %9 = divi %s, %s signed rounding<positive_inf> : tile<i32>
      // CHECK-NEXT: arith.ceildivui
      %10 = divi %s, %s unsigned rounding<positive_inf> : tile<i32>
      // CHECK-NEXT: arith.floordivsi
      %11 = divi %s, %s signed rounding<negative_inf> : tile<i32>
      // CHECK-NEXT: arith.remsi
      %12 = remi %s, %s signed : tile<i32>
      // CHECK-NEXT: arith.remui
      %13 = remi %s, %s unsigned : tile<i32>
      // CHECK-NEXT: arith.maxsi
      %14 = maxi %s, %s signed : tile<i32>
      // CHECK-NEXT: arith.maxui
      %15 = maxi %s, %s unsigned : tile<i32>
      // CHECK-NEXT: arith.minsi
      %16 = mini %s, %s signed : tile<i32>
      // CHECK-NEXT: arith.minui
      %17 = mini %s, %s unsigned : tile<i32>
      // CHECK-NEXT: arith.andi
      %18 = andi %s, %s : tile<i32>
      // CHECK-NEXT: arith.ori
      %19 = ori %s, %s : tile<i32>
      // CHECK-NEXT: arith.xori
      %20 = xori %s, %s : tile<i32>
      // CHECK-NEXT: nv_tileaa.mulhiui
      %21 = mulhii %s, %s : tile<i32>
      // CHECK-NEXT: math.absi
      %22 = absi %s : tile<i32>
      // CHECK-NEXT: %[[Z:.*]] = arith.constant 0 : i32
      // CHECK-NEXT: arith.subi %[[Z]], %[[S]] overflow<nsw> : i32
      %23 = negi %s overflow<no_signed_wrap> : tile<i32>
      // CHECK-NEXT: arith.cmpi slt,
      %24 = cmpi less_than %s, %s, signed : tile<i32> -> tile<i1>
      // CHECK-NEXT: arith.cmpi uge,
      %25 = cmpi greater_than_or_equal %s, %s, unsigned : tile<i32> -> tile<i1>
      // CHECK-NEXT: arith.cmpi ne,
      %26 = cmpi not_equal %s, %s, unsigned : tile<i32> -> tile<i1>
      // CHECK-NEXT: arith.select
      %27 = select %26, %s, %0 : tile<i1>, tile<i32>
      // CHECK-NEXT: nv_tileaa.return
      return
    }

    // CHECK-LABEL: nv_tileaa.func kernel @conversions(
    // CHECK-SAME: %[[I:.*]]: i32, %[[F:.*]]: f32, %[[N:.*]]: f8E5M2, %[[P:.*]]: !nv_tileaa.ptr<f16>)
    entry @conversions(%i: tile<i32>, %f: tile<f32>, %n: tile<f8E5M2>, %p: tile<ptr<f16>>) {
      // CHECK-NEXT: arith.extsi %[[I]] : i32 to i64
      %0 = exti %i signed : tile<i32> -> tile<i64>
      // CHECK-NEXT: arith.extui %[[I]] : i32 to i64
      %1 = exti %i unsigned : tile<i32> -> tile<i64>
      // CHECK-NEXT: arith.trunci %[[I]] overflow<nsw> : i32 to i8
      %2 = trunci %i overflow<no_signed_wrap> : tile<i32> -> tile<i8>
      // CHECK-NEXT: nv_tileaa.fp_to_fp %[[F]] : f32 -> f16
      %3 = ftof %f : tile<f32> -> tile<f16>
      // CHECK-NEXT: nv_tileaa.fp_to_fp %[[F]] saturate : f32 -> f8E4M3FN
      %4 = ftof %f : tile<f32> -> tile<f8E4M3FN>
      // CHECK-NEXT: nv_tileaa.fp_to_fp %[[F]] rounding<zero> : f32 -> f8E8M0FNU
      %5 = ftof %f rounding<zero> : tile<f32> -> tile<f8E8M0FNU>
      // CHECK-NEXT: nv_tileaa.fp_to_fp %[[F]] : f32 -> f64
      %6 = ftof %f : tile<f32> -> tile<f64>
      // CHECK-NEXT: arith.fptosi %[[F]] : f32 to i32
      %7 = ftoi %f signed : tile<f32> -> tile<i32>
      // CHECK-NEXT: %[[W:.*]] = nv_tileaa.fp_to_fp %[[N]] : f8E5M2 -> f32
      // CHECK-NEXT: arith.fptoui %[[W]] : f32 to i32
      %8 = ftoi %n unsigned : tile<f8E5M2> -> tile<i32>
      // CHECK-NEXT: arith.sitofp %[[I]] : i32 to f16
      %9 = itof %i signed : tile<i32> -> tile<f16>
      // CHECK-NEXT: %[[U:.*]] = arith.uitofp %[[I]] : i32 to f32
      // CHECK-NEXT: nv_tileaa.fp_to_fp %[[U]] saturate : f32 -> f8E5M2
      %10 = itof %i unsigned : tile<i32> -> tile<f8E5M2>
      // tf32 holds long integers, which are rounded once.
      // CHECK-NEXT: arith.uitofp %[[I]] : i32 to tf32
      %once = itof %i unsigned : tile<i32> -> tile<tf32>
      // CHECK-NEXT: arith.bitcast %[[I]] : i32 to f32
      %11 = bitcast %i : tile<i32> -> tile<f32>
      // CHECK-NEXT: nv_tileaa.ptr_to_int %[[P]] : !nv_tileaa.ptr<f16> -> i64
      %12 = ptr_to_int %p : tile<ptr<f16>> -> tile<i64>
      // CHECK-NEXT: nv_tileaa.int_to_ptr %{{.*}} : i64 -> !nv_tileaa.ptr<f32>
      %13 = int_to_ptr %12 : tile<i64> -> tile<ptr<f32>>
      // CHECK-NEXT: nv_tileaa.bitcast %[[P]] : !nv_tileaa.ptr<f16> -> !nv_tileaa.ptr<i8>
      %14 = ptr_to_ptr %p : tile<ptr<f16>> -> tile<ptr<i8>>
      // CHECK-NEXT: nv_tileaa.return
      return
    }

    // CHECK-LABEL: nv_tileaa.func kernel @shapes(
    // CHECK-SAME: %[[S:.*]]: f16, %[[I:.*]]: i32)
    entry @shapes(%s: tile<f16>, %i: tile<i32>) {
      // CHECK-NEXT: arith.constant 7 : i32
      %0 = constant <i32: 7> : tile<i32>
      // CHECK-NEXT: arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
      %1 = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
      // CHECK-NEXT: arith.constant dense<true> : tensor<2x2xi1>
      %2 = constant <i1: true> : tile<2x2xi1>
      // CHECK-NEXT: nv_tileaa.make_range 0 to 128 : tensor<128xi32>
      %3 = iota : tile<128xi32>
      // CHECK-NEXT: %[[T:.*]] = nv_tileaa.splat %[[S]] : f16 -> tensor<1x1xf16>
      %4 = reshape %s : tile<f16> -> tile<1x1xf16>
      // CHECK-NEXT: %[[B:.*]] = nv_tileaa.broadcast %[[T]] : tensor<1x1xf16> -> tensor<8x16xf16>
      %5 = broadcast %4 : tile<1x1xf16> -> tile<8x16xf16>
      // CHECK-NEXT: nv_tileaa.expand_dims %[[B]] axes = [0, 2] : tensor<8x16xf16> -> tensor<1x8x1x16xf16>
      %6 = reshape %5 : tile<8x16xf16> -> tile<1x8x1x16xf16>
      // CHECK-NEXT: %[[V:.*]] = nv_tileaa.view %[[B]] : tensor<8x16xf16> -> tensor<128xf16>
      %7 = reshape %5 : tile<8x16xf16> -> tile<128xf16>
      // CHECK-NEXT: %[[Z:.*]] = arith.constant 0 : i32
      // CHECK-NEXT: nv_tileaa.extract %[[T]][%[[Z]], %[[Z]]] : tensor<1x1xf16> -> f16
      %8 = reshape %4 : tile<1x1xf16> -> tile<f16>
      // CHECK-NEXT: nv_tileaa.permute %[[B]] [1, 0] : tensor<8x16xf16> -> tensor<16x8xf16>
      %9 = permute %5 [1, 0] : tile<8x16xf16> -> tile<16x8xf16>
      // CHECK-NEXT: nv_tileaa.cat %[[B]], %[[B]] axis = 1 : tensor<8x16xf16>, tensor<8x16xf16> -> tensor<8x32xf16>
      %10 = cat %5, %5 dim = 1 : tile<8x16xf16>, tile<8x16xf16> -> tile<8x32xf16>
      // CHECK-NEXT: %[[C4:.*]] = arith.constant 4 : i32
      // CHECK-NEXT: %[[O:.*]] = arith.muli %[[I]], %[[C4]] overflow<nuw> : i32
      // CHECK-NEXT: nv_tileaa.extract_slice %[[B]][%[[O]], %[[I]]] : tensor<8x16xf16> -> tensor<4x1xf16>
      %11 = extract %5[%i, %i] : tile<8x16xf16> -> tile<4x1xf16>
      // CHECK-NEXT: %[[K:.*]] = nv_tileaa.bitcast %[[V]] : tensor<128xf16> -> tensor<256xi8>
      %12 = pack %7 : tile<128xf16> -> tile<256xi8>
      // CHECK-NEXT: nv_tileaa.bitcast %[[K]] : tensor<256xi8> -> tensor<64xf32>
      %13 = unpack %12 : tile<256xi8> -> tile<64xf32>
      // CHECK-NEXT: nv_tileaa.return
      return
    }

    // CHECK-LABEL: nv_tileaa.func kernel @specialists(
    entry @specialists() {
      %a = constant <f16: 1.0> : tile<16x32xf16>
      %b = constant <f16: 1.0> : tile<32x16xf16>
      %c = constant <f32: 0.0> : tile<16x16xf32>
      // CHECK: %[[D:.*]] = nv_tileaa.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<16x32xf16>, tensor<32x16xf16>, tensor<16x16xf32>
      %0 = mmaf %a, %b, %c : tile<16x32xf16>, tile<32x16xf16>, tile<16x16xf32>
      %ia = constant <i8: 1> : tile<16x32xi8>
      %ib = constant <i8: 1> : tile<32x16xi8>
      %ic = constant <i32: 0> : tile<16x16xi32>
      // CHECK: nv_tileaa.dot %{{.*}}, %{{.*}}, %{{.*}} signs(unsigned, signed) : tensor<16x32xi8>
      %1 = mmai %ia, %ib, %ic unsigned signed : tile<16x32xi8>, tile<32x16xi8>, tile<16x16xi32>
      // CHECK: %[[R:.*]] = nv_tileaa.reduce %[[D]] axis = 1 identities = [0.000000e+00 : f32] : tensor<16x16xf32> -> tensor<16xf32> {
      // CHECK-NEXT: ^bb0(%[[E:.*]]: f32, %[[A:.*]]: f32):
      // CHECK-NEXT: %[[X:.*]] = arith.addf %[[E]], %[[A]] : f32
      // CHECK-NEXT: nv_tileaa.yield %[[X]] : f32
      %2 = reduce %0 dim=1 identities=[0.0 : f32] : tile<16x16xf32> -> tile<16xf32>
      (%elem: tile<f32>, %acc: tile<f32>) {
        %s = addf %elem, %acc : tile<f32>
        yield %s : tile<f32>
      }
      // CHECK: nv_tileaa.reduce %[[R]] axis = 0 {{.*}} : tensor<16xf32> -> f32 {
      %3 = reduce %2 dim=0 identities=[0.0 : f32] : tile<16xf32> -> tile<f32>
      (%elem: tile<f32>, %acc: tile<f32>) {
        %s = addf %elem, %acc : tile<f32>
        yield %s : tile<f32>
      }
      // CHECK: nv_tileaa.scan %[[D]] axis = 0 reverse identities = [0.000000e+00 : f32] : tensor<16x16xf32> -> tensor<16x16xf32> {
      %4 = scan %0 dim=0 reverse=true identities=[0.0 : f32] : tile<16x16xf32> -> tile<16x16xf32>
      (%elem: tile<f32>, %acc: tile<f32>) {
        %s = addf %elem, %acc : tile<f32>
        yield %s : tile<f32>
      }
      return
    }
  }
}

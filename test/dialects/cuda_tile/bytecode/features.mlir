// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes and operands younger than their operation: the oldest bytecode version that can hold
// each module, and what the writer says for older ones. {V} is that version.

// -----

// case: unsigned for 13.2
// below 13.2: optional attribute 'unsignedCmp' is provided but requires bytecode version 13.2, targeting {V}
cuda_tile.module @kernels {
  entry @k(%x: tile<i32>) {
    for unsigned %i in (%x to %x, step %x) : tile<i32> {
    }
    return
  }
}

// -----

// case: overflow of negi 13.2
// below 13.2: attribute 'overflow' requires bytecode version 13.2+, but targeting {V}
cuda_tile.module @kernels {
  entry @k(%x: tile<i32>) {
    %0 = negi %x overflow<no_signed_wrap> : tile<i32>
    return
  }
}

// -----

// case: rounding of tanh 13.2
// below 13.2: attribute 'rounding_mode' requires bytecode version 13.2+, but targeting {V}
cuda_tile.module @kernels {
  entry @k(%x: tile<f32>) {
    %0 = tanh %x rounding<approx> : tile<f32>
    return
  }
}

// -----

// case: rounding of exp 13.3
// below 13.3: attribute 'rounding_mode' requires bytecode version 13.3+, but targeting {V}
cuda_tile.module @kernels {
  entry @k(%x: tile<f32>) {
    %0 = exp %x rounding<approx> : tile<f32>
    return
  }
}

// -----

// case: token of print 13.2
// below 13.2: optional operand 'token' is provided but requires bytecode version 13.2, targeting {V}
cuda_tile.module @kernels {
  entry @k(%x: tile<i32>) {
    %0 = make_token : token
    %1 = print_tko "%d", %x token=%0 : tile<i32> -> token
    return
  }
}

// -----

// case: result of print 13.2
// below 13.2: result 'result_token' requires bytecode version 13.2 but is being used and targeting {V}. Cannot serialize to older bytecode version when newer features are used.
cuda_tile.module @kernels {
  entry @k(%x: tile<i32>) {
    %0 = print_tko "%d", %x : tile<i32> -> token
    %1 = join_tokens %0, %0 : token
    return
  }
}

// -----

// case: fast accumulation 13.3
// below 13.3: optional attribute 'fast_acc' is provided but requires bytecode version 13.3, targeting {V}
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f8E4M3FN: 1.0> : tile<16x32xf8E4M3FN>
    %1 = constant <f8E4M3FN: 1.0> : tile<32x16xf8E4M3FN>
    %2 = constant <f32: 0.0> : tile<16x16xf32>
    %3 = mmaf %0, %1, %2 fast_acc : tile<16x32xf8E4M3FN>, tile<32x16xf8E4M3FN>, tile<16x16xf32>
    return
  }
}

// -----

// case: f8E8M0FNU 13.2
// below 13.2: type 'Float8E8M0FNU' requires bytecode version 13.2+, targeting {V}
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f8E8M0FNU>>) {
    return
  }
}

// -----

// case: f4E2M1FN 13.3
// below 13.3: type 'Float4E2M1FN' requires bytecode version 13.3+, targeting {V}
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f4E2M1FN>>) {
    return
  }
}

// -----

// case: i4 13.3
// below 13.3: type 'Int4' requires bytecode version 13.3+, targeting {V}
cuda_tile.module @kernels {
  entry @k(%x: tile<i32>) {
    %0 = trunci %x : tile<i32> -> tile<i4>
    return
  }
}

// -----

// case: private global 13.3
// below 13.3: global `g` uses non-public symbol visibility, which cannot be encoded in bytecode version {V} (requires bytecode 13.3+)
cuda_tile.module @kernels {
  global private @g <f32: [1.0, 2.0]> : tile<2xf32>
}

// -----

// case: constant global 13.3
// below 13.3: constant global `g` cannot be encoded in bytecode version {V} (the `constant` attribute requires bytecode 13.3+)
cuda_tile.module @kernels {
  global constant @g <f32: [1.0, 2.0]> : tile<2xf32>
}

// -----

// case: fnv8E5M3FNU 13.4
// below 13.4: type 'FloatNV8E5M3FNU' requires bytecode version 13.4+, targeting {V}
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<fnv8E5M3FNU>>) {
    return
  }
}

// -----

// case: pointer attribute 13.4
// below 13.4: parameter 'ptrAttr' requires bytecode version 13.4+, but targeting {V}
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32, <none>>>) {
    return
  }
}

// -----

// case: pointer to one device 13.5
// below 13.4: parameter 'ptrAttr' requires bytecode version 13.4+, but targeting {V}
// below 13.5: enum value for attribute 'ptrAttr' is not available in bytecode version {V}
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32, <unicast>>>) {
    return
  }
}

// -----

// case: tensor on all devices 13.5
// below 13.4: parameter 'ptrAttr' requires bytecode version 13.4+, but targeting {V}
// below 13.5: enum value for attribute 'ptrAttr' is not available in bytecode version {V}
cuda_tile.module @kernels {
  entry @k(%x: tile<i64>, %n: tile<i32>) {
    %p = int_to_ptr %x : tile<i64> -> tile<ptr<f32, <multicast>>>
    %0 = make_tensor_view %p, shape = [%n], strides = [1] : tile<ptr<f32, <multicast>>>, tile<i32> -> tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    return
  }
}

// -----

// case: saturating conversion 13.4
// below 13.4: optional attribute 'saturating' is provided but requires bytecode version 13.4, targeting {V}
cuda_tile.module @kernels {
  entry @k(%x: tile<f32>) {
    %0 = ftoi %x signed saturating : tile<f32> -> tile<i8>
    return
  }
}

// -----

// case: rounding away from zero 13.4
// below 13.4: enum value for attribute 'rounding_mode' is not available in bytecode version {V}
cuda_tile.module @kernels {
  entry @k(%x: tile<f32>) {
    %0 = ftof %x rounding<nearest_away> : tile<f32> -> tile<tf32>
    return
  }
}

// -----

// case: load in bounds 13.4
// below 13.4: attribute 'inbounds' requires bytecode version 13.4+, but targeting {V}
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %tv = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(8x16), tensor_view<?x64xf32, strides=[64,1]>>
    %0, %1 = load_view_tko weak %pv[%n, %n] inbounds = [false, true] : partition_view<tile=(8x16), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> tile<8x16xf32>, token
    return
  }
}

// -----

// case: store in bounds 13.4
// below 13.4: attribute 'inbounds' requires bytecode version 13.4+, but targeting {V}
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %tv = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(8x16), tensor_view<?x64xf32, strides=[64,1]>>
    %0 = constant <f32: 0.0> : tile<8x16xf32>
    %1 = store_view_tko weak %0, %pv[%n, %n] inbounds = [true, true] : tile<8x16xf32>, partition_view<tile=(8x16), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}

// -----

// case: atomic reduction in bounds 13.5
// below 13.3: operation 'cuda_tile.atomic_red_view_tko' is not available in bytecode version {V}
// below 13.5: attribute 'inbounds' requires bytecode version 13.5+, but targeting {V}
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %tv = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(8x16), tensor_view<?x64xf32, strides=[64,1]>>
    %0 = constant <f32: 0.0> : tile<8x16xf32>
    %1 = atomic_red_view_tko relaxed device %pv[%n, %n], addf, %0 inbounds = [true, false] : tile<8x16xf32>, partition_view<tile=(8x16), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}

// -----

// case: argument attributes 13.5
// below 13.5: argument attributes require bytecode version 13.5+, but targeting {V}
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32>> {test.name = "x"}, %n: tile<i32>) {
    return
  }
}

// -----

// case: argument attributes that say nothing 13.1
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32>> {}, %n: tile<i32>) {
    return
  }
}

// -----

// case: every modifier of old floats 13.1
cuda_tile.module @kernels {
  entry @k(%x: tile<f32>) {
    %0 = addf %x, %x rounding<zero> flush_to_zero : tile<f32>
    %1 = divf %x, %x rounding<approx> : tile<f32>
    %2 = fma %x, %x, %x rounding<positive_inf> flush_to_zero : tile<f32>
    %3 = maxf %x, %x flush_to_zero propagate_nan : tile<f32>
    %4 = minf %x, %x propagate_nan : tile<f32>
    %5 = exp2 %x flush_to_zero : tile<f32>
    %6 = rsqrt %x flush_to_zero : tile<f32>
    %7 = sqrt %x rounding<approx> : tile<f32>
    return
  }
}

// -----

// case: every optional operand of memory operations 13.1
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32>>, %x: tile<f32>, %m: tile<i1>, %q: tile<ptr<i32>>, %i: tile<i32>) {
    %t0 = make_token : token
    %0, %t1 = load_ptr_tko acquire sys %p, %m, %x token=%t0 optimization_hints = <sm_100 = {latency = 3}> : tile<ptr<f32>>, tile<i1>, tile<f32> -> tile<f32>, token
    %t2 = store_ptr_tko release device %p, %x, %m token=%t1 optimization_hints = <default = {latency = 3}> : tile<ptr<f32>>, tile<f32>, tile<i1> -> token
    %1, %t3 = atomic_rmw_tko acq_rel sys %q, umax, %i, %m token=%t2 : tile<ptr<i32>>, tile<i32>, tile<i1> -> tile<i32>, token
    %2, %t4 = atomic_cas_tko relaxed tl_blk %q, %i, %i, %m token=%t3 : tile<ptr<i32>>, tile<i32>, tile<i1> -> tile<i32>, token
    return
  }
}

// -----

// case: every optional part of view accesses 13.1
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %t = make_token : token
    %tv = make_tensor_view %p, shape = [%n, 64], strides = [%n, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[?,1]>
    %pv = make_partition_view %tv : partition_view<tile=(8x16), padding_value = neg_inf, tensor_view<?x64xf32, strides=[?,1]>, dim_map=[1, 0]>
    %0, %1 = load_view_tko acquire device %pv[%n, %n] token = %t optimization_hints = <sm_90 = {allow_tma = true, latency = 2}> : partition_view<tile=(8x16), padding_value = neg_inf, tensor_view<?x64xf32, strides=[?,1]>, dim_map=[1, 0]>, tile<i32> -> tile<8x16xf32>, token
    %2 = store_view_tko release sys %0, %pv[%n, %n] token = %1 : tile<8x16xf32>, partition_view<tile=(8x16), padding_value = neg_inf, tensor_view<?x64xf32, strides=[?,1]>, dim_map=[1, 0]>, tile<i32> -> token
    return
  }
}

// -----

// case: every assumption 13.1
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %0 = assume div_by<16>, %p : tile<ptr<f32>>
    %1 = constant <i32: 0> : tile<4x64xi32>
    %2 = assume div_by<4, every 8 along 1>, %1 : tile<4x64xi32>
    %3 = assume same_elements<[1, 64]>, %2 : tile<4x64xi32>
    %4 = assume bounded<0, ?>, %n : tile<i32>
    %5 = assume bounded<-4, 42>, %4 : tile<i32>
    %6 = assume bounded<?, 7>, %5 : tile<i32>
    %7 = assume bounded<?, ?>, %6 : tile<i32>
    return
  }
}

// -----

// case: every kind of constant 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <i1: [true, false, true, true]> : tile<4xi1>
    %1 = constant <i1: true> : tile<64xi1>
    %2 = constant <i8: [[1, 2], [-3, 4]]> : tile<2x2xi8>
    %3 = constant <i64: -9223372036854775808> : tile<i64>
    %4 = constant <f16: [1.0, 0x7C00]> : tile<2xf16>
    %5 = constant <bf16: 0xFF80> : tile<bf16>
    %6 = constant <tf32: [1.0, -1.0]> : tile<2xtf32>
    %7 = constant <f64: [1.0, 0xFFF0000000000000]> : tile<2xf64>
    %8 = constant <f8E4M3FN: [1.0, -1.0]> : tile<2xf8E4M3FN>
    %9 = constant <f8E5M2: 0.5> : tile<4xf8E5M2>
    return
  }
}

// -----

// case: constants of four bits 13.3
// below 13.3: type 'Float4E2M1FN' requires bytecode version 13.3+, targeting {V}
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f4E2M1FN: [1.0, -6.0]> : tile<2xf4E2M1FN>
    return
  }
}

// -----

// case: identities of every type 13.1
cuda_tile.module @kernels {
  entry @k(%d: tile<f64>, %h: tile<f16>, %i: tile<i64>, %b: tile<i1>) {
    %0 = reshape %d : tile<f64> -> tile<1xf64>
    %1 = reshape %h : tile<f16> -> tile<1xf16>
    %2 = reshape %i : tile<i64> -> tile<1xi64>
    %3 = reshape %b : tile<i1> -> tile<1xi1>
    %4:4 = reduce %0, %1, %2, %3 dim=0 identities=[0xFFF0000000000000 : f64, 0xFC00 : f16, -1 : i64, true] : tile<1xf64>, tile<1xf16>, tile<1xi64>, tile<1xi1> -> tile<f64>, tile<f16>, tile<i64>, tile<i1>
    (%a0: tile<f64>, %b0: tile<f64>, %a1: tile<f16>, %b1: tile<f16>, %a2: tile<i64>, %b2: tile<i64>, %a3: tile<i1>, %b3: tile<i1>) {
      yield %a0, %a1, %a2, %a3 : tile<f64>, tile<f16>, tile<i64>, tile<i1>
    }
    return
  }
}

// -----

// case: hints of every kind 13.1
cuda_tile.module @kernels {
  entry @k() optimization_hints=<default = {}, sm_90 = {num_cta_in_cga = 2, occupancy = 4}> {
    return
  }
}

// -----

// case: flags of all multimem reductions 13.5
// below 13.4: parameter 'ptrAttr' requires bytecode version 13.4+, but targeting {V}
// below 13.5: enum value for attribute 'ptrAttr' is not available in bytecode version {V}
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<i32, <multicast>>>, %n: tile<i32>) {
    %tv = make_tensor_view %p, shape = [%n], strides = [1] : tile<ptr<i32, <multicast>>>, tile<i32> -> tensor_view<?xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %pv = make_partition_view %tv : partition_view<tile=(64), tensor_view<?xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %t0 = make_token : token
    %0, %t1 = multimem_load_reduce_view_tko acquire device %pv[%n] token = %t0 inbounds = [true] attributes {reduction = #cuda_tile.multimem_reduction_kind<umax>} : partition_view<tile=(64), tensor_view<?xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32>, token -> tile<64xi32>, token
    %t2 = multimem_reduce_view_tko release sys %pv, %0[%n] token = %t1 inbounds = [true] attributes {reduction = #cuda_tile.multimem_reduction_kind<xor>} : partition_view<tile=(64), tensor_view<?xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<64xi32>, tile<i32>, token -> token
    %t3 = multimem_store_view_tko relaxed sys %pv, %0[%n] token = %t2 inbounds = [true] : partition_view<tile=(64), tensor_view<?xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<64xi32>, tile<i32>, token -> token
    return
  }
}

// -----

// case: token of dependent grids 13.4
// below 13.4: operation 'cuda_tile.gdc_wait_tko' is not available in bytecode version {V}
cuda_tile.module @kernels {
  entry @k() {
    %0 = gdc_wait_tko -> token
    %1 = gdc_launch_dependents_tko token = %0 -> token
    %2 = gdc_wait_tko token = %1 -> token
    return
  }
}

// -----

// case: if without else 13.1
cuda_tile.module @kernels {
  entry @k(%c: tile<i1>) {
    if %c {
    }
    return
  }
}

// -----

// case: declaration of a subprogram 13.5
// below 13.5: subprogram flags require bytecode version 13.5+, but targeting {V}
#file = #cuda_tile.di_file<"a.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 8, name = "k", linkageName = "k", compileUnit = #unit, scopeLine = 8, flags = declaration>
#loc = #cuda_tile.di_loc<loc("a.py":8:3) in #sub>
cuda_tile.module @kernels {
  entry @k() {
    return loc(#loc)
  } loc(#loc)
}

// -----

// case: locations of every kind 13.1
#file = #cuda_tile.di_file<"a.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 8, name = "k", linkageName = "k", compileUnit = #unit, scopeLine = 8>
#block = #cuda_tile.di_lexical_block<scope = #sub, file = #file, line = 9, column = 2>
#loc = #cuda_tile.di_loc<loc("a.py":8:3) in #sub>
#inner = #cuda_tile.di_loc<loc("a.py":10:4) in #block>
cuda_tile.module @kernels {
  global @g <i32: [1, 2]> : tile<2xi32> loc(unknown)
  entry @k() {
    %0 = make_token : token loc(#inner)
    %1 = make_token : token loc(callsite(#inner at #loc))
    %2 = make_token : token loc(unknown)
    return loc(#loc)
  } loc(#loc)
}

// -----

// case: grown attributes of the tests 250.1
// below 250.0: operation 'cuda_tile.testing$bytecode_test_new_attribute' is not available in bytecode version {V}
// below 250.1: optional attribute 'new_flag' is provided but requires bytecode version 250.1, targeting {V}
cuda_tile.module @kernels {
  entry @k() {
    testing$bytecode_test_new_attribute new_flag new_param = 7
    return
  }
}

// -----

// case: grown operands of the tests 250.1
// below 250.0: operation 'cuda_tile.testing$bytecode_test_evolution' is not available in bytecode version {V}
// below 250.1: result 'result_token' requires bytecode version 250.1 but is being used and targeting {V}. Cannot serialize to older bytecode version when newer features are used.
cuda_tile.module @kernels {
  entry @k(%x: tile<i32>) {
    %0 = make_token : token
    %1 = testing$bytecode_test_evolution(%x : !cuda_tile.tile<i32>) new_attr = 3 token = %0 : token priority = <high> test_attr = <-5> -> token
    %2 = join_tokens %0, %1 : token
    return
  }
}

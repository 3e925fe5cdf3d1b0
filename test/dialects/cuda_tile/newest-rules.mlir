// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: env TILEIR_NEWEST_RULES=1 %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so --split-input-file --verify-diagnostics

// Modules that the newest release accepts, and its messages. Without the variable, `-invalid` tests expect others.
cuda_tile.testing$func @return_leaves_loops(%c: tile<i1>) {
  loop {
    if %c {
      return
    }
  }
  return
}

// -----

cuda_tile.testing$func @return_in_for(%c: tile<i1>, %n: tile<i32>) {
  for %i in (%n to %n, step %n) : tile<i32> {
    if %c {
      // expected-error @below {{'cuda_tile.return' op must be used within a cuda_tile.entry, cuda_tile.if, or cuda_tile.loop operation}}
      return
    }
  }
  return
}

// -----

cuda_tile.testing$func @return_in_for_alone(%n: tile<i32>) {
  "cuda_tile.for"(%n, %n, %n) ({
  ^bb0(%i: !cuda_tile.tile<i32>):
    // expected-error @below {{'cuda_tile.return' op expects parent op to be one of 'cuda_tile.entry, cuda_tile.preview$func, cuda_tile.if, cuda_tile.loop'}}
    "cuda_tile.return"() : () -> ()
  }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
  return
}

// -----

cuda_tile.testing$func @return_operands(%c: tile<i1>) {
  loop {
    // expected-error @below {{'cuda_tile.return' op has 1 operands, but enclosing function (@return_operands) returns 0}}
    return %c : tile<i1>
  }
  return
}

// -----

cuda_tile.testing$func @bodies_without_effects(%x: tile<4xi32>, %c: tile<i1>) {
  %r = reduce %x dim=0 identities=[1 : i32] : tile<4xi32> -> tile<i32>
  (%a: tile<i32>, %b: tile<i32>) {
    %d = divi %a, %b signed : tile<i32>
    %e = if %c -> (tile<i32>) {
      yield %d : tile<i32>
    } else {
      yield %b : tile<i32>
    }
    yield %e : tile<i32>
  }
  return
}

// -----

cuda_tile.testing$func @body_with_effect(%x: tile<4xi32>) {
  %r = scan %x dim=0 reverse=false identities=[1 : i32] : tile<4xi32> -> tile<4xi32>
  (%a: tile<i32>, %b: tile<i32>) {
    // expected-error @below {{'cuda_tile.print_tko' op only memory-effect-free operations are allowed inside 'cuda_tile.scan'}}
    %t = print_tko "x" -> token
    yield %a : tile<i32>
  }
  return
}

// -----

cuda_tile.testing$func @atomic_on_padded(%v: partition_view<tile=(4), padding_value = zero, tensor_view<?xf32, strides=[1]>>, %i: tile<i32>, %x: tile<4xf32>) {
  %t = atomic_red_view_tko relaxed device %v[%i], addf, %x : tile<4xf32>, partition_view<tile=(4), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @alloca_tf32() {
  // expected-error @below {{'cuda_tile.alloca' op 'alignment' (2) must be at least the natural size (3 bytes) for element type 'tf32'}}
  %0 = alloca num_elem = 4, alignment = 2 : tile<ptr<tf32>>
  return
}

// -----

cuda_tile.testing$func @float_list(%i: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.ftof' op operand #0 must be tile of f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or fnv8E5M3FNU values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = ftof %i : tile<4xi32> -> tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @number_or_i4_list(%p: tile<4xptr<i8>>) {
  // expected-error @below {{'cuda_tile.pack' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or fnv8E5M3FNU or i4 values, but got '!cuda_tile.tile<4xptr<i8>>'}}
  %0 = pack %p : tile<4xptr<i8>> -> tile<32xi8>
  return
}

// -----

// expected-error @below {{failed to verify 'elementType': f16 or bf16 or f32 or tf32 or f64 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or fnv8E5M3FNU or i1 or i8 or i16 or i32 or i64 or Pointer type or i4}}
func.func private @tile_element() -> !cuda_tile.tile<4xindex>

// -----

cuda_tile.testing$func @ftof_c2(%h: tile<4xf16>, %d: tile<4xf64>) {
  %1 = ftof %h rounding<negative_inf> : tile<4xf16> -> tile<4xf32>
  %2 = ftof %d rounding<negative_inf> : tile<4xf64> -> tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @ftof_c2_low(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.ftof' op invalid rounding mode specified for conversion to low-precision type. Only 'nearest_even' is supported}}
  %0 = ftof %x rounding<zero> : tile<4xf32> -> tile<4xf8E5M2>
  return
}

// -----

cuda_tile.testing$func @ftof_c2_tf32(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.ftof' op invalid rounding mode specified for conversion from f32 to tf32. Only 'nearest_even', 'zero', and 'nearest_away' are supported}}
  %0 = ftof %x rounding<positive_inf> : tile<4xf32> -> tile<4xtf32>
  return
}

// -----

cuda_tile.testing$func @ftof_c2_narrow(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.ftof' op invalid rounding mode specified. Only 'nearest_even' and 'zero' are supported for narrowing conversions to standard types}}
  %0 = ftof %x rounding<positive_inf> : tile<4xf32> -> tile<4xf16>
  return
}

// -----

cuda_tile.testing$func @ftof_c2_widening(%x: tile<4xf16>) {
  // expected-error @below {{'cuda_tile.ftof' op invalid rounding mode specified for widening conversion. Only IEEE float rounding modes are supported: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', 'nearest_away'}}
  %0 = "cuda_tile.ftof"(%x) {rounding_mode = #cuda_tile.rounding<full>} : (!cuda_tile.tile<4xf16>) -> !cuda_tile.tile<4xf32>
  return
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so --split-input-file --verify-diagnostics

cuda_tile.testing$func @addf_c1(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.addf' op invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf]}}
  %0 = "cuda_tile.addf"(%x, %x) {rounding_mode = #cuda_tile.rounding<approx>} : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @addf_c2(%x: tile<4xf16>) {
  // expected-error @below {{'cuda_tile.addf' op flush_to_zero modifier only supported for f32 data type, but got: 'f16'}}
  %0 = addf %x, %x flush_to_zero : tile<4xf16>
  return
}

// -----

cuda_tile.testing$func @subf_c1(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.subf' op invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf]}}
  %0 = "cuda_tile.subf"(%x, %x) {rounding_mode = #cuda_tile.rounding<approx>} : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @subf_c2(%x: tile<4xf16>) {
  // expected-error @below {{'cuda_tile.subf' op flush_to_zero modifier only supported for f32 data type, but got: 'f16'}}
  %0 = subf %x, %x flush_to_zero : tile<4xf16>
  return
}

// -----

cuda_tile.testing$func @mulf_c1(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.mulf' op invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf]}}
  %0 = "cuda_tile.mulf"(%x, %x) {rounding_mode = #cuda_tile.rounding<approx>} : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @mulf_c2(%x: tile<4xf16>) {
  // expected-error @below {{'cuda_tile.mulf' op flush_to_zero modifier only supported for f32 data type, but got: 'f16'}}
  %0 = mulf %x, %x flush_to_zero : tile<4xf16>
  return
}

// -----

cuda_tile.testing$func @fma_c1(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.fma' op invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf]}}
  %0 = "cuda_tile.fma"(%x, %x, %x) {rounding_mode = #cuda_tile.rounding<approx>} : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @fma_c2(%x: tile<4xf16>) {
  // expected-error @below {{'cuda_tile.fma' op flush_to_zero modifier only supported for f32 data type, but got: 'f16'}}
  %0 = fma %x, %x, %x flush_to_zero : tile<4xf16>
  return
}

// -----

cuda_tile.testing$func @divf_c1(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.divf' op invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf, approx, full]}}
  %0 = divf %x, %x rounding<nearest_int_to_zero> : tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @divf_c2(%x: tile<4xf16>) {
  // expected-error @below {{'cuda_tile.divf' op flush_to_zero modifier only supported for f32 data type, but got: 'f16'}}
  %0 = divf %x, %x flush_to_zero : tile<4xf16>
  return
}

// -----

cuda_tile.testing$func @divf_c3(%x: tile<4xf16>) {
  // expected-error @below {{'cuda_tile.divf' op approx modifier only supported for f32 data type, but got: 'f16'}}
  %0 = divf %x, %x rounding<approx> : tile<4xf16>
  return
}

// -----

cuda_tile.testing$func @divf_c4(%x: tile<4xf16>) {
  // expected-error @below {{'cuda_tile.divf' op full modifier only supported for f32 data type, but got: 'f16'}}
  %0 = divf %x, %x rounding<full> : tile<4xf16>
  return
}

// -----

cuda_tile.testing$func @sqrt_c1(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.sqrt' op invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf, approx]}}
  %0 = sqrt %x rounding<full> : tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @sqrt_c2(%x: tile<4xf16>) {
  // expected-error @below {{'cuda_tile.sqrt' op flush_to_zero modifier only supported for f32 data type, but got: 'f16'}}
  %0 = sqrt %x flush_to_zero : tile<4xf16>
  return
}

// -----

cuda_tile.testing$func @sqrt_c3(%x: tile<4xf16>) {
  // expected-error @below {{'cuda_tile.sqrt' op approx modifier only supported for f32 data type, but got: 'f16'}}
  %0 = sqrt %x rounding<approx> : tile<4xf16>
  return
}

// -----

cuda_tile.testing$func @exp_c1(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.exp' op invalid rounding mode specified, expect one of [approx, full]}}
  %0 = exp %x rounding<zero> : tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @exp_c2(%x: tile<4xf16>) {
  // expected-error @below {{'cuda_tile.exp' op approx modifier only supported for f32 data type, but got: 'f16'}}
  %0 = exp %x rounding<approx> : tile<4xf16>
  return
}

// -----

cuda_tile.testing$func @tanh_c1(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.tanh' op invalid rounding mode specified, expect one of [approx, full]}}
  %0 = tanh %x rounding<zero> : tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @tanh_c2(%x: tile<4xf16>) {
  // expected-error @below {{'cuda_tile.tanh' op approx modifier only supported for f32 data type, but got: 'f16'}}
  %0 = tanh %x rounding<approx> : tile<4xf16>
  return
}

// -----

cuda_tile.testing$func @exp2_c1(%x: tile<4xf16>) {
  // expected-error @below {{'cuda_tile.exp2' op flush_to_zero modifier only supported for f32 data type, but got: 'f16'}}
  %0 = exp2 %x flush_to_zero : tile<4xf16>
  return
}

// -----

cuda_tile.testing$func @rsqrt_c1(%x: tile<4xf16>) {
  // expected-error @below {{'cuda_tile.rsqrt' op flush_to_zero modifier only supported for f32 data type, but got: 'f16'}}
  %0 = rsqrt %x flush_to_zero : tile<4xf16>
  return
}

// -----

cuda_tile.testing$func @maxf_c1(%x: tile<4xf16>) {
  // expected-error @below {{'cuda_tile.maxf' op flush_to_zero modifier only supported for f32 data type, but got: 'f16'}}
  %0 = maxf %x, %x flush_to_zero : tile<4xf16>
  return
}

// -----

cuda_tile.testing$func @minf_c1(%x: tile<4xf16>) {
  // expected-error @below {{'cuda_tile.minf' op flush_to_zero modifier only supported for f32 data type, but got: 'f16'}}
  %0 = minf %x, %x flush_to_zero : tile<4xf16>
  return
}

// -----

cuda_tile.testing$func @addf_unknown_rounding(%x: tile<4xf32>) {
  // expected-error @below {{expected rounding mode to be one of: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', got: 'up'}}
  %0 = addf %x, %x rounding<up> : tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @addf_other_rounding(%x: tile<4xf32>) {
  // expected-error @below {{expected rounding mode to be one of: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', got: 'approx'}}
  %0 = addf %x, %x rounding<approx> : tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @divf_unknown_rounding(%x: tile<4xf32>) {
  // expected-error @below {{expected rounding mode to be one of: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', 'approx', 'full'}}
  %0 = divf %x, %x rounding<up> : tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @sqrt_unknown_rounding(%x: tile<4xf32>) {
  // expected-error @below {{expected rounding mode to be one of: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', 'approx'}}
  %0 = sqrt %x rounding<up> : tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @tanh_unknown_rounding(%x: tile<4xf32>) {
  // expected-error @below {{expected rounding mode to be one of: 'approx', 'full'}}
  %0 = tanh %x rounding<up> : tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @ftoi_unknown_rounding(%x: tile<4xf32>) {
  // expected-error @below {{expected rounding mode to be one of: 'nearest_int_to_zero', got: 'zero'}}
  %0 = ftoi %x signed rounding<zero> : tile<4xf32> -> tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @signedness_keyword(%i: tile<4xi32>) {
  // expected-error @below {{expected signedness to be one of: {'signed', 'unsigned'}}}
  %0 = maxi %i, %i both : tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @predicate_keyword(%i: tile<4xi32>) {
  // expected-error @below {{expected 'comparison_predicate' to be one of: {'equal', 'not_equal', 'less_than', 'less_than_or_equal', 'greater_than', 'greater_than_or_equal'}}}
  %0 = cmpi below %i, %i, signed : tile<4xi32> -> tile<4xi1>
  return
}

// -----

cuda_tile.testing$func @ordering_keyword(%x: tile<4xf32>) {
  // expected-error @below {{expected 'comparison_ordering' to be one of: {'ordered', 'unordered'}}}
  %0 = cmpf equal sorted %x, %x : tile<4xf32> -> tile<4xi1>
  return
}

// -----

cuda_tile.testing$func @missing_rounding(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.addf' op requires attribute 'rounding_mode'}}
  %0 = "cuda_tile.addf"(%x, %x) {} : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @absf_operand(%i: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.absf' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = absf %i : tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @addi_operand(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.addi' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xf32>'}}
  %0 = addi %x, %x : tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @exti_operand(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.exti' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 or i4 values, but got '!cuda_tile.tile<4xf32>'}}
  %0 = exti %x signed : tile<4xf32> -> tile<4xi64>
  return
}

// -----

cuda_tile.testing$func @ftof_operand(%i: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.ftof' op operand #0 must be tile of f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = ftof %i : tile<4xi32> -> tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @bitcast_operand(%p: tile<4xptr<i8>>) {
  // expected-error @below {{'cuda_tile.bitcast' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got '!cuda_tile.tile<4xptr<i8>>'}}
  %0 = bitcast %p : tile<4xptr<i8>> -> tile<4xi64>
  return
}

// -----

cuda_tile.testing$func @int_to_ptr_operand(%i: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.int_to_ptr' op operand #0 must be tile of i64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = int_to_ptr %i : tile<4xi32> -> tile<4xptr<i8>>
  return
}

// -----

cuda_tile.testing$func @ptr_to_int_operand(%i: tile<4xi64>) {
  // expected-error @below {{'cuda_tile.ptr_to_int' op operand #0 must be tile of Pointer type values, but got '!cuda_tile.tile<4xi64>'}}
  %0 = ptr_to_int %i : tile<4xi64> -> tile<4xi64>
  return
}

// -----

cuda_tile.testing$func @select_cond(%i: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.select' op operand #0 must be tile of i1 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = select %i, %i, %i : tile<4xi32>, tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @types_match(%x: tile<4xf32>, %y: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.addf' op failed to verify that all of {lhs, rhs, result} have same type}}
  %0 = "cuda_tile.addf"(%x, %y) {rounding_mode = #cuda_tile.rounding<zero>} : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<8xf32>) -> !cuda_tile.tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @prior_use(%x: tile<4xf32>) {
  // expected-note @above {{prior use here}}
  // expected-error @below {{use of value '%x' expects different type than prior uses: '!cuda_tile.tile<8xf32>' vs '!cuda_tile.tile<4xf32>'}}
  %0 = addf %x, %x : tile<8xf32>
  return
}

// -----

cuda_tile.testing$func @cmpf_result(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.cmpf' op failed to verify that Result type has i1 element type and same shape as operands}}
  %0 = cmpf equal ordered %x, %x : tile<4xf32> -> tile<8xi1>
  return
}

// -----

cuda_tile.testing$func @select_shape(%c: tile<i1>, %x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.select' op failed to verify that all of {cond, val_if_true, val_if_false, result} have same shape}}
  %0 = select %c, %x, %x : tile<i1>, tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @conversion_shape(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.ftof' op failed to verify that all of {from, to} have same shape}}
  %0 = ftof %x : tile<4xf32> -> tile<8xf16>
  return
}

// -----

cuda_tile.testing$func @bitcast_shape(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.bitcast' op failed to verify that all of {source, result} have same shape}}
  %0 = bitcast %x : tile<4xf32> -> tile<8xi32>
  return
}

// -----

cuda_tile.testing$func @mma_elements(%a: tile<4x4xf8E4M3FN>, %b: tile<4x4xf8E5M2>, %c: tile<4x4xf32>) {
  // expected-error @below {{'cuda_tile.mmaf' op failed to verify that all of {lhs, rhs} have the same element type}}
  %0 = mmaf %a, %b, %c : tile<4x4xf8E4M3FN>, tile<4x4xf8E5M2>, tile<4x4xf32>
  return
}

// -----

cuda_tile.testing$func @mma_ranks(%a: tile<4x4xf16>, %b: tile<1x4x4xf16>, %c: tile<4x4xf32>) {
  // expected-error @below {{'cuda_tile.mmaf' op failed to verify that all of {lhs, rhs, acc} have same rank}}
  %0 = mmaf %a, %b, %c : tile<4x4xf16>, tile<1x4x4xf16>, tile<4x4xf32>
  return
}

// -----

cuda_tile.testing$func @negi_c1(%i: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.negi' op 'no_unsigned_wrap' overflow flag is not supported}}
  %0 = negi %i overflow<no_unsigned_wrap> : tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @divi_c1(%i: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.divi' op invalid rounding mode specified, expect one of [zero, negative_inf, positive_inf]}}
  %0 = divi %i, %i signed rounding<nearest_even> : tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @divi_c2(%i: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.divi' op rounding mode 'negative_inf' is not allowed with 'unsigned' flag}}
  %0 = divi %i, %i unsigned rounding<negative_inf> : tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @exti_c1(%i: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.exti' op extending to smaller or identical integer}}
  %0 = exti %i signed : tile<4xi32> -> tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @trunci_c1(%i: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.trunci' op truncating to larger or identical integer}}
  %0 = trunci %i : tile<4xi32> -> tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @ftof_c1(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.ftof' op converting tiles must not be a no-op}}
  %0 = ftof %x : tile<4xf32> -> tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @ftof_c2_e8m0(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.ftof' op invalid rounding mode specified for conversion to f8E8M0FNU. Only 'zero' and 'positive_inf' are supported}}
  %0 = ftof %x : tile<4xf32> -> tile<4xf8E8M0FNU>
  return
}

// -----

cuda_tile.testing$func @ftof_c2_low(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.ftof' op invalid rounding mode specified. Only 'nearest_even' is supported}}
  %0 = ftof %x rounding<zero> : tile<4xf32> -> tile<4xf8E5M2>
  return
}

// -----

cuda_tile.testing$func @ftof_c2_tf32(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.ftof' op invalid rounding mode specified. Only 'nearest_even' is supported}}
  %0 = ftof %x rounding<positive_inf> : tile<4xf32> -> tile<4xtf32>
  return
}

// -----

cuda_tile.testing$func @ftof_c2_narrow(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.ftof' op invalid rounding mode specified. Only 'nearest_even' is supported}}
  %0 = ftof %x rounding<positive_inf> : tile<4xf32> -> tile<4xf16>
  return
}

// -----

cuda_tile.testing$func @ftof_c2_widening(%x: tile<4xf16>) {
  // expected-error @below {{'cuda_tile.ftof' op invalid rounding mode specified. Only 'nearest_even' is supported}}
  %0 = "cuda_tile.ftof"(%x) {rounding_mode = #cuda_tile.rounding<full>} : (!cuda_tile.tile<4xf16>) -> !cuda_tile.tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @ftoi_c1(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.ftoi' op invalid rounding mode specified. Only 'nearest_int_to_zero' is supported}}
  %0 = "cuda_tile.ftoi"(%x) {signedness = #cuda_tile.signedness<signed>, rounding_mode = #cuda_tile.rounding<zero>} : (!cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @itof_c1(%i: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.itof' op integer to f8E8M0FNU conversion is not supported, please first convert to another float type}}
  %0 = itof %i signed : tile<4xi32> -> tile<4xf8E8M0FNU>
  return
}

// -----

cuda_tile.testing$func @itof_c2(%i: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.itof' op invalid rounding mode specified. Only 'nearest_even' is supported}}
  %0 = itof %i signed rounding<zero> : tile<4xi32> -> tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @bitcast_c1(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.bitcast' op types must be equal width, cannot convert '!cuda_tile.tile<4xf32>' of width 32 to type '!cuda_tile.tile<4xi16>' of width 16}}
  %0 = bitcast %x : tile<4xf32> -> tile<4xi16>
  return
}

// -----

cuda_tile.testing$func @bitcast_tf32(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.bitcast' op types must be equal width, cannot convert '!cuda_tile.tile<4xf32>' of width 32 to type '!cuda_tile.tile<4xtf32>' of width 19}}
  %0 = bitcast %x : tile<4xf32> -> tile<4xtf32>
  return
}

// -----

cuda_tile.testing$func @select_c1(%c: tile<4xi1>, %x: tile<4xf4E2M1FN>) {
  // expected-error @below {{'cuda_tile.select' op cannot operate on sub-byte type F4E2M1FN}}
  %0 = select %c, %x, %x : tile<4xi1>, tile<4xf4E2M1FN>
  return
}

// -----

cuda_tile.testing$func @mmaf_c1_rank(%a: tile<4xf16>, %b: tile<4xf16>, %c: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.mmaf' op operands must be 2D or 3D tiles}}
  %0 = mmaf %a, %b, %c : tile<4xf16>, tile<4xf16>, tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @mmaf_c1_batch_rhs(%a: tile<2x4x8xf16>, %b: tile<4x8x4xf16>, %c: tile<2x4x4xf32>) {
  // expected-error @below {{'cuda_tile.mmaf' op shape error: dim 0 of lhs (2) and dim 0 of rhs (4) must match, but got lhs shape (2, 4, 8) and rhs shape (4, 8, 4)}}
  %0 = mmaf %a, %b, %c : tile<2x4x8xf16>, tile<4x8x4xf16>, tile<2x4x4xf32>
  return
}

// -----

cuda_tile.testing$func @mmaf_c1_batch_acc(%a: tile<2x4x8xf16>, %b: tile<2x8x4xf16>, %c: tile<4x4x4xf32>) {
  // expected-error @below {{'cuda_tile.mmaf' op shape error: dim 0 of lhs (2) and dim 0 of acc (4) must match, but got lhs shape (2, 4, 8) and acc shape (4, 4, 4)}}
  %0 = mmaf %a, %b, %c : tile<2x4x8xf16>, tile<2x8x4xf16>, tile<4x4x4xf32>
  return
}

// -----

cuda_tile.testing$func @mmaf_c1_k(%a: tile<4x8xf16>, %b: tile<4x8xf16>, %c: tile<4x8xf32>) {
  // expected-error @below {{'cuda_tile.mmaf' op  shape error: dim 1 of lhs (8) and dim 0 of rhs (4) must match, but got lhs shape (4, 8) and rhs shape (4, 8)}}
  %0 = mmaf %a, %b, %c : tile<4x8xf16>, tile<4x8xf16>, tile<4x8xf32>
  return
}

// -----

cuda_tile.testing$func @mmaf_c1_m(%a: tile<4x8xf16>, %b: tile<8x4xf16>, %c: tile<8x4xf32>) {
  // expected-error @below {{'cuda_tile.mmaf' op  shape error: dim 0 of lhs (4) and dim 0 of acc (8) must match, but got lhs shape (4, 8) and acc shape (8, 4)}}
  %0 = mmaf %a, %b, %c : tile<4x8xf16>, tile<8x4xf16>, tile<8x4xf32>
  return
}

// -----

cuda_tile.testing$func @mmaf_c1_n(%a: tile<2x4x8xf16>, %b: tile<2x8x4xf16>, %c: tile<2x4x8xf32>) {
  // expected-error @below {{'cuda_tile.mmaf' op  shape error: dim 2 of rhs (4) and dim 2 of acc (8) must match, but got rhs shape (2, 8, 4) and acc shape (2, 4, 8)}}
  %0 = mmaf %a, %b, %c : tile<2x4x8xf16>, tile<2x8x4xf16>, tile<2x4x8xf32>
  return
}

// -----

cuda_tile.testing$func @mmaf_c2_f16(%a: tile<4x8xf16>, %b: tile<8x4xf16>, %c: tile<4x4xf64>) {
  // expected-error @below {{'cuda_tile.mmaf' op unsupported combination of element types. Input type 'f16' expects accumulator/result type to be one of {'f16', 'f32'}, but got 'f64'}}
  %0 = mmaf %a, %b, %c : tile<4x8xf16>, tile<8x4xf16>, tile<4x4xf64>
  return
}

// -----

cuda_tile.testing$func @mmaf_c2_bf16(%a: tile<4x8xbf16>, %b: tile<8x4xbf16>, %c: tile<4x4xf16>) {
  // expected-error @below {{'cuda_tile.mmaf' op unsupported combination of element types. Input type 'bf16' expects accumulator/result type to be one of {'f32'}, but got 'f16'}}
  %0 = mmaf %a, %b, %c : tile<4x8xbf16>, tile<8x4xbf16>, tile<4x4xf16>
  return
}

// -----

cuda_tile.testing$func @mmaf_operand(%a: tile<4x8xf4E2M1FN>, %b: tile<8x4xf4E2M1FN>, %c: tile<4x4xf32>) {
  // expected-error @below {{'cuda_tile.mmaf' op operand #0 must be mmaf operand tile type of f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 values, but got '!cuda_tile.tile<4x8xf4E2M1FN>'}}
  %0 = mmaf %a, %b, %c : tile<4x8xf4E2M1FN>, tile<8x4xf4E2M1FN>, tile<4x4xf32>
  return
}

// -----

cuda_tile.testing$func @mmaf_acc(%a: tile<4x8xf16>, %b: tile<8x4xf16>, %c: tile<4x4xbf16>) {
  // expected-error @below {{'cuda_tile.mmaf' op operand #2 must be mmaf acc/result tile type of f16 or f32 or f64 values, but got '!cuda_tile.tile<4x4xbf16>'}}
  %0 = mmaf %a, %b, %c : tile<4x8xf16>, tile<8x4xf16>, tile<4x4xbf16>
  return
}

// -----

cuda_tile.testing$func @mmai_c1(%a: tile<4x8xi8>, %b: tile<4x8xi8>, %c: tile<4x8xi32>) {
  // expected-error @below {{'cuda_tile.mmai' op  shape error: dim 1 of lhs (8) and dim 0 of rhs (4) must match, but got lhs shape (4, 8) and rhs shape (4, 8)}}
  %0 = mmai %a, %b, %c signed signed : tile<4x8xi8>, tile<4x8xi8>, tile<4x8xi32>
  return
}

// -----

cuda_tile.testing$func @mmai_operand(%a: tile<4x8xi16>, %b: tile<8x4xi16>, %c: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.mmai' op operand #0 must be mmai operand tile type of i8 values, but got '!cuda_tile.tile<4x8xi16>'}}
  %0 = mmai %a, %b, %c signed signed : tile<4x8xi16>, tile<8x4xi16>, tile<4x4xi32>
  return
}

// -----

cuda_tile.testing$func @mmai_acc(%a: tile<4x8xi8>, %b: tile<8x4xi8>, %c: tile<4x4xi64>) {
  // expected-error @below {{'cuda_tile.mmai' op operand #2 must be mmai acc tile type of i32 values, but got '!cuda_tile.tile<4x4xi64>'}}
  %0 = mmai %a, %b, %c signed signed : tile<4x8xi8>, tile<8x4xi8>, tile<4x4xi64>
  return
}

// -----

cuda_tile.testing$func @mmaf_scaled_scales(%a: tile<4x64xf8E5M2>, %b: tile<64x4xf8E5M2>, %c: tile<4x4xf32>, %s: tile<4x2xf8E8M0FNU>, %t: tile<2x4xf8E4M3FN>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op failed to verify that all of {lhs_scale, rhs_scale} have the same element type}}
  %0 = mmaf_scaled %a, %b, %c, %s, %t : tile<4x64xf8E5M2>, tile<64x4xf8E5M2>, tile<4x4xf32>, tile<4x2xf8E8M0FNU>, tile<2x4xf8E4M3FN>
  return
}

// -----

cuda_tile.testing$func @mmaf_scaled_ranks(%a: tile<4x64xf8E5M2>, %b: tile<64x4xf8E5M2>, %c: tile<4x4xf32>, %s: tile<4x2xf8E8M0FNU>, %t: tile<1x2x4xf8E8M0FNU>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op failed to verify that all of {lhs, rhs, acc, lhs_scale, rhs_scale} have same rank}}
  %0 = mmaf_scaled %a, %b, %c, %s, %t : tile<4x64xf8E5M2>, tile<64x4xf8E5M2>, tile<4x4xf32>, tile<4x2xf8E8M0FNU>, tile<1x2x4xf8E8M0FNU>
  return
}

// -----

cuda_tile.testing$func @mmaf_scaled_operand(%a: tile<4x64xf16>, %b: tile<64x4xf16>, %c: tile<4x4xf32>, %s: tile<4x2xf8E8M0FNU>, %t: tile<2x4xf8E8M0FNU>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op operand #0 must be mmaf_scaled operand tile type of f8E4M3FN or f8E5M2 or f4E2M1FN values, but got '!cuda_tile.tile<4x64xf16>'}}
  %0 = mmaf_scaled %a, %b, %c, %s, %t : tile<4x64xf16>, tile<64x4xf16>, tile<4x4xf32>, tile<4x2xf8E8M0FNU>, tile<2x4xf8E8M0FNU>
  return
}

// -----

cuda_tile.testing$func @mmaf_scaled_acc(%a: tile<4x64xf8E5M2>, %b: tile<64x4xf8E5M2>, %c: tile<4x4xf16>, %s: tile<4x2xf8E8M0FNU>, %t: tile<2x4xf8E8M0FNU>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op operand #2 must be mmaf_scaled result tile type of f32 values, but got '!cuda_tile.tile<4x4xf16>'}}
  %0 = mmaf_scaled %a, %b, %c, %s, %t : tile<4x64xf8E5M2>, tile<64x4xf8E5M2>, tile<4x4xf16>, tile<4x2xf8E8M0FNU>, tile<2x4xf8E8M0FNU>
  return
}

// -----

cuda_tile.testing$func @mmaf_scaled_scale(%a: tile<4x64xf8E5M2>, %b: tile<64x4xf8E5M2>, %c: tile<4x4xf32>, %s: tile<4x2xf8E5M2>, %t: tile<2x4xf8E5M2>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op operand #3 must be mmaf_scaled scale tile type of f8E4M3FN or f8E8M0FNU values, but got '!cuda_tile.tile<4x2xf8E5M2>'}}
  %0 = mmaf_scaled %a, %b, %c, %s, %t : tile<4x64xf8E5M2>, tile<64x4xf8E5M2>, tile<4x4xf32>, tile<4x2xf8E5M2>, tile<2x4xf8E5M2>
  return
}

// -----

cuda_tile.testing$func @mmaf_scaled_c1_mma(%a: tile<4x64xf8E5M2>, %b: tile<32x4xf8E5M2>, %c: tile<4x4xf32>, %s: tile<4x2xf8E8M0FNU>, %t: tile<2x4xf8E8M0FNU>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op  shape error: dim 1 of lhs (64) and dim 0 of rhs (32) must match, but got lhs shape (4, 64) and rhs shape (32, 4)}}
  %0 = mmaf_scaled %a, %b, %c, %s, %t : tile<4x64xf8E5M2>, tile<32x4xf8E5M2>, tile<4x4xf32>, tile<4x2xf8E8M0FNU>, tile<2x4xf8E8M0FNU>
  return
}

// -----

cuda_tile.testing$func @mmaf_scaled_c1_batch_lhs(%a: tile<2x4x64xf8E5M2>, %b: tile<2x64x4xf8E5M2>, %c: tile<2x4x4xf32>, %s: tile<1x4x2xf8E8M0FNU>, %t: tile<2x2x4xf8E8M0FNU>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op shape error: dim 0 of lhs (2) and dim 0 of lhs_scale (1) must match, but got lhs shape (2, 4, 64) and lhs_scale shape (1, 4, 2)}}
  %0 = mmaf_scaled %a, %b, %c, %s, %t : tile<2x4x64xf8E5M2>, tile<2x64x4xf8E5M2>, tile<2x4x4xf32>, tile<1x4x2xf8E8M0FNU>, tile<2x2x4xf8E8M0FNU>
  return
}

// -----

cuda_tile.testing$func @mmaf_scaled_c1_batch_rhs(%a: tile<2x4x64xf8E5M2>, %b: tile<2x64x4xf8E5M2>, %c: tile<2x4x4xf32>, %s: tile<2x4x2xf8E8M0FNU>, %t: tile<1x2x4xf8E8M0FNU>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op shape error: dim 0 of rhs (2) and dim 0 of rhs_scale (1) must match, but got rhs shape (2, 64, 4) and rhs_scale shape (1, 2, 4)}}
  %0 = mmaf_scaled %a, %b, %c, %s, %t : tile<2x4x64xf8E5M2>, tile<2x64x4xf8E5M2>, tile<2x4x4xf32>, tile<2x4x2xf8E8M0FNU>, tile<1x2x4xf8E8M0FNU>
  return
}

// -----

cuda_tile.testing$func @mmaf_scaled_c1_m(%a: tile<4x64xf8E5M2>, %b: tile<64x4xf8E5M2>, %c: tile<4x4xf32>, %s: tile<8x2xf8E8M0FNU>, %t: tile<2x4xf8E8M0FNU>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op shape error: dim 0 of lhs (4) and dim 0 of lhs_scale (8) must match, but got lhs shape (4, 64) and lhs_scale shape (8, 2)}}
  %0 = mmaf_scaled %a, %b, %c, %s, %t : tile<4x64xf8E5M2>, tile<64x4xf8E5M2>, tile<4x4xf32>, tile<8x2xf8E8M0FNU>, tile<2x4xf8E8M0FNU>
  return
}

// -----

cuda_tile.testing$func @mmaf_scaled_c1_n(%a: tile<4x64xf8E5M2>, %b: tile<64x4xf8E5M2>, %c: tile<4x4xf32>, %s: tile<4x2xf8E8M0FNU>, %t: tile<2x8xf8E8M0FNU>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op shape error: dim 1 of rhs (4) and dim 1 of rhs_scale (8) must match, but got rhs shape (64, 4) and rhs_scale shape (2, 8)}}
  %0 = mmaf_scaled %a, %b, %c, %s, %t : tile<4x64xf8E5M2>, tile<64x4xf8E5M2>, tile<4x4xf32>, tile<4x2xf8E8M0FNU>, tile<2x8xf8E8M0FNU>
  return
}

// -----

cuda_tile.testing$func @mmaf_scaled_c1_k(%a: tile<4x64xf8E5M2>, %b: tile<64x4xf8E5M2>, %c: tile<4x4xf32>, %s: tile<4x2xf8E8M0FNU>, %t: tile<4x4xf8E8M0FNU>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op shape error: dim 1 of lhs_scale (2) and dim 0 of rhs_scale (4) must match, but got lhs_scale shape (4, 2) and rhs_scale shape (4, 4)}}
  %0 = mmaf_scaled %a, %b, %c, %s, %t : tile<4x64xf8E5M2>, tile<64x4xf8E5M2>, tile<4x4xf32>, tile<4x2xf8E8M0FNU>, tile<4x4xf8E8M0FNU>
  return
}

// -----

cuda_tile.testing$func @mmaf_scaled_c2(%a: tile<4x64xf8E5M2>, %b: tile<64x4xf8E5M2>, %c: tile<4x4xf32>, %s: tile<4x2xf8E4M3FN>, %t: tile<2x4xf8E4M3FN>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op unsupported combination of element types. Scale type 'f8E4M3FN' expects lhs and rhs element types to be 'f4E2M1FN', but got 'f8E5M2'}}
  %0 = mmaf_scaled %a, %b, %c, %s, %t : tile<4x64xf8E5M2>, tile<64x4xf8E5M2>, tile<4x4xf32>, tile<4x2xf8E4M3FN>, tile<2x4xf8E4M3FN>
  return
}

// -----

cuda_tile.testing$func @mmaf_scaled_c3_divisor(%a: tile<4x64xf8E5M2>, %b: tile<64x4xf8E5M2>, %c: tile<4x4xf32>, %s: tile<4x128xf8E8M0FNU>, %t: tile<128x4xf8E8M0FNU>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op shape error: dim 1 of lhs_scale (128) must be a divisor of dim 1 of lhs (64), but got lhs_scale shape (4, 128) and lhs shape (4, 64)}}
  %0 = mmaf_scaled %a, %b, %c, %s, %t : tile<4x64xf8E5M2>, tile<64x4xf8E5M2>, tile<4x4xf32>, tile<4x128xf8E8M0FNU>, tile<128x4xf8E8M0FNU>
  return
}

// -----

cuda_tile.testing$func @mmaf_scaled_c3_f8(%a: tile<4x64xf8E5M2>, %b: tile<64x4xf8E5M2>, %c: tile<4x4xf32>, %s: tile<4x4xf8E8M0FNU>, %t: tile<4x4xf8E8M0FNU>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op shape error: f8 element type requires block scale factor of lhs_scale and rhs_scale to be 32, but got 16}}
  %0 = mmaf_scaled %a, %b, %c, %s, %t : tile<4x64xf8E5M2>, tile<64x4xf8E5M2>, tile<4x4xf32>, tile<4x4xf8E8M0FNU>, tile<4x4xf8E8M0FNU>
  return
}

// -----

cuda_tile.testing$func @mmaf_scaled_c3_f4_f8(%a: tile<4x64xf4E2M1FN>, %b: tile<64x4xf4E2M1FN>, %c: tile<4x4xf32>, %s: tile<4x2xf8E4M3FN>, %t: tile<2x4xf8E4M3FN>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op shape error: f4E2M1FN element type with f8E4M3FN scales requires block scale factor of lhs_scale and rhs_scale to be 16, but got 32}}
  %0 = mmaf_scaled %a, %b, %c, %s, %t : tile<4x64xf4E2M1FN>, tile<64x4xf4E2M1FN>, tile<4x4xf32>, tile<4x2xf8E4M3FN>, tile<2x4xf8E4M3FN>
  return
}

// -----

cuda_tile.testing$func @mmaf_scaled_c3_f4_e8(%a: tile<4x64xf4E2M1FN>, %b: tile<64x4xf4E2M1FN>, %c: tile<4x4xf32>, %s: tile<4x1xf8E8M0FNU>, %t: tile<1x4xf8E8M0FNU>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op shape error: f4E2M1FN element type with f8E8M0FNU scales requires block scale factor of lhs_scale and rhs_scale to be 16 or 32, but got 64}}
  %0 = mmaf_scaled %a, %b, %c, %s, %t : tile<4x64xf4E2M1FN>, tile<64x4xf4E2M1FN>, tile<4x4xf32>, tile<4x1xf8E8M0FNU>, tile<1x4xf8E8M0FNU>
  return
}

// -----

cuda_tile.testing$func @ftof_c2_low_fnv8(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.ftof' op invalid rounding mode specified for conversion to low-precision type. Only 'nearest_even' is supported}}
  %0 = ftof %x rounding<zero> : tile<4xf32> -> tile<4xfnv8E5M3FNU>
  return
}

// -----

cuda_tile.testing$func @ftof_c2_narrow_away(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.ftof' op invalid rounding mode specified. Only 'nearest_even' and 'zero' are supported for narrowing conversions to standard types}}
  %0 = ftof %x rounding<nearest_away> : tile<4xf32> -> tile<4xbf16>
  return
}

// -----

cuda_tile.testing$func @nearest_away_addf(%x: tile<4xf32>) {
  // expected-error @below {{expected rounding mode to be one of: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', got: 'nearest_away'}}
  %0 = addf %x, %x rounding<nearest_away> : tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @nearest_away_divf(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.divf' op invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf, approx, full]}}
  %0 = divf %x, %x rounding<nearest_away> : tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @nearest_away_sqrt(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.sqrt' op invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf, approx]}}
  %0 = sqrt %x rounding<nearest_away> : tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @nearest_away_exp(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.exp' op invalid rounding mode specified, expect one of [approx, full]}}
  %0 = exp %x rounding<nearest_away> : tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @nearest_away_itof(%x: tile<4xi32>) {
  // expected-error @below {{expected rounding mode to be one of: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', got: 'nearest_away'}}
  %0 = itof %x signed rounding<nearest_away> : tile<4xi32> -> tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @nearest_away_ftoi(%x: tile<4xf32>) {
  // expected-error @below {{expected rounding mode to be one of: 'nearest_int_to_zero', got: 'nearest_away'}}
  %0 = ftoi %x signed rounding<nearest_away> : tile<4xf32> -> tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @nearest_away_divi(%x: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.divi' op invalid rounding mode specified, expect one of [zero, negative_inf, positive_inf]}}
  %0 = divi %x, %x signed rounding<nearest_away> : tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @fpowi_source(%x: tile<4xtf32>, %n: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.fpowi' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xtf32>'}}
  %0 = fpowi %x, %n : tile<4xtf32>, tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @fpowi_exponent(%x: tile<4xf32>, %n: tile<4xi64>) {
  // expected-error @below {{'cuda_tile.fpowi' op operand #1 must be tile of i1 or i8 or i16 or i32 values, but got '!cuda_tile.tile<4xi64>'}}
  %0 = fpowi %x, %n : tile<4xf32>, tile<4xi64>
  return
}

// -----

cuda_tile.testing$func @fpowi_shape(%x: tile<4xf32>, %n: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.fpowi' op failed to verify that all of {source, exponent} have same shape}}
  %0 = fpowi %x, %n : tile<4xf32>, tile<8xi32>
  return
}

// -----

cuda_tile.testing$func @mmaf_scaled_fnv8_element(%a: tile<16x32xf8E5M2>, %b: tile<32x16xf8E5M2>, %c: tile<16x16xf32>, %s: tile<16x1xfnv8E5M3FNU>, %t: tile<1x16xfnv8E5M3FNU>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op unsupported combination of element types. Scale type 'fnv8E5M3FNU' expects lhs and rhs element types to be 'f4E2M1FN', but got 'f8E5M2'}}
  %0 = mmaf_scaled %a, %b, %c, %s, %t : tile<16x32xf8E5M2>, tile<32x16xf8E5M2>, tile<16x16xf32>, tile<16x1xfnv8E5M3FNU>, tile<1x16xfnv8E5M3FNU>
  return
}

// -----

cuda_tile.testing$func @mmaf_scaled_fnv8_factor(%a: tile<16x64xf4E2M1FN>, %b: tile<64x16xf4E2M1FN>, %c: tile<16x16xf32>, %s: tile<16x1xfnv8E5M3FNU>, %t: tile<1x16xfnv8E5M3FNU>) {
  // expected-error @below {{'cuda_tile.mmaf_scaled' op shape error: f4E2M1FN element type with fnv8E5M3FNU scales requires block scale factor of lhs_scale and rhs_scale to be 16 or 32, but got 64}}
  %0 = mmaf_scaled %a, %b, %c, %s, %t : tile<16x64xf4E2M1FN>, tile<64x16xf4E2M1FN>, tile<16x16xf32>, tile<16x1xfnv8E5M3FNU>, tile<1x16xfnv8E5M3FNU>
  return
}

// -----

cuda_tile.testing$func @ftof_c2_f64_f32(%x: tile<4xf64>) {
  // expected-error @below {{'cuda_tile.ftof' op invalid rounding mode specified for conversion from f64 to f32. Only 'nearest_even', 'zero', 'negative_inf', and 'positive_inf' are supported}}
  %0 = ftof %x rounding<nearest_away> : tile<4xf64> -> tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @ftof_c2_f64_tf32(%x: tile<4xf64>) {
  // expected-error @below {{'cuda_tile.ftof' op invalid rounding mode specified. Only 'nearest_even' and 'zero' are supported for narrowing conversions to standard types}}
  %0 = ftof %x rounding<nearest_away> : tile<4xf64> -> tile<4xtf32>
  return
}

// -----

cuda_tile.testing$func @ftof_c2_fnv8_f16(%x: tile<4xfnv8E5M3FNU>) {
  // expected-error @below {{'cuda_tile.ftof' op invalid rounding mode specified. Only 'nearest_even' and 'zero' are supported for narrowing conversions to standard types}}
  %0 = ftof %x rounding<positive_inf> : tile<4xfnv8E5M3FNU> -> tile<4xf16>
  return
}

// -----

// The order of the names is part of the text.
cuda_tile.testing$func @remi_types(%i: tile<4xi32>, %j: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.remi' op failed to verify that all of {result, lhs, rhs} have same type}}
  %0 = "cuda_tile.remi"(%i, %j) <{signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<8xi32>) -> !cuda_tile.tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @fpowi_types(%x: tile<4xf32>, %i: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.fpowi' op failed to verify that all of {result, source} have same type}}
  %0 = "cuda_tile.fpowi"(%x, %i) : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xi32>) -> !cuda_tile.tile<4xf16>
  return
}

// -----

cuda_tile.testing$func @overflow_keyword(%i: tile<4xi32>) {
  // expected-error @below {{expected ::mlir::cuda_tile::IntegerOverflow to be one of: none, no_signed_wrap, no_unsigned_wrap, no_wrap}}
  // expected-error @below {{failed to parse CudaTile_IntegerOverflowAttr parameter 'value' which is to be a `::mlir::cuda_tile::IntegerOverflow`}}
  %0 = addi %i, %i overflow<wrap> : tile<4xi32>
  return
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so --split-input-file --verify-diagnostics --allow-unregistered-dialect
//
// Kinds of operands and results of the operations that have no rule of their own.

cuda_tile.testing$func @negf(%x: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.negf' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = negf %x : tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @ceil(%x: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.ceil' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = ceil %x : tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @floor(%x: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.floor' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = floor %x : tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @cos(%x: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.cos' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = cos %x : tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @cosh(%x: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.cosh' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = cosh %x : tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @sin(%x: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.sin' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = sin %x : tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @sinh(%x: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.sinh' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = sinh %x : tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @tan(%x: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.tan' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = tan %x : tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @log(%x: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.log' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = log %x : tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @log2(%x: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.log2' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = log2 %x : tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @remf(%x: tile<4xtf32>) {
  // expected-error @below {{'cuda_tile.remf' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xtf32>'}}
  %0 = remf %x, %x : tile<4xtf32>
  return
}

// -----

cuda_tile.testing$func @pow(%x: tile<4xtf32>) {
  // expected-error @below {{'cuda_tile.pow' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xtf32>'}}
  %0 = pow %x, %x : tile<4xtf32>
  return
}

// -----

cuda_tile.testing$func @atan2(%x: tile<4xtf32>) {
  // expected-error @below {{'cuda_tile.atan2' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xtf32>'}}
  %0 = atan2 %x, %x : tile<4xtf32>
  return
}

// -----

cuda_tile.testing$func @remf_types(%x: tile<4xf32>, %y: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.remf' op failed to verify that all of {lhs, rhs, result} have same type}}
  %0 = "cuda_tile.remf"(%x, %y) : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<8xf32>) -> !cuda_tile.tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @pow_types(%x: tile<4xf32>, %y: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.pow' op failed to verify that all of {result, source, exponent} have same type}}
  %0 = "cuda_tile.pow"(%x, %y) : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<8xf32>) -> !cuda_tile.tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @atan2_types(%x: tile<4xf32>, %y: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.atan2' op failed to verify that all of {x, y, result} have same type}}
  %0 = "cuda_tile.atan2"(%x, %y) : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<8xf32>) -> !cuda_tile.tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @absi(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.absi' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xf32>'}}
  %0 = absi %x : tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @absi_i4(%x: tile<4xi4>) {
  // expected-error @below {{'cuda_tile.absi' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xi4>'}}
  %0 = absi %x : tile<4xi4>
  return
}

// -----

cuda_tile.testing$func @subi(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.subi' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xf32>'}}
  %0 = subi %x, %x : tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @muli(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.muli' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xf32>'}}
  %0 = muli %x, %x : tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @shli(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.shli' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xf32>'}}
  %0 = shli %x, %x : tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @andi(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.andi' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xf32>'}}
  %0 = andi %x, %x : tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @ori(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.ori' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xf32>'}}
  %0 = ori %x, %x : tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @xori(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.xori' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xf32>'}}
  %0 = xori %x, %x : tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @mulhii(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.mulhii' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xf32>'}}
  %0 = mulhii %x, %x : tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @shri(%x: tile<4xptr<i32>>) {
  // expected-error @below {{'cuda_tile.shri' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xptr<i32>>'}}
  %0 = shri %x, %x signed : tile<4xptr<i32>>
  return
}

// -----

cuda_tile.testing$func @mini(%x: tile<4xptr<i32>>) {
  // expected-error @below {{'cuda_tile.mini' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xptr<i32>>'}}
  %0 = mini %x, %x signed : tile<4xptr<i32>>
  return
}

// -----

cuda_tile.testing$func @remi(%x: tile<4xptr<i32>>) {
  // expected-error @below {{'cuda_tile.remi' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xptr<i32>>'}}
  %0 = remi %x, %x signed : tile<4xptr<i32>>
  return
}

// -----

cuda_tile.testing$func @andi_types(%x: tile<4xi32>, %y: tile<4xi64>) {
  // expected-error @below {{'cuda_tile.andi' op failed to verify that all of {lhs, rhs, result} have same type}}
  %0 = "cuda_tile.andi"(%x, %y) : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi64>) -> !cuda_tile.tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @mulhii_types(%x: tile<4xi32>, %y: tile<4xi64>) {
  // expected-error @below {{'cuda_tile.mulhii' op failed to verify that all of {x, y, result} have same type}}
  %0 = "cuda_tile.mulhii"(%x, %y) : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi64>) -> !cuda_tile.tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @shri_signedness(%x: tile<4xi32>) {
  // expected-error @below {{expected signedness to be one of: {'signed', 'unsigned'}}}
  %0 = shri %x, %x somehow : tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @mini_signedness(%x: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.mini' op requires attribute 'signedness'}}
  %0 = "cuda_tile.mini"(%x, %x) : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>) -> !cuda_tile.tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @cmpi_predicate(%x: tile<4xi32>) {
  // expected-error @below {{expected 'comparison_predicate' to be one of: {'equal', 'not_equal', 'less_than', 'less_than_or_equal', 'greater_than', 'greater_than_or_equal'}}}
  %0 = cmpi below %x, %x, signed : tile<4xi32> -> tile<4xi1>
  return
}

// -----

cuda_tile.testing$func @cmpf_ordering(%x: tile<4xf32>) {
  // expected-error @below {{expected 'comparison_ordering' to be one of: {'ordered', 'unordered'}}}
  %0 = cmpf less_than somehow %x, %x : tile<4xf32> -> tile<4xi1>
  return
}

// -----

cuda_tile.testing$func @ptr_to_ptr(%x: tile<4xi64>) {
  // expected-error @below {{'cuda_tile.ptr_to_ptr' op operand #0 must be tile of Pointer type values, but got '!cuda_tile.tile<4xi64>'}}
  %0 = ptr_to_ptr %x : tile<4xi64> -> tile<4xptr<i8>>
  return
}

// -----

cuda_tile.testing$func @ptr_to_ptr_shape(%x: tile<4xptr<f32>>) {
  // expected-error @below {{'cuda_tile.ptr_to_ptr' op failed to verify that all of {source, result} have same shape}}
  %0 = ptr_to_ptr %x : tile<4xptr<f32>> -> tile<8xptr<i8>>
  return
}

// -----

cuda_tile.testing$func @assert(%x: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.assert' op operand #0 must be tile of i1 values, but got '!cuda_tile.tile<4xi32>'}}
  assert %x, "message" : tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @get_tile_block_id() {
  // expected-error @below {{'cuda_tile.get_tile_block_id' op result #0 must be 0D tile of i32 values, but got '!cuda_tile.tile<i64>'}}
  %0, %1, %2 = get_tile_block_id : tile<i64>
  return
}

// -----

cuda_tile.testing$func @get_num_tile_blocks() {
  // expected-error @below {{'cuda_tile.get_num_tile_blocks' op result #0 must be 0D tile of i32 values, but got '!cuda_tile.tile<4xi32>'}}
  %0, %1, %2 = get_num_tile_blocks : tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @make_token() {
  // expected-error @below {{'cuda_tile.make_token' op result #0 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
  %0 = make_token : tile<i32>
  return
}

// -----

cuda_tile.testing$func @bytecode_test_evolution(%t: token) {
  // expected-error @below {{'cuda_tile.testing$bytecode_test_evolution' op operand #0 must be variadic of Tile type, but got '!cuda_tile.token'}}
  %0 = testing$bytecode_test_evolution(%t : !cuda_tile.token) -> token
  return
}

// -----

cuda_tile.testing$func @bytecode_test_new_attribute() {
  // expected-error @below {{'cuda_tile.testing$bytecode_test_new_attribute' op attribute 'new_param' failed to satisfy constraint: 32-bit signless integer attribute}}
  "cuda_tile.testing$bytecode_test_new_attribute"() <{new_param = 7 : i64}> : () -> ()
  return
}

// -----

// expected-error @below {{'cuda_tile.module' op expects region #0 to have 0 or 1 blocks}}
"cuda_tile.module"() <{sym_name = "m"}> ({
  "test.branch"() : () -> ()
^two:
}) : () -> ()

// -----

// expected-error @below {{'cuda_tile.testing$func' op expects region #0 to have 0 or 1 blocks}}
"cuda_tile.testing$func"() <{sym_name = "f", function_type = () -> ()}> ({
  cuda_tile.return
^two:
  cuda_tile.return
}) : () -> ()

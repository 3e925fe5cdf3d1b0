// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so --split-input-file --verify-diagnostics

cuda_tile.testing$func @literal_element() {
  // expected-error @below {{expect element type to be one of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got 'i4'}}
  %0 = constant <i4: 1> : tile<2xi4>
  return
}

// -----

cuda_tile.testing$func @literal_unknown_type() {
  // expected-error @below {{unknown type: pluto}}
  // expected-error @below {{expect element type to be one of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got '<<NULL TYPE>>'}}
  %0 = constant <pluto: 1> : tile<2xi4>
  return
}

// -----

cuda_tile.testing$func @literal_integer_token() {
  // expected-error @below {{expected integer value}}
  %0 = constant <i32: 1.5> : tile<i32>
  return
}

// -----

cuda_tile.testing$func @literal_bool_token() {
  // expected-error @below {{expected integer value}}
  %0 = constant <i32: true> : tile<i32>
  return
}

// -----

cuda_tile.testing$func @literal_range_i12() {
  // expected-error @below {{integer constant out of range for type}}
  %0 = constant <i1: 2> : tile<i1>
  return
}

// -----

cuda_tile.testing$func @literal_range_i1m2() {
  // expected-error @below {{integer constant out of range for type}}
  %0 = constant <i1: -2> : tile<i1>
  return
}

// -----

cuda_tile.testing$func @literal_range_i8256() {
  // expected-error @below {{integer constant out of range for type}}
  %0 = constant <i8: 256> : tile<i8>
  return
}

// -----

cuda_tile.testing$func @literal_range_i8m129() {
  // expected-error @below {{integer constant out of range for type}}
  %0 = constant <i8: -129> : tile<i8>
  return
}

// -----

cuda_tile.testing$func @literal_range_i1665536() {
  // expected-error @below {{integer constant out of range for type}}
  %0 = constant <i16: 65536> : tile<i16>
  return
}

// -----

cuda_tile.testing$func @literal_range_i324294967296() {
  // expected-error @below {{integer constant out of range for type}}
  %0 = constant <i32: 4294967296> : tile<i32>
  return
}

// -----

cuda_tile.testing$func @literal_range_i649223372036854775808() {
  // expected-error @below {{integer value too large}}
  // expected-error @below {{expected integer value}}
  %0 = constant <i64: 9223372036854775808> : tile<i64>
  return
}

// -----

cuda_tile.testing$func @literal_float() {
  // expected-error @below {{unexpected decimal integer literal for a floating point value}}
  // expected-note @below {{add a trailing dot to make the literal a float}}
  %0 = constant <f32: 1> : tile<f32>
  return
}

// -----

cuda_tile.testing$func @literal_float_range() {
  // expected-error @below {{float constant out of range for type}}
  %0 = constant <f16: 0x7FC00000> : tile<f16>
  return
}

// -----

cuda_tile.testing$func @literal_ragged() {
  // expected-error @below {{tensor literal is invalid; ranks are not consistent between elements}}
  %0 = constant <i32: [[1, 2], [3]]> : tile<2x2xi32>
  return
}

// -----

cuda_tile.testing$func @literal_no_tile() {
  // expected-error @below {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got 'i32'}}
  %0 = constant <i32: 1> : i32
  return
}

// -----

cuda_tile.testing$func @literal_pointer_tile() {
  // expected-error @below {{mismatch between the element type: 'i32' and the tile element type '!cuda_tile.ptr<i32>'}}
  %0 = constant <i32: 1> : tile<ptr<i32>>
  return
}

// -----

cuda_tile.testing$func @literal_mismatch() {
  // expected-error @below {{mismatch between the element type: 'i32' and the tile element type 'i64'}}
  %0 = constant <i32: 1> : tile<i64>
  return
}

// -----

cuda_tile.testing$func @literal_shape() {
  // expected-error @below {{inferred shape of elements literal ([2, 2]) does not match type ([4, 2])}}
  %0 = constant <i32: [[1, 2], [3, 4]]> : tile<4x2xi32>
  return
}

// -----

cuda_tile.testing$func @literal_rank0() {
  // expected-error @below {{inferred shape of elements literal ([2]) does not match type ([])}}
  %0 = constant <i32: [1, 2]> : tile<i32>
  return
}

// -----

cuda_tile.testing$func @literal_empty() {
  // expected-error @below {{expected integer value}}
  %0 = constant <i32: > : tile<i32>
  return
}

// -----

cuda_tile.testing$func @literal_empty_list() {
  // expected-error @below {{expected integer value}}
  %0 = constant <i32: []> : tile<2xi32>
  return
}

// -----

cuda_tile.testing$func @literal_not_hex() {
  // expected-error @below {{expected a string of hexadecimal digits that starts with 0x}}
  %0 = constant <i32: "0x1g"> : tile<2xi32>
  return
}

// -----

cuda_tile.testing$func @literal_string() {
  // expected-error @below {{expected integer value}}
  %0 = constant <i32: "12"> : tile<2xi32>
  return
}

// -----

cuda_tile.testing$func @literal_hex_size() {
  // expected-error @below {{elements hex data size is invalid for provided type: '!cuda_tile.tile<2xi32>'}}
  %0 = constant <i32: "0x010203"> : tile<2xi32>
  return
}

// -----

cuda_tile.testing$func @iota_c1() {
  // expected-error @below {{'cuda_tile.iota' op expects result type to be 1-d tile}}
  %0 = iota : tile<2x2xi32>
  return
}

// -----

cuda_tile.testing$func @iota_c2() {
  // expected-error @below {{'cuda_tile.iota' op the number of elements 512 exceeds the maximum value of element type 'i8'}}
  %0 = iota : tile<512xi8>
  return
}

// -----

cuda_tile.testing$func @iota_result() {
  // expected-error @below {{'cuda_tile.iota' op result #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xf32>'}}
  %0 = iota : tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @broadcast_c1(%x: tile<2x4xf32>) {
  // expected-error @below {{'cuda_tile.broadcast' op expects the shape of source tile to be compatible with that of the result tile, but got: 2, 4 and 4, 4}}
  %0 = broadcast %x : tile<2x4xf32> -> tile<4x4xf32>
  return
}

// -----

cuda_tile.testing$func @broadcast_rank(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.broadcast' op failed to verify that all of {source, result} have same rank}}
  %0 = broadcast %x : tile<4xf32> -> tile<4x4xf32>
  return
}

// -----

cuda_tile.testing$func @broadcast_element(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.broadcast' op requires the same element type for all operands and results}}
  %0 = broadcast %x : tile<4xf32> -> tile<4xf16>
  return
}

// -----

cuda_tile.testing$func @reshape_c1(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.reshape' op expected source tile and result tile to have the same number of elements}}
  %0 = reshape %x : tile<4xf32> -> tile<8xf32>
  return
}

// -----

cuda_tile.testing$func @reshape_element(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.reshape' op requires the same element type for all operands and results}}
  %0 = reshape %x : tile<4xf32> -> tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @permute_c1(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.permute' op expects at least rank 2, but got: 1}}
  %0 = permute %x [0] : tile<4xf32> -> tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @permute_c2_size(%x: tile<4x2xf32>) {
  // expected-error @below {{'cuda_tile.permute' op expect permutation size (1) to equal the rank of the source (2)}}
  %0 = permute %x [0] : tile<4x2xf32> -> tile<4x2xf32>
  return
}

// -----

cuda_tile.testing$func @permute_c2_unique(%x: tile<4x2xf32>) {
  // expected-error @below {{'cuda_tile.permute' op expect permutation elements to be unique}}
  %0 = permute %x [1, 1] : tile<4x2xf32> -> tile<4x2xf32>
  return
}

// -----

cuda_tile.testing$func @permute_c2_bound(%x: tile<4x2xf32>) {
  // expected-error @below {{'cuda_tile.permute' op permutation element at index 1 (2) is out of bound [0, 2)}}
  %0 = permute %x [0, 2] : tile<4x2xf32> -> tile<4x2xf32>
  return
}

// -----

cuda_tile.testing$func @permute_c3(%x: tile<4x2xf32>) {
  // expected-error @below {{'cuda_tile.permute' op result shape invalid at index 0, expected: 2, but got: 4}}
  %0 = permute %x [1, 0] : tile<4x2xf32> -> tile<4x2xf32>
  return
}

// -----

cuda_tile.testing$func @cat_c1(%x: tile<4x2xf32>) {
  // expected-error @below {{'cuda_tile.cat' op expect dim to be [0, 2), but got: 2}}
  %0 = cat %x, %x dim = 2 : tile<4x2xf32>, tile<4x2xf32> -> tile<8x2xf32>
  return
}

// -----

cuda_tile.testing$func @cat_c2_sum(%x: tile<4x2xf32>) {
  // expected-error @below {{'cuda_tile.cat' op invalid concat at position 0, expected: 8 but got: 16}}
  %0 = cat %x, %x dim = 0 : tile<4x2xf32>, tile<4x2xf32> -> tile<16x2xf32>
  return
}

// -----

cuda_tile.testing$func @cat_c2_rhs(%x: tile<4x2xf32>, %y: tile<4x4xf32>) {
  // expected-error @below {{'cuda_tile.cat' op expect lhs and rhs shapes to match at non-concat position 1, expected: 2 but got: 4}}
  %0 = cat %x, %y dim = 0 : tile<4x2xf32>, tile<4x4xf32> -> tile<8x2xf32>
  return
}

// -----

cuda_tile.testing$func @cat_c2_result(%x: tile<4x2xf32>) {
  // expected-error @below {{'cuda_tile.cat' op expect lhs and result shapes to match at non-concat position 1, expected: 2 but got: 4}}
  %0 = cat %x, %x dim = 0 : tile<4x2xf32>, tile<4x2xf32> -> tile<8x4xf32>
  return
}

// -----

cuda_tile.testing$func @cat_ranks(%x: tile<4x2xf32>, %y: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.cat' op failed to verify that all of {lhs, rhs, result} have same rank}}
  %0 = cat %x, %y dim = 0 : tile<4x2xf32>, tile<4xf32> -> tile<8x2xf32>
  return
}

// -----

cuda_tile.testing$func @cat_elements(%x: tile<4x2xf32>, %y: tile<4x2xf16>) {
  // expected-error @below {{'cuda_tile.cat' op failed to verify that all of {lhs, rhs, result} have the same element type}}
  %0 = cat %x, %y dim = 0 : tile<4x2xf32>, tile<4x2xf16> -> tile<8x2xf32>
  return
}

// -----

cuda_tile.testing$func @extract_c1(%x: tile<4xf32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.extract' op source and result element type do not match}}
  %0 = extract %x[%i] : tile<4xf32> -> tile<2xf16>
  return
}

// -----

cuda_tile.testing$func @extract_rank(%x: tile<4xf32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.extract' op failed to verify that all of {source, result} have same rank}}
  %0 = extract %x[%i] : tile<4xf32> -> tile<2x1xf32>
  return
}

// -----

cuda_tile.testing$func @extract_c2(%x: tile<4xf32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.extract' op source dimension 0 size (4) must be evenly divisible by result dimension 0 size (8)}}
  %0 = extract %x[%i] : tile<4xf32> -> tile<8xf32>
  return
}

// -----

cuda_tile.testing$func @extract_c3(%x: tile<4xf32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.extract' op expected 1 indices, but got 2}}
  %0 = extract %x[%i, %i] : tile<4xf32> -> tile<2xf32>
  return
}

// -----

cuda_tile.testing$func @extract_negative(%x: tile<4xf32>) {
  %i = constant <i32: -1> : tile<i32>
  // expected-warning @below {{extract index 0 has negative value -1, which may cause undefined behavior}}
  %0 = extract %x[%i] : tile<4xf32> -> tile<2xf32>
  return
}

// -----

cuda_tile.testing$func @extract_beyond(%x: tile<4xf32>) {
  %i = constant <i32: 2> : tile<i32>
  // expected-warning @below {{extract index 0 value 2 may be out of bounds (max valid index: 1)}}
  %0 = extract %x[%i] : tile<4xf32> -> tile<2xf32>
  return
}

// -----

cuda_tile.testing$func @offset_shape(%p: tile<4xptr<f32>>, %i: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.offset' op requires the same shape for all operands and results}}
  %0 = offset %p, %i : tile<4xptr<f32>>, tile<8xi32> -> tile<4xptr<f32>>
  return
}

// -----

cuda_tile.testing$func @offset_type(%p: tile<4xptr<f32>>, %i: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.offset' op failed to verify that all of {result, ptr} have same type}}
  %0 = offset %p, %i : tile<4xptr<f32>>, tile<4xi32> -> tile<4xptr<i32>>
  return
}

// -----

cuda_tile.testing$func @pack_c1(%x: tile<4x2xi16>) {
  // expected-error @below {{'cuda_tile.pack' op expects source and result to be rank-1 tiles}}
  %0 = pack %x : tile<4x2xi16> -> tile<4x4xi8>
  return
}

// -----

cuda_tile.testing$func @pack_c2(%x: tile<4xi8>) {
  // expected-error @below {{'cuda_tile.pack' op expects source and result to have different element type widths}}
  %0 = pack %x : tile<4xi8> -> tile<4xi8>
  return
}

// -----

cuda_tile.testing$func @pack_c3_source(%x: tile<4xi1>) {
  // expected-error @below {{'cuda_tile.pack' op expects source tile to be byte-aligned}}
  %0 = pack %x : tile<4xi1> -> tile<1xi8>
  return
}

// -----

cuda_tile.testing$func @pack_c3_size(%x: tile<4xtf32>) {
  // expected-error @below {{'cuda_tile.pack' op expects source and result to have the same size in bytes, but got source tile size 16 bytes and result tile size 8 bytes}}
  %0 = pack %x : tile<4xtf32> -> tile<8xi8>
  return
}

// -----

cuda_tile.testing$func @unpack_c3_result(%x: tile<1xi8>) {
  // expected-error @below {{'cuda_tile.unpack' op expects result tile to be byte-aligned}}
  %0 = unpack %x : tile<1xi8> -> tile<4xi1>
  return
}

// -----

cuda_tile.testing$func @unpack_rank(%x: tile<4xi8>) {
  // expected-error @below {{'cuda_tile.unpack' op failed to verify that all of {source, result} have same rank}}
  %0 = unpack %x : tile<4xi8> -> tile<2x1xi16>
  return
}

// -----

cuda_tile.testing$func @pack_result(%x: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.pack' op result #0 must be tile of i8 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = pack %x : tile<4xi32> -> tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @reduce_inference(%x: tile<4x8xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op inferred type(s) '!cuda_tile.tile<4xf32>' are incompatible with return type(s) of operation '!cuda_tile.tile<8xf32>'}}
  // expected-error @below {{'cuda_tile.reduce' op failed to infer returned types}}
  %r = reduce %x dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<8xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    yield %a : tile<f32>
  }
  return
}

// -----

cuda_tile.testing$func @reduce_c1_count(%x: tile<4x8xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op expect identities to match the number of operands but got: 1 operands and 0 identities}}
  %r = reduce %x dim=1 identities=[] : tile<4x8xf32> -> tile<4xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    yield %a : tile<f32>
  }
  return
}

// -----

cuda_tile.testing$func @reduce_c1_type(%x: tile<4x8xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op expect same type for operand at index: 0 and identity at index: 0 but got: 'f32' and 'i32'}}
  %r = reduce %x dim=1 identities=[0 : i32] : tile<4x8xf32> -> tile<4xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    yield %a : tile<f32>
  }
  return
}

// -----

cuda_tile.testing$func @reduce_c2(%x: tile<4x8xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op dimension (2) is out of bound [0, 2)}}
  %r = reduce %x dim=2 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4x8xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    yield %a : tile<f32>
  }
  return
}

// -----

cuda_tile.testing$func @reduce_dim(%x: tile<4x8xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op attribute 'dim' failed to satisfy constraint: 32-bit signless integer attribute whose value is non-negative}}
  %r = reduce %x dim=-1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    yield %a : tile<f32>
  }
  return
}

// -----

cuda_tile.testing$func @reduce_c3_count(%x: tile<4x8xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op expect 2 block arguments but got: 1}}
  %r = reduce %x dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
  (%a: tile<f32>) {
    yield %a : tile<f32>
  }
  return
}

// -----

cuda_tile.testing$func @reduce_c3_rank(%x: tile<4x8xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op expect 0-rank tile type at index: 0 but got: '!cuda_tile.tile<4xf32>'}}
  %r = reduce %x dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
  (%a: tile<4xf32>, %b: tile<f32>) {
    yield %b : tile<f32>
  }
  return
}

// -----

cuda_tile.testing$func @reduce_c3_pair(%x: tile<4x8xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op expect same element type for block argument at index: 0 and 1 but got: 'f32' and 'f16'}}
  %r = reduce %x dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
  (%a: tile<f32>, %b: tile<f16>) {
    yield %a : tile<f32>
  }
  return
}

// -----

cuda_tile.testing$func @reduce_c3_operand(%x: tile<4x8xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op expect same type for operand at index: 0 and block argument at index: 0 but got: 'f32' and 'f16'}}
  %r = reduce %x dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
  (%a: tile<f16>, %b: tile<f16>) {
    yield %a : tile<f16>
  }
  return
}

// -----

cuda_tile.testing$func @reduce_c3_yield_count(%x: tile<4x8xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op expect number of terminators operands (2) to match number of operands (1)}}
  %r = reduce %x dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    yield %a, %b : tile<f32>, tile<f32>
  }
  return
}

// -----

cuda_tile.testing$func @reduce_c3_yield_type(%x: tile<4x8xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op expect same type for operand at index: 0 and terminator argument at index: 0 but got: 'f32' and 'f16'}}
  %r = reduce %x dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    %c = constant <f16: 0.0> : tile<f16>
    yield %c : tile<f16>
  }
  return
}

// -----

cuda_tile.testing$func @reduce_c4(%x: tile<4x8xi32>) {
  %r = reduce %x dim=1 identities=[0 : i32] : tile<4x8xi32> -> tile<4xi32>
  (%a: tile<i32>, %b: tile<i32>) {
    // expected-error @below {{'cuda_tile.divi' op only pure operations are allowed inside 'cuda_tile.reduce'}}
    %c = divi %a, %b signed : tile<i32>
    yield %c : tile<i32>
  }
  return
}

// -----

cuda_tile.testing$func @reduce_c4_remi(%x: tile<4x8xi32>) {
  %r = reduce %x dim=1 identities=[0 : i32] : tile<4x8xi32> -> tile<4xi32>
  (%a: tile<i32>, %b: tile<i32>) {
    %c = remi %a, %b signed : tile<i32>
    // expected-error @below {{'cuda_tile.assume' op only pure operations are allowed inside 'cuda_tile.reduce'}}
    %d = assume div_by<2>, %c : tile<i32>
    yield %d : tile<i32>
  }
  return
}

// -----

cuda_tile.testing$func @reduce_unnamed(%x: tile<4x8xf32>) {
  %r = reduce %x dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
  // expected-error @below {{expected SSA identifier}}
  (%a: tile<f32>, tile<f32>) {
    yield %a : tile<f32>
  }
  return
}

// -----

cuda_tile.testing$func @reduce_operands() {
  // expected-error @below {{'cuda_tile.reduce' op expected 1 or more operands, but found 0: failed to infer returned types}}
  %0 = "cuda_tile.reduce"() <{dim = 0 : i32, identities = []}> ({
  ^bb0:
    "cuda_tile.yield"() : () -> ()
  }) : () -> !cuda_tile.tile<f32>
  return
}

// -----

cuda_tile.testing$func @scan_c5(%x: tile<4x8xf32>) {
  // expected-error @below {{'cuda_tile.scan' op expect same type for operand at index: 0 and result at index: 0}}
  %r = scan %x dim=1 reverse=false identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    yield %a : tile<f32>
  }
  return
}

// -----

cuda_tile.testing$func @scan_c2(%x: tile<4x8xf32>) {
  // expected-error @below {{'cuda_tile.scan' op dimension (2) is out of bound [0, 2)}}
  %r = scan %x dim=2 reverse=false identities=[0.0 : f32] : tile<4x8xf32> -> tile<4x8xf32>
  (%a: tile<f32>, %b: tile<f32>) {
    yield %a : tile<f32>
  }
  return
}

// -----

cuda_tile.testing$func @scan_c4(%x: tile<8xi32>) {
  %r = scan %x dim=0 reverse=true identities=[0 : i32] : tile<8xi32> -> tile<8xi32>
  (%a: tile<i32>, %b: tile<i32>) {
    // expected-error @below {{'cuda_tile.divi' op only pure operations are allowed inside 'cuda_tile.scan'}}
    %c = divi %a, %b signed : tile<i32>
    yield %c : tile<i32>
  }
  return
}

// -----

cuda_tile.testing$func @reduce_shapes(%x: tile<4x8xf32>, %y: tile<8x4xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op requires the same shape for all operands}}
  %r, %s = reduce %x, %y dim=1 identities=[0.0 : f32, 0.0 : f32] : tile<4x8xf32>, tile<8x4xf32> -> tile<4xf32>, tile<8xf32>
  (%a: tile<f32>, %b: tile<f32>, %c: tile<f32>, %d: tile<f32>) {
    yield %a, %c : tile<f32>, tile<f32>
  }
  return
}

// -----

cuda_tile.testing$func @print_c1_open() {
  // expected-error @below {{'cuda_tile.print_tko' op found unterminated format expression}}
  %0 = print_tko "100%" -> token
  return
}

// -----

cuda_tile.testing$func @print_c1_count(%n: tile<i32>) {
  // expected-error @below {{'cuda_tile.print_tko' op incorrect number of operands: expected 2, found 1}}
  %0 = print_tko "%d %% %f", %n : tile<i32> -> token
  return
}

// -----

cuda_tile.module @m {
  // expected-error @below {{'cuda_tile.global' op type must have rank 1}}
  global @g <i32: 1> : tile<i32>
}

// -----

cuda_tile.module @m {
  entry @e() {
    // expected-error @below {{'cuda_tile.get_global' op 'nothing' does not reference a valid global}}
    %0 = get_global @nothing : tile<ptr<i32>>
    return
  }
}

// -----

cuda_tile.module @m {
  global @g <i32: 1> : tile<1xi32>
  entry @e() {
    // expected-error @below {{'cuda_tile.get_global' op pointee type of result type '!cuda_tile.ptr<f32>' does not match type 'i32' of the global @g}}
    %0 = get_global @g : tile<ptr<f32>>
    return
  }
}

// -----

cuda_tile.module @m {
  // expected-note @below {{see existing symbol definition here}}
  global @g <i32: 1> : tile<1xi32>
  // expected-error @below {{redefinition of symbol named 'g'}}
  global @g <i32: 1> : tile<1xi32>
}

// -----

cuda_tile.module @m {
  // expected-error @below {{'cuda_tile.entry' op entry op must not return values}}
  entry @e() -> tile<i32> {
    %0 = constant <i32: 1> : tile<i32>
    return %0 : tile<i32>
  }
}

// -----

cuda_tile.module @m {
  // expected-error @below {{'cuda_tile.entry' op entry op must have scalar types (rank 0 !cuda_tile.tile)}}
  entry @e(%x: tile<4xi32>) {
  }
}

// -----

cuda_tile.module @m {
  // expected-error @below {{expected SSA identifier}}
  entry @e(%x: tile<i32>, tile<i32>) {
  }
}

// -----

cuda_tile.module @m {
  // expected-error @below {{expected type instead of SSA identifier}}
  entry @e(tile<i32>, %x: tile<i32>) {
  }
}

// -----

cuda_tile.module @m {
  // expected-error @below {{'cuda_tile.global' op value must be a tile, but got 'tensor<4xi32>'}}
  "cuda_tile.global"() <{sym_name = "g", value = dense<1> : tensor<4xi32>}> : () -> ()
}

// -----

cuda_tile.testing$func @insert_rank(%p: tile<4xi32>, %m: tile<8x8xi32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.insert' op source and result must have the same rank}}
  %0 = insert %p, %m[%i] : tile<4xi32>, tile<8x8xi32>
  return
}

// -----

cuda_tile.testing$func @insert_element(%p: tile<4xf32>, %m: tile<8xi32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.insert' op source and result element type do not match}}
  %0 = insert %p, %m[%i] : tile<4xf32>, tile<8xi32>
  return
}

// -----

cuda_tile.testing$func @insert_c2(%p: tile<16xi32>, %m: tile<8xi32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.insert' op result dimension 0 size (8) must be evenly divisible by source dimension 0 size (16)}}
  %0 = insert %p, %m[%i] : tile<16xi32>, tile<8xi32>
  return
}

// -----

cuda_tile.testing$func @insert_c3(%p: tile<4xi32>, %m: tile<8xi32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.insert' op expected 1 indices, but got 2}}
  %0 = insert %p, %m[%i, %i] : tile<4xi32>, tile<8xi32>
  return
}

// -----

cuda_tile.testing$func @insert_result(%p: tile<4xi32>, %m: tile<8xi32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.insert' op failed to verify that all of {destination, result} have same type}}
  %0 = "cuda_tile.insert"(%p, %m, %i) : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<8xi32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<16xi32>
  return
}

// -----

cuda_tile.testing$func @insert_index(%p: tile<4xi32>, %m: tile<8xi32>, %i: tile<i64>) {
  // expected-error @below {{'cuda_tile.insert' op operand #2 must be variadic of 0D tile of i32 values, but got '!cuda_tile.tile<i64>'}}
  %0 = "cuda_tile.insert"(%p, %m, %i) : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<8xi32>, !cuda_tile.tile<i64>) -> !cuda_tile.tile<8xi32>
  return
}

// -----

cuda_tile.testing$func @fnv8_negative() {
  // expected-error @below {{float constant out of range for type}}
  %0 = constant <fnv8E5M3FNU: -1.0> : tile<fnv8E5M3FNU>
  return
}

// -----

cuda_tile.testing$func @fnv8_large() {
  // expected-error @below {{float constant out of range for type}}
  %0 = constant <fnv8E5M3FNU: 118784.0> : tile<fnv8E5M3FNU>
  return
}

// -----

cuda_tile.testing$func @fnv8_bits() {
  // expected-error @below {{float constant out of range for type}}
  %0 = constant <fnv8E5M3FNU: 0x100> : tile<fnv8E5M3FNU>
  return
}

// -----

cuda_tile.testing$func @reduce_two_blocks(%x: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
  %0 = reduce %x dim=0 identities=[0.0 : f32] : tile<8xf32> -> tile<f32>
  (%a: tile<f32>, %b: tile<f32>) {
    yield %a : tile<f32>
  ^two:
    yield %a : tile<f32>
  }
  return
}

// -----

cuda_tile.testing$func @scan_no_block(%x: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.scan' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
  %0 = "cuda_tile.scan"(%x) <{dim = 0 : i32, reverse = false, identities = [0.0 : f32]}> ({
  }) : (!cuda_tile.tile<8xf32>) -> !cuda_tile.tile<8xf32>
  return
}

// -----

cuda_tile.testing$func @reduce_text_without_operands() {
  // expected-error @below {{number of operands and types do not match: got 0 operands and 1 types}}
  %0 = reduce dim=0 identities=[] : tile<8xf32> -> tile<f32>
  () {
  }
  return
}

// -----

cuda_tile.testing$func @reduce_results(%x: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op expect same number of operands and results}}
  %0 = "cuda_tile.reduce"(%x, %x) <{dim = 0 : i32, identities = [0.0 : f32, 0.0 : f32]}> ({
  ^bb0(%a: !cuda_tile.tile<f32>, %b: !cuda_tile.tile<f32>, %c: !cuda_tile.tile<f32>, %d: !cuda_tile.tile<f32>):
    "cuda_tile.yield"(%a, %c) : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> ()
  }) : (!cuda_tile.tile<8xf32>, !cuda_tile.tile<8xf32>) -> !cuda_tile.tile<f32>
  return
}

// -----

// The literal begins in another line than its type.
cuda_tile.testing$func @literal_shape_line() {
  %0 = constant <i32: [[1, 2],
  // expected-error @below {{inferred shape of elements literal ([2, 2]) does not match type ([4, 2])}}
                       [3, 4]]> : tile<4x2xi32>
  return
}

// -----

cuda_tile.testing$func @literal_empty_float() {
  // expected-error @below {{expected floating point literal}}
  %0 = constant <f32: []> : tile<2xf32>
  return
}

// -----

// The rank comes first.
cuda_tile.testing$func @broadcast_rank_and_element(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.broadcast' op failed to verify that all of {source, result} have same rank}}
  %0 = broadcast %x : tile<4xf32> -> tile<4x4xf16>
  return
}

// -----

// Nothing is added to a body.
cuda_tile.testing$func @reduce_empty_body(%x: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op expects a non-empty block}}
  %r = reduce %x dim=0 identities=[0.0 : f32] : tile<8xf32> -> tile<f32>
  (%a: tile<f32>, %b: tile<f32>) {
  }
  return
}

// -----

cuda_tile.testing$func @reduce_unnamed_arguments(%x: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.reduce' op expect 2 block arguments but got: 0}}
  %r = reduce %x dim=0 identities=[0.0 : f32] : tile<8xf32> -> tile<f32>
  (tile<f32>, tile<f32>) {
    yield %x : tile<8xf32>
  }
  return
}

// -----

// expected-error @below {{'cuda_tile.module' op region should have no arguments}}
cuda_tile.module @m {
^bb0(%a: i32):
}

// -----

cuda_tile.module @m {
  // expected-error @below {{'cuda_tile.entry' op entry block must have 1 arguments to match function signature}}
  entry @unnamed(tile<i32>) {
  }
}

// -----

cuda_tile.testing$func @literal_list_comma() {
  // expected-error @below {{expected integer value}}
  %0 = constant <i32: [1,]> : tile<2xi32>
  return
}

// -----

// The text before the fault is in another line.
cuda_tile.testing$func @literal_ragged_line() {
  %0 = constant <i32: [[1, 2], [3]
  // expected-error @below {{tensor literal is invalid; ranks are not consistent between elements}}
                      ]> : tile<2x2xi32>
  return
}

// -----

cuda_tile.testing$func @literal_element_line() {
  %0 = constant <i4
  // expected-error @below {{expect element type to be one of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got 'i4'}}
                 : 1> : tile<2xi4>
  return
}

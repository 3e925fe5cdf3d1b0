// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_OPS_ATOMOPS_TD
#define DIALECTS_NV_TILEAS_OPS_ATOMOPS_TD

include "dialects/nv_tileas/Ops/TileOps.td"

// Single hardware instructions on LLVM types, between `convert-tileas-to-llvm`
// and `convert-tileas-to-nvgpu`.

def TileAS_AtomMmaSyncOp : TileAS_Op<"atom.mma_sync", [
    Pure, AttrSizedOperandSegments]> {
  let summary = "Multiplies one fragment per warp";
  let description = [{
    Operands and results are the registers of the thread's fragments, in order;
    16-bit elements come as `vector<2xT>`, 8-bit ones as `vector<4xi8>`, others
    as scalars.

    Constraints: (C1) the atom is `mma_sync`; (C2) the numbers of registers are
    the atom's; (C3) results have the types of `c`.

    ```mlir
    %r:4 = nv_tileas.atom.mma_sync [%a0, %a1, %a2, %a3] [%b0, %b1] [%c0, %c1, %c2, %c3]
      {atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>}
      : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>) (vector<2xf16>, vector<2xf16>) (f32, f32, f32, f32) -> (f32, f32, f32, f32)
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$a, Variadic<AnyType>:$b,
                       Variadic<AnyType>:$c, TileAS_MmaAtomAttr:$atom,
                       UnitAttr:$signed_a, UnitAttr:$signed_b);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    `[` $a `]` `[` $b `]` `[` $c `]` attr-dict `:`
    `(` type($a) `)` `(` type($b) `)` `(` type($c) `)` `->` `(` type($results) `)`
  }];
  let hasVerifier = 1;
}

def TileAS_AtomMmaBsOp : TileAS_Op<"atom.mma_bs", [
    Pure, AttrSizedOperandSegments]> {
  let summary = "Multiplies one fragment per warp, with block scales";
  let description = [{
    Operands and results are registers as for `atom.mma_sync`. The scales of a
    row of A are in the bytes from `byte_a` on of a register of one lane of its
    quad: lane 2 `thread_a` for the first 8 rows, the next lane for the other 8.
    The scales of a column of B are in the register of lane `thread_b`, from
    byte `byte_b` on.

    Constraints: (C1) the atom is `mma_bs`; (C2) the numbers of registers are
    the atom's; (C3) results have the types of `c`; (C4) bytes begin with a
    whole step of K and end within the register, `thread_a` is below 2,
    `thread_b` below 4.

    ```mlir
    %r:4 = nv_tileas.atom.mma_bs [%a0, %a1, %a2, %a3] [%b0, %b1] [%c0, %c1, %c2, %c3] scales %sa, %sb
      {atom = #nv_tileas.mma_atom<mma_bs, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32, scale = f8E8M0FNU>, byte_a = 0 : i32, byte_b = 0 : i32, thread_a = 1 : i32, thread_b = 3 : i32}
      : (i32, i32, i32, i32) (i32, i32) (f32, f32, f32, f32) -> (f32, f32, f32, f32)
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$a, Variadic<AnyType>:$b,
                       Variadic<AnyType>:$c, I32:$scale_a, I32:$scale_b,
                       TileAS_MmaAtomAttr:$atom, I32Attr:$byte_a,
                       I32Attr:$thread_a, I32Attr:$byte_b, I32Attr:$thread_b);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    `[` $a `]` `[` $b `]` `[` $c `]` `scales` $scale_a `,` $scale_b attr-dict `:`
    `(` type($a) `)` `(` type($b) `)` `(` type($c) `)` `->` `(` type($results) `)`
  }];
  let hasVerifier = 1;
}

def TileAS_AtomLdmatrixOp : TileAS_Op<"atom.ldmatrix", [
    MemoryEffects<[MemRead]>]> {
  let summary = "Loads 8x8 matrices of 16-bit cells from shared memory";
  let description = [{
    Lane `i` gives the address of row `i mod 8` of matrix `i div 8`.

    Constraints: (C1) `num` is 1, 2 or 4 and the number of i32 results.

    ```mlir
    %w:4 = nv_tileas.atom.ldmatrix %p {num = 4 : i32} : !llvm.ptr<3> -> (i32, i32, i32, i32)
    ```
  }];
  let arguments = (ins AnyType:$ptr, I32Attr:$num, UnitAttr:$trans);
  let results = (outs Variadic<I32>:$results);
  let assemblyFormat = "$ptr attr-dict `:` type($ptr) `->` `(` type($results) `)`";
  let hasVerifier = 1;
}

def TileAS_AtomStmatrixOp : TileAS_Op<"atom.stmatrix", [
    MemoryEffects<[MemWrite]>]> {
  let summary = "Stores 8x8 matrices of 16-bit cells to shared memory";
  let description = [{
    The inverse of `atom.ldmatrix`, from sm_90 on.

    Constraints: (C1) 1, 2 or 4 registers.

    ```mlir
    nv_tileas.atom.stmatrix %p, %w0, %w1 : !llvm.ptr<3>, i32, i32
    ```
  }];
  let arguments = (ins AnyType:$ptr, Variadic<I32>:$words, UnitAttr:$trans);
  let assemblyFormat = "$ptr `,` $words attr-dict `:` type($ptr) `,` type($words)";
  let hasVerifier = 1;
}

#endif // DIALECTS_NV_TILEAS_OPS_ATOMOPS_TD

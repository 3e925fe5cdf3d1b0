// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_OPS_COMPUTEOPS_TD
#define DIALECTS_NV_TILEAS_OPS_COMPUTEOPS_TD

include "dialects/nv_tileas/Ops/TileOps.td"

def TileAS_DotOp : TileAS_Op<"dot", [
    AlwaysSpeculatable, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Multiplies two tiles and adds an accumulator";
  let description = [{
    `a` is M x K, `b` is K x N, `c` and the result are M x N, in registers. `a`
    and `b` are both tiles or both buffers in shared memory.

    Tiles: for `mma_sync` the operands have the fragment layouts of the atom,
    distributed over the warps. For `fma` the accumulator has any layout L; `a`
    is L without its N component and `b` is L without its M component, with all
    of K in registers, so that every thread multiplies its own elements: `a` =
    `slice(L, 1)`, then K register bits, lowest; `b` in the same way.

    Buffers: every thread loads the same fragments from shared memory, one step
    of the atom's K at a time and one step ahead of the MMAs, so that the
    registers of two steps are live and never those of all K.

    `mma` is the decision of `tileas-assign-mma`; later passes read it. With
    `cta_group` 2 `b` is K x N/2, in any layout, once each CTA of a pair copies
    half of the columns.

    `use_acc` false means that the result is A B and that `c` is not read;
    without it `c` is read.

    Scales, for `mma_bs`: `scale_a` is M x S and `scale_b` S x N, tiles in
    registers. Scale `first_scale` + k / V of a row (column) multiplies its
    element k along K, where V elements share a scale. Dots that are parts of a
    dot along K have the scales of all of K.

    With scales beside an atom without a scale type, A and B are the unscaled
    tiles of 4-bit or 8-bit floats, and S divides K. Either `mma` takes the
    scales, or `tileas-decompose-dot-scaled` multiplies by them; the atom is
    that of the dot which then remains.

    Constraints, in this order: (C1) A is MxK, B is KxN, C and D are MxN, A and
    B are of one kind; (C2) element types are the atom's, integers have both
    signedness attributes; (C4) extents are multiples of the atom's; (C3) the
    layouts of tiles are the atom's fragments, buffers are unstaged and shared;
    (C5) `mma_bs` has both scales, of the atom's type, in the atom's layouts and
    as many as are read; beside other atoms both scales are floats whose number
    along K divides K, A and B are tiles of narrow floats, and (C3) asks nothing
    of their layouts; (C6) `mma` is of the kind of the atom and has its shape, or
    `wgmma` or `umma` in place of `mma_sync`.

    ```mlir
    %d = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>}
      : tensor<64x32xf16, #a>, tensor<32x64xf16, #b>, tensor<64x64xf32, #c> -> tensor<64x64xf32, #c>
    %d = nv_tileas.dot %a, %b, %c use_acc %more {atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>}
      : !nv_tileas.buffer<64x32xf16, #s>, !nv_tileas.buffer<32x64xf16, #t>, tensor<64x64xf32, #c> -> tensor<64x64xf32, #c>
    %d = nv_tileas.dot %a, %b, %c scales %sa, %sb
      {atom = #nv_tileas.mma_atom<mma_bs, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32, scale = f8E8M0FNU>}
      : tensor<64x32xf8E4M3FN, #a>, tensor<32x64xf8E4M3FN, #b>, tensor<64x64xf32, #c>
      scales tensor<64x1xf8E8M0FNU, #sa>, tensor<1x64xf8E8M0FNU, #sb> -> tensor<64x64xf32, #c>
    ```
  }];
  let arguments = (ins
    AnyTypeOf<[TileAS_Tile, TileAS_BufferType]>:$a,
    AnyTypeOf<[TileAS_Tile, TileAS_BufferType]>:$b,
    TileAS_Tile:$c,
    Optional<I1>:$use_acc,
    Optional<TileAS_Tile>:$scale_a,
    Optional<TileAS_Tile>:$scale_b,
    TileAS_MmaAtomAttr:$atom,
    OptionalAttr<TileAA_SignednessAttr>:$signedness_a,
    OptionalAttr<TileAA_SignednessAttr>:$signedness_b,
    UnitAttr:$fast_acc,
    DefaultValuedOptionalAttr<I64Attr, "0">:$first_scale,
    OptionalAttr<TileAS_MmaAttr>:$mma);
  let results = (outs TileAS_Tile:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`use_acc` $use_acc^)? (`scales` $scale_a^ `,` $scale_b)?
    attr-dict `:` type($a) `,` type($b) `,` type($c)
    (`scales` type($scale_a)^ `,` type($scale_b))? `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns whether operands A and B are buffers in shared memory.
    bool hasBuffers() { return ::llvm::isa<BufferType>(getA().getType()); }
    /// Returns whether the dot has scales that its atom does not take.
    bool needsDecomposition() {
      return getScaleA() && !getAtom().getScaleType();
    }
    /// K, the common extent of operands A and B.
    int64_t getDepth();
    /// Returns whether B is the CTA's half of the columns of a pair of CTAs.
    bool hasHalfOfB();
    /// Makes the dot of `a` and `b`, slices of the operands from `k` of K on,
    /// with the accumulator `c`.
    DotOp createPart(::mlir::OpBuilder &builder, int64_t k, ::mlir::Value a,
                     ::mlir::Value b, ::mlir::Value c);
  }];
}

class TileAS_CombineOp<string mnemonic>
    : TileAS_Op<mnemonic, [RecursiveMemoryEffects, SingleBlock,
                             RecursivelySpeculatable,
                             DeclareOpInterfaceMethods<TileAS_ScratchOpInterface>]> {
  let regions = (region SizedRegion<1>:$body);
  let hasRegionVerifier = 1;
}

def TileAS_ReduceOp : TileAS_CombineOp<"reduce"> {
  let summary = "Combines the elements along a dimension";
  let description = [{
    The body gets `(element, accumulator)` for each operand and yields the new
    accumulators. The order of combination is open. A tile of rank 1 gives
    scalars, held by every thread.

    Constraints: (C1) operands have one shape and layout; (C2) `axis` is in
    range; (C3) results drop the axis, with the layout `slice<axis, L>`; (C4)
    one identity per operand, of its element type; (C5) two scalar block
    arguments per operand, as many yielded values.

    ```mlir
    %r = nv_tileas.reduce %x axis = 1 identities = [0.0 : f32] {atom = #nv_tileas.reduce_atom<fadd, impl = auto>}
      : tensor<64x128xf32, #a> -> tensor<64xf32, #b> {
    ^bb0(%elem: f32, %acc: f32):
      %s = arith.addf %elem, %acc : f32
      nv_tileas.yield %s : f32
    }
    ```
  }];
  let arguments = (ins Variadic<TileAS_Tile>:$operands, I32Attr:$axis,
                       ArrayAttr:$identities,
                       OptionalAttr<TileAS_ReduceAtomAttr>:$atom);
  let results = (outs Variadic<TileAS_TileOrScalar>:$results);
  let assemblyFormat = [{
    $operands `axis` `=` $axis `identities` `=` $identities attr-dict `:`
    type($operands) `->` type($results) $body
  }];
}

def TileAS_ScanOp : TileAS_CombineOp<"scan"> {
  let summary = "Combines the elements up to each along a dimension";
  let description = [{
    The result includes the element itself; `reverse` starts at the end. The
    body is as for `reduce`, with the accumulator before the element.

    Constraints: (C1), (C2), (C4), (C5) as for `reduce`; (C3) results have the
    types of the operands.

    ```mlir
    %r = nv_tileas.scan %x axis = 0 reverse identities = [0.0 : f32] : tensor<64xf32, #a> -> tensor<64xf32, #a> {
    ^bb0(%acc: f32, %elem: f32):
      %s = arith.addf %acc, %elem : f32
      nv_tileas.yield %s : f32
    }
    ```
  }];
  let arguments = (ins Variadic<TileAS_Tile>:$operands, I32Attr:$axis,
                       UnitAttr:$reverse, ArrayAttr:$identities,
                       OptionalAttr<TileAS_ReduceAtomAttr>:$atom);
  let results = (outs Variadic<TileAS_Tile>:$results);
  let assemblyFormat = [{
    $operands `axis` `=` $axis (`reverse` $reverse^)? `identities` `=` $identities
    attr-dict `:` type($operands) `->` type($results) $body
  }];
}

def TileAS_ElementwiseOp : TileAS_Op<"elementwise", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Calls an intrinsic, a function or assembly per element";
  let description = [{
    `callee` is the intrinsic's name, the symbol, or the assembly text, whose
    `constraints` follow LLVM.

    Constraints: (C1) inputs and result have one shape and layout; (C2)
    `constraints` exactly for `asm`.

    ```mlir
    %r = nv_tileas.elementwise intrinsic "llvm.nvvm.add.rz.f" (%x, %y) {pure} : (tensor<64xf32, #a>, tensor<64xf32, #a>) -> tensor<64xf32, #a>
    ```
  }];
  let arguments = (ins TileAS_ElementwiseKindAttr:$kind, StrAttr:$callee,
                       Variadic<TileAS_TileOrScalar>:$inputs,
                       OptionalAttr<StrAttr>:$constraints, UnitAttr:$pure);
  let results = (outs TileAS_TileOrScalar:$result);
  let assemblyFormat = [{
    custom<ElementwiseKind>($kind) $callee ($constraints^)? `(` $inputs `)` attr-dict `:`
    functional-type($inputs, $result)
  }];
  let hasVerifier = 1;
}

#endif // DIALECTS_NV_TILEAS_OPS_COMPUTEOPS_TD

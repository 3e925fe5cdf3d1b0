// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_NVTILEASATTRS_TD
#define DIALECTS_NV_TILEAS_NVTILEASATTRS_TD

include "dialects/nv_tileas/NVTileASBase.td"
include "dialects/nv_tileas/NVTileASEnums.td"
include "mlir/IR/TensorEncoding.td"

class TileAS_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<TileAS_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def TileAS_LayoutAttr : TileAS_Attr<"Layout", "layout",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "linear map from a hardware location to an element of a tile";
  let description = [{
    Maps a location of the hardware to an element of a tile. Every input bit of a
    location has a basis, a vector of coordinates; the element at a location is
    the XOR of the bases of its set bits, dimension by dimension. Inputs are, bit
    0 first: `reg` space `register`, `lane`, `warp`, `cta`; `smem` space
    `offset`, `cta`; `tmem` space `sub`, `col`, `row`, `cta`.

    Constraints:
    (C1) extents are powers of two, rank at most 8, at most 2^24 elements;
    (C2) a basis has one component per dimension, inside the extent;
    (C3) the bases span the tile;
    (C4) `register`, `offset`, `sub` and `col` bases are linearly independent,
         `smem` and `tmem` layouts are injective on their non-zero bases;
    (C5) a `reg` layout has 5 lane bases, a `tmem` layout 7 row bases.

    The canonical text lists the bases. The parser also accepts the short forms
    `blocked<…>`, `mma<…>`, `slice<…>`, `swizzled<…>`, `linear<…>` and
    `tmem_acc<…>` after the shape, and expands them at once.

    ```mlir
    #acc = #nv_tileas.layout<reg, [16, 8], register = [[0, 1], [8, 0]],
                             lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
    ```
  }];
  let parameters = (ins "::tileir::Layout":$layout);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    ::tileir::LayoutSpace getSpace() const { return getLayout().getSpace(); }
    unsigned getRank() const { return getLayout().getRank(); }
    bool isReg() const { return getSpace() == ::tileir::LayoutSpace::Reg; }
    /// Number of warp bases of a register layout.
    unsigned getNumWarpBits() const {
      return getLayout().getNumBases(::tileir::kWarp);
    }
    /// Elements that one thread holds (`reg`).
    int64_t getElementsPerThread() const {
      return getLayout().getNumRegisters();
    }
  }];
}

def TileAS_CopyAtomAttr : TileAS_Attr<"CopyAtom", "copy_atom"> {
  let summary = "hardware primitive of a copy or of a memory access";
  let description = [{
    `unknown` leaves the choice to the lowering. `bits` is the width of one
    access of a thread, 0 when open; `num` and `trans` belong to `ldsm` and
    `stsm`.

    ```mlir
    #nv_tileas.copy_atom<ldg, bits = 128>
    #nv_tileas.copy_atom<ldsm, num = 4, trans>
    ```
  }];
  let parameters = (ins
    "::mlir::nv_tileas::CopyKind":$kind,
    "unsigned":$bits,
    "unsigned":$num,
    "bool":$trans
  );
  let builders = [
    AttrBuilder<(ins "::mlir::nv_tileas::CopyKind":$kind,
                     CArg<"unsigned", "0">:$bits), [{
      return $_get($_ctxt, kind, bits, 0u, false);
    }]>,
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TileAS_MmaAtomAttr : TileAS_Attr<"MmaAtom", "mma_atom"> {
  let summary = "hardware primitive of an MMA";
  let description = [{
    Shape and element types of one instruction. `fma` is the fallback `[1, 1,
    1]`: a loop of multiply-adds in each thread whose three element types are
    equal. `mma_bs` reads scales of type `scale`; the types determine how many
    elements along K share one. Tiles hold its 4-bit elements in bytes of two
    neighbours along K.

    ```mlir
    #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
    #nv_tileas.mma_atom<mma_bs, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32, scale = f8E8M0FNU>
    ```
  }];
  let parameters = (ins
    "::mlir::nv_tileas::MmaKind":$kind,
    "int64_t":$m,
    "int64_t":$n,
    "int64_t":$k,
    "::mlir::Type":$aType,
    "::mlir::Type":$bType,
    "::mlir::Type":$cType,
    "::mlir::Type":$scaleType
  );
  let builders = [
    AttrBuilder<(ins "::mlir::nv_tileas::MmaKind":$kind, "int64_t":$m,
                     "int64_t":$n, "int64_t":$k, "::mlir::Type":$aType,
                     "::mlir::Type":$bType, "::mlir::Type":$cType), [{
      return $_get($_ctxt, kind, m, n, k, aType, bType, cType, ::mlir::Type());
    }]>,
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// M of a `tcgen05.mma` that only the two CTAs of a pair compute together.
    static constexpr int64_t kPairRows = 256;
    /// The CTAs that compute one instruction together.
    int64_t getCtaGroup() const { return getM() == kPairRows ? 2 : 1; }
    /// Rows of one instruction in each of these CTAs.
    int64_t getRowsPerCta() const { return getM() / getCtaGroup(); }
    /// Returns whether a byte of a tile holds two elements.
    bool isPacked() const;
    /// K in elements of tiles: in bytes where a byte holds two elements.
    int64_t getTileK() const { return isPacked() ? getK() / 2 : getK(); }
    /// Returns the tile's element type for the atom's element type `element`.
    ::mlir::Type getTileElement(::mlir::Type element) const;
    /// Elements of tiles along K that share a scale; 0: no scales.
    int64_t getTileBlock() const;
    /// Returns whether there is an `mma.sync` with scales of type `scale`, of
    /// this shape and these types (PTX ISA, "mma with block scaling").
    static bool hasMmaBs(int64_t m, int64_t n, int64_t k, ::mlir::Type a,
                         ::mlir::Type b, ::mlir::Type c, ::mlir::Type scale);
    /// Returns whether there is an `mma.sync` of this shape and these types.
    static bool hasMmaSync(int64_t m, int64_t n, int64_t k, ::mlir::Type a,
                           ::mlir::Type b, ::mlir::Type c);
    /// Returns whether there is a `wgmma.mma_async` of this shape and these
    /// types (PTX ISA, "wgmma.mma_async", here of N that is a power of two).
    static bool hasWgmma(int64_t m, int64_t n, int64_t k, ::mlir::Type a,
                         ::mlir::Type b, ::mlir::Type c);
    /// Returns whether there is a `tcgen05.mma` of this shape and these types
    /// (PTX ISA, "tcgen05.mma", here of N that is a power of two and of 32-bit
    /// accumulators), of one CTA or with `kPairRows` rows of two.
    static bool hasUmma(int64_t m, int64_t n, int64_t k, ::mlir::Type a,
                        ::mlir::Type b, ::mlir::Type c);
  }];
}

def TileAS_MmaAttr : TileAS_Attr<"Mma", "mma"> {
  let summary = "decision about one dot: which MMA computes it, and from where";
  let description = [{
    Records the MMA that computes one dot, and where its operands are. `shape`
    is M, N and K of one instruction. `a` and `b` are `registers` or
    `shared<how>`: a `pipeline` copies the operand for each iteration, an
    `invariant` operand is stored once before the loop, threads store a
    `restaged` operand in the layout that the kind reads. The accumulator is in
    `registers`, or in tensor memory with `tmem<slots = n>` results at a time.
    `promote` is the number of steps of K after which partial accumulators are
    added in f32. With `cta_group` 2 the two CTAs of a pair compute one MMA: each
    has half of its rows, and the tiles of the dot are those of one CTA; operand
    B is the same in both, and each CTA copies half of its columns.

    Constraints: (C1) `fma` has the shape [1, 1, 1], `wgmma` 64 rows, `umma` 64
    or 128 rows, 256 with `cta_group` 2, and N is a power of two; (C2) `umma` has its accumulator in
    tensor memory, and no other kind has; (C3) `wgmma` reads `b`, `umma` `a` and
    `b` from shared memory; (C4) `mma_bs` has `scales` in `registers`, `umma` may
    have scales in `tmem<how>`, with how `pipeline` or `restaged`, and no other
    kind has scales; (C5) `promote` goes with `wgmma`; (C6) `cta_group` is 1, or
    2 for `umma` whose operands a `pipeline` copies, without scales.

    ```mlir
    #nv_tileas.mma<kind = mma_sync, shape = [16, 8, 16], a = shared<pipeline>, b = shared<pipeline>, acc = registers>
    #nv_tileas.mma<kind = umma, shape = [128, 256, 32], a = shared<pipeline>, b = shared<restaged>, scales = tmem<restaged>, acc = tmem<slots = 1>>
    #nv_tileas.mma<kind = umma, shape = [256, 256, 16], cta_group = 2, a = shared<pipeline>, b = shared<pipeline>, acc = tmem<slots = 1>>
    #nv_tileas.mma<kind = wgmma, shape = [64, 128, 32], a = registers, b = shared<pipeline>, acc = registers, promote = 128>
    ```
  }];
  let parameters = (ins
    "::mlir::nv_tileas::MmaKind":$kind,
    ArrayRefParameter<"int64_t">:$shape,
    DefaultValuedParameter<"int64_t", "1">:$cta_group,
    "::mlir::nv_tileas::MmaOperand":$a,
    "::mlir::nv_tileas::MmaOperand":$b,
    OptionalParameter<"::std::optional<::mlir::nv_tileas::MmaOperand>">:$scales,
    "int64_t":$acc,
    DefaultValuedParameter<"int64_t", "0">:$promote
  );
  let assemblyFormat = [{
    `<` struct($kind, custom<MmaShape>($shape), $cta_group,
               custom<MmaOperand>($a), custom<MmaOperand>($b), custom<MmaScales>($scales),
               custom<MmaAcc>($acc), $promote) `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns whether threads store an operand or the scales to shared or
    /// tensor memory.
    bool isRestaged() const {
      return getA() == MmaOperand::Restaged || getB() == MmaOperand::Restaged ||
             getScales() == MmaOperand::Restaged;
    }
  }];
}

def TileAS_ReduceAtomAttr : TileAS_Attr<"ReduceAtom", "reduce_atom"> {
  let summary = "operation of a reduction, and its mechanism between lanes";
  let description = [{
    Inferred from the combiner region; `generic` when it is not a single
    operation on its two arguments.

    ```mlir
    #nv_tileas.reduce_atom<fmax, impl = auto>
    ```
  }];
  let parameters = (ins
    "::mlir::nv_tileas::ReduceKind":$kind,
    "::mlir::nv_tileas::ReduceImpl":$strategy
  );
  let assemblyFormat = "`<` $kind `,` `impl` `=` $strategy `>`";
}

#endif // DIALECTS_NV_TILEAS_NVTILEASATTRS_TD

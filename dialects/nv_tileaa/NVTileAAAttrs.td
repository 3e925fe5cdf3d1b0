// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAA_NVTILEAAATTRS_TD
#define DIALECTS_NV_TILEAA_NVTILEAAATTRS_TD

include "dialects/nv_tileaa/NVTileAAEnums.td"

class TileAA_Attr<string className, string attrMnemonic>
    : AttrDef<TileAA_Dialect, className> {
  let mnemonic = attrMnemonic;
  let hasCustomAssemblyFormat = 1;
}

def TileAA_DivByAttr : TileAA_Attr<"DivBy", "div_by"> {
  let summary = "Every element, or every first of a run, is a multiple";
  let description = [{
    Without `every` and `along` all elements are multiples of the divisor. With
    them, dimension `along` is split into groups of `every`; the first element
    of each group is a multiple and the others step by one (by the size of the
    pointee for pointers). Pointers count in bytes; for a memref the fact is
    about its base.

    ```mlir
    #nv_tileaa.div_by<16>
    #nv_tileaa.div_by<4, every 8 along 1>
    ```
  }];
  let parameters = (ins "uint64_t":$divisor,
                        "::std::optional<int64_t>":$every,
                        "::std::optional<int64_t>":$along);
}

def TileAA_BoundedAttr : TileAA_Attr<"Bounded", "bounded"> {
  let summary = "Every element lies between two signed inclusive bounds";
  let parameters = (ins "::std::optional<int64_t>":$lb,
                        "::std::optional<int64_t>":$ub);
}

def TileAA_SameElementsAttr : TileAA_Attr<"SameElements", "same_elements"> {
  let summary = "The elements of each group of the given extents are equal";
  let parameters = (ins ArrayRefParameter<"int64_t">:$values);
}

def TileAA_KernelSpecAttr : TileAA_Attr<"KernelSpec", "kernel_spec"> {
  let summary = "Launch configuration of a kernel";
  let description = [{
    `num_warps` worker warps per CTA and `num_ctas` CTAs per tile block, which
    equals the product of `cluster_dim`; `occupancy` and `max_regs` are zero
    without a request.
  }];
  let parameters = (ins "uint32_t":$numWarps, "uint32_t":$numCtas,
                        ArrayRefParameter<"uint32_t">:$clusterDim,
                        "uint32_t":$occupancy, "uint32_t":$maxRegs);
  let builders = [AttrBuilder<(ins "uint32_t":$numWarps, "uint32_t":$numCtas,
                                   CArg<"uint32_t", "0">:$occupancy,
                                   CArg<"uint32_t", "0">:$maxRegs),
      [{ return $_get($_ctxt, numWarps, numCtas,
                      ::llvm::ArrayRef<uint32_t>({numCtas, 1u, 1u}), occupancy,
                      maxRegs); }]>];
  let genVerifyDecl = 1;
}

#endif // DIALECTS_NV_TILEAA_NVTILEAAATTRS_TD

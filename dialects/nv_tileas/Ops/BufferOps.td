// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_OPS_BUFFEROPS_TD
#define DIALECTS_NV_TILEAS_OPS_BUFFEROPS_TD

include "dialects/nv_tileas/Ops/TileOps.td"

def TileAS_SubviewOp : TileAS_Op<"subview", [Pure]> {
  let summary = "Selects an aligned part of a buffer";
  let description = [{
    The part has the layout of the whole buffer: its shape is smaller than the
    layout's, and an address is the XOR of the part's position and the element's
    position inside of it. A dynamic offset that is no multiple of the result
    extent, or that is outside of the buffer, is undefined.

    Constraints: (C1) unstaged buffers of one rank, element type and layout; (C2)
    result extents are at most the source's; (C3) one offset per dimension; (C4)
    a static offset is a multiple of the result extent and stays inside.

    ```mlir
    %k = nv_tileas.subview %s[0, %k0] : !nv_tileas.buffer<128x64xf16, #S> -> !nv_tileas.buffer<128x16xf16, #S>
    ```
  }];
  let arguments = (ins TileAS_BufferType:$source, Variadic<I32>:$offsets,
                       DenseI64ArrayAttr:$static_offsets);
  let results = (outs TileAS_BufferType:$result);
  let assemblyFormat = [{
    $source custom<DynamicIndexList>($offsets, $static_offsets) attr-dict `:`
    qualified(type($source)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TileAS_DeallocOp : TileAS_Op<"dealloc",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Ends the live range of a buffer";
  let description = [{
    Its bytes may belong to another buffer from here on.

    Constraints: (C1) the operand is the result of `alloc_tensor`.

    ```mlir
    nv_tileas.dealloc %b : !nv_tileas.buffer<[4] 128x64xf16, #S>
    ```
  }];
  let arguments = (ins TileAS_BufferType:$buffer);
  let assemblyFormat = "$buffer attr-dict `:` qualified(type($buffer))";
  let hasVerifier = 1;
}

#endif // DIALECTS_NV_TILEAS_OPS_BUFFEROPS_TD

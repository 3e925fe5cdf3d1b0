// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAA_NVTILEAAINTERFACES_TD
#define DIALECTS_NV_TILEAA_NVTILEAAINTERFACES_TD

include "mlir/IR/OpBase.td"

def TileAAMemoryOpInterface : OpInterface<"TileAAMemoryOpInterface"> {
  let cppNamespace = "::mlir::nv_tileaa";
  let description = [{
    An access to global memory that is part of the token graph.
  }];
  let methods = [
    InterfaceMethod<"What the access does to memory.",
                    "::mlir::nv_tileaa::AccessKind", "getKind">,
    InterfaceMethod<"The pointer tile or the tiled view.",
                    "::mlir::Value", "getAddress">,
    InterfaceMethod<"The mask, or null.", "::mlir::Value", "getMaskOrNull">,
    InterfaceMethod<"The token waited for, or null.",
                    "::mlir::Value", "getInputToken">,
    InterfaceMethod<"The operand slot of the token.",
                    "::mlir::MutableOperandRange", "getInputTokenMutable">,
    InterfaceMethod<"The token that later accesses wait for.",
                    "::mlir::Value", "getOutputToken">,
    InterfaceMethod<"The memory ordering.",
                    "::mlir::nv_tileaa::MemSemantic", "getSemantic">,
    InterfaceMethod<"The memory scope; none exactly when weak.",
                    "::std::optional<::mlir::nv_tileaa::MemScope>", "getScope">,
    InterfaceMethod<"The type of the tile in memory.",
                    "::mlir::Type", "getAccessedType">,
    InterfaceMethod<"Whether the access must be kept as it is.",
                    "bool", "isVolatileAccess">,
    InterfaceMethod<"Whether no other thread may synchronize through it.",
                    "bool", "isWeak", (ins), [{}], [{
      return $_op.getSemantic() == ::mlir::nv_tileaa::MemSemantic::Weak;
    }]>,
  ];
}

def TileAAAliasRootInterface : OpInterface<"TileAAAliasRootInterface"> {
  let cppNamespace = "::mlir::nv_tileaa";
  let description = [{
    An operation that introduces a provenance root: only its result, and values
    derived from it, may point to its memory.
  }];
  let methods = [
    InterfaceMethod<"Whether the root is known to be an object of its own.",
                    "bool", "isKnownRoot">,
  ];
}

#endif // DIALECTS_NV_TILEAA_NVTILEAAINTERFACES_TD

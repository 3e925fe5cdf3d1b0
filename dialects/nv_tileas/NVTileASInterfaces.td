// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_NVTILEASINTERFACES_TD
#define DIALECTS_NV_TILEAS_NVTILEASINTERFACES_TD

include "mlir/IR/OpBase.td"

def TileAS_MemoryOpInterface : OpInterface<"TileASMemoryOpInterface"> {
  let cppNamespace = "::mlir::nv_tileas";
  let description = [{
    Operations that access memory through pointers or views, in the order of
    their memory tokens.
  }];
  let methods = [
    InterfaceMethod<"Returns whether the operation loads, stores, or does both at once.",
                    "::mlir::nv_tileas::MemoryKind", "getMemoryKind">,
    InterfaceMethod<[{
      Returns the pointers, or the view with its coordinates and offsets: all
      that says, with the mask, which bytes each thread accesses.
    }], "::llvm::SmallVector<::mlir::Value>", "getAddressOperands">,
    InterfaceMethod<"Returns the mask; null without one.",
                    "::mlir::Value", "getAccessMask">,
    InterfaceMethod<"Returns the tile or scalar that goes to memory; null for a load.",
                    "::mlir::Value", "getStoredValue">,
    InterfaceMethod<"Returns the type of the tile or scalar that is accessed.",
                    "::mlir::Type", "getAccessedTile">,
    InterfaceMethod<"Returns how the access takes part in synchronization.",
                    "::mlir::nv_tileaa::MemSemantic", "getAccessSemantic",
                    (ins), "", "return $_op.getMemSemantic();">,
    InterfaceMethod<"Returns with whom; none for a weak access.",
                    "::std::optional<::mlir::nv_tileaa::MemScope>",
                    "getAccessScope", (ins), "", "return $_op.getMemScope();">,
    InterfaceMethod<"Returns whether the access happens as often as written.",
                    "bool", "isVolatileAccess",
                    (ins), "", [{ return $_op->hasAttr("is_volatile"); }]>,
    InterfaceMethod<"Returns the token the operation waits for; null without one.",
                    "::mlir::Value", "getInputMemToken",
                    (ins), "", "return $_op.getToken();">,
    InterfaceMethod<"Returns the token that stands for its completion.",
                    "::mlir::Value", "getResultMemToken",
                    (ins), "", "return $_op.getResultToken();">,
  ];
}

def TileAS_StorageEffectOpInterface : OpInterface<"StorageEffectOpInterface"> {
  let cppNamespace = "::mlir::nv_tileas";
  let description = [{
    Operations that read or write on-chip buffers. `ScratchOpInterface` covers
    storage that an operation needs only while it runs.
  }];
  let methods = [
    InterfaceMethod<"Appends what the operation does to each of its buffers.",
                    "void", "getStorageEffects",
                    (ins "::llvm::SmallVectorImpl<::mlir::nv_tileas::StorageEffect> &":$effects)>,
  ];
}

def TileAS_ScratchOpInterface : OpInterface<"ScratchOpInterface"> {
  let cppNamespace = "::mlir::nv_tileas";
  let description = [{
    Operations that may need shared memory while they run: each thread writes to
    it, waits for the others, and reads. The attribute
    `nv_tileas.scratch_offset`, which `tileas-assign-buffers` sets, holds its
    offset.
  }];
  let methods = [
    InterfaceMethod<"Returns the bytes needed; 0 when the operation needs none.",
                    "int64_t", "getScratchBytes">,
    InterfaceMethod<"Returns the alignment of those bytes.",
                    "int64_t", "getScratchAlignment",
                    (ins), "", "return 16;">,
    InterfaceMethod<"Returns the buffer that was given for it; null without one.",
                    "::mlir::Value", "getScratchOperand",
                    (ins), "", "return {};">,
    InterfaceMethod<[{
      Returns whether all threads synchronize between the writes and the reads, so that
      whatever came before the operation is seen by all after it.
    }], "bool", "hasInnerBarrier",
                    (ins), "", "return true;">,
  ];
  let extraSharedClassDeclaration = [{
    /// Returns the offset of the scratch memory in bytes; none before the
    /// allocation and for operations without scratch memory.
    ::std::optional<int64_t> getScratchOffset() {
      auto offset = $_op->template getAttrOfType<::mlir::IntegerAttr>(
          ::mlir::nv_tileas::getScratchOffsetAttrName());
      if (!offset)
        return ::std::nullopt;
      return offset.getInt();
    }
    void setScratchOffset(int64_t bytes) {
      ::mlir::Type i32 = ::mlir::IntegerType::get($_op->getContext(), 32);
      $_op->setAttr(::mlir::nv_tileas::getScratchOffsetAttrName(),
                    ::mlir::IntegerAttr::get(i32, bytes));
    }
  }];
}

def TileAS_AsyncOpInterface : OpInterface<"AsyncOpInterface"> {
  let cppNamespace = "::mlir::nv_tileas";
  let description = [{
    Operations that start asynchronous work, close a group of it, or wait for
    it.
  }];
  let methods = [
    InterfaceMethod<"Returns by what the end of the work is known.",
                    "::mlir::nv_tileas::AsyncCompletion", "getCompletion">,
    InterfaceMethod<"Returns whether the operation issues, closes a group or waits.",
                    "::mlir::nv_tileas::AsyncRole", "getAsyncRole">,
    InterfaceMethod<"Returns for a wait the number of youngest groups that may go on.",
                    "int64_t", "getPendingGroups",
                    (ins), "", "return 0;">,
  ];
}

#endif // DIALECTS_NV_TILEAS_NVTILEASINTERFACES_TD

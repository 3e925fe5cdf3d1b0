// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_LOWERING_CONVERTTILEASTOLLVM_TD
#define PASSES_TILEAS_LOWERING_CONVERTTILEASTOLLVM_TD

include "mlir/Pass/PassBase.td"

def ConvertTileASToLLVM : Pass<"convert-tileas-to-llvm"> {
  let summary = "Lowers tiles to the registers of a thread";
  let description = [{
    Converts each tile to the registers of one thread, packed by element type
    (two halves or four bytes per 32-bit register). A memory access becomes the
    widest vector access that layout, alignment and contiguity allow. A layout
    conversion becomes register renaming, shuffles, or an exchange through shared
    memory. Only `llvm`, `nvvm` and `nv_tileas.atom.*` operations remain, for
    `convert-tileas-to-nvgpu`.

    Works on a `gpu.module`, or on a module that contains some. The target is
    `nv_tileaa.target_spec` or `nv_tileaa.compute_capability`. The passes
    `tileas-legalize-layouts`, `tileas-assign-buffers` and
    `tileas-insert-barriers` run before; if they have not, this pass runs their
    steps.

    Input:

    ```mlir
    #a = #nv_tileas.layout<reg, [128], blocked<per_thread = [1], lanes = [32], warps = [4], order = [0]>>
    nv_tileaa.func kernel @k(%p: !nv_tileaa.ptr<f32>) {
      %r = nv_tileas.make_range 0 to 128 : tensor<128xi32, #a>
      %s = nv_tileas.splat %p : !nv_tileaa.ptr<f32> -> tensor<128x!nv_tileaa.ptr<f32>, #a>
      %q = nv_tileas.addptr %s, %r : tensor<128x!nv_tileaa.ptr<f32>, #a>, tensor<128xi32, #a>
      %x, %t = nv_tileas.load weak %q : tensor<128x!nv_tileaa.ptr<f32>, #a> -> tensor<128xf32, #a>
      %y = arith.mulf %x, %x : tensor<128xf32, #a>
      %u = nv_tileas.store weak %q, %y : tensor<128x!nv_tileaa.ptr<f32>, #a>, tensor<128xf32, #a>
      nv_tileaa.return
    }
    ```

    Output:

    ```mlir
    llvm.func @k(%p: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 128, 1, 1>} {
      %tid = nvvm.read.ptx.sreg.tid.x range <i32, 0, 128> : i32
      // … %i: the lower bits of %tid, as i64
      %a = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
      %w = llvm.load %a {alignment = 4 : i64} : !llvm.ptr<1> -> i32
      %x = llvm.bitcast %w : i32 to f32
      %y = llvm.fmul %x, %x : f32
      %v = llvm.bitcast %y : f32 to i32
      llvm.store %v, %a {alignment = 4 : i64} : i32, !llvm.ptr<1>
      llvm.return
    }
    ```
  }];
  let options = [
    Option<"indexBitwidth", "index-bitwidth", "unsigned", /*default=*/"32",
           "Bits of `index` values, 32 or 64; addresses always have 64">,
    Option<"smemMode", "smem-mode", "std::string", /*default=*/"\"static\"",
           "`static` storage, or `dynamic`: the launcher provides it">,
    Option<"prepareMode", "prepare", "std::string", /*default=*/"\"missing\"",
           "`missing`: does what the passes before it have not done; `none`: "
           "that is an error">,
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect",
    "::mlir::NVVM::NVVMDialect",
    "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect",
    "::mlir::math::MathDialect",
    "::mlir::nv_tileas::TileASDialect",
    "::mlir::scf::SCFDialect",
  ];
  let statistics = [
    Statistic<"numFunctions", "num-functions",
              "Tile functions that were lowered">,
  ];
}

#endif // PASSES_TILEAS_LOWERING_CONVERTTILEASTOLLVM_TD

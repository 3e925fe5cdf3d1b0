// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_HOST_WRAPPER_TILEIREMITHOSTWRAPPER_TD
#define PASSES_HOST_WRAPPER_TILEIREMITHOSTWRAPPER_TD

include "mlir/Pass/PassBase.td"

def TileIREmitHostWrapper : Pass<"tileir-emit-host-wrapper", "::mlir::ModuleOp"> {
  let summary = "Builds the host module that is embedded in the cubin";
  let description = [{
    Adds a host module next to each `gpu.module`: the callback tables, one
    function that the driver calls when it loads the cubin, and one function for
    each kernel that it calls when arguments change. A launcher passes the
    user's arguments only; the host object made of this module, a small object
    inside the cubin, fills the hidden parameters. The module refers to no
    symbol outside of itself. Device code does not change.

    The pass runs twice. Before the tile lowering, kernels are `nv_tileaa.func`
    and the bodies stay open (`tileir.open_body`). When kernels are `llvm.func`,
    parameter offsets are final, and the pass rebuilds the module with complete
    bodies. It replaces existing host modules, so a further run changes nothing.

    The host module writes a hidden tensor map by the recipe on its argument
    (`tileir.tensormap`): expressions of visible parameters for base, extents and
    strides, and the constant fields.

    Launcher stubs, on request, are a second module that is never embedded:
    `__tileir_launch_<kernel>(function, stream, gx, gy, gz, arguments…)`. In the
    plain form they take the workspace after the arguments, lay out the
    parameter block and fill the maps themselves.

    A module in the plain form, a module of ordinary SIMT kernels and a module
    without kernels get no host module. With several `gpu.module`s each gets its
    own, and `tileir.host_module` names its `gpu.module`.

    Input, with `host-triple=x86_64-unknown-linux-gnu`:

    ```mlir
    module attributes {gpu.container_module} {
      gpu.module @kernels attributes {tileir.launch_abi = "tile"} {
        llvm.func @axpy() attributes {nvvm.kernel} { llvm.return }
      }
    }
    ```

    Output:

    ```mlir
    !functions = !llvm.array<1 x struct<(ptr, array<4 x i64>, ptr, i64, i64)>>
    !callbacks = !llvm.struct<(i64, i64, i64, i64, i64, ptr, i64, i64, ptr)>
    module attributes {gpu.container_module} {
      gpu.module @kernels attributes {tileir.launch_abi = "tile"} {
        llvm.func @axpy() attributes {nvvm.kernel} { llvm.return }
      }
      module @__tileir_host attributes {llvm.target_triple = "x86_64-unknown-linux-gnu", tileir.host_module} {
        llvm.mlir.global internal constant @__CUDA_TILEIR_FUNC_NAME_0("axpy\00") {addr_space = 0 : i32, alignment = 1 : i64}
        llvm.mlir.global internal constant @__CUDA_TILEIR_FUNC_CALLBACKS() {addr_space = 0 : i32, alignment = 8 : i64} : !functions {
          %0 = llvm.mlir.zero : !functions
          %1 = llvm.mlir.addressof @__CUDA_TILEIR_FUNC_NAME_0 : !llvm.ptr
          %2 = llvm.insertvalue %1, %0[0, 0] : !functions
          %3 = llvm.mlir.addressof @__CUDA_TILEIR_FUNC_ON_ARGUMENTS_CHANGE_0 : !llvm.ptr
          %4 = llvm.insertvalue %3, %2[0, 2] : !functions
          llvm.return %4 : !functions
        }
        llvm.mlir.global external constant @__CUDA_TILEIR_CALLBACKS() {addr_space = 0 : i32, alignment = 8 : i64} : !callbacks {
          %0 = llvm.mlir.zero : !callbacks
          %1 = llvm.mlir.constant(2 : i64) : i64
          %2 = llvm.insertvalue %1, %0[0] : !callbacks
          %3 = llvm.mlir.constant(0 : i64) : i64
          %4 = llvm.insertvalue %3, %2[2] : !callbacks
          %5 = llvm.mlir.constant(64 : i64) : i64
          %6 = llvm.insertvalue %5, %4[4] : !callbacks
          %7 = llvm.mlir.addressof @__CUDA_TILEIR_FUNC_CALLBACKS : !llvm.ptr
          %8 = llvm.insertvalue %7, %6[5] : !callbacks
          %9 = llvm.mlir.constant(1 : i64) : i64
          %10 = llvm.insertvalue %9, %8[6] : !callbacks
          %11 = llvm.mlir.constant(2 : i64) {tileir.interface_version} : i64
          %12 = llvm.insertvalue %11, %10[7] : !callbacks
          %13 = llvm.mlir.addressof @__CUDA_TILEIR_ON_PRE_LOAD : !llvm.ptr
          %14 = llvm.insertvalue %13, %12[8] : !callbacks
          llvm.return %14 : !callbacks
        }
        llvm.mlir.global internal @__CUDA_TILEIR_CALLBACKS_ON_PRE_LOAD() {addr_space = 0 : i32, alignment = 8 : i64} : !callbacks {
          %0 = llvm.mlir.zero : !callbacks
          llvm.return %0 : !callbacks
        }
        llvm.func @__CUDA_TILEIR_ON_PRE_LOAD(%api: !llvm.ptr, %id: i64, %version: i32, %result: !llvm.ptr) -> i32 attributes {passthrough = ["noimplicitfloat", "nounwind"]} {
          // … stores a copy of the callbacks with the size of the workspace to %result; %status is 0
          llvm.return %status : i32
        }
        llvm.func internal @__CUDA_TILEIR_FUNC_ON_ARGUMENTS_CHANGE_0(%0: !llvm.ptr, %1: !llvm.ptr, %2: !llvm.ptr, %3: !llvm.ptr) -> i32 attributes {passthrough = ["noimplicitfloat", "nounwind"]} {
          %ok = llvm.mlir.constant(0 : i32) : i32
          llvm.return %ok : i32
        }
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"enableDebugLogging", "enable-debug-logging", "bool",
           /*default=*/"false",
           "Launcher stubs print what they launch; needs launcher-stubs">,
    Option<"hostTriple", "host-triple", "std::string",
           /*default=*/"\"native\"",
           "Triple of the host module; 'native' is this machine's">,
    Option<"dumpHost", "dump-host", "std::string", /*default=*/"\"\"",
           "File that gets the host modules as text, '-' is stdout; empty "
           "writes none">,
    Option<"launcherStubs", "launcher-stubs", "bool", /*default=*/"false",
           "Also build a module with a function that launches each kernel">,
    Option<"launcherApi", "launcher-api", "std::string",
           /*default=*/"\"driver\"",
           "What those functions call: 'driver' is cuLaunchKernel, 'runtime' "
           "cudaLaunchKernel">,
  ];
  let statistics = [
    Statistic<"numHostModules", "num-host-modules",
              "Number of host modules that were built">,
  ];
}

#endif // PASSES_HOST_WRAPPER_TILEIREMITHOSTWRAPPER_TD

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAA_TILEIRATTACHTARGET_TD
#define PASSES_TILEAA_TILEIRATTACHTARGET_TD

include "mlir/Pass/PassBase.td"

def TileIRAttachTarget : Pass<"tileir-attach-target", "::mlir::ModuleOp"> {
  let summary = "Writes the target and the pipeline's options onto GPU modules";
  let description = [{
    Wraps each top-level `cuda_tile.module` into a `gpu.module`, and writes the
    target and the pipeline's options onto each `gpu.module` as attributes. A
    pass does it because a pipeline is built before there is IR. A given option
    replaces an existing attribute; an empty `compute-capability` keeps the
    target that the module names, and a module that names none gets
    `fallback-compute-capability`.

    The pass rewrites the spelling `nv_tileaa.compute-capability` to the one
    with an underscore. It attaches no `#nvvm.target`.

    Input:

    ```mlir
    cuda_tile.module @m {
    }
    ```

    Output with `compute-capability=sm_90 ftz=true`:

    ```mlir
    module attributes {gpu.container_module} {
      gpu.module @m attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.ftz, nv_tileaa.num_ctas = 1 : i32,
                                nv_tileaa.num_warps = 4 : i32, nv_tileaa.target_spec = "sm_90", tileir.launch_abi = "tile"} {
        cuda_tile.module @m {
        }
      }
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect",
    "::mlir::nv_tileaa::TileAADialect",
  ];
  let options = [
    Option<"computeCapability", "compute-capability", "std::string",
           /*default=*/"", "Target of all modules; empty keeps what they say">,
    Option<"fallbackComputeCapability", "fallback-compute-capability",
           "std::string", /*default=*/"",
           "Target of modules that name none; empty leaves them without">,
    Option<"numWarps", "num-warps", "unsigned", /*default=*/"4",
           "Worker warps of a CTA">,
    Option<"numCtas", "num-ctas", "unsigned", /*default=*/"1",
           "CTAs of a tile block">,
    Option<"approx", "approx", "bool", /*default=*/"false",
           "Allow approximate math">,
    Option<"ftz", "ftz", "bool", /*default=*/"false",
           "Flush subnormal f32 numbers to zero">,
    Option<"dynamicPersistent", "dynamic-persistent", "bool",
           /*default=*/"false", "Make kernels persistent">,
    Option<"useNvgpucompLibnvvm", "use-nvgpucomp-libnvvm", "bool",
           /*default=*/"false", "Ask the serializer for that back end">,
    Option<"launchAbi", "launch-abi", "std::string", /*default=*/"\"tile\"",
           "How kernels are launched: tile or plain">,
  ];
  let statistics = [
    Statistic<"numModules", "num-modules",
              "Modules that got the target and the options">,
  ];
}

#endif // PASSES_TILEAA_TILEIRATTACHTARGET_TD

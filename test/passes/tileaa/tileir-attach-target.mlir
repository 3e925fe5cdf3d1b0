// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileAAPasses.so --load-pass-plugin=%libTileAAPasses.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(tileir-attach-target{fallback-compute-capability=sm_90})' | FileCheck %s
// RUN: %{opt} %s --pass-pipeline='builtin.module(tileir-attach-target{compute-capability=sm_100a num-warps=8 num-ctas=2 approx ftz dynamic-persistent use-nvgpucomp-libnvvm launch-abi=plain})' \
// RUN:   | FileCheck %s --check-prefix=ALL
// RUN: %{opt} %s --pass-pipeline='builtin.module(tileir-attach-target,tileir-attach-target)' | FileCheck %s --check-prefix=TWICE
// RUN: not %{opt} %s --pass-pipeline='builtin.module(tileir-attach-target{compute-capability=sm_75})' 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not %{opt} %s --pass-pipeline='builtin.module(tileir-attach-target{launch-abi=x})' 2>&1 | FileCheck %s --check-prefix=ABI
// RUN: echo 'module {}' | not %{opt} --pass-pipeline='builtin.module(tileir-attach-target)' 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: env TILEIR_DEBUG=tileir-attach-target %{opt} %s --pass-pipeline='builtin.module(tileir-attach-target{fallback-compute-capability=sm_90})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=DEBUG
// DEBUG: {{^}}[tileir-attach-target] fresh: the fallback names sm_90{{$}}
// DEBUG: {{^}}[tileir-attach-target] dashed: the module names sm_86{{$}}
// BAD: error: target 'sm_75' is unknown or has no tile lowering; expected one of sm_80,
// ABI: error: launch-abi is 'x'; expected 'tile' or 'plain'
// EMPTY: error: no gpu.module or cuda_tile.module to compile

// CHECK: module attributes {gpu.container_module}
// CHECK: gpu.module @fresh attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.num_ctas = 1 : i32, nv_tileaa.num_warps = 4 : i32, nv_tileaa.target_spec = "sm_90", tileir.launch_abi = "tile"}
// CHECK-NEXT: cuda_tile.module @fresh
// ALL: gpu.module @fresh attributes {nv_tileaa.approx, nv_tileaa.compute_capability = 100 : i32, nv_tileaa.dynamic_persistent, nv_tileaa.ftz, nv_tileaa.libnvvm_use_nvgpucomp, nv_tileaa.num_ctas = 2 : i32, nv_tileaa.num_warps = 8 : i32, nv_tileaa.target_spec = "sm_100a", tileir.launch_abi = "plain"}
// TWICE: gpu.module @fresh attributes {nv_tileaa.num_ctas
cuda_tile.module @fresh {
}

// The dashed spelling is mended; the flag that is not asked for goes.
// CHECK: gpu.module @dashed attributes {nv_tileaa.compute_capability = 86 : i32, nv_tileaa.num_ctas = 1 : i32, nv_tileaa.num_warps = 4 : i32, nv_tileaa.target_spec = "sm_86", tileir.launch_abi = "tile"}
// ALL: gpu.module @dashed attributes {{.*}}nv_tileaa.target_spec = "sm_100a"
// TWICE: gpu.module @dashed attributes {nv_tileaa.compute_capability = 86 : i32
gpu.module @dashed attributes {"nv_tileaa.compute-capability" = 86 : i32, nv_tileaa.ftz} {
}

// CHECK: gpu.module @chip [#nvvm.target<chip = "sm_120a">] attributes {nv_tileaa.compute_capability = 120 : i32, {{.*}}nv_tileaa.target_spec = "sm_120a"
gpu.module @chip [#nvvm.target<chip = "sm_120a">] {
}

// CHECK: gpu.module @spec attributes {nv_tileaa.compute_capability = 90 : i32, {{.*}}nv_tileaa.target_spec = "sm_90a"
gpu.module @spec attributes {nv_tileaa.target_spec = "sm_90a"} {
}

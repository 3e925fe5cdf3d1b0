// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileAAPasses.so --load-pass-plugin=%libTileAAPasses.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(convert-cudatile-to-tileaa{compute-capability=sm_90 num-warps=8 num-ctas=2})' | FileCheck %s --check-prefixes=CHECK,SM90
// RUN: %{opt} %s --pass-pipeline='builtin.module(convert-cudatile-to-tileaa{compute-capability=sm_80 num-warps=8})' | FileCheck %s --check-prefixes=CHECK,SM80
// RUN: %{opt} %s --pass-pipeline='builtin.module(convert-cudatile-to-tileaa{compute-capability=sm_80 num-warps=8 fixed-warps fixed-ctas})' | FileCheck %s --check-prefix=FIXED
// RUN: %{opt} %s --mlir-print-debuginfo --pass-pipeline='builtin.module(convert-cudatile-to-tileaa{compute-capability=sm_80})' | FileCheck %s --check-prefix=DEBUG

// On a builtin.module the pass wraps; two modules of one name stay apart.
// SM90: gpu.module @a attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90"}
// SM80: gpu.module @a attributes {nv_tileaa.compute_capability = 80 : i32, nv_tileaa.target_spec = "sm_80"}
cuda_tile.module @a {
  // CHECK: nv_tileaa.func kernel @options()
  // SM90-SAME: #nv_tileaa.kernel_spec<num_warps = 8, num_ctas = 2, cluster_dim = [2, 1, 1]>
  // SM80-SAME: #nv_tileaa.kernel_spec<num_warps = 8, num_ctas = 1, cluster_dim = [1, 1, 1]>
  // Asked for by options.
  // SM90-NOT: fixed
  // FIXED: @options() attributes {{.*}}nv_tileaa.fixed_ctas, nv_tileaa.fixed_warps
  entry @options() {
    return
  }
  // The hint of the chip, else the default; what the chip cannot do is ignored.
  // CHECK: nv_tileaa.func kernel @hints()
  // SM90-SAME: #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 4, cluster_dim = [4, 1, 1], occupancy = 3>
  // SM80-SAME: #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1], occupancy = 2>
  // SM90-SAME: nv_tileaa.fixed_ctas, nv_tileaa.fixed_warps
  // SM80-NOT: fixed_ctas
  // SM80-SAME: nv_tileaa.fixed_warps
  entry @hints() optimization_hints=<sm_90 = {num_cta_in_cga = 4, occupancy = 3}, default = {num_cta_in_cga = 8, num_worker_warps_per_cta = 4, occupancy = 2}> {
    return
  }
  // A property that holds on every path is recorded on the argument.
  // CHECK: nv_tileaa.func kernel @facts(%{{.*}}: i32 {nv_tileaa.div_by = 16 : i64}, %{{.*}}: i32)
  entry @facts(%n: tile<i32>, %m: tile<i32>) {
    %0 = assume bounded<0, ?>, %n : tile<i32>
    %1 = assume div_by<16>, %0 : tile<i32>
    %2 = addi %m, %m : tile<i32>
    %3 = assume div_by<16>, %m : tile<i32>
    %t = print_tko "%d %d %d", %1, %2, %3 : tile<i32>, tile<i32>, tile<i32> -> token
    return
  }
}

#file = #cuda_tile.di_file<"k.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 3, name = "debug", linkageName = "debug", compileUnit = #unit>

// CHECK: gpu.module @b
cuda_tile.module @b {
  // DEBUG-LABEL: nv_tileaa.func kernel @debug(
  // DEBUG: nv_tileaa.print {{.*}} loc(#[[OP:.*]])
  // DEBUG-DAG: #[[CU:.*]] = #llvm.di_compile_unit<{{.*}}emissionKind = LineTablesOnly
  // DEBUG-DAG: #[[SP:.*]] = #llvm.di_subprogram<{{.*}}compileUnit = #[[CU]]{{.*}}name = "debug", linkageName = "debug"{{.*}}line = 3
  // DEBUG-DAG: #[[LINE:.*]] = loc("k.py":5:2)
  // DEBUG-DAG: #[[OP]] = loc(fused<#[[SP]]>[#[[LINE]]])
  entry @debug() {
    %t = print_tko "x" -> token loc(#cuda_tile.di_loc<loc("k.py":5:2) in #sub>)
    return
  } loc(#cuda_tile.di_loc<loc("k.py":3:1) in #sub>)
}

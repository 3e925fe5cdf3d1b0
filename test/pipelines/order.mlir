// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileIR.so --load-pass-plugin=%libTileIR.so
// Legalize, conversions, finalize, target, checks (S-165); options of the host wrapper one to one (S-240).
// The list depends on the options alone. Options of upstream passes are upstream's business.
// RUN: %{opt} %s --dump-pass-pipeline --pass-pipeline='builtin.module(tileir{opt-level=0})' -o /dev/null 2>&1 | FileCheck %s --check-prefixes=T0
// RUN: not %{opt} %s --dump-pass-pipeline --pass-pipeline='builtin.module(tileir{opt-level=1})' -o /dev/null 2>&1 | FileCheck %s --check-prefixes=T1
// RUN: not %{opt} %s --dump-pass-pipeline --pass-pipeline='builtin.module(tileir{opt-level=2 num-warps=8 num-ctas=2 compute-capability=sm_100 index-bitwidth=64 approx ftz launch-abi=plain emit-line-info=tileas-boundary})' -o /dev/null 2>&1 | FileCheck %s --check-prefixes=T2
// RUN: not %{opt} %s --dump-pass-pipeline --pass-pipeline='builtin.module(tileir{opt-level=3 emit-line-info=frontend debuginfo-level=full arch-suffix=minimal host-triple=aarch64-linux-gnu launcher-stubs enable-debug-logging})' -o /dev/null 2>&1 | FileCheck %s --check-prefixes=T3

// Strategies and thresholds have strategies.mlir; at tier 2 they add the choice of layouts that tier 3 makes in any case.
// RUN: not %{opt} %s --dump-pass-pipeline --pass-pipeline='builtin.module(tileir{opt-level=3 pipeline-strategy=unspecialize})' -o /dev/null 2> %t.unspecialize
// RUN: not %{opt} %s --dump-pass-pipeline --pass-pipeline='builtin.module(tileir{opt-level=3 unspecialized-pipeline-num-stages=6 pipeline-strategy=unspecialize})' -o /dev/null 2>&1 | FileCheck %s --check-prefixes=SIX
// RUN: not %{opt} %s --dump-pass-pipeline --pass-pipeline='builtin.module(tileir{opt-level=2 pipeline-strategy=unspecialize})' -o /dev/null 2>&1 | FileCheck %s --check-prefixes=S2

// The scheduler, from effort 1 on; its options reach the passes.
// RUN: not %{opt} %s --dump-pass-pipeline --pass-pipeline='builtin.module(tileir{opt-level=2 num-warps=8 pipeline-strategy=unspecialize v2-opt-level=3 rrt-size-threshold=256 max-constraint-iterations=5 enable-random-delay random-delay-seed=7 schedule-trace-file=/tmp/x})' -o /dev/null 2>&1 | FileCheck %s --check-prefixes=V2
// RUN: not %{opt} %s --dump-pass-pipeline --pass-pipeline='builtin.module(tileir{opt-level=3 v2-opt-level=3})' -o /dev/null 2> %t.none
// RUN: not %{opt} %s --dump-pass-pipeline --pass-pipeline='builtin.module(tileir{opt-level=3})' -o /dev/null 2>&1 | diff %t.none -
// RUN: not %{opt} %s --dump-pass-pipeline --pass-pipeline='builtin.module(tileir{opt-level=3 pipeline-strategy=unspecialize rrt-size-threshold=256 enable-random-delay})' -o /dev/null 2>&1 | diff %t.unspecialize -

// Tile blocks that a CTA cancels: after the layouts, before the passes that build pipelines.
// RUN: not %{opt} %s --dump-pass-pipeline --pass-pipeline='builtin.module(tileir{opt-level=2 pipeline-strategy=unspecialize dynamic-persistent})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=PERSISTENT
// RUN: not %{opt} %s --dump-pass-pipeline --pass-pipeline='builtin.module(tileir{opt-level=2 dynamic-persistent})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALONE
//      PERSISTENT: tileas-split-conversions{max-bytes=0},
// PERSISTENT-NEXT: tileas-dynamic-persistent,
// PERSISTENT-NEXT: tileas-stage-operands{num-stages=0},
// PERSISTENT-NEXT: tileas-materialize-mma,
// PERSISTENT-NEXT: tileas-place-accumulators,
//      ALONE: tileas-dynamic-persistent,
// ALONE-NEXT: tileas-legalize-layouts,

// Blocks stay in their order below effort 2, without a strategy (above), and where an option says so.
// RUN: not %{opt} %s --dump-pass-pipeline --pass-pipeline='builtin.module(tileir{opt-level=2 pipeline-strategy=unspecialize v2-opt-level=1})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLAIN --implicit-check-not=order-blocks
// RUN: not %{opt} %s --dump-pass-pipeline --pass-pipeline='builtin.module(tileir{opt-level=2 pipeline-strategy=unspecialize v2-opt-level=3 order-blocks=false})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLAIN --implicit-check-not=order-blocks
// PLAIN: tileas-plan-cta

//      T0: builtin.module(
// T0-NEXT: tileir-scope{name=CompileNVVM phase=begin},
// T0-NEXT: tileir-scope{name=CompileNVVM phase=end}
// T0-NEXT: {{^}})

//      T1: builtin.module(
// T1-NEXT: tileir-scope{name=CompileNVVM phase=begin},
// T1-NEXT: tileir-attach-target{approx=false compute-capability= dynamic-persistent=false fallback-compute-capability=sm_90 ftz=false launch-abi=tile num-ctas=1 num-warps=4 use-nvgpucomp-libnvvm=false},
// T1-NEXT: gpu.module(
// T1-NEXT: cudatile-simplify-loops,
// T1-NEXT: convert-cudatile-to-tileaa{compute-capability= fixed-ctas=false fixed-warps=false keep-assumes=true num-ctas=1 num-warps=4 strict-hints=false},
// T1-NEXT: nv_tileaa.func(
// T1-NEXT: tileaa-promote-allocas{max-places=64 max-trips=64 max-unrolled-ops=2048}
// T1-NEXT: ),
// T1-NEXT: tileir-insert-debug-scope{emission-kind=line-tables-only {{.*}}},
// T1-NEXT: canonicalize{{.*}},
// T1-NEXT: nv_tileaa.func(
// T1-NEXT: tileaa-drop-dead-values,
// T1-NEXT: tileaa-hoist-invariants
// T1-NEXT: )
// T1-NEXT: ),
// T1-NEXT: tileir-scope{name=CompileNVVM phase=end}
// T1-NEXT: {{^}})

//      T2: builtin.module(
// T2-NEXT: tileir-scope{name=CompileNVVM phase=begin},
// T2-NEXT: tileir-attach-target{approx=true compute-capability=sm_100 dynamic-persistent=false fallback-compute-capability=sm_90 ftz=true launch-abi=plain num-ctas=2 num-warps=8 use-nvgpucomp-libnvvm=false},
// T2-NEXT: gpu.module(
// T2-NEXT: cudatile-simplify-loops,
// T2-NEXT: convert-cudatile-to-tileaa{compute-capability=sm_100 fixed-ctas=true fixed-warps=true keep-assumes=true num-ctas=2 num-warps=8 strict-hints=false},
// T2-NEXT: nv_tileaa.func(
// T2-NEXT: tileaa-promote-allocas{max-places=64 max-trips=64 max-unrolled-ops=2048}
// T2-NEXT: ),
// T2-NEXT: tileir-insert-debug-scope{{.*}},
// T2-NEXT: canonicalize{{.*}},
// T2-NEXT: nv_tileaa.func(
// T2-NEXT: tileaa-drop-dead-values,
// T2-NEXT: tileaa-hoist-invariants
// T2-NEXT: ),
// T2-NEXT: tileir-gpu-module-prepare,
// T2-NEXT: nv_tileaa.func(
// T2-NEXT: tileaa-split-clusters
// T2-NEXT: ),
// T2-NEXT: convert-tileaa-to-tileas{{.*}}
// T2-NEXT: ),
// T2-NEXT: tileir-emit-host-wrapper{dump-host= enable-debug-logging=false host-triple=native launcher-api=driver launcher-stubs=false},
// T2-NEXT: gpu.module(
// T2-NEXT: nv_tileaa.func(
// T2-NEXT: tileas-decompose-dot-scaled
// T2-NEXT: ),
// T2-NEXT: tileir-snapshot{file= tag=tileas-llvm-boundary},
// T2-NEXT: nv_tileaa.func(
// T2-NEXT: tileas-legalize-layouts,
// T2-NEXT: tileas-assign-buffers{share=auto},
// T2-NEXT: tileas-insert-barriers
// T2-NEXT: ),
// T2-NEXT: convert-tileas-to-llvm{index-bitwidth=64 {{.*}}},
// T2-NEXT: cse,
// T2-NEXT: convert-tileas-to-nvgpu{{.*}}
// T2-NEXT: ),
// T2-NEXT: tileir-scope{name=CompileNVVM phase=end}
// T2-NEXT: {{^}})

//      S2: tileir-emit-host-wrapper{{.*}}
// S2-NEXT: gpu.module(
// S2-NEXT: tileas-plan-cta,
// S2-NEXT: tileas-stage-register-operands{{.*}},
// S2-NEXT: nv_tileaa.func(
// S2-NEXT: tileas-assign-mma,
// S2-NEXT: tileas-decompose-dot-scaled
// S2-NEXT: ),
// S2-NEXT: tileas-assign-load-store-layouts,
// S2-NEXT: tileas-remove-layout-conversions,
// S2-NEXT: nv_tileaa.func(
// S2-NEXT: tileas-roll-tiles{max-ops=2048 max-registers=0 max-words=0},
// S2-NEXT: tileas-split-conversions{max-bytes=0},
// S2-NEXT: tileas-stage-operands{num-stages=0},
// S2-NEXT: tileas-materialize-mma,
// S2-NEXT: tileas-place-accumulators,
// S2-NEXT: unspecialized-pipeline{num-stages=4},
// S2-NEXT: tileas-shift-chained-dots,
// S2-NEXT: tileas-split-masked-loops{min-elements=4096},
// S2-NEXT: tileas-use-tensor-copies,
// S2-NEXT: tileas-expand-pipelines,
// S2-NEXT: tileas-legalize-layouts,
// S2-NEXT: tileas-assign-buffers{share=auto},
// S2-NEXT: tileas-insert-barriers
// S2-NEXT: ),
// S2-NEXT: convert-tileas-to-llvm{{.*prepare=none.*}},

//      V2: tileir-emit-host-wrapper{{.*}},
// V2-NEXT: gpu.module(
// V2-NEXT: nv_tileaa.func(
// V2-NEXT: tileas-order-blocks{group=8}
// V2-NEXT: ),
// V2-NEXT: tileas-plan-cta,
//      V2: tileas-stage-operands{num-stages=0},
// V2-NEXT: tileas-materialize-mma,
// V2-NEXT: tileas-place-accumulators,
// V2-NEXT: tileas-prepare-for-scheduling{max-ops=64 max-trips=8 slice-dots=true slice-products=true},
// V2-NEXT: tileas-generate-schedule-constraints{compute-capability= enable-random-delay=true max-constraint-iterations=5 max-schedulable-ops=20000 num-warps=8 random-delay-seed=7 rrt-size-threshold=256 scheduler=default v2-opt-level=3},
// V2-NEXT: canonicalize{{.*}},
// V2-NEXT: cse,
// V2-NEXT: tileas-check-schedule{after=cse},
// V2-NEXT: tileas-materialize-schedule{enable-schedule-rewrite=true light=false schedule-trace-file=/tmp/x use-AUS=true v2-opt-level=3},
// V2-NEXT: unspecialized-pipeline{num-stages=4},

//      SIX: tileaa-hoist-invariants,
// SIX-NEXT: tileaa-merge-masked-loops
//      SIX: tileas-stage-operands{num-stages=6},
// SIX-NEXT: tileas-materialize-mma,
// SIX-NEXT: tileas-place-accumulators,
// SIX-NEXT: unspecialized-pipeline{num-stages=6},

//      T3: builtin.module(
// T3-NEXT: tileir-scope{name=CompileNVVM phase=begin},
// T3-NEXT: tileir-attach-target{{.*}},
// T3-NEXT: gpu.module(
// T3-NEXT: cudatile-simplify-loops,
// T3-NEXT: convert-cudatile-to-tileaa{{.*}},
// T3-NEXT: nv_tileaa.func(
// T3-NEXT: tileaa-promote-allocas{max-places=64 max-trips=64 max-unrolled-ops=2048}
// T3-NEXT: ),
// T3-NEXT: tileir-insert-debug-scope{emission-kind=full {{.*}}},
// T3-NEXT: canonicalize{{.*}},
// T3-NEXT: nv_tileaa.func(
// T3-NEXT: tileaa-drop-dead-values,
// T3-NEXT: tileaa-hoist-invariants
// T3-NEXT: ),
// T3-NEXT: tileir-snapshot{file= tag=after-frontend},
// T3-NEXT: tileir-gpu-module-prepare,
// T3-NEXT: nv_tileaa.func(
// T3-NEXT: tileaa-split-clusters
// T3-NEXT: ),
// T3-NEXT: convert-tileaa-to-tileas{{.*}}
// T3-NEXT: ),
// T3-NEXT: tileir-emit-host-wrapper{dump-host= enable-debug-logging=true host-triple=aarch64-linux-gnu launcher-api=driver launcher-stubs=true},
// T3-NEXT: gpu.module(
// T3-NEXT: tileas-plan-cta,
// T3-NEXT: tileas-stage-register-operands{{.*}},
// T3-NEXT: nv_tileaa.func(
// T3-NEXT: tileas-decompose-dot-scaled
// T3-NEXT: ),
// T3-NEXT: tileas-assign-load-store-layouts,
// T3-NEXT: tileas-remove-layout-conversions,
// T3-NEXT: nv_tileaa.func(
// T3-NEXT: tileas-roll-tiles{max-ops=2048 max-registers=0 max-words=0},
// T3-NEXT: tileas-split-conversions{max-bytes=0},
// T3-NEXT: tileas-legalize-layouts,
// T3-NEXT: tileas-assign-buffers{share=auto},
// T3-NEXT: tileas-insert-barriers
// T3-NEXT: ),
// T3-NEXT: convert-tileas-to-llvm{index-bitwidth=32 {{.*}}},
// T3-NEXT: cse,
// T3-NEXT: convert-tileas-to-nvgpu{{.*}},
// T3-NEXT: tileir-verify-lowered,
// T3-NEXT: canonicalize{{.*}},
// T3-NEXT: tileir-insert-debug-scope{emission-kind=full {{.*}}},
// T3-NEXT: tileir-legalize-llvm-kernel,
// T3-NEXT: convert-scf-to-cf{{.*}},
// T3-NEXT: convert-nvgpu-to-nvvm,
// T3-NEXT: convert-gpu-to-nvvm{{.*}}index-bitwidth=32{{.*}},
// T3-NEXT: convert-vector-to-llvm{{.*}},
// T3-NEXT: convert-to-llvm{{.*}},
// T3-NEXT: convert-nvvm-to-llvm,
// T3-NEXT: reconcile-unrealized-casts,
// T3-NEXT: canonicalize{{.*}},
// T3-NEXT: cse,
// T3-NEXT: tileir-finalize-llvm-kernel,
// T3-NEXT: convert-target-to-nvvm{arch-suffix=minimal debug=true opt-level=3},
// T3-NEXT: tileir-post-nvvm-finalize{debuginfo-level=full}
// T3-NEXT: ),
// T3-NEXT: tileir-emit-host-wrapper{{.*}},
// T3-NEXT: tileir-scope{name=CompileNVVM phase=end}
// T3-NEXT: {{^}})

module {}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of the list that strategy and threshold decide about, from the layouts to the conversion, whole.
// DEFINE: %{strategy} =
// DEFINE: %{list} = not %mlir-opt %s --load-dialect-plugin=%libTileIR.so --load-pass-plugin=%libTileIR.so --dump-pass-pipeline --pass-pipeline='builtin.module(tileir{opt-level=3 v2-opt-level=2 %{strategy}})' -o /dev/null

// No pipeline, whatever the threshold.
// REDEFINE: %{strategy} = pipeline-strategy=none
// RUN: %{list} 2> %t.none
// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none
// REDEFINE: %{strategy} = pipeline-strategy=none rrt-size-threshold=0
// RUN: %{list} 2>&1 | cmp - %t.none
// REDEFINE: %{strategy} = pipeline-strategy=none rrt-size-threshold=256
// RUN: %{list} 2>&1 | cmp - %t.none
//      NONE: tileas-split-conversions{max-bytes=0},
// NONE-NEXT: tileas-legalize-layouts,
// NONE-NEXT: tileas-assign-buffers{share=auto},
// NONE-NEXT: tileas-insert-barriers
// NONE-NEXT: ),
// NONE-NEXT: convert-tileas-to-llvm{{.*}},

// One stream of instructions: no pass that makes agents. The threshold is the scheduler's.
// REDEFINE: %{strategy} = pipeline-strategy=unspecialize
// RUN: %{list} 2>&1 | FileCheck %s --check-prefix=ONE -DRRT=4096 --implicit-check-not=agent --implicit-check-not=issuers
// REDEFINE: %{strategy} = pipeline-strategy=unspecialize rrt-size-threshold=0
// RUN: %{list} 2>&1 | FileCheck %s --check-prefix=ONE -DRRT=0 --implicit-check-not=agent --implicit-check-not=issuers
// REDEFINE: %{strategy} = pipeline-strategy=unspecialize rrt-size-threshold=256
// RUN: %{list} 2>&1 | FileCheck %s --check-prefix=ONE -DRRT=256 --implicit-check-not=agent --implicit-check-not=issuers
//      ONE: tileas-split-conversions{max-bytes=0},
// ONE-NEXT: tileas-stage-operands{num-stages=0},
// ONE-NEXT: tileas-materialize-mma,
// ONE-NEXT: tileas-place-accumulators,
// ONE-NEXT: tileas-prepare-for-scheduling{max-ops=64 max-trips=8 slice-dots=true slice-products=true},
// ONE-NEXT: tileas-generate-schedule-constraints{compute-capability= enable-random-delay=false max-constraint-iterations=10 max-schedulable-ops=20000 num-warps=4 random-delay-seed=0 rrt-size-threshold=[[RRT]] scheduler=default v2-opt-level=2},
// ONE-NEXT: canonicalize{{.*}},
// ONE-NEXT: cse,
// ONE-NEXT: tileas-check-schedule{after=cse},
// ONE-NEXT: tileas-materialize-schedule{enable-schedule-rewrite=true light=false schedule-trace-file= use-AUS=true v2-opt-level=2},
// ONE-NEXT: unspecialized-pipeline{num-stages=4},
// ONE-NEXT: tileas-shift-chained-dots,
// ONE-NEXT: tileas-split-masked-loops{min-elements=4096},
// ONE-NEXT: tileas-use-tensor-copies,
// ONE-NEXT: tileas-expand-pipelines,
// ONE-NEXT: tileas-legalize-layouts,
// ONE-NEXT: tileas-assign-buffers{share=auto},
// ONE-NEXT: tileas-insert-barriers
// ONE-NEXT: ),
// ONE-NEXT: convert-tileas-to-llvm{{.*}},

// Warp specialization, the heavy form.
// REDEFINE: %{strategy} = pipeline-strategy=warp-specialize
// RUN: %{list} 2>&1 | FileCheck %s --check-prefix=HEAVY -DRRT=4096
// REDEFINE: %{strategy} = pipeline-strategy=warp-specialize rrt-size-threshold=256
// RUN: %{list} 2>&1 | FileCheck %s --check-prefix=HEAVY -DRRT=256
//      HEAVY: tileas-split-conversions{max-bytes=0},
// HEAVY-NEXT: tileas-stage-operands{num-stages=0},
// HEAVY-NEXT: tileas-materialize-mma,
// HEAVY-NEXT: tileas-place-accumulators,
// HEAVY-NEXT: tileas-prepare-for-scheduling{max-ops=64 max-trips=8 slice-dots=true slice-products=true},
// HEAVY-NEXT: tileas-generate-schedule-constraints{{{.*}} rrt-size-threshold=[[RRT]] scheduler=default v2-opt-level=2},
// HEAVY-NEXT: canonicalize{{.*}},
// HEAVY-NEXT: cse,
// HEAVY-NEXT: tileas-check-schedule{after=cse},
// HEAVY-NEXT: tileas-materialize-schedule{enable-schedule-rewrite=true light=false schedule-trace-file= use-AUS=false v2-opt-level=2},
// HEAVY-NEXT: unspecialized-pipeline{num-stages=4},
// HEAVY-NEXT: tileas-shift-chained-dots,
// HEAVY-NEXT: tileas-split-masked-loops{min-elements=4096},
// HEAVY-NEXT: tileas-specialize-agents{share-registers=true},
// HEAVY-NEXT: tileas-resolve-agent-boundary,
// HEAVY-NEXT: tileas-check-register-budget,
// HEAVY-NEXT: optimize-execution-unit-mapping,
// HEAVY-NEXT: propagate-execution-unit,
// HEAVY-NEXT: tileas-use-tensor-copies,
// HEAVY-NEXT: tileas-expand-pipelines,
// HEAVY-NEXT: tileas-legalize-layouts,
// HEAVY-NEXT: tileas-assign-buffers{share=auto},
// HEAVY-NEXT: tileas-insert-barriers,
// HEAVY-NEXT: tileas-split-copy-and-mma-warps
// HEAVY-NEXT: ),
// HEAVY-NEXT: convert-tileas-to-llvm{{.*}},

// The light form: boundaries and barriers, the order of the text, no reservation table, equal shares of registers.
// REDEFINE: %{strategy} = pipeline-strategy=warp-specialize rrt-size-threshold=0
// RUN: %{list} 2>&1 | FileCheck %s --check-prefix=LIGHT
//      LIGHT: tileas-split-conversions{max-bytes=0},
// LIGHT-NEXT: tileas-stage-operands{num-stages=0},
// LIGHT-NEXT: tileas-materialize-mma,
// LIGHT-NEXT: tileas-place-accumulators,
// LIGHT-NEXT: canonicalize{{.*}},
// LIGHT-NEXT: cse,
// LIGHT-NEXT: tileas-generate-schedule-constraints{{{.*}} rrt-size-threshold=0 scheduler=serial v2-opt-level=2},
// LIGHT-NEXT: tileas-materialize-schedule{enable-schedule-rewrite=true light=true schedule-trace-file= use-AUS=false v2-opt-level=2},
// LIGHT-NEXT: unspecialized-pipeline{num-stages=4},
// LIGHT-NEXT: tileas-shift-chained-dots,
// LIGHT-NEXT: tileas-split-masked-loops{min-elements=4096},
// LIGHT-NEXT: tileas-specialize-agents{share-registers=false},
// LIGHT-NEXT: tileas-resolve-agent-boundary,
// LIGHT-NEXT: optimize-execution-unit-mapping,
// LIGHT-NEXT: propagate-execution-unit,
// LIGHT-NEXT: tileas-use-tensor-copies,
// LIGHT-NEXT: tileas-expand-pipelines,
// LIGHT-NEXT: tileas-legalize-layouts,
// LIGHT-NEXT: tileas-assign-buffers{share=auto},
// LIGHT-NEXT: tileas-insert-barriers,
// LIGHT-NEXT: tileas-split-copy-and-mma-warps
// LIGHT-NEXT: ),
// LIGHT-NEXT: convert-tileas-to-llvm{{.*}},

// Without a producer warp, single warps still issue MMAs; the schedule is that of one stream.
// REDEFINE: %{strategy} = pipeline-strategy=warp-specialize specialize-agents=false
// RUN: %{list} 2>&1 | FileCheck %s --check-prefix=ISSUERS
// ISSUERS: tileas-materialize-schedule{{.*}} use-AUS=true {{.*}},
// ISSUERS: tileas-split-masked-loops{min-elements=4096},
// ISSUERS-NEXT: tileas-use-tensor-copies,
// ISSUERS-NEXT: tileas-expand-pipelines,
// ISSUERS: tileas-split-copy-and-mma-warps

// Effort 0 has no scheduler in either form.
// RUN: not %mlir-opt %s --load-dialect-plugin=%libTileIR.so --load-pass-plugin=%libTileIR.so --dump-pass-pipeline --pass-pipeline='builtin.module(tileir{opt-level=3 pipeline-strategy=warp-specialize rrt-size-threshold=0})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNSCHEDULED
//      UNSCHEDULED: tileas-stage-operands{num-stages=0},
// UNSCHEDULED-NEXT: tileas-materialize-mma,
// UNSCHEDULED-NEXT: tileas-place-accumulators,
// UNSCHEDULED-NEXT: unspecialized-pipeline{num-stages=4},

module {}

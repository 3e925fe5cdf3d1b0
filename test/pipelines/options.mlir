// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileIR.so --load-pass-plugin=%libTileIR.so
// Names, types and values are checked before any pass runs; what one option
// accepts is tested with pipelines/OptionsTest.cpp.

// RUN: not %{opt} %s --pass-pipeline='builtin.module(tileir{foo=1})' 2>&1 | FileCheck %s --check-prefix=NAME
//      NAME: <Pass-Options-Parser>: no such option foo
//      NAME: failed to add `tileir` with options `foo=1`
//  NAME-NOT: module

// RUN: not %{opt} %s --pass-pipeline='builtin.module(tileir{opt-level=x})' 2>&1 | FileCheck %s --check-prefix=NUMBER
//      NUMBER: for the --opt-level option: 'x' value invalid for integer argument!
//      NUMBER: failed to add `tileir` with options `opt-level=x`

// RUN: not %{opt} %s --pass-pipeline='builtin.module(tileir{approx=maybe})' 2>&1 | FileCheck %s --check-prefix=BOOL
//      BOOL: for the --approx option: 'maybe' is invalid value for boolean argument! Try 0 or 1
//      BOOL: failed to add `tileir` with options `approx=maybe`

// RUN: not %{opt} %s --pass-pipeline='builtin.module(tileir{debuginfo-level=no pipeline-strategy=fast opt-level=7 num-warps=12 compute-capability=sm_75})' 2>&1 | FileCheck %s --check-prefix=SET
//      SET: error: invalid value '12' for pipeline option 'num-warps'; expected a power of two from 1 to 32
// SET-NEXT: invalid value 'sm_75' for pipeline option 'compute-capability'; expected one of sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, sm_100, sm_103, sm_107, sm_110, sm_120, sm_121
// SET-NEXT: invalid value '7' for pipeline option 'opt-level'; expected 0 to 3
// SET-NEXT: invalid value 'fast' for pipeline option 'pipeline-strategy'; expected one of 'none', 'unspecialize', 'warp-specialize'
// SET-NEXT: invalid value 'no' for pipeline option 'debuginfo-level'; expected one of 'none', 'full', 'line-tables', 'debug-directives'
// SET-NEXT: failed to add `tileir` with options

// RUN: not %{opt} %s --pass-pipeline='builtin.module(tileir{preset=nvcc})' 2>&1 | FileCheck %s --check-prefix=PRESET
// PRESET: error: invalid value 'nvcc' for pipeline option 'preset'; expected 'tileiras'
// RUN: not %{opt} %s --pass-pipeline='builtin.module(tileir{preset=tileiras})' 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: pipeline option 'preset=tileiras' needs 'compute-capability', as that program needs --gpu-name

// The pipeline is anchored.
// RUN: not %{opt} %s --pass-pipeline='tileir{opt-level=0}' 2>&1 | FileCheck %s --check-prefix=ANCHOR
// ANCHOR: expected pass pipeline to be wrapped with the anchor operation type, e.g. 'builtin.module(...)'
// RUN: not %{opt} %s --pass-pipeline='builtin.module(gpu.module(tileir{opt-level=0}))' 2>&1 | FileCheck %s --check-prefix=NESTED
// RUN: not %{opt} %s --pass-pipeline='any(tileir{opt-level=0})' 2>&1 | FileCheck %s --check-prefix=ANY
// NESTED: error: 'tileir' runs on 'builtin.module', not on 'gpu.module'; write builtin.module(tileir{…})
//    ANY: error: 'tileir' runs on 'builtin.module', not on 'any'; write builtin.module(tileir{…})

// A name given twice: the last one counts. A boolean needs no value. Options
// without a consumer in the list are accepted silently.
// RUN: %{opt} %s --pass-pipeline='builtin.module(tileir{opt-level=7 opt-level=0 approx ftz=true dynamic-persistent=0 schedule-trace-file=/none/x enable-random-delay rrt-size-threshold=0 max-constraint-iterations=3 v2-opt-level=3 unspecialized-pipeline-num-stages=2 pipeline-strategy=warp-specialize dump-host=/none/y host-triple=none emit-line-info=tileas-boundary use-nvgpucomp-libnvvm})' 2>&1 | FileCheck %s --implicit-check-not=warning --implicit-check-not=error
// CHECK: module

module {}

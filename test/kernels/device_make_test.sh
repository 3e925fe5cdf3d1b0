#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks that device.py makes three kernels of both forms for a GPU and reports, without a GPU, that none ran.
set -eu
cd "$TEST_SRCDIR/$TEST_WORKSPACE"
made="$TEST_TMPDIR/made"
python3=/usr/bin/python3
$python3 test/kernels/device.py make "$made" --code sm_90,sm_80 test/kernels/add_vec_f32/add_vec_f32.v13_3.json \
    test/kernels/gemm_tiled_bf16/gemm_tiled_bf16.json test/kernels/small/strided_steps/strided_steps.json
for kernel in add_vec_f32.v13_3 gemm_tiled_bf16 strided_steps; do
    for code in sm_90 sm_80; do
        [ -s "$made/$kernel.$code.cubin" ] || { echo "FAILED: no $kernel.$code.cubin"; exit 1; }
    done
    grep -aq '"launch_abi": "plain"' "$made/$kernel.sm_90.cubin" || { echo "FAILED: no sidecar in $kernel"; exit 1; }
done
# A missing driver is not a success.
if [ ! -e /dev/nvidia0 ] && $python3 "$made/device.py" run "$made" >"$TEST_TMPDIR/log"; then
    cat "$TEST_TMPDIR/log"
    echo "FAILED: it ran without a GPU"
    exit 1
fi
grep -q '^FAILED: add_vec_f32.v13_3.sm_90.json: error$' "$TEST_TMPDIR/log" || [ -e /dev/nvidia0 ] || { cat "$TEST_TMPDIR/log"; exit 1; }

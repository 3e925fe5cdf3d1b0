#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Kernels of tiles that exceed the registers, of many arrays, of tiles that are live across loops, and attention of few
# rows: compiled, bounded in size, assembled without spills, run in the emulator and compared with NumPy.
#
#   rolled.sh GPU CASE...    with TILEIR_ROLLED_SPILLS set, spills are no fault; TILEIR_ROLLED_LINES: lines of PTX, if not
#                            1500; TILEIR_KERNEL_PIPELINE: further options of the pipeline
set -u
root="${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-}"
work="${TEST_TMPDIR:-$(mktemp -d)}"
gpu="$1"
shift

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

[ -x "${TILEIR_PTXAS_PATH:-}" ] || fail "TILEIR_PTXAS_PATH names no ptxas; run tools/setup/setup.sh"
cd "$root" || exit 1
pipeline="--pass-pipeline=tileir{check-barriers ${TILEIR_KERNEL_PIPELINE:-}}"
/usr/bin/python3 test/kernels/rolled/make_latent.py "$work" "$@" || fail "no cases"
for name in "$@"; do
    kernel="$work/$name"
    tools/tileir-translate/tileir-translate --mlir-to-cudatilebc "$kernel.mlir" -o "$kernel.bc" || fail "$name: no bytecode"
    tools/tileiras/tileiras "$kernel.bc" --gpu-name "$gpu" -O3 --emit=ptx "$pipeline" \
        -o "$kernel.ptx" || fail "$name: no PTX"
    lines="$(wc -l <"$kernel.ptx")"
    # The bound does not depend on the number of elements.
    [ "$lines" -le "${TILEIR_ROLLED_LINES:-1500}" ] || fail "$name: $lines lines of PTX"
    arch="$(sed -n 's/^\.target \([a-z0-9_]*\).*/\1/p' "$kernel.ptx")"
    tools/tileiras/tileiras "$kernel.bc" --gpu-name "$gpu" -O3 "$pipeline" --print-summary -o "$kernel.cubin" >"$work/log" 2>&1 ||
        fail "$name: $(cat "$work/log")"
    [ -n "${TILEIR_ROLLED_SPILLS:-}" ] || grep -q " 0+0 bytes spilled" "$work/log" || fail "$name spills: $(cat "$work/log")"
    sed "s/\"kernel\": \"[^\"]*\"/\"kernel\": \"$name.ptx\"/" "$kernel.json" >"$work/case.json"
    for seed in 1 2; do
        tools/tileir-run/tileir-run "$work/case.json" --device=emulated --arch="$arch" --seed="$seed" \
            --cubin="$kernel.cubin" >"$work/log" 2>&1 ||
            fail "$name, seed $seed: $(head -c 4000 "$work/log")"
    done
    echo "ok: $name $gpu: $lines lines of PTX"
done

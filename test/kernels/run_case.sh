#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles the kernel of a case, assembles it, runs its PTX in the emulator and compares the outputs with NumPy's.
#
#   run_case.sh CASE GPU    CASE is a path below the workspace, GPU a name that tileiras takes
#
# The PTX is assembled by the ptxas of TILEIR_PTXAS_PATH (the tile ABI) and, where TILEIR_FALLBACK_PTXAS_PATH names an
# older one, in the form for that one too. TILEIR_KERNEL_SEEDS: seeds of the emulator's schedule (default "1 2").
# TILEIR_KERNEL_ASYNC: when asynchronous work is done (default "random"; each with every seed).
# TILEIR_KERNEL_PIPELINE: further options of the pipeline.
set -u
case_file="$1" gpu="$2"
root="${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-}"
work="${TEST_TMPDIR:-$(mktemp -d)}"
tileiras="${TILEIRAS:-$root/tools/tileiras/tileiras}"
tileir_run="${TILEIR_RUN:-$root/tools/tileir-run/tileir-run}"
cd "$root" || exit 1

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# Runs a command, shows its output only if it fails.
quietly() {
    "$@" >"$work/log" 2>&1
    local status=$?
    [ $status = 0 ] && return
    cat "$work/log" >&2
    fail "status $status of: $*"
}

[ -x "${TILEIR_PTXAS_PATH:-}" ] || fail "TILEIR_PTXAS_PATH names no ptxas; run tools/setup/setup.sh"

folder="$(cd "$(dirname "$case_file")" && pwd)"
kernel="$(sed -n 's/.*"kernel": "\([^"]*\)".*/\1/p' "$case_file")"
bytecode="$folder/$kernel"
[ -f "$bytecode" ] || fail "no kernel '$kernel'"

# The PTX with the chip's suffix, its cubin, and the form for the older ptxas.
pipeline="--pass-pipeline=tileir{check-barriers ${TILEIR_KERNEL_PIPELINE:-}}"
quietly "$tileiras" "$bytecode" --gpu-name "$gpu" -O3 --emit=ptx "$pipeline" -o "$work/kernel.ptx"
quietly "$tileiras" "$bytecode" --gpu-name "$gpu" -O3 "$pipeline" -o "$work/kernel.cubin"
[ "$(head -c 4 "$work/kernel.cubin" | tail -c 3)" = ELF ] || fail "the product is no cubin"
if [ -x "${TILEIR_FALLBACK_PTXAS_PATH:-}" ]; then
    # libdevice is the pinned release's: an old ptxas may come without one.
    CUDA_ROOT="$(dirname "$(dirname "$TILEIR_PTXAS_PATH")")" TILEIR_PTXAS_PATH="$TILEIR_FALLBACK_PTXAS_PATH" \
        "$tileiras" "$bytecode" --gpu-name "$gpu" -O3 "$pipeline" -o "$work/fallback.cubin" >"$work/log" 2>&1 ||
        grep -q 'error: this ptxas does not know' "$work/log" || {
        cat "$work/log" >&2
        fail "the older ptxas does not take the kernel"
    }
fi

# The same case with the PTX as its kernel; its expectations do not move.
for file in "$folder"/*.npy "$folder"/*.txt; do [ ! -f "$file" ] || ln -sf "$file" "$work/"; done
sed 's/"kernel": "[^"]*"/"kernel": "kernel.ptx"/' "$case_file" >"$work/case.json"
for async in ${TILEIR_KERNEL_ASYNC:-random}; do
    for seed in ${TILEIR_KERNEL_SEEDS:-1 2}; do
        # The host code of the cubin fills in parameters that a launcher does not pass.
        "$tileir_run" "$work/case.json" --device=emulated --arch="$gpu" --seed="$seed" --async="$async" \
            --cubin="$work/kernel.cubin" --report="$work/report.json" >"$work/log" 2>&1
        status=$?
        [ $status = 0 ] && continue
        head -c 4000 "$work/log" >&2
        [ -f "$work/report.json" ] && head -c 4000 "$work/report.json" >&2
        fail "tileir-run, status $status, seed $seed, async $async"
    done
done
echo "ok: $case_file $gpu: $(wc -c <"$work/kernel.ptx") bytes of PTX"

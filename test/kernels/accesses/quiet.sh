#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks non-coherent loads: used for read-only memory, and nowhere else. The emulator reports any write to memory that
# such a load reads as a race: the kernel has none, but would if all its loads were non-coherent.
#
#   quiet.sh GPU
set -u
root="${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-}"
work="${TEST_TMPDIR:-$(mktemp -d)}"
gpu="$1"

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

cd "$root" || exit 1
/usr/bin/python3 test/kernels/accesses/quiet.py "$work" || fail "no case"
tools/tileir-opt/tileir-opt test/kernels/accesses/quiet.mlir \
    --pass-pipeline="builtin.module(tileir{compute-capability=$gpu opt-level=3 check-barriers})" -o "$work/quiet.mlir" ||
    fail "the pipeline"
tools/tileir-serialize/tileir-serialize "$work/quiet.mlir" -o "$work/quiet.ptx" || fail "no PTX"
arch="$(sed -n 's/^\.target \([a-z0-9_]*\).*/\1/p' "$work/quiet.ptx")"
run() {
    tools/tileir-run/tileir-run "$work/case.json" --device=emulated --arch="$arch" --seed="$1" >"$work/log" 2>&1
}

# Four arrays are loaded at most four elements per thread, the unaliased ones with non-coherent loads, hinted or not.
grep -q 'ld\.global\.nc\.[vb]' "$work/quiet.ptx" || fail "no plain load without coherence"
grep -q 'ld\.global\.nc\.L1::evict_first' "$work/quiet.ptx" || fail "no hinted load without coherence"
coherent="$(grep -c 'ld\.global\.[vb]' "$work/quiet.ptx")"
quiet="$(grep -c 'ld\.global\.nc\.' "$work/quiet.ptx")"
[ "$coherent" -ge 2 ] && [ "$quiet" -ge 3 ] || fail "$coherent coherent loads, $quiet others"
for seed in 1 2 3; do
    run "$seed" || fail "seed $seed: $(head -c 4000 "$work/log")"
done

# All loads non-coherent: some read memory that the kernel itself has written.
cp "$work/quiet.ptx" "$work/kept.ptx"
sed 's/ld\.global\.\([vb]\)/ld.global.nc.\1/' "$work/kept.ptx" >"$work/quiet.ptx"
run 1 && fail "the emulator does not see a write to what is loaded without coherence"
grep -q 'ld.global.nc is for memory that the grid does not write' "$work/log" || fail "another fault: $(head -c 4000 "$work/log")"
echo "ok: $gpu: $coherent coherent loads, $quiet others"

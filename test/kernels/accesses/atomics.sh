#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks the instructions of atomic accesses in two kernels of test/kernels/small, whose results small_test checks.
#
#   atomics.sh GPU
set -u
root="${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-}"
work="${TEST_TMPDIR:-$(mktemp -d)}"
gpu="$1"

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

cd "$root" || exit 1
for name in split_k one_address; do
    tools/tileir-translate/tileir-translate --mlir-to-cudatilebc "test/kernels/small/$name/$name.mlir" -o "$work/$name.bc" ||
        fail "$name: no bytecode"
    tools/tileiras/tileiras "$work/$name.bc" --gpu-name "$gpu" -O3 --emit=ptx -o "$work/$name.ptx" || fail "$name: no PTX"
done
count() {
    grep -c "$1" "$work/$2.ptx"
}

# Split-K: atomic adds on a view are relaxed; acq_rel needs a fence on each side of all accesses, release one before.
# Adds whose old values are unused become `red`, of several adjacent elements if the target can; an acquire is never a
# `red` (PTX ISA).
fences="$(count '[^a-z]fence\.\|membar' split_k)"
[ "$fences" = 3 ] || fail "split_k: $fences fences a thread, 2 and 1 were meant"
reds="$(count 'red\.relaxed\.gpu\.global\.add' split_k)"
vectors="$(count 'red\.relaxed\.gpu\.global\.add\.v[24]\.f32' split_k)"
atoms="$(count 'atom\.relaxed\.gpu\.global\.add' split_k)"
[ "$reds" -gt 0 ] && [ "$atoms" -gt 0 ] || fail "split_k: $reds red, $atoms atom"
[ "$(count 'atom\.\|red\.relaxed\|red\.release' split_k)" = $((reds + atoms)) ] || fail "split_k: other atomic accesses"
[ "$gpu" = sm_80 ] || [ "$vectors" = "$reds" ] || fail "split_k: $reds red, but $vectors of vectors"

# Eight kinds, a mask, a few elements, a square and a null pointer: one access per warp each. Float adds, 64-bit and
# ordered ones take one access per element, 256 in all.
for kind in add.u32 and.b32 or.b32 xor.b32 max.s32 min.s32 max.u32 min.u32; do
    grep -q "@%p[0-9]* red\.relaxed\.gpu\.global\.$kind " "$work/one_address.ptx" || fail "one_address: no $kind of one lane"
done
combined="$(count 'redux\.sync' one_address)"
[ "$combined" = 12 ] || fail "one_address: $combined combinations of a warp, 12 were meant"
[ "$(count 'red\.relaxed\.gpu\.global\.[a-z]*\.[usb]32' one_address)" -ge "$combined" ] || fail "one_address: accesses are missing"
echo "ok: $gpu: split_k $reds red ($vectors of vectors), $atoms atom, $fences fences; one_address $combined combinations"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks a block that overwrites some of its input without a token: the emulator names the lines, the arrays and the
# rule; the kernel with the token is correct.
#
#   races.sh GPU
set -u
root="${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-}"
work="${TEST_TMPDIR:-$(mktemp -d)}"
gpu="$1"

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

cd "$root" || exit 1
tools/tileir-translate/tileir-translate --mlir-to-cudatilebc --lineinfo test/kernels/races/races.mlir -o "$work/races.tileirbc" ||
    fail "no bytecode"
for entry in gradient chained; do
    cat >"$work/$entry.json" <<CASE
{"kernel": "races.tileirbc", "entry": "$entry", "grid": [1], "args": [
  {"name": "x", "dtype": "f32", "shape": [2048], "init": "normal", "seed": 1, "output": true},
  {"name": "g", "buffer": "x", "addend": 256}]}
CASE
done
run() {
    tools/tileir-run/tileir-run "$work/$1.json" --compiler=tools/tileiras/tileiras --arch="$gpu" --seed="$2" \
        --report="$work/$1.report" >"$work/$1.log" 2>&1
}
for seed in 1 2 3; do
    run chained "$seed" || fail "seed $seed: $(head -c 4000 "$work/chained.log")"
    run gradient "$seed" && fail "seed $seed: nothing found"
    load="$(grep -n load_view_tko test/kernels/races/races.mlir | head -n 1 | cut -d : -f 1)"
    store="$(grep -n store_view_tko test/kernels/races/races.mlir | head -n 1 | cut -d : -f 1)"
    grep -q "^race: .*races.mlir:\($load\|$store\):.*'x' byte .*, which shares memory with 'g' byte .* races with the .*races.mlir:\($load\|$store\):.*only a token orders" \
        "$work/gradient.log" || fail "seed $seed: $(head -c 4000 "$work/gradient.log")"
    [ "$(wc -l <"$work/gradient.log")" -le 2 ] || fail "a line for each instruction: $(head -c 4000 "$work/gradient.log")"
    grep -q "\"source\": \"[^\"]*races.mlir:$load:.*\"related\": .*\"source\": \"[^\"]*races.mlir:$store:" "$work/gradient.report" ||
        fail "seed $seed: $(head -c 4000 "$work/gradient.report")"
done
echo "ok: $gpu"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles the kernel of a case and removes from its PTX, one at a time, each barrier, or lets each wait for copies
# leave one more group in flight: the emulator has to find every one of these faults, and none in the unchanged kernel.
# Places that this input does not reach, where a trap has no effect, are skipped.
#
#   run_faults.sh CASE GPU    as for run_case.sh
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

folder="$(cd "$(dirname "$case_file")" && pwd)"
kernel="$(sed -n 's/.*"kernel": "\([^"]*\)".*/\1/p' "$case_file")"
"$tileiras" "$folder/$kernel" --gpu-name "$gpu" -O3 --emit=ptx "--pass-pipeline=tileir{check-barriers}" \
    --launch-sidecar="$work/sidecar.json" -o "$work/whole.ptx" || fail "$kernel does not compile"
for file in "$folder"/*.npy; do ln -sf "$file" "$work/"; done
sed 's/"kernel": "[^"]*"/"kernel": "kernel.ptx"/' "$case_file" >"$work/case.json"
arch="$(sed -n 's/^\.target \([a-z0-9_]*\).*/\1/p' "$work/whole.ptx")"

# Runs kernel.ptx with several schedules; fails if one of them has a finding.
run() {
    local mode seed
    for mode in late early random; do
        for seed in 1 2; do
            "$tileir_run" "$work/case.json" --device=emulated --arch="$arch" --seed="$seed" --async="$mode" \
                --sidecar="$work/sidecar.json" \
                >"$work/log" 2>&1 || return 1
        done
    done
}

# Expects a finding in the result of `plant NUMBER`, if the input reaches the match of `pattern`.
faults=0
expect_fault() { # NAME PLANT NUMBER PATTERN
    awk -v n="$3" -v pattern="$4" '$0 ~ pattern && ++i == n { print "\ttrap;"; next } { print }' \
        <"$work/whole.ptx" >"$work/kernel.ptx"
    run && return
    "$2" "$3" <"$work/whole.ptx" >"$work/kernel.ptx"
    cmp -s "$work/whole.ptx" "$work/kernel.ptx" && fail "$1 $3: nothing changed"
    run && fail "the emulator does not miss $1 $3"
    faults=$((faults + 1))
}

drop_barrier() { awk -v n="$1" '/bar\.sync/ && ++i == n { next } { print }'; }
weaken_wait() {
    awk -v n="$1" '/cp\.async\.wait_group/ && ++i == n { match($0, /[0-9]+/); $0 = "\tcp.async.wait_group " substr($0, RSTART, RLENGTH) + 1 ";" } { print }'
}

cp "$work/whole.ptx" "$work/kernel.ptx"
run || { head -c 4000 "$work/log" >&2; fail "the kernel as it is"; }
barriers="$(grep -c 'bar\.sync' "$work/whole.ptx")"
waits="$(grep -c 'cp\.async\.wait_group' "$work/whole.ptx")"
[ "$barriers" -gt 0 ] || fail "no barrier to take out"
for i in $(seq "$barriers"); do expect_fault barrier drop_barrier "$i" 'bar\\.sync'; done
for i in $(seq "$waits"); do expect_fault wait weaken_wait "$i" 'cp\\.async\\.wait_group'; done
[ "$faults" -gt 0 ] || fail "the input reaches no barrier and no wait"
echo "ok: $case_file $gpu: $faults faults found"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# launch.sh TRANSLATE TILEIRAS TILEIR_RUN INPUTS TMP: compiles excess.mlir for four GPUs and launches its kernels with
# more tile blocks than there are tiles.
set -eu
translate=$1 tileiras=$2 run=$3 inputs=$4 tmp=$5
rm -rf "$tmp" && mkdir -p "$tmp"
"$translate" --mlir-to-cudatilebc "$inputs/excess.mlir" -o "$tmp/excess.tileirbc"
/usr/bin/python3 - "$tmp" <<'EOF'
import sys
import numpy as np
rng = np.random.default_rng(1)
save = lambda name, array: np.save(sys.argv[1] + "/" + name, array)
x = rng.standard_normal(512).astype(np.float32)
h = rng.standard_normal((64, 32)).astype(np.float16)
save("x.npy", x), save("h.npy", h), save("turned.npy", np.ascontiguousarray(h.T))
save("ones.npy", np.ones(512, np.int32)), save("pair.npy", np.repeat(40 + np.arange(4), 64).astype(np.int32))
EOF
case_file() { echo "{\"kernel\": \"k.ptx\", \"entry\": \"$1\", \"grid\": $2, \"args\": [$3]}" >"$tmp/$1.json"; }
case_file copy '[7, 1, 1]' '{"name": "x", "dtype": "f32", "shape": [512], "init": "@x.npy"},
  {"name": "y", "dtype": "f32", "shape": [512], "init": "poison", "output": true, "expect": "x.npy"},
  {"name": "sum", "dtype": "i32", "shape": [512], "init": "zeros", "output": true, "expect": "ones.npy"}'
case_file turn '[3, 5, 1]' '{"name": "x", "dtype": "f16", "shape": [64, 32], "init": "@h.npy"},
  {"name": "y", "dtype": "f16", "shape": [32, 64], "init": "poison", "output": true, "expect": "turned.npy"}'
case_file pair '[4, 1, 1]' '{"name": "y", "dtype": "i32", "shape": [256], "init": "poison", "output": true, "expect": "pair.npy"}'
for gpu in sm_80 sm_90 sm_100 sm_120; do
    for opt in O0 O3; do
        "$tileiras" "$tmp/excess.tileirbc" --gpu-name $gpu -$opt '--pass-pipeline=tileir{num-warps=4}' --emit=ptx -o "$tmp/k.ptx"
        "$tileiras" "$tmp/excess.tileirbc" --gpu-name $gpu -$opt '--pass-pipeline=tileir{num-warps=4}' -o "$tmp/k.cubin"
        # One kernel asks for two CTAs on sm_90 and for four on sm_100, and gets them.
        case $gpu in sm_90) wanted='.reqnctapercluster 2, 1, 1' ;; sm_100) wanted='.reqnctapercluster 4, 1, 1' ;; *) wanted= ;; esac
        [ "$(grep '^\.reqnctapercluster' "$tmp/k.ptx")" = "$wanted" ] || { echo "$gpu: not '$wanted'"; exit 1; }
        [ "$(grep -c '^\.reqntid 128' "$tmp/k.ptx")" = 3 ] || { echo "$gpu: not 128 threads"; exit 1; }
        arch=$(sed -n 's/^\.target \([a-z0-9_]*\).*/\1/p' "$tmp/k.ptx")
        for kernel in copy turn pair; do
            "$run" "$tmp/$kernel.json" --arch="$arch" >"$tmp/log" 2>&1 || { echo "$gpu -$opt $kernel:"; cat "$tmp/log"; exit 1; }
            echo "ok $gpu -$opt $kernel"
        done
    done
done

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Replaces our tileiras as the compiler of tileir-run: calls the closed one, which passes its PTX to the ptxas that it
# finds below CUDA_ROOT. This script is that ptxas, too: it keeps the PTX and calls the real one.
#
#   closed_compiler.sh KERNEL --gpu-name ARCH … --emit=ptx|cubin -o OUTPUT
set -eu
if [ -n "${TILEIR_KEEP_PTX:-}" ]; then
    for word in "$@"; do
        case "$word" in *.ptx) cp "$word" "$TILEIR_KEEP_PTX" ;; esac
    done
    exec "$TILEIR_PTXAS_PATH" "$@"
fi

args=() emit=cubin output=
while [ $# -gt 0 ]; do
    case "$1" in
    --emit=*) emit="${1#--emit=}" ;;
    -o) output="$2"; shift ;;
    *) args+=("$1") ;;
    esac
    shift
done
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
installed="$(dirname "$(dirname "$TILEIR_PEER_TILEIRAS")")"
mkdir -p "$work/bin"
ln -s "$(readlink -f "$0")" "$work/bin/ptxas"
for part in nvvm lib include; do ln -s "$installed/$part" "$work/$part"; done
unset CUDA_HOME
CUDA_ROOT="$work" TILEIR_KEEP_PTX="$work/kernel.ptx" "$TILEIR_PEER_TILEIRAS" "${args[@]}" -o "$work/kernel.cubin"
case "$emit" in
ptx) cp "$work/kernel.ptx" "$output" ;;
*) cp "$work/kernel.cubin" "$output" ;;
esac

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
previous=
for a in "$@"; do
    case $a in
    --emit=*) emit=${a#--emit=} ;;
    --launch-sidecar=*) cp "$COMPILER_FILES/hidden-sidecar.json" "${a#--launch-sidecar=}" ;;
    esac
    [ "$previous" = -o ] && out=$a
    previous=$a
done
case $emit in
ptx) cp "$COMPILER_FILES/hidden.ptx" "$out" ;;
*) cp "$COMPILER_FILES/fake.cubin" "$out" ;;
esac

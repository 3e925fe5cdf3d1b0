#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
for a in "$@"; do
    case $a in --emit=*) emit=${a#--emit=} ;; esac
    out=$a
done
case $emit in
ptx) cp "$COMPILER_FILES/hidden.ptx" "$out" ;;
*) cp "$COMPILER_FILES/fake.cubin" "$out" ;;
esac

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# run.sh SCRIPT KERNEL OPTION...    one of the scripts here for a kernel of test/data/perf, or for one that tuples.py writes
set -eu
script="$1" kernel="$2"
shift 2
[ "$script" != variants.py ] || set -- --tileir-translate tools/tileir-translate/tileir-translate "$@"
cd "${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-}"
if [ "$script" = tuples.py ]; then
    set -- "$@" --tileir-translate tools/tileir-translate/tileir-translate "$kernel"
else
    set -- "$@" "test/data/perf/kernels/$kernel.tileirbc"
fi
exec /usr/bin/python3 "test/kernels/pipelined/$script" --tileiras tools/tileiras/tileiras \
    --tileir-run tools/tileir-run/tileir-run "$@"

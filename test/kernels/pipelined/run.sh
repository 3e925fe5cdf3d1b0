#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# run.sh SCRIPT KERNEL OPTION...    runs a script of this folder on a kernel of test/data/perf, or on one that the
# script writes
set -eu
translate="" interp="" run=1 script="$1" name="$2" kernel="test/data/perf/kernels/$2.tileirbc"
case "$script" in
chains.py | faults.py | grids.py | variants.py) translate=1 ;;
issue.py) run="" ;;
reference.py) interp=1 ;;
esac
shift 2
cd "${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-}"
# Modules that the rule lists.
export PYTHONPATH="${MODULES:+$(dirname "$MODULES")}"
[ -e "$kernel" ] || kernel="$name" translate=1
exec /usr/bin/python3 "test/kernels/pipelined/$script" --tileiras tools/tileiras/tileiras \
    ${run:+--tileir-run tools/tileir-run/tileir-run} \
    ${translate:+--tileir-translate tools/tileir-translate/tileir-translate} \
    ${interp:+--tileir-interp tools/tileir-interp/tileir-interp} "$@" "$kernel"

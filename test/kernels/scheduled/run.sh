#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# run.sh SCRIPT KERNELS OPTION...    runs a script of this folder on kernels of test/data/perf, names or patterns
set -eu
script="$1" names="$2" kernels=()
shift 2
cd "${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-}"
# Modules that the rule lists.
export PYTHONPATH="${MODULES:+$(dirname "$MODULES")}"
for name in $names; do
    for kernel in test/data/perf/kernels/$name.tileirbc; do
        kernels+=("$kernel")
    done
done
exec /usr/bin/python3 "test/kernels/scheduled/$script" --tileiras tools/tileiras/tileiras --tileir-run tools/tileir-run/tileir-run "$@" "${kernels[@]}"

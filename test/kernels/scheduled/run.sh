#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# run.sh KERNEL OPTION...    check.py for a kernel of test/data/perf
set -eu
kernel="test/data/perf/kernels/$1.tileirbc"
shift
cd "${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-}"
exec /usr/bin/python3 test/kernels/scheduled/check.py --tileiras tools/tileiras/tileiras --tileir-run tools/tileir-run/tileir-run "$@" "$kernel"

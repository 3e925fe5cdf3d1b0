#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# run.sh OPTION... KERNEL.tileirbc...    kernels with hints, as shipped.py runs them
set -eu
cd "${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-}"
exec /usr/bin/python3 test/kernels/shipped/shipped.py --tileiras tools/tileiras/tileiras --tileir-run tools/tileir-run/tileir-run "$@"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The small kernels of test/kernels/small on four architectures and two levels of optimisation.
#
#   small.sh [OPTION...]    further options of tileir-check
set -eu
root="${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-}"
cd "$root"
export TILEIR_NEWEST_RULES=1 # some of them are of the newest release
[ -x "${TILEIR_PTXAS_PATH:-}" ] || { echo "TILEIR_PTXAS_PATH names no ptxas; run tools/setup/setup.sh" >&2; exit 1; }
tools/tileir-check/tileir-check test/kernels/small/*/*.json --arch=sm_80,sm_90a,sm_100a,sm_120a --opt=O0,O3 --async=late,random \
    --tileiras=tools/tileiras/tileiras --tileir-run=tools/tileir-run/tileir-run -j 2 "$@"
# The last GPU without the instruction.
tools/tileir-check/tileir-check test/kernels/small/bf16_add/bf16_add.json --arch=sm_89 \
    --tileiras=tools/tileiras/tileiras --tileir-run=tools/tileir-run/tileir-run "$@"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks the small kernels of test/kernels/small on four architectures: optimised on all, not optimised on those that
# are named.
#
#   small.sh UNOPTIMISED [OPTION...]    architectures with -O0, separated by commas; further options of tileir-check
set -eu
root="${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-}"
cd "$root"
export TILEIR_NEWEST_RULES=1 # some of them are of the newest release
[ -x "${TILEIR_PTXAS_PATH:-}" ] || { echo "TILEIR_PTXAS_PATH names no ptxas; run tools/setup/setup.sh" >&2; exit 1; }
unoptimised=$1
shift
check() {
  tools/tileir-check/tileir-check "$@" --tileiras=tools/tileiras/tileiras --tileir-run=tools/tileir-run/tileir-run
}
check test/kernels/small/*/*.json --arch=sm_80,sm_90a,sm_100a,sm_120a --opt=O3 --async=late,random -j 2 "$@"
check test/kernels/small/*/*.json --arch="$unoptimised" --opt=O0 --async=late,random -j 2 "$@"
# The last GPU without the instruction.
check test/kernels/small/bf16_add/bf16_add.json --arch=sm_89 "$@"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# run.sh KERNEL OPTION...    one kernel of kernels.py, as clusters.py runs it
set -eu
kernel="$1"
shift
cd "${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-}"
exec /usr/bin/python3 test/kernels/clusters/clusters.py --tileiras tools/tileiras/tileiras --tileir-run tools/tileir-run/tileir-run \
    --tileir-translate tools/tileir-translate/tileir-translate "$@" "$kernel"

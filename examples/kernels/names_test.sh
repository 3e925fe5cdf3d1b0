#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An unknown kernel name is an error that lists the known names.
set -euo pipefail
! bash "$(dirname "$0")/run.sh" nosuch 2>"$TEST_TMPDIR/err"
grep -qx 'usage: examples/kernels/run.sh KERNEL \[TARGET\]; kernels are: add attention softmax' "$TEST_TMPDIR/err"

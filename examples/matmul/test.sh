#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs run.sh on the tools of this build; the result must exist and be near NumPy's.
set -euo pipefail
TILEIR_BIN=$PWD bash "$(dirname "$0")/run.sh" "$@" | tee "$TEST_TMPDIR/shown"
grep -q "^largest difference 0[.0-9]* of values" "$TEST_TMPDIR/shown"

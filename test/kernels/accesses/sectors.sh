#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks sectors and bank conflicts of row kernels: sectors.sh GPU [KERNEL...]
exec python3 "${TEST_SRCDIR:-.}/${TEST_WORKSPACE:-}/test/kernels/accesses/sectors.py" "$@"

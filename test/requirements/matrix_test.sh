#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks that every numbered requirement is named by a test, and that no test names a nonexistent one.
exec python3 "$(dirname "$(readlink -f "$0")")/matrix.py" --check

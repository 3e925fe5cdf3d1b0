#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Every numbered requirement is named by a test; no test names one that does not exist.
exec python3 "$(dirname "$(readlink -f "$0")")/matrix.py" --check

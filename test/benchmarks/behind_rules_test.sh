#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
exec /usr/bin/python3 "$(dirname "$0")/behind_test.py" -v

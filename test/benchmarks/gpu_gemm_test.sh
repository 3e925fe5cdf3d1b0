#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
exec /usr/bin/python3 "$(dirname "$0")/gpu_gemm_test.py" -v "$@"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes compile_flags.txt, the compiler flags that clangd uses for every source here. Generated headers come from
# bazel-bin: build once before.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
printf '%s\n' -std=c++17 -fno-exceptions -Wall -Wextra -Wno-unused-parameter -I. -Ibazel-bin -isystem "${LLVM_PREFIX:-/usr/lib/llvm-22}/include" \
  -include third_party/llvm/mlir_pch.h >compile_flags.txt

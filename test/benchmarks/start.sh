#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `bazel run //test/benchmarks:start`: overhead of a call beyond the compilation; needs tools/setup/setup.sh --peers.
set -eu
here="$(pwd)"
# shellcheck disable=SC1091
. "${BUILD_WORKSPACE_DIRECTORY:-.}/.tileir/env.sh"
cd "${BUILD_WORKING_DIRECTORY:-$here}"
exec /usr/bin/python3 "$here/test/benchmarks/start.py" --ours "$here/tools/tileiras/tileiras" --closed "$TILEIR_PEER_TILEIRAS" \
  --ptxas "$TILEIR_PTXAS_PATH" --bytecode "$here/test/data/tileirbc/add_vec_f32.v13_1.tileirbc" "$@"

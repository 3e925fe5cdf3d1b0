#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs `bazel run //test/numerics:ulps`, and its test.
set -eu
here="$(pwd)"
tools="$here/tools"
exec /usr/bin/python3 -W ignore "$here/test/numerics/ulps.py" "$@" "$tools/tileiras/tileiras" "$tools/tileir-translate/tileir-translate" \
  "$tools/tileir-run/tileir-run"

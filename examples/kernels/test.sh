#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs run.sh on the tools of this build.
set -euo pipefail
TILEIR_BIN=$PWD exec bash "$(dirname "$0")/run.sh" "$@"

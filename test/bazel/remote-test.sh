#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Remote cache and remote execution on a server of this machine, see remote/check.py.
# Usage: remote-test.sh KERNELS DEFS
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
tileir=$(dirname "$(dirname "$(readlink -f "$2")")")
if [ ! -d "${TILEIR_BUILDGRID_PATH:-}" ]; then
  echo "SKIPPED: no BuildGrid; run tools/setup/setup.sh --remote"
  exit 0
fi
if ! unshare --user --map-root-user --net --mount --pid --fork true 2>/dev/null; then
  echo "SKIPPED: no namespaces for workers on this machine"
  exit 0
fi
work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/remote.XXXXXX")
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
export HOME=${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)} PYTHONDONTWRITEBYTECODE=1
packages/install "$work/prefix"
/usr/bin/python3 "$here/remote/check.py" "$tileir" "$work/prefix" "$1" "$work" --table
echo ok

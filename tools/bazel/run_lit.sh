#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs one lit test out of the runfiles: run_lit.sh TEST, a path below the workspace.
set -eu
root="${TEST_SRCDIR}/${TEST_WORKSPACE}"
# In an external repository the files are in a folder beside the main workspace.
case "$1" in
../*) test="${TEST_SRCDIR}/${1#../}" ;;
*) test="${root}/$1" ;;
esac
export TILEIR_RUNFILES="$root"
work="${TEST_TMPDIR}/lit"
mkdir -p "$work"
# lit searches for its configuration upwards from the test: copy both into one folder.
cp "$root/test/lit.cfg.py" "$work/lit.cfg.py"
dir="$work/$(dirname "$1")"
mkdir -p "$dir"
for f in "$(dirname "$test")"/*; do ln -sf "$(readlink -f "$f")" "$dir/"; done
exec "${TEST_SRCDIR}/llvm/bin/lit" -v --no-progress-bar "$dir/$(basename "$1")"

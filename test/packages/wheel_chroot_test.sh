#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# PK-5: in a root of Debian 12, or in that which TILEIR_CHROOT names, a virtual environment with the wheel alone compiles a
# kernel to a cubin and runs it in the emulator; with cuTile beside it, tileir.use() makes cuTile compile by it. Prints seconds.
#
#   bazel test --test_output=all //test/packages:wheel_chroot_test [--test_env=TILEIR_CHROOT=FOLDER]
set -euo pipefail
# shellcheck source=test/packages/chroot.sh
. test/packages/chroot.sh
fail() { echo "FAILED: $*"; exit 1; }
work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/wheel.XXXXXX")
CHROOT=$work/chroot
trap 'remove_chroot "$CHROOT"; rm -rf "$work"' EXIT
wheel=$(realpath "$(ls packages/wheel/*.whl)")
probe=$(realpath test/packages/chroot_probe.py)
timed() { # WHAT COMMAND...
  local what=$1 start=$EPOCHREALTIME
  shift
  "$@" >"$work/log" 2>&1 || { cat "$work/log"; fail "$what"; }
  awk -v from="$start" -v to="$EPOCHREALTIME" -v what="$what" 'BEGIN { printf "%6.1f s  %s\n", to - from, what }'
}

make_chroot "$CHROOT" python3,python3-venv || exit 0
echo "glibc $(glibc_of), $(inside python3 --version)"
# The network is this machine's.
for file in resolv.conf hosts; do cp -L "/etc/$file" "$CHROOT/etc/$file"; done
mkdir -p "$CHROOT/tmp/wheels"
cp -L /etc/ssl/certs/ca-certificates.crt "$CHROOT/tmp/ca.pem"
cp "$wheel" "$CHROOT/tmp/wheels/"
cp "$probe" "$CHROOT/tmp/probe.py"
own=/tmp/wheels/$(basename "$wheel")

timed "python3 -m venv" inside python3 -m venv /tmp/venv
pip() { inside /tmp/venv/bin/pip --quiet --disable-pip-version-check --cert /tmp/ca.pem "$@"; }
timed "downloads" pip download --dest /tmp/wheels "$own" "cuda-tile==1.7.0"
timed "pip install tileir" pip install --no-index --find-links=/tmp/wheels "$own"
inside /tmp/venv/bin/pip --disable-pip-version-check list
user() { inside env PATH=/tmp/venv/bin:/usr/bin:/bin "$@"; }
kernels=$(user python -c 'import os, tileir; print(os.path.dirname(tileir.__file__))')/share/tileir/examples/kernels
timed "tileir-config --check, for all but LLVM" user bash -c 'tileir-config --check | grep "^ptxas 13"'
timed "text to bytecode" user tileir-translate --mlir-to-cudatilebc "$kernels/attention.mlir" -o /tmp/k.tileirbc
timed "attention to a cubin" user tileiras /tmp/k.tileirbc -o /tmp/k.cubin --gpu-name sm_90
timed "attention to PTX" user tileiras /tmp/k.tileirbc -o /tmp/k.ptx --gpu-name sm_90 --emit=ptx
timed "NumPy's answer" user python "$kernels/make_case.py" attention k.ptx /tmp
timed "attention in the emulator" user tileir-run /tmp/case.json --arch=sm_90 --cubin=/tmp/k.cubin
grep -q "^ok: 1 output compared, 8 checks, " "$work/log" || { cat "$work/log"; fail "tileir-run compared nothing"; }
cat "$work/log"
timed "pip install cuda-tile" pip install --no-index --find-links=/tmp/wheels cuda-tile
timed "cuTile, by tileir.use() and in the emulator" user python /tmp/probe.py
cat "$work/log"

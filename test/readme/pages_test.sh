#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# PK-50: the commands of docs/start/emulator.md, remarks.md and plugins.md run verbatim, in this order, with an installation on
# the path. What the last two call `kernel` is the kernel of the first.
set -euo pipefail
if [ ! -x "${TILEIR_PTXAS_PATH:-}" ]; then
  echo "SKIPPED: no ptxas; run tools/setup/setup.sh"
  exit 0
fi
fail() { echo "FAILED: $*"; exit 1; }
work=$TEST_TMPDIR/work
mkdir -p "$work/bin" "$work/prefix"
tar -xf packages/files.tar -C "$work/prefix"
cd "$work"
ln -s prefix/share/tileir/{docs,examples} .
ln -s "${LLVM_PREFIX:-/usr/lib/llvm-22}/bin/mlir-opt" bin/mlir-opt-22
export PATH=$PWD/prefix/bin:$PWD/bin:/usr/bin:/bin${TILEIR_PEER_NVCC:+:${TILEIR_PEER_NVCC%/*}} HOME=$PWD

# The blocks of commands of page $1: BLOCK.N.sh.
commands() {
  awk -v page="$1" '/^```/ { if (inside) inside = 0; else if ($0 == "```" || $0 == "```sh") { ++block; inside = 1 } else inside = 2; next }
    inside == 1 { print > (page "." block ".sh") }' "docs/start/$1.md"
}
run() { # BLOCK
  bash -euo pipefail "$1" >"$1.log" 2>&1 || { cat "$1" "$1.log"; fail "$1"; }
}

commands emulator
[ "$(ls emulator.*.sh | wc -l)" = 3 ] || fail "emulator.md has other blocks"
run emulator.1.sh
run emulator.2.sh
[ -f results/c.npy ] || fail "no results"
if command -v nvcc >/dev/null; then
  run emulator.3.sh
else
  echo "SKIPPED: no nvcc; run tools/setup/setup.sh --peers"
  cp emulator.2.sh.log emulator.3.sh.log
fi
for block in 1 2 3; do
  grep -q "^ok: 1 output compared, 8 checks, " emulator.$block.sh.log || { cat emulator.$block.sh.log; fail "block $block of emulator.md compared nothing"; }
done
grep -q "^ok   whole.json sm_90a -O3: 1 run" emulator.2.sh.log || { cat emulator.2.sh.log; fail "tileir-check"; }

commands remarks
[ "$(ls remarks.*.sh | wc -l)" = 1 ] || fail "remarks.md has other blocks"
run remarks.1.sh
grep -q '^ *--> "examples/kernels/add.mlir":13:' remarks.1.sh.log || { cat remarks.1.sh.log; fail "no remark at a line of the kernel"; }

commands plugins
[ "$(ls plugins.*.sh | wc -l)" = 1 ] || fail "plugins.md has other blocks"
tileir-translate --cudatilebc-to-mlir kernel.tileirbc -o kernel.mlir
run plugins.1.sh
grep -q nvvm.kernel plugins.1.sh.log || fail "the plugin lowered nothing"

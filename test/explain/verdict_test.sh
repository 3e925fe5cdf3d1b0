#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# PK-20: three sentences for matmul, attention and softmax, by numbers and not by names; source, remarks, PTX and
# registers of each line as text.
set -euo pipefail
: "${kernels:=}"
. test/explain/tools.sh
if [ ! -x "${TILEIR_PTXAS_PATH:-}" ]; then
  echo "SKIPPED: no ptxas; run tools/setup/setup.sh"
  exit 0
fi
work=$TEST_TMPDIR

# says KERNEL GPU PATTERN...: expects the sentences, one pattern each.
says() {
  local kernel=$1 gpu=$2 number=0 line
  shift 2
  explain "$kernel" --gpu "$gpu" --json "$work/data.json" >"$work/said"
  [ "$(wc -l <"$work/said")" = 3 ] || { cat "$work/said"; fail "$kernel: not three sentences"; }
  while read -r line; do
    number=$((number + 1))
    grep -qE -- "${!number}" <<<"$line" || { cat "$work/said"; fail "$kernel, sentence $number: not '${!number}'"; }
  done <"$work/said"
}

# Its copies and the operands of its MMAs need the shared memory port for longer than its MMAs need the tensor cores:
# 640 cycles to 512. A tile of twice the width has 1024 and 1024 (docs/measurements/model.md has the rates).
says "$kernels/gemm_bf16_128x128x64.tileirbc" sm_90 'Bound by the shared-memory port: .* busy (8|9)[0-9] %' \
  'at line [0-9]+ take 512 cycles.*shared memory 640 cycles' '128x256 in place of 128x128'
cp "$work/said" "$work/gemm"
says "$kernels/attn_full_bf16_d64_128x64.tileirbc" sm_90 \
  'Bound by (the special-function unit \(MUFU\)|the tensor cores|issue slots): .* busy (5|6)[0-9] %.*(MUFU|tensor cores)' \
  'warp instructions' '.'
# 16,384 bytes of a row, of which an SM receives 13.9 per cycle.
says "$kernels/softmax_bf16_4096.tileirbc" sm_90 'Bound by memory \(DRAM\): a block moves 16,384 bytes, .* 13\.9 bytes' \
  'moves every byte once' 'Move fewer bytes'

# The verdict does not depend on the kernel's name: the matmul as `softmax`.
tileirdisasm --module "$kernels/gemm_bf16_128x128x64.tileirbc" | sed 's/@gemm_bf16_128x128x64/@softmax/' >"$work/renamed.mlir"
says "$work/renamed.mlir" sm_90 . . .
diff "$work/gemm" "$work/said" || fail "the name of a kernel changes its verdict"

# Without a launch the scheduler's model decides.
explain "$kernels/gemm_bf16_128x256x64.tileirbc" --no-launch >"$work/said"
grep -q "Bound by the tensor cores: an iteration of the loop at line [0-9]* takes 1,024 cycles" "$work/said" || {
  cat "$work/said"
  fail "no verdict by the scheduler's model"
}

# If locations name a readable file, its lines are shown.
seq -f 'line %g of softmax' 40 >"$work/norm.py"
tileirdisasm --module -g "$kernels/softmax_bf16_4096.tileirbc" | sed "s|\"/src/[^\"]*/kernels/norm.py\"|\"$work/norm.py\"|
  s|di_file<\"norm.py\" in \"[^\"]*\">|di_file<\"norm.py\" in \"$work\">|" >"$work/located.mlir"
tileir-translate --mlir-to-cudatilebc "$work/located.mlir" -o "$work/located.tileirbc"
explain "$work/located.tileirbc" --gpu sm_100 --text >"$work/text"
grep -q "^Lines of $work/norm.py" "$work/text" || { cat "$work/text"; fail "the source is not shown"; }
grep -qE "^ +7 +[0-9]+ .* line 7 of softmax" "$work/text" || { cat "$work/text"; fail "no line of the load"; }
grep -q "no tensor copy" "$work/text" || fail "no remark"
grep -qE "^  ptxas +[0-9]+" "$work/text" || fail "no registers of ptxas"
grep -qE "^  dram_bytes +16,384 bytes +what DRAM" "$work/text" || fail "no counter with unit and meaning"

# A custom launch: one block of 128 rows, with the arguments of `tileir-run`.
tileir-run "$kernels/softmax_bf16_4096.tileirbc" --init="$work/case.json" --arch=sm_90 2>"$work/said"
explain "$kernels/softmax_bf16_4096.tileirbc" --case "$work/case.json" --text >"$work/text"
grep -q "^Launch: case $work/case.json, grid 1x1x1" "$work/text" || fail "the case is not the launch"
grep -qE "^  global_bytes +512 bytes" "$work/text" || fail "the case has rows of 128 elements"

# Everything about one line, here of the load: its operation, its instructions.
explain "$work/located.tileirbc" --gpu sm_100 --no-launch --line 7 >"$work/text"
for expected in '^  line 7 of softmax' '^missed: no tensor copy' 'load_view_tko' 'nv_tileas\.tiled_load' '[0-9]  *ld\.global'; do
  grep -qE "$expected" "$work/text" || { head -50 "$work/text"; fail "line 7 has no '$expected'"; }
done

# Missing files and programs are named.
explain "$kernels/add_f32_1024.tileirbc" --nvdisasm=/nowhere --text --no-launch >"$work/text"
grep -q "No machine code is shown: '/nowhere' failed" "$work/text" || { tail -5 "$work/text"; fail "nothing about nvdisasm"; }
! explain nothing.tileirbc 2>"$work/said" || fail "a file that is missing is explained"
grep -q "^error: cannot read 'nothing.tileirbc'" "$work/said" || fail "$(cat "$work/said")"
! explain "$kernels/add_f32_1024.tileirbc" --entry none 2>"$work/said" || fail "a kernel that is missing is explained"
grep -q "^error: no kernel is called 'none'; there are add_f32_1024" "$work/said" || fail "$(cat "$work/said")"

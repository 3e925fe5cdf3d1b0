#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# PK-21: the pages of ten kernels open in headless Chromium without a message on the console, and arrow keys choose lines.
# Screenshots for people are in the test's undeclared outputs, in light and dark.
set -euo pipefail
: "${kernels:=}"
. test/explain/tools.sh
browser=$(command -v chromium || true)
if [ -z "$browser" ] || [ ! -x "${TILEIR_PTXAS_PATH:-}" ]; then
  echo "SKIPPED: no chromium or no ptxas; apt-get install chromium"
  exit 0
fi
out=${TEST_UNDECLARED_OUTPUTS_DIR:-$TEST_TMPDIR}
chrome() { HOME=$TEST_TMPDIR "$browser" --headless=new --no-sandbox --disable-gpu --enable-logging=stderr --host-resolver-rules='MAP * ~NOTFOUND' "$@"; }
pages=0
while read -r kernel gpu; do
  page=$out/$kernel.$gpu.html
  explain "$kernels/$kernel.tileirbc" --gpu "$gpu" --html "$page" >"$out/$kernel.$gpu.txt"
  for theme in light dark; do
    dark=()
    [ "$theme" = light ] || dark=(--force-dark-mode)
    chrome "${dark[@]}" --window-size=1500,2600 --screenshot="$out/$kernel.$gpu.$theme.png" "file://$page" 2>"$out/log"
    ! grep CONSOLE "$out/log" || fail "$kernel on $gpu ($theme): a message on the console"
    [ -s "$out/$kernel.$gpu.$theme.png" ] || fail "$kernel on $gpu: no screenshot"
  done
  cat "$page" test/explain/keyboard.html >"$out/keyboard.html"
  chrome --dump-dom "file://$out/keyboard.html" >"$out/dom" 2>"$out/log"
  ! grep CONSOLE "$out/log" || fail "$kernel on $gpu: a message on the console after keys"
  grep -q 'data-ready="yes"' "$out/dom" || fail "$kernel on $gpu: the page is not drawn to its end"
  grep -q 'data-keyboard="works"' "$out/dom" || fail "$kernel on $gpu: keys choose no line"
  pages=$((pages + 1))
done <<'LIST'
gemm_bf16_128x256x64 sm_90
gemm_bf16_128x128x64 sm_100
gemm_e4m3_128x128x128 sm_120
gemm_f32_128x128x16 sm_80
attn_causal_bf16_d64_128x64 sm_100
attn_full_bf16_d128_128x128 sm_90
softmax_bf16_4096 sm_90
softmax_online_bf16_4096 sm_80
layernorm_bf16_1024 sm_100
transpose_f32_128x64 sm_90
add_f32_1024 sm_120
LIST
[ "$pages" -ge 10 ] || fail "not ten pages"
# The check can fail.
sed 's/^showHead();/showNothing();/' "$page" >"$out/broken.html"
chrome --dump-dom "file://$out/broken.html" >"$out/dom" 2>"$out/log"
grep -q CONSOLE "$out/log" || fail "an error of the page is not seen"
echo "$pages pages opened"

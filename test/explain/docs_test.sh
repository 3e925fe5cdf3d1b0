#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the commands of docs/start/explain.md verbatim; the first one prints what the page shows.
set -euo pipefail
. test/explain/tools.sh
if [ ! -x "${TILEIR_PTXAS_PATH:-}" ]; then
  echo "SKIPPED: no ptxas; run tools/setup/setup.sh"
  exit 0
fi
mkdir "$TEST_TMPDIR/bin"
printf '#!/bin/sh\nexec /usr/bin/python3 "%s" "$@"\n' "$PWD/tools/tileir-explain/tileir-explain.py" >"$TEST_TMPDIR/bin/tileir-explain"
chmod +x "$TEST_TMPDIR/bin/tileir-explain"
PATH=$TEST_TMPDIR/bin:$PATH
page=$(find docs/ -name explain.md)
root=$PWD
cp "$page" "$TEST_TMPDIR/page.md"
cd "$TEST_TMPDIR"
ln -s "$root/test" test
# Blocks without a language, one command each.
awk '/^```/ { inside = $0 == "```" && !inside && !other; other = $0 != "```" || (other && $0 != "```"); next } inside' page.md >commands
[ "$(wc -l <commands)" = 2 ] || { cat commands; fail "not two commands"; }
bash -euo pipefail -c "$(sed -n 1p commands)" >said
awk '/^```text/ { inside = 1; next } /^```/ { inside = 0 } inside' page.md >expected
diff expected said || fail "docs/start/explain.md has other sentences"
bash -euo pipefail -c "$(sed -n 2p commands)"
grep -q "Lines of gemm_bf16_128x128x64.tileirbc as text" gemm.txt || fail "no lines in the text"
grep -q '<script type="application/json" id="data">{' gemm.html || fail "no page"
! grep -qE "@(TITLE|DATA)@|(src|href)=[\"']?https?:" gemm.html || fail "the page is not complete"

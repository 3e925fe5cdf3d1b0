#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# PK-20: one table has the unit and the meaning of every number; docs/start/remarks.md is generated from it, and remarks use
# no other numbers.
set -euo pipefail
: "${kernels:=}"
. test/explain/tools.sh
cat >"$TEST_TMPDIR/check.py" <<'PY'
import glob
import re
import sys
import types

package = types.ModuleType("tileir")
package.__path__ = ["python/tileir"]
sys.modules["tileir"] = package
from tileir import _explain_numbers as numbers  # noqa: E402

pages = [p for p in glob.glob("docs/**/remarks.md", recursive=True)]
with open(pages[0], encoding="utf-8") as file:
    page = file.read()
table = re.search(r"<!-- numbers: .*? -->\n\n(.*?)\n<!-- end of numbers -->", page, re.S)
if not table or table[1] != numbers.markdown():
    sys.exit("docs/start/remarks.md is not what the table says: python3 tools/tileir-explain/numbers.py")
for title, group in numbers.GROUPS.items():
    for name, number in group.items():
        if not number.unit or not number.meaning or number.meaning[-1] in ".;":
            sys.exit(f"{title}: {name} has no unit, no meaning, or a final period")
PY
/usr/bin/python3 "$TEST_TMPDIR/check.py" || fail "the table and docs/start/remarks.md differ"
[ -x "${TILEIR_PTXAS_PATH:-}" ] || exit 0
while read -r kernel gpu; do
  tileiras "$kernels/$kernel.tileirbc" --gpu-name "$gpu" -o "$TEST_TMPDIR/cubin" --explain-json="$TEST_TMPDIR/$kernel.$gpu.json"
done <<'LIST'
gemm_persistent_bf16_128x128x64 sm_80
gemm_e4m3_128x128x128 sm_90
attn_causal_bf16_d64_128x64 sm_100
layernorm_bf16_1024 sm_90
LIST
/usr/bin/python3 - "$TEST_TMPDIR"/*.json <<'PY'
import json
import sys
import types

package = types.ModuleType("tileir")
package.__path__ = ["python/tileir"]
sys.modules["tileir"] = package
from tileir import _explain_numbers as numbers  # noqa: E402

seen = set()
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        seen |= {key for remark in json.load(file)["remarks"] for key, _ in remark["notes"]}
if len(seen) < 20 or seen - set(numbers.REMARKS):
    sys.exit(f"FAILED: remarks have numbers that the table has not: {sorted(seen - set(numbers.REMARKS))} of {sorted(seen)}")
PY

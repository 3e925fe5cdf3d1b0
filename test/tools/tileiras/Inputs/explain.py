# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""explain.py FILE: prints lines of the output of --explain-json."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    data = json.load(file)
for kernel in data["kernels"]:
    print(f"kernel {kernel['name']}, {kernel['registers']} registers, {kernel['threads']} threads")
print(f"rate of F16 on {data['target']['name']}: {data['target']['mma_rates']['F16']}")
for remark in data["remarks"]:
    print(f"remark {remark['name']}: {', '.join(' '.join(note) for note in remark['notes'])}")
for item in sorted(data["storage"], key=lambda s: (s["kind"], s["space"], s["begin"])):
    print(f"storage {item['space']} {item['kind']} [{item['begin']}, {item['end']}), {item.get('slots', 0)} slots")
print(f"loops: {len(data['loops'])}")
print(f"last pass: {data['passes'][-1]['pass']}")
if not all(o["text"] and o["first"] <= o["last"] for o in data["operations"]):
    sys.exit("an operation has no text")

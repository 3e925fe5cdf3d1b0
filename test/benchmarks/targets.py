# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the table of targets (dialects/support/Targets.def) and computes how many CTAs fit on an SM."""

import math
import os
import re

# The columns of TILEIR_TARGET that are read here, by position.
FIELDS = {
    "smem_sm": 10,
    "smem_block": 11,
    "smem_reserved": 12,
    "threads_sm": 13,
    "blocks_sm": 14,
    "tmem_columns": 15,
    "sms": 18,
}

SHARED_GRANULE = 128  # bytes to which the shared memory of a block is rounded up


class Table:
    """`limit[NAME]` is a TILEIR_LIMIT, `target[80]["threads_sm"]` a field of a TILEIR_TARGET."""

    def __init__(self, path):
        with open(path) as source:
            text = re.sub(r"^\s*//.*$", "", source.read(), flags=re.M)
        self.limit = {n: int(v) for n, v in re.findall(r"^TILEIR_LIMIT\((\w+),\s*(\d+),", text, re.M)}
        self.target = {}
        for row in re.findall(r"^TILEIR_TARGET\((\d.*)\)$", text, re.M):
            cells = [c.strip() for c in row.split(",")]
            self.target[int(cells[0])] = {name: int(cells[at]) for name, at in FIELDS.items()}
        if not self.limit or not self.target:
            raise ValueError(f"{path}: no target table")

    def of(self, arch):
        """Returns the fields of `sm_90`, `sm_90a` or `sm_100f`."""
        number = re.match(r"sm_(\d+)", arch)
        if not number or int(number.group(1)) not in self.target:
            raise ValueError(f"'{arch}' is not in the table of targets")
        return self.target[int(number.group(1))]

    def ctas_per_sm(self, arch, registers, threads, smem):
        """Returns the CTAs that fit on one SM, by threads, blocks, registers of a warp and shared memory. `smem`: bytes
        without the reserved ones."""
        row = self.of(arch)
        warps = math.ceil(threads / self.limit["threadsPerWarp"])
        granule = self.limit["registersGranule"]
        per_warp = math.ceil(registers / granule) * granule * self.limit["threadsPerWarp"]
        return min(
            row["threads_sm"] // (warps * self.limit["threadsPerWarp"]),
            row["blocks_sm"],
            self.limit["registersPerSM"] // per_warp // warps if per_warp else row["blocks_sm"],
            row["smem_sm"] // (math.ceil((smem + row["smem_reserved"]) / SHARED_GRANULE) * SHARED_GRANULE),
        )


def find():
    """Returns the table beside this file's checkout or runfiles."""
    here = os.path.dirname(os.path.realpath(__file__))
    for folder in (os.getcwd(), os.path.join(here, "..", "..")):
        path = os.path.join(folder, "dialects", "support", "Targets.def")
        if os.path.exists(path):
            return Table(path)
    raise FileNotFoundError("dialects/support/Targets.def is neither below the working directory nor beside test/")

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs matmul on grids of many blocks, in the order that the compiler selects, beside reference builds in hardware
order.

Outputs have to be equal bit by bit: a block that is skipped, or executed twice instead of another, leaves poison. Grids
have whole groups, remainders of every size and single lines; each also with the grid dimensions in other roles
(`--turns`: the kernel's dimension that becomes x, y and z).

    grids.py --tileiras PATH --tileir-run PATH --tileir-translate PATH [--arch sm_90] --grids 5x3,2x11 KERNEL.tileirbc
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

import check

ORDERS = {2: ["xyz", "yxz", "xzy", "zxy", "yzx", "zyx"], 3: ["xyz", "xzy", "yxz", "yzx", "zxy", "zyx"]}


def permuted(text, order):
    """Returns the kernel that reads its first block index from dimension order[0] of the grid, and so on."""
    def read(match):
        names = dict(zip(order, match.groups()))
        return "%s, %s, %s = get_tile_block_id" % (names["x"], names["y"], names["z"])

    return re.sub(r"(%\w+), (%\w+), (%\w+) = get_tile_block_id", read, text)


def arguments(name, tiles):
    """Returns arguments of a kernel of the perf set for `tiles` of the result, the batch first if it has one."""
    m, n, k = map(int, re.search(r"_(\d+)x(\d+)x(\d+)$", name).groups())
    dtype, out = ("i8", "i32") if "int8" in name else ("bf16", "bf16")
    batch, (rows, columns) = tiles[:-2], (tiles[-2] * m, tiles[-1] * n)
    args = check.source("a", dtype, [*batch, rows, k], 1) + check.source("b", dtype, [*batch, k, columns], 2)
    return args + check.array("c", out, [*batch, rows, columns], init="poison", output=True)


class Grids(check.Checker):
    def compile(self, kernel, name, options):
        path = super().compile(kernel, name, options)
        with open(path) as file:
            reads = "%nctaid" in file.read()
        if reads != ("order-blocks=false" not in options):
            sys.exit(f"FAILED: {name}: {'reads' if reads else 'does not read'} the extents of the grid")
        return path

    def check(self, kernel, turn, name):
        options = self.options
        ordered, plain = (self.compile(kernel, f"{name}.{turn}.{what}", f"order-blocks={what}") for what in ("true", "false"))
        with open(ordered) as file:
            self.target = re.search(r"^\.target ([a-z0-9_]+)", file.read(), re.M).group(1)
        for tiles in options.grids:
            extents = dict(zip(turn, list(tiles) + [1] * (3 - len(tiles))))
            case = {"kernel": os.path.basename(plain), "entry": name, "grid": [extents[d] for d in "xyz"],
                    "args": arguments(name, tiles)}
            what = f"{name} {options.arch} grid={case['grid']} turn={turn}"
            out = os.path.join(self.folder, "out")
            self.run(self.write("reference", case), what + " reference", f"--out={out}", f"--sidecar={plain}.json")
            for arg in case["args"]:
                if arg.get("output"):
                    arg.update(expect=os.path.join(out, arg["name"] + ".npy"), rtol=0, atol=0)
            case["kernel"] = os.path.basename(ordered)
            self.run(self.write("case", case), what, f"--sidecar={ordered}.json")


def main():
    parser = argparse.ArgumentParser()
    for tool in ("tileiras", "tileir-run", "tileir-translate"):
        parser.add_argument("--" + tool, required=True)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--grids", required=True, type=lambda text: [tuple(map(int, grid.split("x"))) for grid in text.split(",")])
    parser.add_argument("--turns", type=lambda text: text.split(","), help="all where not given")
    parser.add_argument("kernel")
    options = parser.parse_args()
    name = os.path.basename(options.kernel).removesuffix(".tileirbc")
    text = subprocess.run([options.tileir_translate, "--cudatilebc-to-mlir", options.kernel], check=True,
                          capture_output=True, text=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        grids = Grids(options, folder)
        for turn in options.turns or ORDERS[len(options.grids[0])]:
            kernel = os.path.join(folder, f"{name}.{turn}.tileirbc")
            subprocess.run([options.tileir_translate, "--mlir-to-cudatilebc", "-", "-o", kernel], check=True,
                           input=permuted(text, turn), text=True)
            grids.check(kernel, turn, name)
    print(f"ok: {name} {options.arch}: {grids.runs} runs")


if __name__ == "__main__":
    main()

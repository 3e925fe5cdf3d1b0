#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates randomized loops with dots inside other control flow and compares them in the emulator with their reference
builds (strategy `none`).

Around the loop are up to two of `for`, `if` and `loop` with a `break`. Operands come from the loop with the dot, from a
loop around it, or from the block of the kernel; threads may double the first one. Results accumulate over the loop, or
each is added to an accumulator separately. A second such loop may follow, with operand A of the first one or its own.

    nested.py --tileiras PATH --tileir-run PATH --tileir-translate PATH [--arch sm_90] [--slice 8] [--turn 17] [--seeds 3]
    nested.py ... --only 17         the kernel that a failure names; --keep FOLDER leaves its files there

`--slice N` takes N of the `--count` kernels (slices.py).
"""

import argparse
import collections
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

import check
import slices

Kind = collections.namedtuple("Kind", "a memory c k flag", defaults=("",))
KINDS = [
    Kind("bf16", "bf16", "f32", 64),
    Kind("f16", "f16", "f32", 64),
    Kind("f16", "f16", "f16", 32),
    Kind("i8", "i8", "i32", 64, "signed signed"),
    Kind("f8E4M3FN", "f8E4M3FN", "f32", 64),
    Kind("f8E5M2", "f8E5M2", "f32", 64, "fast_acc"),
    Kind("tf32", "f32", "f32", 32),
]
# Nestings, in rotation; inside of loops alone a producer warp is possible, so these are tried more often.
WAYS = [way for depth in (1, 2, 0) for way in itertools.product(("for", "if", "break"), repeat=depth)]
WAYS += [(), ("for",), ("for", "for")] * 2
# Tiles of the array of all operands of one side.
TILES = 4
# `around`: control flow from the outside in; `place` of an operand: the number of these, and the loop itself, that
# contain it.
Loop = collections.namedtuple("Loop", "a b a_transposed b_transposed scaled sums trips")
Kernel = collections.namedtuple("Kernel", "number kind m n k around loops hint")


def draw_kernel(number, seed):
    draw = random.Random(seed * 1000003 + number)
    kind = KINDS[number % len(KINDS)]
    around = WAYS[number // len(KINDS) % len(WAYS)]
    m, n = draw.choice([(64, 64), (64, 64), (128, 64), (64, 128), (64, 32), (32, 64)])
    loops = []
    inside = len(around) + 1
    for turn in range(draw.choice([1, 1, 2])):
        a, b = draw.choice([inside, draw.randrange(inside + 1)]), draw.choice([inside, inside, draw.randrange(inside + 1)])
        loop = Loop(a, b, draw.random() < 0.25, draw.random() < 0.25, draw.random() < 0.3, draw.random() < 0.6,
                    draw.choice(["n", "n", "n", "1", "3", "outer"]))
        if turn and draw.random() < 0.5:  # The same A.
            loop = loop._replace(a=loops[0].a, a_transposed=loops[0].a_transposed, scaled=loops[0].scaled)
        loops.append(loop)
    return Kernel(number, kind, m, n, kind.k * draw.choice([1, 1, 2]), around, loops, draw.choice(["", "", "", "latency = 2", "latency = 8", "allow_tma = false"]))


class Writer:
    """Writes the text of a kernel."""

    def __init__(self, kernel, arch):
        self.kernel, self.arch = kernel, arch
        self.lines, self.names = [], 0
        # Types of the existing views, by name, and operands by side and loop.
        self.tiles, self.made = {}, {}

    def name(self):
        self.names += 1
        return f"%v{self.names}"

    def say(self, *lines):
        self.lines += lines

    def set(self, text):
        name = self.name()
        self.say(f"{name} = {text}")
        return name

    def view(self, array, element):
        self.say(f"%{array}_base = assume div_by<16>, %{array} : tile<ptr<{element}>>")
        for what in ("shape0", "shape1", "stride0"):
            self.say(f"%{array}_{what}_p = assume bounded<0, ?>, %{array}_{what} : tile<i32>")
        self.say(f"%{array}_line = assume div_by<16>, %{array}_stride0_p : tile<i32>",
                 f"%{array}_view = make_tensor_view %{array}_base, shape = [%{array}_shape0_p, %{array}_shape1_p], "
                 f"strides = [%{array}_line, 1] : tile<i32> -> tensor_view<?x?x{element}, strides=[?,1]>")

    def partition(self, array, rows, columns, element, transposed):
        kind = (f"partition_view<tile=({rows}x{columns}), padding_value = zero, tensor_view<?x?x{element}, strides=[?,1]>"
                f"{', dim_map=[1, 0]' if transposed else ''}>")
        name = f"%p_{array}{'_transposed' * transposed}_{rows}"
        if name not in self.tiles:
            self.say(f"{name} = make_partition_view %{array}_view : {kind}")
        self.tiles[name] = kind
        return name, kind

    def load(self, array, rows, columns, transposed, row):
        """Loads a tile of an array: of this row of tiles, of any column."""
        kind = self.kernel.kind
        name, view = self.partition(array, rows, columns, kind.memory, transposed)
        hint = self.kernel.hint and f" optimization_hints = <{self.arch} = {{{self.kernel.hint}}}>"
        tile, token = self.name(), self.name()
        element = f"tile<{rows}x{columns}x{kind.memory}>"
        self.say(f"{tile}, {token} = load_view_tko weak {name}[{row}, %c0] token = %start{hint} : {view}, tile<i32> -> {element}, token")
        if kind.memory != kind.a:
            tile = self.set(f"ftof {tile} : {element} -> tile<{rows}x{columns}x{kind.a}>")
        return tile

    def make_operands(self, depth, row, numbers):
        """Emits the operands at this depth for the loops of these `numbers`; `row` is the index of a row of tiles."""
        kernel, bits = self.kernel, self.kernel.kind.a
        for number in numbers:
            loop, first = kernel.loops[number], kernel.loops[0]
            is_same = (loop.a, loop.a_transposed, loop.scaled) == (first.a, first.a_transposed, first.scaled)
            if loop.a == depth and is_same and ("a", 0) in self.made:
                self.made["a", number] = self.made["a", 0]
            elif loop.a == depth:
                tile = self.load("a", kernel.m, kernel.k, loop.a_transposed, row)
                if loop.scaled and bits in ("bf16", "f16"):
                    tile = self.set(f"addf {tile}, {tile} rounding<nearest_even> : tile<{kernel.m}x{kernel.k}x{bits}>")
                self.made["a", number] = tile
            if loop.b == depth:
                self.made["b", number] = self.load("b", kernel.k, kernel.n, loop.b_transposed, row)

    def multiply(self, number, row):
        """Emits the loop of this number, and the store after it."""
        kernel, kind = self.kernel, self.kernel.kind
        loop = kernel.loops[number]
        total, index = f"tile<{kernel.m}x{kernel.n}x{kind.c}>", self.name()
        limit = {"n": "%trips", "1": "%c1", "3": "%c3", "outer": row}[loop.trips]
        result, acc = self.name(), self.name()
        self.say(f"{result} = for {index} in (%c0 to {limit}, step %c1) : tile<i32> iter_values({acc} = %zero) -> ({total}) {{")
        where = self.set(f"addi {index}, {row} : tile<i32>")
        where = self.set(f"andi {where}, %c3 : tile<i32>")
        made = dict(self.made)
        self.make_operands(len(kernel.around) + 1, where, [number])
        types = f"tile<{kernel.m}x{kernel.k}x{kind.a}>, tile<{kernel.k}x{kernel.n}x{kind.a}>, {total}"
        operation = "mmai" if kind.a == "i8" else "mmaf"
        a, b = self.made["a", number], self.made["b", number]
        if loop.sums:
            last = self.set(f"{operation} {a}, {b}, {acc} {kind.flag} : {types}")
        else:
            part = self.set(f"{operation} {a}, {b}, %zero {kind.flag} : {types}")
            part = self.set(f"absi {part} : {total}" if kind.c == "i32" else f"absf {part} : {total}")
            last = self.set(f"addi {acc}, {part} : {total}" if kind.c == "i32"
                            else f"addf {acc}, {part} rounding<nearest_even> : {total}")
        self.say(f"continue {last} : {total}", "}")
        self.made = made
        name, view = self.partition("c", kernel.m, kernel.n, kind.c, False)
        place = self.set(f"addi {row}, {'%c0' if not number else '%rows'} : tile<i32>")
        self.say(f"{self.name()} = store_view_tko weak {result}, {name}[{place}, %c0] token = %start : {total}, {view}, tile<i32> -> token")

    def write_inside(self, depth, row):
        kernel = self.kernel
        before = dict(self.made)
        self.make_operands(depth, row, range(len(kernel.loops)))
        if depth == len(kernel.around):
            for number in range(len(kernel.loops)):
                self.multiply(number, row)
        else:
            form, index = kernel.around[depth], self.name()
            def inner(number):
                first = self.set(f"muli {row}, %c2 : tile<i32>")
                return self.set(f"addi {first}, {number} : tile<i32>")

            if form == "for":
                self.say(f"for {index} in (%c0 to %c2, step %c1) : tile<i32> {{")
                self.write_inside(depth + 1, inner(index))
                self.say("continue", "}")
            elif form == "if":
                self.say(f"{index} = cmpi less_than {row}, %most, signed : tile<i32> -> tile<i1>", f"if {index} {{")
                self.write_inside(depth + 1, row)
                self.say("yield", "} else {", "yield", "}")
            else:
                over = self.name()
                self.say(f"{self.name()} = loop iter_values({index} = %c0) : tile<i32> -> tile<i32> {{",
                         f"{over} = cmpi greater_than_or_equal {index}, %turns, signed : tile<i32> -> tile<i1>",
                         f"if {over} {{", f"break {index} : tile<i32>", "} else {", "}")
                self.write_inside(depth + 1, inner(index))
                self.say(f"continue {self.set(f'addi {index}, %c1 : tile<i32>')} : tile<i32>", "}")
        self.made = before

    def write(self):
        kernel, kind = self.kernel, self.kernel.kind
        parameters = []
        for array, element in (("a", kind.memory), ("b", kind.memory), ("c", kind.c)):
            parameters.append(f"%{array}: tile<ptr<{element}>>")
            parameters += [f"%{array}_{what}: tile<i32>" for what in ("shape0", "shape1", "stride0", "stride1")]
            self.view(array, element)
        parameters += [f"%{name}: tile<i32>" for name in ("trips", "turns", "most", "rows")]
        zero = "0" if kind.c == "i32" else "0.0"
        self.say("%start = make_token : token", "%x, %y, %z = get_tile_block_id : tile<i32>",
                 f"%zero = constant <{kind.c}: {zero}> : tile<{kernel.m}x{kernel.n}x{kind.c}>",
                 *[f"%c{i} = constant <i32: {i}> : tile<i32>" for i in range(4)])
        for loop in kernel.loops:
            self.partition("a", kernel.m, kernel.k, kind.memory, loop.a_transposed)
            self.partition("b", kernel.k, kernel.n, kind.memory, loop.b_transposed)
        self.partition("c", kernel.m, kernel.n, kind.c, False)
        self.write_inside(0, "%x")
        return (f"cuda_tile.module @m {{\nentry @nested({', '.join(parameters)}) {{\n" + "\n".join(self.lines + ["return"])
                + "\n}\n}\n")


def make_case(kernel, trips, turns):
    """Returns a launch of two blocks. Rows of tiles beyond those of the operands are padded."""
    kind, rows = kernel.kind, 2
    for form in kernel.around:
        rows *= 1 if form == "if" else 2
    args = []
    for array, tile in (("a", (kernel.m, kernel.k)), ("b", (kernel.k, kernel.n))):
        transposed = any(getattr(loop, array + "_transposed") for loop in kernel.loops)
        shape = [TILES * (max(tile) if transposed else tile[0]) - 16, max(tile) if transposed else tile[1]]
        if transposed:
            shape[1] = shape[0] = TILES * max(tile)
        part = check.source(array, kind.memory, shape, len(args) + 1)
        # Sums are exact in f16.
        for arg in part:
            if "init" in arg:
                arg["init"] = "integers:-2:2"
        args += part
    args += check.array("c", kind.c, [rows * len(kernel.loops) * kernel.m, kernel.n], init="poison", output=True)
    args += [{"name": name, "dtype": "i32", "value": value}
             for name, value in (("trips", trips), ("turns", turns), ("most", 9), ("rows", rows))]
    return {"entry": "nested", "grid": [2, 1, 1], "args": args}


class Failed(Exception):
    pass


class Sweep:
    def __init__(self, options, folder):
        self.options, self.folder, self.runs = options, folder, 0
        self.used = collections.Counter()

    def fail(self, where, what):
        print(f"FAILED: {where}: {what}", flush=True)
        raise Failed

    def call(self, where, *command):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            self.fail(where, f"status {done.returncode} of {' '.join(command)}\n{done.stdout[:2000]}{done.stderr[:2000]}")

    def compile(self, kernel, stem, pipeline, where):
        path = os.path.join(self.folder, stem + ".ptx")
        self.call(where, self.options.tileiras, os.path.join(self.folder, "nested.tileirbc"), "--gpu-name", self.options.arch,
                  "-O3", "--emit=ptx", f"--pass-pipeline=tileir{{check-barriers {pipeline}}}", f"--launch-sidecar={path}.json",
                  "-o", path)
        with open(path) as file:
            return path, file.read()

    def run(self, case, path, where, *flags):
        self.runs += 1
        case["kernel"] = path
        name = os.path.join(self.folder, "case.json")
        with open(name, "w") as file:
            json.dump(case, file)
        self.call(where, self.options.tileir_run, name, "--device=emulated", f"--sidecar={path}.json", f"--arch={self.target}", *flags)

    def check(self, kernel):
        where = f"{kernel.number} {self.options.arch} {kernel}"
        text = os.path.join(self.folder, "nested.mlir")
        with open(text, "w") as file:
            file.write(Writer(kernel, self.options.arch).write())
        self.call(where, self.options.tileir_translate, "--mlir-to-cudatilebc", text, "-o", os.path.join(self.folder, "nested.tileirbc"))
        reference, content = self.compile(kernel, "none", "pipeline-strategy=none", where)
        self.target = next(line.split()[1].rstrip(",") for line in content.splitlines() if line.startswith(".target"))
        forms = [self.compile(kernel, stem, pipeline, where) for stem, pipeline in (("agents", ""), ("one", "specialize-agents=false"))]
        agents = forms[0][1] != forms[1][1]
        self.used["agents"] += agents
        self.used["tensor copies"] += "cp.async.bulk.tensor" in forms[0][1]
        self.used["wgmma"] += "wgmma.mma_async" in forms[0][1]
        self.used["restarted objects"] += "mbarrier.inval" in forms[0][1]
        self.used["kernels"] += 1
        for trips, turns in ((0, 1), (3, 2)):
            case = make_case(kernel, trips, turns)
            output = next(argument for argument in case["args"] if argument.get("output"))
            out = os.path.join(self.folder, "out")
            self.run(case, reference, where + f" trips={trips} reference", f"--out={out}")
            output.update(expect=os.path.join(out, "c.npy"), rtol=0, atol=0)
            for form, _ in forms if agents else forms[:1]:
                for mode, seed in itertools.product(("early", "late", "random"), range(1, self.options.seeds + 1)):
                    self.run(case, form, where + f" {os.path.basename(form)} trips={trips}", f"--async={mode}", f"--seed={seed}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for tool in ("tileiras", "tileir-run", "tileir-translate"):
        parser.add_argument("--" + tool, required=True, type=os.path.abspath)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--seed", type=int, default=1, help="seed of the generated kernels")
    parser.add_argument("--seeds", type=int, default=1, help="of the emulator, in each mode")
    parser.add_argument("--count", type=int, default=3 * len(KINDS) * len(WAYS), help="kernels that there are")
    slices.add_options(parser)
    parser.add_argument("--only", type=int, action="append")
    parser.add_argument("--keep")
    parser.add_argument("names", nargs="*", help="ignored")
    options = parser.parse_args()
    numbers = slices.choose(options, options.count, 37)
    if options.only:
        part, parts = map(int, options.part.split("/"))
        numbers = options.only[part - 1::parts]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        sweep = Sweep(options, options.keep or folder)
        for number in numbers:
            try:
                sweep.check(draw_kernel(number, options.seed))
            except Failed:
                failed += 1
    print(f"{f'{failed} failed' if failed else 'ok'}: {options.arch}: {sweep.runs} runs; {dict(sorted(sweep.used.items()))}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks block-scaled matmul of any extents: correct results, and `tcgen05.mma` with scales from 128 rows and columns
on.

Rows, columns and K from 1 (or a block of scales) on, every type with scales, batches, accumulators with an initial
value, in a loop and outside of one. A large one must have the instruction in its PTX and no MMA of warps, a small one
no instruction with scales (dialects/support/Heuristics.def). Each result equals NumPy's bit by bit; sums of small
integers times powers of two are exact in any order. Every other case has NaN elements and scales: they reach their rows
and columns and no others.

    blocks.py --tileiras PATH --tileir-run PATH --tileir-translate PATH [--arch sm_100] [--part 3/8] [--seeds 20] [GROUP...]
"""

import argparse
import collections
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy

# Elements, scales, elements of K per scale, and the tensor core's instruction. Fewer than 4 scales of 32 elements are
# twice as many of 16.
Kind = collections.namedtuple("Kind", "name element scale block instruction")
KINDS = [
    Kind("mx_e4m3", "f8E4M3FN", "f8E8M0FNU", 32, "mxf8f6f4.block_scale.block32"),
    Kind("mx_e5m2", "f8E5M2", "f8E8M0FNU", 32, "mxf8f6f4.block_scale.block32"),
    Kind("mx_e2m1", "f4E2M1FN", "f8E8M0FNU", 32, "mxf4.block_scale.block32"),
    Kind("nv_e2m1", "f4E2M1FN", "f8E4M3FN", 16, "mxf4nvf4.block_scale.block16"),
    Kind("fine_e2m1", "f4E2M1FN", "f8E8M0FNU", 16, "mxf4nvf4.block_scale.block16"),
]
# `scales` along K; `batch` of 0 are matrices, otherwise tiles of rank 3; `trips` of 0 have no loop. `order` has n for A
# with K contiguous, or for B with N contiguous, t for the other. `begins` is the initial value of the accumulator.
# `special` has some NaN. The kernel computes the byte pairs of A of a `made` case, in lines of other lengths: it
# changes all signs.
Case = collections.namedtuple("Case", "kind m n scales batch trips order begins special made", defaults=(0, 0, "nt", 0, False, False))
# Numbers by their bytes, a NaN byte, and the sign bit.
NUMBERS = {"f8E4M3FN": ({0x00: 0, 0x38: 1, 0x40: 2, 0x44: 3, 0x48: 4}, 0x7f, 0x80),
           "f8E5M2": ({0x00: 0, 0x3c: 1, 0x40: 2, 0x42: 3, 0x44: 4}, 0x7e, 0x80),
           "f8E8M0FNU": ({126: 0.5, 127: 1, 128: 2, 129: 4, 130: 8}, 255, 0),
           "f4E2M1FN": (dict(enumerate([0, 0.5, 1, 1.5, 2, 3, 4, 6])), None, 8)}
ROWS = [1, 2, 4, 8, 16, 32, 64, 128]
# Minimum rows and columns for which the instruction pays.
LEAST = 128


def get_cases():
    """Returns cases by group."""
    groups = collections.OrderedDict()
    for kind in KINDS:
        # All small numbers of rows and columns; K in rotation.
        cases = [Case(kind, m, n, 1 << (index + index // 8) % 4, order=order, begins=index % 3, special=index % 2 == 1)
                 for (index, (m, n)), order in zip(enumerate(itertools.product(ROWS, ROWS)), itertools.cycle(["nt", "nn", "tn", "tt"]))]
        groups[kind.name] = cases
        groups[kind.name + "_loops"] = [
            Case(kind, m, n, scales, trips=3, order=order, begins=begins, special=n == 64)
            for m, n, scales, order, begins in [(16, 16, 1, "nt", 0), (32, 64, 2, "nn", 5), (64, 16, 4, "tt", 0), (128, 8, 1, "nt", 1),
                                                (8, 128, 2, "nt", 2), (2, 1, 4, "tn", 0), (32, 128, 8, "nt", 3),
                                                (16, 256, 4, "nt", 0), (128, 128, 2, "nt", 0)]]
        groups[kind.name + "_batches"] = [
            Case(kind, m, n, scales, batch, trips, order, begins, special=n == 8)
            for m, n, scales, batch, trips, order, begins in [(16, 16, 2, 2, 0, "nn", 0), (32, 8, 1, 4, 0, "nt", 3),
                                                              (64, 64, 4, 2, 0, "nt", 0), (128, 32, 2, 1, 0, "tn", 2),
                                                              (16, 32, 4, 2, 3, "nt", 0), (128, 128, 4, 1, 3, "nt", 1),
                                                              (4, 4, 1, 2, 2, "tt", 1)]]
        if kind.element == "f4E2M1FN":
            groups[kind.name + "_batches"] += [Case(kind, m, n, scales, begins=2, made=True)
                                               for m, n, scales in [(32, 16, 4), (4, 64, 4), (128, 32, 16), (64, 8, 1)]]
    return groups


def get_name(case):
    return "_".join([case.kind.name, f"{case.m}x{case.n}x{case.scales * case.kind.block}", f"b{case.batch}", f"t{case.trips}",
                     case.order, f"from{case.begins}"] + ["special"] * case.special + ["made"] * case.made)


def write(case):
    """Returns the text of the kernel, whose arrays have the extents of all its iterations."""
    kind, m, n, scales, batch, trips, order, begins = case[:8]
    k = scales * kind.block
    times = max(trips, 1)
    # Extents of a tile, of the array, and whether the array has its last two dimensions transposed.
    arrays = {"a": (m, k, 1, kind.element, order[0] == "t"), "b": (k, n, 0, kind.element, order[1] == "t"),
              "sa": (m, scales, 1, kind.scale, False), "sb": (scales, n, 0, kind.scale, True), "c": (m, n, None, "f32", False)}
    lines, types, shapes = [], {}, {}
    front = [batch] if batch else []
    for name, (rows, columns, along, element, transposed) in arrays.items():
        tile, whole = front + [rows, columns], front + [rows, columns]
        if along is not None:
            whole[-2 if along == 0 else -1] *= times
        dims = list(range(len(tile)))
        if transposed:
            whole[-2:] = whole[:-3:-1]
            dims[-2:] = dims[:-3:-1]
        strides = [1]
        for extent in reversed(whole[1:]):
            strides.insert(0, strides[0] * extent)
        def text(numbers, between=", "):
            return between.join(map(str, numbers))
        view = f"tensor_view<{text(whole, 'x')}x{element}, strides=[{text(strides, ',')}]>"
        turn = f", dim_map=[{text(dims)}]" if transposed else ""
        types[name] = f"partition_view<tile=({text(tile, 'x')}), {view}{turn}>"
        shapes[name] = f"tile<{text(tile, 'x')}x{element}>"
        lines += [f"%v{name} = make_tensor_view %{name}, shape = [{text(whole)}], strides = [{text(strides)}] : {view}",
                  f"%p{name} = make_partition_view %v{name} : {types[name]}"]
    at = "%c0, " if batch else ""
    lines += ["%c0 = constant <i32: 0> : tile<i32>", "%c1 = constant <i32: 1> : tile<i32>", f"%n = constant <i32: {times}> : tile<i32>",
              f"%start = constant <f32: {begins}.0> : {shapes['c']}"]
    body = [f"%t{name}, %d{name} = load_view_tko weak %p{name}[{at}{place}] : {types[name]}, tile<i32> -> {shapes[name]}, token"
            for name, place in (("a", "%c0, %i"), ("b", "%i, %c0"), ("sa", "%c0, %i"), ("sb", "%i, %c0"))]
    body.append(f"%r = mmaf_scaled %ta, %tb, %acc, %tsa, %tsb : {', '.join(shapes[name] for name in ('a', 'b', 'c', 'sa', 'sb'))}")
    if case.made:
        size, view = m * k // 2, f"tensor_view<{2 * m}x{k // 4}xi8, strides=[{k // 4},1]>"
        lines += ["%bytes = ptr_to_ptr %a : tile<ptr<f4E2M1FN>> -> tile<ptr<i8>>",
                  f"%vm = make_tensor_view %bytes, shape = [{2 * m}, {k // 4}], strides = [{k // 4}, 1] : {view}",
                  f"%pm = make_partition_view %vm : partition_view<tile=({2 * m}x{k // 4}), {view}>",
                  f"%signs = constant <i8: -120> : tile<{2 * m}x{k // 4}xi8>"]
        body[0:1] = [f"%tm, %dm = load_view_tko weak %pm[%c0, %i] : partition_view<tile=({2 * m}x{k // 4}), {view}>, tile<i32> -> "
                     f"tile<{2 * m}x{k // 4}xi8>, token",
                     f"%xm = xori %tm, %signs : tile<{2 * m}x{k // 4}xi8>", f"%fm = reshape %xm : tile<{2 * m}x{k // 4}xi8> -> tile<{size}xi8>",
                     f"%um = unpack %fm : tile<{size}xi8> -> tile<{2 * size}xf4E2M1FN>",
                     f"%ta = reshape %um : tile<{2 * size}xf4E2M1FN> -> {shapes['a']}"]
    if trips:
        lines += [f"%sum = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%acc = %start) -> ({shapes['c']}) {{",
                  *body, f"continue %r : {shapes['c']}", "}"]
    else:
        lines += [line.replace("%i", "%c0").replace("%acc", "%start").replace("%r =", "%sum =") for line in body]
    lines += [f"%end = store_view_tko weak %sum, %pc[{at}%c0, %c0] : {shapes['c']}, {types['c']}, tile<i32> -> token", "return"]
    parameters = ", ".join(f"%{name}: tile<ptr<{array[3]}>>" for name, array in arrays.items())
    return f"cuda_tile.module @m {{\nentry @{get_name(case)}({parameters}) {{\n" + "\n".join(lines) + "\n}\n}\n"


def draw(generator, element, shape, is_scale, special):
    """Generates bytes and their values. In a `special` array of several lines the first element of the last line is
    NaN."""
    numbers, none, sign = NUMBERS[element]
    if is_scale:
        # Scales are positive.
        numbers, sign = {code: number for code, number in numbers.items() if number}, 0
    table = numpy.full(256, numpy.nan)
    for code, number in numbers.items():
        table[[code, code | sign]] = number, -number if sign else number
    generated = generator.choice(list(numbers), shape) | generator.choice([0, sign], shape)
    if special and none is not None and min(shape[-2:]) > 1:
        generated[..., -1, 0] = none
    return generated.astype(numpy.uint8), table[generated]


def launch(case, folder):
    """Returns the case for tileir-run and writes its arrays to `folder`."""
    kind, m, n, scales, batch, trips, order, begins, special, made = case
    count, times = max(batch, 1), max(trips, 1)
    k = times * scales * kind.block
    generator = numpy.random.default_rng(m * 1000 + n * 10 + scales)
    # Memory order: lines of A and of its scales, and transposed lines of B.
    arrays = {"a": (kind.element, [m, k], order[0] == "t"), "b": (kind.element, [n, k], order[1] == "n"),
              "sa": (kind.scale, [m, times * scales], False), "sb": (kind.scale, [n, times * scales], False)}
    args, values = [], {}
    for name, (element, shape, transposed) in arrays.items():
        generated, values[name] = draw(generator, element, [count] + shape, name.startswith("s"), special)
        generated = (generated.swapaxes(1, 2) if transposed else generated).reshape(-1)
        # Two adjacent elements share a byte.
        numpy.save(os.path.join(folder, name + ".npy"), generated[::2] | generated[1::2] << 4 if element == "f4E2M1FN" else generated)
        args.append({"name": name, "dtype": element, "shape": [len(generated)], "init": f"@{name}.npy"})
    x, y = (values[name] * numpy.repeat(values["s" + name], kind.block, axis=2) for name in ("a", "b"))
    numpy.save(os.path.join(folder, "c.npy"), (begins + (-x if made else x) @ y.swapaxes(1, 2)).astype(numpy.float32).reshape(-1))
    args.append({"name": "c", "dtype": "f32", "shape": [count * m * n], "init": "poison", "output": True, "expect": "c.npy", "rtol": 0,
                 "atol": 0})
    return {"grid": [1, 1, 1], "entry": get_name(case), "args": args}


class Checker:
    def __init__(self, options, folder):
        self.options, self.folder, self.runs = options, folder, 0

    def call(self, what, *command):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"FAILED: {what}: status {done.returncode}\n{done.stdout[:3000]}{done.stderr[:3000]}")

    def compile(self, name):
        path = os.path.join(self.folder, "kernel.ptx")
        self.call(name, self.options.tileiras, os.path.join(self.folder, "kernel.tileirbc"), "--gpu-name", self.options.arch, "-O3",
                  "--emit=ptx", "--pass-pipeline=tileir{check-barriers}", f"--launch-sidecar={path}.json", "-o", path)
        with open(path) as file:
            return path, file.read()

    def run(self, what, case, path, text, *flags):
        self.runs += 1
        file = os.path.join(self.folder, "case.json")
        with open(file, "w") as out:
            json.dump(dict(case, kernel=os.path.basename(path)), out)
        target = re.search(r"^\.target ([a-z0-9_]+)", text, re.M).group(1)
        self.call(what, self.options.tileir_run, file, "--device=emulated", f"--arch={target}", f"--sidecar={path}.json", *flags)

    def check(self, case):
        name = get_name(case)
        source = os.path.join(self.folder, "kernel.mlir")
        with open(source, "w") as file:
            file.write(write(case))
        self.call(name, self.options.tileir_translate, "--mlir-to-cudatilebc", source, "-o",
                  os.path.join(self.folder, "kernel.tileirbc"))
        path, text = self.compile(name)
        values = launch(case, self.folder)
        fine = case.kind.name == "mx_e2m1" and case.scales < 4
        needed = f"kind::{KINDS[-1].instruction if fine else case.kind.instruction}"
        if min(case.m, case.n) < LEAST:
            if "block_scale" in text:
                sys.exit(f"FAILED: {name} on {self.options.arch}: an instruction with scales for a small product")
        elif not re.search(rf"tcgen05\.mma\S*{re.escape(needed)}\s", text) or "mma.sync" in text:
            sys.exit(f"FAILED: {name} on {self.options.arch}: no tcgen05.mma of {needed}, or products by warps")
        assembler = os.environ.get("TILEIR_PTXAS_PATH")
        if assembler:
            self.call(name + " ptxas", assembler, f"-arch={self.options.arch}a", path, "-o", os.path.join(self.folder, "cubin"))
        for mode in ("early", "late", "random"):
            for seed in range(1, self.options.seeds + 1):
                self.run(f"{name} {self.options.arch} {mode} seed {seed}", values, path, text, f"--async={mode}", f"--seed={seed}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for tool in ("tileiras", "tileir-run", "tileir-translate"):
        parser.add_argument("--" + tool, required=True)
    parser.add_argument("--arch", default="sm_100")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--part", default="0/1", help="which of how many parts of each group")
    parser.add_argument("groups", nargs="*")
    options = parser.parse_args()
    part, parts = map(int, options.part.split("/"))
    groups = get_cases()
    unknown = set(options.groups) - set(groups)
    if unknown:
        sys.exit(f"no group {', '.join(sorted(unknown))}; there are {', '.join(groups)}")
    count = runs = 0
    for group in options.groups or groups:
        for case in groups[group][part::parts]:
            with tempfile.TemporaryDirectory() as folder:
                checker = Checker(options, folder)
                checker.check(case)
                count, runs = count + 1, runs + checker.runs
    print(f"ok: {options.arch}: {count} products, {runs} runs")


if __name__ == "__main__":
    main()

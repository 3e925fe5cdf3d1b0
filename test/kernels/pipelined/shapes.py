#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates randomized matmul of any shape and checks it in the emulator against NumPy and against reference builds
(strategy `none`).

Every operand type in all four memory orders. Randomized are the tile, the extents (1, primes, multiples of the tile,
4096), paddings, what the kernel knows of bases, extents and strides, whether they allow TMA copies, and the number of
stages. Kernels begin at a tile given by the launch, so that four blocks see the far ends of large arrays.

    shapes.py --tileiras PATH --tileir-run PATH --tileir-translate PATH [--arch sm_90] [--part 3/8] [--seeds 20] [--rounds 2]
    shapes.py ... --only 17.2       the case that a failure names; --keep FOLDER leaves its files there

`--slice N` takes N of the cases (slices.py).
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

import numpy

import slices

# `a` is the element type of the operands, `memory` that of the arrays, `limit` the largest integer in them.
Kind = collections.namedtuple("Kind", "name a memory c size limit flag instruction", defaults=("", ""))
KINDS = [
    Kind("bf16", "bf16", "bf16", "f32", 2, 8, instruction="f32.bf16.bf16"),
    Kind("e4m3", "f8E4M3FN", "f8E4M3FN", "f32", 1, 8, instruction="f32.e4m3.e4m3"),
    Kind("e4m3_f16", "f8E4M3FN", "f8E4M3FN", "f16", 1, 1, instruction="f16.e4m3.e4m3"),
    Kind("e4m3_fast", "f8E4M3FN", "f8E4M3FN", "f32", 1, 8, "fast_acc", "f32.e4m3.e4m3"),
    Kind("e5m2", "f8E5M2", "f8E5M2", "f32", 1, 4, instruction="f32.e5m2.e5m2"),
    Kind("e5m2_f16", "f8E5M2", "f8E5M2", "f16", 1, 1, instruction="f16.e5m2.e5m2"),
    Kind("e5m2_fast", "f8E5M2", "f8E5M2", "f32", 1, 4, "fast_acc", "f32.e5m2.e5m2"),
    Kind("f16", "f16", "f16", "f32", 2, 8, instruction="f32.f16.f16"),
    Kind("f16_f16", "f16", "f16", "f16", 2, 1, instruction="f16.f16.f16"),
    Kind("f32", "f32", "f32", "f32", 4, 8),
    Kind("f64", "f64", "f64", "f64", 8, 8),
    Kind("i8_ss", "i8", "i8", "i32", 1, 127, "signed signed", "s32.s8.s8"),
    Kind("i8_su", "i8", "i8", "i32", 1, 127, "signed unsigned", "s32.s8.u8"),
    Kind("i8_us", "i8", "i8", "i32", 1, 127, "unsigned signed", "s32.u8.s8"),
    Kind("i8_uu", "i8", "i8", "i32", 1, 127, "unsigned unsigned", "s32.u8.u8"),
    Kind("tf32", "tf32", "tf32", "f32", 4, 8, instruction="f32.tf32.tf32"),
    Kind("tf32_rounded", "tf32", "f32", "f32", 4, 8, instruction="f32.tf32.tf32"),
]
ORDERS = ["nn", "nt", "tn", "tt"]
BYTES = {"f16": 2, "f32": 4, "f64": 8, "i32": 4}
PADDINGS = {"zero": 0.0, "neg_zero": -0.0, "nan": float("nan"), "pos_inf": float("inf"), "neg_inf": float("-inf")}
EXTENTS = [1, 2, 3, 5, 7, 13, 16, 17, 31, 61, 64, 67, 113, 127, 128, 131, 192, 251, 257]
LARGE = [509, 512, 1021, 1024, 2039, 2048, 4093, 4095, 4096]
# Maximum elements of an array: generating more takes longer than the kernel.
MOST = 1 << 20

# Knowledge that a kernel has of an array, and its layout: `copied` allows TMA copies and the kernel knows it; of
# `unknown` it knows nothing; `short` begins at a multiple of 8 bytes; `odd` has a row pitch that is not a multiple of
# 16 bytes; `apart` has elements that are not adjacent; `static` and `static_odd` have their extents and strides in
# their types; `repeated` is one line of memory for all lines, with a stride of zero.
LAYOUTS = ["copied", "unknown", "short", "odd", "apart", "static", "static_odd", "repeated"]
Array = collections.namedtuple("Array", "layout transposed padding")
Matmul = collections.namedtuple("Matmul", "number name kind m n k a b c stages")
Shape = collections.namedtuple("Shape", "number m n k lines offsets inner grid first exact")


def generate_array(draw, transposed, kind, layout):
    padding = draw.choice(list(PADDINGS)) if draw.random() < 0.5 and kind.a != "i8" else "zero"
    return Array(layout, transposed, padding)


def generate_matmul(number, seed):
    """Returns the matmul of this number: types and order in rotation, the rest at random."""
    count = len(KINDS) * len(ORDERS)
    kind, order = list(itertools.product(KINDS, ORDERS))[number % count]
    draw = random.Random(seed * 1000003 + number)
    m, n = draw.choice([(64, 64), (64, 64), (64, 64), (64, 128), (128, 64), (64, 32), (32, 64), (128, 128)])
    if kind.a in ("f32", "f64"):
        m, n = draw.choice([(32, 32), (16, 64), (64, 32)])
    k = {1: [64, 128], 2: [32, 64], 4: [16, 32], 8: [8, 16]}[kind.size]
    # Most arrays allow TMA copies, the others alternate.
    share = draw.choice([1, 0.4])
    layouts = ["copied" if draw.random() < share else LAYOUTS[(number + number // count + turn) % len(LAYOUTS)] for turn in (0, 3, 5)]
    arrays = [generate_array(draw, by == "t", kind, layout) for by, layout in zip(order + draw.choice("nnt"), layouts)]
    if arrays[2].layout == "repeated":  # no block stores into it
        arrays[2] = arrays[2]._replace(layout="copied")
    depth = draw.choice(k)
    if kind.a == "f8E4M3FN" and all(array.padding.endswith("_inf") for array in arrays[:2]):
        depth = 64  # sums of more of its largest numbers would be rounded
    return Matmul(number, f"{kind.name}_{order}_{m}x{n}", kind, m, n, depth, *arrays, draw.choice([0, 1, 2, 3, 4, 6]))


def draw_shapes(matmul, seed, count):
    """Returns `count` shapes: with no iteration, one, two, a random number, and with large extents."""
    draw = random.Random(seed * 1000003 + matmul.number + 500009)
    shapes = []
    for number in range(count):
        m, n, k = (draw.choice(EXTENTS) for _ in range(3))
        which = (number + matmul.number) % 5
        if which < 3:
            k = max(0, which * matmul.k - draw.choice([0, 0, 1, 3, matmul.k // 2 + 1, matmul.k - 1]))
        elif which == 4:
            large = draw.randrange(3)
            m, n, k = (draw.choice(LARGE) if turn == large else extent for turn, extent in enumerate((m, n, k)))
            if draw.random() < 0.3:
                k = draw.choice(LARGE)
            if max(m * k, k * n, m * n) > MOST:
                m, n = min(m, 61), min(n, 127)
        if any(array.layout.startswith("static") for array in (matmul.a, matmul.b)):
            k = max(1, k)  # types of arrays have no extent of 0
        tiles = -(-m // matmul.m), -(-n // matmul.n)
        grid = [min(2, tile) for tile in tiles]
        first = [tile - of for tile, of in zip(tiles, grid)]
        lines, offsets, inner = [], [], []
        for array, extents, size in zip((matmul.a, matmul.b, matmul.c), ((m, k), (k, n), (m, n)),
                                        (matmul.kind.size, matmul.kind.size, BYTES[matmul.kind.c])):
            step = draw.choice([1, 2]) if array.layout == "apart" else 1
            width = max(1, extents[0] if array.transposed else extents[1]) * step
            by = max(1, 16 // size)
            line = -(-width // by) * by + draw.choice([0, 0, by, 5 * by])
            if array.layout in ("odd", "static_odd"):
                line = width + draw.choice([0, 1, 3])
                line += by > 1 and line % by == 0
            elif array.layout in ("unknown", "apart"):
                line = draw.choice([line, width, width + 1])
            lines.append(0 if array.layout == "repeated" else line)
            inner.append(step)
            offsets.append(draw.choice([0, 1, 3]) if array.layout == "unknown" else draw.choice([0, max(1, 8 // size)])
                           if array.layout == "short" else 0)
        # Sums of fractions depend on the order, which `none` shares if no dot is split.
        exact = matmul.kind.a not in ("f16", "bf16") or matmul.kind.c == "f16" or draw.random() < 0.6
        shapes.append(Shape(number, m, n, k, lines, offsets, inner, grid, first, exact))
    return shapes


def view_type(element, shape, strides):
    return f"tensor_view<{shape[0]}x{shape[1]}x{element}, strides=[{strides[0]},{strides[1]}]>"


def write(matmul, shape):
    """Returns the text of a kernel; the shape matters to static layouts alone."""
    kind, parameters, lines = matmul.kind, [], []
    types, tiles = {}, {}
    extents = {"a": (matmul.m, matmul.k), "b": (matmul.k, matmul.n), "c": (matmul.m, matmul.n)}
    elements = {"a": kind.memory, "b": kind.memory, "c": kind.c}
    for turn, name in enumerate("abc"):
        array, element, size = getattr(matmul, name), elements[name], BYTES[kind.c] if name == "c" else kind.size
        parameters.append(f"%{name}: tile<ptr<{element}>>")
        parameters += [f"%{name}_{what}: tile<i32>" for what in ("shape0", "shape1", "stride0", "stride1")]
        base = {"copied": 16, "odd": 16, "static": 16, "repeated": 16, "short": 8}.get(array.layout, 1)
        at = f"%{name}"
        if base > 1:
            lines.append(f"%{name}_base = assume div_by<{base}>, %{name} : tile<ptr<{element}>>")
            at += "_base"
        for what in ("shape0", "shape1", "stride0", "stride1"):
            lines.append(f"%{name}_{what}_p = assume bounded<0, ?>, %{name}_{what} : tile<i32>")
        line, step = f"%{name}_stride0_p", f"%{name}_stride1_p"
        if array.layout in ("copied", "repeated", "short"):
            lines.append(f"%{name}_line = assume div_by<{max(1, 16 // size)}>, {line} : tile<i32>")
            line = f"%{name}_line"
        sizes = [shape.m, shape.k] if name == "a" else [shape.k, shape.n] if name == "b" else [shape.m, shape.n]
        if array.layout.startswith("static"):
            sizes = sizes[::-1] if array.transposed else sizes
            of = view_type(element, sizes, (shape.lines[turn], 1))
            lines.append(f"%{name}_view = make_tensor_view {at}, shape = {sizes}, strides = [{shape.lines[turn]}, 1] : {of}")
        else:
            of = view_type(element, "??", ("?", "?" if array.layout == "apart" else 1))
            strides = [line] + ([step] if array.layout == "apart" else ["1"])
            lines.append(f"%{name}_view = make_tensor_view {at}, shape = [%{name}_shape0_p, %{name}_shape1_p], "
                         f"strides = [{', '.join(strides)}] : tile<i32> -> {of}")
        padding = "" if name == "c" else f"padding_value = {array.padding}, "
        transposed = ", dim_map=[1, 0]" if array.transposed else ""
        rows, columns = extents[name]
        tiles[name] = f"partition_view<tile=({rows}x{columns}), {padding}{of}{transposed}>"
        types[name] = f"tile<{rows}x{columns}x{element}>"
        lines.append(f"%p{name} = make_partition_view %{name}_view : {tiles[name]}")
    parameters += ["%first0: tile<i32>", "%first1: tile<i32>"]
    total = types["c"]
    lines += f"""\
%start = make_token : token
%bx, %by, %bz = get_tile_block_id : tile<i32>
%x = addi %bx, %first0 : tile<i32>
%y = addi %by, %first1 : tile<i32>
%zero = constant <{kind.c}: {'0' if kind.c == 'i32' else '0.0'}> : {total}
%trips:2 = get_index_space_shape %pa : {tiles["a"]} -> tile<i32>
%c0 = constant <i32: 0> : tile<i32>
%c1 = constant <i32: 1> : tile<i32>
%sum = for %i in (%c0 to %trips#1, step %c1) : tile<i32> iter_values(%acc = %zero) -> ({total}) {{
%u, %tu = load_view_tko weak %pa[%x, %i] token = %start : {tiles["a"]}, tile<i32> -> {types["a"]}, token
%v, %tv = load_view_tko weak %pb[%i, %y] token = %start : {tiles["b"]}, tile<i32> -> {types["b"]}, token""".splitlines()
    factors = "%u", "%v"
    if kind.memory != kind.a:
        factors = "%ur", "%vr"
        for factor, name in zip("uv", "ab"):
            rounded = types[name].replace(kind.memory, kind.a)
            lines.append(f"%{factor}r = ftof %{factor} : {types[name]} -> {rounded}")
            types[name] = rounded
    operation = "mmai" if kind.a == "i8" else "mmaf"
    lines += [f"%d = {operation} {factors[0]}, {factors[1]}, %acc {kind.flag} : {types['a']}, {types['b']}, {total}",
              f"continue %d : {total}", "}",
              f"%end = store_view_tko weak %sum, %pc[%x, %y] token = %start : {total}, {tiles['c']}, tile<i32> -> token", "return"]
    return f"cuda_tile.module @m {{\nentry @{matmul.name}({', '.join(parameters)}) {{\n" + "\n".join(lines) + "\n}\n}\n"


def make_data(matmul, shape, folder):
    """Writes files of both operands in memory order, and of the result; sums are of integers that are exact in every
    type."""
    kind, random_numbers = matmul.kind, numpy.random.RandomState(matmul.number * 64 + shape.number)
    factors = []
    for extents in ((shape.m, shape.k), (shape.k, shape.n)):
        if kind.a == "i8":
            values = random_numbers.randint(-128, 128, extents).astype(numpy.int8)
        elif shape.exact:
            values = random_numbers.randint(-kind.limit, kind.limit + 1, extents).astype(numpy.float32)
        else:
            values = random_numbers.standard_normal(extents).astype(numpy.float32)
        factors.append(values)
    files = {}
    for name, array, values in zip("ab", (matmul.a, matmul.b), factors):
        files[name] = os.path.join(folder, name + ".npy")
        laid = values.T if array.transposed else values
        if array.layout == "repeated":
            laid[1:] = laid[:1]  # also of the operand itself
        # No array of a case is empty.
        whole = numpy.zeros([max(1, extent) for extent in laid.shape], laid.dtype)
        whole[:laid.shape[0], :laid.shape[1]] = laid
        whole = whole[:1] if array.layout == "repeated" else whole
        numpy.save(files[name], whole.astype(numpy.float64) if kind.a == "f64" else whole)
    if shape.exact:
        if kind.a == "i8":
            signs = kind.flag.split()
            factors = [values.view(numpy.uint8) if sign == "unsigned" else values for values, sign in zip(factors, signs)]
        with numpy.errstate(invalid="ignore"):
            total = factors[0].astype(numpy.float64) @ factors[1].astype(numpy.float64)
            if shape.k % matmul.k:
                paddings = [PADDINGS[array.padding] for array in (matmul.a, matmul.b)]
                if kind.a == "f8E4M3FN":  # the largest numbers stand for infinity
                    paddings = [numpy.clip(padding, -448, 448) for padding in paddings]
                total = total + (-shape.k % matmul.k) * (paddings[0] * paddings[1])
        # Elements that no block stores stay unchanged.
        mine = numpy.s_[shape.first[0] * matmul.m:, shape.first[1] * matmul.n:]
        restaged = numpy.full(total.shape, False)
        restaged[mine] = True
        total, restaged = (total.T, restaged.T) if matmul.c.transposed else (total, restaged)
        dtype = numpy.int32 if kind.c == "i32" else numpy.float64 if kind.c == "f64" else numpy.float32
        whole = numpy.full((total.shape[0], shape.lines[2]), -0x55555556 if kind.c == "i32" else numpy.nan, dtype)
        lines = whole[:, :total.shape[1] * shape.inner[2]:shape.inner[2]]
        lines[restaged] = total[restaged]
        files["c"] = os.path.join(folder, "expected.npy")
        numpy.save(files["c"], whole)
    return files


def make_case(matmul, shape, files):
    arguments = []
    kind = matmul.kind
    for turn, (name, extents) in enumerate((("a", (shape.m, shape.k)), ("b", (shape.k, shape.n)), ("c", (shape.m, shape.n)))):
        array = getattr(matmul, name)
        sizes = list(extents[::-1] if array.transposed else extents)
        strides = [shape.lines[turn], shape.inner[turn]]
        memory = [1 if array.layout == "repeated" else max(1, sizes[0]), max(1, sizes[1])]
        argument = {"name": name, "dtype": kind.c if name == "c" else kind.memory, "shape": memory,
                    "strides": [strides[0] or memory[1], strides[1]], "offset": shape.offsets[turn], "align": 16}
        argument["init"] = "poison" if name == "c" else "@" + files[name]
        if name == "c":
            # Gaps between lines and elements are compared, too.
            argument.update(shape=[sizes[0], strides[0]], strides=[strides[0], 1], output=True)
        arguments.append(argument)
        for what, values in (("shape", sizes), ("stride", strides)):
            arguments += [{"name": f"{name}_{what}{i}", "dtype": "i32", "value": value} for i, value in enumerate(values)]
    arguments += [{"name": f"first{i}", "dtype": "i32", "value": value} for i, value in enumerate(shape.first)]
    return {"entry": matmul.name, "grid": shape.grid + [1], "args": arguments}


class Failed(Exception):
    pass


class Sweep:
    def __init__(self, options, folder):
        self.options, self.folder, self.runs, self.cases = options, folder, 0, 0
        self.used = collections.Counter()

    def fail(self, where, what):
        print(f"FAILED: {where}: {what}", flush=True)
        raise Failed

    def compile(self, matmul, shape, stem, pipeline, where):
        kernel, path = (os.path.join(self.folder, stem + suffix) for suffix in (".tileirbc", ".ptx"))
        text = os.path.join(self.folder, stem + ".mlir")
        with open(text, "w") as file:
            file.write(write(matmul, shape))
        for command in ([self.options.tileir_translate, "--mlir-to-cudatilebc", text, "-o", kernel],
                        [self.options.tileiras, kernel, "--gpu-name", self.options.arch, "-O3", "--emit=ptx",
                         f"--pass-pipeline=tileir{{check-barriers {pipeline}}}", f"--launch-sidecar={path}.json", "-o", path]):
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                self.fail(where, f"status {done.returncode} of {command[0]}\n{done.stdout[:2000]}{done.stderr[:2000]}")
        with open(path) as file:
            return path, file.read()

    def run(self, case, path, where, *flags):
        self.runs += 1
        case["kernel"] = path
        name = os.path.join(self.folder, "case.json")
        with open(name, "w") as file:
            json.dump(case, file)
        done = subprocess.run([self.options.tileir_run, name, "--device=emulated", f"--sidecar={path}.json",
                               f"--arch={self.target}", *flags], capture_output=True, text=True)
        if done.returncode:
            self.fail(where, f"{' '.join(flags)}: status {done.returncode}\n{done.stdout[:2000]}{done.stderr[:2000]}")

    def check_instructions(self, matmul, text, where):
        """Counts the instructions of the loop; no TMA copy may read an array of which the kernel knows nothing."""
        maps = text.count("cp.async.bulk.tensor")
        if maps and not any(array.layout in ("copied", "repeated", "static") for array in (matmul.a, matmul.b, matmul.c)):
            self.fail(where, "tensor copies of arrays that do not suit them")
        fits = all(array.layout == "copied" and array.padding == "zero" for array in (matmul.a, matmul.b))
        if self.options.arch == "sm_90" and fits and matmul.kind.instruction and min(matmul.m, matmul.n) >= 64:
            if f"wgmma.mma_async.sync.aligned.m64n{matmul.n}k" not in text or f".{matmul.kind.instruction}" not in text or not maps:
                self.fail(where, "no products of warpgroups")
        words = ["wgmma.mma_async", "tcgen05.mma", "mma.sync"]
        self.used[next((word for word in words if word in text), "fma")] += 1
        self.used["by tensor copies"] += maps > 0
        self.used["by cp.async"] += "cp.async.c" in text
        self.used["with pipeline"] += "mbarrier.try_wait" in text or "cp.async.wait_group" in text

    def check(self, matmul):
        shapes = draw_shapes(matmul, self.options.seed, self.options.shapes)
        static = any(array.layout.startswith("static") for array in (matmul.a, matmul.b, matmul.c))
        forms = None
        pipelined = "pipeline-strategy=warp-specialize specialize-agents=false" + (f" unspecialized-pipeline-num-stages={matmul.stages}" if matmul.stages else "")
        for shape in shapes:
            number = f"{matmul.number}.{shape.number}"
            if self.options.only and self.options.only != number:
                continue
            arrays = ", ".join(f"{name} {array.layout}{' transposed' * array.transposed} {array.padding}"
                               for name, array in zip("abc", (matmul.a, matmul.b, matmul.c)))
            where = (f"{number} {self.options.arch} {matmul.name}x{matmul.k} ({arrays}; stages {matmul.stages or 'as they come'}) "
                     f"M={shape.m} N={shape.n} K={shape.k} lines {shape.lines}")
            if static or not forms:
                forms = [self.compile(matmul, shape, stem, pipeline, where)
                         for stem, pipeline in (("none", "pipeline-strategy=none"), ("pipelined", pipelined))]
                self.check_instructions(matmul, forms[1][1], where)
                self.target = next(line.split()[1].rstrip(",") for line in forms[0][1].splitlines() if line.startswith(".target"))
            files = make_data(matmul, shape, self.folder)
            case = make_case(matmul, shape, files)
            output = next(argument for argument in case["args"] if argument.get("output"))
            if "c" in files:
                output.update(expect=files["c"], rtol=0, atol=0)
            out = os.path.join(self.folder, "out")
            self.run(case, forms[0][0], where + " reference", f"--out={out}")
            output.update(expect=os.path.join(out, "c.npy"), rtol=0, atol=0)
            for mode, seed in itertools.product(("early", "late", "random"), range(1, self.options.seeds + 1)):
                self.run(case, forms[1][0], where, f"--async={mode}", f"--seed={seed}")
            self.cases += 1
            self.used[f"{-(-shape.k // matmul.k) if shape.k <= 2 * matmul.k else 'more'} trips"] += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for tool in ("tileiras", "tileir-run", "tileir-translate"):
        parser.add_argument("--" + tool, required=True, type=os.path.abspath)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--seed", type=int, default=1, help="seed of the generated kernels")
    parser.add_argument("--seeds", type=int, default=20, help="of the emulator, in each mode")
    parser.add_argument("--rounds", type=int, default=1, help="how often every type comes in every order of memory")
    parser.add_argument("--shapes", type=int, default=5, help="of each product")
    slices.add_options(parser)
    parser.add_argument("--only")
    parser.add_argument("--keep")
    parser.add_argument("names", nargs="*", help="ignored")
    options = parser.parse_args()
    numbers = slices.choose(options, options.rounds * len(KINDS) * len(ORDERS), 23)
    if options.only:
        numbers = [int(options.only.split(".")[0])]
    with tempfile.TemporaryDirectory() as folder:
        sweep = Sweep(options, options.keep or folder)
        failed = 0
        for number in numbers:
            try:
                sweep.check(generate_matmul(number, options.seed))
            except Failed:
                failed += 1
    print(f"{f'{failed} failed' if failed else 'ok'}: {options.arch}: {sweep.cases} shapes, {sweep.runs} runs; {dict(sorted(sweep.used.items()))}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

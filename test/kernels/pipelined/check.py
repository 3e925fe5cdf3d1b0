#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares pipelined kernels with their reference builds (strategy `none`) in the emulator.

Every kernel is compiled once without pipelining and once for each number of stages. All dots accumulate in the same
order, so the outputs have to be equal bit by bit, for every number of iterations, at ragged edges, whenever
asynchronous work is performed.

    check.py --tileiras PATH --tileir-run PATH --arch sm_80 [--stages 1,2,3] [--trips 0,1,5] [--seeds N] [--needs TEXT,...]
           [--strategy warp-specialize] [--rotate] KERNEL.tileirbc...
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile


def array(name, dtype, shape, given=None, **kwargs):
    """Returns an array in row-major order with its sizes and strides; `given` are the sizes passed to the kernel."""
    # No array is empty; batches stay small, because generating the elements takes most of a run.
    shape = [max(s, 16 if i + 2 >= len(shape) else 1) for i, s in enumerate(shape)]
    args = [{"name": name, "dtype": dtype, "shape": shape, **kwargs}]
    strides = [1]
    for extent in reversed(shape[1:]):
        strides.insert(0, strides[0] * extent)
    for i, size in enumerate(given or shape):
        args.append({"name": f"{name}_shape{i}", "dtype": "i32", "value": size})
    for i, stride in enumerate(strides):
        args.append({"name": f"{name}_stride{i}", "dtype": "i32", "value": stride})
    return args


def source(name, dtype, shape, seed, given=None):
    # 8-bit floats accumulate in another order; sums of small integers are exact in any order.
    init = "integers:-64:64" if dtype == "i8" else "integers:-8:8" if dtype.startswith("f8") else "normal"
    return array(name, dtype, shape, given or shape, seed=seed, init=init)


def gemm(match, trips, ragged):
    kind, dtype, m, n, k = match.groups()
    m, n, k = int(m), int(n), int(k)
    out = {"i8": "i32", "tf32": "f32", "f32": "f32", "int8": "i32", "e4m3": "f32"}.get(dtype, dtype)
    dtype = {"int8": "i8", "tf32": "f32", "e4m3": "f8E4M3FN"}.get(dtype, dtype)
    depth = trips * k - (16 if ragged and trips else 0)
    rows, columns = (m + m // 2 + 3, n + n // 4 * 2 + 16) if ragged else (m, n)
    b = (columns, depth) if kind == "nt_" else (depth, columns)
    args = source("a", dtype, [rows, depth], 1) + source("b", dtype, b, 2)
    args += array("c", out, [rows, columns], init="poison", output=True)
    grid = [-(-rows // m), -(-columns // n), 1]
    if kind == "persistent_":
        args.append({"name": "nblk", "dtype": "i32", "value": 2})
        grid = [2, 1, 1]
    if kind == "bmm":
        args = source("a", dtype, [2, rows, depth], 1, [2, rows, depth])
        args += source("b", dtype, [2, depth, columns], 2, [2, depth, columns])
        args += array("c", out, [2, rows, columns], init="poison", output=True)
        grid = [2, grid[0], grid[1]]
    return grid, args


def attention(match, trips, ragged):
    _, dtype, d, m, n = match.groups()
    d, m, n = int(d), int(m), int(n)
    keys = max(trips, 1) * n - (16 if ragged else 0)
    queries = keys if match.group(1) == "causal" else m - (16 if ragged else 0)
    args = source("q", dtype, [1, 1, queries, d], 1) + source("k", dtype, [1, 1, keys, d], 2)
    args += source("v", dtype, [1, 1, keys, d], 3)
    args += array("o", dtype, [1, 1, queries, d], init="poison", output=True)
    args.append({"name": "scale", "dtype": "f32", "value": 0.125})
    return [-(-queries // m), 1, 1], args


LAUNCHES = [
    (re.compile(r"(?:gemm_)?(nt_|persistent_|bmm|)_?(bf16|f16|f32|tf32|int8|e4m3)(?:_fast)?_(\d+)x(\d+)x(\d+)$"), gemm),
    (re.compile(r"attn_(causal|full)_(bf16|f16)_d(\d+)_(\d+)x(\d+)$"), attention),
]


class Checker:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.runs = 0

    def compile(self, kernel, name, pipeline):
        path = os.path.join(self.folder, name + ".ptx")
        done = subprocess.run([self.options.tileiras, kernel, "--gpu-name", self.options.arch, "-O3", "--emit=ptx",
                               f"--pass-pipeline=tileir{{check-barriers {pipeline}}}", f"--launch-sidecar={path}.json",
                               "-o", path], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"FAILED: {name}: {done.stderr[:2000]}")
        return path

    def run(self, case, what, *flags):
        self.runs += 1
        done = subprocess.run([self.options.tileir_run, case, "--device=emulated", f"--arch={self.target}", *flags],
                              capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"FAILED: {what}: status {done.returncode}\n{done.stdout[:3000]}{done.stderr[:3000]}")

    def write(self, name, case):
        path = os.path.join(self.folder, name + ".json")
        with open(path, "w") as file:
            json.dump(case, file)
        return path

    def get_launch(self, name):
        """Returns the function that builds the arguments of a kernel of this name, and the match of the name."""
        return next((f, r.match(name)) for r, f in LAUNCHES if r.match(name))

    def check(self, kernel):
        name = os.path.basename(kernel).removesuffix(".tileirbc")
        form, match = self.get_launch(name)
        reference = self.compile(kernel, name + ".none", "pipeline-strategy=none")
        with open(reference) as file:
            self.target = re.search(r"^\.target ([a-z0-9_]+)", file.read(), re.M).group(1)
        strategy = getattr(self.options, "strategy", "warp-specialize specialize-agents=false")
        stages = {s: self.compile(kernel, f"{name}.{s}", f"pipeline-strategy={strategy} "
                                  f"unspecialized-pipeline-num-stages={s}") for s in self.options.stages}
        for path in stages.values():
            with open(path) as file:
                text = file.read()
            for needed in self.options.needs.split(","):
                if needed not in text:
                    sys.exit(f"FAILED: {path}: no {needed}")
        launches = [(trips, ragged) for trips in self.options.trips for ragged in (False, True)]
        for place, (trips, ragged) in enumerate(launches):
            grid, args = form(match, trips, ragged)
            case = {"kernel": os.path.basename(reference), "entry": name, "grid": grid, "args": args}
            what = f"{name} {self.options.arch} trips={trips} ragged={ragged}"
            out = os.path.join(self.folder, "out")
            self.run(self.write("reference", case), what + " reference", f"--out={out}", f"--sidecar={reference}.json")
            for arg in args:
                if arg.get("output"):
                    arg.update(expect=os.path.join(out, arg["name"] + ".npy"), rtol=0, atol=0)
            for count, path in stages.items():
                case["kernel"] = os.path.basename(path)
                file = self.write("case", case)
                for mode in self.options.modes:
                    for seed in range(1, self.options.seeds + 1):
                        if self.options.rotate and (seed + count) % len(launches) != place:
                            continue
                        self.run(file, f"{what} stages={count} {mode} seed={seed}", f"--async={mode}",
                                 f"--seed={seed}", f"--sidecar={path}.json")
        print(f"ok: {name} {self.options.arch}: {self.runs} runs")


def add_options(parser):
    def numbers(text):
        return [int(part) for part in text.split(",")]

    parser.add_argument("--tileiras", required=True)
    parser.add_argument("--tileir-run", required=True)
    parser.add_argument("--arch", default="sm_80")
    parser.add_argument("--stages", type=numbers, default=[1, 2, 3, 4, 5, 6])
    parser.add_argument("--trips", type=numbers, default=[0, 1, 2, 3, 4, 5])
    parser.add_argument("--modes", type=lambda text: text.split(","), default=["early", "late", "random"])
    parser.add_argument("--strategy", default="warp-specialize specialize-agents=false")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--rotate", action="store_true", help="runs every seed with one number of trips, whole or ragged, "
                        "in turn: all of them where there are as many seeds")


def declare(arrays):
    """Returns parameters of a kernel for two-dimensional arrays, and lines of its text that create a view of each,
    `%NAME_view`. An array is given by name, elements, and the known divisors of base and row pitch."""
    parameters, lines = [], []
    for array, element, base, step in arrays:
        parameters.append(f"%{array}: tile<ptr<{element}>>")
        parameters += [f"%{array}_{what}: tile<i32>" for what in ("shape0", "shape1", "stride0", "stride1")]
        lines.append(f"%{array}_base = assume div_by<{base}>, %{array} : tile<ptr<{element}>>")
        for what in ("shape0", "shape1", "stride0"):
            lines.append(f"%{array}_{what}_p = assume bounded<0, ?>, %{array}_{what} : tile<i32>")
        for what, value in (("line", "stride0"), ("width", "shape1")):
            lines.append(f"%{array}_{what} = assume div_by<{step}>, %{array}_{value}_p : tile<i32>")
        lines.append(f"%{array}_view = make_tensor_view %{array}_base, shape = [%{array}_shape0_p, %{array}_width], "
                     f"strides = [%{array}_line, 1] : tile<i32> -> tensor_view<?x?x{element}, strides=[?,1]>")
    return parameters, lines


def partition(extents, element, transposed=False, padding="zero"):
    """Returns the type of a view of tiles of such an array."""
    return (f"partition_view<tile=({extents}), padding_value = {padding}, tensor_view<?x?x{element}, strides=[?,1]>"
            + (", dim_map=[1, 0]>" if transposed else ">"))


def compile_matmul(matmul, write, folder, translate):
    """Compiles the text of `write` to bytecode."""
    text, kernel = (os.path.join(folder, matmul.name + suffix) for suffix in (".mlir", ".tileirbc"))
    with open(text, "w") as file:
        file.write(write(matmul))
    subprocess.run([translate, "--mlir-to-cudatilebc", text, "-o", kernel], check=True)
    return kernel


def check_matmuls(matmuls, write, launch, get_needs):
    """The main program of scripts that generate matmul kernels: `write` returns the text of a kernel, `launch` its grid
    and arguments, `get_needs` what its PTX must contain on a target."""
    parser = argparse.ArgumentParser()
    add_options(parser)
    parser.add_argument("--tileir-translate", required=True)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()

    class MatmulChecker(Checker):
        def get_launch(self, name):
            return launch, next(p for p in matmuls if p.name == name)

    with tempfile.TemporaryDirectory() as folder:
        for matmul in matmuls:
            if options.names and matmul.name not in options.names:
                continue
            kernel = compile_matmul(matmul, write, folder, options.tileir_translate)
            options.needs = get_needs(matmul, options.arch)
            MatmulChecker(options, folder).check(kernel)


def main():
    parser = argparse.ArgumentParser()
    add_options(parser)
    parser.add_argument("--needs", default="cp.async", help="what the PTX of the pipelined forms has to contain, parted by commas")
    parser.add_argument("kernels", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for kernel in options.kernels:
            Checker(options, folder).check(kernel)


if __name__ == "__main__":
    main()

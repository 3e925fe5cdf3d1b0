# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches of the perf set's kernels with hints, and NumPy's answers: several tile blocks, edges inside of tiles.

`problem(name)` returns the arguments of a case, its grid, and the expected contents of each output by name with a
tolerance relative to the largest magnitude. Inputs are in the arguments as arrays under "init".
"""

import os
import re
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, *path) for path in (["..", "..", "benchmarks"], ["..", "..", "tile_cpp"], [".."])]
import launches  # noqa: E402
from tilecpp import normal, round_to  # noqa: E402

KINDS = {"bf16": "bf16", "e4m3": "f8e4m3"}
TOLERANCE = 1e-2  # results are bf16


def generate(arg, kind):
    """Returns the elements of an array whose init is `normal`, as the kernel sees them."""
    values = normal(arg["seed"], int(np.prod(arg["shape"]))).reshape(arg["shape"])
    return values if kind == "f32" else round_to(KINDS[kind], values)


def by_name(args):
    return {a["name"]: a for a in args}


def tiles(extent, tile):
    return -(-extent // tile)


def product(form, kind, m, n, k):
    rows, columns, depth = m + m // 2 + 16, n // 2 + 16, 2 * k + 16
    if form == "gemm_persistent":
        columns += n
    batch = [2] if form == "bmm" else []
    args = launches.array("a", "bf16", batch + [rows, depth]) + launches.array("bb", "bf16", batch + [depth, columns])
    args += launches.array("c", "bf16", batch + [rows, columns], True)
    named = by_name(args)
    count = tiles(rows, m) * tiles(columns, n)
    grid = [3 if form == "gemm_persistent" else count] + batch
    return args, grid, {"c": generate(named["a"], kind) @ generate(named["bb"], kind)}


def grouped(kind, m, n, k):
    shapes = [(m + 32, n // 2, k + 16), (m // 2, n + 16, 2 * k), (16, 32, 3 * k)]
    args = launches.array_list("a", "bf16", [[x, z] for x, _, z in shapes])
    args += launches.array_list("bb", "bf16", [[z, y] for _, y, z in shapes])
    args += launches.array_list("c", "bf16", [[x, y] for x, y, _ in shapes], True)
    lists = {a["name"]: a.get("buffers") for a in args}
    for number, (a, b) in enumerate(zip(lists["a"], lists["bb"])):
        a["seed"], b["seed"] = 2 * number + 1, 2 * number + 2
    return args, [3], {f"c{i}": generate(a, kind) @ generate(b, kind) for i, (a, b) in enumerate(zip(lists["a"], lists["bb"]))}


def scaled(m, n):
    rows, columns, depth = m + 48, n // 2 + 16, 1024
    args = launches.array("a", "f8E4M3FN", [rows, depth]) + launches.array("bb", "f8E4M3FN", [columns, depth])
    scales = []
    for name, extent in (("a_scale", rows), ("b_scale", columns)):
        table = launches.array(name, "f8E8M0FNU", [extent, depth // 32])
        bits = np.random.RandomState(extent).randint(124, 130, table[0]["shape"])
        table[0]["init"] = bits.astype(np.uint8)
        scales.append(np.repeat(2.0 ** (bits - 127), 32, axis=1))
        args += table
    args += launches.array("c", "bf16", [rows, columns], True)
    named = by_name(args)
    a, b = (generate(named[name], "e4m3") * scale for name, scale in zip(("a", "bb"), scales))
    return args, [tiles(rows, m) * tiles(columns, n)], {"c": a @ b.T}


def moe(m, n, k):
    tokens, depth, columns, count, top = 80, 2 * k, n + n // 2, 3, 2
    args = launches.array("x", "f8E4M3FN", [tokens, depth]) + launches.array("ww", "f8E4M3FN", [count, columns, depth])
    args += launches.array("x_scale", "f32", [tokens, depth // k])
    args += launches.array("weight_scale", "f32", [count, tiles(columns, n), depth // k])
    rows, experts = launches.array("rows", "i32", [3 * m]), launches.array("experts", "i32", [3])
    uses = np.full(3 * m, tokens * top)
    chosen = np.random.RandomState(3).permutation(tokens * top)
    for block, (first, last) in enumerate(((0, 100), (100, 130), (130, 160))):
        uses[block * m:block * m + last - first] = chosen[first:last]
    rows[0]["init"], experts[0]["init"] = uses.astype(np.int32), np.array([2, 0, 1], np.int32)
    args += rows + experts + launches.array("y", "bf16", [tokens * top, columns], True)
    named = by_name(args)
    x = generate(named["x"], "e4m3") * np.repeat(generate(named["x_scale"], "f32").astype(np.float32), k, axis=1)
    scale = generate(named["weight_scale"], "f32").astype(np.float32)
    w = generate(named["ww"], "e4m3") * np.repeat(np.repeat(scale, n, axis=1)[:, :columns], k, axis=2)
    y = np.zeros((tokens * top, columns))
    for block, expert in enumerate((2, 0, 1)):
        mine = uses[block * m:(block + 1) * m]
        mine = mine[mine < tokens * top]
        y[mine] = x[mine // top] @ w[expert].T
    return args, [3, tiles(columns, n)], {"y": y}


def attention(form, kind, d, m, n):
    """Two heads of queries share one of keys."""
    element = launches.TYPES[kind]
    length = 2 * max(m, n) + (16 if form == "branch" else 0)
    args = launches.array("q", element, [1, 2, length, d]) + launches.array("kk", element, [1, 1, length, d])
    args += launches.array("vvv", element, [1, 1, length, d]) + launches.array("o", "bf16", [1, 2, length, d], True)
    args.append(launches.scalar("scale", "f32", d**-0.5))
    named = by_name(args)
    q, k, v = (generate(named[name], kind) for name in ("q", "kk", "vvv"))
    s = q @ k.transpose(0, 1, 3, 2) * d**-0.5
    if form == "branch":
        s = np.where(np.tril(np.ones((length, length), bool)), s, -np.inf)
    # Probabilities are rounded by tiles of keys, each relative to the largest one so far.
    top, norm, total = np.full(s.shape[:3] + (1,), -np.inf), 0.0, 0.0
    for first in range(0, length, n):
        part = s[..., first:first + n]
        next_top = np.maximum(top, part.max(axis=3, keepdims=True))
        p, alpha = np.exp(part - next_top), np.exp(top - next_top)
        norm = norm * alpha + p.sum(axis=3, keepdims=True)
        total = total * alpha + round_to(KINDS[kind], p) @ v[:, :, first:first + n]
        top = next_top
    return args, [tiles(length, m), 2], {"o": total / norm}


def problem(name):
    found = re.match(r"(gemm_persistent|gemm_grouped|gemm|bmm|moe)_(\w+?)_(\d+)x(\d+)x(\d+)", name)
    if not found:
        form, kind, *shape = re.match(r"attn_(\w+?)_(\w+?)_d(\d+)_(\d+)x(\d+)", name).groups()
        return attention(form, kind, *map(int, shape))
    form, kind, *shape = found.groups()
    shape = map(int, shape)
    if form == "gemm_grouped":
        return grouped(kind, *shape)
    if form == "moe":
        return moe(*shape)
    return scaled(*list(shape)[:2]) if kind == "mxf8" else product(form, kind, *shape)

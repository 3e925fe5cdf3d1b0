# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the kernels of test/data/perf/kernels are launched: a case of tileir-run of each, small enough for the emulator.

Extents are multiples of the tile that the name gives: enough trips that a loop reaches its steady state, one or two blocks.
Those of test/data/tileirbc have their cases in test/kernels.
"""

import json
import os
import re

TRIPS = 6  # of the loop of a product
ROWS = 2


def array(name, dtype, shape, output=False):
    """A row-major array as its pointer, extents and strides."""
    strides = [1]
    for extent in reversed(shape[1:]):
        strides.insert(0, strides[0] * extent)
    first = {"name": name, "dtype": dtype, "shape": shape, "init": "poison" if output else "integers:0:3" if dtype[0] == "i" else "normal"}
    first.update({"output": True} if output else {"seed": len(name)})
    scalars = [scalar(f"{name}_shape{n}", "i32", x) for n, x in enumerate(shape)]
    return [first] + scalars + [scalar(f"{name}_stride{n}", "i32", x) for n, x in enumerate(strides)]


def scalar(name, dtype, value):
    return {"name": name, "dtype": dtype, "value": value}


TYPES = {"bf16": "bf16", "f16": "f16", "f32": "f32", "tf32": "f32", "e4m3": "f8E4M3FN", "int8": "i8"}


def product(name):
    found = re.fullmatch(r"(gemm|bmm)(_nt|_persistent)?_(\w+?)_(\d+)x(\d+)x(\d+)", name)
    if not found:
        return None
    what, form, kind = found.groups()[:3]
    m, n, k = map(int, found.groups()[3:])
    result = {"e4m3": "f32", "int8": "i32"}.get(kind, TYPES[kind])
    rows, depth = 2 * m if form == "_persistent" else m, TRIPS * k
    batch = [1] if what == "bmm" else []
    args = array("a", TYPES[kind], batch + [rows, depth])
    args += array("b", TYPES[kind], batch + ([n, depth] if form == "_nt" else [depth, n]))
    args += array("c", result, batch + [rows, n], True)
    return args + ([scalar("programs", "i32", 1)] if form == "_persistent" else []), [1]


def attention(name):
    found = re.fullmatch(r"attn_(causal|full)_(bf16|f16)_d(\d+)_(\d+)x(\d+)", name)
    if not found:
        return None
    causal, kind, (d, m, n) = found.group(1) == "causal", found.group(2), map(int, found.groups()[2:])
    queries, keys = (2 * m, 2 * m) if causal else (m, 4 * n)
    args = array("q", kind, [1, 1, queries, d]) + array("k", kind, [1, 1, keys, d]) + array("v", kind, [1, 1, keys, d])
    return args + array("o", kind, [1, 1, queries, d], True) + [scalar("scale", "f32", d**-0.5)], [queries // m]


def elements(name):
    found = re.fullmatch(r"(add|axpy_masked|gelu)_(bf16|f16|f32)_(\d+)", name)
    if not found:
        return None
    what, kind, n = found.group(1), found.group(2), ROWS * int(found.group(3))
    args = array("x", kind, [n]) + (array("yy", kind, [n]) if what != "gelu" else []) + array("out", kind, [n], True)
    return args + ([scalar("alpha", "f32", 1.5)] if what == "axpy_masked" else []), [ROWS]


def rows(name):
    found = re.fullmatch(r"(softmax|softmax_online|rmsnorm|layernorm|row_sum|silu_gate|cross_entropy|rope|transpose)_(bf16|f16|f32)_(\d+)(?:x(\d+))?", name)
    if not found:
        return None
    what, kind, n = found.group(1), found.group(2), int(found.group(3))
    if what == "transpose":
        wide = int(found.group(4))
        return array("x", kind, [n, wide]) + array("out", kind, [wide, n], True), [1]
    if what == "rope":
        args = array("x", kind, [ROWS, 1, 2 * n]) + array("cos", "f32", [ROWS, n]) + array("sine", "f32", [ROWS, n])
        return args + array("out", kind, [ROWS, 1, 2 * n], True), [ROWS]
    columns = 2 * n if what in ("softmax_online", "layernorm") else n
    x, out = array("x", kind, [ROWS, columns]), array("out", kind, [ROWS, columns], True)
    if what == "row_sum":
        out = array("out", kind, [ROWS], True)
    elif what == "cross_entropy":
        out = array("target", "i32", [ROWS]) + array("loss", "f32", [ROWS], True)
    elif what == "silu_gate":
        x += array("up", kind, [ROWS, columns])
    elif what == "rmsnorm":
        x, out = x + array("w", kind, [columns]), out + [scalar("eps", "f32", 1e-5)]
    elif what == "layernorm":
        x += array("w", kind, [columns]) + array("bb", kind, [columns])
        out += array("mean", "f32", [ROWS], True) + array("deviation", "f32", [ROWS], True) + [scalar("eps", "f32", 1e-5)]
    return x + out, [ROWS]


def launch(name):
    """(arguments, grid) of a kernel; None when this file does not know it."""
    return product(name) or attention(name) or elements(name) or rows(name)


def write(kernel, folder, cases):
    """A case of the bytecode file `kernel` in `folder`; `cases` has the ones of test/kernels. Its path, or None."""
    name = os.path.basename(kernel).removesuffix(".tileirbc")
    path = os.path.join(folder, name + ".json")
    given = os.path.join(cases, name + ".json") if cases else ""
    if os.path.exists(given):
        with open(given) as text:
            case = json.load(text)
        for arg in case["args"]:
            for field in ("expect", "init"):  # files beside it
                value = arg.get(field)
                if field == "expect":
                    arg.pop(field, None)
                elif isinstance(value, str) and value.startswith("@"):
                    arg[field] = "@" + os.path.join(os.path.abspath(cases), value[1:])
    else:
        found = launch(name)
        if not found:
            return None
        args, grid = found
        case = {"entry": name, "grid": (grid + [1, 1])[:3], "args": args}
    case["kernel"] = os.path.abspath(kernel)
    with open(path, "w") as out:
        json.dump(case, out)
    return path

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the kernels of test/data/perf/kernels are launched: a case of tileir-run of each, small enough for the emulator.

Extents are multiples of the tile that the name gives: enough trips that a loop reaches its steady state, one or two blocks;
or as many trips as asked for, of causal attention tiles of queries.
Those of test/data/tileirbc have their cases in test/kernels, those of test/tile_cpp beside them.
"""

import json
import math
import os
import re
import struct

FROM_CPP = "kernel.tileirbc"  # in a folder with the name of the kernel
TRIPS = 6  # of a matmul's loop
ROWS = 2
HINTS = r"(?:_nc\d+)?(?:_occ\d+)?"  # at the end of a name


def name_of(path):
    """Returns the name of the kernel in a bytecode file; kernels compiled by nvcc from C++ have the prefix `cpp_`."""
    folder, file = os.path.split(os.path.abspath(path))
    return "cpp_" + os.path.basename(folder) if file == FROM_CPP else file.removesuffix(".tileirbc")


def array(name, dtype, shape, output=False):
    """Returns a row-major array as its pointer, extents and strides."""
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


def product(name, trips=None):
    found = re.fullmatch(r"(gemm|bmm)(_nt|_persistent|_grouped)?_(\w+?)(?:_fast)?_(\d+)x(\d+)x(\d+)(" + HINTS + ")", name)
    if not found:
        return None
    what, form, kind = found.groups()[:3]
    m, n, k = map(int, found.groups()[3:6])
    if kind == "mxf8":
        return scaled_product(m, n, -(-(trips or TRIPS) * k // 512) * 512)
    if form == "_grouped":
        return grouped_product(TYPES[kind], m, n, (trips or TRIPS) * k)
    result = {"e4m3": "f32", "int8": "i32"}.get(kind, TYPES[kind])
    blocks = 2 if form == "_persistent" else 1
    rows, depth = blocks * m, (trips or TRIPS) * k
    batch = [1] if what == "bmm" else []
    args = array("a", TYPES[kind], batch + [rows, depth])
    args += array("b", TYPES[kind], batch + ([n, depth] if form == "_nt" else [depth, n]))
    args += array("c", result, batch + [rows, n], True)
    if form == "_persistent" and found.group(7):  # as many tile blocks as the grid has
        return args, [1]
    return args + ([scalar("programs", "i32", blocks)] if form == "_persistent" else []), [blocks]


def scaled_product(m, n, depth):
    """A matmul with a scale for each 32 elements of K, of which there is a multiple of 16; its operand B is N x K."""
    args = array("a", "f8E4M3FN", [m, depth]) + array("b", "f8E4M3FN", [n, depth])
    for name, extent in (("a_scale", m), ("b_scale", n)):
        args += array(name, "f8E8M0FNU", [extent, depth // 32])
    return args + array("c", "bf16", [m, n], True), [1]


def array_list(name, dtype, shapes, output=False):
    """Returns a list of arrays as its pointer and length; an entry of the table is an address, extents and strides."""
    buffers, words, relocations = [], [], []
    for number, shape in enumerate(shapes):
        first, *scalars = array(f"{name}{number}", dtype, shape, output)
        relocations.append({"offset": 8 * len(words), "buffer": first["name"]})
        buffers.append(first)
        words += [0] + [s["value"] for s in scalars]
    table = {"name": name, "dtype": "i64", "shape": [len(words)], "init": words, "relocations": relocations}
    return [{**table, "buffers": buffers}, scalar(f"{name}_length", "i32", len(shapes))]


def grouped_product(kind, m, n, depth):
    """Two matmuls of one tile each, by one tile block."""
    args = []
    for name, shape in (("a", [m, depth]), ("b", [depth, n]), ("c", [m, n])):
        args += array_list(name, kind, [shape] * 2, name == "c")
    return args, [1]


def experts(name, trips=None):
    """A tile of rows of one expert; a row of x is used twice."""
    found = re.fullmatch(r"moe_e4m3_(\d+)x(\d+)x(\d+)" + HINTS, name)
    if not found:
        return None
    m, n, k = map(int, found.groups())
    steps = trips or TRIPS
    args = array("x", "f8E4M3FN", [m // 2, steps * k]) + array("w", "f8E4M3FN", [1, n, steps * k])
    args += array("x_scale", "f32", [m // 2, steps]) + array("w_scale", "f32", [1, 1, steps])
    rows, block = array("rows", "i32", [m]), array("experts", "i32", [1])
    rows[0]["init"], block[0]["init"] = "iota", "zeros"
    return args + rows + block + array("y", "bf16", [m, n], True), [1]


def attention(name, trips=None):
    found = re.fullmatch(r"attn_(causal|full|branch)_(bf16|f16|e4m3)_d(\d+)_(\d+)x(\d+)" + HINTS, name)
    if not found:
        return None
    causal, kind, (d, m, n) = found.group(1) != "full", TYPES[found.group(2)], map(int, found.groups()[2:])
    queries, keys = ((trips or 2) * m,) * 2 if causal else (m, (trips or 4) * n)
    args = array("q", kind, [1, 1, queries, d]) + array("k", kind, [1, 1, keys, d]) + array("v", kind, [1, 1, keys, d])
    result = "bf16" if kind == "f8E4M3FN" else kind
    return args + array("o", result, [1, 1, queries, d], True) + [scalar("scale", "f32", d**-0.5)], [queries // m]


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


def launch(name, trips=None):
    """Returns (arguments, grid) of a kernel; None for an unknown one. `trips` applies to matmul and attention alone."""
    return product(name, trips) or attention(name, trips) or experts(name, trips) or elements(name) or rows(name)


SWIZZLES = {0: "none", 1: "32B", 2: "64B", 3: "128B"}
MAP_TYPES = {"bf16": "BFLOAT16", "f16": "FLOAT16", "f32": "FLOAT32", "i32": "INT32", "i8": "UINT8", "f8E4M3FN": "UINT8"}


def tensor_map(entry, told):
    """Returns the parameters of Triton's launcher for a descriptor of the array `entry`: map, extents, strides; and the
    array as a buffer."""
    shape, size = entry["shape"], {"bf16": 2, "f16": 2, "f32": 4, "i32": 4}.get(entry["dtype"], 1)
    name, memory = entry["name"], {**entry, "name": entry["name"] + "_memory"}
    shape = [math.prod(shape[:-1]), shape[-1]]
    made = {"base": {"buffer": memory["name"], "offset": 0}, "mode": "tiled", "dtype": MAP_TYPES[entry["dtype"]], "dims": shape[::-1],
            "strides": [shape[1] * size], "box": told["block_size"][::-1], "element_strides": [1, 1], "interleave": "none",
            "swizzle": SWIZZLES[told["swizzle"]], "l2_promotion": "128B", "oob_fill": "zeros"}
    args = [{"name": name, "tensor_map": made}]
    args += [scalar(f"{name}_shape{n}", "i32", x) for n, x in enumerate(shape)]
    return args + [scalar(f"{name}_stride{n}", "i64", x) for n, x in enumerate((shape[1], 1))], memory


def write_triton(name, told, folder, trips=None):
    """Writes a case of FOLDER/out.ptx, compiled by Triton for the kernel `name` and launched as `told` (triton.json)
    says; None if launches of the kernel are unknown."""
    found = launch(name, trips)
    if not found:
        return None
    given, grid = found
    arrays = [a for a in given if "shape" in a]
    values = {a["name"]: a for a in given if "shape" not in a}
    first, last = arrays[0]["shape"], arrays[-1]["shape"]
    # Arguments that are not arrays: extents under their names in the sources, and further scalars.
    numbers = {"M": first[-2] if len(first) > 1 else 1, "N": last[-1], "K": first[-1], "n": first[0], "columns": first[-1], "length": arrays[1]["shape"][-2]
               if len(arrays[1]["shape"]) > 1 else 1}
    if name.startswith("transpose"):
        numbers["N"] = first[-1]
    if "e4m3" in name and "_nt_" not in name and told["descriptors"]:
        arrays[1]["shape"] = arrays[1]["shape"][::-1]  # its operand B is N x K
    args, buffers, descriptors, arrays = [], [], iter(told["descriptors"]), iter(arrays)
    for argument, kind in told["arguments"]:
        if kind[0] == "*":
            args.append(next(arrays))
        elif kind.startswith("tensordesc"):
            more, memory = tensor_map(next(arrays), next(descriptors))
            args += more
            buffers.append(memory)
        else:
            value = values[argument]["value"] if argument in values else numbers[argument]
            args.append(scalar(argument, "f32" if kind == "fp32" else kind, value))
    # Two more pointers: global scratch, one area per block, and the profiler's.
    args += [{"name": n, "dtype": "u8", "shape": [max(1, size)], "align": 128, "init": "zeros"}
             for n, size in (("global_scratch", told["scratch"] * math.prod(grid)), ("profile_scratch", 0))]
    case = {"kernel": os.path.join(folder, "out.ptx"), "entry": told["name"], "grid": (grid + [1, 1])[:3], "block": [32 * told["warps"], 1, 1],
            "shared_bytes": told["shared"], "args": args, "buffers": buffers}
    path = os.path.join(folder, name + ".json")
    with open(path, "w") as out:
        json.dump(case, out)
    return path


def given(kernel, cases):
    """Returns the case of a bytecode file in test/kernels or test/tile_cpp; "" if there is none."""
    name = name_of(kernel)
    path = os.path.join(cases or "", name.split(".")[0], name + ".json")
    if os.path.basename(kernel) == FROM_CPP:
        path = os.path.join(os.path.dirname(kernel), "case.json")
    return path if cases and os.path.exists(path) else ""


def save_words(path, words):
    """Writes integers of 64 bits as NumPy does."""
    header = f"{{'descr': '<i8', 'fortran_order': False, 'shape': ({len(words)},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(words)}q", *words))


def placed(args, folder):
    """Returns fields of a case: the arguments, and the arrays of lists; their tables are files in `folder`."""
    fields = {"args": [dict(a) for a in args], "buffers": []}
    for arg in fields["args"]:
        if "buffers" in arg:
            fields["buffers"] += arg.pop("buffers")
            save_words(os.path.join(folder, arg["name"] + ".npy"), arg["init"])
            arg["init"] = f"@{arg['name']}.npy"
    return fields


def write(kernel, folder, cases, trips=None):
    """Writes a case of the bytecode file `kernel` in `folder`; `cases` has those of test/kernels. Returns its path, or
    None. `trips` is for kernels without a case in test/kernels."""
    name = name_of(kernel)
    path = os.path.join(folder, name + ".json")
    known = given(kernel, cases)
    if known:
        with open(known) as text:
            case = json.load(text)
        for arg in case["args"]:
            for field in ("expect", "init"):  # files beside it
                value = arg.get(field)
                if field == "expect":
                    arg.pop(field, None)
                elif isinstance(value, str) and value.startswith("@"):
                    arg[field] = "@" + os.path.join(os.path.dirname(os.path.abspath(known)), value[1:])
    else:
        found = launch(name, trips)
        if not found:
            return None
        args, grid = found
        case = {"entry": name, "grid": (grid + [1, 1])[:3], **placed(args, folder)}
    case["kernel"] = os.path.abspath(kernel)
    with open(path, "w") as out:
        json.dump(case, out)
    return path

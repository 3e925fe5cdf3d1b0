#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a kernel and a case of every row of test/data/op-acceptance.csv that the closed compiler accepts for any
target.

The functions are those of test/lib/op_acceptance.py: here their parameters are loaded or built from arguments of the
kernel, and their results are stored.
"""

import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
import op_acceptance as rules  # noqa: E402

TILE = re.compile(r"tile<((?:\d+x)*)(ptr<(\w+)>|\w+)>\Z")
VIEW = re.compile(r"((?:partition|strided|gather_scatter)_view)<tile=\(([\dx]+)\), (.*?)(tensor_view<([?x\d]+)x(\w+), strides=\[([^\]]*)\](?:, #cuda_tile.ptr_attr<multicast>)?>)(.*)>\Z")
TENSOR = re.compile(r"tensor_view<([?x\d]+)x(\w+), strides=\[([^\]]*)\](, #cuda_tile.ptr_attr<multicast>)?>\Z")


# Bits of infinite floats, without the sign; the functions treat floats as bits.
INFINITIES = {"f16": 0x7C00, "bf16": 0x7F80, "f32": 0x7F800000, "f64": 0x7FF0000000000000}


def identity(combine, element):
    """Returns the identity of `combine`: results would depend on other values."""
    if element[0] != "i":
        if combine in ("maxf", "minf"):
            sign = 1 << (int(element.lstrip("bf")) - 1) if combine == "maxf" else 0
            return "0x%X : %s" % (INFINITIES[element] | sign, element)
        return "%s : %s" % ("1.0" if combine == "mulf" else "0.0", element)
    width = int(element[1:])
    value = {"muli": 1, "andi": -1, "maxi": -(1 << (width - 1)), "mini": (1 << (width - 1)) - 1}.get(combine, 0)
    if width == 1:
        return "true" if value else "false"
    return "%d : %s" % (value, element)


def with_identities(lines):
    text = "\n".join(lines)
    combine = re.search(r"%s0 = (\w+) ", text)
    return [re.sub(r"identities=\[[^\]]*\]", lambda m: "identities=[%s]" % ", ".join(
        identity(combine[1], re.search(r"(\w+)>\Z|tile<(?:\d+x)*(\w+)>", line)[2] or "") for _ in m[0].split(",")), line)
            if "identities=" in line else line for line in lines]


class Unsupported(Exception):
    """No case can express this."""


def count(dims):
    total = 1
    for d in dims:
        total *= d
    return total


def parse_tile(text):
    match = TILE.match(text)
    if not match:
        raise Unsupported(text)
    return [int(d) for d in match[1].split("x") if d], match[2], match[3]


def spell(dims, element):
    return "tile<%s>" % "x".join([str(d) for d in dims] + [element])


class Kernel:
    """An entry and the arguments of its case."""

    def __init__(self, op, types=""):
        self.types = types
        self.op, self.lines, self.params, self.args, self.names = op, [], [], [], 0
        self.zero = None

    def fresh(self):
        self.names += 1
        return "%%k%d" % self.names

    def say(self, form, *values):
        name = self.fresh()
        self.lines.append(name + " = " + form % values)
        return name

    def index(self):
        if not self.zero:
            self.zero = self.say("constant <i32: 0> : tile<i32>")
        return self.zero

    def init(self, element, number):
        # A row that a scatter names twice has no defined value.
        if self.op == "make_gather_scatter_view" and number <= 32:
            return "iota"
        if element == "i1":
            # Divisors and asserted values are not zero, the signed minimum is not divided, and shift amounts are below
            # the width.
            if self.op in ("divi", "remi", "assert"):
                return "integers:1:2" if self.args or self.op == "assert" else "zeros"
            return "zeros" if self.op in ("shli", "shri") else "integers:0:2"
        if element[0] == "i":
            return "integers:1:7"
        # Conversion of a number that does not fit into an integer is undefined.
        if self.op == "ftoi":
            one_bit = self.types.endswith("-> i1 signed")
            return "zeros" if one_bit and element == "f8E8M0FNU" else "integers:-1:1" if one_bit else "integers:0:2"
        # Values of negative scales are undefined; elements of such a product have another type.
        if self.op == "mmaf_scaled" and element == "f8E4M3FN" and " scale f8E4M3FN" in self.types:
            return "integers:1:4"
        return "normal"

    def buffer(self, element, number, output, init=None):
        name = "%s%d" % ("out" if output and not init else "in", len(self.args))
        # Case files have no name for this type; bits of 0.25 to 1.75, below 1 where only zero fits.
        bits = element == "fnv8E5M3FNU"
        if bits and init:
            init = "integers:104:%d" % (119 if self.op == "ftoi" and self.types.endswith("-> i1 signed") else 126)
        entry = {"name": name, "dtype": "i8" if bits else element, "shape": [number], "init": init or "poison"}
        if init:
            entry["seed"] = len(self.args) + 1
        if output:
            entry["output"] = True
        self.args.append(entry)
        self.params.append("%%%s: tile<ptr<%s>>" % (name, element))
        return "%" + name

    def scalar(self, element):
        # Loops run once; other indices begin at zero.
        value = 1 if self.op in ("for", "loop", "if", "continue", "print_tko", "assume") else 0
        if self.op in ("if", "continue") and element == "i1":
            value = 0
        if self.op == "assume" and element != "i1":
            value = 8  # divisible as assumed
        if element[0] != "i":
            value = 1.0
        elif element == "i4":
            raise Unsupported("an argument of i4")
        name = "s%d" % len(self.args)
        self.args.append({"name": name, "dtype": element, "value": value})
        self.params.append("%%%s: %s" % (name, spell([], element)))
        return "%" + name

    def flat(self, dims):
        """Returns the shape in which a tile is loaded and stored: a row, which exercises layouts most, or the tile's
        own shape if the row's size matters, where the conversion would dominate."""
        return dims if self.op.startswith("limit_") and dims else [count(dims)]

    def array(self, base, element, dims):
        """Returns a view whose one tile is the whole array at `base`: its name, its type and the indices of the
        tile."""
        strides = [str(count(dims[i + 1:])) for i in range(len(dims))]
        tensor = "tensor_view<%sx%s, strides=[%s]>" % ("x".join(map(str, dims)), element, ",".join(strides))
        view = "partition_view<tile=(%s), %s>" % ("x".join(map(str, dims)), tensor)
        tv = self.say("make_tensor_view %s, shape = [%s], strides = [%s] : %s", base, ", ".join(map(str, dims)), ", ".join(strides), tensor)
        pv = self.say("make_partition_view %s : %s", tv, view)
        return pv, view, ", ".join([self.index()] * len(dims))

    def load(self, dims, element):
        number = count(dims)
        if element == "i4":
            raw = self.load([number // 2], "i8")
            value = self.say("unpack %s : %s -> %s", raw, spell([number // 2], "i8"), spell([number], "i4"))
        else:
            base = self.buffer(element, number, False, self.init(element, number))
            flat = self.flat(dims)
            pv, view, indices = self.array(base, element, flat)
            value, token = self.fresh(), self.fresh()
            self.lines.append("%s, %s = load_view_tko weak %s[%s] : %s, tile<i32> -> %s, token" %
                              (value, token, pv, indices, view, spell(flat, element)))
            if dims == flat:
                return value
        if dims != [number]:
            value = self.say("reshape %s : %s -> %s", value, spell([number], element), spell(dims, element))
        return value

    def pointers(self, dims, pointee):
        number = count(dims)
        base = self.buffer(pointee, number, True, self.init(pointee, number))
        if not dims:
            return base
        element = "ptr<%s>" % pointee
        unit = self.say("reshape %s : %s -> %s", base, spell([], element), spell([1] * len(dims), element))
        wide = self.say("broadcast %s : %s -> %s", unit, spell([1] * len(dims), element), spell(dims, element))
        iota = self.say("iota : %s", spell([number], "i32"))
        if len(dims) > 1:
            iota = self.say("reshape %s : %s -> %s", iota, spell([number], "i32"), spell(dims, "i32"))
        return self.say("offset %s, %s : %s, %s -> %s", wide, iota, spell(dims, element), spell(dims, "i32"), spell(dims, element))

    def tensor(self, text, sizes):
        match = TENSOR.match(text)
        if not match:
            raise Unsupported(text)
        element = match[2]
        base = self.buffer(element, count(sizes), True, self.init(element, count(sizes)))
        if match[4]:
            self.params[-1] = self.params[-1].replace("ptr<%s>" % element, "ptr<%s, <multicast>>" % element)
        shape, strides, stride = [], [], 1
        for size in reversed(sizes):
            strides.insert(0, stride)
            stride *= size
        for known, size in zip(match[1].split("x"), sizes):
            shape.append(self.say("constant <i32: %d> : tile<i32>", size) if known == "?" else str(size))
        strides = [self.say("constant <i32: %d> : tile<i32>", size) if known == "?" else known
                   for known, size in zip(match[3].split(","), strides)]
        operands = spell([], "ptr<%s, <multicast>>" % element) + ", tile<i32>" if match[4] else "tile<i32>"
        return self.say("make_tensor_view %s, shape = [%s], strides = [%s] : %s -> %s", base, ", ".join(shape), ", ".join(strides), operands, text)

    def view(self, text):
        match = VIEW.match(text)
        sizes = [int(d) for d in match[2].split("x")]
        return self.say("make_%s %s : %s", match[1], self.tensor(match[4], sizes), text)

    def parameter(self, text):
        if VIEW.match(text):
            return self.view(text)
        if text.startswith("tensor_view"):
            # The padding is visible at the edge.
            return self.tensor(text, [10, 24] if self.padded else [16, 32])
        dims, element, pointee = parse_tile(text)
        if pointee:
            return self.pointers(dims, pointee)
        return self.load(dims, element) if dims else self.scalar(element)

    def store(self, value, text):
        if text == "token":
            return
        match = VIEW.match(text)
        if match:
            dims, element = [int(d) for d in match[2].split("x")], match[6]
            indices = ", ".join([self.index()] * len(dims))
            loaded, token = self.fresh(), self.fresh()
            self.lines.append("%s, %s = load_view_tko weak %s[%s] : %s, tile<i32> -> %s, token" %
                              (loaded, token, value, indices, text, spell(dims, element)))
            return self.store(loaded, spell(dims, element))
        dims, element, pointee = parse_tile(text)
        number = count(dims)
        if pointee or self.op == "ptr_to_int":
            # Addresses are not observable results.
            if pointee:
                value = self.say("ptr_to_int %s : %s -> %s", value, text, spell(dims, "i64"))
            element, text = "i64", spell(dims, "i64")
            low = self.say("constant <i64: 15> : %s", text)
            value = self.say("andi %s, %s : %s", value, low, text)
        flat = self.flat(dims)
        if dims != flat:
            value = self.say("reshape %s : %s -> %s", value, text, spell(flat, element))
        if element == "i4":
            value = self.say("pack %s : %s -> %s", value, spell([number], "i4"), spell([number // 2], "i8"))
            element, number, flat = "i8", number // 2, [number // 2]
        base = self.buffer(element, number, True)
        pv, view, indices = self.array(base, element, flat)
        self.say("store_view_tko weak %s, %s[%s] : %s, %s, tile<i32> -> token", value, pv, indices, spell(flat, element), view)


def top_level(lines):
    """Returns indices of lines that begin an operation with results of the function itself, and their names."""
    depth, found = 0, []
    for line in lines:
        if depth == 0:
            match = re.match(r"((?:%\w+(?::\d+)?)(?:, %\w+)*) = ", line)
            if match:
                names = []
                for name in match[1].split(", "):
                    base, _, number = name.partition(":")
                    names += [base] if not number else ["%s#%d" % (base, i) for i in range(int(number))]
                found.append(names)
        depth += line.count("{") - line.count("}")
    return found


def result_types(text):
    """Returns types of the results of the top-level operations of each function of generic text."""
    functions = []
    for body in text.split('"cuda_tile.testing$func"')[1:]:
        types, indent = [], None
        for line in body.split("\n")[1:]:
            at = len(line) - len(line.lstrip())
            if line.lstrip().startswith("^bb"):
                continue
            indent = at if indent is None else indent
            if at != indent:
                continue
            if '"cuda_tile.return"' in line:
                break
            result = line.rsplit(" -> ", 1)[-1].rstrip()
            if result.startswith("("):
                result = result[1:-1]
            opens = line.rstrip().endswith("({")
            if line.lstrip().startswith("%") and opens:
                types.append(None)
            elif line.lstrip().startswith("%") or (line.lstrip().startswith("}") and types and types[-1] is None):
                parts = re.split(r", (?=!)", result)
                parts = [part.replace("!cuda_tile.", "") for part in parts]
                if types and types[-1] is None:
                    types[-1] = parts
                else:
                    types.append(parts)
        functions.append(types)
    return functions


def make(rows, mlir_opt):
    """Returns (op, types, kernel text, case) of each row; if the text is None, the case is the reason."""
    cases = [rules.make_case(op, types) for op, types in rows]
    source = ""
    for case in cases:
        params = ", ".join("%%a%d: %s" % pair for pair in enumerate(case.params))
        source += "cuda_tile.module @m {\nglobal @table <f32: 1.0> : tile<8xf32>\ntesting$func @f(%s) {\n%s\nreturn\n}\n}\n// -----\n" % (params, "\n".join(case.lines))
    run = subprocess.run(mlir_opt + ["--split-input-file", "--mlir-print-op-generic"], input=source, capture_output=True, text=True)
    if run.returncode:
        raise SystemExit(run.stderr[:2000])
    made = []
    for (op, types), case, results in zip(rows, cases, result_types(run.stdout)):
        kernel = Kernel(op, types)
        kernel.padded = "padding" in types
        try:
            if "subf" in "".join(case.lines) and op in ("reduce", "scan"):
                raise Unsupported("any order is right, and gives another result")
            if op == "for" and types.startswith("i1 "):
                raise Unsupported("no step of i1 is positive")
            values = [kernel.parameter(text) for text in case.params]
            lines = with_identities(case.lines)
            for i, value in reversed(list(enumerate(values))):
                lines = [re.sub(r"%%a%d\b" % i, value, line) for line in lines]
            kernel.lines += lines
            for names, kinds in zip(top_level(lines), results):
                for name, kind in zip(names, kinds):
                    kernel.store(name, kind)
        except Unsupported as error:
            made.append((op, types, None, str(error)))
            continue
        text = "cuda_tile.module @kernels {\n  global @table <f32: 1.0> : tile<8xf32>\n  entry @k(%s) {\n%s\n    return\n  }\n}\n" % (
            ", ".join(kernel.params), "\n".join("    " + line for line in kernel.lines))
        made.append((op, types, text, {"kernel": "", "entry": "k", "grid": [1, 1, 1], "args": kernel.args}))
    return made


def write(made, folder):
    """Writes files of the cases, in the order of `made`; None if there is none."""
    paths = []
    for number, (_op, _types, text, case) in enumerate(made):
        if text is None:
            paths.append(None)
            continue
        name = "%04d" % number
        with open(os.path.join(folder, name + ".mlir"), "w") as file:
            file.write(text)
        case["kernel"] = name + ".mlir"
        path = os.path.join(folder, name + ".json")
        with open(path, "w") as file:
            json.dump(case, file)
        paths.append(path)
    return paths

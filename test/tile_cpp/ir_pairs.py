#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ir_pairs.py KERNEL TWIN: a kernel in C++ and the same one in Python are one IR after the canonical passes.

Both are bytecode; `tileir-translate` and `tileir-opt`, of the test or named by TILEIR_TRANSLATE and TILEIR_OPT, run the
passes of the first tier, before any one that looks at a target. The loops are compared, without a loop the whole kernel:
operations with their attributes and types, and what each operand is computed of.

What differs by language is left out: the order of lines and of the values that a loop carries, numbers of memory objects,
promises (`inbounds` by `load` of C++, signed integers that do not overflow), and what is computed in front of the loop, where
each has parameters of its own.
"""

import collections
import hashlib
import os
import re
import subprocess
import sys
import tempfile

# Pairs whose producers do not say the same, and what differs. Such a pair fails when it becomes equal.
KNOWN = {
    "attention_branch_f16": "cuTile splits its loop where the branch changes; ours is split by tileas-split-masked-loops",
    "gemm_grouped_f16": "division of integers rounds down in Python, toward zero in C++",
    "layernorm_bf16": "nvcc hands the token of the store from iteration to iteration; cuTile knows that the tiles are others",
}
VALUE = r"%[\w-]+(?:#\d+)?"
# The color of values computed before the loop, and how many loops a value may go round in.
OUTSIDE, ROUNDS = "outside", 8
# Operations in a loop or before it, as the program has them, at the same cost.
MOVED = re.compile(r"nv_tileaa\.(broadcast|splat|expand_dims|view) ")
# Without a loop: operations that have no tile.
SCALARS = re.compile(r"(?!.*tensor<)")
# Numbers of memory objects, and promises that one language makes and the other does not.
DROPPED = re.compile(r"\s*in_bounds = \[[^]]*\]|, scope = \d+|\s*overflow<\w+>")


def tool(variable, name):
    runfiles = os.path.join(os.environ.get("TEST_SRCDIR", ""), os.environ.get("TEST_WORKSPACE", ""))
    return os.path.abspath(os.environ.get(variable) or os.path.join(runfiles, "tools", name, name))


def canonical(bytecode, folder):
    """Lines of the kernel's IR after the canonical passes."""
    text, out = (os.path.join(folder, name) for name in ("in.mlir", "out.mlir"))
    subprocess.run([tool("TILEIR_TRANSLATE", "tileir-translate"), "--cudatilebc-to-mlir", bytecode, "-o", text], check=True)
    subprocess.run([tool("TILEIR_OPT", "tileir-opt"), text, "-o", out,
                    "--pass-pipeline=builtin.module(tileir{opt-level=1 compute-capability=sm_90})"], check=True)
    with open(out) as file:
        return file.read().splitlines()


def loops(lines):
    """The outermost loops, or without one the body of the kernel, as lists of lines."""
    def block(first):
        depth = len(lines[first]) - len(lines[first].lstrip())
        end = next(i for i in range(first + 1, len(lines)) if re.match(r" {%d}}" % depth, lines[i]))
        return lines[first:end + 1], end

    found, at = [], 0
    while at < len(lines):
        if re.search(r"= scf\.(for|while)\b|^\s*scf\.(for|while)\b", lines[at]):
            loop, at = block(at)
            found.append(loop)
        at += 1
    entry = next(i for i, line in enumerate(lines) if "nv_tileaa.func" in line)
    return found or [block(entry)[0][1:]], bool(found)


class Graph:
    """What the lines compute, whatever the order of lines and of the values that loops carry."""

    def __init__(self, lines, has_loop):
        self.has_loop = has_loop
        self.colors, self.steps, self.carried = {}, [], []
        regions = []
        for line in lines:
            text = DROPPED.sub("", line.strip())
            if "tiled_store" in text:
                text = re.sub(r", padding = \w+", "", text)  # Of loads alone
            if text.startswith("^"):  # Arguments of a region of its own
                for number, argument in enumerate(re.findall(VALUE, text)):
                    self.colors[argument] = "argument %d" % number
                continue
            if text.startswith("}"):
                if "else" not in text and regions:
                    regions.pop()
                continue
            made, found, rest = text.rpartition(" = ") if re.match(VALUE, text) else ("", "", text)
            if found and not re.match(r"[\w.%]+ ", rest):  # An operation with attributes of the form `a = b`
                made, _, rest = text.partition(" = ")
            results = re.findall(VALUE, made.replace(":", " "))
            number = re.search(r":(\d+)$", made.strip())
            if number:
                results = ["%s#%d" % (results[0], n) for n in range(int(number[1]))]
            carried = re.search(r"iter_args\(([^)]*)\)", rest)
            pairs = re.findall("(%s) = (%s)" % (VALUE, VALUE), carried[1]) if carried else []
            if re.match(r"scf\.(yield|condition)|nv_tileaa\.yield", rest) and regions:
                self.yield_to(regions[-1], rest)
                continue
            loop = re.match(r"scf\.for (%s) = " % VALUE, rest)
            if loop:
                self.colors[loop[1]] = "iteration"
            arguments = [argument for argument, _ in pairs]
            if loop or rest.startswith("scf.if"):
                for index, result in enumerate(results):
                    self.carried.append([result, arguments[index] if pairs else None, pairs[index][1] if pairs else None, []])
            own = self.carried[len(self.carried) - len(results):] if loop or rest.startswith("scf.if") else []
            if rest.endswith("{"):
                regions.append(own)
            head = rest[:carried.start()] + rest[carried.end():] if carried else rest
            self.steps.append((re.sub(VALUE, "%", head), re.findall(VALUE, head), [] if own else results))
        self.settle()

    def yield_to(self, region, text):
        for one, value in zip(region, re.findall(VALUE, text)):
            one[3].append(value)

    def color(self, value):
        return self.colors.get(value, OUTSIDE)

    def settle(self):
        """Gives each value a color, by what it is computed of: as often as values go round in loops."""
        for _ in range(ROUNDS):
            self.kinds = []
            for text, operands, results in self.steps:
                inputs = [self.color(operand) for operand in operands]
                if set(inputs) <= {OUTSIDE} and (MOVED if self.has_loop else SCALARS).match(text):
                    continue
                kind = hashlib.sha1(repr((text, inputs)).encode()).hexdigest()
                self.kinds.append((kind, text))
                for number, result in enumerate(results):
                    self.colors[result] = "%s %d" % (kind, number)
            for result, argument, begin, ends in self.carried:
                color = hashlib.sha1(repr([self.color(value) for value in ([begin] if begin else []) + ends]).encode()).hexdigest()
                self.colors[result] = "carried " + color
                if argument:
                    self.colors[argument] = "inside " + color


def compare(cpp, python, has_loop):
    """Prints how the loops compare; returns whether they are equal."""
    if len(cpp) != len(python):
        print("%d loops, in Python %d" % (len(cpp), len(python)))
        return False
    equal = True
    for pair in zip(cpp, python):
        first, second = (collections.Counter(Graph(lines, has_loop).kinds) for lines in pair)
        if first == second:
            print("equal, %d operations" % sum(first.values()))
            continue
        equal = False
        more, fewer = (collections.Counter(text for _, text in kinds.elements()) for kinds in (first - second, second - first))
        for title, extra in (("C++ alone", more - fewer), ("Python alone", fewer - more), ("of other operands", more & fewer)):
            for text, number in extra.items():
                print("%s, %d times: %s" % (title, number, text))
    return equal


def main():
    name = os.path.basename(os.path.dirname(sys.argv[1]))
    with tempfile.TemporaryDirectory() as work:
        (cpp, has_loop), (python, _) = (loops(canonical(bytecode, work)) for bytecode in sys.argv[1:3])
    equal = compare(cpp, python, has_loop)
    if name in KNOWN:
        print("known: " + KNOWN[name])
    sys.exit(equal == (name in KNOWN))


if __name__ == "__main__":
    main()

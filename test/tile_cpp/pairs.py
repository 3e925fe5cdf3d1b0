#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pairs.py [--case CASE --cycles GPU,...] KERNEL TWIN GPU...: checks that a kernel in C++ and its twin in Python have
one main loop.

The loops are equal up to names. Both kernels are bytecode; `tileiras`, of the test or named by TILEIRAS, compiles them
for each GPU. The main loop is the innermost one with the most tensor core instructions, then the fewest instructions:
masks are in the loop of the last iterations, which is compared, too. Without tensor cores it is the one with the most
instructions; if loops are unrolled it is the whole kernel.

Differences must be improvements: no more memory accesses or tensor core instructions, nor more instructions. Where
masks are computed, or views are created, two percent more are allowed: an extent in C++ is any unsigned 32-bit number,
so that the start of a tile takes 33 bits, while arrays of Python end before 2^31.

With the case of the C++ kernel both run in the emulator, `tileir-run` of the test or named by TILEIR_RUN, as targets of
`--cycles`: its timing model, which is not a measured time, gives the whole kernel at most one percent more cycles. The
twin takes the arrays of the case, row-major, with their extents and strides.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

TENSOR = re.compile(r"^(wgmma|tcgen05\.mma|mma|tcgen05\.cp)\b")
# Allowed differences: lines that are no machine instruction, or one that depends on ptxas's register allocation.
FREE = re.compile(r"^(mov|\{.*|cvt\.u32\.u64|cvt\.u64\.u32|.*:)$|^mov\.")
# No additions are allowed of: tensor cores, copies, barriers, accesses of memory.
WEIGHED = re.compile(r"^(wgmma|tcgen05|mma|ldmatrix|stmatrix|cp\.async|mbarrier|bar\.(sync|arrive|red)|ld|st|red|atom|shfl)\b")


def tool(variable, name):
    runfiles = os.path.join(os.environ.get("TEST_SRCDIR", ""), os.environ.get("TEST_WORKSPACE", ""))
    return os.path.abspath(os.environ.get(variable) or os.path.join(runfiles, "tools", name, name))


def twin_arguments(arguments):
    """Returns the arguments of the kernel in Python: extents and strides follow each array."""
    made = []
    for argument in arguments:
        if "shape" not in argument:
            continue
        shape = argument["shape"]
        strides = [1]
        for extent in reversed(shape[1:]):
            strides.insert(0, strides[0] * extent)
        made.append(argument)
        made += [{"name": "%s_%d" % (argument["name"], n), "dtype": "i32", "value": value}
                 for n, value in enumerate(shape + strides)]
    return made


def cycles(bytecode, case, arguments, gpu, folder):
    """Returns cycles of a block in the timing model of the emulator."""
    path = os.path.join(folder, "case.json")
    arguments = [{key: value for key, value in argument.items() if key != "expect"} for argument in arguments]
    with open(path, "w") as out:
        json.dump({**case, "kernel": os.path.abspath(bytecode), "args": arguments}, out)
    run = subprocess.run([tool("TILEIR_RUN", "tileir-run"), path, "--device=emulated", "--timing=json", "--arch=" + gpu,
                          "--compiler=" + tool("TILEIRAS", "tileiras")], check=True, stdout=subprocess.PIPE)
    text = run.stdout.decode()
    return json.JSONDecoder().raw_decode(text[text.index("{"):])[0]["cycles_cta"]


def compile(bytecode, gpu, folder):
    ptx = os.path.join(folder, "out.ptx")
    subprocess.run([tool("TILEIRAS", "tileiras"), bytecode, "--gpu-name", gpu, "-O3", "--emit=ptx", "-o", ptx], check=True)
    with open(ptx) as text:
        return text.read()


def instructions(ptx):
    """Returns the instructions and labels of the kernel's body, without predicates' names."""
    body = ptx[ptx.index("\n{"):]
    lines = []
    for line in body.splitlines():
        line = line.partition("//")[0].strip()
        if line and line not in "{}" and not line.startswith("."):
            lines.append(line)
    return lines


def opcode(line):
    """Returns the operation of an instruction. Two words of 64 bits are four of 32."""
    return re.sub(r"^@!?%?\w+\s+", "", line).split(" ")[0].rstrip(";\t").replace(".v2.b64", ".v4.b32")


def weight(lines):
    return sum(1 for line in lines if TENSOR.match(opcode(line))), len(lines)


def main_loops(lines):
    """Returns lines of the main loop and of the one with masks, if it is another; of the whole kernel, if no loop
    counts."""
    labels = {line[:-1]: i for i, line in enumerate(lines) if line.endswith(":")}
    loops = []
    for end, line in enumerate(lines):
        target = re.search(r"\bbra(?:\.uni)?\s+(\S+);", line)
        start = labels.get(target[1], end) if target else end
        # Loops that wait on an mbarrier belong to others.
        if start < end and not (end - start < 10 and any("try_wait" in waits for waits in lines[start:end])):
            loops.append((start, end))
    inner = [(a, b) for a, b in loops if not any((a, b) != (c, d) and a <= c and d <= b for c, d in loops)]
    found = sorted((lines[a:b + 1] for a, b in inner), key=weight)
    most = weight(found[-1])[0] if found else 0
    if not found or (weight(lines)[0] and not most):
        return [lines], False
    return [found[-1]] if not most else [loop for loop in found if weight(loop)[0] == most], True


def renamed(lines):
    """Returns the lines with registers, labels and parameters numbered in order of appearance."""
    names = {}

    def rename(match):
        kind = re.match(r"%?[a-zA-Z]*", match[0])[0]
        return names.setdefault(match[0], "%s#%d" % (kind, len(names)))

    return [re.sub(r"%[a-z]+\d+|\$L\w+|K_param_\d+", rename, line) for line in lines]


def compare(cpp, python, has_loop, slack):
    """Returns how the C++ loop is worse than the one in Python, or an empty text; and the comparison of both."""
    if renamed(cpp) == renamed(python):
        return "", "equal, %d instructions" % len(cpp)
    cpp, python = ([op for op in map(opcode, lines) if not FREE.match(op)] for lines in (cpp, python))
    counts = [collections.Counter(filter(WEIGHED.match, ops)) for ops in (cpp, python)]
    more = {op: n for op, n in (counts[0] - counts[1]).items() if op != "ld.param.b32" or has_loop}
    sizes = "%d instructions for %d" % (len(cpp), len(python))
    if more or len(cpp) > len(python) * slack:
        return "%s; more: %s; fewer: %s" % (sizes, more, dict(counts[1] - counts[0])), ""
    return "", sizes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--case")
    parser.add_argument("--cycles", default="")
    parser.add_argument("kernels", nargs=2)
    parser.add_argument("gpus", nargs="+")
    options = parser.parse_args()
    failed = False
    for gpu in filter(None, options.cycles.split(",")):
        with open(options.case) as text:
            case = json.load(text)
        arguments = case["args"], twin_arguments(case["args"])
        with tempfile.TemporaryDirectory() as work:
            cpp, python = (cycles(*pair, gpu, work) for pair in zip(options.kernels, (case, case), arguments))
        print("%s: %d model cycles for %d" % (gpu, cpp, python))
        if cpp > 1.01 * python:
            print("%s: WORSE: %d model cycles, in Python %d" % (gpu, cpp, python))
            failed = True
    for gpu in options.gpus:
        with tempfile.TemporaryDirectory() as work:
            (cpp, has_loop), (python, _) = (main_loops(instructions(compile(bytecode, gpu, work))) for bytecode in options.kernels)
        # If one of them has no loop for masks, its only loop contains them.
        masked = [1.02] * (len(cpp) != len(python) or not has_loop or not weight(cpp[0])[0])
        for loops in zip([cpp[0], cpp[-1]][:max(len(cpp), len(python))], [python[0], python[-1]], masked or [1.0, 1.02]):
            worse, how = compare(*loops[:2], has_loop, loops[2])
            print("%s: %s" % (gpu, "WORSE: " + worse if worse else how))
            failed = failed or bool(worse)
    sys.exit(failed)


if __name__ == "__main__":
    main()

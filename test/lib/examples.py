#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parses every example of OPS.md.

usage: examples.py OPS.md MLIR-OPT ARGUMENT...

Values that an example does not define become arguments of the function around it; the parser's error messages give
their types. Every operation of the document has an example, or the run fails; of `cuda_tile` every type and attribute,
too.
"""

import re
import subprocess
import sys

# Text around an example: {} is the example.
FUNCTION = "cuda_tile.module @m {\n  global @coeff <f32: [1.0, 0.5]> : tile<2xf32>\ntesting$func @f(ARGUMENTS) {\n%s\n  return\n}\n}\n"
AROUND = {
    "module": "{}\n",
    "entry": "cuda_tile.module @m {\n{}\n}\n",
    "global": "cuda_tile.module @m {\n{}\n}\n",
    "testing$func": "cuda_tile.module @m {\n{}\n}\n",
    "return": FUNCTION % "if %condition {\n{}\n}",
    "yield": FUNCTION % "%q = if %condition -> (tile<i32>) {\n{}\n} else {\nyield %a : tile<i32>\n}",
    "break": FUNCTION % "%q = loop : tile<f32> {\n{}\n}",
    "continue": FUNCTION % "%q = for %i in (%b to %b, step %b) : tile<i32> iter_values(%c = %n) -> (tile<f32>) {\n{}\n}",
}
# Operations of the inner dialects may stand in any function.
PLAIN = "#l = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>\n!m = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>\nfunc.func @f(ARGUMENTS) {\n{}\nreturn\n}\n"
ALIASES = """#di_file = #cuda_tile.di_file<"k.py" in "/src">
#di_compile_unit = #cuda_tile.di_compile_unit<file = #di_file>
#di_subprogram = #cuda_tile.di_subprogram<file = #di_file, line = 4, name = "add", linkageName = "f", compileUnit = #di_compile_unit>
"""


def with_layouts(code):
    """Returns `code` with a layout of its shape for each name of one in a type, and a view for `…`."""

    def layout(match):
        extents = [int(n) for n in re.findall(r"\d+", match[3])]
        order = ", ".join(str(i) for i in reversed(range(len(extents))))
        shape = ", ".join(map(str, extents))
        if match[1] == "buffer":
            form = "smem, [%s], linear<order = [%s]>" % (shape, order)
        else:
            lanes, left = [], 32
            for extent in extents:
                lanes.append(min(extent, left))
                left //= lanes[-1]
            ones = ", ".join("1" for _ in extents)
            form = "reg, [%s], blocked<per_thread = [%s], lanes = [%s], warps = [%s], order = [%s]>" % (shape, ones, ", ".join(map(str, lanes)), ones, order)
        return "%s<%s%s%s, #nv_tileas.layout<%s>>" % (match[1], match[2] or "", match[3], match[4], form)

    code = re.sub(r"(tensor|buffer)<(\[\d+\] )?((?:\d+x)+)([^<>,]*(?:<[^<>]*>)?), #\w+>", layout, code)
    return code.replace("tiled_view<…", "tiled_view<64x32 of !m")


def variants(code):
    """Returns the variants of an operation in sequence: a value is defined once in each."""
    parts, defined = [""], set()
    for line in code.splitlines(keepends=True):
        name = re.match(r"(%\w+).* = ", line)
        if name and name[1] in defined:
            parts.append("")
            defined = set()
        if name:
            defined.add(name[1])
        parts[-1] += line
    return parts


def examples(document):
    """Returns (heading, example) of every entry, None if an entry has no example."""
    result = []
    for part in re.split(r"^### ", document, flags=re.M)[1:]:
        heading = part.splitlines()[0]
        # Enumerations have keywords and no syntax of their own.
        if "Syntax:" not in part and "cuda_tile." not in heading or "Enum cases:" in part:
            continue
        if "'cuda_tile' Dialect" not in document and not heading.startswith("`"):
            continue
        code = re.search(r"^```mlir\n(.*?)^```$", part, flags=re.M | re.S)
        result.append((heading, code and code[1]))
    return result


class Example:
    def __init__(self, heading, code):
        self.heading, self.arguments, self.lacks = heading, {}, False
        operation = re.match(r"`\w+\.([\w.$]+)`", heading)
        isInner = bool(operation) and not heading.startswith("`cuda_tile.")
        # Type of an argument until the parser determines it; no operation has it.
        self.unknown = "none" if isInner else "token"
        code = code.strip()
        if operation:
            around = PLAIN if isInner else AROUND.get(operation[1], FUNCTION % "{}")
            self.text = around.replace("{}", with_layouts(code) if isInner else code)
            self.lacks = not re.search(r"(?<![\w$])%s(?![\w$])" % re.escape(operation[1]), code)
        elif code.startswith("!"):
            self.text = "".join("func.func private @f%d(%s)\n" % pair for pair in enumerate(code.splitlines()))
        else:
            self.text = ALIASES + "".join('"test.op"() {a = %s} : () -> ()\n' % line for line in code.splitlines())

    def render(self):
        arguments = ", ".join("%s: %s" % pair for pair in self.arguments.items())
        return self.text.replace("ARGUMENTS", arguments)

    def learn(self, message, place):
        """Learns from `message` about the text that begins with `place`; returns whether another try makes sense."""
        if message == "use of undeclared SSA value name" and "ARGUMENTS" in self.text:
            self.arguments[re.match(r"%\w+", place)[0]] = self.unknown
            return True
        other = re.search(r"use of value '(%\w+)' expects different type than prior uses: '(.*?)' vs", message)
        if other and other[1] in self.arguments and self.arguments[other[1]] == self.unknown:
            self.arguments[other[1]] = other[2]
            return True
        return False


def main():
    command = sys.argv[2:]
    found = examples(open(sys.argv[1]).read())
    status = 0
    todo = []
    for heading, code in found:
        if code is None:
            print(heading + ": no example")
            status = 1
        else:
            for part in variants(code):
                todo.append(Example(heading, part))
                if todo[-1].lacks:
                    print(heading + ": the example has no such operation")
                    status = 1
    while todo:
        starts, line, source = [], 1, ""
        for example in todo:
            starts.append(line)
            chunk = example.render() + "// -----\n"
            source += chunk
            line += chunk.count("\n")
        run = subprocess.run(command + ["--split-input-file", "--allow-unregistered-dialect", "-o", "/dev/null"], input=source, capture_output=True, text=True)
        messages = {}
        lines = source.splitlines()
        for match in re.finditer(r"^<stdin>:(\d+):(\d+): error: (.*)$", run.stderr, flags=re.M):
            index = max(i for i, start in enumerate(starts) if start <= int(match[1]))
            messages.setdefault(index, []).append((match[3], lines[int(match[1]) - 1][int(match[2]) - 1 :]))
        if run.returncode != 0 and not messages:
            print(run.stderr)
            return 1
        again = []
        for index, texts in messages.items():
            if all([todo[index].learn(*text) for text in texts]):
                again.append(todo[index])
            else:
                print("%s: %s\n%s" % (todo[index].heading, texts[0][0], todo[index].render()))
                status = 1
        todo = again
    print("%d examples" % len(found))
    return status


if __name__ == "__main__":
    sys.exit(main())

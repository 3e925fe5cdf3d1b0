# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""prints.py FOLDER OURS TRANSLATE: compares the formats that both programs pass to `vprintf`.

Without a GPU the closed program's kernels print nothing, but their cubins contain the formats. It prints a line in
pieces, ours 32 values per call: the text of one of our calls has to consist of the pieces of the closed program, and
all of them have to occur in the line. Separators of tiles of more than 32 elements are arguments; there the formats of
elements have to be the same.
"""
import os
import subprocess
import sys

import launchabi

folder, ours, translate = sys.argv[1:]
closed = os.environ["TILEIR_PEER_TILEIRAS"]

NARROW, WIDE, REAL = ("%d", "%u", "%x"), ("%lld", "%llu", "%llx"), ("%g", "%.3e", "%8.2f")
ELEMENTS = {"i1": (NARROW, "1"), "i4": (NARROW, "3"), "i8": (NARROW, "3"), "i16": (NARROW, "3"), "i32": (NARROW, "3"), "i64": (WIDE, "3"),
            **{name: (REAL, "2.0") for name in ("f16", "bf16", "tf32", "f32", "f64", "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "f4E2M1FN")}}
SHAPES = ("", "8x", "2x4x")


def tile(element, shape=""):
    return f"tile<{shape}{element}>"


class Print:
    """One operation in a kernel of its own."""

    def __init__(self, format):
        self.format, self.body, self.args, self.types = format, [], [], []

    def add(self, element, number, shape="", times=1):
        name, literal = f"%c{len(self.body)}", "i8" if element == "i4" else element
        self.body.append(f"{name} = constant <{literal}: {number}> : {tile(literal, shape)}")
        if literal != element:  # has no constants
            self.body.append(f"{name}n = trunci {name} : {tile(literal, shape)} -> {tile(element, shape)}")
            name += "n"
        self.args += [name] * times
        self.types += [tile(element, shape)] * times
        return self

    def add_pointers(self):
        self.body += ["%r = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>", "%many = broadcast %r : tile<1xptr<f32>> -> tile<4xptr<f32>>"]
        self.args += ["%p", "%many"]
        self.types += ["tile<ptr<f32>>", "tile<4xptr<f32>>"]
        return self

    def text(self):
        lines = [*self.body, "%t = make_token : token", f'%u = print_tko "{self.format}", {", ".join(self.args)} token=%t : '
                 f'{", ".join(self.types)} -> token' if self.args else f'%u = print_tko "{self.format}" token=%t -> token', "return"]
        return "cuda_tile.module @kernels {\n  entry @k(%p: tile<ptr<f32>>) {\n    " + "\n    ".join(lines) + "\n  }\n}\n"

    def strings(self, compiler):
        with open(f"{folder}/k.mlir", "w") as f:
            f.write(self.text())
        subprocess.run([translate, "--mlir-to-cudatilebc", f"{folder}/k.mlir", "-o", f"{folder}/k.bc"], check=True)
        subprocess.run([compiler, f"{folder}/k.bc", "-o", f"{folder}/k.cubin", "--gpu-name", "sm_100"], check=True)
        with open(f"{folder}/k.cubin", "rb") as f:
            data = launchabi.Elf(f.read()).sections[".nv.global.init"]["data"]
        # The closed program's lock begins as 1.
        return {text.decode() for text in data.split(b"\0") if text not in (b"", b"\1")}


def is_made_of(line, pieces):
    """Returns whether `line` is a sequence of `pieces`."""
    reached = {0}
    for at in range(len(line)):
        if at in reached:
            reached |= {at + len(piece) for piece in pieces if line.startswith(piece, at)}
    return len(line) in reached


def elements(pieces):
    """Returns the formats of elements in order, without the text around them."""
    return {piece.strip("[] ,\n") for piece in pieces if "%" in piece and piece != "%s"}


prints = []
for element, (conversions, number) in ELEMENTS.items():
    # The language has no single element of 4 bits.
    shapes = SHAPES[element == "f4E2M1FN":]
    prints.append(Print(element + " " + " ".join(conversions * len(shapes)) + "\\0A"))
    for shape in shapes:
        prints[-1].add(element, number, shape, times=len(conversions))
prints += [Print("%p and %p\\0A").add_pointers(), Print("%llx %lld").add_pointers(), Print("no value, 100%%\\0A"),
           Print("%i %o %X %c %+d|%-5d|%05d|%#x %%").add("i32", 65, times=8), Print("%e %E %f %F %g %G %a %A %.0f %+.2e").add("f64", 2.0, times=10),
           Print("%5d, cube").add("i32", 1, "2x2x2x"), Print("%d").add("i32", 1, "1x"), Print("%g %g\\0A").add("f32", 1.0, "32x", times=2)]
differ = 0
for line in prints:
    pieces, mine = line.strings(closed), line.strings(ours)
    if not all(is_made_of(text, pieces) for text in mine) or not all(any(piece in text for text in mine) for piece in pieces):
        print(f"{line.format}: closed {sorted(pieces)}, ours {sorted(mine)}")
        differ += 1
print(f"{len(prints)} lines, {differ} differ")

large = [Print("%d\\0A").add("i32", 1, "64x"), Print("%llu").add("i64", 1, "16x16x"), Print("x %8.2f").add("bf16", 1.0, "4x4x8x"),
         Print("%x").add("i8", 1, "1024x")]
differ = 0
for line in large:
    pieces, mine = elements(line.strings(closed)), elements(line.strings(ours))
    inside = {part.replace("], [", ", ") for part in mine}
    if any(part.count("%") > 32 or not is_made_of(part, pieces | {", "}) for part in inside):
        print(f"{line.format}: closed {sorted(pieces)}, ours {sorted(mine)}")
        differ += 1
print(f"{len(large)} large tiles, {differ} differ")

# Ours follows the type of the argument: `vprintf` would read another number of bytes than there are.
for element, conversion in (("i64", "%d"), ("i64", "%ld"), ("i32", "%lld"), ("i8", "%hhu"), ("i32", "%s"), ("i32", "%n")):
    line = Print(f"{conversion}.").add(element, 1)
    first = [" ".join(text.removesuffix(".") for text in line.strings(tool) if text != ".") for tool in (closed, ours)]
    print(f"{conversion} of {element}: {first[0]}, {first[1] or 'nothing'}")

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fat_binary.py FOLDER: writes scale.ptx of this folder and the other parts of a fat binary, for sm_80 and sm_90, with
cases around them."""
import json
import os
import struct
import sys

here, folder = os.path.dirname(os.path.abspath(__file__)), sys.argv[1]
os.makedirs(folder, exist_ok=True)
PTX, CUBIN, TILE_IR = 1, 2, 128


def container(*images):
    body = b""
    for kind, sm, image in images:
        image += bytes(-len(image) % 8)
        body += struct.pack("<HHIQIIHHIQQQQ", kind, 0x101, 64, len(image), 0, 0, 0, 0, sm, 0, 0x11, 0, 0) + image
    return struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(body)) + body


def write(name, content, **fields):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(content)
    with open(os.path.join(here, "scale.json")) as file:
        case = json.load(file)
    with open(os.path.join(folder, name + ".json"), "w") as file:
        json.dump({**case, "kernel": name, **fields}, file)


with open(os.path.join(here, "scale.ptx"), "rb") as source:
    ptx = source.read()
other = ptx.replace(b" scale(", b" scale_all(")
newer = ptx.replace(b".target sm_80", b".target sm_90").replace(b"%a;", b"%v;")
write("both.fatbin", container((CUBIN, 80, b"\x7fELF"), (PTX, 80, ptx), (PTX, 90, newer)), entry="scale")
write("two.fatbin", container((PTX, 80, other)) + container((PTX, 80, ptx)), entry="scale")
write("unnamed.fatbin", container((PTX, 80, other)) + container((PTX, 80, ptx)))
write("code.fatbin", container((CUBIN, 80, b"\x7fELF")), entry="scale")
write("cut.fatbin", container((PTX, 80, ptx))[:-8], entry="scale")
write("tile.fatbin", container((TILE_IR, 90, b"\x7fTileIR scale")), entry="scale")
# The file name has the suffix of PTX.
write("text", ptx)

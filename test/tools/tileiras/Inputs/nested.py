# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes bytecode of a kernel with nested regions, deeper than text may be: nested.py (loop | if) LEVELS
import sys


def var_int(value):
    out = []
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out + [value])


def section(place, kind, align, content):
    """Returns a section that begins at `place` of the file; `align` aligns its contents."""
    head = bytes([0x80 | kind]) + var_int(len(content)) + bytes([align])
    return head + b"\xcb" * (-(place + len(head)) % align) + content


kind, levels = sys.argv[1], int(sys.argv[2])
return_ = bytes.fromhex("5c 00 00")
if kind == "loop":
    # Loops with one block each, of that many operations; `break` ends it.
    head, middle, end = bytes.fromhex("41 00 00 01 01 00"), b"", bytes.fromhex("0a 00 00")
    signature, types = 0, "01 cbcbcb 00000000 10 00 00"
else:
    # `if %1` without `else`; the innermost one reads and writes the memory at %0.
    head, end = bytes.fromhex("32 00 01 02 01 00"), bytes.fromhex("6d 00 00 00")
    middle = bytes.fromhex("3d 06 07 00 00 00 65 07 00 00 00 02")
    signature = 5
    types = "08 cbcbcb 00000000 01000000 03000000 06000000 07000000 0a000000 0f000000 12000000"
    types += "03 0c 00 0d 01 00 00 0d 03 00 10 02 02 04 00 0d 00 00 11"
body = (head + b"\2") * (levels - 1) + head + bytes([1 + len(middle) // 6]) + middle + end * levels + return_

function = bytes([1, 0, signature, 2, 0]) + var_int(len(body)) + body
function += b"\xcb" * (-len(function) % 8)
file = bytearray(b"\x7fTileIR\0\x0d\3\0\0")
file += section(len(file), 2, 8, function)
file += section(len(file), 5, 4, bytes.fromhex(types))
file += section(len(file), 1, 4, b"\1\xcb\xcb\xcb\0\0\0\0k")
file += b"\0"
sys.stdout.buffer.write(file)

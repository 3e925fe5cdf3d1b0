#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the output of `tileirdisasm` for files with one fault each, and that it always ends with a message and exit
code 3, or with text and 0.

usage: messages.py TOOL EXPECTED            compares with the checked-in answers
       messages.py TOOL EXPECTED --update   writes them
       messages.py TOOL --against OTHER     lists the files on which another disassembler differs
"""

import difflib
import os
import struct
import subprocess
import sys
import tempfile

#===------------------------------------------------------------------------------------------------------------===#
# Files
#===------------------------------------------------------------------------------------------------------------===#

CASES = []
LICENCE = "# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"


def case(name, content):
    assert name not in [other for other, _ in CASES], name
    CASES.append((name, content))


def unhex(text):
    return bytes.fromhex(text)


def varint(value):
    result = b""
    while value >= 128:
        result += bytes([value & 127 | 128])
        value >>= 7
    return result + bytes([value])


def padded(content, width):
    return content + b"\xcb" * (-len(content) % width)


def table(width, items):
    """Returns the count, the offsets and the data of `items`."""
    result = padded(varint(len(items)), width)
    position = 0
    for item in items:
        result += struct.pack("<I" if width == 4 else "<Q", position)
        position += len(item)
    return result + b"".join(items)


class File:
    def __init__(self, minor):
        self.content = unhex("7f54696c65495200") + bytes([13, minor, 0, 0])

    def section(self, number, alignment, payload):
        self.content += bytes([number | (0x80 if alignment else 0)]) + varint(len(payload))
        if alignment:
            self.content = padded(self.content + varint(alignment), alignment)
        self.content += payload

    def finish(self):
        return self.content + b"\0"


def function(minor, types, body, sig=0, strings=("x",), consts=None, loc="00", debug=None):
    """Returns a file with the one entry `x`."""
    file = File(minor)
    code = unhex(body)
    attrs = "0b000600" if minor >= 5 else ""
    file.section(2, 8, unhex("0100") + bytes([sig]) + unhex("02" + loc + attrs) + varint(len(code)) + code)
    if consts is not None:
        file.section(4, 8, table(8, [unhex(item) for item in consts]))
    if debug is not None:
        file.section(3, 8, debug)
    file.section(5, 4, table(4, [unhex(item) for item in types]))
    file.section(1, 4, table(4, [item.encode() for item in strings]))
    return file.finish()


def sections(minor=5, func="00", strings=("x", "y"), types=("100000",), consts=None, globals=None, producer=None):
    """Returns a file with given payloads, each in hexadecimal or as the items of its table."""

    def payload(content, width):
        if isinstance(content, str):
            return unhex(content)
        return table(width, [unhex(item) if width == 8 or content is types else item.encode() for item in content])

    file = File(minor)
    if globals is not None:
        file.section(6, 0, unhex(globals))
    file.section(2, 8, unhex(func))
    if consts is not None:
        file.section(4, 8, payload(consts, 8))
    if types is not None:
        file.section(5, 4, payload(types, 4))
    if producer is not None:
        file.section(7, 0, unhex(producer))
    file.section(1, 4, payload(strings, 4))
    return file.finish()


def debug(items, lists=((1, 2),)):
    """Returns a debug section: lists of attribute numbers, and the attributes."""
    result = padded(varint(len(lists)), 4)
    numbers = []
    for numbers_of_one in lists:
        result += struct.pack("<I", len(numbers))
        numbers += numbers_of_one
    result = padded(result + varint(len(numbers)), 8)
    for number in numbers:
        result += struct.pack("<Q", number)
    return result + table(4, [unhex(item) for item in items])


def located(content, loc="01"):
    """Returns an entry with location list `loc`; `content` is the payload of its debug section."""
    content = content if isinstance(content, bytes) else unhex(content)
    return function(5, ["100000"], "5c0000", loc=loc, strings=("x", "y", "/d"), debug=content)


GLOBAL_TYPES = ("0d01010200000000000000", "03")
CONSTANT = ("080700000008000000",)


def typed(types, minor=5):
    """Returns an entry whose argument has the first of `types`, which are numbered from 1."""
    return function(minor, ["10010100"] + types, "5c0000")


#===------------------------------------------------------------------------------------------------------------===#
# Bodies of functions
#===------------------------------------------------------------------------------------------------------------===#

# (tile<i32>) -> (), tile<i32>, I32, token
I32 = ["10010100", "0d0200", "03", "11"]
case("return with 1 result", function(3, I32, "5c010100"))
case("return with 1 result bad type", function(3, I32, "5c010900"))
case("join_tokens count 0", function(3, I32, "44033c0000015c0000"))
case("join_tokens count 2", function(3, I32, "44033c02030301015c0000"))
case("sig not function", function(3, ["0d0100", "03"], "5c0000"))
case("addi type mismatch verify", function(3, ["10010100", "0d0200", "03", "0d0400", "04"], "030100000003030000015c0000"))
case("addi verify fails", function(3, ["10010100", "0d0200", "03", "0d0400", "04"], "03030000005c0000"))
case("no terminator", function(3, I32, ""))
case("no terminator2", function(3, I32, "0301000000"))
case("two returns", function(3, I32, "5c00005c0000"))
case("op after return", function(3, I32, "5c00000301000000"))
case("loop empty block", function(3, I32, "410000010100005c0000"))
case("loop no term", function(3, I32, "4100000101000103010000005c0000"))
case("loop 2 regions", function(3, I32, "41000002" + "010001110000" * 2 + "5c0000"))
case("loop 0 regions", function(3, I32, "410000005c0000"))
case("loop 0 blocks", function(3, I32, "41000001005c0000"))
case("loop 2 blocks", function(3, I32, "4100000102" + "0001110000" * 2 + "5c0000"))
case("const of ptr", function(3, ["100000", "0d0200", "0c03", "03"], "1001005c0000", consts=["0400000000"]))
case("const of token", function(3, ["100000", "11"], "1001005c0000", consts=["0400000000"]))
case("const idx", function(3, ["100000", "0d0200", "03"], "1001075c0000", consts=["0400000000"]))
case("const size", function(3, ["100000", "0d0200", "03"], "1001005c0000", consts=["0300000000"]))
case("const short", function(3, ["100000", "0d0200", "03"], "1001005c0000", consts=["0900000000"]))
case("const nosize", function(3, ["100000", "0d0200", "03"], "1001005c0000", consts=["80"]))
TEXTS = ("x", "hi")
case("print 13.1 count1", function(1, I32, "55010301005c0000", strings=TEXTS))
case("print 13.1 count0", function(1, I32, "550001005c0000", strings=TEXTS))
case("print 13.2 count0", function(2, I32, "55000001005c0000", strings=TEXTS))
case("print 13.2 count2", function(2, I32, "550203030001005c0000", strings=TEXTS))
case("for flag 13.1", function(1, I32, "29000300000001010101011100005c0000", strings=TEXTS))
case("print flag unknown 13.2", function(2, I32, "5501030201005c0000", strings=TEXTS))
case("print token flag 13.2, no token", function(2, I32, "550103010100075c0000", strings=TEXTS))
case("mmaf fast_acc 13.2?", function(2, I32, "4901000000005c0000", strings=TEXTS))
case("opcode too new", function(1, I32, "6e0100005c0000", strings=TEXTS))
case("opcode 0x19", function(5, I32, "195c0000", strings=TEXTS))
case("opcode preview", function(5, I32, "808001005c0000", strings=TEXTS))
case("opcode preview 4002", function(5, I32, "828001005c0000", strings=TEXTS))
case("opcode preview 13.4", function(4, I32, "828001005c0000", strings=TEXTS))
case("opcode 3000", function(5, I32, "80605c0000", strings=TEXTS))
case("opcode eof", function(5, I32, "80", strings=TEXTS))
case("res eof", function(5, I32, "03", strings=TEXTS))
case("attr eof", function(5, I32, "0301", strings=TEXTS))
case("operand eof", function(5, I32, "030100", strings=TEXTS))
case("operand2 eof", function(5, I32, "03010000", strings=TEXTS))
case("flags eof", function(5, I32, "0201", strings=TEXTS))
case("count eof", function(5, I32, "5c", strings=TEXTS))
case("opcount eof", function(5, I32, "5c00", strings=TEXTS))
case("segment size eof", function(5, I32, "5501030001", strings=TEXTS))
case("assume eof", function(5, I32, "0601", strings=TEXTS))
case("assume tag", function(5, I32, "060109", strings=TEXTS))
case("assume int pred", function(5, I32, "0601010205005c0000", strings=TEXTS))
case("assume divby eof", function(5, I32, "060108", strings=TEXTS))
case("assume divby flags eof", function(5, I32, "06010810", strings=TEXTS))
case("assume divby every eof", function(5, I32, "0601081003", strings=TEXTS))
case("assume divby along eof", function(5, I32, "060108100304", strings=TEXTS))
case("assume divby flags", function(5, I32, "06010810070404005c0000", strings=TEXTS))
case("assume bounded eof", function(5, I32, "06010c", strings=TEXTS))
case("assume bounded lb eof", function(5, I32, "06010c03", strings=TEXTS))
case("assume bounded ub eof", function(5, I32, "06010c0304", strings=TEXTS))
case("assume same eof", function(5, I32, "060109", strings=TEXTS))
case("assume same min", function(5, I32, "060109010000000000000080005c0000", strings=TEXTS))
case("assume same short", function(5, I32, "060109020000000000000000005c0000", strings=TEXTS))
case("assume empty array", function(5, I32, "06010600005c0000", strings=TEXTS))
case("assume dict eof", function(5, I32, "06010a", strings=TEXTS))
case("assume dict key", function(5, I32, "06010a0109", strings=TEXTS))
case("assume dict emptykey", function(5, I32, "06010a0101", strings=("x", "")))
case("assume dict dup", function(5, I32, "06010a02000102050001", strings=("x", "")))
case("assume dict val", function(5, I32, "06010a010063", strings=("x", "")))
case("assume array eof", function(5, I32, "060106", strings=("x", "")))
case("assume array val", function(5, I32, "0601060163", strings=("x", "")))
case("assume int type", function(5, I32, "06010101", strings=("x", "")))
case("assume int eof", function(5, I32, "06010102", strings=("x", "")))
case("assume float type", function(5, I32, "06010202", strings=("x", "")))
case("assume bool eof", function(5, I32, "060103", strings=("x", "")))
case("assume type bad", function(5, I32, "06010409", strings=("x", "")))
case("assume string bad", function(5, I32, "06010509", strings=("x", "")))
case("assume dense", function(5, I32, "06010709", strings=("x", "")))
case("assume dense2", function(5, I32, "0601070109", strings=("x", "")))
case("assume hints", function(5, I32, "06010b", strings=("x", "")))
case("assume tag13", function(4, I32, "06010d00", strings=("x", "")))
case("assume tag13 ok", function(5, I32, "06010d00", strings=("x", "")))
case("assume tag13 bad", function(5, I32, "06010d09", strings=("x", "")))
case("assume tag 210", function(5, I32, "0601d201", strings=("x", "")))
case("assume tag 200", function(5, I32, "0601c801", strings=("x", "")))
case("assume tag 300", function(5, I32, "0601ac02", strings=("x", "")))
case("hints op eof", function(5, ["10010100", "0d0200", "0c0003", "07", "11", "0d0300"], "3d05040200", strings=TEXTS))
case("hints op not dict", function(5, ["10010100", "0d0200", "0c0003", "07", "11", "0d0300"], "3d0504020001000500", strings=TEXTS))
case("hints op dict", function(5, ["10010100", "0d0200", "0c0003", "07", "11", "0d0300"], "3d0504020001000a01010500005c0000", strings=TEXTS))
case("symbol empty", function(5, ["10010100", "0d0200", "0c0003", "07", "11", "0d0300"], "2c0101", strings=("x", "")))
case("symbol missing", function(5, ["10010100", "0d0200", "0c0003", "07", "11", "0d0300"], "2c01015c0000", strings=("x", "abc")))
case("symbol idx", function(5, ["10010100", "0d0200", "0c0003", "07", "11", "0d0300"], "2c0109", strings=("x", "abc")))
case("cat dim big", function(5, I32, "0c01ffffffffffffffffff0100005c0000"))
case("permute min", function(5, I32, "53010100000080005c0000"))
case("permute short", function(5, I32, "53010900000080005c0000"))
case("enum new", function(3, ["10010100", "0d0200", "07"], "0201000700005c0000"))
case("enum big", function(3, ["10010100", "0d0200", "07"], "0201006300005c0000"))
case("enum eof", function(3, ["10010100", "0d0200", "07"], "020100"))
case("reduce dims", function(3, ["10010100", "0d0200", "07"], "580101"))
case("reduce ident", function(3, ["10010100", "0d0200", "07"], "5801010001040200"))
case("reduce dim big", function(3, ["10010100", "0d0200", "07"], "580101ffffffffff7f"))
case("region eof", function(3, I32, "410000"))
case("region blocks eof", function(3, I32, "41000001"))
case("block args eof", function(3, I32, "4100000101"))
case("block arg type", function(3, I32, "410000010101"))
case("block arg type bad", function(3, I32, "41000001010109"))
case("block ops eof", function(3, I32, "410000010100"))
case("block op bad", function(3, I32, "41000001010001"))
case("deep", function(3, I32, "41000001010002" * 257 + "0a0000" + "110000" * 256 + "5c0000"))

#===------------------------------------------------------------------------------------------------------------===#
# The debug section
#===------------------------------------------------------------------------------------------------------------===#

case("dbg empty", located(""))
case("dbg 1", located("01"))
case("dbg 01 cbcbcb", located("01cbcbcb"))
case("dbg 02", located("02cbcbcb00000000"))
case("dbg idx eof", located("01cbcbcb00000000"))
case("dbg idx 1", located("01cbcbcb0000000001"))
case("dbg idx 1 pad", located("01cbcbcb0000000001cbcbcbcbcbcbcb"))
case("dbg idx 2", located("01cbcbcb0000000002cbcbcbcbcbcbcb0000000000000000"))
case("dbg attrs eof", located("01cbcbcb0000000002cbcbcbcbcbcbcb00000000000000000000000000000000"))
case("dbg attrs 1", located("01cbcbcb0000000002cbcbcbcbcbcbcb0000000000000000000000000000000001"))
case("dbg attrs 1 4", located("01cbcbcb0000000002cbcbcbcbcbcbcb0000000000000000000000000000000001cbcbcb"))
case("dbg attrs 1 5", located("01cbcbcb0000000002cbcbcbcbcbcbcb0000000000000000000000000000000001cbcbcb00"))
case("dbg attrs 2 11", located("01cbcbcb0000000002cbcbcbcbcbcbcb0000000000000000000000000000000002cbcbcb00000000000000"))
case("dbg attrs 9", located("01cbcbcb0000000002cbcbcbcbcbcbcb0000000000000000000000000000000009cbcbcb00000000000000"))
case("list missing", located(debug(["00"], []), loc="01"))
case("list 2", located(debug(["00"]), loc="02"))
case("no debug", function(5, ["100000"], "5c0000", loc="01"))
case("attr number big", located(debug(["00"], [(1, 9)])))
case("attr func number big", located(debug(["00"], [(9, 1)])))
case("list short", located(debug(["00"], [(1,)])))
case("list empty", located(debug(["00"], [()])))

# A file, a compile unit, a subprogram and two locations.
DEBUG = ["020102", "0101", "0501080000020800", "0403010803", "0403010a0a"]
case("good", located(debug(DEBUG, [(4, 5)])))
case("file no name", located(debug(["02", "0101", "0501080000020800", "0403010803", "0403010a0a"], [(4, 5)])))
case("file bad name", located(debug(["0209"] + DEBUG[1:], [(4, 5)])))
case("file no dir", located(debug(["0201"] + DEBUG[1:], [(4, 5)])))
case("unit eof", located(debug([DEBUG[0], "01"] + DEBUG[2:], [(4, 5)])))
case("unit wrong", located(debug([DEBUG[0], "0102"] + DEBUG[2:], [(4, 5)])))
case("unit self", located(debug([DEBUG[0], "0103"] + DEBUG[2:], [(4, 5)])))
for k in range(1, 8):
    case("subprogram len %d"%k, located(debug(DEBUG[:2] + ["05010800000208"[:2 * k]] + DEBUG[3:], [(4, 5)])))
case("subprogram flags", located(debug(DEBUG[:2] + ["0501080000020802"] + DEBUG[3:], [(4, 5)])))
case("subprogram file wrong", located(debug(DEBUG[:2] + ["0502080000020800"] + DEBUG[3:], [(4, 5)])))
case("subprogram unit wrong", located(debug(DEBUG[:2] + ["0501080000010800"] + DEBUG[3:], [(4, 5)])))
for k in range(1, 5):
    case("diloc len %d"%k, located(debug(DEBUG[:3] + ["04030108"[:2 * k]] + DEBUG[4:], [(4, 5)])))
case("diloc scope wrong", located(debug(DEBUG[:3] + ["0402010803"] + DEBUG[4:], [(4, 5)])))
LEXICAL = "0303010801"
for k in range(1, 6):
    case("lexical len %d"%k, located(debug(DEBUG + [LEXICAL[:2 * k], "0406010a0a"], [(4, 7)])))
case("callsite eof", located(debug(DEBUG + ["06"], [(4, 6)])))
case("callsite 1", located(debug(DEBUG + ["0605"], [(4, 6)])))
case("callsite ok", located(debug(DEBUG + ["060505"], [(4, 6)])))
case("callsite wrong", located(debug(DEBUG + ["060105"], [(4, 6)])))
case("callsite unknown", located(debug(DEBUG + ["060005"], [(4, 6)])))
case("tag 9", located(debug(DEBUG + ["0999"], [(4, 6)])))
case("tag eof", located(debug(DEBUG + ["80"], [(4, 6)])))
case("tag empty", located(debug(DEBUG + [""], [(4, 6)])))
case("trailing", located(debug(DEBUG[:4] + ["0403010a0a00"], [(4, 5)])))
case("op loc is file", located(debug(DEBUG, [(4, 1)])))
case("func loc is file", located(debug(DEBUG, [(1, 4)])))
case("func loc unknown", located(debug(DEBUG, [(0, 4)])))
#===------------------------------------------------------------------------------------------------------------===#
# The container
#===------------------------------------------------------------------------------------------------------------===#

HEADER = "7f54696c654952000d050000"
EMPTY = "820808cb00cbcbcbcbcbcbcb850404cb00cbcbcb810404cb00cbcbcb00"
case("empty", unhex(HEADER + EMPTY))
case("hdr short", unhex("7f54696c654952"))
case("hdr short2", unhex("7f54696c654952000d"))
case("hdr short3", unhex("7f54696c654952000d0500"))
case("ver", unhex("7f54696c654952000c050000"))
case("sec len eof", unhex(HEADER + "82"))
case("sec len eof2", unhex(HEADER + "8280"))
case("sec align eof", unhex(HEADER + "8200"))
case("sec align 0", unhex(HEADER + "820000"))
case("sec align 3", unhex(HEADER + "820003"))
case("sec pad eof", unhex(HEADER + "820008"))
case("sec pad eof2", unhex(HEADER + "8204080000000000"))
case("sec 8", unhex(HEADER + "08"))
case("end bit", unhex(HEADER + "80"))
case("only end", unhex(HEADER + "00"))
case("no sec", unhex(HEADER))
case("string missing", unhex(HEADER + "820808cb00cbcbcbcbcbcbcb00"))
case("func missing", unhex(HEADER + "810404cb00cbcbcb00"))
case("type align", unhex(HEADER + "850402cb00cbcbcb"))
case("debug align", unhex(HEADER + "830404cb00cbcbcb"))
case("const noflag", unhex(HEADER + "040400cbcbcb"))
case("strings eof", sections(strings=""))
case("strings eof2", sections(strings="80"))
case("strings 9", sections(strings="09"))
case("strings 1 1", sections(strings="01cbcbcb"))
case("strings 1 2", sections(strings="01cbcbcb0000"))
case("strings desc", sections(strings="02cbcbcb010000000000000041"))
case("types eof", sections(types=""))
case("types 9", sections(types="09"))
case("types none", sections(types=None))
case("consts eof", sections(consts=""))
case("consts 1", sections(consts="01"))
case("consts 2", sections(consts="02cbcbcbcbcbcbcb0000000000000000"))
case("consts start", sections(consts="02cbcbcbcbcbcbcb01000000000000000000000000000000"))
case("consts beyond", sections(consts="01cbcbcbcbcbcbcb0100000000000000"))
case("func eof", sections(func=""))
case("func count", sections(func="09"))
case("func count2", sections(func="80"))
case("func name eof", sections(func="0180"))
case("func sig eof", sections(func="0100"))
case("func flags eof", sections(func="010000"))
case("func loc eof", sections(func="01000002"))
case("func hints eof", sections(func="0100000200"))
case("func hints wrong", sections(func="01000002000500060000"))
case("func hints int", sections(func="01000002000100060000"))
case("func args eof", sections(func="01000002000b00"))
case("func args dict elem", sections(func="01000002000b000601050000"))
case("func body len eof", sections(func="01000002000b000600"))
case("func body len", sections(func="01000002000b00060009"))
case("func name idx", sections(func="01090002000b000600035c0000"))
case("func name empty", sections(func="01000002000b000600035c0000", strings=("",)))
case("func sig idx", sections(func="01000902000b000600035c0000"))
case("func dup", sections(func="02000002000b000600035c0000000002000b000600035c0000"))
case("func trailing", sections(func="01000002000b000600035c000099"))
case("func private", sections(func="01000003000b000600035c000099"))
case("func nonentry", sections(func="01000000000600035c000099"))
for m in (1, 2, 3):
    case("func nonentry 13.%d"%m, sections(m, func="0100000000035c000099"))
case("prod eof", sections(producer=""))
case("prod idx", sections(producer="09"))
case("prod ok", sections(producer="01"))
case("prod 13.1", sections(1, producer="01"))
case("prod trailing", sections(producer="0101"))
case("glob ok", sections(globals="01000000000000", types=GLOBAL_TYPES, consts=CONSTANT))
case("glob eof", sections(globals="", types=GLOBAL_TYPES, consts=CONSTANT))
case("glob count", sections(globals="02000000000000", types=GLOBAL_TYPES, consts=CONSTANT))
case("glob count 13.1", sections(1, globals="020000000000", types=GLOBAL_TYPES, consts=CONSTANT))
for k in range(1, 7):
    case("glob len %d"%k, sections(globals="01" + "000000000000"[:2 * (k-1)] + "80808080808080", types=GLOBAL_TYPES, consts=CONSTANT))
case("glob name", sections(globals="01090000000000", types=GLOBAL_TYPES, consts=CONSTANT))
case("glob name empty", sections(globals="01000000000000", types=GLOBAL_TYPES, consts=CONSTANT, strings=("",)))
case("glob type", sections(globals="01000900000000", types=GLOBAL_TYPES, consts=CONSTANT))
case("glob type i32", sections(globals="01000100000000", types=GLOBAL_TYPES, consts=CONSTANT))
case("glob const", sections(globals="01000009000000", types=GLOBAL_TYPES, consts=CONSTANT))
case("glob vis", sections(globals="01000000000900", types=GLOBAL_TYPES, consts=CONSTANT))
case("glob dup", sections(globals="02000000000000000000000000", types=GLOBAL_TYPES, consts=CONSTANT))
case("glob align", sections(globals="01000000030000", types=GLOBAL_TYPES, consts=CONSTANT))
case("glob trailing", sections(globals="0100000000000077", types=GLOBAL_TYPES, consts=CONSTANT))

#===------------------------------------------------------------------------------------------------------------===#
# Types
#===------------------------------------------------------------------------------------------------------------===#

for name, types in (
    ("tag eof", [""]),
    ("tag 63", ["63"]),
    ("tag 200", ["c801"]),
    ("tag 210", ["d201"]),
    ("tag 300", ["ac02"]),
    ("ptr eof", ["0c"]),
    ("ptr flags", ["0c0202"]),
    ("ptr pointee", ["0c0009"]),
    ("ptr self", ["0c0001"]),
    ("ptr attr eof", ["0c0102", "03"]),
    ("ptr attr 9", ["0c010209", "03"]),
    ("ptr of tile", ["0d0200", "0c0003", "0d0400", "03"]),
    ("tile eof", ["0d"]),
    ("tile elem", ["0d09"]),
    ("tile shape eof", ["0d02", "03"]),
    ("tile shape short", ["0d020100", "03"]),
    ("tile shape dyn", ["0d02010000000000000080", "03"]),
    ("tile shape 3", ["0d02010300000000000000", "03"]),
    ("tile shape 0", ["0d02010000000000000000", "03"]),
    ("tile shape neg", ["0d0201ffffffffffffffff", "03"]),
    ("tile huge", ["0d020200000000010000000000000001000000", "03"]),
    ("tile of tile", ["0d0200", "0d0300", "03"]),
    ("tv flags", ["0e0202"]),
    ("tv elem", ["0e0009"]),
    ("tv shape", ["0e0002", "03"]),
    ("tv strides", ["0e000200", "03"]),
    ("tv rank", ["0e00020000", "03"]),
    ("tv attr", ["0e01020000", "03"]),
    ("tv rank mismatch", ["0e000201040000000000000000", "03"]),
    ("pv flags eof", ["0f"]),
    ("pv flags 2", ["0f02"]),
    ("pv ts", ["0f00"]),
    ("pv tv", ["0f0000"]),
    ("pv tv wrong", ["0f000002", "03"]),
    ("pv dimmap", ["0f000002", "0e00030000", "03"]),
    ("pv pad eof", ["0f0100000200", "0e00030000", "03"]),
    ("pv pad 9", ["0f0100020009", "0e00030000", "03"]),
    ("gs sd", ["14000002", "0e00030000", "03"]),
    ("gs sd big", ["14000002ffffffffff01", "0e00030000", "03"]),
    ("sv ts", ["1500"]),
    ("sv tr", ["150000"]),
    ("fn eof", ["10"]),
    ("fn in", ["1001"]),
    ("fn in bad", ["100109"]),
    ("fn res eof", ["1000"]),
    ("fn res bad", ["10000109"]),
    ("i4", ["16"]),
    ("trailing", ["0300"]),
):
    case("type " + name, typed(types))
case("13.1 pv presence eof", typed(["0f00000200", "0e030000", "03"], 1))
case("13.1 pv pad eof", typed(["0f0000020001", "0e030000", "03"], 1))
for minor, tag in ((1, "12"), (1, "13"), (2, "13"), (2, "16"), (2, "14"), (2, "15"), (3, "8201")):
    case(f"13.{minor} type {tag}", typed([tag], minor))


#===------------------------------------------------------------------------------------------------------------===#
# Answers
#===------------------------------------------------------------------------------------------------------------===#


def answer(tool, path):
    env = {name: value for name, value in os.environ.items() if not name.startswith("CUDA")}
    run = subprocess.run([tool, path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env, timeout=60)
    return f"{run.stdout.decode(errors='replace')}exit code {run.returncode}\n"


def answers(tool, folder):
    for name, content in CASES:
        path = os.path.join(folder, "case")
        with open(path, "wb") as file:
            file.write(content)
        yield f"== {name}\n" + answer(tool, path)


def main():
    tool, what = sys.argv[1], sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        ours = list(answers(tool, folder))
        if what == "--against":
            theirs = list(answers(sys.argv[3], folder))
            for own, other in zip(ours, theirs):
                if own != other:
                    print("".join(difflib.unified_diff(other.splitlines(True), own.splitlines(True), n=9)))
            return 0
    # Code 3 has a message, and every other output is text.
    bad = [text for text in ours if not text.endswith(("exit code 0\n", "exit code 3\n"))]
    bad += [text for text in ours if ("\nerror: " in text) != text.endswith("exit code 3\n")]
    print("".join(bad), end="")
    text = LICENCE + "".join(ours)
    if "--update" in sys.argv:
        open(what, "w").write(text)
        return bool(bad)
    difference = list(difflib.unified_diff(open(what).read().splitlines(True), text.splitlines(True)))
    print("".join(difference), end="")
    print(f"{len(CASES)} files")
    return bool(bad or difference)


if __name__ == "__main__":
    sys.exit(main())

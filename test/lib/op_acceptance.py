#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs test/data/op-acceptance.csv: rows that the closed compiler accepts must parse and verify, rows that its verifier
rejects must be rejected with its message.

usage: op_acceptance.py TABLE MLIR-OPT ARGUMENT...

Every row becomes a function with one operation; rows that say the same about several targets share one. A row that no
rule below turns into text fails the run.
"""

import csv
import re
import subprocess
import sys

NAMES = {"f8E5M3FNU": "fnv8E5M3FNU", "fpowf": "pow"}
UNARY = {"sqrt", "exp", "tanh", "exp2", "rsqrt"}


def el(name):
    return NAMES.get(name, name)


def tile(dims, element):
    return "tile<%s>" % "x".join([str(d) for d in dims] + [el(element)])


def full(text):
    """Returns a type outside of this dialect's custom syntax."""
    return "!cuda_tile." + text


def tensor(rank, element, attr=""):
    strides = ",".join(["?"] * (rank - 1) + ["1"])
    return "tensor_view<%sx%s, strides=[%s]%s>" % ("x".join("?" * rank), el(element), strides, attr)


def partition(dims, element, padding=None, attr=""):
    pad = "padding_value = %s, " % padding if padding else ""
    return "partition_view<tile=(%s), %s%s>" % ("x".join(map(str, dims)), pad, tensor(len(dims), element, attr))


class Case:
    """The parameters and the lines of one function."""

    def __init__(self):
        self.params, self.lines = [], []

    def arg(self, type_):
        self.params.append(type_)
        return "%%a%d" % (len(self.params) - 1)

    def say(self, line):
        self.lines.append(line)


def elementwise(c, op, operands, result, modifiers=""):
    args = ", ".join(c.arg(tile([32], t)) for t in operands)
    c.say("%%r = %s %s%s : %s" % (el(op), args, modifiers, tile([32], result)))


def binary_count(op):
    return 1 if op in UNARY else 3 if op == "fma" else 2


def aggregate(c, op, element, combine, dims=(16, 32), dim=1, reverse="false", operands=1):
    values = [c.arg(tile(dims, element)) for _ in range(operands)]
    result = list(dims) if op == "scan" else [d for i, d in enumerate(dims) if i != dim]
    is_float = element.startswith(("f", "b"))
    identity = "false" if element == "i1" else "0.0 : %s" % element if is_float else "0 : %s" % element
    signature = ", ".join("%%l%d: %s, %%r%d: %s" % (i, tile([], element), i, tile([], element)) for i in range(operands))
    extra = " reverse=%s" % reverse if op == "scan" else ""
    c.say("%%q%s = %s %s dim=%d%s identities=[%s] : %s -> %s" %
          (":%d" % operands if operands > 1 else "", op, ", ".join(values), dim, extra, ", ".join([identity] * operands),
           ", ".join([tile(dims, element)] * operands), ", ".join([tile(result, element)] * operands)))
    c.say("(%s) {" % signature)
    sign = " signed" if combine in ("maxi", "mini") else ""
    for i in range(operands):
        c.say("%%s%d = %s %%l%d, %%r%d%s : %s" % (i, combine, i, i, sign, tile([], element)))
    c.say("yield %s : %s" % (", ".join("%%s%d" % i for i in range(operands)), ", ".join([tile([], element)] * operands)))
    c.say("}")


def mma(c, op, types, m, n, k, batch=(), modifiers="", scale=None):
    lhs, rhs, acc = types
    shapes = [tile((*batch, m, k), lhs), tile((*batch, k, n), rhs), tile((*batch, m, n), acc)]
    if scale:
        element, factor = scale
        shapes += [tile((m, k // factor), element), tile((k // factor, n), element)]
    args = ", ".join(c.arg(s) for s in shapes)
    c.say("%%r = %s %s%s : %s" % (op, args, modifiers, ", ".join(shapes)))


def atomic(c, op, element, mode, order, scope):
    if op == "atomic_red_view_tko":
        view, value = partition([32], element), tile([32], element)
        v, i, x = c.arg(view), c.arg("tile<i32>"), c.arg(value)
        c.say("%%r = %s %s %s %s[%s], %s, %s : %s, %s, tile<i32> -> token" % (op, order, scope, v, i, mode, x, value, view))
        return
    pointers, value = tile([32], "ptr<%s>" % el(element)), tile([32], element)
    p, x = c.arg(pointers), c.arg(value)
    what = "%s, %s, %s" % (p, mode, x) if op == "atomic_rmw_tko" else "%s, %s, %s" % (p, x, x)
    c.say("%%r, %%t = %s %s %s %s : %s, %s -> %s, token" % (op, order, scope, what, pointers, value, value))


ORDERS = ["weak", "relaxed", "acquire", "release", "acq_rel"]
SCOPES = ["tl_blk", "device", "sys"]


def access(c, op, element, order, scope):
    """Returns the generic syntax: the custom one cannot express a weak access with a scope."""
    is_view, is_load = "view" in op, "load" in op
    value = tile([32], element)
    address = [partition([32], element), "tile<i32>"] if is_view else [tile([32], "ptr<%s>" % el(element))]
    operands = address if is_load else [value] + address if is_view else address + [value]
    segments = "1, 1, 0" if is_view else "1, 0, 0, 0"
    if not is_load:
        segments = "1, 1, 1, 0" if is_view else "1, 1, 0, 0"
    scoped = "" if scope == "None" else ", memory_scope = %d : i32" % SCOPES.index(scope)
    args = ", ".join(c.arg(t) for t in operands)
    results = [value, "token"] if is_load else ["token"]
    c.say('%%r%s = "cuda_tile.%s"(%s) <{memory_ordering_semantics = %d : i32%s, operandSegmentSizes = array<i32: %s>}> : (%s) -> (%s)' %
          (":2" if is_load else "", op, args, ORDERS.index(order), scoped, segments,
           ", ".join(map(full, operands)), ", ".join(map(full, results))))


def multimem(c, op, element, reduction, order, scope):
    view, value = partition([32], element, attr=", #cuda_tile.ptr_attr<multicast>"), tile([32], element)
    v, i = c.arg(view), c.arg("tile<i32>")
    head = "%s %s" % (op, order) + (" " + scope if scope != "None" else "")
    attrs = " attributes {reduction = #cuda_tile.multimem_reduction_kind<%s>}" % reduction if reduction else ""
    if "load" in op:
        c.say("%%r, %%t = %s %s[%s]%s : %s, tile<i32> -> %s, token" % (head, v, i, attrs, view, value))
    else:
        c.say("%%r = %s %s, %s[%s]%s : %s, %s, tile<i32> -> token" % (head, v, c.arg(value), i, attrs, view, value))


def gather(c, element, dim, what, index):
    view = "gather_scatter_view<tile=(16x32), %s, sparse_dim=%d>" % (tensor(2, element), dim)
    sparse = tile([(16, 32)[dim]], index)
    types = [sparse, "tile<i32>"] if dim == 0 else ["tile<i32>", sparse]
    v = c.arg(view)
    args = ", ".join(c.arg(t) for t in types)
    value = tile([16, 32], element)
    if what == "load":
        c.say("%%r, %%t = load_view_tko weak %s[%s] : %s, %s -> %s, token" % (v, args, view, ", ".join(types), value))
    else:
        c.say("%%r = store_view_tko weak %s, %s[%s] : %s, %s, %s -> token" % (c.arg(value), v, args, value, view, ", ".join(types)))


def copy(c, dims, element):
    view, value = partition(dims, element), tile(dims, element)
    v, i = c.arg(view), c.arg("tile<i32>")
    index = ", ".join([i] * len(dims))
    c.say("%%x, %%t = load_view_tko weak %s[%s] : %s, tile<i32> -> %s, token" % (v, index, view, value))
    c.say("%%u = store_view_tko weak %%x, %s[%s] token = %%t : %s, %s, tile<i32> -> token" % (v, index, value, view))


def literal(element):
    return "true" if element == "i1" else "1" if element.startswith("i") else "1.0"


WHOLE = {
    "for": ["%r = for %i in (%a0 to %a0, step %a0) : tile<i32> iter_values(%n = %a0) -> (tile<i32>) {", "continue %i : tile<i32>", "}"],
    "for unsigned": ["%r = for unsigned %i in (%a0 to %a0, step %a0) : tile<i32> iter_values(%n = %a0) -> (tile<i32>) {", "continue %n : tile<i32>", "}"],
    "loop": ["%r = loop iter_values(%n = %a0) : tile<i32> -> tile<i32> {", "if %a1 {", "break %n : tile<i32>", "}", "continue %n : tile<i32>", "}"],
    "if": ["%r = if %a1 -> (tile<i32>) {", "yield %a0 : tile<i32>", "} else {", "yield %a0 : tile<i32>", "}"],
    "if return": ["if %a1 {", "return", "}"],
    "continue in for in if": ["if %a1 {", "for %i in (%a0 to %a0, step %a0) : tile<i32> {", "if %a1 {", "continue", "}", "%p = print_tko \"x\" -> token", "}", "}"],
    "dynamic index": {"extract": ["%v = iota : tile<32xi32>", "%r = extract %v[%a0] : tile<32xi32> -> tile<8xi32>"],
                      "insert": ["%v = iota : tile<32xi32>", "%w = iota : tile<8xi32>", "%r = insert %w, %v[%a0] : tile<8xi32>, tile<32xi32>"]},
    "scalar": ["%r = print_tko \"%d\", %a0 : tile<i32> -> token"],
    "tile": ["%v = iota : tile<32xi32>", "%r = print_tko \"%d\", %v : tile<32xi32> -> token"],
    "div_by, bounded, same": ["%b = assume div_by<8>, %a0 : tile<i32>", "%d = assume bounded<0, ?>, %b : tile<i32>", "%v = iota : tile<32xi32>", "%e = assume same_elements<[1]>, %v : tile<32xi32>"],
    "": {"get_tile_block_id": ["%x, %y, %z = get_tile_block_id : tile<i32>"], "get_num_tile_blocks": ["%x, %y, %z = get_num_tile_blocks : tile<i32>"],
         "gdc_wait_tko": ["%r = gdc_wait_tko -> token"], "gdc_launch_dependents_tko": ["%r = gdc_launch_dependents_tko -> token"],
         "memory_fence_alias_tko": ["%t = make_token : token", "%r = memory_fence_alias_tko %t"], "join_tokens": ["%t = make_token : token", "%r = join_tokens %t, %t : token"]},
}

RULES = []


def rule(pattern):
    def add(function):
        RULES.append((re.compile(pattern + r"\Z"), function))
        return function
    return add


T = r"([a-z]+\d+[A-Z0-9a-z]*)"


@rule(r"(?P<op>fpowi)\|%s,%s -> %s" % (T, T, T))
def _(c, m):
    x, n = tile([32], m[2]), tile([32], m[3])
    c.say("%%r = fpowi %s, %s : %s, %s" % (c.arg(x), c.arg(n), x, n))


@rule(r"select\|%s,%s,%s -> %s" % (T, T, T, T))
def _(c, m):
    p, x = tile([32], m[1]), tile([32], m[2])
    c.say("%%r = select %s, %s, %s : %s, %s" % (c.arg(p), c.arg(x), c.arg(x), p, x))


@rule(r"(\w+f|\w+i|mulhii|fma|ftof|ftoi)\|%s(?:,%s)?(?:,%s)? -> %s" % (T, T, T, T))
def _(c, m):
    op, operands = m[1], [t for t in m.groups()[1:4] if t]
    conversion = {"exti", "trunci", "ftof", "ftoi", "itof"}
    if op in conversion:
        return convert(c, op, m[2], m[5], "")
    elementwise(c, op, operands, m[5])


@rule(r"(absf|negf|ceil|floor|cos|cosh|sin|sinh|tan|log|log2|exp|exp2|tanh|rsqrt|sqrt|atan2)\|%s(?:,%s)? -> %s" % (T, T, T))
def _(c, m):
    elementwise(c, m[1], [t for t in (m[2], m[3]) if t], m[4])


def convert(c, op, source, target, modifiers):
    x, y = tile([32], source), tile([32], target)
    c.say("%%r = %s %s%s : %s -> %s" % (op, c.arg(x), modifiers, x, y))


@rule(r"(exti|ftoi|itof)\|%s -> %s (signed|unsigned|saturating)" % (T, T))
def _(c, m):
    convert(c, m[1], m[2], m[3], " signed saturating" if m[4] == "saturating" else " " + m[4])


@rule(r"ftof\|%s -> %s (\w+)" % (T, T))
def _(c, m):
    convert(c, "ftof", m[1], m[2], " rounding<%s>" % m[3])


@rule(r"(bitcast)\|%s -> %s" % (T, T))
def _(c, m):
    convert(c, "bitcast", m[2], m[3], "")


@rule(r"(\w+)\|%s (rounding<\w+>|flush_to_zero|propagate_nan)" % T)
def _(c, m):
    elementwise(c, m[1], [m[2]] * binary_count(m[1]), m[2], " " + m[3])


@rule(r"(shri|maxi|mini|remi|divi)\|%s (signed|unsigned)(?: (\w+))?" % T)
def _(c, m):
    elementwise(c, m[1], [m[2]] * 2, m[2], " " + m[3] + (" rounding<%s>" % m[4] if m[4] else ""))


@rule(r"cmpi\|%s (\w+)" % T)
def _(c, m):
    x = tile([32], m[1])
    c.say("%%r = cmpi %s %s, %s, signed : %s -> tile<32xi1>" % (m[2], c.arg(x), c.arg(x), x))


@rule(r"cmpf\|%s (\w+) (\w+)" % T)
def _(c, m):
    x = tile([32], m[1])
    c.say("%%r = cmpf %s %s %s, %s : %s -> tile<32xi1>" % (m[2], m[3], c.arg(x), c.arg(x), x))


@rule(r"(pack|unpack)\|(\d+)x%s -> (\d+)x%s" % (T, T))
def _(c, m):
    x, y = tile([m[2]], m[3]), tile([m[4]], m[5])
    c.say("%%r = %s %s : %s -> %s" % (m[1], c.arg(x), x, y))


@rule(r"load_view_tko\|%s partition_view" % T)
def _(c, m):
    copy(c, [16, 32], m[1])


@rule(r"permute\|16x32x%s \[1,0\]" % T)
def _(c, m):
    x = tile([16, 32], m[1])
    c.say("%%r = permute %s [1, 0] : %s -> %s" % (c.arg(x), x, tile([32, 16], m[1])))


@rule(r"(reshape|broadcast|extract)\|(\d+)x32x%s -> ([\dx]+)" % T)
def _(c, m):
    x, y = tile([m[2], 32], m[3]), tile([m[4]], m[3])
    if m[1] == "extract":
        i = c.arg("tile<i32>")
        c.say("%%r = extract %s[%s, %s] : %s -> %s" % (c.arg(x), i, i, x, y))
    else:
        c.say("%%r = %s %s : %s -> %s" % (m[1], c.arg(x), x, y))


@rule(r"cat\|16x32x%s dim 1" % T)
def _(c, m):
    x = tile([16, 32], m[1])
    c.say("%%r = cat %s, %s dim = 1 : %s, %s -> %s" % (c.arg(x), c.arg(x), x, x, tile([16, 64], m[1])))


@rule(r"insert\|8x16x%s into 16x32" % T)
def _(c, m):
    x, y, i = tile([8, 16], m[1]), tile([16, 32], m[1]), c.arg("tile<i32>")
    c.say("%%r = insert %s, %s[%s, %s] : %s, %s" % (c.arg(x), c.arg(y), i, i, x, y))


@rule(r"constant\|%s" % T)
def _(c, m):
    c.say("%%r = constant <%s: %s> : %s" % (el(m[1]), literal(m[1]), tile([32], m[1])))


@rule(r"iota\|%s" % T)
def _(c, m):
    c.say("%%r = iota : %s" % tile([32], m[1]))


@rule(r"(reduce|scan)\|%s (addf|mulf|maxf|minf|addi|muli|maxi|mini|andi|ori|xori)(?: dim (\d))?" % T)
def _(c, m):
    aggregate(c, m[1], m[2], m[3], dim=int(m[4] or 1))


@rule(r"(reduce|scan)\|f32 (two operands|non-commutative body|rank 1|rank 3 dim 1|reverse)")
def _(c, m):
    if m[2] == "two operands":
        aggregate(c, m[1], "f32", "maxf", operands=2)
    elif m[2] == "non-commutative body":
        aggregate(c, m[1], "f32", "subf")
    elif m[2] == "reverse":
        aggregate(c, m[1], "f32", "addf", reverse="true")
    else:
        aggregate(c, m[1], "f32", "addf", dims=[32] if "1" == m[2][-1] and "3" not in m[2] else [4, 8, 16], dim=0 if m[2] == "rank 1" else 1)


@rule(r"(reduce|scan)\|f32 length 2\^(\d+)")
def _(c, m):
    aggregate(c, m[1], "f32", "addf", dims=[1 << int(m[2])], dim=0)


@rule(r"mmaf\|%s x %s -> %s (\d+)x(\d+)x(\d+)" % (T, T, T))
def _(c, m):
    mma(c, "mmaf", m.groups()[:3], *map(int, m.groups()[3:]))


@rule(r"mmaf\|batched 4x %s -> %s" % (T, T))
def _(c, m):
    mma(c, "mmaf", (m[1], m[1], m[2]), 32, 32, 32, batch=[4])


@rule(r"mmaf\|%s fast_acc" % T)
def _(c, m):
    mma(c, "mmaf", (m[1], m[1], "f64" if m[1] == "f64" else "f32"), 64, 64, 64, modifiers=" fast_acc")


@rule(r"mmai\|i8 (\w+) x i8 (\w+) (\d+)x(\d+)x(\d+)")
def _(c, m):
    mma(c, "mmai", ("i8", "i8", "i32"), *map(int, m.groups()[2:]), modifiers=" %s %s" % (m[1], m[2]))


@rule(r"mmai\|%s x %s -> i32(?: (\d+)x(\d+)x(\d+))?" % (T, T))
def _(c, m):
    mma(c, "mmai", (m[1], m[2], "i32"), *(int(x or 32) for x in m.groups()[2:]), modifiers=" signed signed")


@rule(r"mmai\|batched 4x i8")
def _(c, m):
    mma(c, "mmai", ("i8", "i8", "i32"), 32, 32, 32, batch=[4], modifiers=" signed signed")


@rule(r"mmaf_scaled\|%s scale %s/(\d+) (\d+)x(\d+)x(\d+)" % (T, T))
def _(c, m):
    mma(c, "mmaf_scaled", (m[1], m[1], "f32"), *map(int, m.groups()[3:]), scale=(m[2], int(m[3])))


@rule(r"(atomic_\w+)\|%s (?:(\w+) )?(weak|relaxed|acquire|release|acq_rel) (tl_blk|device|sys)" % T)
def _(c, m):
    atomic(c, *m.groups())


@rule(r"((?:load|store)_(?:ptr|view)_tko)\|%s (weak|relaxed|acquire|release|acq_rel) (None|tl_blk|device|sys)" % T)
def _(c, m):
    access(c, *m.groups())


@rule(r"(load|store)_ptr_tko\|%s masked(?: padded)?" % T)
def _(c, m):
    pointers, mask, x = tile([32], "ptr<%s>" % el(m[2])), "tile<32xi1>", tile([32], m[2])
    p, k, v = c.arg(pointers), c.arg(mask), c.arg(x)
    if m[1] == "load":
        c.say("%%r, %%t = load_ptr_tko weak %s, %s, %s : %s, %s, %s -> %s, token" % (p, k, v, pointers, mask, x, x))
    else:
        c.say("%%r = store_ptr_tko weak %s, %s, %s : %s, %s, %s -> token" % (p, v, k, pointers, x, mask))


@rule(r"make_partition_view\|%s padding (\w+)" % T)
def _(c, m):
    c.say("%%r = make_partition_view %s : %s" % (c.arg(tensor(2, m[1])), partition([16, 32], m[1], padding=m[2])))


@rule(r"make_strided_view\|%s \[8,32\] tile 16x32" % T)
def _(c, m):
    c.say("%%r = make_strided_view %s : strided_view<tile=(16x32), traversal_strides=[8,32], %s>" % (c.arg(tensor(2, m[1])), tensor(2, m[1])))


@rule(r"make_gather_scatter_view\|%s sparse_dim (\d) (load|store)(?: idx %s)?" % (T, T))
def _(c, m):
    gather(c, m[1], int(m[2]), m[3], m[4] or "i32")


@rule(r"(multimem_\w+)\|%s (?:(\w+) )?(weak|relaxed) (None|sys)" % T)
def _(c, m):
    multimem(c, *m.groups())


@rule(r"(multimem_store_view_tko)\|%s weak" % T)
def _(c, m):
    multimem(c, m[1], m[2], None, "weak", "None")


@rule(r"for\|%s induction" % T)
def _(c, m):
    x = c.arg(tile([], m[1]))
    c.say("for %%i in (%s to %s, step %s) : %s {" % (x, x, x, tile([], m[1])))
    c.say("}")


@rule(r"(get_tensor_shape|get_index_space_shape)\|%s" % T)
def _(c, m):
    view = tensor(2, "f32") if m[1] == "get_tensor_shape" else partition([16, 32], "f32")
    c.say("%%r:2 = %s %s : %s -> %s" % (m[1], c.arg(view), view, tile([], m[2])))


@rule(r"alloca\|f32 256 align 16 global=(False|True)")
def _(c, m):
    c.say("%%r = alloca num_elem = 256, alignment = 16%s : tile<ptr<f32>>" % (" global" if m[1] == "True" else ""))


@rule(r"assert\|i1 tile")
def _(c, m):
    c.say('assert %s, "message" : tile<32xi1>' % c.arg("tile<32xi1>"))


@rule(r"(int_to_ptr|ptr_to_int|ptr_to_ptr)\|%s(?: -> %s)?" % (T, T))
def _(c, m):
    pointers = tile([32], "ptr<%s>" % m[2])
    x, y = {"int_to_ptr": ("tile<32xi64>", pointers), "ptr_to_int": (pointers, "tile<32xi64>"), "ptr_to_ptr": (pointers, tile([32], "ptr<%s>" % m[3]))}[m[1]]
    c.say("%%r = %s %s : %s -> %s" % (m[1], c.arg(x), x, y))


@rule(r"offset\|%s by %s" % (T, T))
def _(c, m):
    p, i = tile([32], "ptr<%s>" % m[1]), tile([32], m[2])
    c.say("%%r = offset %s, %s : %s, %s -> %s" % (c.arg(p), c.arg(i), p, i, p))


@rule(r"limit_elements\|1-D addf/addi %s 2\^(\d+)" % T)
def _(c, m):
    x = tile([1 << int(m[2])], m[1])
    a = c.arg(x)
    c.say("%%r = %s %s, %s : %s" % ("addi" if m[1].startswith("i") else "addf", a, a, x))


@rule(r"limit_elements\|2-D f16 copy 128x2\^(\d+)")
def _(c, m):
    copy(c, [128, 1 << int(m[1])], "f16")


@rule(r"limit_rank\|rank (\d+)( 1x..x128)? view copy f32")
def _(c, m):
    rank = int(m[1])
    copy(c, [1] * (rank - 1) + [128] if m[2] else [2] * rank, "f32")


@rule(r"(\w+)\|(.*)")
def _(c, m):
    lines = WHOLE.get(m[2])
    if isinstance(lines, dict):
        lines = lines.get(m[1])
    if m[1] == "global":
        lines = ["%r = get_global @table : tile<ptr<f32>>"]
    if not lines:
        raise LookupError(m[0])
    c.arg("tile<i32>")
    c.arg("tile<i1>")
    for line in lines:
        c.say(line)


def make_case(op, types):
    for pattern, function in RULES:
        match = pattern.match(op + "|" + types)
        if match:
            case = Case()
            function(case, match)
            return case
    raise LookupError(op + "|" + types)


def main():
    table, command = sys.argv[1], sys.argv[2:]
    rows, status = {}, 0
    for number, row in enumerate(csv.DictReader(open(table, newline="")), 2):
        refused = row["message"] if row["exit"] == "3" else None
        key = (row["op"], row["types"])
        known = rows.setdefault(key, (number, refused))
        if known[1] != refused:
            print("line %d: answers of the verifier differ between targets" % number)
            status = 1
    chunks = []
    for (op, types), (number, refused) in rows.items():
        try:
            case = make_case(op, types)
        except LookupError as error:
            print("line %d: no rule for %s" % (number, error))
            status = 1
            continue
        text = "\n".join("  " + line for line in case.lines)
        params = ", ".join("%%a%d: %s" % pair for pair in enumerate(case.params))
        # A message with several clauses names its cause first.
        refused = refused and refused.split(" / ")[0]
        chunks.append((number, op, types, refused, 'cuda_tile.module @line_%d {\n  global @table <f32: 1.0> : tile<8xf32>\ntesting$func @f(%s) {\n%s\n  return\n}\n}\n' % (number, params, text)))
    source = "// -----\n".join(chunk[4] for chunk in chunks)
    run = subprocess.run(command + ["--split-input-file", "-o", "/dev/null"], input=source, capture_output=True, text=True)
    # Diagnostics name lines of the whole input.
    starts, line = [], 1
    for chunk in chunks:
        starts.append(line)
        line += chunk[4].count("\n") + 1
    errors = {}
    for match in re.finditer(r"^<stdin>:(\d+):\d+: error: (.*)$|^loc\(.*\): error: (.*)$", run.stderr, re.M):
        if match[1] is None:
            print("diagnostic without a place: " + match[0])
            status = 1
            continue
        index = max(i for i, start in enumerate(starts) if start <= int(match[1]))
        # The parser of a custom syntax names the operation before an error of a type.
        errors.setdefault(index, []).append(re.sub(r"^custom op 'cuda_tile\.[\w$]+' ", "", match[2]))
    counts = {"accepted": 0, "refused": 0}
    for index, (number, op, types, refused, text) in enumerate(chunks):
        found = errors.get(index, [])
        if bool(refused) != bool(found) or (refused and refused not in found):
            print("line %d: %s %s\n  expected: %s\n  found: %s\n%s" % (number, op, types, refused or "accepted", "; ".join(found) or "accepted", text))
            status = 1
        else:
            counts["refused" if refused else "accepted"] += 1
    print("%d cases: %d accepted, %d refused in the same words" % (len(chunks), counts["accepted"], counts["refused"]))
    return status


if __name__ == "__main__":
    sys.exit(main())

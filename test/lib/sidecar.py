# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Evaluates the `values` of a tensor map in a sidecar by the rules of docs/design/launch.md, like a launcher in another
language."""


def mask(width):
    return (1 << width) - 1


def signed(value, width):
    return value - (1 << width) if value >> (width - 1) & 1 else value


def divide(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1) if b else 0


# Functions of both operands and their width: arithmetic wraps, division by zero gives zero, shifts by the width or more
# shift everything out.
ARITHMETIC = {
    "add": lambda a, b, w: a + b, "sub": lambda a, b, w: a - b, "mul": lambda a, b, w: a * b,
    "and": lambda a, b, w: a & b, "or": lambda a, b, w: a | b, "xor": lambda a, b, w: a ^ b,
    "udiv": lambda a, b, w: a // b if b else 0, "urem": lambda a, b, w: a % b if b else 0,
    "sdiv": lambda a, b, w: divide(signed(a, w), signed(b, w)),
    "srem": lambda a, b, w: signed(a, w) - divide(signed(a, w), signed(b, w)) * signed(b, w) if b else 0,
    "shl": lambda a, b, w: a << b if b < w else 0, "lshr": lambda a, b, w: a >> b if b < w else 0,
    "ashr": lambda a, b, w: signed(a, w) >> min(b, w - 1),
    "umin": lambda a, b, w: min(a, b), "umax": lambda a, b, w: max(a, b),
    "smin": lambda a, b, w: min(signed(a, w), signed(b, w)), "smax": lambda a, b, w: max(signed(a, w), signed(b, w)),
}
COMPARISONS = {
    "eq": lambda a, b, w: a == b, "ne": lambda a, b, w: a != b,
    "ult": lambda a, b, w: a < b, "ule": lambda a, b, w: a <= b, "ugt": lambda a, b, w: a > b, "uge": lambda a, b, w: a >= b,
    "slt": lambda a, b, w: signed(a, w) < signed(b, w), "sle": lambda a, b, w: signed(a, w) <= signed(b, w),
    "sgt": lambda a, b, w: signed(a, w) > signed(b, w), "sge": lambda a, b, w: signed(a, w) >= signed(b, w),
}
BINARY = {**ARITHMETIC, **COMPARISONS}


def evaluate(nodes, argument):
    """Returns the bits of each of `nodes`; `argument(n)` gives the bits of parameter n. ValueError names an unknown
    operation."""
    values = []  # (bits, width)
    for node in nodes:
        op, width = node["op"], int(node["type"][1:])
        given = [values[n] for n in node.get("operands", [])]
        if op == "constant":
            bits = node["value"]
        elif op == "argument":
            bits = argument(node["parameter"])
        elif op == "select":
            bits = given[1 if given[0][0] else 2][0]
        elif op in ("trunc", "zext"):
            bits = given[0][0]
        elif op == "sext":
            bits = signed(*given[0])
        elif op not in BINARY:
            raise ValueError("the sidecar has '%s', which is not known here" % op)
        else:
            bits = int(BINARY[op](given[0][0], given[1][0], given[0][1]))
        values.append((bits & mask(width), width))
    return [bits for bits, _ in values]

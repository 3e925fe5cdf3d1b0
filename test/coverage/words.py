# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decides whether the PTX of a case executes its operation by an instruction of its element type: `native`, else
`emulated`."""

import re

# Names of PTX for element types.
TYPES = {
    "i1": "pred", "i8": "[sub]8", "i16": "[sub]16", "i32": "[sub]32", "i64": "[sub]64", "f16": "f16(x2)?", "bf16": "bf16(x2)?", "f32": "f32(x2)?",
    "tf32": "tf32", "f64": "f64", "f8E4M3FN": "e4m3(x2|x4)?", "f8E5M2": "e5m2(x2|x4)?", "f8E8M0FNU": "ue8m0(x2)?", "f4E2M1FN": "e2m1(x2|x4)?",
    "i4": "[sub]4", "f8E5M3FNU": "ue5m3(x2)?",
}
ELEMENT = re.compile(r"(?<!\w)(%s)(?!\w)" % "|".join(TYPES))
# Instructions of an operation on a type {t}. Operations in neither table have no instruction.
NATIVE = {
    "addf": r"(add|sub|fma)\..*{t}", "subf": r"(add|sub|fma)\..*{t}", "mulf": r"(mul|fma)\..*{t}", "fma": r"fma\..*{t}", "divf": r"div\..*{t}",
    "sqrt": r"sqrt\..*{t}", "rsqrt": r"rsqrt\..*{t}", "exp2": r"ex2\..*{t}", "log2": r"lg2\..*{t}", "tanh": r"tanh\..*{t}", "sin": r"sin\..*{t}",
    "cos": r"cos\..*{t}", "maxf": r"max\..*{t}", "minf": r"min\..*{t}", "negf": r"(neg\..*{t}|xor\.b.*)", "absf": r"(abs\..*{t}|and\.b.*)",
    "ceil": r"cvt\.rpi\..*{t}\.{t}", "floor": r"cvt\.rmi\..*{t}\.{t}", "cmpf": r"setp?\..*{t}",
    "addi": r"(add|sub|mad\.lo)\.{t}", "subi": r"(add|sub|mad\.lo)\.{t}", "muli": r"(mul|mad)\.lo\.{t}", "mulhii": r"mul\.hi\.{t}", "divi": r"div\.{t}",
    "remi": r"rem\.{t}", "maxi": r"max\.{t}", "mini": r"min\.{t}", "absi": r"abs\.{t}", "negi": r"(neg|sub)\.{t}", "shli": r"shl\.{t}",
    "shri": r"shr\.{t}", "cmpi": r"setp?\..*{t}", "andi": r"(and|lop3)\..*", "ori": r"(or|lop3)\..*", "xori": r"(xor|lop3|not)\..*",
    "atomic_cas_tko": r"atom\..*cas\..*", "offset": r"(add|mad\.lo|mad\.wide)\..*64",
}
# Operations that only move bits.
MOVES = re.compile(
    r"(assert|assume|bitcast|broadcast|cat|constant|continue|exti|extract|for|gdc_\w+|get_\w+|global|if|insert|int_to_ptr|iota|join_tokens|limit_rank|"
    r"load_\w+|loop|make_\w+|memory_fence\w*|alloca|pack|permute|print_tko|ptr_to_\w+|reshape|select|store_\w+|trunci|unpack)\Z")
ATOMS = {"addf": "add", "add": "add", "and": "and", "or": "or", "xor": "xor", "max": "max", "min": "min", "umax": "max", "umin": "min", "xchg": "exch"}


def is_larger(types, limit):
    """Returns whether a row, of a series or of a dot, has a tile of more than 2^limit elements."""
    match = re.search(r"2\^(\d+)\Z", types)
    if match:
        return int(match[1]) + (7 if "128x" in types else 0) > limit
    match = re.search(r" (\d+)x(\d+)x(\d+)\Z", types)
    m, n, k = map(int, match.groups()) if match else (1, 1, 1)
    return max(m * n, m * k, n * k) > 1 << limit


def opcodes(ptx):
    """Returns the opcodes of the instructions of a module."""
    return set(re.findall(r"^\s*(?:@!?%\w+\s+)?([a-z][\w.:]+)\s", ptx, re.M))


def has(pattern, codes):
    return any(re.fullmatch(pattern, code) for code in codes)


def ptx_type(element):
    return "(%s)" % TYPES[element]


def word(op, types, ptx):
    """Returns the word for one operation on one target."""
    codes = opcodes(ptx)
    if MOVES.match(op):
        return "native"
    elements = ELEMENT.findall(types)
    if op in ("ftof", "ftoi", "itof"):
        source, target = ptx_type(elements[0]), ptx_type(elements[1])
        return "native" if has(r"cvt(\..*)?\.%s\.%s" % (target, source), codes) or elements[0] == elements[1] else "emulated"
    if op.startswith("mma"):
        kinds = {"f8E4M3FN": "e4m3|f8f6f4|mxf8f6f4", "f8E5M2": "e5m2|f8f6f4|mxf8f6f4", "f4E2M1FN": "e2m1|mxf4|mxf4nvf4|mxf8f6f4", "i8": "[su]8|i8",
                 "bf16": "bf16|kind::f16", "f16": "f16|kind::f16", "tf32": "tf32"}
        kind = kinds.get(elements[0], elements[0])
        matrix = r"(mma|wgmma|tcgen05)\..*[.:](%s)(\..*)?" % kind
        return "native" if has(matrix, codes) or has(r"fma\..*%s" % ptx_type(elements[0]), codes) and elements[0] in ("f32", "f64") else "emulated"
    if op.startswith("atomic_r"):
        kind = next((ATOMS[w] for w in re.findall(r"\w+", types) if w in ATOMS), None)
        return "native" if kind and has(r"(atom|red)\..*\b%s\..*" % kind, codes) else "emulated"
    if op.startswith("multimem_"):
        return "native" if has(r"(multimem|red|st|ld)\..*", codes) else "emulated"
    if op in ("reduce", "scan"):
        plain = "addi" if elements and elements[0][0] == "i" else "addf"
        op = next((w for w in re.findall(r"\w+", types) if w in NATIVE), plain)
    if op == "limit_elements":
        op = "addi" if elements and elements[0][0] == "i" else "addf"
    if op in NATIVE and elements:
        return "native" if has(NATIVE[op].replace("{t}", ptx_type(elements[0])), codes) else "emulated"
    return "native" if op in NATIVE else "emulated"

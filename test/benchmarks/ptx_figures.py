# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the depth of the load pipeline and the swizzles of matrices in shared memory from PTX of any compiler.

Both are recognized by patterns; "" means that there is none or that it was not recognized.
"""

import re

STATEMENT = re.compile(r"\s*(?:[\w$]+:\s+)?(?:@!?%\w+\s+)?([a-z][\w.:]*)\s+(.*)")
NUMBER = re.compile(r"(?<![\w%.])-?(?:0[xX][0-9a-fA-F]+|\d+)U?\b")
BARRIER = re.compile(r"\[([%\w$.]+)(?:\s*\+\s*(-?\w+))?\]")
# Bits 62 and 63 of a descriptor of wgmma, bits 61 to 63 of one of tcgen05; 128b swizzles 32-byte atoms.
LAYOUTS = {"wgmma": (62, {1: "128", 2: "64", 3: "32"}), "tcgen05": (61, {1: "128b", 2: "128", 4: "64", 6: "32"})}
ARGUMENTS = re.compile(r"\{[^}]*\}|\[[^\]]*\]|[^,\s]+")
STEPS = 64  # definitions that are followed for one descriptor


def statements(ptx):
    """Returns (opcode, text of the operands) in order."""
    for line in ptx.splitlines():
        for text in line.split("//")[0].split(";"):
            found = STATEMENT.match(text)
            if found:
                yield found.groups()


def numbers(text):
    """Returns integer literals as unsigned 64-bit numbers."""
    return [int(n.rstrip("U"), 0) % (1 << 64) for n in NUMBER.findall(text)]


def definitions(code):
    """Returns {register: [(opcode, operands)]}."""
    found = {}
    for op, text in code:
        operands = ARGUMENTS.findall(text)
        if operands and operands[0].startswith("%"):
            found.setdefault(operands[0], []).append((op, operands[1:]))
    return found


def constant_bits(register, defined):
    """Returns the upper bits that any definition of a 64-bit register sets by a literal."""
    bits, seen, pending = set(), set(), [register]
    while pending and len(seen) < STEPS:
        name = pending.pop()
        if name in seen:
            continue
        seen.add(name)
        for op, operands in defined.get(name, []):
            if op.startswith("mov.b64") and operands and operands[0].startswith("{"):
                high = operands[0].strip("{}").split(",")[-1].strip()
                literals = numbers(high) or [n for _, o in defined.get(high, []) for x in o for n in numbers(x)]
                bits.update(n << 32 & (1 << 64) - 1 for n in literals)
            elif op.split(".")[-1] in ("b64", "s64", "u64"):
                bits.update(n for o in operands for n in numbers(o))
                pending += [o for o in operands if o.startswith("%")]
    return bits


def swizzle(code):
    """Returns the swizzles of the matrix descriptors of wgmma and tcgen05.mma: `128 64`."""
    found, defined = set(), None
    for op, text in code:
        family = op.split(".")[0]
        if not op.startswith(("wgmma.mma_async", "tcgen05.mma")):
            continue
        defined = defined or definitions(code)
        at, names = LAYOUTS[family]
        # The accumulator comes first; an operand in registers or in tensor memory has no descriptor.
        for operand in ARGUMENTS.findall(text)[1:3]:
            if operand.startswith("%"):
                found.update(names[n >> at] for n in constant_bits(operand, defined) if n >> 46 and n >> at in names)
    return " ".join(sorted(found))


def place_of(base, offset, defined):
    """Returns the (register or variable, offset) from which additions of literals compute an address."""
    for _ in range(STEPS):
        made = defined.get(base, [])
        if len(made) != 1 or not re.match(r"(add\.[su]|or\.b)(32|64)$", made[0][0]) or not NUMBER.fullmatch(made[0][1][1]):
            break
        base, offset = made[0][1][0], offset + int(made[0][1][1].rstrip("U"), 0)
    return base, offset


def barriers(code):
    """Returns addresses (base, offset) of the mbarriers in the order of their initialization."""
    found, defined = [], definitions(code)
    for op, text in code:
        if op.startswith("mbarrier.init"):
            place = BARRIER.search(text)
            if place:
                found.append(place_of(place.group(1), int(place.group(2) or "0", 0), defined))
    return found


def pipeline_of(places):
    """Returns the depth of the pipeline: alternately initialized (full, empty) pairs are 8 times the depth apart; of
    several pipelines the smallest."""
    paired = [(b[1] - a[1]) // 8 for a, b, c in zip(places, places[1:], places[2:])
              if a[0] == b[0] == c[0] and b[1] - a[1] >= 16 and c[1] - a[1] == 8]
    return min(paired, default=0)


def run_of(places):
    """Returns the length of the longest run of mbarriers 8 bytes apart."""
    best = run = 1 if places else 0
    for a, b in zip(places, places[1:]):
        run = run + 1 if a[0] == b[0] and b[1] - a[1] == 8 else 1
        best = max(best, run)
    return best


def stages(code):
    """Returns the depth of the load pipeline: from the mbarriers of TMA copies, else one more than the cp.async groups
    left in flight."""
    if any(op.startswith("cp.async.bulk.tensor") and ".shared" in op.split("global")[0] for op, _ in code):
        places = barriers(code)
        in_turn = any(op.startswith("mbarrier.try_wait") and re.search(r"\[%\w+\]", text) for op, text in code)
        return pipeline_of(places) or (run_of(places) if in_turn else 0) or ""
    depths = [numbers(text)[0] for op, text in code if op.startswith("cp.async.wait_group") and numbers(text)]
    return max(depths) + 1 if depths else ""


def figures(ptx):
    """Returns {"stages", "swizzle"} of a module."""
    code = list(statements(ptx))
    return {"stages": stages(code), "swizzle": swizzle(code)}

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Integers, bits, selection (PTX ISA, integer arithmetic, logic and shift, comparison)."""
import numpy as np

from suite import Suite, bits_of, sample

N = 128


def s(v, bits):
    v %= 2 ** bits
    return v - 2 ** bits if v >> (bits - 1) else v


def unsigned(bits):
    return {16: np.uint16, 32: np.uint32, 64: np.uint64}[bits]


def table(suite, name, code, bits, sources, function, out=None, edges=()):
    values = [sample(b, N, seed + len(name), edges) for seed, b in enumerate(bits if isinstance(bits, list) else [bits] * sources)]
    widths = bits if isinstance(bits, list) else [bits] * sources
    expect = [function(*row) for row in zip(*values)]
    suite.each(name, code, [bits_of(v, unsigned(b)) for v, b in zip(values, widths)],
               bits_of(expect, unsigned(out or widths[0])))


def divide(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def field(number, bits):
    """Returns a position or length: for 64 bits hardware uses the whole register, where the manual names its low
    byte."""
    return min(number, 64) if bits == 64 else number & 255


def bfe(a, b, c, bits, is_signed):
    pos, length, top = field(b, bits), field(c, bits), bits - 1
    if not length:
        return 0
    sign = a >> min(pos + length - 1, top) & 1 if is_signed else 0
    return sum(((a >> (pos + k) & 1) if k < length and pos + k <= top else sign) << k for k in range(bits))


def bfi(a, b, c, d, bits):
    pos, length = field(c, bits), field(d, bits)
    for k in range(length):
        if pos + k < bits:
            b = b & ~(1 << (pos + k)) | (a >> k & 1) << (pos + k)
    return b


def prmt(a, b, c, mode):
    data = [(a | b << 32) >> (8 * k) & 255 for k in range(8)]
    n = c & 3
    if mode == "":
        out = []
        for k in range(4):
            one = data[c >> (4 * k) & 7]
            out.append((255 if one & 128 else 0) if c >> (4 * k) & 8 else one)
    else:
        pick = {"f4e": [n, n + 1, n + 2, n + 3], "b4e": [n, (n - 1) % 8, (n - 2) % 8, (n - 3) % 8], "rc8": [n] * 4,
                "ecl": [max(k, n) for k in range(4)], "ecr": [min(k, n) for k in range(4)],
                "rc16": [(n & 1) * 2, (n & 1) * 2 + 1] * 2}[mode]
        out = [data[k] for k in pick]
    return sum(v << (8 * k) for k, v in enumerate(out))


def part(word, selector, is_signed):
    """Returns a byte or half of a register, or all of it."""
    bits = {"": 32, "b": 8, "h": 16}[selector[1:2]]
    v = word >> (int(selector[2:] or 0) * bits) & 2 ** bits - 1
    return s(v, bits) if is_signed else v


def scalar_video(t):
    """Checks vop d, a, b with byte and half selectors; then a clamp, a second operation with c, or a position in c. No
    GPU that ptxas knows has these instructions; where the code of ptxas 13.5 differs from the manual, the answer is
    that of ptxas on an H200."""
    ops = {"vadd": lambda a, b: a + b, "vsub": lambda a, b: a - b, "vabsdiff": lambda a, b: abs(a - b), "vmin": min, "vmax": max,
           "vshl": lambda a, b: a << b, "vshr": lambda a, b: a >> b}
    variants = (("", "", "", ""), (".b0", ".h1", ".sat", ""), (".h0", ".b3", "", ".add"), ("", ".b2", ".sat", ".min"), (".b1", "", "", ".max"))
    number = 0
    for op, fn in ops.items():
        for kinds in ("uuu", "sss", "sus", "usu"):
            for asel, bsel, sat, second in variants:
                shift = op in ("vshl", "vshr")
                modes = (".clamp", ".wrap") if shift else ("",)
                kinds_here = kinds[:2] + "u" if shift else kinds
                mode = modes[number % len(modes)]
                to = (".b2", ".h1", "")[number % 3] if not second else ""
                number += 1

                def function(a, b, c, fn=fn, k=kinds_here, asel=asel, bsel=bsel, sat=sat, second=second, mode=mode, to=to):
                    x, y = part(a, asel, k[1] == "s"), part(b, bsel, k[2] == "s")
                    if mode:
                        y = min(y, 32) if mode == ".clamp" else y % 32
                    v = fn(x, y)
                    bits = {"": 32, "b": 8, "h": 16}[to[1:2]]
                    if sat and fn is ops["vshl"]:
                        v = s(v, 34)
                    if sat and to and not mode:  # a negative number clamps to the largest one, too, for a byte or half
                        most = 2 ** (bits - 1) - 1 if k[0] == "s" else 2 ** bits - 1
                        v = v if 0 <= v <= most else most
                    elif sat:
                        v = max(-2 ** 31, min(2 ** 31 - 1, v)) if k[0] == "s" else max(0, min(2 ** 32 - 1, v))
                    # Numbers of 64 bits are compared; the low word of a sum is sign-extended, even if d is unsigned.
                    wide = s(v, 32) if fn in (ops["vadd"], ops["vsub"]) or sat and fn is ops["vshl"] else v
                    both = (wide, s(c, 32)) if k[0] == "s" else (wide % 2 ** 64, c)
                    v %= 2 ** 32
                    if second:
                        v = {".add": v + c, ".min": min(both), ".max": max(both)}[second] % 2 ** 32
                    if to:
                        at = int(to[2:]) * bits
                        v = c & ~(2 ** bits - 1 << at) | (v & 2 ** bits - 1) << at
                    return v
                types = ".%s32.%s32.%s32" % tuple(kinds_here)
                third = ", %c" if second or to else ""
                table(t, "video_%s_%s_%d" % (op, kinds_here, number), "%s%s%s%s%s %%d%s, %%a%s, %%b%s%s;" % (
                    op, types, sat, mode, second, to, asel, bsel, third), 32, 3, function)
    for k, name in enumerate(("eq", "ne", "lt", "le", "gt", "ge")):
        compare = [lambda x, y: x == y, lambda x, y: x != y, lambda x, y: x < y, lambda x, y: x <= y, lambda x, y: x > y,
                   lambda x, y: x >= y][k]
        table(t, "vset_" + name, "vset.s32.u32.%s.add %%d, %%a.b1, %%b.b0, %%c;" % name, 32, 3,
              lambda a, b, c, f=compare: c + f(part(a, ".b1", True), part(b, ".b0", False)))
    for kinds in ("uu", "ss", "su"):
        for sat in ("", ".sat"):
            for tail, more, down in (("", 0, 0), (".shr7", 0, 7), (".po", 1, 0), (".po.shr15", 1, 15)):
                def mad(a, b, c, k=kinds, sat=sat, more=more, down=down):
                    signed = "s" in k
                    v = part(a, ".h0", k[0] == "s") * part(b, ".h1", k[1] == "s") + s(c, 32) + more
                    v = v >> down if signed or not down else v % 2 ** 64 >> down
                    if sat:
                        v = max(-2 ** 31, min(2 ** 31 - 1, v)) if signed else max(0, min(v, 2 ** 32 - 1))
                    return v
                result = "s" if "s" in kinds else "u"
                po, shr = (".po", tail[3:]) if more else ("", tail)
                table(t, "vmad_%s%s%s" % (kinds, sat.replace(".", "_"), tail.replace(".", "_")),
                      "vmad.%s32.%s32.%s32%s%s%s %%d, %%a.h0, %%b.h1, %%c;" % (result, kinds[0], kinds[1], po, sat, shr), 32, 3, mad)
    # A negated number makes the result signed; the third source is complemented in 32 bits, then extended. Whole
    # registers are multiplied as signed numbers, and the third source is signed, whatever their types.
    for number, (kinds, minus, sat, down) in enumerate((("ss", "a", "", 0), ("uu", "b", ".sat", 0), ("us", "c", ".sat", 7), ("uu", "c", "", 0),
                                                        ("ss", "ab", "", 0), ("uu", "abc", ".sat", 15), ("su", "b", ".sat", 7))):
        def negated(a, b, c, k=kinds, minus=minus, sat=sat, down=down):
            product = s(a, 32) * s(b, 32)
            odd = ("a" in minus) != ("b" in minus)
            third = s(~c % 2 ** 32, 32) + 1 if "c" in minus else s(c, 32)
            v = (-product if odd else product) + third >> down
            return max(-2 ** 31, min(2 ** 31 - 1, v)) if sat else v
        a, b, c = ("-%" + n if n in minus else "%" + n for n in "abc")
        table(t, "vmad_negated_%d" % number, "vmad.s32.%s32.%s32%s%s %%d, %s, %s, %s;" % (
            kinds[0], kinds[1], sat, ".shr%d" % down if down else "", a, b, c), 32, 3, negated)


def fns(mask, base, offset):
    base, offset = base & 31, s(offset, 32)
    if offset == 0:
        return base if mask >> base & 1 else 2 ** 32 - 1
    at, step, left = base, (1 if offset > 0 else -1), abs(offset)
    while 0 <= at < 32:
        if mask >> at & 1:
            left -= 1
            if not left:
                return at
        at += step
    return 2 ** 32 - 1


def parts(v, n, is_signed):
    w = 32 // n
    return [s(v >> (w * k), w) if is_signed else v >> (w * k) & (2 ** w - 1) for k in range(n)]


def tests():
    t = Suite("sm_80", "8.3")
    for bits in (16, 32, 64):
        for kind in "us":
            ty = "%s%d" % (kind, bits)
            f = (lambda v, b=bits: s(v, b)) if kind == "s" else (lambda v: v)
            for op, fn in (("add", lambda a, b: a + b), ("sub", lambda a, b: a - b), ("mul.lo", lambda a, b: a * b),
                           ("mul.hi", lambda a, b, n=bits: (a * b) >> n), ("min", min), ("max", max)):
                table(t, "%s_%s" % (op.replace(".", "_"), ty), "%s.%s %%d, %%a, %%b;" % (op, ty), bits, 2,
                      lambda a, b, fn=fn, f=f: fn(f(a), f(b)))
            nonzero = lambda b: b or 3  # noqa: E731
            for op, fn in (("div", divide), ("rem", lambda a, b: a - divide(a, b) * b)):
                table(t, "%s_%s" % (op, ty), "setp.eq.b%d %%p0, %%b, 0; selp.b%d %%b, 3, %%b, %%p0; %s.%s %%d, %%a, %%b;"
                      % (bits, bits, op, ty), bits, 2, lambda a, b, fn=fn, f=f: fn(f(a), f(nonzero(b))))
            table(t, "mad_lo_" + ty, "mad.lo.%s %%d, %%a, %%b, %%c;" % ty, bits, 3, lambda a, b, c: a * b + c)
            table(t, "mad_hi_" + ty, "mad.hi.%s %%d, %%a, %%b, %%c;" % ty, bits, 3,
                  lambda a, b, c, f=f, n=bits: ((f(a) * f(b)) >> n) + c)
            table(t, "sad_" + ty, "sad.%s %%d, %%a, %%b, %%c;" % ty, bits, 3, lambda a, b, c, f=f: c + abs(f(a) - f(b)))
            table(t, "shr_" + ty, "shr.%s %%d, %%a, %%b;" % ty, [bits, 32], 2,
                  lambda a, b, f=f, n=bits: f(a) >> min(b, n))
            if bits < 64:
                table(t, "mul_wide_" + ty, "mul.wide.%s %%d, %%a, %%b;" % ty, bits, 2, lambda a, b, f=f: f(a) * f(b), 2 * bits)
                table(t, "mad_wide_" + ty, "mad.wide.%s %%d, %%a, %%b, %%c;" % ty, [bits, bits, 2 * bits], 3,
                      lambda a, b, c, f=f: f(a) * f(b) + c, 2 * bits)
            for cmp, fn in (("eq", lambda a, b: a == b), ("ne", lambda a, b: a != b), ("lt", lambda a, b: a < b),
                            ("le", lambda a, b: a <= b), ("gt", lambda a, b: a > b), ("ge", lambda a, b: a >= b)):
                table(t, "setp_%s_%s" % (cmp, ty), "setp.%s.%s %%p0|%%p1, %%a, %%b; selp.b%d %%d, 5, 0, %%p0; @%%p1 add.u%d "
                      "%%d, %%d, 2;" % (cmp, ty, bits, bits), bits, 2, lambda a, b, fn=fn, f=f: 5 if fn(f(a), f(b)) else 2)
        u = "b%d" % bits
        for op, fn in (("and", lambda a, b: a & b), ("or", lambda a, b: a | b), ("xor", lambda a, b: a ^ b)):
            table(t, "%s_%s" % (op, u), "%s.%s %%d, %%a, %%b;" % (op, u), bits, 2, fn)
        table(t, "not_" + u, "not.%s %%d, %%a;" % u, bits, 1, lambda a: ~a)
        table(t, "cnot_" + u, "cnot.%s %%d, %%a;" % u, bits, 1, lambda a: int(a == 0))
        table(t, "shl_" + u, "shl.%s %%d, %%a, %%b;" % u, [bits, 32], 2, lambda a, b, n=bits: a << min(b, n))
        table(t, "neg_s%d" % bits, "neg.s%d %%d, %%a;" % bits, bits, 1, lambda a: -a)
        table(t, "abs_s%d" % bits, "abs.s%d %%d, %%a;" % bits, bits, 1, lambda a, n=bits: abs(s(a, n)))
    for bits in (32, 64):
        u = "b%d" % bits
        table(t, "popc_" + u, "popc.%s %%d, %%a;" % u, bits, 1, lambda a: bin(a).count("1"), 32)
        table(t, "clz_" + u, "clz.%s %%d, %%a;" % u, bits, 1, lambda a, n=bits: n - a.bit_length(), 32)
        table(t, "brev_" + u, "brev.%s %%d, %%a;" % u, bits, 1,
              lambda a, n=bits: int(bin(a + 2 ** n)[3:][::-1], 2))
        for kind in "us":
            def top(a, n=bits, k=kind):
                v = ~a % 2 ** n if k == "s" and a >> (n - 1) else a
                return v.bit_length() - 1
            table(t, "bfind_%s%d" % (kind, bits), "bfind.%s%d %%d, %%a;" % (kind, bits), bits, 1, top, 32)
            table(t, "bfind_shiftamt_%s%d" % (kind, bits), "bfind.shiftamt.%s%d %%d, %%a;" % (kind, bits), bits, 1,
                  lambda a, n=bits, top=top: n - 1 - top(a) if top(a) >= 0 else -1, 32)
            table(t, "bfe_%s%d" % (kind, bits), "bfe.%s%d %%d, %%a, %%b, %%c;" % (kind, bits), [bits, 32, 32], 3,
                  lambda a, b, c, n=bits, k=kind: bfe(a, b, c, n, k == "s"), edges=[0, 1, 8, 31, 33, 64, 200, 255])
        table(t, "bfi_" + u, "bfi.%s %%d, %%a, %%b, %%c, %%e;" % u, [bits, bits, 32, 32], 4,
              lambda a, b, c, d, n=bits: bfi(a, b, c, d, n), edges=[0, 1, 8, 31, 33, 64, 200, 255])
    table(t, "add_sat_s32", "add.sat.s32 %d, %a, %b;", 32, 2,
          lambda a, b: max(-2 ** 31, min(2 ** 31 - 1, s(a, 32) + s(b, 32))))
    table(t, "sub_sat_s32", "sub.sat.s32 %d, %a, %b;", 32, 2,
          lambda a, b: max(-2 ** 31, min(2 ** 31 - 1, s(a, 32) - s(b, 32))))
    low24 = lambda v, k: s(v, 24) if k == "s" else v % 2 ** 24  # noqa: E731
    for k in "us":
        table(t, "mul24_lo_" + k, "mul24.lo.%s32 %%d, %%a, %%b;" % k, 32, 2, lambda a, b, k=k: low24(a, k) * low24(b, k))
        table(t, "mul24_hi_" + k, "mul24.hi.%s32 %%d, %%a, %%b;" % k, 32, 2,
              lambda a, b, k=k: (low24(a, k) * low24(b, k)) >> 16)
        table(t, "mad24_lo_" + k, "mad24.lo.%s32 %%d, %%a, %%b, %%c;" % k, 32, 3,
              lambda a, b, c, k=k: low24(a, k) * low24(b, k) + c)
    for mode in ("wrap", "clamp"):
        n = (lambda c: c & 31) if mode == "wrap" else (lambda c: min(c, 32))
        table(t, "shf_l_" + mode, "shf.l.%s.b32 %%d, %%a, %%b, %%c;" % mode, 32, 3,
              lambda a, b, c, n=n: ((b << 32 | a) << n(c)) >> 32)
        table(t, "shf_r_" + mode, "shf.r.%s.b32 %%d, %%a, %%b, %%c;" % mode, 32, 3,
              lambda a, b, c, n=n: (b << 32 | a) >> n(c))
    for lut in (0x96, 0xE8, 0x1A, 0xF0, 0x01):
        table(t, "lop3_%02x" % lut, "lop3.b32 %%d, %%a, %%b, %%c, 0x%02x;" % lut, 32, 3, lambda a, b, c, lut=lut: sum(
            (lut >> (4 * (a >> k & 1) + 2 * (b >> k & 1) + (c >> k & 1)) & 1) << k for k in range(32)))
    for mode in ("", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"):
        table(t, "prmt_" + (mode or "default"), "prmt.b32%s %%d, %%a, %%b, %%c;" % ("." + mode if mode else ""), 32, 3,
              lambda a, b, c, mode=mode: prmt(a, b, c, mode))
    table(t, "fns", "and.b32 %b, %b, 31; fns.b32 %d, %a, %b, %c;", 32, 3, fns, edges=[0, 1, 2, 3, 2 ** 32 - 1, 2 ** 32 - 2])
    for mode in ("wrap", "clamp"):
        def bmsk(a, b, wrap=mode == "wrap"):
            pos, width = (a & 31, b & 31) if wrap else (a, min(b, 32))
            return ((2 ** width - 1) << pos) if pos < 32 else 0
        table(t, "bmsk_" + mode, "bmsk.%s.b32 %%d, %%a, %%b;" % mode, 32, 2, bmsk, edges=[0, 1, 5, 31, 32, 33])
        for k in "us":
            def szext(a, b, wrap=mode == "wrap", k=k):
                n = b & 31 if wrap else min(b, 32)
                return 0 if n == 0 else (s(a, n) if k == "s" else a % 2 ** n)
            table(t, "szext_%s_%s" % (mode, k), "szext.%s.%s32 %%d, %%a, %%b;" % (mode, k), 32, 2, szext,
                  edges=[0, 1, 5, 31, 32, 33])
    for ka in "us":
        for kb in "us":
            dot = lambda a, b, ka=ka, kb=kb: sum(  # noqa: E731
                x * y for x, y in zip(parts(a, 4, ka == "s"), parts(b, 4, kb == "s")))
            table(t, "dp4a_%s%s" % (ka, kb), "dp4a.%s32.%s32 %%d, %%a, %%b, %%c;" % (ka, kb), 32, 3,
                  lambda a, b, c, dot=dot: dot(a, b) + c)
            for half in ("lo", "hi"):
                table(t, "dp2a_%s_%s%s" % (half, ka, kb), "dp2a.%s.%s32.%s32 %%d, %%a, %%b, %%c;" % (half, ka, kb), 32, 3,
                      lambda a, b, c, ka=ka, kb=kb, h=half: c + sum(
                          x * y for x, y in zip(parts(a, 2, ka == "s"), parts(b, 4, kb == "s")[(2 if h == "hi" else 0):])))
    for n in (2, 4):
        w = 32 // n
        for op, fn in (("vadd", lambda a, b: a + b), ("vsub", lambda a, b: a - b), ("vabsdiff", lambda a, b: abs(a - b)),
                       ("vmin", min), ("vmax", max)):
            for k in "us":
                for sat in ("", ".sat"):
                    def video(a, b, c, fn=fn, k=k, sat=sat, n=n, w=w):
                        low, high = (-2 ** (w - 1), 2 ** (w - 1) - 1) if k == "s" else (0, 2 ** w - 1)
                        out = 0
                        for j, (x, y) in enumerate(zip(parts(a, n, k == "s"), parts(b, n, k == "s"))):
                            v = fn(x, y)
                            v = max(low, min(high, v)) if sat else v
                            out |= v % 2 ** w << (w * j)
                        return out
                    table(t, "%s%d_%s%s" % (op, n, k, sat.replace(".", "_")),
                          "%s%d.%s32.%s32.%s32%s %%d, %%a, %%b, %%c;" % (op, n, k, k, k, sat), 32, 3, video)
    scalar_video(t)
    table(t, "carry_128", "add.cc.u32 %r0, %a, %b; addc.cc.u32 %r1, %a, %c; addc.u32 %d, %b, %c; xor.b32 %d, %d, %r1;",
          32, 3, lambda a, b, c: (b + c + ((a + c + ((a + b) >> 32)) >> 32)) ^ ((a + c + ((a + b) >> 32)) % 2 ** 32))
    table(t, "borrow", "sub.cc.u32 %r0, %a, %b; subc.u32 %d, %b, %c;", 32, 3, lambda a, b, c: b - c - int(a < b))
    table(t, "slct_s32", "slct.u32.s32 %d, %a, %b, %c;", 32, 3, lambda a, b, c: a if s(c, 32) >= 0 else b)
    table(t, "set_u32", "set.lt.u32.s32 %d, %a, %b;", 32, 2, lambda a, b: -1 if s(a, 32) < s(b, 32) else 0)
    table(t, "set_f32", "set.ge.f32.u32 %d, %a, %b;", 32, 2, lambda a, b: 0x3F800000 if a >= b else 0)
    table(t, "setp_and", "setp.gt.u32 %p2, %c, 77; setp.lt.and.s32 %p0|%p1, %a, %b, %p2; selp.b32 %d, 5, 0, %p0; @%p1 "
          "add.u32 %d, %d, 2;", 32, 3,
          lambda a, b, c: (5 if c > 77 and s(a, 32) < s(b, 32) else 0) + (2 if c > 77 and not s(a, 32) < s(b, 32) else 0))
    table(t, "pack", "{ .reg .b16 x, y; mov.b32 {x, y}, %a; mov.b32 %d, {y, x}; }", 32, 1,
          lambda a: a >> 16 | (a & 0xFFFF) << 16)

    n = Suite("sm_90", "8.3")
    for ty, is_signed in (("u16x2", False), ("s16x2", True)):
        for op, fn in (("min", min), ("max", max)):
            table(n, "%s_%s" % (op, ty), "%s.%s %%d, %%a, %%b;" % (op, ty), 32, 2, lambda a, b, fn=fn, g=is_signed: sum(
                fn(x, y) % 65536 << (16 * k) for k, (x, y) in enumerate(zip(parts(a, 2, g), parts(b, 2, g)))))
    table(n, "add_s16x2", "add.s16x2 %d, %a, %b;", 32, 2,
          lambda a, b: (a + b) % 65536 | ((a >> 16) + (b >> 16)) % 65536 << 16)
    table(n, "max_relu_s32", "max.s32.relu %d, %a, %b;".replace("s32.relu", "relu.s32"), 32, 2,
          lambda a, b: max(s(a, 32), s(b, 32), 0))
    return [t, n]

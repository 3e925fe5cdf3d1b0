# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Float arithmetic, comparison and conversion, by exact arithmetic and one rounding."""
import math
from fractions import Fraction

import numpy as np

import floats as fl
from suite import Suite, bits_of, sample

N = 128
FORMATS = {"f32": (fl.F32, 32), "f64": (fl.F64, 64), "f16": (fl.F16, 16), "bf16": (fl.BF16, 16)}
UNSIGNED = {16: np.uint16, 32: np.uint32, 64: np.uint64}


def values(fmt, count, seed):
    """Bits: special values, neighbours of powers of two, ordinary numbers."""
    top = 1 << (fmt.bits - 1)
    inf = (2 ** fmt.exponent - 1) << fmt.mantissa
    one = fmt.bias << fmt.mantissa
    edges = [0, top, 1, top + 1, inf, inf + top, inf - 1, one, one + top, one + 1, one - 1, (1 << fmt.mantissa) - 1,
             1 << fmt.mantissa, inf + (1 << (fmt.mantissa - 1))]
    random = np.random.default_rng(seed)
    out = sample(fmt.bits, count, seed, edges)
    for k in range(1, count, 2):  # of similar magnitude, so that sums and products are meaningful
        out[k] = (int(random.integers(0, 2)) << (fmt.bits - 1) |
                  (fmt.bias + int(random.integers(-3, 4))) << fmt.mantissa | int(random.integers(0, 2 ** min(fmt.mantissa, 62))))
    return out


def check(suite, name, code, fmt, sources, function, out=None, halves=1, atol=0, mask=False):
    """Checks an instruction; `function` of decoded values gives the bits of the result."""
    out = out or fmt
    count = N * halves
    data = [values(fmt, count, 31 * k + len(name) + ord(name[-1])) for k in range(sources)]
    expect = [function(*(fmt.decode(v) for v in row)) for row in zip(*data)]
    if out is fl.F64 and fmt is fl.F64:  # a NaN that does not come from an operand has its sign set
        expect = [e if e != fl.F64.nan or fl.NAN in map(fmt.decode, row) else e | 1 << 63 for e, row in zip(expect, zip(*data))]

    def pack(v, bits):
        if halves == 1:
            return bits_of(v, UNSIGNED[max(16, bits)])
        return bits_of([v[k] | v[k + 1] << bits for k in range(0, len(v), 2)], UNSIGNED[2 * bits])

    suite.each(name, code, [pack(v, fmt.bits) for v in data], pack(expect, out.bits))


def saturate(value):
    if value == fl.NAN or value[0]:
        return False, Fraction(0)
    return (False, Fraction(1)) if value[1] == fl.INF or value[1] > 1 else value


def relu(value):
    return value if value == fl.NAN or not value[0] else (False, Fraction(0))


def arithmetic(t, ty, fmt, modes, halves=1, suffix="", flags=()):
    """Checks add, sub, mul, fma of one type; flags: ftz, sat, relu."""
    ftz = fmt.flush if "ftz" in flags else (lambda v: v)

    def finish(v, mode):
        if v != fl.NAN and "ftz" in flags:
            v = fmt.flush(v)  # before rounding
        if "sat" in flags:
            v = saturate(v)
        if "relu" in flags:
            v = relu(v)
        return fmt.encode(v, mode)
    text = "".join("." + f for f in flags)
    for mode in modes:
        for op, n, fn in (("add", 2, fl.add), ("sub", 2, lambda a, b, m: fl.add(a, fl.neg(b), m)),
                          ("mul", 2, lambda a, b, m: fl.mul(a, b)), ("fma", 3, fl.fma)):
            if "relu" in flags and op != "fma":
                continue
            check(t, "_".join([op, mode, ty] + list(flags)), "%s.%s%s.%s %%d, %s;" % (
                op, mode, text, ty + suffix, ", ".join("%" + c for c in "abc"[:n])), fmt, n,
                lambda *v, fn=fn, mode=mode: finish(fn(*(ftz(x) for x in v), mode), mode), halves=halves)


def float_tests():
    t = Suite("sm_80", "8.3")
    modes = ("rn", "rz", "rm", "rp")
    for ty in ("f32", "f64"):
        fmt = FORMATS[ty][0]
        arithmetic(t, ty, fmt, modes)
        for mode in modes:
            check(t, "div_%s_%s" % (mode, ty), "div.%s.%s %%d, %%a, %%b;" % (mode, ty), fmt, 2,
                  lambda a, b, m=mode, f=fmt: f.encode(fl.div(a, b), m))
            check(t, "rcp_%s_%s" % (mode, ty), "rcp.%s.%s %%d, %%a;" % (mode, ty), fmt, 1,
                  lambda a, m=mode, f=fmt: f.encode(fl.div((False, Fraction(1)), a), m))
            check(t, "sqrt_%s_%s" % (mode, ty), "sqrt.%s.%s %%d, %%a;" % (mode, ty), fmt, 1,
                  lambda a, m=mode, f=fmt: f.encode(fl.sqrt(a, f), m))
    for ty, bits in (("f32", 32), ("f64", 64)):
        a, b = (values(FORMATS[ty][0], N, seed) for seed in (71, 72))
        top = 1 << (bits - 1)
        t.each("copysign_" + ty, "copysign.%s %%d, %%a, %%b;" % ty, [bits_of(a, UNSIGNED[bits]), bits_of(b, UNSIGNED[bits])],
               bits_of([x & top | y & (top - 1) for x, y in zip(a, b)], UNSIGNED[bits]))
    arithmetic(t, "f32", fl.F32, ("rn", "rz"), flags=("ftz",))
    arithmetic(t, "f32", fl.F32, ("rn",), flags=("sat",))
    arithmetic(t, "f16", fl.F16, ("rn",))
    arithmetic(t, "f16", fl.F16, ("rn",), flags=("ftz",))
    arithmetic(t, "f16", fl.F16, ("rn",), flags=("sat",))
    check(t, "fma_rn_relu_f16", "fma.rn.relu.f16 %d, %a, %b, %c;", fl.F16, 3,
          lambda a, b, c: fl.F16.encode(relu(fl.fma(a, b, c))))
    check(t, "fma_rn_bf16", "fma.rn.bf16 %d, %a, %b, %c;", fl.BF16, 3, lambda a, b, c: fl.BF16.encode(fl.fma(a, b, c)))
    arithmetic(t, "f16x2", fl.F16, ("rn",), halves=2)
    check(t, "fma_rn_bf16x2", "fma.rn.bf16x2 %d, %a, %b, %c;", fl.BF16, 3,
          lambda a, b, c: fl.BF16.encode(fl.fma(a, b, c)), halves=2)
    for ty in ("f32", "f64", "f16", "bf16"):
        fmt, bits = FORMATS[ty]
        for op in ("min", "max"):
            check(t, "%s_%s" % (op, ty), "%s.%s %%d, %%a, %%b;" % (op, ty), fmt, 2,
                  lambda a, b, f=fmt, m=op == "max": f.encode(fl.minimum(a, b, largest=m)))
            if ty != "f64":
                check(t, "%s_NaN_%s" % (op, ty), "%s.NaN.%s %%d, %%a, %%b;" % (op, ty), fmt, 2,
                      lambda a, b, f=fmt, m=op == "max": f.encode(fl.minimum(a, b, nan=True, largest=m)))
        if ty in ("f32", "f64", "f16"):
            for cmp in ("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"):
                check(t, "setp_%s_%s" % (cmp, ty), "setp.%s.%s %%p0, %%a, %%b; selp.b%d %%d, 1, 0, %%p0;" % (cmp, ty, bits),
                      fmt, 2, lambda a, b, c=cmp: int(fl.compare(c, a, b)))
    check(t, "set_f16x2", "set.ltu.f16x2.f16x2 %d, %a, %b;", fl.F16, 2,
          lambda a, b: 0x3C00 if fl.compare("ltu", a, b) else 0, halves=2)
    check(t, "cvt_sat_f32", "cvt.sat.f32.f32 %d, %a;", fl.F32, 1, lambda a: fl.F32.encode(saturate(a)))

    n = Suite("sm_90", "8.3")
    for ty, halves in (("bf16", 1), ("bf16x2", 2)):
        arithmetic(n, ty, fl.BF16, ("rn",), halves=halves)
    m = Suite("sm_100", "8.8")
    for mode in modes:
        for op, count, fn in (("add", 2, fl.add), ("mul", 2, lambda a, b, m: fl.mul(a, b)), ("fma", 3, fl.fma)):
            check(m, "%s_%s_f32x2" % (op, mode), "%s.%s.f32x2 %%d, %s;" % (op, mode, ", ".join("%" + c for c in "abc"[:count])),
                  fl.F32, count, lambda *v, fn=fn, mode=mode: fl.F32.encode(fn(*v, mode), mode), halves=2)
    for op in ("min", "max"):
        check(m, op + "3_f32", "%s.f32 %%d, %%a, %%b, %%c;" % op, fl.F32, 3, lambda a, b, c, g=op == "max": fl.F32.encode(
            fl.minimum(fl.minimum(a, b, largest=g), c, largest=g)))
    return [t, n, m]


def integral(value, mode):
    negative, x = value
    k, rest = divmod(x, 1)
    up = {"rni": rest * 2 > 1 or (rest * 2 == 1 and k % 2), "rzi": False, "rmi": negative and rest,
          "rpi": not negative and rest}[mode]
    return negative, Fraction(k + bool(up))


def convert_tests():
    t = Suite("sm_80", "8.3")
    names = ("f32", "f64", "f16")
    for to in names:
        for source in names:
            ft, fs = FORMATS[to][0], FORMATS[source][0]
            if ft.mantissa < fs.mantissa:
                for mode in ("rn", "rz", "rm", "rp"):
                    nan = {"f32": 0x7FC00000, "f16": 0x7E00}[to] if source == "f64" else ft.nan
                    check(t, "cvt_%s_%s_%s" % (mode, to, source), "cvt.%s.%s.%s %%d, %%a;" % (mode, to, source), fs, 1,
                          lambda a, f=ft, m=mode, nan=nan: nan if a == fl.NAN else f.encode(a, m), out=ft)
            elif to != source:
                check(t, "cvt_%s_%s" % (to, source), "cvt.%s.%s %%d, %%a;" % (to, source), fs, 1,
                      lambda a, f=ft: f.encode(a), out=ft)
            else:
                for mode in ("rni", "rzi", "rmi", "rpi"):
                    check(t, "cvt_%s_%s" % (mode, to), "cvt.%s.%s.%s %%d, %%a;" % (mode, to, to), fs, 1,
                          lambda a, f=ft, m=mode: f.encode(a if a == fl.NAN or a[1] == fl.INF else integral(a, m)))
    for mode in ("rn", "rz"):
        check(t, "cvt_%s_bf16_f32" % mode, "cvt.%s.bf16.f32 %%d, %%a;" % mode, fl.F32, 1,
              lambda a, m=mode: fl.BF16.encode(a, m), out=fl.BF16)
        check(t, "cvt_%s_relu_f16_f32" % mode, "cvt.%s.relu.f16.f32 %%d, %%a;" % mode, fl.F32, 1,
              lambda a, m=mode: fl.F16.encode(relu(a), m), out=fl.F16)
    check(t, "cvt_rna_tf32", "cvt.rna.tf32.f32 %d, %a; and.b32 %d, %d, 0xffffe000;", fl.F32, 1,
          lambda a: fl.TF32.encode(a, "rna") << 13 if a != fl.NAN else 0x7FC00000, out=fl.F32)
    for bits in (16, 32, 64):
        for kind in "us":
            low, high = (0, 2 ** bits - 1) if kind == "u" else (-2 ** (bits - 1), 2 ** (bits - 1) - 1)
            for source in names:
                fs = FORMATS[source][0]
                for mode in ("rni", "rzi", "rmi", "rpi") if source == "f32" else ("rzi",):
                    def to_int(a, mode=mode, low=low, high=high, wide=bits == 64 or source == "f64", bits=bits):
                        if a == fl.NAN:
                            return 2 ** (bits - 1) if wide else 0
                        if a[1] == fl.INF:
                            return low if a[0] else high
                        return max(low, min(high, int(fl.signed(integral(a, mode)))))
                    check(t, "cvt_%s_%s%d_%s" % (mode, kind, bits, source), "cvt.%s.%s%d.%s %%d, %%a;" % (
                        mode, kind, bits, source), fs, 1, lambda a, f=to_int, b=bits: f(a) % 2 ** b,
                        out=type("Bits", (), {"bits": bits}))
            ints = sample(bits, N, bits + ord(kind))
            number = lambda v, k=kind, b=bits: v - 2 ** b if k == "s" and v >> (b - 1) else v  # noqa: E731
            for to in names:
                ft = FORMATS[to][0]
                for mode in ("rn", "rz", "rm", "rp"):
                    t.each("cvt_%s_%s_%s%d" % (mode, to, kind, bits), "cvt.%s.%s.%s%d %%d, %%a;" % (mode, to, kind, bits),
                           [bits_of(ints, UNSIGNED[bits])],
                           bits_of([ft.encode(fl.make(Fraction(number(v))), mode) for v in ints], UNSIGNED[ft.bits]))
            for wide in (16, 32, 64):
                for other in "us":
                    lo, hi = (0, 2 ** wide - 1) if other == "u" else (-2 ** (wide - 1), 2 ** (wide - 1) - 1)
                    for sat in ("", ".sat"):
                        # If every value fits, ptxas rejects clamping.
                        if sat and (other == kind and wide >= bits or other == "s" and wide > bits):
                            continue
                        t.each("cvt%s_%s%d_%s%d" % (sat.replace(".", "_"), other, wide, kind, bits),
                               "cvt%s.%s%d.%s%d %%d, %%a;" % (sat, other, wide, kind, bits), [bits_of(ints, UNSIGNED[bits])],
                               bits_of([max(lo, min(hi, number(v))) if sat else number(v) for v in ints], UNSIGNED[wide]))
    check(t, "cvt_f16x2_f32", "{ .reg .b32 x, y; mov.b64 {x, y}, %a; cvt.rn.f16x2.f32 %d, y, x; }", fl.F32, 1,
          lambda a: fl.F16.encode(a), out=fl.F16, halves=2)

    n = Suite("sm_89", "8.3")
    for name, fmt in (("e4m3", fl.E4M3), ("e5m2", fl.E5M2)):
        check(n, "cvt_%sx2_f32" % name, "{ .reg .b32 x, y; .reg .b16 z; mov.b64 {x, y}, %%a; "
              "cvt.rn.satfinite.%sx2.f32 z, y, x; cvt.u32.u16 %%r0, z; and.b32 %%r1, %%r0, 255; shr.u32 %%r2, %%r0, 8; "
              "mov.b64 %%d, {%%r1, %%r2}; }" % name, fl.F32, 1, lambda a, f=fmt: f.encode(a, satfinite=True), out=fl.F32,
              halves=2)
        codes = list(range(256))
        packed = [codes[k] | codes[k + 1] << 8 for k in range(0, 256, 2)]
        wide = [fl.F16.encode(fmt.decode(c)) for c in codes]
        n.each("cvt_f16x2_%sx2" % name, "cvt.rn.f16x2.%sx2 %%d, %%a;" % name, [bits_of(packed, np.uint16)],
               bits_of([wide[k] | wide[k + 1] << 16 for k in range(0, 256, 2)], np.uint32))
    return [t, n]


def approximate(t, name, code, function, xs, rel=0.0, absolute=0.0):
    x = np.array(xs, np.float32)
    expect = np.array([function(float(v)) for v in x], np.float64).astype(np.float32)
    t.each(name, code, [x], expect, atol=absolute or 1e-37, rtol=rel)


def approximate_tests():
    """Checks approximate instructions within the error that the PTX ISA states for each."""
    t = Suite("sm_80", "8.3")
    random = np.random.default_rng(5)
    wide = np.exp(random.uniform(-20, 20, N))
    both = wide * np.where(random.integers(0, 2, N), 1, -1)
    angle = random.uniform(-6, 6, N)
    approximate(t, "rcp_approx", "rcp.approx.f32 %d, %a;", lambda v: 1 / v, both, 2.0 ** -23)
    approximate(t, "rsqrt_approx", "rsqrt.approx.f32 %d, %a;", lambda v: 1 / math.sqrt(v), wide, 2.0 ** -22.4)
    approximate(t, "sqrt_approx", "sqrt.approx.f32 %d, %a;", math.sqrt, wide, 2.0 ** -22)
    approximate(t, "ex2_approx", "ex2.approx.f32 %d, %a;", lambda v: 2.0 ** v, random.uniform(-50, 50, N), 2.0 ** -21.5)
    approximate(t, "lg2_approx", "lg2.approx.f32 %d, %a;", math.log2, wide, 2.0 ** -21, 2.0 ** -21.5)
    approximate(t, "sin_approx", "sin.approx.f32 %d, %a;", math.sin, angle, 0, 2.0 ** -20)
    approximate(t, "cos_approx", "cos.approx.f32 %d, %a;", math.cos, angle, 0, 2.0 ** -20)
    approximate(t, "tanh_approx", "tanh.approx.f32 %d, %a;", math.tanh, angle, 2.0 ** -10.5)
    x, y = both.astype(np.float32), wide.astype(np.float32)
    for form in ("approx", "full"):
        t.each("div_" + form, "div.%s.f32 %%d, %%a, %%b;" % form, [x, y], (x.astype(np.float64) / y).astype(np.float32),
               rtol=2.0 ** -21, atol=1e-37)
    return [t]


def stochastic(fmt, value, random, count, satfinite):
    """Rounds away from zero if `count` random bits, added at the top of the dropped bits, carry into the kept ones."""
    if value == fl.NAN or value[1] in (0, fl.INF):
        return fmt.encode(value, satfinite=satfinite)
    quantum = fmt.quantum(value[1])
    k, rest = divmod(value[1], quantum)
    up = rest / quantum + Fraction(random, 2 ** count) >= 1
    return fmt.encode((value[0], (k + up) * quantum), "rn", satfinite)


def reverse(bits):
    return int("{:016b}".format(bits)[::-1], 2)


def stochastic_tests():
    """Two sources have half of the random bits each, of which f16 uses 13. Each pair of four shares 16 bits, which its
    first one reads in reverse: a half of the register, for e2m1x4 a byte of each half."""
    t = Suite("sm_100a", "8.7")
    data = [values(fl.F32, N, 71 + k) for k in range(4)]
    # Half of them in the range of narrow formats.
    random = np.random.default_rng(8)
    for column in data:
        column[::2] = [int(np.float32(x).view(np.uint32)) for x in random.uniform(-8, 8, N // 2)]
    bits = [int(x) for x in random.integers(0, 2 ** 32, N, dtype=np.uint64)]
    sources = [bits_of(c, np.uint32) for c in data]
    for name, fmt, count in (("f16", fl.F16, 13), ("bf16", fl.BF16, 16)):
        for flags in ("", ".relu", ".relu.satfinite"):
            def two(a, b, r, fmt=fmt, count=count, flags=flags):
                out = 0
                for v, mine in ((a, r >> 16), (b, r & 65535)):
                    x = fl.F32.decode(v)
                    out = out << 16 | stochastic(fmt, relu(x) if "relu" in flags else x, mine % 2 ** count, count, "sat" in flags)
                return out
            t.each("cvt_rs_%sx2%s" % (name, flags.replace(".", "_")), "cvt.rs%s.%sx2.f32 %%d, %%a, %%b, %%c;" % (flags, name),
                   sources[:2] + [bits_of(bits, np.uint32)], bits_of([two(*row) for row in zip(data[0], data[1], bits)], np.uint32))
    for name, fmt, width in (("e4m3", fl.E4M3, 8), ("e5m2", fl.E5M2, 8), ("e2m3", fl.E2M3, 8), ("e3m2", fl.E3M2, 8), ("e2m1", fl.E2M1, 4)):
        for flags in ("", ".relu"):
            def four(row, r, fmt=fmt, width=width, flags=flags):
                pairs = [r >> 16, r & 65535] if width == 8 else [r >> 24 << 8 | r >> 8 & 255, (r >> 16 & 255) << 8 | r & 255]
                out = 0
                for k, v in enumerate(row):
                    x = fl.F32.decode(v)
                    mine = pairs[k // 2] if k % 2 else reverse(pairs[k // 2])
                    out = out << width | stochastic(fmt, relu(x) if flags else x, mine, 16, True)
                return out
            result = "%d" if width == 8 else "%h0"
            t.each("cvt_rs_%sx4%s" % (name, flags.replace(".", "_")), "cvt.rs%s.satfinite.%sx4.f32 %s, {%%a, %%b, %%c, %%e}, %%k;%s" % (
                flags, name, result, "" if width == 8 else " cvt.u32.u16 %d, %h0;"), sources + [bits_of(bits, np.uint32)],
                bits_of([four(row, r) for row, r in zip(zip(*data), bits)], np.uint32))
    return [t]


def tests():
    return float_tests() + convert_tests() + stochastic_tests() + approximate_tests()

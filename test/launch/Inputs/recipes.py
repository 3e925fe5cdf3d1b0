# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""T-4: randomized recipes; the blocks that the host functions write are predicted from the recipe's semantics for
random arguments.

With `windows=1` the objects are compiled for, and called with, the other calling convention; with `arm=1` they are
AArch64 code.
"""

import json
import random

import launchabi as abi
from sidecar import ARITHMETIC, COMPARISONS, evaluate, mask, signed

SEED = 20240521
KERNELS = 24
CALLS = 60
WIDTH = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "!llvm.ptr<1>": 64}


# Comparisons that may occur in expressions.
COMPARE = {op: COMPARISONS[op] for op in ("eq", "ult", "slt", "sge", "uge")}


class Generator:
    """Generates random expressions as (text, width, function of the arguments)."""

    def __init__(self, rng, types):
        self.rng = rng
        self.leaves = [("arg%d" % i, WIDTH[t], lambda args, i=i, w=WIDTH[t]: args[i] & mask(w))
                       for i, t in enumerate(types) if t in WIDTH]

    def resize(self, expression, width):
        text, have, function = expression
        if have == width:
            return expression
        if have > width:
            return "trunc(%s, i%d)" % (text, width), width, lambda a: function(a) & mask(width)
        if self.rng.random() < 0.5:
            return "zext(%s, i%d)" % (text, width), width, function
        return "sext(%s, i%d)" % (text, width), width, lambda a: signed(function(a), have) & mask(width)

    def expression(self, width, depth):
        if depth == 0 or self.rng.random() < 0.15:
            if self.rng.random() < 0.25:
                value = self.rng.choice([0, 1, 2, 16, 255, mask(width), 1 << (width - 1), self.rng.getrandbits(width)]) & mask(width)
                return "%d:i%d" % (value, width), width, lambda a: value
            return self.resize(self.rng.choice(self.leaves), width)
        if self.rng.random() < 0.12:
            w = self.rng.choice([8, 32, 64])
            op = self.rng.choice(sorted(COMPARE))
            a, b = self.expression(w, depth - 1), self.expression(w, depth - 1)
            x, y = self.expression(width, depth - 1), self.expression(width, depth - 1)
            return ("select(%s(%s, %s), %s, %s)" % (op, a[0], b[0], x[0], y[0]), width,
                    lambda n: x[2](n) if COMPARE[op](a[2](n), b[2](n), w) else y[2](n))
        w = self.rng.choice([width, width, 32, 64])
        op = self.rng.choice(sorted(ARITHMETIC))
        a, b = self.expression(w, depth - 1), self.expression(w, depth - 1)
        made = "%s(%s, %s)" % (op, a[0], b[0]), w, lambda n: ARITHMETIC[op](a[2](n), b[2](n), w) & mask(w)
        return self.resize(made, width)


def by_sidecar(described, arguments):
    """Returns the map that the sidecar describes, like a launcher in another language that follows
    docs/design/launch.md."""
    values = evaluate(described["values"], lambda number: arguments[number])
    formats = {"UINT8": "u8", "UINT16": "u16", "UINT32": "u32", "INT32": "s32", "UINT64": "u64", "INT64": "s64", "FLOAT16": "f16",
               "FLOAT32": "f32", "FLOAT32_FTZ": "f32.ftz", "FLOAT64": "f64", "BFLOAT16": "bf16", "TFLOAT32": "tf32",
               "TFLOAT32_FTZ": "tf32.ftz"}
    abi.check(described["rank"] == len(described["box"]) and described["interleave"] == "none" and
              described["l2_promotion"] == "128B", "sidecar: %s" % described)
    return abi.Map(formats[described["data_type"]], values[described["address"]], [values[i] for i in described["extents"]],
                   [values[i] for i in described["strides"]], described["box"], described["element_strides"],
                   described["swizzle"], nan=int(described["oob_fill"] == "nan")).encode()


def argument(rng, bits):
    kind = rng.random()
    if kind < 0.2:
        return rng.choice([0, 1, mask(bits), 1 << (bits - 1)])
    return rng.getrandbits(bits) >> rng.randrange(bits)


def test(tools):
    rng = random.Random(SEED)
    windows, arm = tools.paths.get("windows") == "1", tools.paths.get("arm") == "1"
    types_of = ["!llvm.ptr<1>", "i64", "i32", "i32", "i16", "i8", "i1", "f32", "f64", "f16"]
    kernels, plans = [], []
    for number in range(KERNELS):
        types = ["!llvm.ptr<1>"] + [rng.choice(types_of) for _ in range(rng.randrange(1, 9))]
        generator = Generator(rng, types)
        workspace = rng.random() < 0.3
        maps = []
        for _ in range(rng.randrange(1, 4)):
            element = rng.choice(sorted(set(abi.ELEMENTS) - {"b4x16", "b4x16_p64", "b6x16_p32"}))
            rank = rng.randrange(1, 6)
            inner = rng.choice([16, 32, 64, 128])
            box = [inner * 8 // abi.ELEMENTS[element][2]] + [rng.randrange(1, 257) for _ in range(rank - 1)]
            swizzle = rng.choice(["none"] + [s for s, span in (("32B", 32), ("64B", 64), ("128B", 128)) if inner <= span])
            base = generator.expression(64, 3)
            extents = [generator.expression(rng.choice([32, 64]), 2) for _ in range(rank)]
            strides = [generator.resize(generator.expression(rng.choice([32, 64]), 2), 64) for _ in range(rank - 1)]
            # A constant stride that hardware rejects is rejected when the recipe is read.
            strides = [("mul(%s, 16)" % s[0], 64, lambda n, f=s[2]: f(n) * 16 & mask(64)) for s in strides]
            strides = [("add(%s, zext(trunc(arg0, i32), i64))" % s[0], 64,
                        lambda n, f=s[2]: f(n) + (n[0] & mask(32)) & mask(64)) for s in strides]
            nan = element in ("f16", "bf16", "f32", "tf32") and rng.random() < 0.3
            maps.append((element, base, extents, strides, box, swizzle, nan))
        recipes = [abi.recipe(e, b[0], [x[0] for x in xs], [s[0] for s in ss], box, swizzle=sw,
                              oob_fill="nan" if nan else "zeros") for e, b, xs, ss, box, sw, nan in maps]
        attributes = "nvvm.reqntid = array<i32: 128, 1, 1>" + (", tileir.device_maps = 1 : i32" if workspace else "")
        kernels.append(abi.kernel("k%d" % number, types, recipes, workspace, attributes))
        plans.append((types, maps, workspace))
    triple = ("aarch64" if arm else "x86_64") + ("-pc-windows-elf" if windows else "-unknown-linux-gnu")
    cubin = tools.build(abi.module(kernels, "sm_100a"), "recipes.cubin", ["--launch-sidecar=" + tools.path("recipes.json")],
                        pipeline="tileir-emit-host-wrapper{host-triple=%s}" % triple)
    caller, wanted = tools.arm_caller(cubin) if arm else tools.caller(cubin, windows), []
    with open(tools.path("recipes.json")) as f:
        described = {k["name"]: k for k in json.load(f)["kernels"]}
    for number, (types, maps, workspace) in enumerate(plans):
        offsets, slot, places, size = abi.layout("sm_100", [abi.SIZES[t] for t in types], workspace, len(maps))
        for _ in range(CALLS):
            block = bytearray(rng.getrandbits(8) for _ in range(size))
            arguments = []
            for t, at in zip(types, offsets):
                bits = 8 * abi.SIZES[t]
                value = argument(rng, bits)
                block[at:at + bits // 8] = value.to_bytes(bits // 8, "little")
                arguments.append(value)
            space = rng.getrandbits(48) if workspace else None
            caller.add("k%d" % number, bytes(block), space)
            if workspace:
                block[slot:slot + 8] = space.to_bytes(8, "little")
            said = described["k%d" % number]["maps"]
            abi.check([m["offset"] for m in said] == places, "sidecar: offsets of k%d" % number)
            for (element, base, extents, strides, box, swizzle, nan), at, one in zip(maps, places, said):
                made = abi.Map(element, base[2](arguments), [x[2](arguments) for x in extents], [s[2](arguments) for s in strides],
                               box, swizzle=swizzle, nan=int(nan))
                block[at:at + 128] = made.encode()
                abi.check(by_sidecar(one, arguments) == made.encode(), "seed %d, sidecar of k%d: %s" % (SEED, number, one))
            wanted.append((number, bytes(block)))
    answers = caller.run()
    if arm:
        # ON_PRE_LOAD by version: result, workspace, interface version; the device has 132 SMs, the most demanding
        # kernel one map.
        abi.check(caller.tables == ["#1 00000000 -", "#0 %08x 2" % (132 * 8192), "#0 00000000 2", "#0 00000000 2"],
                  "LA-30: %s" % caller.tables)
    for i, ((number, block), (result, after)) in enumerate(zip(wanted, answers)):
        abi.check(result == 0, "k%d returned %d" % (number, result))
        abi.check(after == block, "seed %d, call %d of k%d:\n got  %s\n want %s\n%s" % (
            SEED, i, number, after.hex(), block.hex(), kernels[number]))
    print("%d kernels, %d calls, %d maps as predicted" % (
        KERNELS, len(wanted), sum(len(plans[n][1]) for n, _ in wanted)))


abi.main(test)

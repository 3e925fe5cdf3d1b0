# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""T-5, T-6, T-7: our host objects against those of the closed compiler.

An ELF reader extracts its cubin for a kernel, its host function is called with synthetic arguments, and the recipes of
its maps are inferred from the written blocks. A module of ours with the same signature and these recipes must then
write the same blocks. Our compiler's own cubin of the same program must have the same visible parameters, and its maps,
which may be fewer, must describe tensors that those of the closed compiler describe.
"""

import os
import random
import struct

import launchabi as abi

CODES = {(code, tf32): name for name, (code, tf32, _) in abi.ELEMENTS.items()}


def low32(value):
    return value & 0xFFFFFFFF


def sext32(value):
    value = low32(value)
    return value - (1 << 32) if value >> 31 else value


class Decoded:
    """Fields of the defined half of a map."""

    def __init__(self, data):
        words = struct.unpack("<16I", data[:64])
        self.address = words[0] | words[1] << 32
        mode = words[2]
        self.rank = (mode >> 4 & 7) + 1
        self.element = CODES[(mode >> 7 & 15, mode >> 16 & 1)]
        self.atomicity = mode >> 19 & 3
        self.swizzle = ["none", "32B", "64B", "128B"][mode >> 13 & 3]
        self.nan = mode >> 15 & 1
        self.strides = tuple((words[3 + d] | (words[7] >> (4 * d) & 15) << 32) << 4 for d in range(self.rank - 1))
        self.extents = tuple(low32(words[8 + d] + 1) for d in range(self.rank))
        box = words[13] >> 24, words[14] & 255, words[14] >> 8 & 255, words[14] >> 16 & 255, words[14] >> 24
        self.box = tuple(b + 1 for b in box[:self.rank])

    def constant(self):
        return self.rank, self.element, self.atomicity, self.swizzle, self.nan, self.box


def candidates(sizes, element):
    """Returns (text, function) of candidate addresses, extents and strides."""
    size = max(abi.ELEMENTS[element][2] // 8, 1)
    pointers = [i for i, s in enumerate(sizes) if s == 8]
    words = [i for i, s in enumerate(sizes) if s == 4]
    bases = [("arg%d" % p, lambda a, p=p: a[p]) for p in pointers]
    for p in pointers:
        for i in words:
            bases.append(("add(arg%d, mul(sext(arg%d, i64), %d))" % (p, i, size),
                          lambda a, p=p, i=i: a[p] + sext32(a[i]) * size & abi.MASK64))
            for j in words:
                bases.append(("add(arg%d, mul(sext(mul(arg%d, arg%d), i64), %d))" % (p, i, j, size),
                              lambda a, p=p, i=i, j=j: a[p] + sext32(a[i] * a[j]) * size & abi.MASK64))
    extents = [("arg%d" % i, lambda a, i=i: low32(a[i])) for i in words]
    extents += [("sub(arg%d, arg%d)" % (i, j), lambda a, i=i, j=j: low32(a[i] - a[j])) for i in words for j in words if i != j]
    strides = [("mul(zext(arg%d, i64), %d)" % (i, size), lambda a, i=i: low32(a[i]) * size) for i in words]
    return bases, extents, strides


def infer(samples, sizes):
    """Infers the recipe behind (arguments, decoded map) pairs."""
    first = samples[0][1]
    abi.check(all(m.constant() == first.constant() for _, m in samples), "box, format or swizzle depend on the arguments")
    bases, extents, strides = candidates(sizes, first.element)

    def find(options, got, fold):
        if len({got(m) for _, m in samples}) == 1:
            return str(got(first))
        for text, function in options:
            if all(fold(function(a)) == got(m) for a, m in samples):
                return text
        return None

    address = find(bases, lambda m: m.address, lambda v: v & ((1 << 53) - 1) << 4)
    dims = [find(extents, lambda m, d=d: m.extents[d], lambda v: v) for d in range(first.rank)]
    steps = [find(strides, lambda m, d=d: m.strides[d], lambda v: v >> 4 << 4) for d in range(first.rank - 1)]
    if address is None or None in dims or None in steps:
        return None
    swizzle = "128B_ATOM_32B" if first.atomicity == 1 else first.swizzle
    return first.element, address, dims, steps, first.box, swizzle, first.nan


def arguments(rng, sizes):
    return [rng.getrandbits(8 * s) for s in sizes]


def block_of(size, offsets, sizes, values):
    block = bytearray(size)
    for at, s, v in zip(offsets, sizes, values):
        block[at:at + s] = v.to_bytes(s, "little")
    return bytes(block)


def find_maps(sm, sizes, info):
    """Returns (offsets of the maps, size of the block) of a cubin without a workspace; None with one."""
    for maps in range(64):
        _, _, places, size = abi.layout(sm, sizes, False, maps)
        if size >= info["bytes"]:
            return (places, size) if size == info["bytes"] else None
    return None


def call(tools, cubin, name, blocks):
    caller = tools.caller(cubin)
    for block in blocks:
        caller.add(name, block)
    answers = caller.run()
    abi.check(all(result == 0 for result, _ in answers), "%s: a result is not 0" % name)
    return [after for _, after in answers]


def tensors_of(block, places):
    """Returns tensors independent of the order in which a map has its outer dimensions."""
    decoded = [Decoded(block[at:at + 128]) for at in places]
    return {(m.address, m.extents[0], tuple(sorted(zip(m.extents[1:], m.strides))), m.element) for m in decoded}


def one(tools, kernel, sm, rng):
    """Returns (maps, maps explained, maps of our cubin)."""
    theirs = tools.path("closed.cubin")
    environment = {"CUDA_HOME": "", "CUDA_ROOT": "", "CUDA_PATH": ""}
    clean = {k: v for k, v in os.environ.items() if k not in environment}
    import subprocess
    done = subprocess.run([os.environ["TILEIR_PEER_TILEIRAS"], kernel, "-o", theirs, "--gpu-name", sm], env=clean,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        return None
    with open(theirs, "rb") as f:
        elf = abi.Elf(f.read())
    names = [s["name"][len(".nv.info."):] for s in elf.list if s["name"].startswith(".nv.info.")]
    total = explained = own = 0
    for name in names:
        info = elf.kernel(name)
        visible = [info["parameters"][k] for k in sorted(info["parameters"])]
        offsets, sizes = [o for o, _ in visible], [s for _, s in visible]
        # T-5: our cubin of the same program has the same visible parameters, at the same bank.
        ours = tools.path("ours.cubin")
        try:
            tools.run([tools["tileiras"], kernel, "-o", ours, "--gpu-name", sm])
        except abi.Expected as problem:
            # In a sweep over everything: reports kernels that our compiler does not lower yet, and compares only the
            # host objects.
            abi.check(os.environ.get("TILEIR_PEER_KERNELS") == "all", str(problem))
            print("%s %s: ours does not compile it" % (kernel, sm))
            mine = None
        else:
            with open(ours, "rb") as f:
                mine = abi.Elf(f.read()).kernel(name)
        abi.check(mine is None or [mine["parameters"][k] for k in sorted(mine["parameters"])] == visible and
                  mine["bank_offset"] == info["bank_offset"], "%s %s: visible parameters differ" % (kernel, sm))
        found = find_maps(sm, sizes, info)
        if not found:
            return None  # a workspace: the closed compiler builds maps on the device
        places, size = found
        if not places:
            continue
        values = [arguments(rng, sizes) for _ in range(40)]
        answers = call(tools, theirs, name, [block_of(size, offsets, sizes, v) for v in values])
        mine_of = mine and find_maps(sm, sizes, mine)
        if mine_of and mine_of[0]:
            own += len(mine_of[0])
            blocks = call(tools, ours, name, [block_of(mine_of[1], offsets, sizes, v) for v in values])
            for block, after in zip(blocks, answers):
                others = tensors_of(block, mine_of[0]) - tensors_of(after, places)
                abi.check(not others, "%s %s: the closed compiler has no map of %s" % (kernel, sm, sorted(others)))
        recipes = []
        for at in places:
            recipe = infer([(v, Decoded(after[at:at + 128])) for v, after in zip(values, answers)], sizes)
            recipes.append(recipe)
        total += len(places)
        explained += sum(r is not None for r in recipes)
        if None in recipes:
            continue
        # T-6, T-7: the same recipes through our emitter, new arguments, whole blocks. The closed function keeps the
        # upper half of a map, ours writes zeros: the blocks begin with zeros there.
        text = [abi.recipe(e, b, x, s, box, swizzle=w, oob_fill="nan" if n else "zeros") for e, b, x, s, box, w, n in recipes]
        types = [{8: "i64", 4: "i32", 2: "i16", 1: "i8"}[s] for s in sizes]
        grafted = tools.build(abi.module([abi.kernel(name, types, text)], sm + "a"), "grafted.cubin")
        fresh = [block_of(size, offsets, sizes, arguments(rng, sizes)) for _ in range(100)]
        both = [call(tools, cubin, name, fresh) for cubin in (theirs, grafted)]
        abi.check(both[0] == both[1], "%s %s: blocks differ\n theirs %s\n ours   %s" % (name, sm, both[0][0].hex(), both[1][0].hex()))
        # T-5: the sets of tensors.
        tensors = [[tensors_of(after, places) for after in side] for side in both]
        abi.check(tensors[0] == tensors[1], "%s: other tensors" % name)
    return total, explained, own


def test(tools):
    rng = random.Random(11)
    totals = [0, 0, 0, 0]
    kernels = tools["kernels"].split(",")
    if os.environ.get("TILEIR_PEER_KERNELS") == "all":
        kernels = sorted(f[:-len(".tileirbc")] for f in os.listdir(os.path.join(tools["data"], "tileirbc"))
                         if f.endswith(".tileirbc"))
    for kernel in kernels:
        for sm in tools["targets"].split(","):
            path = os.path.join(tools["data"], "tileirbc", kernel + ".tileirbc")
            counts = one(tools, path, sm, rng)
            if counts is None:
                print("%s %s: not compared (no product, or maps on the device)" % (kernel, sm))
                continue
            totals[0] += 1
            totals[1] += counts[0]
            totals[2] += counts[1]
            totals[3] += counts[2]
            print("%s %s: %d maps, %d compared, 0 differences, %d of ours" % (kernel, sm, *counts))
    print("%d cubins, %d maps, %d explained and equal; %d of ours" % tuple(totals))


abi.main(test)

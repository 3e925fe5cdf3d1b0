# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the compiler's description of a parameter block with the cubin of ptxas, for randomized signatures.

The sidecar's offsets and sizes equal the EIATTR_KPARAM_INFO of the cubin, its block and bank the EIATTR_PARAM_CBANK,
for scalars, vectors, structures and arrays by value at any alignment, in both forms, and for blocks that exceed the
bank of sm_8x.
"""

import json
import os
import random

import launchabi as abi

SEED = 20261121
KERNELS = 40
SCALARS = ["i1", "i8", "i16", "i32", "i64", "i128", "f16", "bf16", "f32", "f64", "!llvm.ptr", "!llvm.ptr<1>", "!llvm.ptr<3>"]
VECTORS = ["vector<2xf32>", "vector<3xf32>", "vector<4xf16>", "vector<3xi8>", "vector<8xf32>"]
MEMBERS = SCALARS + ["i24", "i5"]


def aggregate(rng, depth=0):
    def member():
        return aggregate(rng, depth + 1) if depth < 2 and rng.random() < 0.3 else rng.choice(MEMBERS)

    kind = rng.randrange(3)
    if kind == 0:
        return "!llvm.array<%d x %s>" % (rng.randrange(1, 5), member())
    body = ", ".join(member() for _ in range(rng.randrange(1, 4)))
    return "!llvm.struct<%s(%s)>" % ("packed " if kind == 1 else "", body)


def parameter(rng, i):
    kind = rng.random()
    if kind < 0.5:
        return "%%a%d: %s" % (i, rng.choice(SCALARS + ["i4"]))
    if kind < 0.6:
        return "%%a%d: %s" % (i, rng.choice(VECTORS))
    if kind < 0.8:
        return "%%a%d: %s" % (i, aggregate(rng))
    return "%%a%d: !llvm.ptr {llvm.byval = %s, llvm.align = %d : i64}" % (i, aggregate(rng), 1 << rng.randrange(7))


def kernel(name, parameters):
    return "  llvm.func @%s(%s) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} { llvm.return }\n" % (
        name, ", ".join(parameters))


def compare(tools, kernels, chip, form, environment=None):
    stem = "%s-%s" % (chip, form)
    pipeline = "gpu.module(tileir-legalize-llvm-kernel,tileir-finalize-llvm-kernel,tileir-post-nvvm-finalize),tileir-emit-host-wrapper"
    lowered = tools.passes(abi.module(kernels.values(), chip, form), pipeline, stem + ".mlir")
    sidecar = tools.path(stem + ".json")
    cubin = tools.serialize(lowered, stem + ".cubin", ["--launch-sidecar=" + sidecar], environment)
    with open(cubin, "rb") as f:
        elf = abi.Elf(f.read())
    with open(sidecar) as f:
        described = {k["name"]: k for k in json.load(f)["kernels"]}
    for name, text in kernels.items():
        made, said = elf.kernel(name), described[name]
        where = "seed %d, %s: %s" % (SEED, stem, text)
        abi.check([(p["offset"], p["size"]) for p in said["parameters"]] == [made["parameters"][k] for k in sorted(made["parameters"])],
                  "%s\n sidecar %s\n cubin   %s" % (where, said["parameters"], made["parameters"]))
        abi.check(said["block_bytes"] == made.get("bytes", 0), "%s: block of %d bytes, cubin %s" % (where, said["block_bytes"], made))
        if made.get("bytes"):
            abi.check(said["bank_offset"] == made["bank_offset"], "%s: bank 0x%x, cubin 0x%x" % (where, said["bank_offset"], made["bank_offset"]))
    return {name: elf.kernel(name) for name in kernels}


def test(tools):
    rng = random.Random(SEED)
    kernels = {"k%d" % n: kernel("k%d" % n, [parameter(rng, i) for i in range(rng.randrange(9))]) for n in range(KERNELS)}
    old = {"TILEIR_PTXAS_PATH": os.environ["TILEIR_FALLBACK_PTXAS_PATH"]}
    # Below sm_90 a block of more than 4352 bytes, counted from its own start, is in another place.
    large = {
        "fits": ["%%p%d: i64" % i for i in range(544)],
        "grows": ["%%p%d: i64" % i for i in range(545)],
        # 4 + 60 of padding + 4288 are 4352; at 0x160 the padding would be 28.
        "aligned": ["%n: i32", "%s: !llvm.ptr {llvm.byval = !llvm.array<4288 x i8>, llvm.align = 64 : i64}"],
        "aligned_grows": ["%n: i32", "%s: !llvm.ptr {llvm.byval = !llvm.array<4289 x i8>, llvm.align = 64 : i64}", "%m: i8"],
        "largest": ["%s: !llvm.ptr {llvm.byval = !llvm.array<32764 x i8>}"],
    }
    large = {name: kernel(name, parameters) for name, parameters in large.items()}
    for chip in ("sm_80", "sm_90a", "sm_100a", "sm_120a"):
        for form in ("tile", "plain"):
            compare(tools, kernels, chip, form)
        banks = compare(tools, large, chip, "tile")
        compare(tools, large, chip, "plain", old)
        moved = chip == "sm_80"
        for name, info in banks.items():
            want = 0x1A80 if moved and name not in ("fits", "aligned") else abi.BANK[chip.rstrip("a")]
            abi.check(info["bank_offset"] == want, "%s of %s at 0x%x" % (name, chip, info["bank_offset"]))
    print("%d signatures, %d large ones, 4 targets, 2 forms agree" % (len(kernels), len(large)))


abi.main(test)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel with hidden parameters from lowered IR to outputs in the emulator.

Every way to fill them: the host object out of the cubin and the launch sidecar, drivers that know interface version 1 and 2,
the tile and the plain form, assemblers with and without per-CTA memory.
"""

import json
import os
import random
import struct

import launchabi as abi

ROWS, COLS, PITCH, START = 45, 70, 840, 3  # large enough for bit 21
GRID = (3, 3)  # boxes of 16 rows, 32 columns


def npy(path, shape, values):
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }" % ", ".join(map(str, shape) if len(shape) > 1 else
                                                                                     ["%d," % shape[0]])
    header = header.ljust(abi.align(len(header) + 11, 64) - 11) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack("<%df" % len(values), *values))


def test(tools):
    rng = random.Random(7)
    source = [rng.randrange(-1000, 1000) / 8.0 for _ in range(ROWS * PITCH)]
    npy(tools.path("a.npy"), (ROWS, PITCH), source)
    expected = []
    for row in range(GRID[1] * 16):
        for col in range(GRID[0] * 32):
            inside = row < ROWS - START and col < COLS
            expected.append(source[(row + START) * PITCH + col] if inside else 0.0)
    npy(tools.path("out.npy"), (GRID[1] * 16, GRID[0] * 32), expected)
    with open(tools["kernel"]) as f:
        text = f.read()
    runs = 0
    for chip in ("sm_90a", "sm_100a"):
        for form in ("tile", "plain"):
            for name, ptxas in (("new", os.environ["TILEIR_PTXAS_PATH"]), ("old", os.environ["TILEIR_FALLBACK_PTXAS_PATH"])):
                runs += one(tools, text, chip, form, name, ptxas)
    print("%d runs agree" % runs)


def one(tools, text, chip, form, release, ptxas):
    stem = "%s-%s-%s" % (chip, form, release)
    pipeline = ("gpu.module(tileir-legalize-llvm-kernel,convert-nvvm-to-llvm,tileir-finalize-llvm-kernel,"
                "tileir-post-nvvm-finalize),tileir-emit-host-wrapper")
    lowered = tools.passes(text.replace("CHIP", chip).replace("ABI", form), pipeline, stem + ".mlir")
    environment = {"TILEIR_PTXAS_PATH": ptxas}
    sidecar = tools.path(stem + ".json")
    cubin = tools.serialize(lowered, stem + ".cubin", ["--launch-sidecar=" + sidecar], environment)
    ptx = tools.serialize(lowered, stem + ".ptx", ["--emit=ptx"], environment)
    with open(ptx) as f:
        made = f.read()
    with open(cubin, "rb") as f:
        elf = abi.Elf(f.read())
    with open(sidecar) as f:
        said = json.load(f)
    abi.check("cp.async.bulk.tensor.2d" in made, "no tensor copy in the PTX")
    abi.check((".hidden" in made) == (form == "tile"), "%s: .hidden" % stem)
    abi.check((".language 7" in made) == (form == "tile" and release == "new"), "%s: .language" % stem)
    abi.check((".nv.host" in elf.sections) == (form == "tile"), "%s: .nv.host" % stem)
    device = said["kernels"][0]["workspace_bytes_per_sm"] // 8192
    wants_memory = form == "tile" and release == "new" and device > 0
    abi.check(("%perctamemoryoffset" in made) == wants_memory, "%s: per-CTA memory" % stem)
    abi.check((".minperctamemory %d" % (128 * device) in made) == wants_memory, "%s: .minperctamemory" % stem)
    memory = [payload for code, payload in elf.attributes(".nv.info") if code == 0x64]
    abi.check([struct.unpack("<I", m)[0] for m in memory] == ([128 * device] if wants_memory else []),
              "%s: EIATTR_MIN_PER_CTA_MEMORY_SIZE %s" % (stem, memory))
    if form == "plain":
        # LA-62: the same text in the note of the cubin.
        abi.check(json.loads(elf.note(".note.tileir.launch", "TileIR")) == said, "%s: note" % stem)
        abi.check(elf.sections[".note.tileir.launch"]["type"] == 7, "%s: note type" % stem)
    case = tools.path(stem + ".case.json")
    with open(case, "w") as f:
        json.dump({"kernel": ptx, "grid": list(GRID), "args": [
            {"name": "a", "dtype": "f32", "shape": [ROWS, PITCH], "init": "@" + tools.path("a.npy")},
            {"name": "rows", "dtype": "i32", "value": ROWS}, {"name": "cols", "dtype": "i32", "value": COLS},
            {"name": "pitch", "dtype": "i32", "value": PITCH}, {"name": "start", "dtype": "i32", "value": START},
            {"name": "out", "dtype": "f32", "shape": [GRID[1] * 16, GRID[0] * 32], "init": "poison", "output": True,
             "expect": tools.path("out.npy")}]}, f)
    ways = [["--sidecar=" + sidecar, "--host-object=none"]]
    if form == "tile":
        ways.append(["--cubin=" + cubin])
    runs = 0
    for way in ways:
        for version in ("1", "2"):
            for order in ("early", "late", "random"):
                tools.run([tools["run"], case, "--device=emulated", "--driver-version=" + version, "--async=" + order] + way)
                runs += 1
    # The recipe that fills the parameters is required: without it the case is rejected.
    message = tools.run([tools["run"], case], status=2)
    abi.check("hidden parameters; give them" in message if form == "tile" else "has 7" in message or "has 8" in message, message)
    return runs


abi.main(test)

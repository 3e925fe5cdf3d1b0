# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A second implementation of the launch ABI, from its description alone, and helpers to run the tools.

Nothing here is taken from the compiler: layout rule, tensor-map bits and attributes of cubins are independent of it.
"""

import json
import os
import random
import struct
import subprocess
import sys
import tempfile

BANK = {"sm_80": 0x160, "sm_86": 0x160, "sm_87": 0x160, "sm_88": 0x160, "sm_89": 0x160, "sm_90": 0x210, "sm_100": 0x380,
        "sm_103": 0x380, "sm_107": 0x380, "sm_110": 0x380, "sm_120": 0x380, "sm_121": 0x380}

# code of bits 10:7, bit 16, bits of an element
ELEMENTS = {"u8": (0, 0, 8), "u16": (1, 0, 16), "u32": (2, 0, 32), "s32": (3, 0, 32), "u64": (4, 0, 64), "s64": (5, 0, 64),
            "f16": (6, 0, 16), "f32": (7, 0, 32), "f32.ftz": (8, 0, 32), "f64": (9, 0, 64), "bf16": (10, 0, 16),
            "tf32": (7, 1, 32), "tf32.ftz": (8, 1, 32), "b4x16": (11, 0, 4), "b4x16_p64": (12, 0, 4), "b6x16_p32": (13, 0, 6)}
SWIZZLES = {"none": 0, "32B": 1, "64B": 2, "128B": 3}
MASK64 = (1 << 64) - 1


class Map:
    """A tiled tensor map; dimension 0 is the contiguous one, strides are bytes of dimensions 1 and up."""

    def __init__(self, element, address, dims, strides, box, element_strides=None, swizzle="none", atomicity=0, l2=2, nan=0,
                 interleave=0):
        self.element, self.address, self.dims, self.strides, self.box = element, address, dims, strides, box
        self.element_strides = element_strides or [1] * len(box)
        self.swizzle, self.atomicity, self.l2, self.nan, self.interleave = swizzle, atomicity, l2, nan, interleave

    def encode(self):
        code, tf32, bits = ELEMENTS[self.element]
        rank = len(self.box)
        span = self.dims[0] * (bits // 8) if bits >= 8 else self.dims[0] * bits // 8
        for extent, stride in zip(self.dims[1:], self.strides):
            span += (extent - 1) * stride
        span &= MASK64
        ninetysix = self.swizzle == "96B"
        word = (2 | (rank - 1) << 4 | code << 7 | self.interleave << 11 | (0 if ninetysix else SWIZZLES[self.swizzle]) << 13 |
                self.nan << 15 | tf32 << 16 | self.l2 << 17 | self.atomicity << 19 | int(span >= 131072) << 21 | ninetysix << 22)
        out = struct.pack("<QI", self.address & (((1 << 53) - 1) << 4), word)
        high = 0
        sixteenths = [s >> 4 for s in self.strides] + [0] * (5 - rank)
        for d in range(4):
            value = sixteenths[d] if d < len(sixteenths) else 0
            out += struct.pack("<I", value & 0xFFFFFFFF)
            high |= (value >> 32 & 15) << (4 * d)
        out += struct.pack("<I", high)
        for d in range(5):
            out += struct.pack("<I", (self.dims[d] - 1) & 0xFFFFFFFF if d < rank else 0)
        steps = sum((s - 1) << (3 * d) for d, s in enumerate(self.element_strides))
        out += struct.pack("<I", steps | (self.box[0] - 1) << 24)
        out += struct.pack("<I", sum((b - 1) << (8 * d) for d, b in enumerate(self.box[1:])))
        return out.ljust(128, b"\0")


def align(value, to):
    return (value + to - 1) // to * to


def layout(sm, sizes, workspace=False, maps=0):
    """Returns block offsets of visible parameters (natural alignment), of the workspace and of the maps, and the
    block's size."""
    bank = BANK[sm]
    at, visible, hidden = bank, [], []
    for size in sizes:
        at = align(at, size)
        visible.append(at - bank)
        at += size
    slot = None
    if workspace:
        at = align(at, 8)
        slot = at - bank
        at += 8
    for _ in range(maps):
        at = align(at, 64)
        hidden.append(at - bank)
        at += 128
    return visible, slot, hidden, at - bank


class Elf:
    def __init__(self, data):
        self.data = data
        assert data[:4] == b"\x7fELF", "no ELF file"
        self.type, self.machine = struct.unpack_from("<HH", data, 16)
        offset, = struct.unpack_from("<Q", data, 40)
        size, count, names = struct.unpack_from("<HHH", data, 58)
        raw = [struct.unpack_from("<IIQQQQIIQQ", data, offset + i * size) for i in range(count)]
        strings = raw[names]
        table = data[strings[4]:strings[4] + strings[5]]
        self.sections = {}
        self.list = []
        for s in raw:
            name = table[s[0]:table.index(b"\0", s[0])].decode()
            body = b"" if s[1] == 8 else data[s[4]:s[4] + s[5]]
            entry = {"name": name, "type": s[1], "flags": s[2], "size": s[5], "link": s[6], "info": s[7], "align": s[8],
                     "data": body}
            self.list.append(entry)
            self.sections[name] = entry

    def attributes(self, section):
        """Yields (code, payload) of an .nv.info section."""
        found, at, data = [], 0, self.sections.get(section, {"data": b""})["data"]
        while at + 4 <= len(data):
            form, code, half = struct.unpack_from("<BBH", data, at)
            at += 4
            payload = struct.pack("<H", half)
            if form == 4:
                payload = data[at:at + half]
                at += half
            found.append((code, payload))
        return found

    def kernel(self, name):
        """Returns the decoded launch attributes of a kernel."""
        info = {"parameters": {}, "languages": [], "hidden_form": False, "codes": set()}
        for code, payload in self.attributes(".nv.info." + name):
            info["codes"].add(code)
            if code == 0x17:
                _, ordinal, offset, size = struct.unpack("<IHHI", payload)
                info["parameters"][ordinal] = (offset, size >> 18)
            elif code == 0x45:
                _, ordinal, offset, size, _, _ = struct.unpack("<IHHHBB", payload)
                info["parameters"][ordinal] = (offset, size)
                info["hidden_form"] = True
            elif code == 0x19:
                info["bytes"], = struct.unpack("<H", payload)
            elif code == 0x0A:
                _, info["bank_offset"], info["bank_size"] = struct.unpack("<IHH", payload)
            elif code == 0x10:
                info["block"] = struct.unpack("<III", payload)
            elif code == 0x3D:
                info["cluster"] = struct.unpack("<III", payload)
            elif code == 0x66:
                info["languages"] = list(struct.unpack("<%dI" % (len(payload) // 4), payload))
        info["blocks_are_clusters"] = 0x5B in info["codes"]
        info["explicit_cluster"] = 0x3E in info["codes"]
        return info

    def note(self, section, owner):
        data, at = self.sections[section]["data"], 0
        while at + 12 <= len(data):
            name, text, _ = struct.unpack_from("<III", data, at)
            start = at + 12 + align(name, 4)
            if data[at + 12:at + 12 + name].rstrip(b"\0").decode() == owner:
                return data[start:start + text]
            at = start + align(text, 4)
        raise KeyError(owner)


class Expected(AssertionError):
    pass


def check(condition, text):
    if not condition:
        raise Expected(text)


class Tools:
    """Paths of the tools, from the arguments of a test: NAME=PATH …"""

    def __init__(self, argv):
        self.paths = dict(word.split("=", 1) for word in argv)
        os.makedirs(self.paths["tmp"], exist_ok=True)
        self.folder = tempfile.mkdtemp(dir=self.paths["tmp"])

    def __getitem__(self, name):
        return self.paths[name]

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, argv, status=0, environment=None):
        env = dict(os.environ, **(environment or {}))
        result = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
        if result.returncode != status:
            raise Expected("%s: exit %d, expected %d\n%s" % (" ".join(argv), result.returncode, status,
                                                           result.stderr.decode(errors="replace")))
        return result.stdout.decode(errors="replace") + result.stderr.decode(errors="replace")

    def passes(self, text, pipeline, name="in.mlir", status=0):
        """Runs lowered IR through passes of the plugins; returns the output's path."""
        source, out = self.path(name), self.path("out." + name)
        with open(source, "w") as f:
            f.write(text)
        plugins = [self.paths[k] for k in ("host", "finalize") if k in self.paths]
        argv = [self["mlir-opt"], source, "-o", out, "--pass-pipeline=builtin.module(%s)" % pipeline]
        for plugin in plugins:
            argv += ["--load-dialect-plugin=" + plugin, "--load-pass-plugin=" + plugin]
        self.messages = self.run(argv, status)
        return out

    def serialize(self, source, name="k.cubin", options=(), environment=None, status=0):
        out = self.path(name)
        self.messages = self.run([self["serialize"], source, "-o", out] + list(options), status, environment)
        return out

    def build(self, text, name="k.cubin", options=(), environment=None,
              pipeline="tileir-emit-host-wrapper{host-triple=x86_64-unknown-linux-gnu}"):
        return self.serialize(self.passes(text, pipeline, name + ".mlir"), name, options, environment)

    def arm_caller(self, cubin):
        """Runs AArch64 code: links the object of the cubin with a caller, in a user-mode emulator."""
        with open(cubin, "rb") as f:
            host = Elf(f.read()).sections[".nv.host"]["data"]
        target = ["--target=aarch64-linux-gnu"]
        with open(self.path("host.o"), "wb") as f:
            f.write(host)
        self.run(["clang"] + target + ["-O1", "-ffreestanding", "-fno-stack-protector", "-fno-builtin", "-c", self["caller"], "-o",
                                       self.path("call.o")])
        self.run(["ld.lld", "-static", self.path("call.o"), self.path("host.o"), "-o", self.path("call")])
        return Caller(["qemu-aarch64", self.path("call")])

    def caller(self, cubin, windows=False):
        return Caller([self["check"], "--call", cubin] + (["windows"] if windows else []))


class Caller:
    """Calls ON_ARGUMENTS_CHANGE of the kernels of a cubin, or of a host object."""

    def __init__(self, argv):
        self.argv, self.lines, self.blocks = argv, [], []

    def add(self, kernel, block, workspace=None):
        self.lines.append("%s %s %s" % (kernel, "-" if workspace is None else "%x" % workspace, block.hex()))

    def run(self):
        done = subprocess.run(self.argv, input=("\n".join(self.lines) + "\n").encode(), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        check(done.returncode == 0, "calls failed with %d: %s" % (done.returncode, done.stderr.decode()))
        answers = []
        self.tables = [line for line in done.stdout.decode().splitlines() if line.startswith("#")]
        for line in done.stdout.decode().splitlines():
            if line.startswith("#"):
                continue
            result, block = line.split() if " " in line.strip() else (line.strip(), "")
            answers.append((int(result), bytes.fromhex(block)))
        check(len(answers) == len(self.lines), "%d answers for %d calls" % (len(answers), len(self.lines)))
        return answers


def kernel(name, types, maps=(), workspace=False, attributes="nvvm.reqntid = array<i32: 128, 1, 1>", facts=None, body=""):
    """Returns the text of a kernel. `maps` are recipes (text of the dictionary's inside)."""
    arguments = []
    for i, t in enumerate(types):
        fact = (facts or {}).get(i, "")
        arguments.append("%%a%d: %s%s" % (i, t, " {%s}" % fact if fact else ""))
    if workspace:
        arguments.append('%w: !llvm.ptr<1> {tileir.hidden = "workspace"}')
    for i, recipe in enumerate(maps):
        arguments.append(
            '%%m%d: !llvm.ptr {tileir.hidden = "tensormap", llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, '
            "nvvm.grid_constant, tileir.tensormap = {%s}}" % (i, recipe))
    return "  llvm.func @%s(%s) attributes {nvvm.kernel, %s} {\n%s    llvm.return\n  }\n" % (
        name, ", ".join(arguments), attributes, body)


def module(kernels, chip="sm_90a", abi="tile"):
    return ('gpu.module @m [#nvvm.target<O = 3, chip = "%s", features = "+ptx90">] attributes {tileir.launch_abi = "%s"} {\n%s}\n'
            % (chip, abi, "".join(kernels)))


def recipe(element, base, extents, strides, box, **more):
    fields = ['element = "%s"' % element, 'base = "%s"' % base,
              "extents = [%s]" % ", ".join('"%s"' % e for e in extents),
              "strides = [%s]" % ", ".join('"%s"' % s for s in strides),
              "box = array<i64: %s>" % ", ".join(map(str, box))]
    for key, value in more.items():
        fields.append("%s = %s" % (key, value if str(value).startswith(("array", "[")) else '"%s"' % value))
    return ", ".join(fields)


SIZES = {"i1": 1, "i8": 1, "i16": 2, "f16": 2, "i32": 4, "f32": 4, "i64": 8, "f64": 8, "!llvm.ptr<1>": 8}


def random_block(size, seed):
    return bytearray(random.Random(seed).getrandbits(8) for _ in range(size))


def main(test):
    """Runs `test(tools)`; the exit status is that of a test."""
    tools = Tools(sys.argv[1:])
    try:
        test(tools)
    except Expected as problem:
        print("FAILED: %s" % problem)
        sys.exit(1)


def data(tools, name):
    with open(os.path.join(tools["data"], "launch", name)) as f:
        return json.load(f)

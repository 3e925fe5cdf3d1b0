# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Micro-tests: a few PTX instructions each, with the answer of the PTX manual's definition."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../../lib"))
import rawcase  # noqa: E402
from rawcase import buffer  # noqa: E402

LETTERS = "abcek"
WIDTH = {"int8": 8, "uint8": 8, "int16": 16, "uint16": 16, "float16": 16, "int32": 32, "uint32": 32, "float32": 32,
         "int64": 64, "uint64": 64, "float64": 64}


class Suite:
    """Tests of one architecture. All tests of a PTX version are entries of one module, which ptxas has to accept."""

    def __init__(self, arch, version="9.0"):
        self.arch, self.version = arch, version
        self.entries, self.cases, self.names = [], [], set()

    def kernel(self, name, params, body, grid, block, args, directives="", module="", **fields):
        """Adds one entry of its own; `params` as PTX declares them."""
        assert name not in self.names, name
        self.names.add(name)
        self.entries.append("%s\n.visible .entry %s(%s) %s {\n%s\nret;\n}\n" % (
            module, name, ", ".join(params), directives, body))
        fields["block"] = list(block)
        self.cases.append((name, list(grid), args, fields))

    def each(self, name, code, inputs, expect, atol=0, rtol=0, mask=None):
        """Adds a test of `code`, which computes %d from %a, %b, %c for every element. Arrays are bits or numbers of the
        registers' width."""
        count = len(expect)
        assert count % 32 == 0 and all(len(x) == count for x in inputs), name
        regs = [(letter, x) for letter, x in zip(LETTERS, inputs)] + [("d", expect)]
        body = [".reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<8>, %t, %n; .reg .b64 %x<8>, %i; .reg .b128 %q<2>;"]
        params = []
        for letter, array in regs:
            body.append(".reg .b%d %%%s; .reg .b64 %%p%s;" % (max(16, WIDTH[array.dtype.name]), letter, letter))
        body.append("mov.u32 %t, %tid.x; mov.u32 %n, %ctaid.x; mad.lo.u32 %t, %n, 32, %t;")
        for letter, array in regs:
            params.append(".param .u64 arg_" + letter)
            body.append("ld.param.u64 %%p%s, [arg_%s]; mul.wide.u32 %%i, %%t, %d; add.u64 %%p%s, %%p%s, %%i;" % (
                letter, letter, WIDTH[array.dtype.name] // 8, letter, letter))
        for letter, array in regs[:-1]:
            body.append("ld.global.b%d %%%s, [%%p%s];" % (WIDTH[array.dtype.name], letter, letter))
        body.append(code)
        body.append("st.global.b%d [%%pd], %%d;" % WIDTH[expect.dtype.name])
        args = [buffer(letter, x) for letter, x in regs[:-1]]
        args.append(buffer("d", None, expect, atol=atol, rtol=rtol, mask=mask))
        self.kernel(name, params, "\n".join(body), [count // 32], [32], args)

    def warp(self, name, code, inputs, expects, block=32, shared=0, **fields):
        """Adds a test of one block; each thread has elements %tid of every input in %a…, and stores %d<k> to output k.
        An array of n rows of the block's size stands for registers %a0…"""
        body = [".reg .pred %p<16>; .reg .b16 %h<16>; .reg .b32 %r<128>, %t, %lane, %s; .reg .b64 %x<32>, %i;"
                ".reg .f32 %f<256>; .reg .f64 %w<16>;"]
        if shared:
            body.append(".shared .align 1024 .b8 smem[%d];" % shared)
            body.append("mov.u32 %s, smem;")
        params, args, loads, stores = [], [], [], []
        for k, (letter, x) in enumerate(list(zip(LETTERS, inputs)) + [("d%d_" % k, e) for k, e in enumerate(expects)]):
            rows = 1 if x.ndim == 1 else x.shape[0]
            bits = WIDTH[x.dtype.name]
            params.append(".param .u64 arg_" + letter)
            body.append(".reg .b%d %%%s<%d>; .reg .b64 %%p%s;" % (max(16, bits), letter, rows, letter))
            loads.append("ld.param.u64 %%p%s, [arg_%s]; mul.wide.u32 %%i, %%t, %d; add.u64 %%p%s, %%p%s, %%i;" % (
                letter, letter, bits // 8, letter, letter))
            for r in range(rows):
                place = "%%%s%d" % (letter, r)
                address = "[%%p%s+%d]" % (letter, r * block * bits // 8)
                if k < len(inputs):
                    loads.append("ld.global.b%d %s, %s;" % (bits, place, address))
                else:
                    stores.append("st.global.b%d %s, %s;" % (bits, address, place))
            args.append(buffer(letter, x) if k < len(inputs) else buffer(letter, None, x, **fields.pop(
                "tolerance%d" % (k - len(inputs)), {})))
        body.append("mov.u32 %t, %tid.x; mov.u32 %lane, %laneid;")
        self.kernel(name, params, "\n".join(body + loads + [code] + stores), [1], [block], args,
                    ".reqntid %d" % block, **fields)

    def text(self):
        return ".version %s\n.target %s\n.address_size 64\n%s" % (self.version, self.arch, "\n".join(self.entries))

    def fits(self, gpu):
        """Returns whether a GPU of architecture `gpu` runs this module."""
        own, its = (int(name.strip("sm_af")) for name in (self.arch, gpu))
        return self.arch == gpu if self.arch[-1] in "af" else own <= its

    def write(self, work, kernel, only=None):
        """Returns paths of the cases, by name."""
        return {name: rawcase.write(work, self.arch + "." + name, kernel, name, grid, args, **fields)
                for name, grid, args, fields in self.cases if not only or only in name}

    def run(self, work, only=None):
        """Returns (tests, failures) in the emulator, each failure as text."""
        ptx, failures = self.assemble(work, self.arch)
        for name, case in self.write(work, os.path.basename(ptx), only).items():
            status, text = rawcase.run(case, "--device=emulated", "--arch=" + self.arch)
            if status:
                failures.append("%s, %s: status %d\n%s" % (self.arch, name, status, text[:1500]))
        return len(self.cases), failures

    def run_on(self, gpu, work, only=None):
        """Runs on a GPU of architecture `gpu`: many in one process, until one corrupts the GPU's context."""
        if not self.fits(gpu):
            print("left out: %s is not for %s" % (self.arch, gpu))
            return 0, []
        cubin = os.path.join(work, self.arch + "." + gpu + ".cubin")
        _, failures = self.assemble(work, gpu, cubin)
        if failures:
            return len(self.cases), failures
        cases = self.write(work, os.path.basename(cubin), only)
        names, left = {case: name for name, case in cases.items()}, list(cases.values())
        while left:
            status, text = rawcase.run(left[0], *left[1:], "--device=cuda")
            count, said = 0, []
            for line in text.splitlines():
                case, _, verdict = line.rpartition(": ")
                if case not in names:
                    said.append(line)
                    continue
                count += 1
                if verdict != "ok":
                    failures.append("%s, %s: %s\n%s" % (self.arch, names[case], verdict, "\n".join(said)[:1500]))
                said = []
            # A case alone has no line of its own.
            if not count and (status or len(left) > 1):
                failures.append("%s, %s: status %d\n%s" % (self.arch, names[left[0]], status, text[:1500]))
            left = left[max(count, 1):]
        return len(cases), failures

    def assemble(self, work, arch, cubin=None):
        """Returns (path of the PTX, failures) of ptxas for `arch`."""
        os.makedirs(work, exist_ok=True)
        ptx = os.path.join(work, self.arch + ".ptx")
        with open(ptx, "w") as file:
            file.write(self.text())
        status, text = rawcase.assemble(ptx, arch, cubin)
        return ptx, ["ptxas, %s: %s" % (self.arch, text[:3000])] if status else []


def bits_of(values, dtype):
    return np.array([int(v) % 2 ** (8 * np.dtype(dtype).itemsize) for v in values], dtype)


def sample(bits, count, seed, edges=()):
    """Returns `count` numbers of `bits`, a quarter of them edge values."""
    random = np.random.default_rng(seed)
    edges = list(edges) or [0, 1, 2, 2 ** bits - 1, 2 ** (bits - 1), 2 ** (bits - 1) - 1, bits - 1, bits, bits + 1]
    out = [int.from_bytes(random.bytes(8), "little") % 2 ** bits for _ in range(count)]
    for k in range(0, count, 4):
        out[k] = edges[int(random.integers(len(edges)))]
    return out

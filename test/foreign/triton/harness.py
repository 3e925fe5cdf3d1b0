# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns a Triton kernel and its arguments into PTX and a case of tileir-run, without a GPU."""
import dataclasses
import os
import re
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../lib"))
import rawcase  # noqa: E402
from numbers_of import Bits, bits, triton_name  # noqa: E402

# Name of a target, and Triton's name of it.
GPUS = {"sm_80": 80, "sm_86": 86, "sm_89": 89, "sm_90a": 90, "sm_100a": 100, "sm_103a": 103, "sm_120a": 120}


@dataclasses.dataclass
class Buffer:
    """A buffer: its contents (None: unwritten) and its expected contents afterwards."""
    init: Bits = None
    expect: Bits = None
    atol: float = 0
    rtol: float = 0
    fields: dict = dataclasses.field(default_factory=dict)

    @property
    def array(self):
        return self.expect if self.init is None else self.init


def put(init, **fields):
    return Buffer(bits(init), fields=fields)


def out(expect, atol=0.0, rtol=0.0, init=None, **fields):
    return Buffer(None if init is None else bits(init), bits(expect), atol, rtol, fields)


@dataclasses.dataclass
class Descriptor:
    """A tensor descriptor that the host creates, of a block of the buffer."""
    buffer: Buffer
    block: tuple


@dataclasses.dataclass
class Case:
    name: str
    kernel: object
    args: dict
    grid: list
    constants: dict = dataclasses.field(default_factory=dict)
    options: dict = dataclasses.field(default_factory=dict)
    gpus: object = None  # whether a target takes it
    fields: dict = dataclasses.field(default_factory=dict)
    plain: tuple = ()  # arguments without the hints that the launcher finds at run time


def _signature(case):
    signature, constants, attributes = {}, dict(case.constants), {}
    for name, arg in case.args.items():
        at = (len(signature),)
        if isinstance(arg, Buffer):
            signature[name] = "*" + triton_name(arg.array.kind)
            if name not in case.plain:
                attributes[at] = [["tt.divisibility", 16]]
        elif isinstance(arg, Descriptor):
            signature[name] = "tensordesc<%s[%s]>" % (triton_name(arg.buffer.array.kind), ",".join(map(str, arg.block)))
        elif isinstance(arg, float):
            signature[name] = "fp32"
        elif arg == 1 and name not in case.plain:
            signature[name], constants[name] = "constexpr", 1
        else:
            signature[name] = "i32" if -2**31 <= arg < 2**31 else "i64"
            if arg % 16 == 0 and name not in case.plain:
                attributes[at] = [["tt.divisibility", 16]]
    for name in case.constants:
        signature[name] = "constexpr"
    return signature, constants, attributes


def compile_case(case, gpu):
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    signature, constants, attributes = _signature(case)
    source = ASTSource(fn=case.kernel, signature=signature, constexprs=constants, attrs=attributes)
    return triton.compile(source, target=GPUTarget("cuda", GPUS[gpu], 32), options=case.options)


def _buffer(name, spec):
    a = spec.array
    return rawcase.buffer(name, None if spec.init is None else spec.init.bits,
                          None if spec.expect is None else spec.expect.bits, dtype="u8" if a.kind == "i1" else a.kind,
                          atol=spec.atol, rtol=spec.rtol, **spec.fields)


_MAP_TYPES = {"f16": "FLOAT16", "bf16": "BFLOAT16", "f32": "FLOAT32", "i32": "INT32", "i8": "UINT8", "u8": "UINT8",
              "f8E4M3FN": "UINT8", "f8E5M2": "UINT8", "i16": "UINT16"}


def _extents(name, spec, kind):
    shape = spec.buffer.array.bits.shape
    for i, extent in enumerate(shape):
        yield rawcase.scalar("%s_shape%d" % (name, i), kind, extent)
    for i in range(len(shape)):
        yield rawcase.scalar("%s_stride%d" % (name, i), "i64", int(np.prod(shape[i + 1:])))


def _descriptor(name, spec, meta):
    """Returns the parameters of Triton's launcher: the map, the shape, the strides. `meta` is the compiler's metadata
    of the map."""
    shape, size = list(spec.buffer.array.bits.shape), spec.buffer.array.bits.dtype.itemsize
    strides = [int(np.prod(shape[i + 1:])) for i in range(len(shape))]
    swizzle = {0: "none", 1: "32B", 2: "64B", 3: "128B"}[meta["swizzle"]]
    yield rawcase.tensor_map(name, name + "_memory", _MAP_TYPES[spec.buffer.array.kind], shape[::-1],
                             [s * size for s in strides[:-1]][::-1], meta["block_size"][::-1], swizzle=swizzle,
                             l2_promotion="256B")
    yield from _extents(name, spec, "i32")


def write_case(folder, case, made, gpu):
    """Writes PTX and case; returns the path of the case and the target of the PTX."""
    meta, text = made.metadata, made.asm["ptx"]
    label = "%s.%s" % (case.name, gpu)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, label + ".ptx"), "w") as file:
        file.write(text)
    target = re.search(r"^\.target (\w+)", text, re.M).group(1)
    args, buffers = [], []
    descriptors = iter(meta.tensordesc_meta or [])
    for name, arg in case.args.items():
        if isinstance(arg, Buffer):
            args.append(_buffer(name, arg))
        elif isinstance(arg, Descriptor):
            told = next(descriptors, None)
            if told is None:  # below sm_90 a descriptor is a pointer, its shape and its strides
                args.append(_buffer(name, arg.buffer))
                args += _extents(name + "_wide", arg, "i64")
                args += [rawcase.scalar("%s_%s" % (name, word), "i8", 0) for word in ("nan", "tf32")]
                args += _extents(name, arg, "i32")
            else:
                args += _descriptor(name, arg, told)
                buffers.append(_buffer(name + "_memory", arg.buffer))
        elif isinstance(arg, float):
            args.append(rawcase.scalar(name, "f32", arg))
        elif arg != 1 or name in case.plain:
            args.append(rawcase.scalar(name, "i32" if -2**31 <= arg < 2**31 else "i64", arg))
    # Two more pointers: global scratch, one area per block, and the profiler's.
    blocks = int(np.prod(case.grid)) * getattr(meta, "num_ctas", 1)
    for scratch, size in (("global_scratch", meta.global_scratch_size), ("profile_scratch", meta.profile_scratch_size)):
        args.append({"name": scratch, "dtype": "u8", "shape": [max(1, size * blocks)], "align": 128})
    fields = dict(case.fields)
    for table, entries in fields.pop("pointers", {}).items():
        # A buffer of addresses of further buffers.
        buffers += [_buffer(*entry) for entry in entries]
        next(a for a in args if a["name"] == table)["relocations"] = [
            {"offset": 8 * i, "buffer": entry[0], "addend": 0} for i, entry in enumerate(entries)]
    if buffers:
        fields["buffers"] = buffers + fields.get("buffers", [])
    if getattr(meta, "num_ctas", 1) > 1:
        fields["cluster"] = [meta.num_ctas, 1, 1]
        case = dataclasses.replace(case, grid=[case.grid[0] * meta.num_ctas, *case.grid[1:]])
    path = rawcase.write(folder, label, label + ".ptx", meta.name, case.grid, args, block=[32 * meta.num_warps],
                         shared_bytes=meta.shared, **fields)
    return path, target

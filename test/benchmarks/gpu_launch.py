# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a launch of a bundle (gpu_bundle.py) to the bytes of each parameter: buffers, scalars, tensor maps, hidden parameters.

Hidden parameters of our kernels follow from the sidecar (docs/design/launch.md), those of the closed compiler's from the host function of
its own cubin, which is called here. `place(buffer)` is the address of a buffer, `encode(map)` the 128 bytes of a tensor map.
"""

import ctypes
import os
import struct
import sys

import gpu_device

# In a bundle it is in the same folder.
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import sidecar  # noqa: E402

FORMATS = {"i8": "<b", "u8": "<B", "i32": "<i", "u32": "<I", "i64": "<q", "u64": "<Q", "f32": "<f"}


class LaunchError(Exception):
    """A launch does not match its kernel."""


def values_of(recipe, kernel, block):
    """Evaluates the `values` of a sidecar's map over the parameter block."""
    def argument(number):
        parameter = kernel["parameters"][number]
        return int.from_bytes(block[parameter["offset"]:parameter["offset"] + parameter["size"]], "little")

    try:
        return sidecar.evaluate(recipe["values"], argument)
    except ValueError as why:
        raise LaunchError(str(why)) from None


def sidecar_maps(kernel, block):
    """Returns [(offset in the block, tensor map)] of a kernel of the sidecar; a map in the format of `encode`."""
    found = []
    for recipe in kernel["maps"]:
        values = values_of(recipe, kernel, block)
        made = {"address": values[recipe["address"]], "dtype": recipe["data_type"], "dims": [values[n] for n in recipe["extents"]],
                "strides": [values[n] for n in recipe["strides"]]}
        made.update({k: recipe[k] for k in ("box", "element_strides", "interleave", "swizzle", "l2_promotion", "oob_fill")})
        found.append((recipe["offset"], made))
    return found


class HostObject:
    """The host object of a tile cubin, linked as a shared library (spec: launch ABI, ON_PRE_LOAD and ON_ARGUMENTS_CHANGE)."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        get_attribute = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_int32, ctypes.POINTER(ctypes.c_int32))
        self.callback = get_attribute(lambda device, attribute, value: 0)
        callbacks = (ctypes.c_void_p * 16)()
        callbacks[6] = ctypes.cast(self.callback, ctypes.c_void_p)
        table = ctypes.POINTER(ctypes.c_uint64)()
        result = self.library.__getattr__("__CUDA_TILEIR_ON_PRE_LOAD")(callbacks, None, ctypes.c_int32(2), ctypes.byref(table))
        if result or not table:
            raise LaunchError(f"ON_PRE_LOAD of {path} returned {result}")
        self.workspace = table[2]
        size, entries, count = table[4], table[5], table[6]
        self.functions = {}
        change = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)
        for at in range(entries, entries + size * count, size):
            words = ctypes.cast(at, ctypes.POINTER(ctypes.c_uint64))
            name = ctypes.cast(words[0], ctypes.c_char_p).value.decode()
            self.functions[name] = change(words[5])

    def fill(self, entry, block):
        """Returns the block with its hidden parameters."""
        if self.workspace or entry not in self.functions:
            raise LaunchError(f"the host object wants a workspace or does not name '{entry}'")
        filled = ctypes.create_string_buffer(bytes(block), len(block))
        result = self.functions[entry](None, None, None, filled)
        if result:
            raise LaunchError(f"ON_ARGUMENTS_CHANGE of '{entry}' returned {result}")
        return filled.raw


def argument(arg, place, encode):
    """Returns the bytes of one argument of a launch."""
    if "buffer" in arg:
        return struct.pack("<Q", place(arg["buffer"]))
    if "map" in arg:
        return encode({**arg["map"], "address": place(arg["map"]["base"])})
    return struct.pack(FORMATS[arg["dtype"]], arg["value"])


def parameters(program, args, place, encode, host=None, workspace=None):
    """Returns the bytes of every parameter of `program` in order. `host` is the HostObject of a program that has one;
    `workspace(bytes)` allocates for every SM."""
    given = [argument(a, place, encode) for a in args]
    layout = program["parameters"]
    for n, (bytes_of, (_, size)) in enumerate(zip(given, layout)):
        if len(bytes_of) != size:
            raise LaunchError(f"argument {n} of {program['entry']} has {len(bytes_of)} bytes, the kernel wants {size}")
    block = bytearray(program["block_bytes"])
    for bytes_of, (offset, size) in zip(given, layout):
        block[offset:offset + size] = bytes_of
    if program.get("host"):
        block = bytearray(host.fill(program["entry"], block))
    elif program.get("sidecar"):
        kernel = program["sidecar"]
        visible = sum(p["kind"] == "visible" for p in kernel["parameters"])
        if visible != len(given):
            raise LaunchError(f"{program['entry']} has {visible} visible parameters, {len(given)} are given")
        for parameter in kernel["parameters"]:
            if parameter["kind"] == "workspace":
                address = struct.pack("<Q", workspace(kernel["workspace_bytes_per_sm"]))
                block[parameter["offset"]:parameter["offset"] + 8] = address
        for offset, made in sidecar_maps(kernel, block):
            block[offset:offset + 128] = encode(made)
    elif len(given) != len(layout):
        raise LaunchError(f"{program['entry']} has {len(layout)} parameters, {len(given)} are given")
    return [bytes(block[offset:offset + size]) for offset, size in layout]


def prepare(device, folder, bundle, problem, launch, buffers, hosts, scratch):
    """Prepares a launch of the bundle for `device`. `buffers` are addresses by name; `scratch(bytes)` allocates zeroed
    memory; `hosts` caches loaded host objects."""
    program = bundle["programs"][launch["program"]]
    key = launch["program"]
    if key not in hosts:
        host = HostObject(os.path.abspath(os.path.join(folder, program["host"]))) if program.get("host") else None
        hosts[key] = device.load(os.path.join(folder, program["cubin"]), program["entry"], program["shared"]), host
    function, host = hosts[key]
    args = [{"dtype": "u64", "value": scratch(a["scratch"])} if "scratch" in a else a for a in launch["args"]]
    values = parameters(program, args, buffers.get, device.encode, host, lambda size: scratch(size * device.sms))
    grid = [g * c for g, c in zip(launch["grid"], program["cluster"])]
    return gpu_device.Prepared(function, grid, program["block"], program["shared"], values)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of raw PTX for tileir-run: writes the case file with its .npy files, and runs it."""
import json
import os
import subprocess
import tempfile

import numpy as np

DTYPES = {"int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16",
          "uint32": "u32", "uint64": "u64", "float16": "f16", "float32": "f32", "float64": "f64"}


def scalar(name, dtype, value):
    return {"name": name, "dtype": dtype, "value": value}


def buffer(name, init, expect=None, dtype=None, atol=0, rtol=0, mask=None, **fields):
    """Returns a buffer initialized with the array `init`, or with poison of the shape and type of `expect` if that is
    None."""
    array = expect if init is None else init
    entry = {"name": name, "dtype": dtype or DTYPES[array.dtype.name], "shape": list(array.shape)}
    entry["_init"] = init
    if expect is not None:
        entry.update({"output": True, "_expect": expect, "_mask": mask})
        if atol or rtol:
            entry.update({"atol": float(atol), "rtol": float(rtol)})
    entry.update(fields)
    return entry


def struct(name, size, align, fields):
    return {"name": name, "bytes": size, "align": align, "fields": fields}


def tensor_map(name, buffer_name, dtype, dims, strides, box, **fields):
    """Returns a tensor map: dimensions innermost first, strides in bytes; further fields as in the case file."""
    spec = {"base": {"buffer": buffer_name, "offset": 0}, "mode": "tiled", "dtype": dtype, "dims": list(dims),
            "strides": list(strides), "box": list(box)}
    spec.update(fields)
    return {"name": name, "tensor_map": spec}


def write(folder, name, kernel, entry, grid, args, **fields):
    """Writes NAME.json and its arrays; returns the path of the case."""
    os.makedirs(folder, exist_ok=True)
    case = {"kernel": kernel, "entry": entry, "grid": list(grid), "args": []}

    def finish(spec):
        spec = dict(spec)
        init, expect, mask = spec.pop("_init", None), spec.pop("_expect", None), spec.pop("_mask", None)
        if "shape" in spec:
            spec["init"] = "poison"
        label = "%s.%s" % (name, spec.get("name", spec.get("symbol")))
        for array, key, tail in ((init, "init", "in"), (expect, "expect", "out"), (mask, "expect_mask", "mask")):
            if array is not None:
                np.save(os.path.join(folder, "%s.%s.npy" % (label, tail)), np.ascontiguousarray(array))
                spec[key] = ("@" if key == "init" else "") + "%s.%s.npy" % (label, tail)
        return spec

    case["args"] = [finish(a) for a in args]
    for key, value in fields.items():
        case[key] = [finish(b) for b in value] if key in ("buffers", "globals") else value
    path = os.path.join(folder, name + ".json")
    with open(path, "w") as file:
        json.dump(case, file, indent=1)
    return path


def runfile(path):
    """Returns the path of a file of this repository, in the runfiles of a test or below the checkout."""
    root = os.path.join(os.environ.get("TEST_SRCDIR", ""), os.environ.get("TEST_WORKSPACE", ""))
    if os.environ.get("TEST_SRCDIR"):
        return os.path.join(root, path)
    here = os.path.dirname(os.path.realpath(__file__))
    return os.path.join(here, "../..", path)


def tileir_run():
    """Returns the program under test: TILEIR_RUN, or the one built with the test."""
    for path in (os.environ.get("TILEIR_RUN"), runfile("tools/tileir-run/tileir-run"),
                 runfile("bazel-bin/tools/tileir-run/tileir-run")):
        if path and os.access(path, os.X_OK):
            return path
    raise SystemExit("error: no tileir-run; build it or set TILEIR_RUN")


def run(case, *options, timeout=600):
    """Returns status and text of one run."""
    done = subprocess.run([tileir_run(), case, *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=timeout)
    return done.returncode, done.stdout.decode(errors="replace")


def assemble(ptx, arch, output=None):
    """Returns status and text of the ptxas of TILEIR_PTXAS_PATH. Without an `output` the code is linked with nothing,
    and dropped."""
    ptxas = os.environ.get("TILEIR_PTXAS_PATH")
    if not ptxas:
        raise SystemExit("error: TILEIR_PTXAS_PATH names no ptxas; run tools/setup/setup.sh")
    with tempfile.NamedTemporaryFile(suffix=".cubin") as cubin:
        # -c: the linker would resolve functions of the device runtime.
        where = ["-o", output] if output else ["-c", "-o", cubin.name]
        done = subprocess.run([ptxas, "-arch=" + arch, *where, ptx], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode(errors="replace")

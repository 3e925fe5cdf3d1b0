#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the memory sectors that the row kernels of test/data/perf/kernels request and need: sectors.py GPU [KERNEL...]

Each runs twice in the emulator: on whole arrays, and on arrays with a row pitch 16 bytes beyond the row length that end
16 elements early, as far as kernels guarantee: every other row begins in the middle of a sector. Bars: 1.0 and 1.1
sectors for each sector that the bytes of a request fill; no access to shared memory takes more passes than its bytes
need.
"""

import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.environ.get("TEST_SRCDIR", "."), os.environ.get("TEST_WORKSPACE", ""))
sys.path.insert(0, os.path.join(ROOT, "test/benchmarks"))
import launches  # noqa: E402  (its folder is a fact of the run)

KERNELS = (
    "add_bf16_1024 add_bf16_4096 add_f32_1024 add_f32_4096 axpy_masked_f32_1024 cross_entropy_bf16_32768 gelu_bf16_1024 layernorm_bf16_1024 "
    "rmsnorm_bf16_4096 rmsnorm_bf16_8192 rope_bf16_64 row_sum_f32_4096 silu_gate_bf16_4096 softmax_bf16_1024 softmax_bf16_16384 softmax_bf16_4096 "
    "softmax_f32_4096 softmax_online_bf16_4096 transpose_bf16_64x64 transpose_f32_128x64"
).split()
# Cases of test/kernels that rearrange tiles in shared memory; with elements of any alignment their rows may be cut
# anywhere.
EXCHANGES = ["transpose2d_f16", "transpose2d_f32", "transpose2d_i8"]
STEP_BYTES, SHORTER = 16, 16
# Their tiles end with the array. Rows of the bf16 tile have 128 bytes: at an offset of 16 bytes they take 5 sectors for
# 4 with any access, and every other row has this offset.
ODD_BARS = {"rope_bf16_64": 1.1, "transpose_bf16_64x64": 1.125, "transpose_f32_128x64": 1.1}


def shifted(args, shorter):
    """Returns the arguments with a larger row pitch, and `shorter` elements less."""
    sizes = {"bf16": 2, "f16": 2, "f32": 4, "i32": 4}
    made, strides, extents = [], {}, {}
    for arg in args:
        shape = arg.get("shape")
        if shape:
            name, length = arg["name"], shape[-1]
            if len(shape) > 1:
                arg = {**arg, "shape": shape[:-1] + [length + STEP_BYTES // sizes[arg["dtype"]]]}
                for n in range(len(shape) - 1):
                    strides[f"{name}_stride{n}"] = arg["shape"][-1]
            if length > shorter:
                extents[f"{name}_shape{len(shape) - 1}"] = length - shorter
        else:
            arg = {**arg, "value": strides.get(arg["name"], extents.get(arg["name"], arg["value"]))}
        made.append(arg)
    return made


def count(case, gpu):
    """Returns the statistics of a run."""
    compiler = os.path.join(ROOT, "tools/tileiras/tileiras")
    argv = [os.path.join(ROOT, "tools/tileir-run/tileir-run"), case, "--device=emulated", "--stats=json", "--arch=" + gpu, "--compiler=" + compiler]
    done = subprocess.run(argv, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"FAILED: {case} {gpu}: {done.stderr[:2000]}")
    return json.JSONDecoder().raw_decode(done.stdout[done.stdout.index('{"warp_instructions"'):])[0]


def runs(kernel, folder):
    """Returns (form, case, bar of its sectors) of each run of a kernel."""
    if kernel in EXCHANGES:
        path = os.path.realpath(os.path.join(ROOT, f"test/data/tileirbc/{kernel}.tileirbc"))
        yield "case", launches.write(path, folder, os.path.join(ROOT, "test/kernels")), None
        return
    args, grid = launches.launch(kernel)
    early = 0 if kernel in ODD_BARS else SHORTER
    for form, given, bar in (("whole", args, 1.0), ("odd", shifted(args, early), ODD_BARS.get(kernel, 1.1))):
        case = os.path.join(folder, f"{form}.json")
        with open(case, "w") as out:
            path = os.path.realpath(os.path.join(ROOT, f"test/data/perf/kernels/{kernel}.tileirbc"))
            json.dump({"kernel": path, "entry": kernel, "grid": (grid + [1, 1])[:3], "args": given}, out)
        yield form, case, bar


def main(gpu, kernels):
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for kernel in kernels:
            for form, case, bar in runs(kernel, folder):
                stats = count(case, gpu)
                ratio = stats["global_sectors"] / stats["global_sectors_ideal"]
                conflicts, passes = stats["shared_bank_conflicts"], stats["shared_passes"]
                wrong = (bar and ratio > bar) or conflicts or (kernel in EXCHANGES and not passes)
                faults += bool(wrong)
                print(f"{'FAILED' if wrong else 'ok'}: {kernel} {gpu} {form}: {ratio:.3f} sectors for each needed, bar {bar}; "
                      f"{conflicts} conflicts in {passes} passes")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:] or KERNELS + EXCHANGES)

#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the timing model on PTX of Triton: a wgmma matmul at its rate, slower when it waits for everything, and a copy.

    timing.py [--keep=DIR]

TILEIR_PEER_TRITON is the folder that holds the package (set-up with --peers installs it).
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, here)
sys.dont_write_bytecode = True


def timed(harness, path):
    out = subprocess.run([harness.rawcase.tileir_run(), path, "--timing=json", "--arch=sm_90a"], capture_output=True, text=True)
    if out.returncode:
        raise SystemExit("%s: status %d\n%s" % (path, out.returncode, out.stderr[:2000]))
    return json.loads(out.stdout)


def main():
    options = dict(w[2:].split("=", 1) for w in sys.argv[1:] if w.startswith("--"))
    package = os.environ.get("TILEIR_PEER_TRITON", "")
    if not os.path.isdir(os.path.join(package, "triton")):
        print("SKIPPED: no Triton; run tools/setup/setup.sh --peers")
        return 0
    work = options.get("keep") or tempfile.mkdtemp()
    os.environ["TRITON_CACHE_DIR"] = os.path.join(work, "cache")
    sys.path.insert(0, package)
    import numpy as np

    import gemm
    import harness
    from numbers_of import Bits

    m, n, k = 128, 256, 1536
    zeros = lambda *shape: Bits(np.zeros(shape, np.float16), "f16")
    case = harness.Case(
        "wgmma", gemm.matmul,
        {"a": harness.Buffer(zeros(m, k)), "b": harness.Buffer(zeros(k, n)), "c": harness.Buffer(None, zeros(m, n)),
         "M": m, "N": n, "K": k, "am": k, "ak": 1, "bk": n, "bn": 1, "cm": n, "cn": 1},
        [1], {"BM": 128, "BN": 256, "BK": 64, "GROUP": 8, "PRECISION": "tf32", "ACC": gemm.tl.float32},
        {"num_warps": 8, "num_stages": 4})
    case.args = {name: arg for name, arg in case.args.items() if name in gemm.matmul.arg_names}
    made = harness.compile_case(case, "sm_90a")
    path, _ = harness.write_case(work, case, made, "sm_90a")
    deep = timed(harness, path)
    ptx = path[:-5] + ".ptx"
    with open(ptx) as file:
        text = file.read()
    flat = re.sub(r"(wgmma\.wait_group\.sync\.aligned\s+)[1-9]", r"\g<1>0", text)
    flat = re.sub(r"(cp\.async\.wait_group\s+)(0x)?[1-9]", r"\g<1>0", flat)
    assert flat != text, "nothing is left in flight"
    with open(ptx, "w") as file:
        file.write(flat)
    slow = timed(harness, path)
    print("wgmma product: %.3f of the peak; waiting for everything: %.3f" % (deep["util"]["tensor"], slow["util"]["tensor"]))
    cycles = 128 * 256 * 64 / 2048
    share = cycles / deep["cycles_per_trip"]
    print("a trip: %g cycles of %g" % (deep["cycles_per_trip"], cycles))
    failures = (share < 0.8) + (slow["cycles_per_trip"] < 1.1 * deep["cycles_per_trip"])
    if "keep" not in options:
        shutil.rmtree(work)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""refused.py FOLDER TILEIRAS: checks that the exceptions of unmodified cuTile Python contain the message of `tileiras`
on a rejected kernel, for every kind of rejection that a kernel or a machine can cause."""
import os
import re
import sys

folder, tileiras = sys.argv[1:]
os.makedirs(f"{folder}/bin")
# The wrapper keeps the message of a failing call: the package then calls the compiler again for its version.
with open(f"{folder}/bin/tileiras", "w") as f:
    f.write(f'#!/bin/sh\n"{tileiras}" "$@" 2> "{folder}/now"\ncode=$?\n'
            f'[ $code = 0 ] || cp "{folder}/now" "{folder}/said"\ncat "{folder}/now" >&2\nexit $code\n')
os.chmod(f"{folder}/bin/tileiras", 0o755)
os.environ["PATH"] = f"{folder}/bin:" + os.environ["PATH"]
os.environ["CUDA_TILE_TEMP_DIR"] = f"{folder}/tmp"
os.environ["CUDA_TILE_CACHE_DIR"] = f"{folder}/cache"
sys.path.insert(1, os.environ["TILEIR_PEER_CUTILE"])

import cuda.tile as ct  # noqa: E402
from cuda.tile.compilation import export_kernel  # noqa: E402

from kernels import array, compiled_for  # noqa: E402

KERNELS = {}


# Not even one step of K fits.
@compiled_for([array(ct.float32, 2), array(ct.float32, 2), 65536], cases=KERNELS)
@ct.kernel
def large(x, out, n: ct.Constant[int]):
    rows, column = ct.load(x, (0, 0), (n, 2)), ct.load(x, (0, 0), (2, 1))
    ct.store(out, (0, 0), ct.mma(rows, column, ct.zeros((n, 1), ct.float32)))


@compiled_for([array(ct.float32), array(ct.float32), 128], cases=KERNELS)
@ct.kernel
def small(x, out, n: ct.Constant[int]):
    ct.store(out, (0,), ct.load(x, (0,), (n,)) + 1.0)


@compiled_for([array(ct.float64), array(ct.float64), 128], cases=KERNELS)
@ct.kernel
def sine(x, out, n: ct.Constant[int]):
    ct.store(out, (0,), ct.sin(ct.load(x, (0,), (n,))))


def program(text):
    path = f"{folder}/ptxas"
    with open(path, "w") as f:
        f.write("#!/bin/sh\n[ \"$1\" = --version ] && { echo V13.5.1; exit 0; }\n" + text + "\n")
    os.chmod(path, 0o755)
    return {"TILEIR_PTXAS_PATH": path}


def report(what, name, expected, environment):
    """Checks one exception. `expected`: expressions that must match its text."""
    before = dict(os.environ)
    os.environ.update(environment)
    kernel, signatures = KERNELS[name]
    try:
        export_kernel(kernel, signatures, f"{folder}/{name}.cubin", gpu_code="sm_120", output_format="cubin")
        sys.exit(f"{what}: compiled")
    except Exception as error:
        text = str(error)
    os.environ.clear()
    os.environ.update(before)
    with open(f"{folder}/said") as f:
        said = f.read().splitlines()
    # The package strips the leading word, and nothing else.
    lost = [line for line in said if re.sub(r"^error: ", "", line) not in text]
    lost += [pattern for pattern in expected if not re.search(pattern, text, re.M)]
    if lost or not said:
        sys.exit(f"{what}: {lost} of {said} not in {text}")
    print(f"{what}: shown", flush=True)


report("too much shared memory", "large",
       [r"refused\.py:\d+:\d+: error: ", r"refused\.py:\d+:\d+: note: \d+ bytes for this operation",
        r"uses too much shared data \(0x[0-9a-f]+ bytes, 0x18c00 max\)", "failed to compile Tile IR program"], {})
report("text of ptxas", "small", ["^ptxas fatal   : because of this$", r"ptxas is '.*/ptxas', release 13\.5"],
       program("printf 'ptxas fatal   : because of this\\nptxas error   : and \"that\"\\n' >&2; exit 255"))
report("ptxas that hangs", "small", ["ptxas: Child timed out"], dict(program("sleep 60"), TILEIR_TOOL_TIMEOUT="0.3"))
report("no ptxas", "small", ["exit status 127: '.*/absent' does not exist"], {"TILEIR_PTXAS_PATH": f"{folder}/absent"})
report("wrong toolkit root", "sine", [r"libdevice\.10\.bc not found", "CUDA_ROOT is set"], {"CUDA_ROOT": f"{folder}/absent"})

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A cuTile kernel, compiled by the wheel after tileir.use() and run in the emulator on four GPUs, in an environment with the
wheel and cuTile."""
import os

import cuda.tile as ct
import numpy as np
from cuda.tile.compilation import ArrayConstraint, CallingConvention, KernelSignature, export_kernel

import tileir


@ct.kernel
def add(a, b, c):
    i = ct.bid(0)
    ct.store(c, (i,), ct.load(a, (i,), (128,)) + ct.load(b, (i,), (128,)))


tileir.use()
compiler = tileir.which()
assert compiler.ours and compiler.path == tileir.program("tileiras"), compiler
os.chdir("/tmp")
array = ArrayConstraint(ct.float32, 1, index_dtype=ct.int32, stride_lower_bound_incl=0, alias_groups=(), may_alias_internally=False)
signature = KernelSignature([array] * 3, CallingConvention.cutile_python_v1(), symbol="add")
export_kernel(add, [signature], "add.cubin", gpu_code="sm_90", output_format="cubin")
with open("add.cubin", "rb") as file:
    assert file.read(4) == b"\x7fELF"
print(f"cuTile {ct.__version__} compiled by {compiler}")

x, y = np.random.default_rng(1).random((2, 300), np.float32)
for gpu in tileir.GPUS:
    out = tileir.empty(300)
    tileir.launch((3,), add, (x, y, out), gpu)
    assert np.array_equal(out, x + y), gpu
print("right on", *tileir.GPUS)

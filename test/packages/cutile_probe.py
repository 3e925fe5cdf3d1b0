# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cutile_probe.py CLOSED: prints which compiler is used before and after tileir.use(), if the closed compiler is
installed as CLOSED."""
import os
import sys

import cuda.tile as ct
from cuda.tile.compilation import ArrayConstraint, CallingConvention, KernelSignature, export_kernel

import tileir


@ct.kernel
def add(a, b, c):
    i = ct.bid(0)
    ct.store(c, (i,), ct.load(a, (i,), (128,)) + ct.load(b, (i,), (128,)))


def compile_it():
    array = ArrayConstraint(ct.float32, 1, index_dtype=ct.int32, stride_lower_bound_incl=0, alias_groups=(), may_alias_internally=False)
    signature = KernelSignature([array] * 3, CallingConvention.cutile_python_v1(), symbol="add")
    export_kernel(add, [signature], "add.cubin", gpu_code="sm_90", output_format="cubin")
    with open("add.cubin", "rb") as file:
        return file.read()


compiler = tileir.which()
print(ct.__version__, compiler)
if os.environ.get("TILEIR_USE") == "1":
    assert compiler.ours and compiler.path == tileir.program("tileiras"), compiler
    sys.exit()
assert not compiler.ours and os.path.samefile(compiler.path, sys.argv[1]), compiler
theirs = compile_it()
tileir.use()
tileir.use()
assert tileir.which().ours, tileir.which()
ours = compile_it()
assert ours[:4] == b"\x7fELF" and ours != theirs, "the same compiler made both"

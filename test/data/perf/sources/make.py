#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make.py [--check] [NAME...]: writes ../kernels/NAME.tileirbc of the kernels that KERNELS lists, or of NAMEs, by cuTile
Python 1.7, TILEIR_PEER_CUTILE.

The parameters have the properties that the front end derives from dense arrays of a launch: they do not overlap, and
extents that are multiples of 16 and strides that are multiples of 16 bytes are known to be. A name ends with the hints
that are set: `_nc2` two CTAs, `_occ2` an occupancy of two. The output does not depend on the location of this tree.
"""

import argparse
import linecache
import os
import re
import runpy
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
PLACE = "/tmp/perfset.00000000"  # a folder made by tempfile.mkdtemp has a name as long as this one
BYTES = {"bf16": 2, "f32": 4, "i32": 4, "e4m3": 1, "e8m0": 1}


def dtypes():
    import cuda.tile as ct
    return {"bf16": ct.bfloat16, "f32": ct.float32, "i32": ct.int32, "e4m3": ct.float8_e4m3fn, "e8m0": ct.float8_e8m0fnu}


def array(kind, rank, extents=16, aligned=16):
    """A dense array with multiples of `extents` as extents and of `aligned` bytes as strides."""
    import cuda.tile as ct
    from cuda.tile.compilation import ArrayConstraint

    return ArrayConstraint(
        dtypes()[kind], rank, index_dtype=ct.int32, stride_lower_bound_incl=0, alias_groups=(), may_alias_internally=False,
        stride_constant=[None] * (rank - 1) + [1], shape_divisible_by=extents,
        stride_divisible_by=[max(1, aligned // BYTES[kind])] * (rank - 1) + [1], base_addr_divisible_by=16)


def product(kind, *tile):
    return [array(kind, 2), array(kind, 2), array("f32" if kind == "e4m3" else kind, 2), *tile]


def batched(kind, *tile):
    return [array(kind, 3, (1, 16, 16))] * 3 + [*tile]


def grouped(kind, *tile):
    from cuda.tile.compilation import ListConstraint
    return [ListConstraint(array(kind, 2), alias_groups=(), elements_may_alias=True)] * 3 + [*tile]


def scaled(m, n, k):
    return [array("e4m3", 2), array("e4m3", 2), array("e8m0", 2), array("e8m0", 2), array("bf16", 2), m, n, k, k // 32]


def experts(m, n, k):
    return [array("e4m3", 2), array("e4m3", 3, (1, 16, 16)), array("f32", 2, 1, 4), array("f32", 3, 1, 4), array("i32", 1), array("i32", 1, 1),
            array("bf16", 2), 2, m, n, k]


def attention(kind, d, m, n, causal=True, even=False):
    import cuda.tile as ct
    from cuda.tile.compilation import ScalarConstraint

    extents = (1, 1, 16, 16)
    heads = [array(kind, 4, extents)] * 3 + [array("bf16", 4, extents)]
    return [*heads, ScalarConstraint(ct.float32), m, n, d, causal, even]


def kernels():
    """Yields the name of each kernel, its source and function, and the constraints of its parameters."""
    for name in """
            gemm_bf16_128x128x32_occ2 gemm_bf16_128x64x64_occ2 gemm_bf16_256x256x64_nc2 gemm_bf16_256x256x64_nc4
            gemm_bf16_512x256x64_nc2 gemm_persistent_bf16_256x256x64_nc2 gemm_persistent_bf16_256x256x128_nc2
            gemm_persistent_bf16_128x512x64_nc4 gemm_persistent_bf16_128x128x64_occ1 gemm_persistent_bf16_128x128x64_occ2
            gemm_persistent_bf16_128x128x64_occ3 gemm_persistent_bf16_128x128x64_occ4 bmm_bf16_256x256x64_nc2
            bmm_bf16_128x256x64_nc2 gemm_grouped_bf16_256x256x64_nc2 gemm_grouped_bf16_128x128x64_occ2""".split():
        what, kind, *tile = re.fullmatch(r"(gemm_persistent|gemm_grouped|gemm|bmm)_(\w+?)_(\d+)x(\d+)x(\d+)_.*", name).groups()
        made = {"bmm": batched, "gemm_grouped": grouped}.get(what, product)
        yield name, "matmul.py", what, made(kind, *map(int, tile))
    for name in "gemm_mxf8_128x128x256_occ1 gemm_mxf8_256x256x128_nc2".split():
        yield name, "matmul.py", "gemm_scaled", scaled(*(int(n) for n in re.findall(r"\d+", name.partition("mxf8")[2])[:3]))
    for name in "moe_e4m3_128x128x128_occ1 moe_e4m3_128x128x128_nc2".split():
        yield name, "matmul.py", "moe", experts(*(int(n) for n in re.findall(r"\d+", name.partition("e4m3")[2])[:3]))
    for name in """
            attn_branch_bf16_d128_256x128_occ1 attn_branch_bf16_d128_256x128_occ2 attn_branch_bf16_d128_128x128_occ2
            attn_branch_bf16_d128_256x128_nc2_occ2 attn_branch_bf16_d64_128x128_occ2 attn_branch_bf16_d128_64x64_occ2
            attn_branch_e4m3_d128_128x128_occ1 attn_full_e4m3_d128_128x128_occ1""".split():
        form, kind, *shape = re.fullmatch(r"attn_(\w+?)_(\w+?)_d(\d+)_(\d+)x(\d+)_.*", name).groups()
        yield name, "attention.py", "attention", attention(kind, *map(int, shape), form == "branch", form == "full")


def bytecode(folder, name, source, function, constraints):
    from cuda.tile import kernel
    from cuda.tile.compilation import CallingConvention, KernelSignature, export_kernel

    hints = dict(re.findall(r"_(nc|occ)(\d+)", name))
    options = {option: int(hints[hint]) for hint, option in (("nc", "num_ctas"), ("occ", "occupancy")) if hint in hints}
    made = kernel(runpy.run_path(shutil.copy(os.path.join(HERE, source), folder))[function], **options)
    linecache.clearcache()
    signature = KernelSignature(constraints, CallingConvention.cutile_python_v2(), symbol=name)
    path = os.path.join(folder, "made.tileirbc")
    export_kernel(made, [signature], path, output_format="tileir_bytecode", bytecode_version="13.3")
    with open(path, "rb") as file:
        return file.read().replace(folder.encode(), PLACE.encode())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--check", action="store_true", help="compare bytecode with the files instead")
    arguments = parser.parse_args()
    peer = os.environ.get("TILEIR_PEER_CUTILE", "")
    if arguments.check and not os.path.exists(peer):
        return print("SKIPPED: TILEIR_PEER_CUTILE names no cuTile Python; run tools/setup/setup.sh --peers")
    folder = tempfile.mkdtemp(prefix="perfset.", dir="/tmp")
    assert len(folder) == len(PLACE), folder
    try:
        link = os.path.join(folder, "cutile")  # paths of the library get one length, too
        os.symlink(peer, link)
        sys.path.insert(1, link)
        differ = []
        for name, source, function, constraints in kernels():
            if arguments.names and name not in arguments.names:
                continue
            content = bytecode(folder, name, source, function, constraints)
            path = os.path.join(HERE, "..", "kernels", name + ".tileirbc")
            if not arguments.check:
                with open(path, "wb") as file:
                    file.write(content)
            elif not os.path.exists(path) or open(path, "rb").read() != content:
                differ.append(name)
    finally:
        shutil.rmtree(folder)
    if differ:
        sys.exit("made from their sources, these differ: %s; run test/data/perf/sources/make.py" % ", ".join(differ))


if __name__ == "__main__":
    main()

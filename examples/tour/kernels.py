# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kernels.py NAME FILE: the bytecode of a kernel of docs/start/tour.md, as cuTile Python emits it; NAME is gemm or attention."""
import math
import sys

import cuda.tile as ct
from cuda.tile.compilation import ArrayConstraint, CallingConvention, KernelSignature, export_kernel


@ct.kernel
def gemm(a, b, c):
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((128, 128), ct.float32)
    for k in range(ct.num_tiles(a, axis=1, shape=(128, 64))):
        x = ct.load(a, (i, k), (128, 64), padding_mode=ct.PaddingMode.ZERO)
        y = ct.load(b, (k, j), (64, 128), padding_mode=ct.PaddingMode.ZERO)
        acc = ct.mma(x, y, acc)
    ct.store(c, (i, j), ct.astype(acc, ct.float16))


@ct.kernel
def attention(q, k, v, out):
    i = ct.bid(0)
    query = ct.load(q, (i, 0), (128, 64), padding_mode=ct.PaddingMode.ZERO)
    most = ct.full((128, 1), -math.inf, ct.float32)
    total = ct.zeros((128, 1), ct.float32)
    acc = ct.zeros((128, 64), ct.float32)
    for j in range(ct.num_tiles(k, axis=0, shape=(64, 64))):
        key = ct.load(k, (0, j), (64, 64), order=(1, 0), padding_mode=ct.PaddingMode.ZERO)
        scores = ct.mma(query, key, ct.zeros((128, 64), ct.float32)) * 0.125
        new_most = ct.maximum(most, ct.max(scores, axis=1, keepdims=True))
        weights = ct.exp(scores - new_most)
        scale = ct.exp(most - new_most)
        total = total * scale + ct.sum(weights, axis=1, keepdims=True)
        value = ct.load(v, (j, 0), (64, 64), padding_mode=ct.PaddingMode.ZERO)
        acc = ct.mma(ct.astype(weights, ct.float16), value, acc * scale)
        most = new_most
    ct.store(out, (i, 0), ct.astype(acc / total, ct.float16))


def main(name, path):
    kernel, arrays = {"gemm": (gemm, 3), "attention": (attention, 4)}[name]
    # Arrays as frameworks pass them: dense rows, sizes multiples of 16 bytes.
    array = ArrayConstraint(ct.float16, 2, index_dtype=ct.int32, stride_lower_bound_incl=0, alias_groups=(), may_alias_internally=False,
                            stride_constant=[None, 1], stride_divisible_by=[16, 1], shape_divisible_by=16, base_addr_divisible_by=16)
    signature = KernelSignature([array] * arrays, CallingConvention.cutile_python_v1(), symbol=name)
    export_kernel(kernel, [signature], path, gpu_code=None, output_format="tileir_bytecode")


if __name__ == "__main__":
    main(*sys.argv[1:])

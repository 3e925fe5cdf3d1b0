# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import cuda.tile as ct
from tilecpp import array, scalar


@ct.kernel
def K(x, w, b, y, eps):
    row, columns = ct.bid(0), x.shape[1]
    pieces = ct.num_tiles(x, axis=1, shape=(1, 256))
    total = ct.zeros((1, 256), ct.float32)
    for j in range(pieces):
        total = total + ct.load(x, (row, j), (1, 256), padding_mode=ct.PaddingMode.ZERO).astype(ct.float32)
    mean = ct.sum(total, axis=1, keepdims=True) / columns
    squares = ct.zeros((1, 256), ct.float32)
    column = ct.arange(256, dtype=ct.int32)[None, :]
    for j in range(pieces):
        d = ct.load(x, (row, j), (1, 256), padding_mode=ct.PaddingMode.ZERO).astype(ct.float32) - mean
        d = ct.where(column + j * 256 < columns, d, ct.zeros((1, 256), ct.float32))
        squares = squares + d * d
    scale = ct.rsqrt(ct.sum(squares, axis=1, keepdims=True) / columns + eps)
    for j in range(pieces):
        t = ct.load(x, (row, j), (1, 256), padding_mode=ct.PaddingMode.ZERO).astype(ct.float32)
        u = ct.load(w, (j,), (256,), padding_mode=ct.PaddingMode.ZERO).astype(ct.float32).reshape((1, 256))
        v = ct.load(b, (j,), (256,), padding_mode=ct.PaddingMode.ZERO).astype(ct.float32).reshape((1, 256))
        ct.store(y, (row, j), ((t - mean) * scale * u + v).astype(ct.bfloat16))


rows, row = array(ct.bfloat16, (None, None)), array(ct.bfloat16, (None,))
SIGNATURE = [rows, row, row, rows, scalar(ct.float32)]

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A Fourier transform of 64 points: two matmuls with complex 8x8 matrices, and twiddle factors between them."""
import cuda.tile as ct
import cupy as cp
import numpy as np
from common import SCALE, check, random, stream

N = 8


@ct.kernel
def fourier(re, im, wr, wi, tr, ti, out_re, out_im, n: ct.Constant[int]):
    b = ct.bid(0)
    xr = ct.load(re, (b, 0, 0), (1, n, n)).reshape((n, n))
    xi = ct.load(im, (b, 0, 0), (1, n, n)).reshape((n, n))
    r, i = ct.load(wr, (0, 0), (n, n)), ct.load(wi, (0, 0), (n, n))
    # Columns, twiddle factors, rows; the result comes out transposed.
    yr, yi = ct.matmul(r, xr) - ct.matmul(i, xi), ct.matmul(r, xi) + ct.matmul(i, xr)
    cr, ci = ct.load(tr, (0, 0), (n, n)), ct.load(ti, (0, 0), (n, n))
    zr, zi = yr * cr - yi * ci, yr * ci + yi * cr
    ct.store(out_re, (b, 0, 0), ct.transpose(ct.matmul(zr, r) - ct.matmul(zi, i)).reshape((1, n, n)))
    ct.store(out_im, (b, 0, 0), ct.transpose(ct.matmul(zr, i) + ct.matmul(zi, r)).reshape((1, n, n)))


batch = 3 * SCALE
re, im = random(batch, N, N, dtype=np.float64), random(batch, N, N, dtype=np.float64, seed=1)
k = np.arange(N)
w, t = np.exp(-2j * np.pi * np.outer(k, k) / N), np.exp(-2j * np.pi * np.outer(k, k) / N**2)
tables = [cp.asarray(np.ascontiguousarray(x)) for x in (w.real, w.imag, t.real, t.imag)]
out_re, out_im = cp.empty_like(re), cp.empty_like(im)
ct.launch(stream(), (batch,), fourier, (re, im, *tables, out_re, out_im, N))
want = np.fft.fft((cp.asnumpy(re) + 1j * cp.asnumpy(im)).reshape(batch, N * N)).reshape(batch, N, N)
check("fourier (real)", out_re, want.real, 1e-9)
check("fourier (imaginary)", out_im, want.imag, 1e-9)

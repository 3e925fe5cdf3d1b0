# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code that the examples share: arrays of CuPy or of its stand-in, and a comparison with NumPy."""
import os

import cupy as cp
import numpy as np

#: A multiple of the sizes that tests choose.
SCALE = int(os.environ.get("EXAMPLE_SCALE", "1"))


def random(*shape, dtype=np.float32, seed=0):
    """Numbers between -1 and 1, the same on every machine."""
    return cp.asarray((np.random.default_rng(seed).random(shape, np.float32) * 2 - 1).astype(dtype))


def stream():
    """The stream to launch on."""
    return cp.cuda.get_current_stream()


def check(name, got, want, tolerance=1e-5):
    """Compares with NumPy's result and prints the outcome."""
    got, want = cp.asnumpy(got), np.asarray(want)
    np.testing.assert_allclose(got.astype(want.dtype), want, rtol=tolerance, atol=tolerance * max(1.0, float(np.abs(want).max())))
    print(f"{name}: right")

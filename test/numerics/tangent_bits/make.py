#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the arrays of tangent_bits.json: tanh as computed by CUDA's tanhf below 0.6, a polynomial of the square each of
whose steps rounds once, in exact fractions. The coefficients are those in nvcc's PTX.

    /usr/bin/python3 test/numerics/tangent_bits/make.py
"""

import math
import os
from fractions import Fraction

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
COEFFICIENTS = [float.fromhex(c) for c in ("0x1.01e104p-6", "-0x1.ac795cp-5", "0x1.10b282p-3", "-0x1.5553dap-2", "0x0p+0")]


def single(exact):
    """Returns the f32 nearest to a fraction, ties to even."""
    if exact == 0:
        return 0.0
    exponent = math.frexp(exact.numerator / exact.denominator)[1] - 1
    unit = Fraction(2)**(max(exponent, -126) - 23)
    return float(round(exact / unit) * unit)


def tangent(x):
    if x == 0:
        return x  # of either sign
    x = Fraction(float(x))
    square, result = Fraction(single(x * x)), Fraction(COEFFICIENTS[0])
    for coefficient in COEFFICIENTS[1:]:
        result = Fraction(single(result * square + Fraction(coefficient)))
    return single(result * x + x)


rng = np.random.default_rng(44)
x = np.concatenate([rng.uniform(-0.6, 0.6, 3000), 2.0**rng.uniform(-149, -1, 1096) * rng.choice([-1, 1], 1096)]).astype(np.float32)
x[:4] = [0.0, -0.0, 2.0**-149, -(2.0**-149)]
np.save(HERE + "/tangent_bits.x.npy", x)
np.save(HERE + "/tangent_bits.y.npy", np.array([tangent(v) for v in x], np.float32))

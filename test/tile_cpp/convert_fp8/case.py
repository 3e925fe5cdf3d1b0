# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case, round_to

case = Case(grid=(1, ))
x = case.array("X", "f32", (128, ), init=np.arange(-64, 64) * 3.7 * 2.0**(np.arange(128) % 9 - 8))


def bits(values, mantissa, bias):
    """Returns bits of numbers that an 8-bit float represents: sign, exponent and mantissa."""
    fraction, exponent = np.frexp(abs(values))
    normal = (exponent - 1 + bias << mantissa) + ((2 * fraction - 1) * 2**mantissa).astype(int)
    small = (abs(values) * 2.0**(bias - 1 + mantissa)).astype(int)
    code = np.where((values != 0) & (exponent - 1 + bias > 0), normal, small)
    return np.where(np.signbit(values), code | 128, code)


e4, e5 = round_to("f8e4m3", x), round_to("f8e5m2", x)
case.output("E4", "i8", bits(np.copysign(e4, x), 3, 7))
case.output("E5", "i8", bits(np.copysign(e5, x), 2, 15))
case.output("F", "f32", np.stack([e4, e5]))
case.output("H", "f16", np.stack([e4, e5]))
CASES = [case]

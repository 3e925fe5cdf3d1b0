# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "f32", (64, ))
bits = x.astype(np.float32).view(np.int32)
magic = ((bits & np.int32(0x7fffff)) | np.int32(0x3f800000)).view(np.float32) * np.float32(2)
case.output("Z", "i32", np.stack([bits >> 23 & 255, magic.view(np.int32)]))
b = case.array("B", "i8", (256, ), init="integers:-128:128")
case.output("P", "i32", b.view(np.int32))
case.output("H", "i16", b.view(np.int16))
CASES = [case]

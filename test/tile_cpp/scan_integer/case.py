# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
from tilecpp import Case

case = Case(grid=(1, ))
x = case.array("X", "i32", (256, ), init="integers:-50:50").astype(np.int64)
product, products = 1, []
for n in x:
    product = product * (3 if n > 0 else int(n)) % 2**32
    products.append(product)
case.output("Z", "i32", np.stack([x.cumsum(), np.array(products).astype(np.uint32).astype(np.int64)]))
packed = np.zeros(256, np.int64)
packed[:(x > 0).sum()] = x[x > 0]
case.output("Packed", "i32", packed, init="zeros")
case.output("L", "i64", (x[::-1].cumsum() * 100000000)[::-1])
CASES = [case]

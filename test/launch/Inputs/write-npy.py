# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""write-npy.py FILE INTEGER…: writes a one-dimensional array of 32-bit integers."""
import struct
import sys

values = list(map(int, sys.argv[2:]))
header = "{'descr': '<i4', 'fortran_order': False, 'shape': (%d,), }" % len(values)
header = header.ljust(117) + "\n"
with open(sys.argv[1], "wb") as f:
    f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack("<%di" % len(values), *values))

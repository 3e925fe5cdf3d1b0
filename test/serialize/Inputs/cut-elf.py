# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes the header of a device ELF whose section table is beyond the end of the file.
import struct
import sys

sys.stdout.buffer.write(
    b"\x7fELF\x02\x01\x01\x41\x08" + bytes(7) + struct.pack("<HHIQQQIHHHHHH", 2, 190, 1, 0, 0, 4096, 0, 64, 0, 0, 64, 1, 0))

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes the bytes of one section of an ELF64 file to standard output.
import struct
import sys

data = open(sys.argv[1], "rb").read()
shoff, = struct.unpack_from("<Q", data, 40)
shnum, shstrndx = struct.unpack_from("<HH", data, 60)
headers = [struct.unpack_from("<IIQQQQIIQQ", data, shoff + 64 * i) for i in range(shnum)]
names = headers[shstrndx][4]
for name, _, _, _, offset, size, *_ in headers:
    end = data.index(b"\0", names + name)
    if data[names + name:end].decode() == sys.argv[2]:
        sys.stdout.buffer.write(data[offset:offset + size])
        sys.exit(0)
sys.exit(f"no section {sys.argv[2]}")

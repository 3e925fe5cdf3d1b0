# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes a Tile IR module without functions, with which clients find out which versions are read: empty-module.py
# MAJOR.MINOR
import sys

major, minor = map(int, sys.argv[1].split("."))
sys.stdout.buffer.write(b"\x7fTileIR\0" + bytes([major, minor]) + bytes.fromhex(
    "0000 820808cb00cbcbcbcbcbcbcb 850404cb00cbcbcb 810404cb00cbcbcb 00"))

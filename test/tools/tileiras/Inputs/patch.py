# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""patch.py IN OLD NEW OUT: copies a file with the bytes OLD, which occur once, replaced by NEW (hexadecimal)."""
import sys

source, old, new, target = sys.argv[1:]
with open(source, "rb") as f:
    content = f.read()
assert content.count(bytes.fromhex(old)) == 1
with open(target, "wb") as f:
    f.write(content.replace(bytes.fromhex(old), bytes.fromhex(new)))

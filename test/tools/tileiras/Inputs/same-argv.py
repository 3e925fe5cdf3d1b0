# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same-argv.py RECORD PTX TOKEN...: checks that the recorded arguments are the tokens, byte for byte; `<PTX>` is the
file's text."""
import sys

record = open(sys.argv[1], "rb").read()
ptx = open(sys.argv[2], "rb").read()
wanted = b"".join((ptx if token == "<PTX>" else token.encode()) + b"\0" for token in sys.argv[3:])
if record != wanted:
    tokens = record.split(b"\0")
    sys.exit(f"got {[token[:60] for token in tokens]}")

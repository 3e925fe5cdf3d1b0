# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compile-all.py FOLDER TILEIRAS TARGET...: compiles every kernel of kernels.py with unmodified cuTile Python and the
`tileiras` on the PATH, and for the last target those of features.py. FOLDER gets the cubins and the package's calls."""
import os
import stat
import struct
import sys

folder, tileiras, targets = sys.argv[1], sys.argv[2], sys.argv[3:]
os.makedirs(f"{folder}/bin")
# A wrapper on the PATH records that it was found there, and its arguments.
wrapper = f"{folder}/bin/tileiras"
with open(wrapper, "w") as f:
    f.write(f'#!/bin/sh\nprintf "%s " "$@" >> "{folder}/calls"\necho >> "{folder}/calls"\nexec "{tileiras}" "$@"\n')
os.chmod(wrapper, os.stat(wrapper).st_mode | stat.S_IXUSR)
os.environ["PATH"] = f"{folder}/bin:" + os.environ["PATH"]
os.environ["CUDA_TILE_TEMP_DIR"] = f"{folder}/tmp"
os.environ["CUDA_TILE_CACHE_DIR"] = f"{folder}/cache"
sys.path.insert(1, os.environ["TILEIR_PEER_CUTILE"])

from cuda.tile.compilation import export_kernel  # noqa: E402

from features import FEATURES, REFUSED  # noqa: E402
from kernels import CASES  # noqa: E402

failed = 0


def fail(name, target, why):
    global failed
    print(f"{name} for {target}: {why}")
    failed += 1


def compile(name, kernel, signatures, target):
    """Returns the text of the rejection, or nothing."""
    output = f"{folder}/{name}.{target}.cubin"
    try:
        export_kernel(kernel, signatures, output, gpu_code=target, output_format="cubin")
    except Exception as error:
        # The package cannot print an error whose location is in an unknown function.
        return getattr(error, "message", None) or str(error)
    image = open(output, "rb").read()
    machine, = struct.unpack_from("<H", image, 18)
    flags, = struct.unpack_from("<I", image, 48)
    wanted = int("".join(filter(str.isdigit, target)))
    if image[:4] != b"\x7fELF" or machine != 190 or flags >> 8 & 255 != wanted:
        fail(name, target, f"no cubin for {wanted}")
    for signature in signatures:
        if signature.symbol.encode() + b"\0" not in image:
            fail(name, target, f"no kernel {signature.symbol}")
    return ""


count = 0
for target in targets:
    for name, (kernel, signatures) in CASES.items():
        if text := compile(name, kernel, signatures, target):
            fail(name, target, text)
        else:
            count += len(signatures)
print(f"{count} kernels compiled, {failed} failures")
count = refused = 0
for name, (kernel, signatures) in FEATURES.items():
    for signature in signatures:
        text = compile(signature.symbol, kernel, [signature], targets[-1])
        if not text:
            count += 1
        elif REFUSED.get(name, "?") in text:
            refused += 1
        else:
            fail(signature.symbol, targets[-1], text)
print(f"{count} features compiled, {refused} refused, {failed} failures")
sys.exit(failed != 0)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compile-all.py FOLDER TILEIRAS TARGET...: cuTile Python, unmodified, compiles every kernel of kernels.py with the
`tileiras` that it finds on the PATH. FOLDER gets the cubins and what the package asked for."""
import os
import stat
import struct
import sys

folder, tileiras, targets = sys.argv[1], sys.argv[2], sys.argv[3:]
os.makedirs(f"{folder}/bin")
# A wrapper on the PATH shows that it was found there, and how it was called.
wrapper = f"{folder}/bin/tileiras"
with open(wrapper, "w") as f:
    f.write(f'#!/bin/sh\nprintf "%s " "$@" >> "{folder}/calls"\necho >> "{folder}/calls"\nexec "{tileiras}" "$@"\n')
os.chmod(wrapper, os.stat(wrapper).st_mode | stat.S_IXUSR)
os.environ["PATH"] = f"{folder}/bin:" + os.environ["PATH"]
os.environ["CUDA_TILE_TEMP_DIR"] = f"{folder}/tmp"
os.environ["CUDA_TILE_CACHE_DIR"] = f"{folder}/cache"
sys.path.insert(1, os.environ["TILEIR_PEER_CUTILE"])

from cuda.tile.compilation import export_kernel  # noqa: E402

from kernels import CASES  # noqa: E402

failed = 0
count = 0
for target in targets:
    for name, (kernel, signatures) in CASES.items():
        output = f"{folder}/{name}.{target}.cubin"
        try:
            export_kernel(kernel, signatures, output, gpu_code=target, output_format="cubin")
        except Exception as error:
            print(f"{name} for {target}: {error}")
            failed += 1
            continue
        image = open(output, "rb").read()
        machine, = struct.unpack_from("<H", image, 18)
        flags, = struct.unpack_from("<I", image, 48)
        wanted = int("".join(filter(str.isdigit, target)))
        if image[:4] != b"\x7fELF" or machine != 190 or flags >> 8 & 255 != wanted:
            print(f"{name} for {target}: no cubin for {wanted}")
            failed += 1
        for signature in signatures:
            if signature.symbol.encode() + b"\0" not in image:
                print(f"{name} for {target}: no kernel {signature.symbol}")
                failed += 1
        count += len(signatures)
print(f"{count} kernels compiled, {failed} failures")
sys.exit(failed != 0)

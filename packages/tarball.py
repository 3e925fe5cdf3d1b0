# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tarball.py FILES VERSION OUT: writes OUT/tileir-VERSION-linux-x86_64.tar.xz with one folder, which may lie anywhere."""
import sys
import tarfile


def main(files, version_file, out):
    with open(version_file, encoding="utf-8") as file:
        name = f"tileir-{file.read().strip()}-linux-x86_64"
    with tarfile.open(files) as source, tarfile.open(f"{out}/{name}.tar.xz", "w:xz", preset=2) as tar:
        for info in source:
            data = source.extractfile(info) if info.isfile() else None
            info.name = f"{name}/{info.name}"
            tar.addfile(info, data)


if __name__ == "__main__":
    main(*sys.argv[1:])

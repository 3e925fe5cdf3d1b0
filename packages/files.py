# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""files.py LIST VERSION STRIP OUT: the archive of all that is installed.

LIST has a line for each entry: `file PATH SOURCE` or `link PATH TARGET`, by tabs. Programs and shared objects lose their
symbols, and look for libraries in the installation and in LLVM's folder, no longer in the build tree.
"""
import calendar
import io
import os
import struct
import subprocess
import sys
import tarfile

# The same bytes from the same sources: every file has this time.
TIME = calendar.timegm((2026, 1, 1, 0, 0, 0))
DT_NULL, DT_STRTAB, DT_RUNPATH, PT_LOAD, PT_DYNAMIC = 0, 5, 29, 1, 2


def set_runpath(image, folder):
    """Replaces the library path of an ELF file of 64 bits: `folder` first, then what is not relative to the file."""
    image = bytearray(image)
    table, = struct.unpack_from("<Q", image, 32)
    size, count = struct.unpack_from("<HH", image, 54)
    parts = [struct.unpack_from("<II6Q", image, table + i * size) for i in range(count)]

    def offset(address):
        return next(address - p[3] + p[2] for p in parts if p[0] == PT_LOAD and p[3] <= address < p[3] + p[5])

    tags = {}
    for part in parts:
        if part[0] != PT_DYNAMIC:
            continue
        for at in range(part[2], part[2] + part[5], 16):
            tag, value = struct.unpack_from("<QQ", image, at)
            if tag == DT_NULL:
                break
            tags[tag] = value
    if DT_RUNPATH not in tags:
        return bytes(image)
    begin = offset(tags[DT_STRTAB]) + tags[DT_RUNPATH]
    end = image.index(0, begin)
    others = [p for p in image[begin:end].decode().split(":") if not p.startswith("$ORIGIN")]
    path = ":".join([folder, *others]).encode()
    if len(path) > end - begin:
        raise ValueError(f"no room for the library path {path.decode()!r}")
    image[begin:end] = path.ljust(end - begin, b"\0")
    return bytes(image)


def read(path, source, strip, words, scratch):
    """The bytes that are installed, and whether they are a program."""
    with open(source, "rb") as file:
        data = file.read()
    if data[:4] == b"\x7fELF":
        subprocess.run([strip, "--strip-unneeded", source, "-o", scratch], check=True)
        with open(scratch, "rb") as file:
            data = file.read()
        os.remove(scratch)
        data = set_runpath(data, "$ORIGIN/../lib" if path.startswith("bin/") else "$ORIGIN")
    elif source.endswith(".in"):
        for word, value in words.items():
            data = data.replace(b"@%s@" % word.encode(), value.encode())
    return data, path.startswith("bin/") or data[:2] == b"#!" and os.access(source, os.X_OK)


def main(listing, version_file, strip, out):
    with open(version_file, encoding="utf-8") as file:
        version = file.read().strip()
    words = {"VERSION": version, "SO_VERSION": version.rsplit(".", 1)[0]}
    with open(listing, encoding="utf-8") as file:
        entries = sorted(line.rstrip("\n").split("\t") for line in file)
    with tarfile.open(out, "w", format=tarfile.GNU_FORMAT) as tar:
        for kind, path, source in sorted(entries, key=lambda e: e[1]):
            info = tarfile.TarInfo(path.removesuffix(".in"))
            info.mtime = TIME
            if kind == "link":
                info.type, info.linkname, info.mode = tarfile.SYMTYPE, source, 0o777
                tar.addfile(info)
                continue
            data, program = read(path, source, strip, words, out + ".part")
            info.size, info.mode = len(data), 0o755 if program else 0o644
            tar.addfile(info, io.BytesIO(data))


if __name__ == "__main__":
    main(*sys.argv[1:])

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""files.py LIST VERSION STRIP OUT: the archive of all installed files.

LIST has a line for each entry: `file PATH SOURCE` or `link PATH TARGET`, by tabs. Programs and shared objects lose their
symbols, and look for libraries in the installation and in LLVM's folder, no longer in the build tree.
"""
import calendar
import io
import os
import re
import subprocess
import sys
import tarfile

# The same bytes from the same sources: every file has this time.
TIME = calendar.timegm((2026, 1, 1, 0, 0, 0))


def set_runpath(path, folder):
    """Replaces the library path of an ELF file that has one: `folder` first, then the absolute entries."""
    shown = subprocess.run(["chrpath", "--list", path], stdout=subprocess.PIPE, text=True, check=False).stdout
    found = re.search(r": R(?:UN)?PATH=(.*)$", shown, re.M)
    if found:
        others = [p for p in found[1].split(":") if not p.startswith("$ORIGIN")]
        subprocess.run(["chrpath", "--replace", ":".join([folder, *others]), path], stdout=subprocess.DEVNULL, check=True)


def read(path, source, strip, words, scratch):
    """The installed bytes, and whether they are a program."""
    with open(source, "rb") as file:
        data = file.read()
    if data[:4] == b"\x7fELF":
        subprocess.run([strip, "--strip-unneeded", source, "-o", scratch], check=True)
        os.chmod(scratch, 0o644)
        set_runpath(scratch, "$ORIGIN/../lib" if path.startswith("bin/") else "$ORIGIN")
        with open(scratch, "rb") as file:
            data = file.read()
        os.remove(scratch)
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

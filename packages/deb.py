# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""deb.py FILES VERSION OUT CONTROL OVERRIDES LICENSE CHANGELOG: writes OUT/tileir_VERSION-1_amd64.deb.

The installation is one folder, /usr/lib/tileir, as LLVM's is; its programs and what other builds look for are links into it.
"""
import calendar
import gzip
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import time

ROOT = "usr/lib/tileir"
MULTIARCH = "usr/lib/x86_64-linux-gnu"
# The same bytes from the same sources: no file is younger.
TIME = calendar.timegm((2026, 1, 1, 0, 0, 0))

COPYRIGHT = """\
Copyright 2026 the tileir authors, and of the parts of LLVM in the programs the LLVM authors

Apache License 2.0 with LLVM exceptions. On Debian systems the text of the first is in /usr/share/common-licenses/Apache-2.0;
the second is this:

"""


def write(path, data, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
    os.chmod(path, mode)


def link(root, path, target):
    os.makedirs(os.path.dirname(f"{root}/{path}"), exist_ok=True)
    os.symlink(os.path.relpath(target, os.path.dirname(path)), f"{root}/{path}")


def main(files, version_file, out, control, overrides, license_file, changelog):
    with open(version_file, encoding="utf-8") as file:
        version = file.read().strip()
    root = f"{out}/root"
    with tarfile.open(files) as tar:
        names = tar.getnames()
        tar.extractall(f"{root}/{ROOT}")
    for name in names:
        if name.startswith("bin/"):
            link(root, f"usr/{name}", f"{ROOT}/{name}")
    link(root, f"{MULTIARCH}/cmake/TileIR", f"{ROOT}/lib/cmake/TileIR")
    pc = f"{root}/{ROOT}/lib/pkgconfig/tileir.pc"
    with open(pc, "rb") as file:
        # A program that is started through a link takes the link's folder for its own.
        write(f"{root}/{MULTIARCH}/pkgconfig/tileir.pc", file.read().replace(b"${pcfiledir}/../..", f"/{ROOT}".encode()))
    os.remove(pc)
    os.rmdir(os.path.dirname(pc))
    doc = f"{root}/usr/share/doc/tileir"
    with open(license_file, encoding="utf-8") as file:
        exceptions = file.read().partition("---- LLVM Exceptions")
    write(f"{doc}/copyright", (COPYRIGHT + "".join(exceptions[1:])).encode())
    with open(changelog, "rb") as file:
        write(f"{doc}/changelog.gz", gzip.compress(file.read(), 9, mtime=0))
    with open(control, encoding="utf-8") as file:
        text = "".join(line for line in file if not line.startswith("#")).replace("@VERSION@", f"{version}-1")
    maintainer = next(line for line in text.splitlines() if line.startswith("Maintainer: "))
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(TIME))
    write(f"{doc}/changelog.Debian.gz", gzip.compress(
        f"tileir ({version}-1) unstable; urgency=medium\n\n  * Release {version}: changelog.gz.\n\n"
        f" -- {maintainer.removeprefix('Maintainer: ')}  {date}\n".encode(), 9, mtime=0))
    with open(overrides, "rb") as file:
        write(f"{root}/usr/share/lintian/overrides/tileir", file.read())
    size, sums = 0, []
    for folder, folders, entries in os.walk(root):
        for name in folders:
            if not os.path.islink(f"{folder}/{name}"):
                os.chmod(f"{folder}/{name}", 0o755)
        for name in entries:
            path = f"{folder}/{name}"
            if os.path.islink(path):
                continue
            size += os.path.getsize(path)
            with open(path, "rb") as file:
                sums.append(f"{hashlib.file_digest(file, 'md5').hexdigest()}  {os.path.relpath(path, root)}\n")
    write(f"{root}/DEBIAN/control", text.replace("@SIZE@", str(size // 1024)).encode())
    write(f"{root}/DEBIAN/md5sums", "".join(sorted(sums, key=lambda s: s.split()[1])).encode())
    os.chmod(root, 0o755)
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "-z2", "--build", root, f"{out}/tileir_{version}-1_amd64.deb"],
                   check=True, stdout=subprocess.DEVNULL, env={**os.environ, "SOURCE_DATE_EPOCH": str(TIME)})
    shutil.rmtree(root)


if __name__ == "__main__":
    main(*sys.argv[1:])

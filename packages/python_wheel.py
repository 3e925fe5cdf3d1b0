# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python_wheel.py FILES VERSION OUT SETUP LICENSE SOURCE...: writes OUT/tileir-VERSION-py3-none-manylinux_2_34_x86_64.whl.

The package has the installation inside, without the split set of plugins and what links lead to: a wheel holds no links.
SETUP is tools/setup/setup.sh, whose pinned release of ptxas and libdevice the wheel depends on.
"""
import os
import re
import sys
import tarfile
import zipfile

from wheel.wheelfile import WheelFile

TAG = "py3-none-manylinux_2_34_x86_64"
STARTS = {"tileir-explain": "tileir._explain:run"}
# The time that zip files begin with: the same bytes from the same sources. The library takes that of RECORD from here.
TIME = (1980, 1, 1, 0, 0, 0)
os.environ.update(SOURCE_DATE_EPOCH="315532800")

METADATA = """\
Metadata-Version: 2.4
Name: tileir
Version: {version}
Summary: Open Tile IR compiler for NVIDIA GPUs, with an emulator
License-Expression: Apache-2.0 WITH LLVM-exception
License-File: LICENSE
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Requires-Python: >=3.10
{requires}Description-Content-Type: text/markdown

`tileiras`, the compiler that cuTile Python and other clients of CUDA Tile call, open from bytecode to PTX; the plugin that has its
passes in stock `mlir-opt` 22 (`tileir-config --check` says whether LLVM's libraries are there); an emulator that runs the PTX without
a GPU (`tileir-run`). `tileir.use()` makes cuTile Python compile by it, `tileir.which()` says who compiles.
"""


def add(wheel, name, data, program=False):
    entry = zipfile.ZipInfo(name, TIME)
    entry.compress_type = wheel.compression
    entry.external_attr = (0o100755 if program else 0o100644) << 16
    wheel.writestr(entry, data)


def requirements(setup):
    """The pinned release, as the first entry of `pinned` in set-up has it, and what the Python package needs."""
    with open(setup, encoding="utf-8") as file:
        entry = re.search(r"^pinned=\(\n\s*\"([^|]*)\|", file.read(), re.M)[1]
    return [*entry.split(), "numpy"]


def main(files, version_file, out, setup, license_file, *sources):
    with open(version_file, encoding="utf-8") as file:
        version = file.read().strip()
    info = f"tileir-{version}.dist-info"
    wheel = WheelFile(f"{out}/tileir-{version}-{TAG}.whl", "w")
    for source in sources:
        with open(source, "rb") as file:
            add(wheel, "tileir/" + os.path.basename(source), file.read())
    scripts = []
    with tarfile.open(files) as tar:
        for entry in tar:
            folder, name = os.path.split(entry.name)
            if folder == "bin":
                scripts.append(name)
            # The modules are in the package itself.
            if folder == "share/tileir/python":
                continue
            if not entry.isfile() or folder == "lib" and not name.startswith("libTileIR.so") or folder == "lib/pkgconfig":
                continue
            add(wheel, "tileir/" + entry.name, tar.extractfile(entry).read(), program=entry.mode & 0o100 != 0)
    requires = "".join(f"Requires-Dist: {name}\n" for name in requirements(setup))
    add(wheel, f"{info}/METADATA", METADATA.format(version=version, requires=requires).encode())
    add(wheel, f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: tileir\nRoot-Is-Purelib: false\nTag: {TAG}\n".encode())
    # A Python program runs in the environment that it was installed into.
    entries = "".join(f"{name} = {STARTS.get(name, 'tileir._programs:run')}\n" for name in sorted(scripts))
    # Entry points that pytest and torch load when they start: the plugin, and the package where TILEIR_EMULATE is set.
    entries += "\n[pytest11]\ntileir = tileir.pytest_plugin\n\n[torch.backends]\ntileir = tileir:_autoload\n"
    add(wheel, f"{info}/entry_points.txt", f"[console_scripts]\n{entries}".encode())
    with open(license_file, "rb") as file:
        add(wheel, f"{info}/licenses/LICENSE", file.read())
    wheel.close()


if __name__ == "__main__":
    main(*sys.argv[1:])

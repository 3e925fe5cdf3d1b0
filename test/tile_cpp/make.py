#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make.py [--what=bytecode,twin,cases] [--check] [NAME…]: writes the generated files in the folders of this one, or of
NAMEs.

    bytecode  NAME/kernel.tileirbc of kernel.cu       by nvcc 13.5, TILEIR_PEER_NVCC
    twin      NAME/twin.tileirbc of twin.py           by cuTile Python 1.7, TILEIR_PEER_CUTILE
    cases     NAME/case*.json and *.npy of case.py    by NumPy

A line `// nvcc: OPTIONS` in kernel.cu gives options beyond the usual ones. The output does not depend on the location
of this tree or of the compilers: both get paths of one length, which are replaced in the bytecode by those of PLACE.
"""

import argparse
import glob
import linecache
import os
import re
import runpy
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True
# A folder made by tempfile.mkdtemp has a name as long as this one.
PLACE = "/tmp/tile_cpp.00000000"
PEERS = ("TILEIR_PEER_NVCC", "TILEIR_PEER_CUTILE")
OPTIONS = "--enable-tile --tilebc --tile-only -std=c++20 -arch=sm_90"


class Place:
    """A temporary folder with links to the compilers, whose name is replaced by PLACE in the output."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="tile_cpp.", dir="/tmp")
        assert len(self.folder) == len(PLACE), self.folder

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def take(self, file):
        with open(self.path(file), "rb") as made:
            return made.read().replace(self.folder.encode(), PLACE.encode())

    def nvcc(self):
        """nvcc uses the folder of its call as its home; links to its files work as well."""
        if not os.path.exists(self.path("cu13")):
            home = os.path.dirname(os.path.dirname(os.path.realpath(os.environ["TILEIR_PEER_NVCC"])))
            os.makedirs(self.path("cu13", "bin"))
            for part in os.listdir(home):
                if part != "bin":
                    os.symlink(os.path.join(home, part), self.path("cu13", part))
            for tool in os.listdir(os.path.join(home, "bin")):
                os.symlink(os.path.join(home, "bin", tool), self.path("cu13", "bin", tool))
        return self.path("cu13", "bin", "nvcc")

    def cutile(self):
        if not os.path.exists(self.path("cutile")):
            os.symlink(os.environ["TILEIR_PEER_CUTILE"], self.path("cutile"))
            sys.path.insert(1, self.path("cutile"))


def bytecode(place, source):
    with open(source) as text:
        options = re.search(r"^// nvcc: (.*)$", text.read(), re.M)
    shutil.copy(source, place.folder)
    environment = {k: v for k, v in os.environ.items() if k not in ("CUDA_HOME", "CUDA_ROOT", "CUDA_PATH")}
    subprocess.run([place.nvcc(), *OPTIONS.split(), *(options[1].split() if options else []), "kernel.cu", "-o",
                    "kernel.tileirbc"], cwd=place.folder, env=environment, check=True)
    return place.take("kernel.tileirbc")


def twin(place, source):
    place.cutile()
    from cuda.tile.compilation import CallingConvention, KernelSignature, export_kernel

    module = runpy.run_path(shutil.copy(source, place.folder))
    linecache.clearcache()
    signature = KernelSignature(module["SIGNATURE"], CallingConvention.cutile_python_v2(), symbol="K")
    export_kernel(module["K"], [signature], place.path("twin.tileirbc"), output_format="tileir_bytecode",
                  bytecode_version="13.3")
    return place.take("twin.tileirbc")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--what", default="bytecode,twin,cases")
    parser.add_argument("--check", action="store_true", help="compare bytecode with what is there instead")
    arguments = parser.parse_args()
    if arguments.check and not all(os.path.exists(os.environ.get(peer, "")) for peer in PEERS):
        print("SKIPPED: %s name no compilers; run tools/setup/setup.sh --peers" % " and ".join(PEERS))
        return
    builders = {"bytecode": ("kernel.cu", bytecode), "twin": ("twin.py", twin)}
    differ = []
    with Place() as place:
        for source in sorted(glob.glob(HERE + "/*/kernel.cu")):
            folder, name = os.path.dirname(source), os.path.basename(os.path.dirname(source))
            if arguments.names and name not in arguments.names:
                continue
            for what in arguments.what.split(","):
                if what == "cases":
                    if not arguments.check and os.path.exists(folder + "/case.py"):
                        for case in runpy.run_path(folder + "/case.py")["CASES"]:
                            case.write(folder)
                    continue
                file, builder = builders[what]
                if not os.path.exists("%s/%s" % (folder, file)):
                    continue
                content = builder(place, "%s/%s" % (folder, file))
                made = "%s/%s.tileirbc" % (folder, file.partition(".")[0])
                if not arguments.check:
                    with open(made, "wb") as out:
                        out.write(content)
                elif not os.path.exists(made) or open(made, "rb").read() != content:
                    differ.append(os.path.relpath(made, HERE))
    if differ:
        sys.exit("made from their sources, these differ: %s; run test/tile_cpp/make.py" % ", ".join(differ))


if __name__ == "__main__":
    main()

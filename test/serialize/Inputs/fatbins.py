# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fatbins.py FOLDER TOOL TILE-MODULE: compares our containers with those of the toolkit's `fatbinary`."""
import os
import subprocess
import sys

folder, tool, tile = sys.argv[1:]
fatbinary = os.path.join(os.path.dirname(os.environ["TILEIR_PTXAS_PATH"]), "fatbinary")
targets = [f"sm_{n}" for n in (75, 80, 86, 87, 88, 89, 90, 100, 103, 107, 110, 120, 121)]
targets += ["sm_90a"] + [f"sm_{n}{suffix}" for n in (100, 103, 107, 110, 120, 121) for suffix in "af"]


def run(*command):
    subprocess.run(command, check=True)


def compare(name, cubin, ours, *images):
    theirs = f"{folder}/{name}.theirs"
    run(fatbinary, f"--create={theirs}", "-64", "--compress=false", *images)
    if open(theirs, "rb").read() != open(ours, "rb").read():
        sys.exit(f"{name}: {ours} differs from {theirs}")


count = 0
for target in targets:
    # Code for sm_107 is code for its family.
    name = target if "107" not in target else "sm_100" if target == "sm_107" else "sm_100f"
    version = "9.0" if name in ("sm_88",) or name.endswith("f") or "110" in name or "121" in name or "103" in name else "8.7"
    source = f"{folder}/{target}.ptx"
    with open(source, "w") as f:
        f.write(f".version {version}\n.target {name}\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\nret;\n}}\n")
    for debug in (False, True):
        cubin, ours = f"{folder}/{target}.cubin", f"{folder}/{target}.fatbin"
        options = [f"--gpu-name={target}", *(["-O0", "-g"] if debug else [])]
        run(tool, source, "-o", cubin, *options)
        run(tool, source, "-o", ours, *options)
        compare(target, cubin, ours, f"--image3=kind=elf,sm={target[3:]},file={cubin}", *(["-g"] if debug else []))
        count += 1
    run(tool, source, "-o", cubin, f"--gpu-name={target}")
    run(tool, source, "-o", ours, "--embed-ptx", f"--gpu-name={target}")
    compare(target + "-ptx", cubin, ours, f"--image3=kind=elf,sm={target[3:]},file={cubin}",
            f"--image3=kind=ptx,sm={name[3:]},file={source}")
for options in ([], ["--lineinfo"], ["-g", "-O0"]):
    cubin, ours = f"{folder}/tile.cubin", f"{folder}/tile.fatbin"
    run(tool, tile, "-o", cubin, *options)
    run(tool, tile, "-o", ours, *options)
    compare("tile", cubin, ours, f"--image3=kind=elf,sm=90a,file={cubin}", *(["-g"] if "-g" in options else []))
    count += 1
print(f"{count} containers are equal")

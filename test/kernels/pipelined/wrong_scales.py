#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants wrong scales in MMAs of warps: another byte, or the word of another thread. The outputs of every one of them
differ from the correct ones.

    wrong_scales.py --tileiras PATH --tileir-run PATH --tileir-translate PATH [--arch sm_120] NAME...      kernels of scaled.py
"""

import argparse
import os
import re
import sys
import tempfile

import check
import scaled

# Number of instructions with wrong scales, spread over the dot.
PLACES = 8


def plant(text):
    """Yields texts with one instruction that reads a scale of another place."""
    given = sorted(set(re.findall(r"mov\.b16\s+(%rs\d+), [0-3];", text)))
    matmuls = list(re.finditer(r"mma\.sync\S*block_scale[^;]*;", text))
    for matmul in matmuls[::max(1, len(matmuls) // PLACES)]:
        for pair in re.finditer(r"\{(%rs\d+), (%rs\d+)\}", matmul.group(0)):
            for place in (1, 2):
                begin, end = (matmul.start() + at for at in pair.span(place))
                for other in given:
                    if other != pair.group(place):
                        yield text[:begin] + other + text[end:]


def is_known(text, matmul):
    """Returns whether ids exist: a byte is a multiple of the scales of a step, and A has two providing threads."""
    ids = {name: int(value) for name, value in re.findall(r"mov\.b16\s+(%rs\d+), (\d+);", text)}
    step = {"1X": 1, "2X": 2, "4X": 4}[re.search(r"scale_vec::(\dX)", text).group(1)]
    pairs = re.findall(r"\{(%rs\d+), (%rs\d+)\}", matmul)
    return all(ids[byte] % step == 0 for byte, _ in pairs) and ids[pairs[0][1]] < 2


class Planter(check.Checker):
    def check_scales(self, matmul, kernel):
        path = self.compile(kernel, matmul.name, "pipeline-strategy=warp-specialize specialize-agents=false")
        with open(path) as file:
            text = file.read()
        self.target = re.search(r"^\.target ([a-z0-9_]+)", text, re.M).group(1)
        grid, args = scaled.launch(matmul, 2, False)
        out = os.path.join(self.folder, "out")
        case = {"kernel": os.path.basename(path), "entry": matmul.name, "grid": grid, "args": args}
        self.run(self.write("case", case), matmul.name, f"--out={out}", f"--sidecar={path}.json")
        for arg in args:
            if arg.get("output"):
                arg.update(expect=os.path.join(out, arg["name"] + ".npy"), rtol=0, atol=0)
        case["kernel"] = "planted.ptx"
        planted = 0
        for wrong in plant(text):
            at = next(i for i, (a, b) in enumerate(zip(wrong, text)) if a != b)
            if not is_known(wrong, wrong[wrong.rindex("mma.sync", 0, at):wrong.index(";", at)]):
                continue
            with open(os.path.join(self.folder, "planted.ptx"), "w") as file:
                file.write(wrong)
            planted += 1
            if not self.differs(self.write("case", case), path):
                sys.exit(f"FAILED: {matmul.name}: nothing tells planted scale {planted} from the right one")
        if planted < PLACES:
            sys.exit(f"FAILED: {matmul.name}: {planted} places for scales")
        print(f"ok: {matmul.name}: {planted} wrong scales found")

    def differs(self, case, path):
        try:
            self.run(case, "planted", f"--sidecar={path}.json")
        except SystemExit as failure:
            return "status 1" in str(failure)
        return False


def main():
    parser = argparse.ArgumentParser()
    check.add_options(parser)
    parser.set_defaults(arch="sm_120")
    parser.add_argument("--tileir-translate", required=True)
    parser.add_argument("names", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in options.names:
            matmul = next(p for p in scaled.MATMULS if p.name == name)
            kernel = check.compile_matmul(matmul, scaled.write, folder, options.tileir_translate)
            Planter(options, folder).check_scales(matmul, kernel)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sass.py reproduces figures that were taken of the closed compiler's and Triton's code by other means.

peer_rows.csv holds rows of such tables, twenty of each per target and 17 of Triton on sm_120; of Triton those whose source
(triton_kernels.py) gives the same code as the source that was measured then. Each is compiled again, by the compiler that it names,
and every column must be the same.
Not reproduced: `tensor`, which there has the names of PTX; `tensor_n` counts the same instructions.

    sass_peer_test.py [--every=N] closed|triton FOLDER...

N rows make one slice of which the first is compiled (the rows of a GPU are no multiple of 3: with N = 3 other kernels each time).
"""

import argparse
import csv
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import compilers  # noqa: E402
import targets  # noqa: E402
import triton_peer  # noqa: E402

# Rows of Triton say of the launch dynamic memory alone, and nothing where the closed compiler's say 0 or 1.
NOT_OF_TRITON = ("smem", "min_ctas", "ptx_lines", "cluster")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("which", choices=["closed", "triton"])
    parser.add_argument("folders", nargs="+")
    options = parser.parse_args()
    which, folders = options.which, options.folders
    store = compilers.Store(os.environ.get("TEST_TMPDIR") or tempfile.mkdtemp())
    tools = {n: compilers.find_tool(n, None) for n in ("TILEIR_PTXAS_PATH", "TILEIR_PEER_NVDISASM", "TILEIR_PEER_TILEIRAS")}
    missing = [n for n, path in tools.items() if not path]
    triton = None if missing else triton_peer.find(tools["TILEIR_PTXAS_PATH"], tools["TILEIR_PEER_NVDISASM"], store)
    if missing or (which == "triton" and not triton):
        sys.exit(f"error: {' '.join(missing) or 'TILEIR_PEER_TRITON'} not set: tools/setup/setup.sh --peers installs the peers")
    closed = compilers.Builder("closed", tools["TILEIR_PEER_TILEIRAS"], tools["TILEIR_PTXAS_PATH"], tools["TILEIR_PEER_NVDISASM"], store)
    table, bad, checked = targets.find(), 0, 0
    with open(os.path.join(HERE, "peer_rows.csv")) as text:
        rows = [r for r in csv.DictReader(text) if r["set"].split()[0] == which][:: options.every]
    for row in rows:
        if which == "triton":
            built = triton.build(row["kernel"], row["arch"], row["set"].removeprefix("triton "))
        else:
            paths = [os.path.join(d, row["kernel"] + ".tileirbc") for d in folders]
            built = closed.build(next(p for p in paths if os.path.exists(p)), row["arch"])
        found = compilers.figures(built["ptx"], built["said"], built["sass"], table, built.get("shared", 0)) if built["ok"] else {}
        columns = [c for c in list(row)[3:] if which == "closed" or c not in NOT_OF_TRITON]
        wrong = [f"{c} {found.get(c)!s} not {row[c]}" for c in columns if str(found.get(c, "")) != row[c]]
        checked += 1
        bad += bool(wrong)
        if wrong:
            print(f"{row['kernel']} {row['arch']} {row['set']}: {'; '.join(wrong) if built['ok'] else built['error']}")
    print(f"{checked} rows of {which}, {bad} differ")
    return 1 if bad or not checked else 0


if __name__ == "__main__":
    sys.exit(main())

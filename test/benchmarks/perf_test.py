# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests perf.py on scripted compilers: contents of rows, goals that are met, and caching."""

import json
import os
import struct
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import compilers  # noqa: E402
import emulated  # noqa: E402
import launches  # noqa: E402
import perf  # noqa: E402
import steady  # noqa: E402

COMPILER = """#!/bin/sh
echo called >> "{folder}/calls"
case "$1" in *refused*) echo "error: not today" >&2; exit 5 ;; esac
echo ".version 9.0" > "$3.ptx"
"{ptxas}" -arch sm_90a "$3.ptx" -o "$3" || exit 5
"""
EMULATOR = """#!/bin/sh
echo emulated >> "{folder}/calls"
grep -q '"grid": \\[1, 1, 1\\]' "$1" || exit 2
case "$*" in *--arch=sm_80*) echo "race: x.ptx:7" >&2; exit 1 ;; esac
echo '{{"in_flight": {{"peak_bytes": 4096, "at_tensor_issue": {{"min": 0, "mean": 1024.4}}, "peak_load_bytes": 64}},'
echo ' "tensor_issues": {{"count": 3}}}}'
echo '{{"cycles_cta": 199.2, "ctas_sm": 2, "bound": "tensor", "util": {{"tensor": 0.75}}, "in_flight": {{"count": 0}}}}'
"""
PTXAS = """#!/bin/sh
echo "ptxas info    : Used 30 registers, used 0 barriers"
echo "    0 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads"
echo "wgmma.mma_async instructions are serialized due to x"
while [ "$1" != -o ]; do shift; done
echo product > "$2"
"""


def script(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as out:
        out.write(text)
    os.chmod(path, 0o755)
    return path


class Measure(unittest.TestCase):
    def test_rows_and_memory(self):
        with tempfile.TemporaryDirectory() as d:
            ptxas = script(d, "ptxas", PTXAS)
            nvdisasm = script(d, "nvdisasm", f'#!/bin/sh\ncat "{HERE}/sass/wgmma_ring.sass"\n')
            ours = script(d, "tileiras", COMPILER.format(folder=d, ptxas="$TILEIR_PTXAS_PATH"))
            kernels = [script(d, n + ".tileirbc", n) for n in ("good", "refused")]
            store = compilers.Store(os.path.join(d, "store"))
            builders = [compilers.Builder("ours", ours, ptxas, nvdisasm, store)]
            for _ in range(2):
                rows, products = perf.measure(kernels, ["sm_90"], builders, None, 2)
            with open(os.path.join(d, "calls")) as calls:
                self.assertEqual(len(calls.readlines()), 3, "the second run asks about the refused kernel alone")
            good, refused = rows
            expected = {"kernel": "good", "set": "ours", "arch": "sm_90", "ok": 1, "hot_sass": 17, "hot_tensor": 2, "mma_wait": 1}
            expected.update(regs=30, spill_st=4, spill_ld=8, serialized=1, ptx_lines=1, ctas_sm=16, issue_kmac=2.656)
            self.assertEqual({k: good[k] for k in expected}, {**expected, "issue_kmac": round(17000 / (2 * 64 * 8 * 16 // 4), 3)})
            self.assertEqual((refused["ok"], refused["rc"], refused["error"], refused["sass"]), (0, 5, "error: not today", ""))
            self.assertEqual(set(products), {("good", "sm_90"), ("refused", "sm_90")})
            store.forget(days=-1)
            self.assertEqual(os.listdir(store.folder), [])


class Emulated(unittest.TestCase):
    def test_figures(self):
        """Uses the mean at the issue counts of tensor instructions, in the steady state if there is one, else both
        peaks together."""
        stats = {"in_flight": {"peak_bytes": 4096, "at_tensor_issue": {"mean": 1024.4}, "peak_load_bytes": 64}, "tensor_issues": {"count": 3}}
        timing = {"cycles_cta": 199.2, "ctas_sm": 2, "bound": "tensor", "util": {"tensor": 0.75},
                  "in_flight": {"count": 0, "at_tensor_issue": {"mean": 0}}}
        self.assertEqual(emulated.figures_of(stats, timing),
                         {"in_flight": 1024, "model_cycles": 100, "model_bound": "tensor", "tensor_share": 0.75})
        timing["in_flight"] = {"count": 2, "at_tensor_issue": {"mean": 2048.2}}
        self.assertEqual(emulated.figures_of(stats, timing)["in_flight"], 2048)
        stats["tensor_issues"]["count"] = 0
        self.assertEqual(emulated.figures_of(stats, timing)["in_flight"], 4160)

    def test_rows(self):
        """Emulates a kernel with a launch once, keeps a finding in its row, and gives no such figures for a kernel
        without a launch."""
        with tempfile.TemporaryDirectory() as d:
            ptxas = script(d, "ptxas", PTXAS)
            ours = script(d, "tileiras", COMPILER.format(folder=d, ptxas="$TILEIR_PTXAS_PATH"))
            kernels = [script(d, n + ".tileirbc", n) for n in ("gemm_bf16_128x128x64", "unknown")]
            store = compilers.Store(os.path.join(d, "store"))
            emulator = emulated.Emulator(script(d, "tileir-run", EMULATOR.format(folder=d)), None, store)
            builders = [compilers.Builder("ours", ours, ptxas, None, store)]
            for _ in range(2):
                rows, _ = perf.measure(kernels, ["sm_90", "sm_80"], builders, None, 1, emulator)
            found = {(r["kernel"], r["arch"]): r for r in rows}
            good = found["gemm_bf16_128x128x64", "sm_90"]
            self.assertEqual((good["in_flight"], good["model_cycles"], good["model_bound"]), (1024, 100, "tensor"))
            self.assertEqual(found["gemm_bf16_128x128x64", "sm_80"]["emulator"], "race: x.ptx:7")
            self.assertEqual(found["unknown", "sm_90"]["in_flight"], "")
            with open(os.path.join(d, "calls")) as calls:
                self.assertEqual(calls.read().count("emulated"), 3, "a finding is asked for again, a figure is not")

    def test_launch_of_triton(self):
        """Checks that pointers and descriptors take the arrays in order and extents their names, followed by two
        pointers."""
        told = {"shared": 5, "name": "gemm_tma", "warps": 4, "scratch": 0, "descriptors": [{"swizzle": 3, "block_size": [64, 32]}] * 3,
                "arguments": [["a", "tensordesc<bf16[128,64]>"], ["b", "tensordesc<bf16[64,128]>"], ["c", "tensordesc<bf16[128,128]>"],
                              ["M", "i32"], ["N", "i32"], ["K", "i32"]]}
        with tempfile.TemporaryDirectory() as d:
            with open(launches.write_triton("gemm_bf16_128x256x64", told, d)) as text:
                case = json.load(text)
        self.assertEqual([a.get("value") for a in case["args"][15:18]], [128, 256, 384])
        self.assertEqual((len(case["args"]), len(case["buffers"]), case["block"], case["shared_bytes"]), (20, 3, [128, 1, 1], 5))
        self.assertEqual(case["args"][5]["tensor_map"]["dims"], [256, 384])
        self.assertEqual(case["args"][5]["tensor_map"]["strides"], [512])
        told.update(descriptors=[], arguments=[["x", "*bf16"], ["w", "*bf16"], ["y", "*bf16"], ["columns", "i32"], ["eps", "fp32"]])
        with tempfile.TemporaryDirectory() as d:
            with open(launches.write_triton("rmsnorm_bf16_4096", told, d)) as text:
                case = json.load(text)
        self.assertEqual([a.get("value", a.get("shape")) for a in case["args"][:5]], [[2, 4096], [4096], [2, 4096], 4096, 1e-5])

    def test_steady_state(self):
        """Checks the difference of the longer and the shorter launch; a row states what is held, and a note that
        Triton's code may be faster."""
        short, long = {"model_cycles": 1000, "tensor_share": 0.5}, {"model_cycles": 2000, "tensor_share": 0.7}
        self.assertEqual(steady.get_share(short, long), 0.9)
        self.assertIsNone(steady.get_share(short, short))
        self.assertIsNone(steady.get_share(short, {"emulator": "race"}))
        row = {"kernel": "k", "arch": "sm_90", "bar": "0.85", "held": "", "note": ""}
        self.assertEqual(steady.find_faults(row, {"ours": 0.9, "triton": 0.9}), [])
        self.assertEqual(len(steady.find_faults(row, {"ours": 0.8, "triton": 0.9})), 2)
        self.assertEqual(len(steady.find_faults({**row, "held": "0.8"}, {"ours": 0.8, "triton": 0.9})), 1)
        self.assertEqual(steady.find_faults({**row, "held": "0.8", "note": "why"}, {"ours": 0.8, "triton": 0.9}), [])
        self.assertEqual(steady.find_faults(row, {"ours": "race"}), ["k sm_90: race"])
        for row in steady.read_rows(os.path.join(HERE, "steady.csv")):
            self.assertTrue(launches.launch(row["kernel"], 3), row)
            self.assertTrue(0 < float(row["bar"]) <= 1 and 0 < float(row["held"] or 1) <= 1, row)
            self.assertNotEqual(row["held"], row["bar"], row)

    def test_every_kernel_has_a_launch(self):
        """Checks that shapes are whole tiles, and that each array is followed by its extents and strides."""
        names = [n.removesuffix(".tileirbc") for n in os.listdir(os.path.join(HERE, "..", "data", "perf", "kernels")) if n.endswith("bc")]
        self.assertGreater(len(names), 40)
        for name in names:
            args, grid = launches.launch(name)
            arrays = [a for a in args if "shape" in a and "buffers" not in a]
            listed = [a for table in args for a in table.get("buffers", [])]
            self.assertTrue(any(a.get("output") for a in arrays + listed) and grid[0] >= 1, name)
            self.assertGreaterEqual(len(args), sum(1 + 2 * len(a["shape"]) for a in arrays), name)
        args, grid = launches.launch("gemm_nt_bf16_128x256x64")
        self.assertEqual([a["shape"] for a in args if "shape" in a], [[128, 384], [256, 384], [128, 256]])
        self.assertEqual([a["value"] for a in args if "stride" in a["name"]], [384, 1, 384, 1, 256, 1])

    def test_lists_of_arrays(self):
        """Checks that the table of a list has an address, extents and strides of each array, and is a file."""
        args, _ = launches.launch("gemm_grouped_bf16_128x128x64_occ2")
        with tempfile.TemporaryDirectory() as folder:
            fields = launches.placed(args, folder)
            with open(os.path.join(folder, "c.npy"), "rb") as file:
                words = struct.unpack("<10q", file.read()[-80:])
        self.assertEqual(words, (0, 128, 128, 128, 1) * 2)
        self.assertEqual([a["name"] for a in fields["buffers"]], ["a0", "a1", "b0", "b1", "c0", "c1"])
        table = next(a for a in fields["args"] if a["name"] == "c")
        self.assertEqual([(r["offset"], r["buffer"]) for r in table["relocations"]], [(0, "c0"), (40, "c1")])
        self.assertEqual(args[0]["init"][1], 128)


class Goals(unittest.TestCase):
    ROW = {"kernel": "k", "arch": "sm_90", "set": "ours", "ok": 1, "sass": 50, "ws": 0, "mma_wait": 0, "tensor_n": 0, "spill_st": 0}

    def bar(self, figure, relation, bar, ws=""):
        return {"figure": figure, "relation": relation, "bar": bar, "ws": ws}

    def test_bars(self):
        """Checks that a bar holds or is reported with the figure, and that a bar for another variant does not apply."""
        missed = perf.missed_bars(self.ROW, [self.bar("sass", "<=", "50"), self.bar("mma_wait", ">=", "1"), self.bar("sass", "<=", "9", "1")])
        self.assertEqual(missed, ["mma_wait 0 >= 1"])
        self.assertEqual(perf.missed_bars({**self.ROW, "mma_wait": ""}, [self.bar("mma_wait", ">=", "1")]), ["mma_wait - >= 1"])

    def test_peers(self):
        """Checks that without bars the better peer is the bar, and that different tensor instructions are not
        compared."""
        peer = {**self.ROW, "set": "closed"}
        self.assertEqual(perf.goal_text(self.ROW, [{**peer, "sass": 50}, {**peer, "sass": 60}], []), "met")
        self.assertEqual(perf.goal_text(self.ROW, [{**peer, "sass": 49}], []), "sass 50 <= 49")
        self.assertEqual(perf.goal_text({**self.ROW, "spill_ld": 4}, [peer], []), "spill 4 <= 0")
        self.assertEqual(perf.goal_text({**self.ROW, "ok": 0}, [peer], []), "refused")
        self.assertEqual(perf.goal_text({**self.ROW, "ok": 0}, [], []), "refused by all")
        ours = {**self.ROW, "tensor_n": 8, "issue_kmac": 1.5, "hot_sass": 40}
        closed = {**peer, "tensor_n": 4, "issue_kmac": "", "hot_sass": 60}
        self.assertIn("other tensor instructions", perf.goal_text(ours, [closed], []))

    def test_checked_in_bars_name_figures(self):
        goals = perf.read_goals(os.path.join(HERE, "goals.csv"))
        for bars in goals.values():
            for bar in bars:
                self.assertIn(bar["figure"], perf.CSV_COLUMNS)
                self.assertIn(bar["relation"], perf.RELATIONS)
                float(bar["bar"])

    def test_table(self):
        rows = [self.ROW, {**self.ROW, "set": "closed", "sass": 49}, {**self.ROW, "kernel": "l"}]
        lines = perf.table(rows, "sm_90", {})
        self.assertEqual(lines[0], "sm_90: 1 of 2 kernels meet their goal")
        self.assertTrue(lines[3].startswith("| k | 50 / 49 / - |"))
        self.assertTrue(lines[3].endswith("| sass 50 <= 49 |"))
        self.assertEqual(len(perf.for_terminal(lines[1:]).splitlines()), 3)
        rows = [{**self.ROW, "model_cycles": 10, "in_flight": 2048}, {**self.ROW, "set": "closed", "model_cycles": 9}, {**self.ROW, "kernel": "l"}]
        lines = perf.table(rows, "sm_90", {})
        self.assertEqual(lines[0], "sm_90: 2 of 2 kernels meet their goal; 0 of 1 take no more model cycles than either peer")
        self.assertIn("| 2 / - / - | 10 / 9 / - |", lines[3])

    def test_update(self):
        """Checks that an update replaces the rows of the measured kernels and targets alone, in the order of the
        whole table, and that the table reads as it was written."""
        row = lambda kernel, arch, sass, side="ours": {**dict.fromkeys(perf.CSV_COLUMNS, ""), "kernel": kernel, "arch": arch, "set": side, "sass": sass}
        table = [row("a", "sm_80", 1), row("gone", "sm_80", 1), row("c", "sm_80", 1), row("c", "sm_80", 2, "closed"), row("c", "sm_90", 3.5)]
        found = perf.merged(table, [row("c", "sm_80", 7), row("b", "sm_80", 8)], ["a", "b", "c"], ["sm_80", "sm_90"])
        self.assertEqual([(r["kernel"], r["arch"], r["sass"]) for r in found],
                         [("a", "sm_80", 1), ("b", "sm_80", 8), ("c", "sm_80", 7), ("c", "sm_90", 3.5)])
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "perf.csv")
            compilers.write_rows(path, perf.csv_text(found))
            self.assertEqual(perf.read_rows(path), found)


if __name__ == "__main__":
    unittest.main()

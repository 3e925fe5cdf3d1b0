# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the rules of ratchet.py: what is worse, what an update may write, and what every row must have."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import ratchet  # noqa: E402


def row(**cells):
    made = {**dict.fromkeys(ratchet.COLUMNS, ""), "kernel": "k", "arch": "sm_90", "kind": "wgmma", **cells}
    return {**made, "seal": ratchet.seal({k: str(v) for k, v in made.items()})}


LIMIT = row(per_tensor="22", wait="1", bars="1", spill="0", regs="168")
FOUND = {**LIMIT, "per_tensor": 22.0, "wait": 1, "bars": 1, "spill": 0, "regs": 168}


class Worse(unittest.TestCase):
    def test_equal_is_not_worse(self):
        self.assertEqual(ratchet.worse(FOUND, LIMIT), [])
        self.assertEqual(ratchet.compare([FOUND], [LIMIT]), ([], [], []))

    def test_each_figure(self):
        for name, value in {"per_tensor": 22.5, "wait": 0, "bars": 2, "spill": 4, "regs": 176}.items():
            (text,) = ratchet.worse({**FOUND, name: value}, LIMIT)
            self.assertTrue(text.startswith(f"{name} {value}, limit"), text)
        self.assertEqual(ratchet.worse({**FOUND, "in_flight": 100}, {**LIMIT, "in_flight": "200"}), ["in_flight 100, limit 200"])

    def test_bytes_in_flight(self):
        """The order of warps moves bytes in flight: a tenth less is not worse, a tenth more is not better, and without
        them nothing is compared."""
        limit = {**LIMIT, "in_flight": "200"}
        self.assertEqual(ratchet.worse({**FOUND, "in_flight": 181}, limit), [])
        self.assertEqual(ratchet.worse({**FOUND, "in_flight": 179}, limit), ["in_flight 179, limit 200"])
        self.assertEqual(ratchet.tightened({**FOUND, "in_flight": 219}, limit)["in_flight"], "200")
        self.assertEqual(ratchet.tightened({**FOUND, "in_flight": 221}, limit)["in_flight"], "221")
        self.assertEqual(ratchet.worse(FOUND, limit), [])

    def test_what_the_emulator_finds_is_a_fault(self):
        self.assertEqual(ratchet.compare([{**FOUND, "emulator": "race: k.ptx:7"}], [LIMIT])[0], ["k sm_90: the emulator: race: k.ptx:7"])

    def test_kinds(self):
        """A lower kind and a lost wait are worse; a higher kind has another loop, but its registers still count."""
        self.assertEqual(ratchet.worse({**FOUND, "kind": "mma", "per_tensor": 2, "wait": ""}, LIMIT), ["kind mma, limit wgmma"])
        self.assertEqual(ratchet.worse({**FOUND, "wait": ""}, LIMIT), ["wait -, limit 1"])
        self.assertEqual(ratchet.worse({**FOUND, "kind": "tcgen05", "per_tensor": 60, "wait": ""}, LIMIT), [])
        self.assertEqual(ratchet.worse({**FOUND, "kind": "refused"}, LIMIT), ["kind refused, limit wgmma"])

    def test_without_machine_code(self):
        """Only spills and registers are known, and only these are compared."""
        bare = {**dict.fromkeys(ratchet.COLUMNS, ""), "kernel": "k", "arch": "sm_90", "spill": 8, "regs": 10}
        self.assertEqual(ratchet.worse(bare, LIMIT), ["spill 8, limit 0"])

    def test_missing_row(self):
        self.assertEqual(len(ratchet.compare([{**FOUND, "kernel": "new"}], [LIMIT])[1]), 1)


class Writing(unittest.TestCase):
    def test_update_never_loosens(self):
        (new,) = ratchet.rewritten([{**FOUND, "regs": 160, "per_tensor": 25.0}], [LIMIT], False, "")
        self.assertEqual((new["regs"], new["per_tensor"], new["reason"]), ("160", "22", ""))

    def test_loosened_row_keeps_its_best_and_its_reason(self):
        (new,) = ratchet.rewritten([{**FOUND, "regs": 200, "bars": 0}], [LIMIT], True, "two accumulators")
        self.assertEqual((new["regs"], new["bars"], new["reason"]), ("200(168)", "0", "two accumulators"))
        (half,) = ratchet.rewritten([{**FOUND, "regs": 180}], [new], False, "")
        self.assertEqual((half["regs"], half["reason"]), ("180(168)", "two accumulators"))
        (back,) = ratchet.rewritten([{**FOUND, "regs": 160}], [half], False, "")
        self.assertEqual((back["regs"], back["reason"]), ("160", ""))

    def test_better_kind_brings_its_loop(self):
        (new,) = ratchet.rewritten([{**FOUND, "kind": "tcgen05", "per_tensor": 60.0, "wait": ""}], [LIMIT], False, "")
        self.assertEqual((new["kind"], new["per_tensor"], new["wait"]), ("tcgen05", "60", ""))
        (new,) = ratchet.rewritten([FOUND], [row(kind="refused")], False, "")
        self.assertEqual((new["kind"], new["per_tensor"], new["regs"]), ("wgmma", "22", "168"))

    def test_table(self):
        """A hand-written row, or a loosened one without a reason, is a fault."""
        self.assertEqual(ratchet.faults([LIMIT]), [])
        self.assertIn("edited by hand", ratchet.faults([{**LIMIT, "regs": "255"}])[0])
        self.assertIn("without a reason", ratchet.faults([row(regs="200(168)")])[0])

    def test_checked_in_table(self):
        rows = ratchet.read_table(os.path.join(ratchet.HERE, "limits.csv"))
        self.assertGreater(len(rows), 0)
        self.assertEqual(ratchet.faults(rows), [])


if __name__ == "__main__":
    unittest.main()

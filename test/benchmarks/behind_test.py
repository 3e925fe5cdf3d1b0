# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the rules of behind.py: what is behind, what the table admits, and what is written."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import behind  # noqa: E402


def row(**cells):
    return {"kernel": "k", "arch": "sm_90", "ok": 1, "sass": 100, "model_cycles": "", "spill_st": 0, "spill_ld": 0, "issue_kmac": "", "tensor_n": "", **cells}


def listed(**cells):
    return {"kernel": "k", "arch": "sm_90", "figure": "cycles", "ours": "120", "closed": "100", "ratio": "1.20", "reason": "", **cells}


class Behind(unittest.TestCase):
    def test_cycles_come_first(self):
        self.assertEqual(behind.behind(row(model_cycles=104, sass=900), row(model_cycles=100)), [])
        (found,) = behind.behind(row(model_cycles=120), row(model_cycles=100))
        self.assertEqual(found, listed())

    def test_instructions_where_the_model_has_none(self):
        (found,) = behind.behind(row(sass=130), row(model_cycles=100))
        self.assertEqual((found["figure"], found["ratio"]), ("sass", "1.30"))
        (found,) = behind.behind(row(issue_kmac=30), row(issue_kmac=20))
        self.assertEqual((found["figure"], found["ratio"]), ("loop", "1.50"))
        # A loop is not comparable with a kernel without tensor instructions.
        self.assertEqual(behind.behind(row(issue_kmac=30), row(sass=1)), [])

    def test_spills_and_refusals(self):
        (found,) = behind.behind(row(model_cycles=50, spill_st=8), row(model_cycles=100))
        self.assertEqual((found["figure"], found["ours"]), ("spill", "8"))
        self.assertEqual(behind.behind(row(spill_st=8), row(spill_ld=4)), [])
        (found,) = behind.behind(row(ok=0), row())
        self.assertEqual(found["figure"], "refused")
        self.assertEqual(behind.behind(row(ok=0), row(ok=0)), [])


class Table(unittest.TestCase):
    def test_what_passes(self):
        self.assertEqual(behind.compare([listed()], [listed()]), [])
        self.assertEqual(behind.compare([listed(ratio="1.22")], [listed()]), [])
        self.assertEqual(behind.compare([listed(ratio="1.10")], [listed()]), [])

    def test_what_does_not(self):
        self.assertEqual(behind.compare([listed()], []), ["k sm_90: cycles 120, closed 100, 1.20 times: new"])
        (text,) = behind.compare([listed(ratio="1.30")], [listed()])
        self.assertTrue(text.endswith("1.20 before"), text)
        spill = listed(figure="spill", ours="8", closed="0", ratio="")
        self.assertEqual(behind.compare([spill], [spill]), [])
        (text,) = behind.compare([{**spill, "ours": "16"}], [spill])
        self.assertTrue(text.endswith("8 before"), text)

    def test_update_only_shortens(self):
        measured = {("k", "sm_90")}
        better, worse = listed(ratio="1.10"), listed(ratio="1.30")
        self.assertEqual(behind.rewritten([], [listed()], measured), [])
        self.assertEqual(behind.rewritten([better], [listed(reason="why")], measured), [{**better, "reason": "why"}])
        self.assertEqual(behind.rewritten([worse], [listed()], measured), [listed()])
        self.assertEqual(behind.rewritten([worse], [], measured), [])
        # Rows that were not measured stay.
        self.assertEqual(behind.rewritten([], [listed()], set()), [listed()])

    def test_admit_takes_a_reason(self):
        worse = listed(ratio="1.30")
        self.assertEqual(behind.rewritten([worse], [listed()], {("k", "sm_90")}, "why"), [{**worse, "reason": "why"}])
        self.assertEqual(behind.rewritten([worse], [], {("k", "sm_90")}, "why"), [{**worse, "reason": "why"}])


class Published(unittest.TestCase):
    def test_every_row_has_a_reason(self):
        for row in behind.read_table(os.path.join(behind.HERE, "behind.csv")):
            self.assertEqual(list(row), behind.COLUMNS)
            self.assertTrue(row["reason"].strip(), behind.line(row))


if __name__ == "__main__":
    unittest.main()

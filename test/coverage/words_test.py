# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests words of hand-written PTX, and that a page is read as it is written."""

import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import coverage_table as coverage  # noqa: E402
import words  # noqa: E402


class Words(unittest.TestCase):
    def check(self, op, types, ptx, word):
        self.assertEqual(words.word(op, types, "\n".join("\t@%p1 " + line + ";" for line in ptx)), word, (op, types, ptx))

    def test_arithmetic(self):
        """The type of the instruction counts, scalar or packed."""
        self.check("addf", "bf16,bf16 -> bf16", ["fma.rn.bf16x2 %r1, %r2, %r3, %r4"], "native")
        self.check("addf", "bf16,bf16 -> bf16", ["cvt.f32.bf16 %f1, %h1", "add.rn.f32 %f1, %f2, %f3"], "emulated")
        self.check("addi", "i8,i8 -> i8", ["add.s16 %h1, %h2, %h3"], "emulated")
        self.check("addi", "i16,i16 -> i16", ["add.s16 %h1, %h2, %h3"], "native")
        self.check("divi", "i32 unsigned", ["div.u32 %r1, %r2, %r3"], "native")
        self.check("exp", "f32 -> f32", ["mul.f32 %f1, %f1, %f2", "ex2.approx.ftz.f32 %f1, %f1"], "emulated")
        self.check("exp2", "f32 -> f32", ["ex2.approx.ftz.f32 %f1, %f1"], "native")
        self.check("absf", "f16 -> f16", ["and.b32 %r1, %r1, 2147450879"], "native")

    def test_conversions(self):
        """A conversion counts if one instruction converts between the two types."""
        self.check("ftof", "f32 -> f8E4M3FN", ["cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2"], "native")
        self.check("ftof", "f64 -> f8E4M3FN", ["cvt.rn.f32.f64 %f1, %d1", "cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2"], "emulated")
        self.check("ftof", "f32 -> f64", ["cvt.f64.f32 %d1, %f1"], "native")
        self.check("itof", "i32 -> f32 unsigned", ["cvt.rn.f32.u32 %f1, %r1"], "native")
        self.check("itof", "i8 -> bf16 signed", ["cvt.rn.f32.s32 %f1, %r1", "cvt.rn.bf16.f32 %h1, %f1"], "emulated")

    def test_products(self):
        self.check("mmaf", "f16 x f16 -> f32 64x64x64", ["wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%f1}, %d1, %d2, 1, 1, 1, 0, 0"], "native")
        self.check("mmaf", "f8E4M3FN x f8E4M3FN -> f32 64x64x64", ["mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f1}"],
                   "emulated")
        self.check("mmaf", "f32 x f32 -> f32 16x16x16", ["fma.rn.f32 %f1, %f2, %f3, %f4"], "native")
        self.check("mmaf", "f16 x f16 -> f32 64x64x64", ["tcgen05.mma.cta_group::1.kind::f16 [%r1], %d1, %d2, %r2, %p1"], "native")

    def test_memory(self):
        self.check("atomic_rmw_tko", "bf16 addf relaxed device", ["atom.global.cas.b32 %r1, [%d1], %r2, %r3"], "emulated")
        self.check("atomic_rmw_tko", "f32 addf acquire device", ["red.gpu.global.add.f32 [%d1], %f1"], "native")
        self.check("atomic_cas_tko", "i32 relaxed device", ["atom.relaxed.gpu.global.cas.b32 %r1, [%d1], %r2, %r3"], "native")
        self.check("permute", "16x32xf16 -> 32x16", ["st.shared.b16 [%r1], %h1"], "native")

    def test_reductions(self):
        self.check("reduce", "f32 addf", ["add.rn.f32 %f1, %f2, %f3"], "native")
        self.check("scan", "i8 addi", ["add.s16 %h1, %h2, %h3"], "emulated")
        self.check("reduce", "f32 length 2^10", ["add.rn.f32 %f1, %f2, %f3"], "native")


class Page(unittest.TestCase):
    FOUND = {
        ("addf", "f32,f32 -> f32"): (dict.fromkeys(coverage.TARGETS, "native"), ""),
        ("addf", "f16,f16 -> f16"): (dict.fromkeys(coverage.TARGETS, "native"), ""),
        ("addf", "bf16,bf16 -> bf16"): ({**dict.fromkeys(coverage.TARGETS, "native"), "sm_80": "emulated"}, ""),
        ("addf", "i1,i1 -> i1"): (dict.fromkeys(coverage.TARGETS, coverage.REFUSED), "'cuda_tile.addf' op operand #0 must be a | b"),
    }
    FAULTS = {("mmaf", "f32 x f32 -> f32 256x128x64"): ("sm_89 sm_120a", "no | memory")}

    def test_round_trip(self):
        with tempfile.NamedTemporaryFile("w+", suffix=".md") as out:
            out.write(coverage.page(self.FOUND, self.FAULTS))
            out.flush()
            found, faults = coverage.read_page(out.name)
        self.assertEqual(found, self.FOUND)
        self.assertEqual(faults, self.FAULTS)
        self.assertIn("| f16,f16 -> f16; f32,f32 -> f32 | native |", coverage.page(self.FOUND, {}))

    def test_other_columns(self):
        """A page of other targets has no word of those that it does not name."""
        with tempfile.NamedTemporaryFile("w+", suffix=".md") as out:
            one = {("addf", "f32,f32 -> f32"): ({"sm_80": "native"}, "")}
            out.write(coverage.page(one, {}))
            out.flush()
            self.assertEqual(coverage.read_page(out.name)[0], one)

    def test_checked_in_page(self):
        """No other word, no empty cell, and every row that is not a fault; sm_107a alone lacks some rows of large tiles."""
        found, faults = coverage.read_page(os.path.join(HERE, "..", "..", "docs", "measurements", "coverage.md"))
        for row, (by_target, rule) in found.items():
            cells = by_target.values()
            self.assertLessEqual(set(coverage.TARGETS) - set(by_target), {"sm_107a"} if words.is_larger(row[1], 13) else set(), row)
            self.assertLessEqual(set(cells), {"native", "emulated", coverage.REFUSED}, row)
            self.assertEqual(coverage.REFUSED in cells, bool(rule), row)
        self.assertGreater(len(found), 2000)

    def test_every_type_is_asked(self):
        rows = set(coverage.all_rows())
        self.assertLessEqual({("absf", "%s -> %s" % (e, e)) for e in coverage.ELEMENTS}, rows)


if __name__ == "__main__":
    unittest.main()

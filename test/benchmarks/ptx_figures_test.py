# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests ptx_figures.py on hand-written PTX: pipelines of mbarriers and of groups, layouts in descriptors."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import ptx_figures  # noqa: E402

LOAD = "cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%r9], [%d9, {%r1, %r2}], [%r8];\n"
WAIT = "W: mbarrier.try_wait.parity.shared.b64 %p0, [%r7], %r6;\n"


def inits(offsets, base="%r5"):
    return "".join(f"@%p1 mbarrier.init.shared.b64 [{base}+{n}], 1;\n" for n in offsets)


class Stages(unittest.TestCase):
    def stages(self, ptx):
        return ptx_figures.figures(ptx)["stages"]

    def test_groups(self):
        """Expects one more than the deepest wait leaves in flight; without copies there is no pipeline."""
        self.assertEqual(self.stages("cp.async.wait_group 3;\ncp.async.wait_group 0;\n"), 4)
        self.assertEqual(self.stages("mov.u32 %r1, 3; cp.async.wait_group 0x1; // cp.async.wait_group 7;\n"), 2)
        self.assertEqual(self.stages("ld.global.u32 %r1, [%d1];\n"), "")

    def test_pairs_of_barriers(self):
        """Expects the distance of alternately initialized full and empty mbarriers, and the smaller of two
        pipelines."""
        pipeline = inits([0, 40, 8, 48, 16, 56, 24, 64, 32, 72])
        self.assertEqual(self.stages(pipeline + LOAD), 5)
        self.assertEqual(self.stages(pipeline + inits([80, 104, 88, 112, 96, 120]) + LOAD), 3)
        self.assertEqual(self.stages(pipeline), "", "nothing is loaded through them")

    def test_row_of_barriers(self):
        """Expects a run of mbarriers to be a pipeline if waits index it by address."""
        row = inits([0, 8, 16])
        self.assertEqual(self.stages(row + LOAD + WAIT), 3)
        self.assertEqual(self.stages(row + LOAD + WAIT.replace("[%r7]", "[bars+8]")), "")

    def test_addresses_in_registers(self):
        """Handles Triton's addition of each mbarrier's offset to the base of shared memory."""
        row = "".join(f"add.s32 %r1{n}, %r3, {64 + 8 * n};\nmbarrier.init.shared::cta.b64 [%r1{n}], 1;\n" for n in range(4))
        self.assertEqual(self.stages(row + LOAD + WAIT), 4)

    def test_store_is_no_pipeline(self):
        store = "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%d9, {%r1, %r2}], [%r9];\n"
        self.assertEqual(self.stages(inits([0, 8]) + store + WAIT), "")


class Swizzle(unittest.TestCase):
    def swizzle(self, ptx):
        return ptx_figures.figures(ptx)["swizzle"]

    WGMMA = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, %d4, %d5, %p1, 1, 1, 0, 0;\n"

    def test_wgmma(self):
        """Reads bits 62 and 63, in decimal, in hexadecimal and as a negative number; through additions."""
        self.assertEqual(self.swizzle("or.b64 %d4, %d1, 4611686293305360384;\nor.b64 %d5, %d2, -0x7fffffbfffff0000;\n" + self.WGMMA), "128 64")
        self.assertEqual(self.swizzle("or.b64 %d1, %d0, 0xC000004000010000;\nadd.s64 %d4, %d1, 2;\nadd.s64 %d5, %d1, %d2;\n" + self.WGMMA), "32")
        self.assertEqual(self.swizzle("or.b64 %d4, %d0, 0x0000004000010000;\n" + self.WGMMA), "")

    def test_halves(self):
        """Reads a descriptor composed of two words; a loop that adds to itself terminates."""
        self.assertEqual(self.swizzle("mov.b32 %r2, 1073741888;\nmov.b64 %d4, {%r1, %r2};\nadd.s64 %d4, %d4, 2;\n" + self.WGMMA), "128")

    def test_registers_have_none(self):
        product = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0,%f1}, {%r1,%r2,%r3,%r4}, %d5, %p1, 1, 1, 0;\n"
        self.assertEqual(self.swizzle("or.b64 %d5, %d0, 0x8000004000010000;\n" + product), "64")

    def test_tcgen05(self):
        """Reads bits 61 to 63; other contents of the register do not matter."""
        product = "tcgen05.mma.cta_group::1.kind::f16 [%r9], %d4, %d5, %r8, %p1;\n"
        hint = "mov.b64 %d9, 0x12F0000000000000;\n"
        self.assertEqual(self.swizzle(hint + "or.b64 %d4, %d1, 0x4000404000010000;\nor.b64 %d5, %d2, 0x8000404000010000;\n" + product), "128 64")
        self.assertEqual(self.swizzle("or.b64 %d4, %d1, 0x2000404000010000;\n" + product), "128b")


if __name__ == "__main__":
    unittest.main()

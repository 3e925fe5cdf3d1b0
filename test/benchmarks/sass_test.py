# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sass.py and what it reads, on three texts of nvdisasm whose instructions were counted by hand.

sass/*.sass are what nvdisasm 13.5.37 printed of ptxas 13.5.37's output for sass/*.ptx, code and attributes only.
"""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import machine_code  # noqa: E402
import sass  # noqa: E402
import targets  # noqa: E402

TABLE = targets.find()


def kernel(name):
    with open(os.path.join(HERE, "sass", name + ".sass")) as text:
        (found,) = sass.kernels(text.read(), TABLE)
    return found


class HandCounted(unittest.TestCase):
    def check(self, row, **expected):
        self.assertEqual({k: row[k] for k in expected}, expected)

    def test_wgmma_pipeline(self):
        """Finds one loop; the retry block of its mbarrier wait follows EXIT and is a loop in it."""
        found = kernel("wgmma_ring")
        loop, retry = found.loop_rows()
        # 0xa0 to 0x170 are 14, the retry block 0x1e0 to 0x200 is 3.
        self.check(loop, loop="0xa0", depth=1, sass=17, tensor=2, tensor_kind="HGMMA.64x8x16.F32*2", mma_wait=1, cp_wait="")
        self.check(loop, syncs=2, mbar=2, bar=0, address=1, move=0, fp32=0, ldg=0, stg=0)
        self.check(retry, loop="0x1e0", depth=2, sass=2, tensor=0, mma_wait="", syncs=1)
        self.assertEqual([sass.is_retry(loop), sass.is_retry(retry)], [False, True])
        # 0x0 to 0x210. By registers: 32 * 128 threads of 65536.
        self.check(found.row(), kernel="wgmma_ring", arch="sm_90a", sass=34, regs=30, stack=0, smem=10240, threads=128, ctas_sm=16)
        self.check(found.row(), mma_wait=1, hot_sass=17, hot_tensor=2, fp_loop="", stg="128:1", mbar=2, local=0, ws=0, setmaxreg="")

    def test_mma_nest(self):
        """Finds two loops; instructions of the inner loop count in the outer one, too."""
        found = kernel("mma_nest")
        outer, inner = found.loop_rows()
        # 0xf0 to 0x240. Three of the four LDS and two of the five UIADD3 are never executed but occupy issue slots.
        self.check(inner, loop="0xf0", depth=2, sass=22, tensor=2, tensor_kind="HMMA.16816.F32*2", mma_wait="", cp_wait=1)
        self.check(inner, ldsm=1, ldgsts=1, lds=4, bar=1, address=5, move=4, red=0, stg=0)
        # 0x80 to 0x2a0 without the NOP at 0x250.
        self.check(outer, loop="0x80", depth=1, sass=34, tensor=2, ldgsts=1, red=1, stg=1, bar=1)
        self.check(found.row(), sass=44, smem=4096, threads=32, ctas_sm=32, cp_async="128:1", lds="64:1 32:3 M:1", stg="128:1", atom=1)
        self.check(found.row(), hot_sass=22, hot_tensor=2)

    def test_row_divide(self):
        """A loop with a call: the called function counts in the kernel, not in the loop."""
        found = kernel("row_divide")
        (loop,) = found.loop_rows()
        # 0xb0 to 0x280; FFMA at 140 150 1b0 1d0 1e0 1f0, FMUL at 180 1a0.
        self.check(loop, loop="0xb0", depth=1, sass=30, fp32=8, mufu=2, shfl=1, ldg=2, ldl=1, stl=1, bssy=1)
        self.check(loop, address=4, move=2, bar=0, membar=0, red=0, tensor=0)
        row = found.row()
        self.check(row, stack=1024, threads=64, smem=1056, ctas_sm=32, fp_loop="30/8/2/1", hot_sass=30, hot_tensor=0)
        self.check(row, ldg="128:1 16:1", stg="32:1 16:1", local=2, lds="32:1", sts="32:1", bar=1, shfl=1, atom=1)
        self.assertEqual(row["sass"], 161)  # 0x0 to 0xa00

    def test_text_without_attributes(self):
        """Checks that `nvdisasm -c`, without registers, leaves those columns empty."""
        with open(os.path.join(HERE, "sass", "mma_nest.sass")) as text:
            code = text.read()
        code = code[: code.index("//-----")] + code[code.index("//--------------------- .text") :]
        (found,) = sass.kernels(code, TABLE)
        self.check(found.row(), sass=44, regs="", threads="", ctas_sm="", hot_sass=22)


class ControlFlow(unittest.TestCase):
    def function(self, lines):
        text = "//----- .text.f -----\n" + "\n".join(lines) + "\n"
        (found,) = machine_code.Module(text).functions
        return found

    def test_branch_table_and_called_loop(self):
        """A branch table has its listed targets; a loop in a called function is found, too."""
        function = self.function([
            "f:",
            "        /*0000*/                   BRX R2 -0x10    (*\"BRANCH_TARGETS .L_x_1,.L_x_2\"*);",
            ".L_x_1:",
            "        /*0010*/                   CALL.REL.NOINC `(.L_x_3) ;",
            "        /*0020*/                   EXIT ;",
            ".L_x_2:",
            "        /*0030*/              @P0 BRA `(.L_x_2) ;",
            "        /*0040*/                   EXIT ;",
            ".L_x_3:",
            "        /*0050*/                   BRA.U UP0, `(.L_x_3) ;",
            "        /*0060*/                   RET.REL.NODEC R4 `(f) ;",
        ])
        self.assertEqual(function.blocks[0].successors, [1, 3])
        heads = [function.instructions[function.blocks[l.header].first].address for l in function.loops]
        self.assertEqual(heads, [0x30, 0x50])

    def test_irreducible_region_is_no_loop(self):
        """Two entries into a cycle: no block dominates the other, so it is not a natural loop."""
        function = self.function([
            "f:",
            "        /*0000*/              @P0 BRA `(.L_x_2) ;",
            ".L_x_1:",
            "        /*0010*/                   FADD R1, R1, R1 ;",
            ".L_x_2:",
            "        /*0020*/              @P1 BRA `(.L_x_1) ;",
            "        /*0030*/                   EXIT ;",
        ])
        self.assertEqual(function.loops, [])


class Occupancy(unittest.TestCase):
    def test_each_limit(self):
        """Limits by registers, threads, blocks and shared memory in order; 1 KiB per block is reserved, 128 bytes the
        granule."""
        self.assertEqual(TABLE.ctas_per_sm("sm_90", 168, 128, 0), 3)
        self.assertEqual(TABLE.ctas_per_sm("sm_90", 16, 1024, 0), 2)
        self.assertEqual(TABLE.ctas_per_sm("sm_120", 16, 1024, 0), 1)
        self.assertEqual(TABLE.ctas_per_sm("sm_80", 16, 32, 0), 32)
        self.assertEqual(TABLE.ctas_per_sm("sm_120a", 40, 128, 9228 - 1024), 10)
        self.assertEqual(TABLE.ctas_per_sm("sm_100a", 128, 256, 115836 - 1024), 2)
        with self.assertRaises(ValueError):
            TABLE.ctas_per_sm("sm_42", 16, 32, 0)


if __name__ == "__main__":
    unittest.main()

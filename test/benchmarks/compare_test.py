# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the arithmetic of compare.py, and a whole comparison of two scripted compilers."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compare  # noqa: E402
import compilers  # noqa: E402

PTX = """.version 9.0
.target sm_90a
.visible .entry k() .reqntid 128 .minnctapersm 1 {
  ld.global.v4.b32 {%r1,%r2,%r3,%r4}, [%rd1]; // ld.global.b32 in a comment
  @%p1 ld.global.b32 %r1, [%rd1];
  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f1};
  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f1};
  st.global.b32 [%rd1], %r1;
  bar.sync 0;
}
"""
COMPILER = """#!/bin/sh
cat > "$3.ptx" <<'END'
{ptx}END
"{ptxas}" -arch sm_90a "$3.ptx" -o "$3" || exit 5
rm "$3.ptx"
"""
PTXAS = """#!/bin/sh
case "$*" in *-v*) echo "info: 8 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads
info: Used 40 registers, 1024 bytes smem" ;; esac
while [ "$1" != -o ]; do shift; done
echo product > "$2"
"""


class CompareTest(unittest.TestCase):
    def test_ptx_facts(self):
        self.assertEqual(compilers.ptx_facts(PTX), {"ptx_lines": 10, "min_ctas": "1"})
        self.assertEqual(compilers.ptx_facts("// a comment\n\n  .loc 1 2 3\n ret;\n"), {"ptx_lines": 1, "min_ctas": ""})

    def test_times(self):
        with tempfile.NamedTemporaryFile("w", suffix=".log") as log:
            log.write("wall 10.0 12.5\n0m0.100000s 0m0.1s\n1m1.500000s 0m0.25s\n")
            log.flush()
            self.assertEqual(compilers.ptxas_cost(log.name), (2.5, 61.75))
        self.assertEqual(compilers.ptxas_cost("/nonexistent"), (0.0, 0.0))

    def test_geomean(self):
        self.assertAlmostEqual(compare.geomean([1, 4]), 2)

    def test_whole(self):
        with tempfile.TemporaryDirectory() as d:
            def script(name, text):
                with open(os.path.join(d, name), "w") as out:
                    out.write(text)
                os.chmod(out.name, 0o755)
                return out.name
            ptxas = script("ptxas", PTXAS)
            good = script("good", COMPILER.format(ptx=PTX, ptxas="$TILEIR_PTXAS_PATH"))
            bad = script("bad", "#!/bin/sh\necho 'error: not today' >&2\nexit 5\n")
            kernel = script("k.tileirbc", "")
            sides = [compilers.Compiler("ours", good, ptxas, os.path.join(d, "a"), False),
                     compilers.Compiler("closed", bad, ptxas, os.path.join(d, "b"), True)]
            ours, closed = compare.measure(sides, [kernel], ["sm_90"], 3, 2, None, 10, False)
            self.assertEqual((ours["ok"], ours["regs"], ours["spill_st"], ours["spill_ld"], ours["stack"], ours["sass"],
                              ours["kernel"]), (1, 40, 12, 16, 8, "", "k"))
            self.assertGreater(ours["ptxas_s"], 0)
            self.assertEqual((closed["ok"], closed["rc"], closed["error"]), (0, 5, "error: not today"))
            self.assertIn("1 of 1 by ours, 0 by closed, 0 by both", compare.summary([ours, closed], "ours", "closed"))


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The arithmetic of growth.py: exponents, what counts as a fault, and that a known fault may not be mended unnoticed."""

import os
import sys
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import growth  # noqa: E402
import growth_inputs  # noqa: E402


class Growth(unittest.TestCase):
    def test_fit(self):
        self.assertEqual([round(x, 3) for x in growth.fit([(10, 100), (20, 200), (40, 800)])], [1.0, 2.0])
        self.assertEqual(growth.fit([(1, 50), (2, 50)]), [0.0])
        self.assertEqual(growth.fit([(1, 50)]), [])

    def test_verdict(self):
        linear, square = [(10, 100), (20, 200)], [(10, 100), (20, 400)]
        with mock.patch.object(growth, "KNOWN", {"nest": "ordering"}):
            self.assertIsNone(growth.verdict("loads", linear, None))
            self.assertIn("exponent 2.00 > 1.25", growth.verdict("loads", square, None))
            self.assertIn("refused", growth.verdict("loads", linear, "refused"))
            self.assertIsNone(growth.verdict("nest", square, None))
            self.assertIsNone(growth.verdict("nest", linear, "stopped"))
            self.assertIn("mended", growth.verdict("nest", linear, None))
            self.assertIn("one point", growth.verdict("loads", linear[:1], None))

    def test_known_faults_are_series(self):
        self.assertLessEqual(set(growth.KNOWN), set(growth.TESTED))
        self.assertLessEqual(set(growth.TESTED), set(growth.SERIES))

    def test_inputs_grow(self):
        """What a size counts is in the text that often."""
        self.assertEqual(growth_inputs.nested(24).count("for %i"), 24)
        self.assertEqual(growth_inputs.tokens(1000).count("join_tokens"), 999)
        self.assertEqual(growth_inputs.kernels(7).count("entry @"), 7)
        self.assertIn("tile<4194304xf32>", growth_inputs.tile(4194304))


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the arithmetic of growth.py: exponents, what counts as a fault, and that a known fault cannot be fixed
unnoticed."""

import os
import sys
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import growth  # noqa: E402
import growth_inputs  # noqa: E402


class Growth(unittest.TestCase):
    def test_exponents(self):
        self.assertEqual([round(x, 3) for x in growth.steps([(10, 100), (20, 200), (40, 800)])], [1.0, 2.0])
        self.assertEqual(growth.steps([(1, 50), (2, 50)]), [0.0])
        self.assertEqual(growth.steps([(1, 50)]), [])
        self.assertAlmostEqual(growth.fit([(10, 100), (20, 200), (40, 800)]), 1.5)
        self.assertAlmostEqual(growth.fit([(2, 12), (4, 48), (32, 3072)]), 2)
        self.assertIsNone(growth.fit([(1, 50)]))

    def test_verdict(self):
        def points(blocks, visits):
            return [(10, {"blocks": 100, "visits": 100}), (20, {"blocks": blocks, "visits": visits})]

        linear = points(200, 200)
        with mock.patch.object(growth, "KNOWN", {"nest": "ordering"}):
            self.assertIsNone(growth.verdict("loads", linear, None))
            self.assertEqual(growth.verdict("loads", points(400, 200), None), "loads: exponent of blocks 2.00 > 1.25")
            self.assertEqual(growth.verdict("loads", points(200, 800), None), "loads: exponent of visits 3.00 > 1.25")
            self.assertIn("refused", growth.verdict("loads", linear, "refused"))
            self.assertIsNone(growth.verdict("nest", points(200, 400), None))
            self.assertIsNone(growth.verdict("nest", linear, "stopped"))
            self.assertIn("mended (blocks 1.00, visits 1.00)", growth.verdict("nest", linear, None))
            self.assertIn("one size", growth.verdict("loads", linear[:1], None))

    def test_what_outgrows_is_stopped(self):
        """Each size may count a multiple of the bound from the previous size; nothing follows a stopped one."""
        asked = []

        class Doubling:
            def count(self, code, text, most):
                asked.append(most)
                number = {"blocks": 10 ** len(asked), "visits": 5}
                return (number, None) if number["blocks"] <= most else (None, f"counts more than {int(most)}")

        class Names:
            def paths(self, series, size):
                return f"{series}.{size}", ""

        with mock.patch.object(growth, "SERIES", {"s": ([1, 2, 4, 8], "")}), mock.patch.object(growth, "CEILING", 5):
            points, why = growth.measure(Doubling(), Names(), "s", {"blocks": 1, "visits": 1})
            self.assertEqual(points, [(1, {"blocks": 9, "visits": 4}), (2, {"blocks": 99, "visits": 4}), (4, {"blocks": 999, "visits": 4}),
                                      (8, {"blocks": 9999, "visits": 4})])
            self.assertIsNone(why)
            self.assertAlmostEqual(asked[2], 5 * 2**1.25 * 100)
        asked.clear()
        with mock.patch.object(growth, "SERIES", {"s": ([1, 2, 4, 8], "")}), mock.patch.object(growth, "CEILING", 2):
            points, why = growth.measure(Doubling(), Names(), "s", {"blocks": 1, "visits": 1})
            self.assertEqual((len(points), why), (1, f"s.2: counts more than {int(2 * 2**1.25 * 10)}"))

    def test_known_faults_are_series(self):
        self.assertLessEqual(set(growth.KNOWN), set(growth.SERIES))
        self.assertLessEqual(set(growth.BOUNDS), set(growth.SERIES))

    def test_bound_of_a_series(self):
        points = [(10, {"blocks": 100, "visits": 100}), (20, {"blocks": 150, "visits": 100})]
        with mock.patch.object(growth, "BOUNDS", {"tile": 0.25}), mock.patch.object(growth, "KNOWN", {}):
            self.assertEqual(growth.verdict("tile", points, None), "tile: exponent of blocks 0.58 > 0.25")
            self.assertIsNone(growth.verdict("loads", points, None))

    def test_inputs_grow(self):
        """Checks that the size appears in the text that often."""
        self.assertEqual(growth_inputs.nested(24).count("for %i"), 24)
        self.assertEqual(growth_inputs.tokens(1000).count("join_tokens"), 999)
        self.assertEqual(growth_inputs.kernels(7).count("entry @"), 7)
        self.assertIn("tile<4194304xf32>", growth_inputs.tile(4194304))


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PK-11, PK-12: kernels of cuTile on host arrays: arguments of launches, and locations of findings."""
import importlib.util
import inspect
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import cuda.tile as ct
import numpy as np

import tileir


@ct.kernel
def copy(a, b, m: ct.Constant[int], n: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    ct.store(b, (i, j), ct.load(a, (i, j), (m, n)))


@ct.kernel
def scale(x, by, out, n: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(out, (i,), (ct.load(x, (i,), (n,)) * by).astype(out.dtype))


@ct.kernel
def sum_pair(pair, out, n: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(out, (i,), ct.load(pair[0], (i,), (n,)) + ct.load(pair[1], (i,), (n,)))


@ct.kernel
def choose(arrays, which, out, n: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(out, (i,), ct.load(arrays[which], (i,), (n,)))


@ct.kernel
def say(limit):
    ct.printf("block %d\n", ct.bid(0))
    ct.assert_(ct.bid(0) < limit, "too many")


# Planted faults; FAULT marks the line that the exception has to name.
@ct.kernel
def pick(table, index, out, n: ct.Constant[int]):
    i = ct.bid(0) * n + ct.arange(n, dtype=ct.int32)
    which = ct.gather(index, i)
    v = ct.gather(table, which, check_bounds=False)  # FAULT
    ct.scatter(out, i, v)


@ct.kernel
def overwrite(x, out, n: ct.Constant[int]):
    t = ct.load(x, (ct.bid(0),), (n,))
    ct.store(out, (0,), t)  # FAULT


@ct.kernel
def accumulate(x, out, n: ct.Constant[int]):
    i = ct.bid(0)
    t = ct.load(x, (i,), (n,))
    old = ct.load(out, (i,), (n,))  # FAULT
    ct.store(out, (i,), t + old)


@ct.kernel
def wait(flag, out):
    while ct.atomic_add(flag, 0, 0) == 0:  # FAULT
        pass
    ct.scatter(out, 0, 1)


def random(*shape, dtype=np.float32):
    return np.random.default_rng(1).random(shape).astype(dtype)


class Arguments(unittest.TestCase):
    def test_views(self):
        x, y = random(64, 64), np.zeros((64, 64), np.float32)
        want = y.copy()
        want[1:33, 3:35] = x[::2, ::2]
        tileir.launch((2, 2), copy, (x[::2, ::2], y[1:33, 3:35], 16, 16))
        np.testing.assert_array_equal(y, want)
        z = np.zeros((64, 32), np.float32)
        tileir.launch((4, 2), copy, (x[:32].T, z, 16, 16))
        np.testing.assert_array_equal(z, x[:32].T)

    def test_aliases(self):
        x = random(64, 32)
        want = x.copy()
        want[:, 16:] = want[:, :16]
        tileir.launch((4, 1), copy, (x[:, :16], x[:, 16:], 16, 16))
        np.testing.assert_array_equal(x, want)

    def test_types(self):
        for dtype in ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64"):
            with self.subTest(dtype=dtype):
                x = (random(32, 32) * 9).astype(dtype)
                y = np.zeros_like(x)
                tileir.launch((2, 2), copy, (x, y, 16, 16))
                np.testing.assert_array_equal(x, y)

    def test_ml_dtypes(self):
        try:
            import ml_dtypes
        except ImportError:
            self.skipTest("no ml_dtypes")
        for dtype in (ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2):
            x = random(32, 32).astype(dtype)
            y = np.zeros_like(x)
            tileir.launch((2, 2), copy, (x, y, 16, 16))
            np.testing.assert_array_equal(x.view(np.uint8), y.view(np.uint8))

    def test_numbers_names_tuples_lists(self):
        x, y = random(64), random(64) + 1
        out = tileir.empty(64)
        tileir.launch(4, scale, {"x": x, "by": 2.5, "out": out, "n": 16})
        np.testing.assert_array_equal(out, x * np.float32(2.5))
        tileir.launch(4, sum_pair, ((x, y), out, 16))
        np.testing.assert_array_equal(out, x + y)
        tileir.launch(4, choose, ([x, y, x], 1, out, 16))
        np.testing.assert_array_equal(out, y)
        # An empty array: all of its elements are outside.
        tileir.launch(1, scale, (np.zeros(0, np.float32), 1.0, np.zeros(0, np.float32), 16))

    def test_printed_and_assert(self):
        self.assertEqual(tileir.launch(1, say, (1,)).printed, "block 0\n")
        with self.assertRaises(tileir.AssertError) as caught:
            tileir.launch(2, say, (1,))
        self.assertIsInstance(caught.exception, AssertionError)

    def test_refused(self):
        with self.assertRaisesRegex(tileir.LaunchError, "'a' has a negative stride"):
            tileir.launch((2, 2), copy, (random(32, 32)[::-1], random(32, 32), 16, 16))
        with self.assertRaises(TypeError):
            tileir.compile(copy)


class Compiled(unittest.TestCase):
    def test_signature(self):
        x, out = random(64), tileir.empty(64)
        kernel = tileir.compile(scale, "sm_120", signature=(x, 1.0, out, 16))
        self.assertEqual((kernel.title, kernel.gpu), ("scale", "sm_120"))
        self.assertTrue(any(r.file.endswith("cutile_test.py") for r in kernel.remarks))
        self.assertEqual(tileir.launch(4, kernel, (x, 3.0, out, 16)).gpu, "sm_120")
        np.testing.assert_array_equal(out, x * 3)
        with self.assertRaisesRegex(tileir.LaunchError, "compiled for arguments of other types"):
            tileir.launch(4, kernel, (x, 3.0, out, 32))


class Emulated(unittest.TestCase):
    def test_unmodified_launch(self):
        x, out = random(64), tileir.empty(64)
        with self.assertRaisesRegex(RuntimeError, "no GPU is emulated here"):
            ct.launch(0, (4,), scale, (x, 2.0, out, 16))
        for gpu in tileir.GPUS:
            with self.subTest(gpu=gpu), tileir.emulate(gpu) as emulated:
                out[:] = 0
                ct.launch(0, (4,), scale, (x, 2.0, out, 16))
                np.testing.assert_array_equal(out, x * 2)
                self.assertEqual((emulated.last_run.gpu, tileir.emulated_gpu()), (gpu, gpu))
        self.assertIsNone(tileir.emulated_gpu())


TESTS = """
import cuda.tile as ct
import numpy as np
import pytest
import tileir
from cutile_test import scale

def run():
    x, out = np.ones(64, np.float32), tileir.empty(64)
    ct.launch(0, (4,), scale, (x, 2.0, out, 16))
    assert (out == 2).all()

@pytest.mark.tileir
def test_all(tileir_gpu):
    assert tileir.emulated_gpu() == tileir_gpu
    run()

@pytest.mark.tileir("sm_120", checks="none")
def test_one():
    assert tileir.emulated_gpu() == "sm_120"
    run()

@pytest.mark.parametrize("gpu", tileir.GPUS)
def test_parameter(gpu, tileir_gpu):
    assert gpu == tileir_gpu
    run()
"""


class Plugin(unittest.TestCase):
    def test_generations(self):
        if importlib.util.find_spec("pytest") is None:
            self.skipTest("no pytest")
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "test_it.py").write_text(TESTS, encoding="utf-8")
            here = os.path.dirname(os.path.abspath(__file__))
            done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "tileir.pytest_plugin", "-p", "no:cacheprovider", folder], text=True,
                                  env=dict(os.environ, PYTHONPATH=os.environ["PYTHONPATH"] + ":" + here), stdout=subprocess.PIPE, check=False)
        self.assertIn("9 passed", done.stdout)


class Findings(unittest.TestCase):
    def fault(self, kernel):
        """Returns file and line of the planted fault."""
        lines, first = inspect.getsourcelines(kernel._pyfunc)
        return inspect.getsourcefile(kernel._pyfunc), first + next(k for k, line in enumerate(lines) if "# FAULT" in line)

    def check(self, error, kernel, grid, make_args, array=None, index=None):
        for gpu in tileir.GPUS:
            with self.subTest(gpu=gpu), self.assertRaises(error) as caught:
                tileir.launch(grid, kernel, make_args(), gpu)
            found = caught.exception
            self.assertEqual((found.file, found.line), self.fault(kernel))
            self.assertTrue(str(found).startswith(f"{found.file}:{found.line}: "), str(found))
            if array:
                self.assertEqual((found.array, found.index), (array, index))

    def test_bounds(self):
        index = np.arange(64, dtype=np.int32)
        index[37] = 70
        self.check(tileir.BoundsError, pick, 4, lambda: (random(64), index, np.zeros(64, np.float32), 16))

    def test_race(self):
        self.check(tileir.RaceError, overwrite, 4, lambda: (random(64), np.zeros(16, np.float32), 16), "out", 0)

    def test_uninitialized(self):
        self.check(tileir.UninitializedError, accumulate, 4, lambda: (random(64), tileir.empty(64), 16))

    def test_deadlock(self):
        self.check(tileir.DeadlockError, wait, 1, lambda: (np.zeros(1, np.int32), np.zeros(1, np.int32)))


if __name__ == "__main__":
    unittest.main(argv=["cutile_test"])

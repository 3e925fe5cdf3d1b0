# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PK-10, PK-11, PK-14: compile and launch Tile IR on NumPy arrays."""
import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import numpy as np

import tileir

ADD = """\
cuda_tile.module @kernels {
  entry @add(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %out: tile<ptr<f32>>, %n: tile<i32>, %by: tile<f32>) {
    %t = make_token : token
    %av = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %bv = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %ov = make_tensor_view %out, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %ap = make_partition_view %av : partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>
    %bp = make_partition_view %bv : partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>
    %op = make_partition_view %ov : partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %l, %t1 = load_view_tko weak %ap[%x] token = %t : partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<128xf32>, token
    %r, %t2 = load_view_tko weak %bp[%x] token = %t : partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<128xf32>, token
    %s = addf %l, %r : tile<128xf32>
    %one = reshape %by : tile<f32> -> tile<1xf32>
    %all = broadcast %one : tile<1xf32> -> tile<128xf32>
    %p = mulf %s, %all : tile<128xf32>
    %t3 = store_view_tko weak %p, %op[%x] token = %t : tile<128xf32>, partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
"""

# A block counts to its second argument.
SLOW = """\
cuda_tile.module @kernels {
  entry @slow(%out: tile<ptr<i32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %sum = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%s = %zero) -> (tile<i32>) {
      %x = xori %s, %i : tile<i32>
      %y = muli %x, %i : tile<i32>
      continue %y : tile<i32>
    }
    %x, %y, %z = get_tile_block_id : tile<i32>
    %p = offset %out, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t = store_ptr_tko weak %p, %sum : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
"""

HAS_PTXAS = "\nptxas 1" in "\n" + subprocess.run([tileir.program("tileir-config"), "--check"], stdout=subprocess.PIPE, text=True, check=False).stdout


def arrays(n=1000):
    rng = np.random.default_rng(1)
    return rng.random(n, np.float32), rng.random(n, np.float32), tileir.empty(n)


class Compile(unittest.TestCase):
    def test_products(self):
        kernel = tileir.compile(ADD, "sm_90")
        self.assertIn(".visible .entry add(", kernel.ptx)
        self.assertIn("define ", kernel.llir)
        self.assertIn("entry @add(", kernel.tile_ir())
        self.assertEqual((kernel.name, kernel.gpu, kernel.cluster, kernel.tensor_columns), ("add", "sm_90", (1, 1, 1), 0))
        self.assertEqual(kernel.threads[1:], (1, 1))
        self.assertEqual(kernel.num_warps * 32, kernel.threads[0])
        self.assertEqual([p["type"] for p in kernel.parameters], ["ptr", "ptr", "ptr", "i32", "f32"])
        self.assertEqual(kernel.metadata["target"], "sm_90a")
        warps = next(r for r in kernel.remarks if r.name == "NumWarps")
        self.assertEqual((warps.kind, warps.category, warps.function, warps.numbers["Warps"]), ("Passed", "tileas", "add", kernel.num_warps))
        self.assertEqual(kernel.asm["ptx"], kernel.ptx)
        self.assertEqual(tileir.compile(kernel.bytecode).ptx, kernel.ptx)

    @unittest.skipUnless(HAS_PTXAS, "no ptxas")
    def test_numbers(self):
        kernel = tileir.compile(ADD, "sm_100")
        self.assertEqual(kernel.cubin[:4], b"\x7fELF")
        self.assertGreater(kernel.registers, 8)
        self.assertEqual((kernel.spills, kernel.shared_bytes, kernel.n_regs, kernel.n_spills), (0, 0, kernel.registers, 0))
        # Blocks of at most 128 threads and few registers: the maximum of an SM.
        self.assertEqual(kernel.resident_ctas, min(2048 // max(kernel.threads[0], 32), 32))

    def test_options(self):
        loose = tileir.compile(ADD, "sm_90", 0)
        self.assertNotEqual(loose.ptx, tileir.compile(ADD, "sm_90").ptx)
        with self.assertRaisesRegex(tileir.CompileError, "unknown GPU 'h100'"):
            tileir.compile(ADD, "h100")
        with self.assertRaisesRegex(tileir.CompileError, "nonsense"):
            tileir.compile(ADD, nonsense=1)
        with self.assertRaisesRegex(tileir.CompileError, "the module has no kernel 'sub'; it has add"):
            tileir.compile(ADD, entry="sub")
        with self.assertRaises(tileir.CompileError):
            tileir.compile(ADD.replace("addf", "adds"))
        with self.assertRaises(FileNotFoundError):
            tileir.compile("nowhere.tileirbc")

    def test_remarks_of_yaml(self):
        text = ("--- !Missed\nPass:            tileas\nName:            AssignMma\nDebugLoc:        { File: 'a b.py', Line: 7, \n"
                "                   Column: 4 }\nFunction:        k\nArgs:\n  - RemarkId:    0\n  - Remark:      'it''s slow'\n"
                "  - Reason:      \"a: \\\"b\\\"\"\n  - Depth:       3\n...\n")
        from tileir._compile import parse_remarks
        [remark] = parse_remarks(text)
        self.assertEqual((remark.kind, remark.file, remark.line, remark.message, remark.reason, dict(remark.numbers)),
                         ("Missed", "a b.py", 7, "it's slow", 'a: "b"', {"Depth": 3.0}))


class Launch(unittest.TestCase):
    def test_every_gpu(self):
        for gpu in tileir.GPUS:
            with self.subTest(gpu=gpu):
                a, b, out = arrays()
                run = tileir.launch(8, ADD, (a, b, out, 1000, 0.5), gpu)
                np.testing.assert_array_equal(out, (a + b) * np.float32(0.5))
                self.assertEqual((run.gpu, run.kernel, run.grid, run.estimate), (gpu, "add", (8, 1, 1), None))
                self.assertGreater(run.counters["warp_instructions"], 100)

    def test_estimate(self):
        run = tileir.launch((8,), ADD, (*arrays(), 1000, 0.5), timing=True)
        self.assertGreater(run.estimate["cycles"], 100)

    def test_views_and_aliases(self):
        whole = np.arange(4096, dtype=np.float32)
        want = whole.copy()
        want[1024:2024] = want[:1000] * 3
        # Three views of one array; the elements between them do not change.
        tileir.launch((8,), ADD, (whole[:1000], whole[:1000], whole[1024:2024], 1000, 1.5))
        np.testing.assert_array_equal(whole, want)

    def test_uninitialized(self):
        a, b, out = arrays()
        with self.assertRaises(tileir.UninitializedError) as caught:
            tileir.launch((8,), ADD, (a, tileir.empty(1000), out, 1000, 0.5))
        self.assertEqual((caught.exception.array, caught.exception.kind), ("argument 1", "init"))
        tileir.launch((8,), ADD, (a, tileir.empty(1000), out, 1000, 0.5), checks="race,bounds")
        tileir.launch((8,), ADD, (a, b, out, 1000, 0.5), checks="none")
        with self.assertRaisesRegex(tileir.LaunchError, "unknown check 'rase'"):
            tileir.launch((8,), ADD, (a, b, out, 1000, 0.5), checks="rase")

    def test_partly_written(self):
        a, b, out = arrays()
        # Of the memory that a launch gets unwritten, its blocks write the first 256 elements, the host another one.
        tileir.launch((2,), ADD, (a, b, out, 1000, 1.0))
        out[256] = 1
        np.testing.assert_array_equal(out[:256], a[:256] + b[:256])
        with self.assertRaises(tileir.UninitializedError) as caught:
            tileir.launch((8,), ADD, (a, out, tileir.empty(1000), 1000, 1.0))
        self.assertEqual((caught.exception.array, caught.exception.index), ("argument 1", 257))
        tileir.launch((2,), ADD, (a, out, tileir.empty(1000), 1000, 1.0))
        # A view of it, with strides, and integers: a word counts as a whole.
        self.assertEqual(tileir.launch((1,), ADD, (out[:100], b, tileir.empty(100), 100, 1.0)).notes, [])
        with self.assertRaises(tileir.UninitializedError):
            tileir.launch((1,), ADD, (out[200:300], b, tileir.empty(100), 100, 1.0))
        out[256:] = 0
        tileir.launch((8,), ADD, (a, out, tileir.empty(1000), 1000, 1.0))

    def test_progress(self):
        # A terminal gets a line after two seconds: blocks that have ended, and how long the others will take.
        script = ("import numpy, os, tileir\n"
                  "os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])\n"
                  f"tileir.launch((3000,), {SLOW!r}, (numpy.zeros(3000, numpy.int32), 16000))\n")
        here, there = os.openpty()
        with subprocess.Popen([sys.executable, "-c", script], stderr=there) as process:
            os.close(there)
            text = b""
            with contextlib.suppress(OSError):  # The terminal is gone with the process.
                while chunk := os.read(here, 4096):
                    text += chunk
        os.close(here)
        self.assertEqual(process.returncode, 0, text)
        self.assertRegex(text.decode(), r"tileir: 'slow' on sm_90, [1-9][0-9]* of 3000 blocks, [0-9]+ s, about [0-9]+ s to go")

    def test_bounds(self):
        a, b, out = arrays()
        with self.assertRaises(tileir.BoundsError) as caught:
            tileir.launch((8,), ADD, (a, b, out[:800], 1000, 0.5), oracle=True)
        error = caught.exception
        self.assertEqual(error.array, "argument 2")
        self.assertGreaterEqual(error.index, 800)
        self.assertIn("the kernel is at fault: the interpreter finds 'bounds'", error.verdict)
        first, second = str(error).split("\n")[:2]
        self.assertRegex(first, r"kernel\.mlir:\d\d: %t3 = store_view_tko weak")
        self.assertRegex(second, rf"^  block \(\d, 0, 0\), thread \(\d+, 0, 0\), array 'argument 2', element {error.index}$")

    def test_races(self):
        a, b, out = arrays(1024)
        with self.assertRaises(tileir.RaceError) as caught:
            # Every block reads the elements that the next one writes.
            memory = np.zeros(2048, np.float32)
            tileir.launch((8,), ADD, (memory[:1024], b, memory[128:1152], 1024, 0.5))
        self.assertTrue(caught.exception.findings[0].related)

    def test_oracle(self):
        a, b, out = arrays()
        run = tileir.launch((8,), ADD, (a, b, out, 1000, 0.5), oracle=True)
        self.assertEqual(run.verdict, "the interpreter finds nothing and has the same answer")

    def test_wrong_arguments(self):
        a, b, out = arrays()
        frozen = out.copy()
        frozen.flags.writeable = False
        for args, text in (((a, b, out), "has 5 parameters, got 3 arguments"), ((a, b, 1, 1000, 0.5), "the kernel takes an array"),
                           ((a, b, out, out, 0.5), "takes a number of type 'i32'"), ((a, b, out, 0.5, 0.5), "an integer of 32 bits"),
                           ((a, b, out, 1 << 40, 0.5), "an integer of 32 bits"), ((a, b, out, "1", 0.5), "the kernel takes a number"),
                           ((a.astype(complex), b, out, 1000, 0.5), "elements of type 'complex128'"), ((a, b, frozen, 1000, 0.5), "is read-only")):
            with self.subTest(text=text), self.assertRaisesRegex(tileir.LaunchError, text):
                tileir.launch((8,), ADD, args)
        for grid in ((), (0,), (1, 1, 1, 1), (1.5,)):
            with self.subTest(grid=grid), self.assertRaisesRegex(tileir.LaunchError, "expected one to three numbers"):
                tileir.launch(grid, ADD, (a, b, out, 1000, 0.5))
        with self.assertRaisesRegex(tileir.LaunchError, "was compiled for sm_90, not for sm_80"):
            tileir.launch((8,), tileir.compile(ADD, "sm_90"), (a, b, out, 1000, 0.5), "sm_80")


class Cache(unittest.TestCase):
    def entries(self, folder):
        return [name for name in os.listdir(folder) if len(name) == 64]

    def test_warm(self):
        a, b, out = arrays()
        kernel = tileir.compile(ADD)
        start = time.monotonic()
        tileir.launch((8,), kernel, (a, b, out, 1000, 0.5))
        self.assertLess(time.monotonic() - start, 0.5)

    def test_bound_and_processes(self):
        program = ("import sys, tileir\n"
                   "for k in range(4): tileir.compile(open(sys.argv[1]).read().replace('@kernels', f'@kernels{k}'))\n")
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "add.mlir")
            source.write_text(ADD, encoding="utf-8")
            environment = dict(os.environ, TILEIR_CACHE_DIR=f"{folder}/cache")
            many = [subprocess.Popen([sys.executable, "-c", program, source], env=environment) for _ in range(3)]
            self.assertEqual([p.wait() for p in many], [0, 0, 0])
            # Text, bytecode and PTX; no partial files remain.
            self.assertEqual(len(self.entries(f"{folder}/cache")), 12)
            self.assertEqual(len(os.listdir(f"{folder}/cache")), 13)
            for name in self.entries(f"{folder}/cache"):
                os.utime(f"{folder}/cache/{name}", (0, 0))
            environment["TILEIR_CACHE_SIZE"] = "1"
            subprocess.run([sys.executable, "-c", program.replace("kernels{k}", "others"), source], env=environment, check=True)
            # The entries of this run are in use.
            self.assertEqual(len(self.entries(f"{folder}/cache")), 3)


class Program(unittest.TestCase):
    def test_no_script(self):
        done = subprocess.run([sys.executable, "-m", "tileir", "nosuch.py"], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertTrue(done.stdout.endswith("error: no script 'nosuch.py'; -m takes the name of a module\n"), done.stdout)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests gpu_gemm.py on synthetic times, processes and a device in Python's memory: order, medians, tables, and
detection of wrong results."""

import csv
import io
import math
import os
import struct
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gpu_checks  # noqa: E402
import gpu_device  # noqa: E402
import gpu_gemm  # noqa: E402
import gpu_launch  # noqa: E402

BUNDLE = {"arch": "sm_90a", "versions": {"ours": "1.2.3"}, "refused": [{"side": "closed", "kernel": "k", "why": "no"}], "problems": [], "programs": []}
FACTS = {"gpu": "GPU", "sms": 132, "cuda": "13.0", "driver": "580.1", "date": "2026-01-02", "sm_mhz_max": 1980, "memory_mhz_max": 2619}


def problem_of(kind, size):
    """Like gpu_bundle.product_problem, which needs the compilers' modules."""
    count = size * size
    buffers = {n: {"dtype": kind, "count": count} for n in "ab"}
    if kind == "e4m3":
        buffers["bt"] = {"dtype": kind, "count": count, "transposed": "b", "rows": size}
    result = {"e4m3": "f32"}.get(kind, kind)
    buffers["out"] = {"dtype": result, "count": count, "output": True}
    return {"what": "gemm", "type": kind, "element": kind, "result": result, "nt": False, "batch": 1, "extents": [size] * 3, "label": "gemm p",
            "flops": 2 * size**3, "buffers": buffers}


def rows_problem(rows=8, columns=96):
    """Like gpu_bundle.row_problem of a layernorm: three results."""
    shapes = {"x": [rows, columns], "w": [columns], "bb": [columns], "out": [rows, columns], "mean": [rows], "deviation": [rows]}
    buffers = {n: {"dtype": "f32" if n in ("mean", "deviation") else "bf16", "count": math.prod(s)} for n, s in shapes.items()}
    for name in ("out", "mean", "deviation"):
        buffers[name]["output"] = True
    return {"what": "rows", "type": "bf16", "operation": "layernorm", "size": rows, "shapes": shapes, "bytes": 4 * rows * columns,
            "scalars": {"eps": 1e-5}, "label": "rows p", "buffers": buffers}


def attention_of(mask, length=48, depth=16):
    queries, keys = 2 * 8 * length * depth, 2 * 2 * length * depth
    buffers = {"q": {"dtype": "bf16", "count": queries}}
    for n in "kv":
        buffers[n] = {"dtype": "bf16", "count": keys}
        buffers[n + "x"] = {"dtype": "bf16", "count": queries, "repeated": n, "times": 4, "run": length * depth}
    buffers["out"] = {"dtype": "bf16", "count": queries, "output": True}
    return {"what": "attention", "type": "bf16", "result": "bf16", "mask": mask, "batch": 2, "heads": 8, "shared_heads": 2, "length": length,
            "depth": depth, "label": "attention p", "flops": 1, "buffers": buffers}


class Memory:
    """A device whose memory is one array of bytes."""

    sms = 2

    def __init__(self):
        self.bytes = bytearray()

    def allocate(self, size):
        at = (len(self.bytes) + 255) // 256 * 256
        self.bytes.extend(bytes(at + size - len(self.bytes)))
        return at

    def upload(self, at, data):
        self.bytes[at:at + len(data)] = data

    def download(self, at, size):
        return bytes(self.bytes[at:at + size])

    def copy(self, to, source, size):
        self.bytes[to:to + size] = self.bytes[source:source + size]

    def fill(self, at, byte, size):
        self.bytes[at:at + size] = bytes([byte]) * size

    def synchronize(self):
        pass


class Helpers:
    """Python versions of gpu_helpers.ptx; gpu_bundle_test.py runs the real ones."""

    def __init__(self, device):
        self.device = device

    def transpose(self, source, to, rows, columns):
        for r in range(rows):
            for c in range(columns):
                self.device.bytes[to + c * rows + r] = self.device.bytes[source + r * columns + c]

    def difference(self, dtype, a, b, count):
        size = 4 if dtype == "f32" else 2
        x, y = (gpu_checks.decode(dtype, self.device.download(at, count * size)) for at in (a, b))
        if any(map(math.isnan, [*x, *y])):
            return math.inf, math.inf
        errors = [abs(p - q) for p, q in zip(x, y)]
        return max(errors) / max(map(abs, y)), sum(errors) / sum(map(abs, y))


def rows_of(side, kernel, ms, work=None, **more):
    figures = gpu_gemm.figures(ms, work or {"flops": 2e9}) if ms else {}
    return {"what": "gemm", "problem": "bf16 1024", "type": "bf16", "size": 1024, "mask": "", "depth": "", "set": side, "kernel": kernel, "ok": int(bool(ms)), **figures, **more}


class TimesTest(unittest.TestCase):
    def test_rounds_take_everyone_in_turn(self):
        taken = []
        clock = iter(range(100))

        def time_of(name):
            taken.append(name)
            return next(clock)

        times = gpu_gemm.interleave(["ours", "closed", "Triton"], 3, 2, time_of)
        self.assertEqual(taken, ["ours", "closed", "Triton"] * 5)
        self.assertEqual(times, {"ours": [6, 9, 12], "closed": [7, 10, 13], "Triton": [8, 11, 14]})

    def test_warm_rounds_take_their_seconds(self):
        taken = []
        seconds = iter([0, 0.1, 0.2, 0.3, 0.4])
        times = gpu_gemm.interleave(["ours"], 2, 1, lambda name: taken.append(name) or len(taken), 0.3, lambda: next(seconds))
        self.assertEqual(times, {"ours": [4, 5]})
        self.assertEqual(gpu_gemm.interleave([], 2, 1, None, 0.3), {})

    def test_chosen_problems(self):
        labels = ["gemm bf16 1024", "gemm bf16 nt 1024", "attention full bf16 d128 2048", "rows add_bf16_1024"]
        for globs, expected in (("*", labels), ("rows", labels[3:]), ("gemm bf16 nt,attention * d128", labels[1:3]), ("gemm bf16 [0-9]", labels[:1])):
            self.assertEqual([x for x in labels if gpu_gemm.chosen(globs)(x)], expected)
        problems = [{"label": x} for x in labels]
        self.assertEqual([n for n, _ in gpu_gemm.in_order(problems, "rows,*")], [3, 0, 1, 2])

    def test_figures(self):
        found = gpu_gemm.figures([2.0, 9.0, 1.0, 4.0], {"flops": 6e9})
        self.assertEqual(found, {"rounds": 4, "median_ms": 3.0, "min_ms": 1.0, "max_ms": 9.0, "tflops": 2.0})
        self.assertEqual(gpu_gemm.figures([0.5, 0.25, 1.0], {"bytes": 2**30})["gbps"], 2147.5)

    def test_table(self):
        rows = [rows_of("ours", "gemm_bf16_128x256x64", [4.0, 2.0, 3.0]), rows_of("ours", "gemm_persistent_bf16_128x128x64", [1.0, 2.0, 9.0]),
                rows_of("closed", "gemm_bf16_128x256x64", [4.0]), rows_of("cuBLAS", "", [1.0, 1.5]),
                rows_of("Triton", "gemm_bf16_128x256x64", [], error="wrong result: much")]
        lines = gpu_gemm.table(rows, "gemm")
        self.assertEqual(len(lines), 3)
        self.assertEqual(lines[2], "| bf16 | 1024 | 1 (2 ms, 1 to 9, persistent 128x128x64) | 0 (4 ms, 4 to 4, 128x256x64) | wrong result | "
                         "2 (1.25 ms, 1 to 1.5) | 0.62 |")
        self.assertEqual(gpu_gemm.table(rows, "attention"), [])

    def test_table_of_rows(self):
        told = {"work": {"bytes": 3e8}, "what": "rows", "problem": "add_bf16_1024", "size": "65536"}
        rows = [rows_of("ours", "add_bf16_1024", [0.2], **told), rows_of("Triton", "add_bf16_1024", [0.1], **told), rows_of("copy", "", [0.05], **told)]
        self.assertEqual(gpu_gemm.table(rows, "rows")[2:], ["| add_bf16_1024 | 65536 | 1500 (0.2 ms, 0.2 to 0.2) | - | 3000 (0.1 ms, 0.1 to 0.1) | "
                         "6000 (0.05 ms, 0.05 to 0.05) | 0.50 |"])

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            rows = [rows_of("ours", "gemm_bf16_128x256x64", [4.0]), rows_of("closed", "k", [], error="failed: hung")]
            gpu_gemm.write(folder, rows, BUNDLE, FACTS, "this")
            with open(os.path.join(folder, "gpu.csv")) as text:
                read = list(csv.DictReader(io.StringIO(text.read())))
            self.assertEqual([r["median_ms"] for r in read], ["4.0", ""])
            with open(os.path.join(folder, "gpu.md")) as text:
                said = text.read()
        self.assertIn("GPU (132 SMs, 1980 MHz at most, memory 2619 MHz at most), driver 580.1 (CUDA 13.0), 2026-01-02; sm_90a; ours 1.2.3.", " ".join(said.split()))
        self.assertIn("- closed k gemm bf16 1024: failed: hung", said)
        self.assertIn("- closed k: no", said)


class OutcomeTest(unittest.TestCase):
    """Checks that processes that end early name the running program."""

    PROBLEM = problem_of("bf16", 16)

    def test_goes_on_without_who_failed(self):
        started = []

        def start(without):
            started.append(without)
            begin = [{"event": "facts", "facts": FACTS}] + [{"event": "begin", "name": n} for n in ("ours k", "closed k")]
            if not without:
                return begin, "CUDA_ERROR_ILLEGAL_ADDRESS"
            row = {"event": "row", "row": {"set": "ours", "kernel": "k", "ok": 1}}
            return begin[:2] + [{"event": "left out", "name": "Triton k", "why": "no image"}, row], ""

        rows, facts = gpu_gemm.outcome(self.PROBLEM, start)
        self.assertEqual(started, [[], ["closed k"]])
        self.assertEqual(facts, FACTS)
        self.assertEqual([(r["set"], r["ok"], r.get("error", "")) for r in rows], [
            ("Triton", 0, "does not load: no image"), ("ours", 1, ""), ("closed", 0, "failed: CUDA_ERROR_ILLEGAL_ADDRESS")])

    def test_what_no_launch_caused(self):
        with self.assertRaisesRegex(gpu_gemm.Lost, "p: out of memory"):
            gpu_gemm.outcome(self.PROBLEM, lambda without: ([], "out of memory"))
        with self.assertRaisesRegex(gpu_device.DeviceError, "capability"):
            gpu_gemm.outcome(self.PROBLEM, lambda without: ([{"event": "stop", "why": "capability 8.0"}], "exit 2"))

    def test_real_processes(self):
        program = ("import json, sys, time\nprint(json.dumps({'event': 'begin', 'name': 'ours k'}), flush=True)\nprint('noise')\n"
                   "time.sleep(60) if sys.argv[1] == 'hang' else sys.exit('gone')")
        for how, expected in (("hang", "no end after 1 s"), ("fall", "gone")):
            found, why = gpu_gemm.messages_of([sys.executable, "-c", program, how], 1)
            self.assertEqual((found, why), ([{"event": "begin", "name": "ours k"}], expected))


class ResultsTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def prepared(self, problem):
        data = gpu_checks.Data(problem["buffers"], self.folder.name, period=331)
        device = Memory()
        memory, helpers = gpu_gemm.Memory(device, problem), Helpers(device)
        memory.fill(data, helpers.transpose)
        return data, device, memory, helpers

    def test_types(self):
        for kind, value in (("f16", -1.5), ("bf16", 3.140625), ("e4m3", -0.0625), ("e4m3", 448.0), ("f32", 0.1)):
            self.assertAlmostEqual(gpu_checks.decode(kind, gpu_checks.encode(kind, [value]))[0], value, delta=1e-8)
        # Rounds to nearest even; numbers too large for e4m3 saturate.
        self.assertEqual(gpu_checks.encode("bf16", [1.00390625, 1.01171875]), struct.pack("<2H", 0x3F80, 0x3F82))
        self.assertEqual(gpu_checks.encode("e4m3", [1e9, -1.06, 1.07]), bytes([0x7E, 0xB8, 0x39]))
        self.assertTrue(math.isnan(gpu_checks.decode("bf16", b"\xff\xff")[0]))
        for kind, values in (("i8", [-128, 127]), ("i32", [-5, 2**31 - 1])):
            self.assertEqual(list(gpu_checks.decode(kind, gpu_checks.encode(kind, values))), values)

    def test_inputs(self):
        data, device, memory, _ = self.prepared(problem_of("e4m3", 32))
        a = gpu_checks.decode("e4m3", device.download(memory.at["a"], 1024))
        b = gpu_checks.decode("e4m3", device.download(memory.at["b"], 1024))
        bt = gpu_checks.decode("e4m3", device.download(memory.at["bt"], 1024))
        self.assertEqual(list(data.span("a", 64, 32)), list(a[64:96]))
        self.assertEqual(data.column("b", 5, 32, 32), list(b[5::32]))
        self.assertEqual(list(bt[160:192]), list(b[5::32]))
        self.assertNotEqual(list(a), list(b))
        _, device, memory, _ = self.prepared(attention_of("full"))
        k = device.download(memory.at["k"], memory.size("k"))
        kx = device.download(memory.at["kx"], memory.size("kx"))
        run = 48 * 16 * 2
        self.assertEqual(kx, b"".join(k[h * run:(h + 1) * run] * 4 for h in range(4)))

    def product(self, device, memory, depth=None, skip=None):
        """Returns a program that computes the matmul over `depth` of the inner dimension and leaves element `skip`
        unchanged."""
        def run():
            size = 32
            a, b = (gpu_checks.decode("bf16", device.download(memory.at[n], 2 * size * size)) for n in "ab")
            values = [sum(a[r * size + k] * b[k * size + c] for k in range(depth or size)) for r in range(size) for c in range(size)]
            for at, value in enumerate(values):
                if at != skip:
                    device.upload(memory.at["out"] + 2 * at, gpu_checks.encode("bf16", [value]))
        return run

    def test_wrong_results_show(self):
        problem = problem_of("bf16", 32)
        data, device, memory, helpers = self.prepared(problem)
        expected = gpu_checks.samples(problem, data)
        unseen = next(n for n in range(1024) if n not in {at for at, _, _ in expected["out"]})
        runs = {"ours k": ("ours", "k", self.product(device, memory)), "closed k": ("closed", "k", self.product(device, memory, 24)),
                "Triton k": ("Triton", "k", self.product(device, memory, skip=unseen)), "cuBLAS": ("cuBLAS", "", self.product(device, memory))}
        order = []
        found = gpu_gemm.check(device, problem, memory, helpers, runs, expected, lambda m: order.append(m["name"]))
        self.assertEqual(order, ["cuBLAS", "Triton k", "closed k", "ours k"])
        self.assertNotIn("error", found["ours k"])
        self.assertLess(found["ours k"]["sample_error"], 0.005)
        self.assertEqual(found["ours k"]["max_difference"], 0)
        self.assertRegex(found["closed k"]["error"], "wrong result: an element")
        self.assertEqual(found["Triton k"]["max_difference"], math.inf)
        self.assertRegex(found["Triton k"]["error"], "from cuBLAS")

    def test_alone_and_unwritten(self):
        problem = problem_of("bf16", 32)
        data, device, memory, helpers = self.prepared(problem)
        expected = gpu_checks.samples(problem, data)
        unseen = next(n for n in range(1024) if n not in {at for at, _, _ in expected["out"]})
        runs = {"ours k": ("ours", "k", self.product(device, memory, skip=unseen))}
        self.assertIn("error", gpu_gemm.check(device, problem, memory, helpers, runs, expected, lambda m: None)["ours k"])

    def test_layouts_of_the_second_factor(self):
        """Checks batches and operand B as N x K against whole matrices."""
        size, batch = 16, 3
        for nt in (False, True):
            problem = {**problem_of("f16", size), "nt": nt, "batch": batch}
            for told in problem["buffers"].values():
                told["count"] *= batch
            data = gpu_checks.Data(problem["buffers"], self.folder.name, period=331)
            a, b = (data.span(n, 0, batch * size * size) for n in "ab")
            for at, value, _ in gpu_checks.samples(problem, data)["out"]:
                plane, row, column = at // size**2, at // size % size, at % size
                inner = [(column, k) if nt else (k, column) for k in range(size)]
                expected = sum(a[(plane * size + row) * size + k] * b[(plane * size + p) * size + q] for k, (p, q) in enumerate(inner))
                self.assertAlmostEqual(value, expected, places=9)

    def test_several_results(self):
        problem = rows_problem()
        data, device, memory, helpers = self.prepared(problem)
        (rows, columns), expected = problem["shapes"]["x"], gpu_checks.samples(problem, data)
        self.assertEqual({n: len(v) for n, v in expected.items()}, {"out": 6 * columns, "mean": 6, "deviation": 6})

        def run(wrong=None, by=0.0):
            def work():
                x, w, bias = (gpu_checks.decode("bf16", device.download(memory.at[n], memory.size(n))) for n in ("x", "w", "bb"))
                found = [gpu_checks.layernorm(x[r * columns:(r + 1) * columns], w, bias, 1e-5) for r in range(rows)]
                for name in ("out", "mean", "deviation"):
                    values = [v + (by if name == wrong else 0) for one in found for v in one[name]]
                    device.upload(memory.at[name], gpu_checks.encode(problem["buffers"][name]["dtype"], values))
            return work

        runs = {"Triton k": ("Triton", "k", run()), "closed k": ("closed", "k", run("mean", 1e-4)), "ours k": ("ours", "k", run("deviation", 1e-6)),
                "copy": ("copy", "", None)}
        found = gpu_gemm.check(device, problem, memory, helpers, runs, expected, lambda m: None)
        self.assertEqual(list(found), ["Triton k", "closed k", "ours k"])
        self.assertRegex(found["closed k"]["error"], "wrong result: an element of mean is off")
        self.assertNotIn("error", found["ours k"])
        self.assertTrue(0 < found["ours k"]["max_difference"] < 1e-5)

    def test_attention_reference(self):
        for mask in ("full", "causal"):
            problem = attention_of(mask)
            data, device, memory, helpers = self.prepared(problem)
            length, depth = problem["length"], problem["depth"]
            # From the buffers, head by head, with the keys of Triton's kernel.
            q, k, v = (gpu_checks.decode("bf16", device.download(memory.at[n], memory.size(n))) for n in ("q", "kx", "vx"))
            out = []
            for row in range(2 * 8 * length):
                first = row // length * length
                seen = range(first, row + 1 if mask == "causal" else first + length)
                weights = [math.exp(sum(q[row * depth + d] * k[j * depth + d] for d in range(depth)) / 4) for j in seen]
                out += [sum(w * v[j * depth + d] for w, j in zip(weights, seen)) / sum(weights) for d in range(depth)]
            runs = {"ours k": ("ours", "k", lambda device=device, memory=memory, out=out: device.upload(memory.at["out"], gpu_checks.encode("bf16", out)))}
            expected = gpu_checks.samples(problem, data)
            found = gpu_gemm.check(device, problem, memory, helpers, runs, expected, lambda m: None)["ours k"]
            self.assertNotIn("error", found)
            out[:] = out[depth:] + out[:depth]  # every row its neighbour's
            self.assertIn("error", gpu_gemm.check(device, problem, memory, helpers, runs, expected, lambda m: None)["ours k"])


class LaunchTest(unittest.TestCase):
    def test_sidecar_arithmetic(self):
        kernel = {"parameters": [{"offset": 0, "size": 8}, {"offset": 8, "size": 4}]}
        block = struct.pack("<Qi", 1 << 40, -5)

        def value(op, x, y, width=32):
            values = [{"op": "constant", "type": f"i{width}", "value": n} for n in (x, y)]
            return gpu_launch.values_of({"values": values + [{"op": op, "type": f"i{width}", "operands": [0, 1]}]}, kernel, block)[2]

        for op, x, y, expected in (("sub", 3, 5, 2**32 - 2), ("udiv", 7, 0, 0), ("sdiv", 2**32 - 7, 2, 2**32 - 3), ("srem", 2**32 - 7, 2, 2**32 - 1),
                                   ("shl", 1, 32, 0), ("ashr", 2**31, 40, 2**32 - 1), ("lshr", 2**31, 31, 1), ("smin", 2**32 - 1, 0, 2**32 - 1),
                                   ("umin", 2**32 - 1, 0, 0), ("slt", 2**32 - 1, 0, 1), ("ult", 2**32 - 1, 0, 0), ("mul", 2**31, 2, 0)):
            self.assertEqual(value(op, x, y), expected, op)
        nodes = [{"op": "argument", "type": "i64", "parameter": 0}, {"op": "argument", "type": "i32", "parameter": 1},
                 {"op": "sext", "type": "i64", "operands": [1]}, {"op": "zext", "type": "i64", "operands": [1]},
                 {"op": "trunc", "type": "i8", "operands": [1]}, {"op": "slt", "type": "i1", "operands": [1, 1]},
                 {"op": "select", "type": "i64", "operands": [5, 0, 2]}]
        self.assertEqual(gpu_launch.values_of({"values": nodes}, kernel, block), [1 << 40, 2**32 - 5, 2**64 - 5, 2**32 - 5, 251, 0, 2**64 - 5])

    def test_maps_that_a_driver_refuses(self):
        good = {"dtype": "BFLOAT16", "address": 4096, "dims": [64, 32], "strides": [128], "box": [64, 16], "element_strides": [1, 1],
                "interleave": "none", "swizzle": "128B", "l2_promotion": "128B", "oob_fill": "zeros"}
        self.assertEqual(gpu_device.check_map(good), [])
        self.assertEqual(gpu_device.map_span(good), 128 + 31 * 128)
        for field, value, why in (("address", 4104, "aligned"), ("strides", [120], "stride"), ("box", [64, 257], "box extent"), ("dims", [0, 32], "extent"),
                                  ("box", [128, 16], "exceeds"), ("box", [4, 16], "innermost"), ("dims", [64], "rank"), ("dtype", "HALF", "data type")):
            self.assertRegex("; ".join(gpu_device.check_map({**good, field: value})), why)
        device = gpu_device.Pretended()
        at = device.allocate(4096)
        device.encode({**good, "address": at})
        with self.assertRaisesRegex(gpu_device.DeviceError, "not inside"):
            device.encode({**good, "address": at, "dims": [64, 33]})

    def test_argument_sizes(self):
        program = {"entry": "k", "parameters": [[0, 8], [8, 4]], "block_bytes": 12}
        args = [{"buffer": "a"}, {"dtype": "i32", "value": -2}]
        self.assertEqual(gpu_launch.parameters(program, args, {"a": 77}.get, None), [struct.pack("<Q", 77), struct.pack("<i", -2)])
        with self.assertRaisesRegex(gpu_launch.LaunchError, "argument 1 of k has 8 bytes"):
            gpu_launch.parameters(program, [args[0], args[0]], {"a": 77}.get, None)
        with self.assertRaisesRegex(gpu_launch.LaunchError, "2 parameters, 1 are given"):
            gpu_launch.parameters(program, args[:1], {"a": 77}.get, None)


if __name__ == "__main__":
    unittest.main()

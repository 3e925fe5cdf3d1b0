# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the programs of gpu_bundle.py without a GPU: launches that fit, hidden parameters on which two ways agree,
kernels that compute, and a whole run on a fake driver.

    gpu_bundle_test.py TILEIRAS TILEIR-RUN KERNELS LIBFAKE_CUDA.SO [--peers]
"""

import csv
import glob
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compilers  # noqa: E402
import gpu_bundle  # noqa: E402
import gpu_checks  # noqa: E402
import gpu_device  # noqa: E402
import gpu_gemm  # noqa: E402
import gpu_launch  # noqa: E402
import launchabi  # noqa: E402
import launches  # noqa: E402
import triton_peer  # noqa: E402

OURS, RUN, KERNELS, FAKE = map(os.path.abspath, sys.argv[1:5])
PEERS = "--peers" in sys.argv
ARCH = "sm_90a"
# Matmuls: one persistent, one of each variant and of most types; attention with both masks; rows with weights, with two
# grid axes.
NAMES = ("gemm_f16_128x256x64 gemm_bf16_128x128x64 gemm_persistent_bf16_128x256x64 gemm_e4m3_128x256x128 gemm_e4m3_fast_128x256x128 "
         "gemm_nt_bf16_128x256x64 bmm_bf16_128x128x64 attn_causal_bf16_d128_128x64 attn_full_bf16_d64_128x128 rmsnorm_bf16_4096 "
         "transpose_f32_128x64").split()
PRODUCTS = ["f16", "bf16", "e4m3", "e4m3 fast", "bf16 nt", "bf16 batched"]
# Matmuls whose launches at other extents the emulator runs in a few seconds.
LARGER = ("gemm_nt_bf16_128x256x64 gemm_nt_e4m3_fast_128x256x128 gemm_tf32_128x128x32 gemm_int8_128x128x128 gemm_f32_64x64x16 "
          "bmm_bf16_128x128x64").split()
# Kernels whose small launch the emulator runs in a few seconds.
QUICK = "gemm_bf16_64x64x64 gemm_e4m3_128x128x128 attn_causal_bf16_d64_128x64".split()
PTXAS = os.environ["TILEIR_PTXAS_PATH"]


def path_of(kernel):
    return os.path.join(KERNELS, kernel + ".tileirbc")


def make(folder, names, sizes, lengths, peers=False, **more):
    closed = os.environ["TILEIR_PEER_TILEIRAS"] if peers else None
    triton = triton_peer.find(PTXAS, None, None) if peers else None
    said = []
    builder = gpu_bundle.Builder(folder, ARCH, OURS, PTXAS, closed, triton)
    return builder.make([path_of(n) for n in names], sizes, lengths, said.append, **more), said


def read_npy(path):
    with open(path, "rb") as data:
        return data.read().split(b"\n", 1)[1]


class BundleTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = os.path.join(cls.scratch.name, "bundle")
        cls.bundle, cls.said = make(cls.folder, NAMES, [1024, 1040], [2048], PEERS)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def test_all_of_it_fits(self):
        self.assertEqual((self.bundle["refused"], self.said), ([], []))
        lines = []
        sides = 3 if PEERS else 1
        # Two sizes of seven matmuls, one of them for two compilers only; two of attention, two of rows.
        launched = sides * 18 - (2 if PEERS else 0)
        self.assertEqual(gpu_gemm.dry_run(self.folder, self.bundle, lines.append), launched)
        self.assertEqual([p["label"] for p in self.bundle["problems"]], [f"gemm {t} {n}" for t in PRODUCTS for n in (1024, 1040)] + [
            "attention causal bf16 d128 2048", "attention full bf16 d64 2048", "rows rmsnorm_bf16_4096", "rows transpose_f32_128x64"])
        self.assertIn(f"{sides * 11 - (1 if PEERS else 0)} programs, 16 problems, {launched} launches checked", lines[-1])

    def test_rows_move_what_they_should(self):
        for kernel in "softmax_bf16_4096 add_bf16_1024 rope_bf16_64 transpose_bf16_64x64 layernorm_bf16_1024".split():
            problem = gpu_bundle.row_problem(kernel)
            buffers = problem["buffers"].values()
            self.assertEqual(sum(b["count"] * gpu_bundle.BYTES[b["dtype"]] for b in buffers), problem["bytes"])
            self.assertTrue(256 << 20 <= problem["bytes"] <= 512 << 20, kernel)
        self.assertEqual(gpu_bundle.row_problem("softmax_bf16_4096")["shapes"], {"x": [32768, 4096], "out": [32768, 4096]})
        self.assertEqual(gpu_bundle.row_problem("transpose_bf16_64x64")["shapes"], {"x": [16384, 8192], "out": [8192, 16384]})
        self.assertEqual(gpu_bundle.row_problem("layernorm_bf16_1024", 0)["shapes"]["w"], [2048])

    def test_grids_cover_the_result(self):
        for problem in self.bundle["problems"]:
            for launch in problem["launches"]:
                kernel = self.bundle["programs"][launch["program"]]["kernel"]
                tile = [int(x) for x in kernel.rsplit("_", 1)[1].split("x")]
                x, y, z = launch["grid"]
                if problem["what"] == "rows":
                    rows, columns = problem["shapes"]["x"]
                    self.assertEqual((x * tile[0], y * tile[1]) if len(tile) > 1 else (x, tile[0]), (rows, columns), kernel)
                    continue
                if "batched" in problem["type"]:
                    self.assertEqual(x, problem["batch"])
                    x, y = y, z
                if "persistent" in kernel:
                    self.assertEqual(launch["grid"], [132, 1, 1])
                    continue
                if problem["what"] == "attention":
                    self.assertEqual((x * tile[0], y), (problem["length"], problem["batch"] * 32), kernel)
                    continue
                m, n, _ = problem["extents"]
                self.assertTrue((x - 1) * tile[0] < m <= x * tile[0] and (y - 1) * tile[1] < n <= y * tile[1], f"{kernel} {launch['grid']}")

    def test_what_does_not_fit_shows(self):
        problem = self.bundle["problems"][0]
        launch = problem["launches"][0]

        def run(**changes):
            changed = json.loads(json.dumps({**problem, "launches": [{**launch, **changes}]}))
            gpu_gemm.dry_run(self.folder, {**self.bundle, "problems": [changed]}, lambda line: None)

        run()
        with self.assertRaisesRegex(gpu_device.DeviceError, "grid"):
            run(grid=[1, 70000, 1])
        with self.assertRaisesRegex(gpu_device.DeviceError, "14 are given"):
            run(args=launch["args"][:-1])
        with self.assertRaisesRegex(gpu_device.DeviceError, "has 4 bytes, the kernel wants 8"):
            run(args=launch["args"][1:] + launch["args"][:1])
        # A stride twice too large: the map leaves its buffer.
        large = [dict(a, value=2048) if a == {"dtype": "i32", "value": 1024} else a for a in launch["args"]]
        with self.assertRaisesRegex(gpu_device.DeviceError, "not inside a buffer"):
            run(args=large)

    def test_bundle_runs_by_itself(self):
        """Runs the bundle's script in a bare Python that sees nothing of this checkout."""
        done = subprocess.run([sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {self.folder!r}); import gpu_gemm; sys.argv = "
                               f"['gpu_gemm.py', '--from', {self.folder!r}, '--dry-run']; sys.exit(gpu_gemm.main())"], capture_output=True, text=True, cwd="/")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("16 problems", done.stdout)

    def test_sidecar_and_host_object_agree(self):
        """Compares hidden parameters of our kernels: evaluated here from the sidecar of the plain form, written by the
        host object of the tile form."""
        maps = 0
        for program in (p for p in self.bundle["programs"] if p["side"] == "ours"):
            with self.subTest(program["kernel"]), tempfile.TemporaryDirectory() as scratch:
                compiler = compilers.Compiler("ours", OURS, PTXAS, os.path.join(scratch, "c"), False)
                self.assertTrue(compiler.compile(path_of(program["kernel"]), ARCH, 3, 60)["ok"])
                library = os.path.join(scratch, "host.so")
                gpu_bundle.Builder.link_host(gpu_bundle.read_cubin(compiler.out), library, scratch)
                for problem in self.bundle["problems"]:
                    for launch in problem["launches"]:
                        if self.bundle["programs"][launch["program"]] is not program:
                            continue
                        memory = gpu_gemm.Memory(gpu_device.Pretended(), problem)

                        def encode(made):
                            element = {"BFLOAT16": "bf16", "FLOAT16": "f16", "FLOAT32": "f32", "UINT8": "u8"}[made["dtype"]]
                            return launchabi.Map(element, made["address"], made["dims"], made["strides"], made["box"], made["element_strides"],
                                                 made["swizzle"]).encode()

                        values = gpu_launch.parameters(program, launch["args"], memory.at.get, encode)
                        block = bytearray(program["block_bytes"])
                        for (offset, size), value in zip(program["parameters"], values):
                            block[offset:offset + size] = value
                        own = sum(len(v) == 128 for v in values)
                        bare = bytearray(block)
                        for (offset, size), value in zip(program["parameters"], values):
                            if len(value) == 128:
                                bare[offset:offset + size] = bytes(size)
                        self.assertEqual(bare != block, own > 0)
                        self.assertEqual(own > 0, problem["what"] != "rows")
                        self.assertEqual(gpu_launch.HostObject(library).fill(program["entry"], bare).hex(), block.hex())
                        maps += own
        self.assertGreaterEqual(maps, 20)


class RunTest(unittest.TestCase):
    """Runs gpu_gemm.py --from, in processes that find FakeCuda.cpp as the driver."""

    KERNELS = ["gemm_bf16_128x128x64", "gemm_bf16_64x64x64"]
    ROW = "add_f32_1024"

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = os.path.join(cls.scratch.name, "bundle")
        os.mkdir(os.path.join(cls.scratch.name, "lib"))
        os.symlink(FAKE, os.path.join(cls.scratch.name, "lib", "libcuda.so.1"))
        make(cls.folder, [*cls.KERNELS, cls.ROW], [128, 256], [], mib=1)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def run_bundle(self, *more, log="", only="gemm", **variables):
        """Returns (exit code, output, rows) of a run."""
        out = tempfile.mkdtemp(dir=self.scratch.name)
        env = {"LD_LIBRARY_PATH": os.path.join(self.scratch.name, "lib"), "PATH": "/usr/bin:/bin", "FAKE_CUDA_LOG": log, **variables}
        argv = [sys.executable, os.path.join(self.folder, "gpu_gemm.py"), "--from", self.folder, "--out", out, "--rounds", "4", "--warm", "2",
                "--warm-seconds", "0", "--no-cublas", "--only", only, *more]
        done = subprocess.run(argv, capture_output=True, text=True, env=env)
        rows = []
        if os.path.exists(os.path.join(out, "gpu.csv")):
            with open(os.path.join(out, "gpu.csv")) as text:
                rows = list(csv.DictReader(text))
        return done.returncode, done.stdout + done.stderr, rows

    def test_times_and_order(self):
        log = os.path.join(self.scratch.name, "log")
        code, said, rows = self.run_bundle(log=log)
        self.assertEqual(code, 0, said)
        self.assertEqual([(r["size"], r["kernel"], r["ok"]) for r in rows], [(n, k, "1") for n in ("128", "256") for k in self.KERNELS])
        # The clock of the fake takes a millisecond for every 128 rows.
        self.assertEqual([(r["median_ms"], r["tflops"], r["rounds"]) for r in rows], 2 * [("1.0", "0.0", "4")] + 2 * [("2.0", "0.0", "4")])
        self.assertIn("| bf16 | 256 | 0 (2 ms, 2 to 2, 128x128x64) | - | - | - | - |", said)
        self.assertIn("Fake GPU (4 SMs, 1980 MHz at most, memory 2619 MHz at most)", said)
        with open(log) as text:
            launched = [line.split() for line in text]
        # Each problem: every result is computed once and compared with the first; then six rounds alternate.
        first, second = ["gemm_bf16_128x128x64", "1x1", "160"], ["gemm_bf16_64x64x64", "2x2", "160"]
        held = ["difference_bf16", "32x1", "256"]
        self.assertEqual(launched[:16], [first, held, second, held] + [first, second] * 6)
        self.assertEqual([x[:2] for x in launched[16:20:2]], [["gemm_bf16_128x128x64", "2x2"], ["gemm_bf16_64x64x64", "4x4"]])

    def test_rows(self):
        code, said, rows = self.run_bundle("--warm-seconds", "0.2", only="rows")
        self.assertEqual(code, 0, said)
        self.assertEqual([(r["set"], r["problem"], r["size"], r["ok"]) for r in rows], [(s, self.ROW, "65536", "1") for s in ("ours", "copy")])
        # 64 blocks of a microsecond for 768 KiB; the copy reads half of them, a nanosecond each, and writes as many.
        self.assertEqual([(r["median_ms"], r["gbps"], r["tflops"]) for r in rows], [("0.064", "12.3", ""), ("0.00039", "2000.0", "")])
        self.assertIn("| add_f32_1024 | 65536 | 12 (0.064 ms, 0.064 to 0.064) | - | - | 2000 (", said)
        code, said, rows = self.run_bundle(only="rows", FAKE_CUDA_WRONG=self.ROW)
        self.assertEqual((code, [r["ok"] for r in rows]), (1, ["0", "1"]))
        self.assertIn("ours add_f32_1024 rows add_f32_1024: wrong result: an element is off", said)

    def test_wrong_result_is_not_timed(self):
        code, said, rows = self.run_bundle(FAKE_CUDA_WRONG="gemm_bf16_64x64x64")
        self.assertEqual((code, [r["ok"] for r in rows], [r["median_ms"] for r in rows]), (1, ["1", "0", "1", "0"], ["1.0", "", "2.0", ""]))
        self.assertIn("ours gemm_bf16_64x64x64 gemm bf16 128: wrong result: an element", said)

    def test_fault(self):
        code, said, rows = self.run_bundle(FAKE_CUDA_FAULT="gemm_bf16_128x128x64")
        self.assertEqual((code, [(r["kernel"], r["ok"]) for r in rows]), (1, 2 * [("gemm_bf16_64x64x64", "1"), ("gemm_bf16_128x128x64", "0")]))
        self.assertIn("failed: cuCtxSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS", said)

    def test_hang(self):
        code, said, rows = self.run_bundle("--patience", "5", "--seconds", "1", FAKE_CUDA_HANG="gemm_bf16_64x64x64")
        self.assertEqual((code, [(r["kernel"], r["ok"]) for r in rows]), (1, [("gemm_bf16_128x128x64", "1"), ("gemm_bf16_64x64x64", "0")]))
        self.assertIn("failed: no end after 5 s", said)
        self.assertIn("1 problems left out after 1 s, from gemm bf16 256 on", said)

    def test_no_driver(self):
        env = {"PATH": "/usr/bin:/bin"}
        for more, code in (([], 0), (["--require-gpu"], 1)):
            argv = [sys.executable, os.path.join(self.folder, "gpu_gemm.py"), "--from", self.folder, *more]
            with tempfile.TemporaryDirectory() as nothing:
                with open(os.path.join(nothing, "libcuda.so.1"), "w"):
                    pass  # found first, and no library
                done = subprocess.run(argv, capture_output=True, text=True, env={**env, "LD_LIBRARY_PATH": nothing})
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn("libcuda.so.1 cannot be opened", done.stdout + done.stderr)
            self.assertEqual("so this is a dry run" in done.stdout, not more)
            self.assertEqual("5 launches checked" in done.stdout, not more)


class TextTest(unittest.TestCase):
    PTX = (".version 9.5\n.target sm_90a\n.visible .global .align 8 .b8 ___NV_TILE_LAUNCH_META_DATA___[64];\n\n.visible .entry k(\n\t.param .u64 k_param_0,\n"
           "\t.hidden\t.param .align 64 .b8 k_param_1[128]\n)\n.reqntid 256\n.language 7\n{\n\t.shared .align 128 .b8 mem[213128];\n\tret;\n}\n")

    def test_headers(self):
        plain = gpu_bundle.plain_ptx(gpu_bundle.read_by(self.PTX, (9, 0)))
        self.assertNotRegex(plain, "hidden|language|META")
        self.assertIn(".version 9.0\n", plain)
        self.assertIn("\t.param .align 64 .b8 k_param_1[128]\n", plain)
        self.assertIn(".version 9.5\n", gpu_bundle.read_by(self.PTX, (9, 6)))
        text, size = gpu_bundle.dynamic_ptx(plain)
        self.assertEqual(size, 213128)
        self.assertIn(".extern .shared .align 128 .b8 mem[];\n.visible .entry k(", text)
        self.assertEqual(text.count(".shared"), 1)
        self.assertEqual(gpu_bundle.dynamic_ptx(text), (text, 0))
        self.assertEqual(gpu_bundle.ptx_version("Cuda compilation tools, release 13.5, V13.5.37"), (9, 5))

    def test_refused(self):
        for word in (".blocksareclusters", ".minperctamemory 128"):
            with self.assertRaises(gpu_bundle.Refused):
                gpu_bundle.plain_ptx(self.PTX.replace(".language 7", word))
        with self.assertRaises(gpu_bundle.Refused):
            gpu_bundle.dynamic_ptx(self.PTX.replace("\tret;", "\t.shared .align 4 .b8 more[8];\n\tret;"))


class EmulatedTest(unittest.TestCase):
    """Runs the programs of a bundle: PTX with visible parameters and dynamic shared memory."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run_case(self, case, out, *more):
        with open(self.path("case.json"), "w") as text:
            json.dump(case, text)
        done = subprocess.run([RUN, self.path("case.json"), "--device=emulated", "--arch=" + ARCH, "--out=" + out, *more], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return {os.path.basename(p): read_npy(p) for p in glob.glob(os.path.join(out, "*.npy"))}

    def test_kernels(self):
        for kernel in QUICK:
            with self.subTest(kernel):
                compiler = compilers.Compiler("ours", OURS, PTXAS, self.path("c" + kernel), False)
                made = compiler.compile(path_of(kernel), ARCH, 3, 60, ("--launch-abi=plain", "--launch-sidecar=" + self.path("sidecar.json")))
                self.assertTrue(made["ok"])
                with open(self.path("sidecar.json")) as text:
                    sidecar = json.load(text)["kernels"][0]
                ptx, shared = gpu_bundle.dynamic_ptx(gpu_bundle.plain_ptx(compilers.text_of(compiler.ptx)))
                self.assertGreater(shared, 48 * 1024)
                with open(self.path("k.ptx"), "w") as out:
                    out.write(ptx)
                given, grid = launches.launch(kernel)
                case = {"entry": kernel, "grid": (grid + [1, 1])[:3], "args": given}
                wanted = self.run_case({**case, "kernel": path_of(kernel)}, self.path("wanted" + kernel), "--compiler=" + OURS)
                # The block as on a device, at addresses that identify the buffers.
                spans = {a["name"]: (n + 1) << 32 for n, a in enumerate(given) if "shape" in a}
                program = {"entry": kernel, "parameters": [[p["offset"], p["size"]] for p in sidecar["parameters"]],
                           "block_bytes": sidecar["block_bytes"], "sidecar": sidecar}
                maps = []

                def encode(made, spans=spans, maps=maps):
                    name = next(n for n, at in spans.items() if at >> 32 == made["address"] >> 32)
                    fields = {k: v for k, v in made.items() if k != "address"}
                    maps.append({"name": f"map{len(maps)}", "tensor_map": {
                        **fields, "mode": "tiled", "base": {"buffer": name, "offset": made["address"] & (1 << 32) - 1}}})
                    return bytes(128)

                args = [{"buffer": a["name"]} if "shape" in a else a for a in given]
                gpu_launch.parameters(program, args, spans.get, encode)
                self.assertGreaterEqual(len(maps), 2)
                found = self.run_case({**case, "kernel": self.path("k.ptx"), "shared_bytes": shared, "args": given + maps}, self.path("found" + kernel))
                self.assertEqual(found, wanted)
                # The result depends on the maps: with the first map's extents halved it differs, or the access is out
                # of bounds.
                maps[0]["tensor_map"]["dims"] = [max(1, d // 2) for d in maps[0]["tensor_map"]["dims"]]
                case = {**case, "kernel": self.path("k.ptx"), "shared_bytes": shared, "args": given + maps}
                self.assertNotEqual(self.run_case(case, self.path("other" + kernel)), wanted)

    def run_problem(self, problem, kernel):
        """Returns {output: its largest error} of a launch of ours as in a bundle, on the inputs of the device."""
        data = gpu_checks.Data(problem["buffers"], self.folder.name, period=10007)
        given, grid = launches.launch(kernel)
        launch = gpu_bundle.Builder.launch_of(problem, kernel, "ours", 0, {"args": given, "grid": grid})
        args = []
        for number, arg in enumerate(launch["args"]):
            if "buffer" not in arg:
                args.append({"name": f"s{number}", **arg})
                continue
            told = problem["buffers"][arg["buffer"]]
            dtype = {"e4m3": "f8E4M3FN"}.get(told["dtype"], told["dtype"])
            one = {"name": arg["buffer"], "dtype": dtype, "shape": [told["count"]], "init": "poison", "output": True}
            if not told.get("output"):
                table = data.table(arg["buffer"])
                size = told["count"] * gpu_gemm.Memory.width(told["dtype"])
                held = (table * (size // len(table) + 1))[:size]
                one.update(init="@" + self.write_npy(arg["buffer"], self.DESCRIPTIONS[told["dtype"]], [told["count"]], held), output=False)
            args.append(one)
        case = {"kernel": path_of(kernel), "entry": kernel, "grid": launch["grid"], "args": args}
        out = self.run_case(case, self.path("out" + kernel), "--compiler=" + OURS)
        errors = {}
        for name, expected in gpu_checks.samples(problem, data).items():
            numbers = gpu_checks.decode(problem["buffers"][name]["dtype"], out[name + ".npy"])
            self.assertEqual(len(numbers), problem["buffers"][name]["count"])
            errors[name] = gpu_checks.worst(expected, lambda first, count, numbers=numbers: numbers[first:first + count])
            self.assertLessEqual(errors[name], gpu_checks.tolerance(problem, name), f"{kernel} {name}")
        return errors

    DESCRIPTIONS = {"f16": "<f2", "bf16": "<u2", "f32": "<f4", "e4m3": "|u1", "i8": "|i1", "i32": "<i4"}

    def test_rows(self):
        """Compares the host's expectation of every row kernel with the kernel's result on the same inputs."""
        names = [k for k in sorted(n.removesuffix(".tileirbc") for n in os.listdir(KERNELS)) if gpu_bundle.row_of(k)]
        self.assertEqual(len(names), 20)
        for kernel in names:
            with self.subTest(kernel):
                errors = self.run_problem(gpu_bundle.row_problem(kernel, 0), kernel)
                self.assertEqual(set(errors), {"out", "mean", "deviation"} if "layernorm" in kernel else {"loss"} if "cross" in kernel else {"out"})

    def test_products(self):
        for kernel in LARGER:
            with self.subTest(kernel):
                self.run_problem(gpu_bundle.product_problem(gpu_bundle.product_of(kernel)[0], 256), kernel)

    def test_helpers(self):
        with open(os.path.join(gpu_bundle.HERE, "gpu_helpers.ptx")) as text, open(self.path("h.ptx"), "w") as out:
            out.write(text.read().replace("TARGET", ARCH))
        count = 1000
        for dtype in ("f16", "bf16", "f32", "i32"):
            for spoilt in (False, True)[:1 if dtype == "i32" else 2]:
                values = {"a": [n / 8 for n in range(count)], "b": [n / 8 - (16 if n == 901 else 0) for n in range(count)]}
                if spoilt:
                    values["a"][17] = math.nan
                if dtype == "i32":
                    values = {n: [int(8 * v) for v in numbers] for n, numbers in values.items()}
                expected = self.write_arrays(dtype, values)
                args = [{"name": n, "dtype": dtype, "shape": [count], "init": "@" + expected[n]} for n in "ab"]
                case = {"kernel": self.path("h.ptx"), "entry": "difference_" + dtype, "grid": [2, 1, 1], "block": [64, 1, 1], "args": args + [
                    {"name": "count", "dtype": "i64", "value": count}, {"name": "found", "dtype": "u32", "shape": [4], "init": "zeros", "output": True}]}
                most, largest, total, magnitude = struct.unpack("<4f", self.run_case(case, self.path("o" + dtype))["found.npy"])
                # All values are eighths below 2^17: sums are exact in any order.
                a, b = (gpu_checks.decode(dtype, gpu_checks.encode(dtype, values[n])) for n in "ab")
                self.assertEqual((largest, magnitude), (max(map(abs, b)), sum(map(abs, b))))
                if spoilt:
                    self.assertTrue(math.isnan(most) and math.isnan(total))
                else:
                    errors = [abs(x - y) for x, y in zip(a, b)]
                    self.assertEqual((most, total), (max(errors), sum(errors)))
                    self.assertAlmostEqual(most, 128 if dtype == "i32" else 16, delta=1)
        rows, columns = 24, 40
        data = bytes(n * 7 % 251 for n in range(rows * columns))
        source = self.write_npy("bytes", "|u1", [rows, columns], data)
        case = {"kernel": self.path("h.ptx"), "entry": "transpose_u8", "grid": [2, 1, 1], "block": [64, 1, 1], "args": [
            {"name": "in", "dtype": "u8", "shape": [rows, columns], "init": "@" + source},
            {"name": "out", "dtype": "u8", "shape": [columns, rows], "init": "poison", "output": True},
            {"name": "rows", "dtype": "i64", "value": rows}, {"name": "columns", "dtype": "i64", "value": columns}]}
        self.assertEqual(self.run_case(case, self.path("t"))["out.npy"], b"".join(data[c::columns] for c in range(columns)))
        # Each word of a thread's pieces counts once; words of one more piece do not.
        for word, expected in ((0x5EED5EED, 0x5EED5EED), (0x5EED5EEC, 0)):
            words = [0] * 4 * 1000
            words[4 * 128 * 7 + 5] = word ^ 0xFF00
            words[4 * 128 * 3 + 6] = 0xFF00
            source = self.write_npy("words", "<u4", [len(words)], struct.pack(f"<{len(words)}I", *words))
            case = {"kernel": self.path("h.ptx"), "entry": "read", "grid": [2, 1, 1], "block": [64, 1, 1], "args": [
                {"name": "in", "dtype": "u32", "shape": [len(words)], "init": "@" + source}, {"name": "count", "dtype": "i64", "value": 1000},
                {"name": "found", "dtype": "u32", "shape": [4], "init": "zeros", "output": True}]}
            self.assertEqual(struct.unpack("<4I", self.run_case(case, self.path("r"))["found.npy"]), (expected, 0, 0, 0))

    def write_npy(self, name, descr, shape, data):
        header = "{'descr': '%s', 'fortran_order': False, 'shape': (%s,), }" % (descr, ", ".join(map(str, shape)))
        header = header.ljust(launchabi.align(len(header) + 11, 64) - 11) + "\n"
        path = self.path(name + ".npy")
        with open(path, "wb") as out:
            out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)
        return path

    def write_arrays(self, dtype, values):
        return {n: self.write_npy(n, self.DESCRIPTIONS[dtype], [len(v)], gpu_checks.encode(dtype, v)) for n, v in values.items()}


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])

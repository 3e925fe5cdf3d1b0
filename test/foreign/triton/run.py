#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the Triton kernels of this folder and runs their PTX against NumPy's answers.

    run.py ARCH [--only=CASE] [--keep=DIR]      ARCH as Triton counts: 80, 90, 100, 120

TILEIR_PEER_TRITON is the folder that holds the package (set-up with --peers installs it). Nothing is launched: a case
is built from the PTX of triton.compile and its launch metadata.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import numpy as np

here = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(here, "../../lib"))
sys.path.insert(0, here)
import rawcase  # noqa: E402
from rawcase import buffer, scalar, tensor_map  # noqa: E402

SCHEDULES = (["--async=early", "--seed=1"], ["--async=late", "--seed=2"], ["--async=random", "--seed=3"])
random = np.random.default_rng(11)
I32, F32, F16 = "i32", "*fp32", "*fp16"


def normal(*shape, dtype=np.float32):
    return random.standard_normal(shape).astype(dtype)


def host_descriptor(name, buffer_name, block, meta, rows, columns):
    """Returns the parameters of Triton's launcher: the map, the shape, the strides. `meta` is the compiler's metadata
    of the map."""
    swizzle = {0: "none", 1: "32B", 2: "64B", 3: "128B"}[meta["swizzle"]]
    box = list(reversed(meta["block_size"]))
    return [tensor_map(name, buffer_name, "FLOAT16", [columns, rows], [columns * 2], box, swizzle=swizzle,
                       l2_promotion="256B"),
            scalar(name + "_shape0", I32, rows), scalar(name + "_shape1", I32, columns),
            scalar(name + "_stride0", "i64", columns), scalar(name + "_stride1", "i64", 1)]


def cases(arch):
    """Yields name, kernel, signature, constants, options, grid, and arguments or a function that computes them from the
    metadata."""
    n = 3000
    x, y = normal(n), normal(n)
    yield ("add", "add", {"x": F32, "y": F32, "out": F32, "n": I32}, {"BLOCK": 1024}, {}, [3],
           [buffer("x", x), buffer("y", y), buffer("out", None, x + y), scalar("n", I32, n)])

    x = normal(5, 900)
    e = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    expect = (e / e.sum(axis=1, keepdims=True)).astype(np.float32)
    yield ("softmax", "softmax", {"out": F32, "x": F32, "stride": I32, "columns": I32}, {"BLOCK": 1024}, {}, [5],
           [buffer("out", None, expect, atol=1e-6), buffer("x", x), scalar("stride", I32, 900),
            scalar("columns", I32, 900)])

    x, w, b = normal(4, 700, dtype=np.float16), normal(700), normal(700)
    wide = x.astype(np.float64)
    mean, var = wide.mean(axis=1), wide.var(axis=1)
    rstd = 1 / np.sqrt(var + 1e-5)
    expect = (wide - mean[:, None]) * rstd[:, None] * w + b
    yield ("layernorm", "layernorm",
           {"out": F16, "x": F16, "weight": F32, "bias": F32, "mean": F32, "rstd": F32, "columns": I32, "eps": "fp32"},
           {"BLOCK": 1024}, {}, [4],
           [buffer("out", None, expect.astype(np.float16), atol=4e-3, rtol=2e-3), buffer("x", x), buffer("weight", w),
            buffer("bias", b), buffer("mean", None, mean.astype(np.float32), atol=1e-5),
            buffer("rstd", None, rstd.astype(np.float32), rtol=1e-4, atol=1e-6), scalar("columns", I32, 700),
            scalar("eps", "f32", 1e-5)])

    x = random.integers(-100, 100, (3, 1024)).astype(np.int32)
    yield ("scan", "scan", {"out": "*i32", "x": "*i32"}, {"BLOCK": 1024}, {}, [3],
           [buffer("out", None, np.cumsum(x, axis=1).astype(np.int32)), buffer("x", x)])

    x = random.integers(0, 40, 2000).astype(np.int32)
    yield ("histogram", "histogram", {"bins": "*i32", "x": "*i32", "n": I32}, {"BLOCK": 512}, {}, [4],
           [buffer("bins", np.zeros(40, np.int32), np.bincount(x, minlength=40).astype(np.int32)), buffer("x", x),
            scalar("n", I32, 2000)])

    sizes = {"M": I32, "N": I32, "K": I32}
    for name, types, blocks, options in (
            ("matmul_f16", (F16, F16, F32), (64, 64, 32), {"num_warps": 4, "num_stages": 3}),
            ("matmul_f32", (F32, F32, F32), (32, 64, 32), {"num_warps": 4, "num_stages": 2})):
        m, n, k = 2 * blocks[0] - 5, blocks[1] + 16, 3 * blocks[2]
        dtype = np.float16 if types[0] == F16 else np.float32
        a, b = normal(m, k, dtype=dtype), normal(k, n, dtype=dtype)
        expect = (a.astype(np.float64) @ b.astype(np.float64)).astype(np.float32)
        yield (name, "matmul", {"a": types[0], "b": types[1], "c": types[2], **sizes},
               dict(zip(("BM", "BN", "BK"), blocks)), options, [2, 2],
               [buffer("a", a), buffer("b", b), buffer("c", None, expect, atol=2e-3 if dtype == np.float16 else 6e-2),
                scalar("M", I32, m), scalar("N", I32, n), scalar("K", I32, k)])

    m, n, k = 128, 256, 192
    a, b = normal(m, k, dtype=np.float16), normal(k, n, dtype=np.float16)
    expect = (a.astype(np.float64) @ b.astype(np.float64)).astype(np.float16)
    blocks = {"BM": 128, "BN": 128, "BK": 64}
    last = [scalar("M", I32, m), scalar("N", I32, n), scalar("K", I32, k)]
    if arch >= 90:
        def maps(meta):
            a_meta, b_meta, c_meta = meta.tensordesc_meta
            return (host_descriptor("a", "ma", (128, 64), a_meta, m, k) + host_descriptor("b", "mb", (64, 128), b_meta, k, n)
                    + host_descriptor("c", "mc", (128, 128), c_meta, m, n) + last)
        yield ("matmul_tma", "matmul_tma",
               {"a": "tensordesc<fp16[128,64]>", "b": "tensordesc<fp16[64,128]>", "c": "tensordesc<fp16[128,128]>", **sizes},
               blocks, {"num_warps": 4, "num_stages": 2}, [1, 2], maps,
               {"buffers": [buffer("ma", a), buffer("mb", b), buffer("mc", None, expect, atol=6e-2, rtol=2e-3)]})
    yield ("matmul_device_tma", "matmul_device_tma", {"a": F16, "b": F16, "c": F16, **sizes}, blocks,
           {"num_warps": 4, "num_stages": 2}, [1, 2],
           [buffer("a", a), buffer("b", b), buffer("c", None, expect, atol=6e-2, rtol=2e-3)] + last)

    heads, length, d = 2, 128, 64
    q, k, v = (normal(heads, length, d, dtype=np.float16) for _ in range(3))
    scale = 1.4426950408889634 / 8
    s = np.einsum("hmd,hnd->hmn", q.astype(np.float64), k.astype(np.float64)) * scale
    s = np.where(np.tril(np.ones((length, length), bool)), s, -np.inf)
    p = np.exp2(s - s.max(axis=2, keepdims=True))
    expect = np.einsum("hmn,hnd->hmd", p / p.sum(axis=2, keepdims=True), v.astype(np.float64)).astype(np.float16)
    yield ("attention", "attention",
           {"q": F16, "k": F16, "v": F16, "out": F16, "scale": "fp32", "length": I32}, {"D": d, "BM": 64, "BN": 32},
           {"num_warps": 4, "num_stages": 2}, [length // 64, heads],
           [buffer("q", q), buffer("k", k), buffer("v", v), buffer("out", None, expect, atol=1e-2),
            scalar("scale", "f32", scale), scalar("length", I32, length)])


def compile_kernel(kernel, signature, constants, options, arch):
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    import kernels

    signature = {**signature, **{name: "constexpr" for name in constants}}
    # Properties that the launcher detects at run time: pointers are aligned.
    attrs = {(i,): [["tt.divisibility", 16]] for i, kind in enumerate(signature.values()) if kind.startswith("*")}
    source = ASTSource(fn=getattr(kernels, kernel), signature=signature, constexprs=constants, attrs=attrs)
    return triton.compile(source, target=GPUTarget("cuda", arch, 32), options=options)


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("--")]
    options = dict(w[2:].split("=", 1) for w in sys.argv[1:] if w.startswith("--"))
    if len(words) != 1:
        raise SystemExit(__doc__)
    arch = int(words[0])
    package = os.environ.get("TILEIR_PEER_TRITON", "")
    if not os.path.isdir(os.path.join(package, "triton")):
        print("SKIPPED: no Triton; run tools/setup/setup.sh --peers")
        return 0
    sys.path.insert(0, package)
    work = options.get("keep") or tempfile.mkdtemp()
    os.makedirs(work, exist_ok=True)
    os.environ["TRITON_CACHE_DIR"] = os.path.join(work, "cache")
    failures = count = 0
    for name, kernel, signature, constants, compile_options, grid, args, *fields in cases(arch):
        if options.get("only", name) != name:
            continue
        made = compile_kernel(kernel, signature, constants, compile_options, arch)
        meta, text = made.metadata, made.asm["ptx"]
        ptx = "%s.sm_%d.ptx" % (name, arch)
        with open(os.path.join(work, ptx), "w") as file:
            file.write(text)
        target = re.search(r"^\.target (\w+)", text, re.M).group(1)
        status, message = rawcase.assemble(os.path.join(work, ptx), target)
        if status:
            print("FAILED: ptxas, %s\n%s" % (name, message))
            failures += 1
        args = args(meta) if callable(args) else list(args)
        # Two more pointers: global scratch, one area per block, and the profiler's.
        blocks = int(np.prod(grid))
        for label, size in (("global_scratch", meta.global_scratch_size), ("profile_scratch", meta.profile_scratch_size)):
            args.append({"name": label, "dtype": "u8", "shape": [max(1, size * blocks)], "align": 128})
        case = rawcase.write(work, name, ptx, meta.name, grid, args, block=[32 * meta.num_warps],
                             shared_bytes=meta.shared, **(fields[0] if fields else {}))
        for schedule in SCHEDULES:
            count += 1
            try:
                status, message = rawcase.run(case, "--arch=" + target, *schedule, timeout=200)
            except subprocess.TimeoutExpired:
                status, message = -1, "timed out"
            if status:
                failures += 1
                print("FAILED: %s, %s %s: status %d\n%s" % (name, target, schedule, status, message[:2000]))
                break
    if "keep" not in options:
        shutil.rmtree(work)
    print("Triton, %d: %d runs, %d failures" % (arch, count, failures))
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())

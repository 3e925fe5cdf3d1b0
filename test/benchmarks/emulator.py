#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the speed of the emulator.

    bazel run -c opt //test/benchmarks:emulator [-- --keep DIR] [-- --repeat N] [-- --only NAME]

Three kernels, written here as PTX: integer and float arithmetic in registers; loads, stores and a reduction through
shared memory; a 128x128x256 block of an f16 matmul with cp.async, ldmatrix and mma.sync. And kernels of test/data/perf,
for elements, rows, matmul and attention on four GPUs, which `--ptx` omits. A line each: instructions of warps; seconds
of the process with all checks on one core, without any on one core, with all on all cores; millions of them a second.
"""
import argparse
import json
import os
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import launches  # noqa: E402

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"


def find(path, variable=""):
    """Returns the path of a file of this project; `variable` of the environment may override it."""
    if variable in os.environ:
        return os.environ[variable]
    tests = os.path.join(os.environ.get("TEST_SRCDIR", "."), os.environ.get("TEST_WORKSPACE", ""))
    for root in (tests, ".", os.path.dirname(os.path.abspath(sys.argv[0])) + "/../..", "bazel-bin"):
        if os.path.exists(os.path.join(root, path)):
            return os.path.abspath(os.path.join(root, path))
    sys.exit("error: cannot find " + path + ("; set " + variable if variable else ""))


def write_npy(path, code, shape, values):
    dtype = {"e": "<f2", "f": "<f4"}[code]
    header = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (dtype, tuple(shape))
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        f.write(struct.pack("<%d%s" % (len(values), code), *values))


def arithmetic(folder):
    body = []
    for k in range(16):
        body.append("mad.lo.u32 %%r%d, %%r%d, 1664525, %%r%d; xor.b32 %%r%d, %%r%d, %%r0; shr.u32 %%r%d, %%r%d, 3;"
                    % (2 + k % 8, 2 + k % 8, 2 + (k + 1) % 8, 2 + k % 8, 2 + k % 8, 12 + k % 8, 2 + k % 8))
        body.append("fma.rn.f32 %%f%d, %%f%d, %%f%d, %%f%d; add.f32 %%f%d, %%f%d, %%f0; selp.b32 %%r%d, %%r%d, %%r0, %%p0;"
                    % (1 + k % 8, 1 + k % 8, 1 + (k + 3) % 8, 1 + (k + 5) % 8, 1 + (k + 1) % 8, 1 + (k + 1) % 8,
                       12 + k % 8, 12 + (k + 1) % 8))
    zero = " ".join("mov.u32 %%r%d, %d;" % (k, k) for k in range(2, 20)) + " "
    zero += " ".join("mov.f32 %%f%d, 0f3F800000;" % k for k in range(10))
    ptx = HEAD + """.visible .entry k(.param .u64 out) {
.reg .pred %p<4>; .reg .b32 %r<32>; .reg .f32 %f<16>; .reg .b64 %d<4>;
ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x; setp.lt.u32 %p0, %r0, 77; mov.u32 %r20, 0;
""" + zero + "\nL:\n" + "\n".join(body) + """
add.u32 %r20, %r20, 1; setp.lt.u32 %p1, %r20, 1500; @%p1 bra L;
mov.u32 %r1, %ctaid.x; mad.lo.u32 %r1, %r1, 128, %r0; mul.wide.u32 %d1, %r1, 4; add.u64 %d0, %d0, %d1;
st.global.u32 [%d0], %r3; ret; }
"""
    return ptx, {"grid": [4], "block": [128], "args": [
        {"name": "out", "dtype": "i32", "shape": [512], "init": "poison"}]}


def memory(folder):
    ptx = HEAD + """.visible .entry k(.param .u64 in, .param .u64 out) {
.reg .pred %p<4>; .reg .b32 %r<32>; .reg .f32 %f<16>; .reg .b64 %d<8>;
.shared .align 16 .b8 s[1024];
ld.param.u64 %d0, [in]; ld.param.u64 %d1, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, s; mad.lo.u32 %r2, %r0, 4, %r1;
mov.u32 %r3, 0; mov.u32 %r9, %ctaid.x; mul.wide.u32 %d6, %r9, 524288; add.u64 %d0, %d0, %d6; mov.f32 %f9, 0f00000000;
L:
mad.lo.u32 %r4, %r3, 256, %r0; mul.wide.u32 %d2, %r4, 16; add.u64 %d3, %d0, %d2;
ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%d3];
add.f32 %f4, %f0, %f1; add.f32 %f5, %f2, %f3; add.f32 %f4, %f4, %f5;
st.shared.f32 [%r2], %f4; bar.sync 0;
xor.b32 %r5, %r0, 37; mad.lo.u32 %r6, %r5, 4, %r1; ld.shared.f32 %f6, [%r6]; add.f32 %f9, %f9, %f6; bar.sync 0;
add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 128; @%p1 bra L;
mad.lo.u32 %r7, %r9, 256, %r0; mul.wide.u32 %d4, %r7, 4; add.u64 %d5, %d1, %d4; st.global.f32 [%d5], %f9; ret; }
"""
    return ptx, {"grid": [8], "block": [256], "args": [
        {"name": "in", "dtype": "f32", "shape": [1048576], "init": "uniform", "seed": 1, "align": 16},
        {"name": "out", "dtype": "f32", "shape": [2048], "init": "poison"}]}


def matmul(folder):
    """Writes C[128,128] = A[128,256] B[128,256]^T: 4 warps of 64x64, K steps of 32 in two stages."""
    t = [HEAD, ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c) {",
         ".reg .pred %p<4>; .reg .b32 %r<64>; .reg .b64 %d<16>; .reg .f32 %f<128>; .reg .b32 %x<16>; .reg .b32 %y<16>;",
         ".shared .align 128 .b8 s[32768];",
         "ld.param.u64 %d0, [a]; ld.param.u64 %d1, [b]; ld.param.u64 %d2, [c]; mov.u32 %r0, %tid.x; mov.u32 %r1, s;"]
    t += ["mov.f32 %%f%d, 0f00000000;" % k for k in range(128)]
    # Lane, warp; the warp's rows and columns.
    t.append("and.b32 %r2, %r0, 31; shr.u32 %r3, %r0, 5; and.b32 %r4, %r3, 1; shr.u32 %r5, %r3, 1;")
    # Four copies of 16 bytes of each operand a thread: row r0/4 + 32j, chunk r0%4, swizzled by row bits 1 and 2.
    t.append("shr.u32 %r6, %r0, 2; and.b32 %r7, %r0, 3; shr.u32 %r8, %r6, 1; and.b32 %r8, %r8, 3; xor.b32 %r8, %r8, %r7;")
    t.append("mul.lo.u32 %r9, %r6, 64; mad.lo.u32 %r9, %r8, 16, %r9; add.u32 %r9, %r9, %r1;")
    t.append("mul.wide.u32 %d3, %r6, 512; mul.wide.u32 %d4, %r7, 16; add.u64 %d3, %d3, %d4; add.u64 %d5, %d0, %d3; "
             "add.u64 %d6, %d1, %d3;")

    def stage(step):
        return ["and.b32 %%r10, %s, 1; mad.lo.u32 %%r10, %%r10, 16384, %%r9; mul.wide.u32 %%d7, %s, 64; "
                "add.u64 %%d8, %%d5, %%d7; add.u64 %%d9, %%d6, %%d7;" % (step, step)] + [
            "cp.async.cg.shared.global [%%r10+%d], [%%d%d+%d], 16;" % (8192 * o + 2048 * j, 8 + o, 16384 * j)
            for o in range(2) for j in range(4)] + ["cp.async.commit_group;"]
    t.append("mov.u32 %r11, 0;")
    t += stage("%r11")
    # ldmatrix addresses: row within 16 by lane, chunk by lane.
    t.append("and.b32 %r12, %r2, 15; shr.u32 %r13, %r2, 4; shr.u32 %r14, %r12, 1; and.b32 %r14, %r14, 3;")
    t += ["LOOP:", "add.u32 %r15, %r11, 1; setp.ge.u32 %p0, %r15, 8; @%p0 bra LAST;"] + stage("%r15")
    t += ["cp.async.wait_group 1; bra READY;", "LAST: cp.async.wait_group 0;", "READY: bar.sync 0;"]
    t.append("and.b32 %r16, %r11, 1; mad.lo.u32 %r16, %r16, 16384, %r1;")
    for kk in range(2):
        t.append("add.u32 %%r17, %%r13, %d; xor.b32 %%r17, %%r17, %%r14; mul.lo.u32 %%r17, %%r17, 16; "
                 "mad.lo.u32 %%r17, %%r12, 64, %%r17; add.u32 %%r17, %%r17, %%r16; "
                 "mad.lo.u32 %%r18, %%r4, 4096, %%r17; mad.lo.u32 %%r19, %%r5, 4096, %%r17;" % (2 * kk))
        for m in range(4):
            t.append("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%%x%d, %%x%d, %%x%d, %%x%d}, [%%r18+%d];"
                     % (4 * m, 4 * m + 1, 4 * m + 2, 4 * m + 3, 1024 * m))
        for n in range(4):
            t.append("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%%y%d, %%y%d, %%y%d, %%y%d}, [%%r19+%d];"
                     % (4 * n, 4 * n + 1, 4 * n + 2, 4 * n + 3, 8192 + 1024 * n))
        for m in range(4):
            for n in range(8):
                d = "{%s}" % ", ".join("%%f%d" % (32 * m + 4 * n + k) for k in range(4))
                t.append("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 %s, {%%x%d, %%x%d, %%x%d, %%x%d}, "
                         "{%%y%d, %%y%d}, %s;" % (d, 4 * m, 4 * m + 1, 4 * m + 2, 4 * m + 3,
                                                  4 * (n // 2) + n % 2, 4 * (n // 2) + n % 2 + 2, d))
    t += ["bar.sync 0;", "add.u32 %r11, %r11, 1; setp.lt.u32 %p1, %r11, 8; @%p1 bra LOOP;"]
    t.append("shr.u32 %r20, %r2, 2; and.b32 %r21, %r2, 3; mad.lo.u32 %r20, %r4, 64, %r20; mad.lo.u32 %r22, %r5, 64, 0; "
             "mad.lo.u32 %r22, %r21, 2, %r22; mad.lo.u32 %r20, %r20, 128, %r22; mul.wide.u32 %d10, %r20, 4; "
             "add.u64 %d10, %d2, %d10;")
    for m in range(4):
        for n in range(8):
            for i in range(2):
                t.append("st.global.v2.f32 [%%d10+%d], {%%f%d, %%f%d};"
                         % (((16 * m + 8 * i) * 128 + 8 * n) * 4, 32 * m + 4 * n + 2 * i, 32 * m + 4 * n + 2 * i + 1))
    t += ["ret;", "}"]
    a = [(k * 7 + k // 256 * 3) % 7 - 3 for k in range(128 * 256)]
    b = [(k * 5 + k // 256) % 6 - 2 for k in range(128 * 256)]
    rows = [a[256 * m:256 * m + 256] for m in range(128)]
    columns = [b[256 * n:256 * n + 256] for n in range(128)]
    write_npy(os.path.join(folder, "a.npy"), "e", (128, 256), a)
    write_npy(os.path.join(folder, "b.npy"), "e", (128, 256), b)
    write_npy(os.path.join(folder, "c.npy"), "f", (128, 128), [sum(map(int.__mul__, x, y)) for x in rows for y in columns])
    return "\n".join(t) + "\n", {"grid": [1], "block": [128], "args": [
        {"name": "a", "dtype": "f16", "shape": [128, 256], "init": "@a.npy", "align": 16},
        {"name": "b", "dtype": "f16", "shape": [128, 256], "init": "@b.npy", "align": 16},
        {"name": "c", "dtype": "f32", "shape": [128, 128], "init": "poison", "output": True, "expect": "c.npy"}]}


KERNELS = {"arithmetic": arithmetic, "memory": memory, "matmul_128x128x256": matmul}


def elements(kernel, dtype, inputs, blocks=256):
    count = blocks * 1024
    arrays = [launches.array(name, dtype, [count], name == "out") for name in ["x", "yy"][:inputs] + ["out"]]
    return kernel, sum(arrays, []), [blocks]


def rows(kernel, count=64):
    launches.ROWS = count
    return (kernel, *launches.launch(kernel))


def product(kernel, dtype, result, shape, tile):
    m, n, k = shape
    args = launches.array("a", dtype, [m, k]) + launches.array("b", dtype, [k, n]) + launches.array("c", result, [m, n], True)
    return kernel, args, [m // tile[0], n // tile[1]]


def compiled():
    """Returns (kernel, GPU, arguments, grid) of compiled kernels, by name."""
    gemm = product("gemm_f16_128x256x64", "f16", "f16", (512, 512, 512), (128, 256))
    attention = ("attn_causal_bf16_d64_128x64", *launches.launch("attn_causal_bf16_d64_128x64"))
    parts = {"add_f32": (elements("add_f32_1024", "f32", 2), ["sm_90"]),
             "gelu_bf16": (elements("gelu_bf16_1024", "bf16", 1), ["sm_90"]),
             "softmax_bf16": (rows("softmax_bf16_4096"), ["sm_90"]),
             "layernorm_bf16": (rows("layernorm_bf16_1024"), ["sm_90"]),
             "gemm_f16": (gemm, ["sm_80", "sm_90", "sm_100", "sm_120"]),
             "gemm_f32": (product("gemm_f32_64x64x16", "f32", "f32", (128, 128, 128), (64, 64)), ["sm_80"]),
             "attn_bf16": (attention, ["sm_90"])}
    return {name + "_" + gpu: (what[0], gpu, *what[1:]) for name, (what, gpus) in parts.items() for gpu in gpus}


def write_case(folder, name, case):
    path = os.path.join(folder, name + ".json")
    with open(path, "w") as f:
        json.dump(case, f)
    return path


def write_ptx(folder, name):
    """Returns the arguments of tileir-run for one of `KERNELS`."""
    ptx, case = KERNELS[name](folder)
    with open(os.path.join(folder, name + ".ptx"), "w") as f:
        f.write(ptx)
    return [write_case(folder, name, {**case, "kernel": name + ".ptx"})]


def write_compiled(folder, name, kernel, gpu, args, grid):
    """Returns them for one of `compiled`; the cubin fills in hidden parameters."""
    tileiras, source = find("tools/tileiras/tileiras", "TILEIRAS"), find("test/data/perf/kernels/" + kernel + ".tileirbc")
    base = os.path.join(folder, name)
    for more, out in ((["--emit=ptx"], base + ".ptx"), ([], base + ".cubin")):
        subprocess.run([tileiras, source, "--gpu-name", gpu, "-O3", *more, "-o", out], check=True)
    return [write_case(folder, name, {"kernel": name + ".ptx", "entry": kernel, "grid": grid, "args": args}), "--cubin=" + base + ".cubin"]


def best_of(repeat, command):
    """Returns the seconds of the fastest run."""
    def once():
        start = time.monotonic()
        subprocess.run(command, capture_output=True, check=True)
        return time.monotonic() - start
    return min(once() for _ in range(repeat))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only")
    parser.add_argument("--ptx", action="store_true")
    options = parser.parse_args()
    tool = find("tools/tileir-run/tileir-run", "TILEIR_RUN")
    writers = {name: lambda folder, name=name: write_ptx(folder, name) for name in KERNELS}
    if not options.ptx:
        writers.update({name: lambda folder, name=name, what=what: write_compiled(folder, name, *what) for name, what in compiled().items()})
    ways = ["-j1"], ["-j1", "--check=none"], []
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        print("%-20s %12s  %s" % ("kernel", "instructions", "".join("%9s %7s" % ("seconds", "M/s") for _ in ways)))
        for name, write in writers.items():
            if options.only and name != options.only:
                continue
            command = [tool, *write(folder)]
            stats = subprocess.run([*command, "--stats=json"], capture_output=True, text=True)
            if stats.returncode:
                sys.exit("error: %s: %s" % (name, stats.stderr))
            count = json.loads(stats.stdout[stats.stdout.index("{"):])["warp_instructions"]
            seconds = [best_of(options.repeat, command + way) for way in ways]
            print("%-20s %12d  %s" % (name, count, "".join("%9.3f %7.2f" % (s, count / s / 1e6) for s in seconds)), flush=True)


if __name__ == "__main__":
    main()

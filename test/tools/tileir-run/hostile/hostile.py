#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Damaged and oversized inputs of tileir-run: PTX, case files, host objects. Each gets one error and exit status 2, or is
run; none ends the program by a signal, takes more than 20 seconds or more than 3 GiB.

    hostile.py             needs TILEIR_RUN (or runfiles); cc and objcopy for host objects
"""
import json
import os
import re
import random
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../../lib"))
import rawcase  # noqa: E402

HERE = os.path.dirname(os.path.realpath(__file__))
FOLDER = tempfile.mkdtemp()
HEAD = ".version 8.6\n.target sm_90a\n.address_size 64\n"
EMPTY = HEAD + ".visible .entry k() { ret; }"
CASE = {"kernel": "k.ptx", "grid": [1], "block": [32], "args": []}
failures = []


def entry(body, params="", directives="", module=""):
    return HEAD + module + ".visible .entry k(%s) %s {\n%s\nret; }" % (params, directives, body)


def limits():
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))


def run(name, ptx, wanted, case=None, options=()):
    """Runs one input. wanted: a substring of the error, or None if the input may also run."""
    with open(os.path.join(FOLDER, "k.ptx"), "wb") as out:
        out.write(ptx if isinstance(ptx, bytes) else ptx.encode("latin1"))
    path = os.path.join(FOLDER, "case.json")
    with open(path, "wb") as out:
        text = case if isinstance(case, (str, bytes)) else json.dumps(dict(CASE, **(case or {})))
        out.write(text if isinstance(text, bytes) else text.encode())
    try:
        done = subprocess.run([rawcase.tileir_run(), path, "--max-cycles=200000", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=20, preexec_fn=limits)
        status, text = done.returncode, done.stderr.decode("latin1")
    except subprocess.TimeoutExpired:
        status, text = "timeout", ""
    errors = [line for line in text.split("\n") if line.startswith("error: ")]
    fits = status in (0, 1, 2) and len(errors) == (status == 2)
    if wanted is not None and wanted not in text:
        fits = False
    if not fits:
        failures.append(name)
        print("%s: status %s, wanted %r, got %s" % (name, status, wanted, text[:300]))


def ptx():
    printf = ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n.global .b8 text[600] = {%s};\n"
    again = ("mov.u64 %r1, text; cvta.global.u64 %r1, %r1; A: { .param .b64 s; .param .b64 t; .param .b32 r; st.param.b64 [s], %r1;"
             " st.param.b64 [t], 0; call (r), vprintf, (s, t); } bra A;")
    long_text = ",".join(str(ord(c)) for c in "%999999999d%*d%n\n" * 5 + "x" * 300)
    run("empty", "", "expected PTX, Tile IR")
    run("binary", bytes(range(256)) * 16, "expected PTX, Tile IR")
    run("digits", b".version " + bytes(range(256)) * 16, "line 1:")
    run("braces", HEAD + ".visible .entry k() {\n" + "{" * 200000, "line ")
    run("operands", entry("mov.b32 " + "{" * 200000), "operand is nested too deeply")
    run("negations", entry("@p bra " + "!" * 300000 + "p;"), "line ")
    run("initialiser", HEAD + ".global .b32 a[4] = " + "{" * 300000 + "1;", "initialiser is nested too deeply")
    run("parentheses", HEAD + ".global .b32 a = " + "(" * 300000 + "1;", "line ")
    run("words", entry("add" + ".u32" * 200000 + " 1;"), None)
    run("operand count", entry("add.u32 " + "1, " * 200000 + "1;"), None)
    run("unknown register", entry("add.u32 %r1, %r2, %r3;"), "unknown register '%r1'")
    run("wrong width", entry(".reg .b64 %d<4>; add.u32 %d1, %d2, %d3;"), "line 5: 'add.u32'")
    run("negated register", entry(".reg .b32 %r<4>; add.s32 %r1, -%r2, %r3;"), "'-' is not allowed here")
    run("inverted register", entry(".reg .b32 %r<4>; add.s32 %r1, !%r2, %r3;"), "'!' is not allowed here")
    run("negated predicate", entry(".reg .b32 %r<4>; .reg .pred %p; selp.b32 %r1, %r2, %r3, -%p;"), "expected a predicate")
    run("type", entry(".reg .b16 %h<4>; .reg .b32 %r<4>; bfe.u16 %h1, %h2, %r1, %r2;"), "'bfe.u16': PTX has no such type here; use one")
    run("form", entry(".reg .b32 %r<4>; shfl.up.b32 %r1, %r2, 1, 0;"), "expected '.sync'; PTX 6.4 dropped the variant without it")
    run("complement", entry(".reg .b32 %r<4>; mov.u32 %r1, -~1;"), "operator '~' is not supported in constants; write the value")
    run("guard", entry(".reg .b32 %r<4>; @%r1 ret;"), "line ")
    run("label", entry("bra X;"), "unknown label 'X'")
    run("registers", entry(".reg .b32 %r<4000000000>;"), "more than 1000000 registers")
    run("variable", HEAD + ".global .b8 a[100000000000];\n.visible .entry k() { ret; }", "'a': the module's variables need more memory")
    run("overflow", HEAD + ".global .b64 a[0x7fffffffffff][0x7fffffff];\n.visible .entry k() { ret; }", "'a' is too large")
    run("alignment", HEAD + ".global .align 3 .b8 a[4];\n.visible .entry k() { ret; }", "alignment 3 of 'a'")
    run("shared", entry(".shared .b8 a[0xfffffffff0];"), "'a': shared variables need more than the 232448 bytes")
    run("local", entry(".local .b8 a[0x7ffffff0];"), "'a': local variables of a function have more than 524288 bytes")
    run("parameter", entry("", ".param .b8 a[0xfffffff0]"), "parameter 'a' has 4294967280 bytes; at most 32764")
    run("per-CTA memory", entry("", "", ".minperctamemory 4000000000"), "per-CTA memory of ")
    run("threads", entry("", "", ".reqntid 4294967295, 3, 77"), "'block'")
    run("recursion", HEAD + ".func f() { .local .b8 a[100000]; call f; ret; }\n.visible .entry k() { call f; ret; }",
        "bounds: ")
    run("deep frames", HEAD + ".func f() { .reg .b64 %r<100000>; call f; ret; }\n.visible .entry k() { call f; ret; }", "bounds: ")
    run("alloca", entry(".reg .b64 %r<4>; A: alloca.u64 %r2, 100000; bra A;"), "the local memory of a thread ends at 524288")
    run("malloc", entry(".reg .b64 %r<4>; A: { .param .b64 s; .param .b64 r; st.param.b64 [s], 8000000; call (r), malloc, (s); } bra A;",
                        module=".extern .func (.param .b64 r) malloc(.param .b64 s);\n"), "timeout: ")
    run("print", entry(".reg .b64 %r<4>; " + again, module=printf % long_text), "the kernel has printed ")
    run("cluster", entry("", "", ".explicitcluster .reqnctapercluster 4000000000"), "the grid is no multiple of the cluster")
    run("blocks", entry("setmaxnreg.dec.sync.aligned.u32 24;", "", ".maxntid 1024 .minnctapersm 4194304"), None)
    run("spin", entry("A: bra A;"), "timeout: ")


def case_files():
    buffer = {"name": "a", "dtype": "f32", "shape": [16]}
    one = HEAD + ".visible .entry k(.param .u64 a) { ret; }"
    for name, text, wanted in (
            ("nothing", "", "error: "), ("cut", '{"kernel": "k.p', "error: "), ("arrays", "[" * 300000, "error: "),
            ("objects", '{"a":' * 300000, "error: "), ("bytes", b'{"kernel": "\xff\xfe"}', "error: "), ("escape", '{"kernel": "\\uZZZZ"}', "error: "),
            ("trailing", json.dumps(CASE) + "x", "error: ")):
        run("case " + name, EMPTY, wanted, text)
    for name, fields, wanted in (
            ("grid", {"grid": [10 ** 30]}, "'grid"), ("grid sign", {"grid": [-1]}, "'grid"), ("grid size", {"grid": [2147483647, 65535, 65535]}, "the grid is too large"),
            ("block", {"block": [1025]}, "a block of 1025 threads"), ("shared", {"shared_bytes": 10 ** 18}, "the launch asks for 1000000000000000000 bytes"),
            ("kernel", {"kernel": "nope.ptx"}, "cannot open"), ("folder", {"kernel": "."}, "is no file"), ("entry", {"entry": "zzz"}, "no entry 'zzz'")):
        run("case " + name, EMPTY, wanted, fields)
    for name, fields, wanted in (
            ("shape", {"shape": [2 ** 50]}, "case.json: 'args[0]"), ("product", {"shape": [2 ** 31, 2 ** 31, 2 ** 31]}, "case.json: 'args[0]"),
            ("memory", {"shape": [2 ** 34], "dtype": "i8"}, "does not fit into the memory"),
            ("elements", {"shape": [2 ** 40], "init": "normal"}, "initialize it with 'zeros' or 'poison'"),
            ("output", {"shape": [2 ** 40], "output": True}, "an output of 1099511627776 elements does not fit"),
            ("strides", {"strides": [2 ** 62]}, "case.json: 'args[0]"), ("init", {"init": "@/dev/zero"}, "'/dev/zero' is no file"),
            ("type", {"dtype": "q7"}, "case.json: 'args[0]"), ("relocation", {"relocations": [{"offset": 2 ** 62, "buffer": "a"}]}, "error: ")):
        run("buffer " + name, one, wanted, {"args": [dict(buffer, **fields)]})


def truncated(seed):
    """Checks test kernels truncated anywhere, and with some bytes changed."""
    draw = random.Random(seed)
    folder = os.path.join(HERE, "..", "planted")
    for _number, name in enumerate(sorted(os.listdir(folder))):
        if not name.endswith(".ptx"):
            continue
        with open(os.path.join(folder, name), "rb") as source:
            text = source.read()
        for k in range(4):
            damaged = bytearray(text[:draw.randrange(len(text))] if k < 2 else text)
            for _ in range(3 if k else 0):
                if damaged:
                    damaged[draw.randrange(len(damaged))] = draw.randrange(256)
            found = re.search(rb"\.entry\s+(\w+)\s*\(([^)]*)\)", bytes(damaged))
            case = {"block": [128], "grid": [2]}
            if found:
                case["entry"] = found.group(1).decode("latin1")
                case["args"] = [{"name": "m%d" % q, "bytes": 128, "align": 64, "fields": []} if b"128" in p else
                                {"name": "a%d" % q, "dtype": "f32", "shape": [4096], "init": "ones"}
                                for q, p in enumerate(found.group(2).split(b",")) if p.strip()]
            run("damaged %s %d" % (name, k), bytes(damaged), None, case)


def host_objects():
    """Checks a correct host object, truncated at every 16th byte, with damaged words, and in a truncated cubin."""
    def tool(*command):
        subprocess.run(command, check=True, cwd=FOLDER, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    inputs = os.path.join(HERE, "..", "Inputs")
    try:
        tool("cc", "-O1", "-c", "-mcmodel=large", "-fno-pic", "-fno-stack-protector", "-mno-sse", os.path.join(inputs, "host.c"), "-o", "host.o")
        tool("cc", "-c", "-x", "c", "/dev/null", "-o", "empty.o")
    except (OSError, subprocess.CalledProcessError):
        sys.exit("cc cannot make the host object")
    with open(os.path.join(inputs, "hidden.ptx")) as source:
        text = source.read()
    with open(os.path.join(inputs, "hidden.json")) as source:
        case = dict(json.load(source), kernel="k.ptx")
    with open(os.path.join(FOLDER, "host.o"), "rb") as source:
        whole = source.read()

    def given(name, data, wanted, cubin=None):
        with open(os.path.join(FOLDER, "part.o"), "wb") as out:
            out.write(data)
        if cubin is None:
            tool("objcopy", "--add-section", ".nv.host=part.o", "empty.o", "fake.cubin")
        else:
            with open(os.path.join(FOLDER, "fake.cubin"), "wb") as out:
                out.write(cubin)
        run("host object " + name, text, wanted, case, ["--cubin=" + os.path.join(FOLDER, "fake.cubin")])
    given("whole", whole, None)
    with open(os.path.join(FOLDER, "fake.cubin"), "rb") as source:
        cubin = source.read()
    for size in range(16, len(whole), 16 * 5):
        given("of %d bytes" % size, whole[:size], "error: ")
    for size in range(0, len(cubin), 16 * 11):
        given("in %d bytes" % size, whole, "error: ", cubin[:size])
    draw = random.Random(5)
    for _number in range(60):
        damaged = bytearray(whole)
        at = draw.randrange(len(damaged) // 8) * 8
        damaged[at:at + 8] = draw.choice([b"\xff" * 8, b"\0" * 8, bytes(draw.randrange(256) for _ in range(8))])
        given("with word %d" % at, bytes(damaged), None)


def main():
    ptx()
    case_files()
    truncated(1)
    host_objects()
    print("%d inputs failed" % len(failures))
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())

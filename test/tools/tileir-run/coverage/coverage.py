#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks every opcode of opcodes.txt, with all its modifiers, and every statement of isa.txt: ptxas accepts it, and the
emulator executes it or rejects it with the reason in refused.txt. Prints which.

    coverage.py            needs TILEIR_RUN (or runfiles) and TILEIR_PTXAS_PATH
    coverage.py --print    only prints the statements
    coverage.py --list     prints every opcode, "executes" or "refused", architectures and the reason

opcodes.txt lists the opcodes that four compilers emit, with their architectures; isa.txt lists further ones of the PTX
ISA. The emulator decodes all of a function before it runs, and no handler rejects a decoded instruction, except
interleaved tensor maps: decoded instructions are executed. For each opcode this script generates a statement with
matching operands; all statements of an architecture go into one kernel, which exits before them, so that they are
decoded and never run. A rejection by ptxas is a fault of this script, a rejection by the emulator is a fault of the
emulator.
"""
import os
import re
import subprocess
import sys
import tempfile

BITS = {"pred": 1, "b1": 1, "b8": 8, "u8": 8, "s8": 8, "b16": 16, "u16": 16, "s16": 16, "f16": 16, "bf16": 16,
        "b32": 32, "u32": 32, "s32": 32, "f32": 32, "f16x2": 32, "bf16x2": 32, "tf32": 32, "u16x2": 32, "s16x2": 32,
        "b64": 64, "u64": 64, "s64": 64, "f64": 64, "f32x2": 64, "b128": 128,
        "e4m3x2": 16, "e5m2x2": 16, "e2m3x2": 16, "e3m2x2": 16, "e2m1x2": 8, "ue8m0x2": 16}
LETTER = {1: "%p", 8: "%c", 16: "%h", 32: "%r", 64: "%d", 128: "%q"}
FLOAT = {"f16", "bf16", "f32", "f64", "f16x2", "bf16x2", "f32x2"}


def reg(type_or_bits, number):
    bits = BITS.get(type_or_bits, type_or_bits)
    return LETTER[16 if bits == 8 else bits] + str(number)


def vector(letter, count, first=0):
    return "{" + ", ".join(letter + str(first + k) for k in range(count)) + "}"


def types_of(words):
    return [w for w in words if w in BITS]


def space_address(words, param="[param]"):
    """Returns an address for the state space that the words name."""
    if any(w.startswith("shared") for w in words):
        return "[%r30]" if "shared::cluster" not in words else "[%r30]"
    if "local" in words:
        return "[locals]"
    if "const" in words:
        return "[constants]"
    if "param" in words:
        return param
    return "[%d30]"


def lanes_of(words):
    for count in (2, 4, 8):
        if "v%d" % count in words:
            return count
    return 1


def memory_register(words, number=0):
    type_name = types_of(words)[-1]
    count = lanes_of(words)
    return reg(type_name, number) if count == 1 else vector(LETTER[max(16, BITS[type_name])], count, number)


def three(words, count, result=None, sources=None):
    type_name = types_of(words)[0]
    return ", ".join([reg(result or type_name, 0)] + [reg((sources or type_name), k + 1) for k in range(count)])


def mma_registers(words):
    shape = next(w for w in words if re.fullmatch(r"m\d+n\d+k\d+", w))
    m, n, k = (int(v) for v in re.fullmatch(r"m(\d+)n(\d+)k(\d+)", shape).groups())
    after = words[words.index(shape) + 1:]
    kinds = [w for w in after if re.fullmatch(r"[a-z]+\d+(m\d+)?", w) and w not in ("v4",)]
    d, a, b, c = kinds[:4]
    widened = any(w.startswith("kind::") and "f8f6f4" in w for w in words)
    bits = {"f16": 16, "bf16": 16, "tf32": 32, "f64": 64, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1, "e4m3": 8,
            "e5m2": 8, "e2m3": 8, "e3m2": 8, "e2m1": 8 if widened else 4, "f32": 32, "s32": 32}
    sparse = any(w.startswith("sp") for w in words)
    wide = a == "f64"
    letter = "%d" if wide else "%r"
    unit = 64 if wide else 32
    na = m * k * bits[a] // 32 // unit // (2 if sparse else 1)
    nb = n * k * bits[b] // 32 // unit
    nc = m * n * bits[c] // 32 // unit
    text = "%s, %s, %s, %s" % (vector(letter, nc), vector(letter, na, 8), vector(letter, nb, 16), vector(letter, nc))
    if sparse:
        text += ", %r24, 0x0"
    if "block_scale" in words:
        text += ", %r24, {0, 0}, %r25, {0, 0}"
    return text


def wgmma_registers(words):
    shape = next(w for w in words if re.fullmatch(r"m64n\d+k\d+", w))
    n = int(re.fullmatch(r"m64n(\d+)k\d+", shape).group(1))
    d, a = words[words.index(shape) + 1], words[words.index(shape) + 2]
    count = n // 4 if d == "f16" else n // 2
    text = "%s, %%d1, %%d2, %%p0" % vector("%w", count)
    if d == "s32":
        return text
    return text + (", 1, 1, 0, 0" if a in ("f16", "bf16") else ", 1, 1")


def tcgen_registers(words):
    shape = next(w for w in words if w in ("32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2"))
    times = int(next(w for w in words if re.fullmatch(r"x\d+", w))[1:])
    count = times * {"16x128b": 2, "16x256b": 4}.get(shape, 1)
    regs = vector("%w", count)
    middle = "[%r30]" + (", 16" if shape == "16x32bx2" else "")
    return regs + ", " + middle if words[1] == "ld" else middle + ", " + regs


def bulk_registers(words):
    if "commit_group" in words:
        return ""
    if "wait_group" in words:
        return "0"
    policy = ", %d29" if "L2::cache_hint" in words else ""
    if "prefetch" in words:
        return "[%d30], 128" + policy
    mask = ", %h5" if "multicast::cluster" in words else ""
    rank = next((int(w[0]) for w in words if re.fullmatch(r"[1-5]d", w)), 0)
    to_shared = any(w.startswith("mbarrier::") for w in words)
    if not rank:
        if to_shared:
            return "[%r30], [%d30], %r5, [%r31]" + mask + policy
        return "[%d30], [%r30], %r5" + policy
    if any("gather4" in w or "scatter4" in w for w in words):
        rank = 5
    coordinates = "[%%d30, %s]" % vector("%r", rank)
    if not to_shared:
        return coordinates + ", [%r30]" + policy
    offsets = ""
    if "im2col" in words:
        offsets = ", " + vector("%h", rank - 2)
    return "[%r30], " + coordinates + ", [%r31]" + offsets + mask + policy


def mbarrier_operands(words):
    op = words[1]
    if op == "pending_count":
        return "%r0, %d0"
    if op == "init":
        return "[%r30], 4"
    if op == "inval":
        return "[%r30]"
    if op in ("arrive", "arrive_drop"):
        remote = "shared::cluster" in words
        result = "_" if remote else "%d0"
        if "expect_tx" in words:
            return result + ", [%r30], %r1"
        if "noComplete" in words:
            return result + ", [%r30], %r1"
        return result + ", [%r30]"
    if op in ("test_wait", "try_wait"):
        return "%p0, [%r30], " + ("%r1" if "parity" in words else "%d1")
    return "[%r30], %r1"


def operands(opcode):
    """Returns the operands of one opcode as text; None if it is not a plain statement."""
    words = opcode.split(".")
    m, types = words[0], types_of(words)
    first = types[0] if types else None
    if m in ("add", "sub", "mul", "div", "rem", "min", "max", "and", "or", "xor", "copysign", "addc", "subc"):
        if m == "mul" and "wide" in words:
            return three(words, 2, result=BITS[first] * 2)
        if m in ("min", "max") and "abs" in words and "xorsign" not in words:
            return three(words, 3)
        if len(types) == 2:  # mixed precision
            return "%r0, " + reg(types[1], 1) + ", %r2"
        return three(words, 2)
    if m in ("abs", "neg", "not", "cnot", "sqrt", "rcp", "rsqrt", "ex2", "lg2", "sin", "cos", "tanh", "brev"):
        return three(words, 1)
    if m in ("popc", "clz", "bfind"):
        return three(words, 1, result=32)
    if m in ("fma", "mad", "madc", "sad", "lop3", "prmt", "shf", "fns"):
        if m == "lop3":
            return three(words, 3) + ", 0x96"
        if m == "mad" and "wide" in words:
            wide = reg(BITS[first] * 2, 0)
            return ", ".join([wide, reg(first, 1), reg(first, 2), reg(BITS[first] * 2, 3)])
        if m == "fma" and len(types) == 2:
            return "%r0, " + reg(types[1], 1) + ", " + reg(types[1], 2) + ", %r3"
        return three(words, 3)
    if m in ("dp4a", "dp2a") or m[0] == "v" and m[-1] in "24":
        return "%r0, %r1, %r2, %r3"
    if m in ("shl", "shr"):
        return reg(first, 0) + ", " + reg(first, 1) + ", %r2"
    if m in ("bmsk", "szext"):
        return "%r0, %r1, %r2"
    if m == "bfe":
        return reg(first, 0) + ", " + reg(first, 1) + ", %r2, %r3"
    if m == "bfi":
        return reg(first, 0) + ", " + reg(first, 1) + ", " + reg(first, 2) + ", %r3, %r4"
    if m == "setp":
        third = ", %p2" if any(w in ("and", "or", "xor") for w in words) else ""
        return "%p0, " + reg(first, 0) + ", " + reg(first, 1) + third
    if m == "set":
        return reg(types[0], 0) + ", " + reg(types[1], 1) + ", " + reg(types[1], 2)
    if m == "selp":
        return three(words, 2) + ", %p0"
    if m == "slct":
        return three(words, 2) + ", " + reg(types[1], 3)
    if m == "mov":
        return three(words, 1)
    if m == "cvt":
        to, source = types
        regs = []
        for kind, number in ((to, 0), (source, 1)):
            letter = "%c" if kind == "e2m1x2" else LETTER[max(BITS[kind], 16)]
            regs.append(letter + str(number))
        if to.endswith("x2") and not source.endswith("x2"):
            regs.append(LETTER[BITS[source]] + "2")
        return ", ".join(regs)
    if m == "cvta":
        return "%d0, %d1"
    if m == "isspacep":
        return "%p0, %d0"
    if m == "mapa":
        return "%r0, %r1, %r2"
    if m == "ld":
        policy = ", %d29" if "L2::cache_hint" in words else ""
        if "param" in words:
            return memory_register(words) + ", [arguments]"
        return memory_register(words) + ", " + space_address(words) + policy
    if m == "st":
        if "async" in words:
            return "[%r30], " + memory_register([w for w in words if "::" not in w]) + ", [%r31]"
        if "param" in words:
            return "[outgoing], " + memory_register(words)
        return space_address(words) + ", " + memory_register(words)
    if m in ("atom", "red"):
        address = "[%r30]" if any(w.startswith("shared") for w in words) else "[%d30]"
        count = lanes_of(words)
        letter = LETTER[BITS[types[-1]]]
        value = (lambda n: vector(letter, count, n)) if count > 1 else (lambda n: letter + str(n))
        if types[-1] == "b128":
            value = lambda n: "%q" + str(n % 4)
        text = address + ", " + value(4) + (", " + value(5 if count == 1 else 12) if "cas" in words else "")
        return text if m == "red" else value(0) + ", " + text
    if m in ("bar", "barrier"):
        if "cluster" in words:
            return ""
        if "warp" in words:
            return "-1"
        if "red" in words:
            return ("%r0" if "popc" in words else "%p0") + ", 0, %p1"
        return "1, 64" if "arrive" in words else "0"
    if m == "bra":
        return "DONE"
    if m == "brx":
        return "%r0, TARGETS"
    if m == "call":
        return "(result), callee, (outgoing)"
    if m == "clusterlaunchcontrol":
        if "try_cancel" in words:
            return "[%r30], [%r31]"
        return ("%p0" if "is_canceled" in words else vector("%r", 4)) + ", %q0"
    if m == "cp":
        if "bulk" in words:
            return bulk_registers(words)
        if "mbarrier" in words:
            return "[%r30]"
        if "commit_group" in words or "wait_all" in words:
            return ""
        if "wait_group" in words:
            return "0"
        return "[%r30], [%d30], 16"
    if m == "createpolicy":
        return "%d0, 1.0"
    if m == "elect":
        return "%r0|%p0, -1"
    if m == "fence":
        return "[%d30], 128" if any("tensormap" in w for w in words) else ""
    if m == "griddepcontrol" or m in ("membar", "ret", "trap"):
        return ""
    if m == "ldmatrix":
        count = int(next(w for w in words if re.fullmatch(r"x\d", w))[1:]) * (2 if "m16n16" in words else 1)
        return vector("%r", count) + ", [%r30]"
    if m == "stmatrix":
        return "[%r30], " + vector("%r", int(next(w for w in words if re.fullmatch(r"x\d", w))[1:]))
    if m == "movmatrix":
        return "%r0, %r1"
    if m == "match":
        return ("%r0|%p0" if "all" in words else "%r0") + ", %r1, -1"
    if m == "mbarrier":
        return mbarrier_operands(words)
    if m == "mma":
        return mma_registers(words)
    if m == "nanosleep":
        return "32"
    if m == "prefetch":
        return "[%d30]"
    if m == "redux":
        return "%r0, %r1, -1"
    if m == "setmaxnreg":
        return "64"
    if m == "shfl":
        return "%r0|%p0, %r1, %r2, 31, -1"
    if m == "vote":
        return ("%r0" if "ballot" in words else "%p0") + ", %p1, -1"
    if m == "wgmma":
        if "mma_async" in words:
            return wgmma_registers(words)
        return "0" if "wait_group" in words else ""
    if m == "tensormap":
        if "cp_fenceproxy" in words:
            return "[%d30], [%r30], 128"
        field = words[3]
        ordinal = ", 0" if field in ("box_dim", "global_dim", "global_stride", "element_stride") else ""
        value = "0" if field in ("elemtype", "interleave_layout", "swizzle_mode", "fill_mode") else reg(types[-1], 1)
        return "[%r30]" + ordinal + ", " + value
    if m == "tcgen05":
        op = words[1]
        if op in ("ld", "st"):
            return tcgen_registers(words)
        if op == "alloc":
            return "[%r30], 32"
        if op == "dealloc":
            return "%r0, 32"
        if op == "commit":
            return "[%r30]" + (", %h5" if "multicast::cluster" in words else "")
        if op == "cp":
            return "[%r30], %d1"
        if op == "mma":
            if "block_scale" in words:
                return "[%r0], %d1, %d2, %r3, [%r4], [%r5], %p0"
            return "[%r0], %d1, %d2, %r3, %p0"
        return ""
    return None


HEADER = """.version {version}
.target {arch}
.address_size 64
.const .align 16 .b8 constants[64];
.visible .func (.param .b64 result) callee(.param .align 16 .b8 x[64]) {{ ret; }}
.visible .entry k(.param .align 16 .b8 arguments[64]) {{
.reg .pred %p<8>; .reg .b8 %c<8>; .reg .b16 %h<64>; .reg .b32 %r<64>; .reg .b32 %w<256>; .reg .b64 %d<64>; .reg .b128 %q<4>;
.local .align 16 .b8 locals[64];
.shared .align 1024 .b8 buffer[2048];
mov.u32 %r30, buffer; mov.u32 %r31, buffer; cvta.shared.u64 %d30, %d31; createpolicy.fractional.L2::evict_last.b64 %d29, 1.0;
ld.param.b32 %r29, [arguments]; setp.eq.b32 %p7, %r29, 0; @%p7 bra DONE;
"""
FOOTER = """DONE: ret;
}
"""


FURTHER = {}  # Of isa.txt: statements by opcode, which has a number where it comes again.


def statement(opcode):
    if opcode in FURTHER:
        return FURTHER[opcode]
    text = operands(opcode)
    if text is None:
        return None
    line = opcode + (" " + text if text else "") + ";"
    if opcode.startswith("call"):
        return "{ .param .b64 result; .param .align 16 .b8 outgoing[64]; %s }" % line
    if ".param" in opcode and opcode.startswith("st."):
        return ("{ .param .b64 result; .param .align 16 .b8 outgoing[64]; %s call (result), callee, (outgoing); }" % line)
    if opcode.startswith("brx"):
        return "{ TARGETS: .branchtargets DONE, DONE; %s }" % line
    return line


def kernels(table):
    """Yields (architecture, opcodes that one kernel may have) for all of `table`."""
    order = sorted({a for archs in table.values() for a in archs}, key=lambda a: (int(a[3:].rstrip("af")), a))
    for arch in order:
        # A kernel uses one block or a pair of them, and ptxas fails on wgmma together with other instructions.
        groups = {}
        for op in table:
            if arch in table[op]:
                groups.setdefault(("cta_group::2" in op, op.startswith("wgmma")), []).append(op)
        for opcodes in groups.values():
            yield arch, opcodes


def module(arch, opcodes):
    lines = [HEADER.format(version="9.0", arch=arch)]
    for opcode in opcodes:
        lines.append(statement(opcode))
    return "\n".join(lines) + "\n" + FOOTER


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def lines_of(name):
    here = os.path.dirname(os.path.abspath(__file__))
    path = os.path.join(here, name)
    if not os.path.exists(path):
        path = os.path.join(os.path.dirname(os.path.realpath(__file__)), name)
    return [line.strip() for line in open(path) if line.strip() and not line.startswith("#")]


def main():
    table = {}
    for line in lines_of("opcodes.txt"):
        words = line.split()
        table[words[0]] = words[1:]
    for line in lines_of("isa.txt"):
        archs, text = line.split(" | ")
        opcode = text.split()[0].rstrip(";")
        number = sum(1 for op in FURTHER if op.split("#")[0] == opcode)
        FURTHER[opcode + ("#%d" % number if number else "")] = text
        table[opcode + ("#%d" % number if number else "")] = archs.split()
    refused = {}
    for line in lines_of("refused.txt"):
        opcode, reason = line.split(" | ")
        for op in table:
            if op.split("#")[0] == opcode:
                refused[op] = reason
    unknown = [op for op in table if statement(op) is None]
    if "--print" in sys.argv:
        for op in table:
            print(statement(op))
        return 0
    if "--list" in sys.argv:
        for op, archs in table.items():
            print("%-9s %s (%s)%s" % ("refused" if op in refused else "executes", op, " ".join(archs),
                                      ": " + refused[op] if op in refused else ""))
        return 0
    root = os.path.join(os.environ.get("TEST_SRCDIR", ""), os.environ.get("TEST_WORKSPACE", ""))
    tileir_run = os.environ.get("TILEIR_RUN") or os.path.join(root, "tools/tileir-run/tileir-run")
    ptxas = os.environ["TILEIR_PTXAS_PATH"]
    failures = ["no operands are known for '%s'" % op for op in unknown]
    failures += ["refused.txt names '%s', which no list has" % line.split(" | ")[0] for line in lines_of("refused.txt")
                 if not any(op.split("#")[0] == line.split(" | ")[0] for op in table)]
    with tempfile.TemporaryDirectory() as work:
        ptx, case = os.path.join(work, "k.ptx"), os.path.join(work, "k.json")
        with open(case, "w") as file:
            file.write('{"kernel": "k.ptx", "entry": "k", "grid": [1], "block": [128], '
                       '"args": [{"name": "x", "bytes": 64}]}')

        def write(arch, opcodes):
            with open(ptx, "w") as file:
                file.write(module(arch, opcodes))

        def assemble(arch, opcodes):
            write(arch, opcodes)
            return run([ptxas, "-arch=" + arch, "-O0", "-o", os.path.join(work, "k.cubin"), ptx])

        def decode(arch, opcodes):
            write(arch, opcodes)
            return run([tileir_run, case, "--arch=" + arch])

        for arch, opcodes in kernels(table):
            opcodes = [op for op in opcodes if op not in unknown]
            for op in [op for op in opcodes if op in refused]:
                status, text = decode(arch, [op])
                if status != 2 or refused[op] not in text:
                    failures.append("tileir-run, %s: %s\n    expected '%s', got: %s" % (arch, statement(op), refused[op], text))
            for name, step in (("ptxas", assemble), ("tileir-run", decode)):
                if step is decode:
                    opcodes = [op for op in opcodes if op not in refused]
                status, text = step(arch, opcodes)
                if status == 0:
                    continue
                # One by one, to name each.
                bad = 0
                for op in opcodes:
                    status, one = step(arch, [op])
                    if status:
                        bad += 1
                        failures.append("%s, %s: %s\n    %s" % (name, arch, statement(op), one.strip().replace("\n", "\n    ")))
                if not bad:
                    failures.append("%s, %s, all together: %s" % (name, arch, text))
            print("%s: %d opcodes" % (arch, len(opcodes)), flush=True)
    for text in failures:
        print("FAILED: " + text)
    for op in refused:
        print("refused: %s: %s" % (op, refused[op]))
    print("%d opcodes, %d executed, %d refused, %d failures" % (
        len(table), len(table) - len(refused), len(refused), len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

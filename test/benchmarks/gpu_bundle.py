# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the programs of gpu_gemm.py, ours and the peers', into a folder that needs only Python and the CUDA driver.

Every program becomes a cubin that any driver of its architecture launches: hidden parameters are visible ones (the
plain form of docs/design/launch.md), shared memory beyond 48 KiB is dynamic. For our kernels --launch-abi=plain does
this; for the closed compiler's, whose cubins need drivers that fill hidden parameters, the text of the PTX is edited.
Either way only the header changes: the machine code must equal, byte for byte, ptxas's output for the compiler's own
text, or the program is rejected.

bundle.json: `programs` (how a cubin is launched), `problems` (buffers, and a launch of each program), `refused`,
`versions`. Launches are those of launches.py with other extents.
"""

import datetime
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

import compilers
import launches

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "lib"))
import launchabi  # noqa: E402

# Files that run on the device machine.
SCRIPTS = "gpu_gemm.py gpu_device.py gpu_launch.py gpu_checks.py ../lib/sidecar.py".split()
SIZES = [1024, 2048, 4096, 8192, 16384]
LARGEST = {"f32": 8192, "bf16 batched": 4096}  # of those; more takes long or much memory
BATCH = 8  # of a batched matmul
LENGTHS = [2048, 4096, 8192, 16384]
TOKENS = 16384  # of all sequences of an attention problem together
HEADS, SHARED_HEADS = 32, 8  # the kernels of test/data/perf have these numbers: four query heads share one of keys
PROGRAMS = 132  # of persistent kernels, as triton_kernels.py has it: the SMs of an H100 and H200
MIB = 512  # that row kernels read and write, at most: ten times an L2 cache
LOG2E = 1.4426950408889634
ELEMENTS = {"tf32": "f32", "int8": "i8"}  # types whose elements have another name
RESULTS = {"e4m3": "f32", "tf32": "f32", "int8": "i32"}
BYTES = {"bf16": 2, "f16": 2, "f32": 4, "i32": 4}


class Refused(Exception):
    """The reason why a program is not in the bundle."""


def product_of(kernel):
    """Returns (type, whether persistent, tile) of a matmul, or None. The type names the elements and the variant:
    accumulation only in the tensor core ("fast"), operand B as N x K ("nt"), batched matrices."""
    found = re.fullmatch(r"(gemm|bmm)(_nt|_persistent)?_(f16|bf16|e4m3|tf32|f32|int8)(_fast)?_(\d+)x(\d+)x(\d+)", kernel)
    if not found:
        return None
    words = [found[3], "fast" if found[4] else "", "nt" if found[2] == "_nt" else "", "batched" if found[1] == "bmm" else ""]
    return " ".join(w for w in words if w), found[2] == "_persistent", tuple(map(int, found.groups()[4:]))


def attention_of(kernel):
    """Returns (mask, type, head size, tile) or None."""
    found = re.fullmatch(r"attn_(causal|full)_(bf16|f16)_d(\d+)_(\d+)x(\d+)", kernel)
    return (found[1], found[2], int(found[3]), tuple(map(int, found.groups()[3:]))) if found else None


def row_of(kernel):
    """Returns (operation, type) of an element-wise or row kernel, or None."""
    found = re.fullmatch(r"([a-z_]+)_(bf16|f16|f32)_[\dx]+", kernel)
    return (found[1], found[2]) if found and (launches.elements(kernel) or launches.rows(kernel)) else None


def product_problem(kind, size):
    """Returns a problem without its launches: M = N = K = size. `bt` is `b` transposed, for programs that take bytes
    K-major only."""
    base, *form = kind.split()
    batch = BATCH if "batched" in form else 1
    element, result, count = ELEMENTS.get(base, base), RESULTS.get(base, base), batch * size * size
    buffers = {"a": {"dtype": element, "count": count}, "b": {"dtype": element, "count": count}}
    if base in ("e4m3", "int8") and "nt" not in form:
        buffers["bt"] = {"dtype": element, "count": count, "transposed": "b", "rows": size}
    buffers["out"] = {"dtype": result, "count": count, "output": True}
    return {"what": "gemm", "type": kind, "element": element, "result": result, "nt": "nt" in form, "batch": batch,
            "extents": [size, size, size], "label": f"gemm {kind} {size}", "flops": 2 * batch * size**3, "buffers": buffers, "launches": []}


def attention_problem(mask, kind, depth, length):
    """Returns an attention problem. `kx`, `vx` hold each head of keys and values once for every head of queries, for
    programs without shared heads."""
    batch = max(1, TOKENS // length)
    queries, keys = batch * HEADS * length * depth, batch * SHARED_HEADS * length * depth
    buffers = {"q": {"dtype": kind, "count": queries}}
    for name in "kv":
        buffers[name] = {"dtype": kind, "count": keys}
        buffers[name + "x"] = {"dtype": kind, "count": queries, "repeated": name, "times": HEADS // SHARED_HEADS, "run": length * depth}
    buffers["out"] = {"dtype": kind, "count": queries, "output": True}
    flops = 4 * batch * HEADS * length**2 * depth // (2 if mask == "causal" else 1)
    return {"what": "attention", "type": kind, "result": kind, "mask": mask, "batch": batch, "heads": HEADS, "shared_heads": SHARED_HEADS,
            "length": length, "depth": depth, "label": f"attention {mask} {kind} d{depth} {length}", "flops": flops, "buffers": buffers,
            "launches": []}


def tile_of(kernel):
    return list(map(int, kernel.rsplit("_", 1)[1].split("x")))


def row_shapes(kernel, count):
    """Returns {array: shape} of the small launch of a row kernel, for `count` rows; for element-wise kernels, of tiles;
    for a transpose, of tiles of a matrix that is as square as powers of two allow."""
    given, _ = launches.launch(kernel)
    shapes = {a["name"]: a["shape"] for a in given if "shape" in a}
    if kernel.startswith("transpose"):
        down = 1 << count.bit_length() // 2
        m, n = (extent * tiles for extent, tiles in zip(shapes["x"], (down, count // down)))
        return {"x": [m, n], "out": [n, m]}
    if launches.elements(kernel):
        return {name: [count * shape[0] // launches.ROWS] for name, shape in shapes.items()}
    return {name: [count, *shape[1:]] if shape[0] == launches.ROWS else shape for name, shape in shapes.items()}


def row_problem(kernel, mib=MIB):
    """Returns a power of two rows such that each array is read or written once within `mib`."""
    operation, kind = row_of(kernel)
    given, _ = launches.launch(kernel)
    dtypes = {a["name"]: a["dtype"] for a in given if "shape" in a}

    def size(count):
        return sum(math.prod(shape) * BYTES[dtypes[name]] for name, shape in row_shapes(kernel, count).items())

    count = launches.ROWS
    while size(2 * count) <= mib << 20:
        count *= 2
    shapes = row_shapes(kernel, count)
    outputs = {a["name"] for a in given if a.get("output")}
    buffers = {n: {"dtype": dtypes[n], "count": math.prod(s), **({"output": True} if n in outputs else {})} for n, s in shapes.items()}
    return {"what": "rows", "type": kind, "operation": operation, "size": count, "shapes": shapes, "bytes": size(count),
            "scalars": {a["name"]: a["value"] for a in given if a["name"] in ("alpha", "eps")}, "label": f"rows {kernel}",
            "buffers": buffers, "launches": []}


def problems_of(kernels, sizes, lengths, mib=MIB):
    """Returns problems that `kernels` solve, each with the names of its kernels. Without sizes, those of each type."""
    found = []
    for kind in dict.fromkeys(product_of(k)[0] for k in kernels if product_of(k)):
        names = [k for k in kernels if product_of(k) and product_of(k)[0] == kind]
        found += [(product_problem(kind, size), names) for size in sizes or [s for s in SIZES if s <= LARGEST.get(kind, s)]]
    for family in dict.fromkeys(attention_of(k)[:3] for k in kernels if attention_of(k)):
        names = [k for k in kernels if attention_of(k) and attention_of(k)[:3] == family]
        found += [(attention_problem(*family, length), names) for length in lengths or LENGTHS]
    return found + [(row_problem(k, mib), [k]) for k in kernels if row_of(k)]


def grid_of(kernel, problem):
    if problem["what"] == "attention":
        return [math.ceil(problem["length"] / attention_of(kernel)[3][0]), problem["batch"] * problem["heads"], 1]
    if problem["what"] == "rows":
        if problem["operation"] == "transpose":
            return [extent // tile for extent, tile in zip(problem["shapes"]["x"], tile_of(kernel))] + [1]
        return [problem["size"], 1, 1]
    kind, persistent, (m, n, _) = product_of(kernel)
    rows, columns, _ = problem["extents"]
    if persistent:
        return [PROGRAMS, 1, 1]
    tiles = [math.ceil(rows / m), math.ceil(columns / n)]
    return [problem["batch"], *tiles] if "batched" in kind else [*tiles, 1]


def arrays_of(problem, triton, small):
    """Returns {name of an array in launches.py: (buffer, shape)}. `small` gives the small launch's shape of an
    array."""
    if problem["what"] == "rows":
        return {name: (name, shape) for name, shape in problem["shapes"].items()}
    if problem["what"] == "gemm":
        m, n, k = problem["extents"]
        # The small launch shows whether the kernel takes operand B as N x K when the problem does not.
        across = not problem["nt"] and small("b")[-2] != small("a")[-1]
        shapes = {"a": ("a", [m, k]), "b": ("bt", [n, k]) if across else ("b", [n, k] if problem["nt"] else [k, n]), "c": ("out", [m, n])}
        planes = [problem["batch"]] if problem["batch"] > 1 else []
        return {name: (buffer, planes + shape) for name, (buffer, shape) in shapes.items()}
    batch, length, depth = problem["batch"], problem["length"], problem["depth"]
    wide, narrow = [batch, problem["heads"], length, depth], [batch, problem["shared_heads"], length, depth]
    keys = {n: (n + "x", wide) if triton else (n, narrow) for n in "kv"}
    return {"q": ("q", wide), **keys, "o": ("out", wide)}


def numbers_of(problem, triton):
    """Returns scalars by the names of the kernels' parameters."""
    if problem["what"] == "rows":
        shape = problem["shapes"]["x"]
        return {"n": shape[0], "columns": shape[-1], "M": shape[0], "N": shape[-1]}
    if problem["what"] == "gemm":
        return {**dict(zip("MNK", problem["extents"])), "programs": PROGRAMS}
    # The scale of triton_kernels.py includes log2(e), that of the Tile IR sources does not.
    return {"length": problem["length"], "scale": problem["depth"] ** -0.5 * (LOG2E if triton else 1)}


def resized(case, arrays, numbers, blocks):
    """Returns arguments of the small launch `case` for other extents: buffers, scalars, maps, and scratch memory for
    `blocks` blocks."""
    flat = {a["name"] for a in case["args"] if "tensor_map" in a}  # launches.py describes these as matrices
    args = []
    for arg in case["args"]:
        name = arg["name"]
        part = re.fullmatch(r"(\w+)_(shape|stride)(\d)", name)
        if "tensor_map" in arg:
            told = arg["tensor_map"]
            buffer, shape = arrays[name]
            dims = [shape[-1], math.prod(shape[:-1])]
            args.append({"map": {**told, "base": buffer, "dims": dims, "strides": [dims[0] * told["strides"][0] // told["dims"][0]]}})
        elif "shape" in arg and name in arrays:
            args.append({"buffer": arrays[name][0]})
        elif "shape" in arg:
            args.append({"scratch": math.ceil(arg["shape"][0] / math.prod(case["grid"])) * blocks})
        elif part and part[1] in arrays:
            shape = arrays[part[1]][1]
            if part[1] in flat:
                shape = [math.prod(shape[:-1]), shape[-1]]
            axis = int(part[3])
            args.append({"dtype": arg["dtype"], "value": shape[axis] if part[2] == "shape" else math.prod(shape[axis + 1:])})
        else:
            args.append({"dtype": arg["dtype"], "value": numbers.get(name, arg["value"])})
    return args


def ptx_version(release):
    """Returns the highest `.version` of an assembler of release 13.x."""
    found = re.search(r"release (\d+)\.(\d+)", release)
    return (int(found[1]) - 4, int(found[2])) if found else None


def read_by(ptx, newest):
    """Returns PTX without directives that an assembler of versions up to `newest` does not know and a launch does not
    need."""
    ptx = re.sub(r"^\.visible \.global [^\n]*___NV_TILE_LAUNCH_META_DATA___[^\n]*\n", "", ptx, flags=re.M)
    ptx = re.sub(r"^\.language \d+\n", "", ptx, flags=re.M)
    version = re.search(r"^\.version (\d+)\.(\d+)", ptx, re.M)
    if newest and newest < (int(version[1]), int(version[2])):
        ptx = ptx.replace(version[0], ".version %d.%d" % newest, 1)
    return ptx


def plain_ptx(ptx):
    """Returns PTX of a tile kernel as a plain one: hidden parameters become visible."""
    for word, why in ((".blocksareclusters", "clusters are its blocks"), (".minperctamemory", "it builds tensor maps on the device")):
        if word in ptx:
            raise Refused(f"{why} ('{word}'), which only a driver that knows tile kernels can launch")
    return re.sub(r"\.hidden(\s+\.param)", r"\1", ptx)


def dynamic_ptx(ptx):
    """Returns (PTX, bytes) with the kernel's shared memory made dynamic, because only drivers that know tile kernels
    give more than 48 KiB to static arrays. A kernel without shared memory, or with dynamic shared memory, is
    unchanged."""
    arrays = re.findall(r"^[ \t]*\.shared (\.align \d+) \.b8 (\w+)\[(\d+)\];\n", ptx, re.M)
    if not arrays:
        return ptx, 0
    if len(arrays) > 1:
        raise Refused(f"it has {len(arrays)} shared arrays, one can become dynamic")
    (align, name, size), = arrays
    ptx = re.sub(r"^[ \t]*\.shared \.align \d+ \.b8 \w+\[\d+\];\n", "", ptx, flags=re.M)
    at = re.search(r"^\.visible \.entry", ptx, re.M).start()
    return f"{ptx[:at]}.extern .shared {align} .b8 {name}[];\n{ptx[at:]}", int(size)


def read_cubin(path):
    with open(path, "rb") as cubin:
        return launchabi.Elf(cubin.read())


def entries_of(cubin):
    return [name[len(".text."):] for name in cubin.sections if name.startswith(".text.")]


class Builder:
    """Builds the programs of one bundle."""

    def __init__(self, folder, arch, ours, ptxas, closed=None, triton=None, closed_ptxas=None, limit=120):
        """`closed_ptxas`: an assembler for the closed compiler's PTX, if `ptxas` is too old for it."""
        self.folder, self.arch, self.ptxas, self.closed, self.triton, self.limit = folder, arch, ptxas, closed, triton, limit
        self.ours, self.closed_ptxas = os.path.abspath(ours), closed_ptxas or ptxas
        release = subprocess.run([ptxas, "--version"], capture_output=True, text=True).stdout
        self.newest = ptx_version(release)
        versions = re.findall(r"V(\d+\.\d+\.\d+)", release)
        self.versions = {"ptxas": versions[0] if versions else "unknown"}
        os.makedirs(folder, exist_ok=True)

    def assemble(self, ptx, name, *flags):
        """Assembles the text to a cubin in the bundle."""
        with tempfile.TemporaryDirectory(prefix="tileir-gpu-") as scratch:
            source = os.path.join(scratch, "k.ptx")
            with open(source, "w") as out:
                out.write(ptx)
            target = re.search(r"^\.target (\w+)", ptx, re.M)[1]
            argv = [self.ptxas, "-arch", target, source, "-o", os.path.join(self.folder, name), "--opt-level", "3"]
            argv += flags
            done = subprocess.run(argv, capture_output=True, text=True)
        if done.returncode:
            raise Refused("ptxas: " + (done.stderr.strip() or "failed").splitlines()[0][:200])

    def program(self, side, kernel, cubin, shared, **more):
        """Returns the record of a cubin of the bundle."""
        elf = read_cubin(os.path.join(self.folder, cubin))
        entry, = entries_of(elf)
        info = elf.kernel(entry)
        layout = [list(info["parameters"][n]) for n in sorted(info["parameters"])]
        if info["bytes"] != layout[-1][0] + layout[-1][1]:
            raise Refused("some of its parameters are not visible")
        return {"side": side, "kernel": kernel, "entry": entry, "cubin": cubin, "block": list(info["block"]), "shared": shared,
                "parameters": layout, "block_bytes": info["bytes"], **more}

    def tile(self, side, kernel, path):
        """Builds a program of a Tile IR compiler."""
        with tempfile.TemporaryDirectory(prefix="tileir-gpu-") as scratch:
            closed = side == "closed"
            program, ptxas = (self.closed, self.closed_ptxas) if closed else (self.ours, self.ptxas)
            compiler = compilers.Compiler(side, program, ptxas, os.path.join(scratch, "c"), closed)
            sidecar = os.path.join(scratch, "sidecar.json")
            more = () if closed else ("--launch-abi=plain", "--launch-sidecar=" + sidecar)
            made = compiler.compile(path, self.arch.rstrip("af") if closed else self.arch, 3, self.limit, more)
            if not made["ok"]:
                raise Refused(made["error"] or f"exit {made['rc']}")
            ptx = read_by(compilers.text_of(compiler.ptx), self.newest)
            flags = ["-uumn"] if closed else []  # changes code, and the closed compiler passes it
            made, shared = dynamic_ptx(plain_ptx(ptx))
            cubin = f"{side}.{kernel}.cubin"
            self.assemble(made, cubin, *flags)
            own, ours = read_cubin(compiler.out), read_cubin(os.path.join(self.folder, cubin))
            host_object = own
            if ptxas != self.ptxas:
                # The product of this assembler from the unchanged text.
                self.assemble(ptx, "as_it_is.cubin", "--enable-extended-smem=true", *flags)
                own = read_cubin(os.path.join(self.folder, "as_it_is.cubin"))
                os.remove(os.path.join(self.folder, "as_it_is.cubin"))
            entry, = entries_of(own)
            if own.sections[".text." + entry]["data"] != ours.sections[".text." + entry]["data"]:
                raise Refused("with its parameters in the open ptxas makes other machine code of it")
            if not closed:
                with open(sidecar) as text:
                    kernels = json.load(text)["kernels"]
                return self.program(side, kernel, cubin, shared, sidecar=kernels[0], cluster=kernels[0]["cluster"])
            host = f"{side}.{kernel}.so"
            self.link_host(host_object, os.path.join(self.folder, host), scratch)
            return self.program(side, kernel, cubin, shared, host=host, cluster=[1, 1, 1])

    @staticmethod
    def link_host(cubin, path, scratch):
        """Links the host object of a tile cubin as a shared library."""
        if ".nv.host" not in cubin.sections:
            raise Refused("its cubin has no host object")
        source = os.path.join(scratch, "host.o")
        with open(source, "wb") as out:
            out.write(cubin.sections[".nv.host"]["data"])
        linker = shutil.which("cc") or shutil.which("clang")
        if not linker:
            raise Refused("there is no cc to link its host object with")
        # The object has no stack note: a linker would request an executable stack, which a machine may refuse.
        flags = ["-shared", "-nostdlib", "-Wl,-z,notext", "-Wl,-z,noexecstack"]
        done = subprocess.run([linker, *flags, source, "-o", path], capture_output=True, text=True)
        if done.returncode:
            raise Refused("its host object does not link: " + (done.stderr.strip().splitlines() or ["?"])[-1][:200])

    def of_triton(self, kernel):
        """Returns (program, small launch) of the kernel by Triton."""
        with tempfile.TemporaryDirectory(prefix="tileir-gpu-") as scratch:
            told = self.triton.launch(kernel, self.arch, scratch)
            if not told:
                raise Refused("Triton does not compile it")
            with open(launches.write_triton(kernel, told, scratch)) as text:
                small = json.load(text)
            cubin = f"triton.{kernel}.cubin"
            shutil.copy(os.path.join(scratch, "out.cubin"), os.path.join(self.folder, cubin))
        return self.program("Triton", kernel, cubin, told["shared"], cluster=[1, 1, 1]), small

    def make(self, paths, sizes, lengths, log=print, mib=MIB, wanted=lambda label: True):
        """Writes the bundle of the kernels in `paths` and of the problems `wanted`; returns it."""
        paths = {os.path.basename(p).removesuffix(".tileirbc"): p for p in paths}
        bundle = {"version": 1, "arch": self.arch, "made": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
                  "versions": self.versions, "programs": [], "problems": [], "refused": []}
        self.versions["ours"] = version_of(self.ours)
        with_source = set()
        if self.closed:
            self.versions["closed"] = version_of(self.closed)
        if self.triton:
            self.versions["Triton"] = re.sub(r"^triton-|\.dist-info$", "", self.triton.version)
            with_source = {k for k, _, _ in self.triton.work(list(paths), [self.arch])}
        # Triton accumulates e4m3 as `fast`, so its program is listed there.
        with_source -= {k for k in with_source if product_of(k) and product_of(k)[0] == "e4m3"}
        problems = [(p, names) for p, names in problems_of(list(paths), sizes, lengths, mib) if wanted(p["label"])]
        made = {}
        for kernel in dict.fromkeys(k for _, names in problems for k in names):
            given, grid = launches.launch(kernel)
            case = {"args": given, "grid": grid}
            sides = [("ours", True), ("closed", self.closed), ("Triton", kernel in with_source)]
            for side in (name for name, there in sides if there):
                try:
                    program, small = self.of_triton(kernel) if side == "Triton" else (self.tile(side, kernel, paths[kernel]), case)
                except Refused as why:
                    bundle["refused"].append({"side": side, "kernel": kernel, "why": str(why)})
                    log(f"{side} {kernel}: left out: {why}")
                    continue
                made[side, kernel] = len(bundle["programs"]), small
                bundle["programs"].append(program)
        for problem, names in problems:
            for kernel in names:
                for side in ("ours", "closed", "Triton"):
                    if (side, kernel) in made:
                        problem["launches"].append(self.launch_of(problem, kernel, side, *made[side, kernel]))
            if problem["launches"]:
                bundle["problems"].append(problem)
        with open(os.path.join(HERE, "gpu_helpers.ptx")) as text:
            self.assemble(text.read().replace("TARGET", self.arch), "helpers.cubin")
        for script in SCRIPTS:
            shutil.copy(os.path.join(HERE, script), self.folder)
        with open(os.path.join(self.folder, "bundle.json"), "w") as out:
            json.dump(bundle, out, indent=1)
        return bundle

    @staticmethod
    def launch_of(problem, kernel, side, number, small):
        triton = side == "Triton"
        shapes = {e["name"].removesuffix("_memory"): e["shape"] for e in small["args"] + small.get("buffers", []) if "shape" in e}
        grid = grid_of(kernel, problem)
        arrays = arrays_of(problem, triton, shapes.get)
        return {"program": number, "grid": grid, "args": resized(small, arrays, numbers_of(problem, triton), math.prod(grid))}


def version_of(program):
    """Returns the release that a compiler prints."""
    said = subprocess.run([program, "--version"], capture_output=True, text=True)
    found = re.search(r"V?(\d+\.\d+\.\d+)", said.stdout + said.stderr)
    return found[1] if found else "unknown"

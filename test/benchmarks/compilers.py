# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a compiler on a kernel and keeps its cubin, the PTX that it passed to ptxas, and ptxas's output.

ptxas is called through a wrapper that logs its own seconds, keeps the PTX and requests the figures of `-v`.
"""

import contextlib
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import time

import machine_code
import ptx_figures
import sass as machine_figures

COLUMNS = (
    "kernel set arch ok rc error wall_s cpu_s ptxas_s ptxas_cpu_s rss_mb ptx_lines sass regs stack spill_st spill_ld "
    "smem threads ctas_sm min_ctas cluster setmaxreg ws stages swizzle tensor tensor_n mma_wait hot_sass hot_tensor "
    "fp_loop tma_ld tma_st bulk multicast cta2 cp_async ldg stg local lds sts bar mbar shfl fp32 mufu atom"
).split()


def wrapper_text(ptxas, folder):
    """Returns the script of a ptxas that logs its seconds and keeps its input and output. The shell costs about a
    millisecond."""
    return f"""#!/bin/sh
case " $* " in *" --version "*) exec "{ptxas}" "$@" ;; esac
for word in "$@"; do case "$word" in *.ptx) cp "$word" "{folder}/kept.ptx" ;; esac; done
start=$(date +%s.%N)
"{ptxas}" -v "$@" > "{folder}/ptxas.txt" 2>&1
code=$?
echo "wall $start $(date +%s.%N)" >> "{folder}/ptxas.log"
times >> "{folder}/ptxas.log"
[ $code = 0 ] || cat "{folder}/ptxas.txt" >&2
exit $code
"""


def seconds(text):
    minutes, rest = text.rstrip("s").split("m")
    return 60 * int(minutes) + float(rest)


def ptxas_cost(log):
    """Returns (wall, cpu) seconds of ptxas from a wrapper's log; (0, 0) if it was not called."""
    wall = cpu = 0.0
    if not os.path.exists(log):
        return wall, cpu
    with open(log) as text:
        lines = text.readlines()
    own = False
    for line in lines:
        words = line.split()
        if words[0] == "wall":
            wall += float(words[2]) - float(words[1])
            own = True
        elif own:  # `times` prints the shell's own figures first, its children's second
            own = False
        else:
            cpu += seconds(words[0]) + seconds(words[1])
    return wall, cpu


def run_once(argv, env, cwd, limit):
    """Returns (exit code, stderr, wall s, cpu s, peak MB) of one finished process and its children."""
    with tempfile.TemporaryFile() as err:
        start = time.monotonic()
        child = subprocess.Popen(argv, env=env, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err)
        timer_hit = False
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() - start > limit:
                child.kill()
                timer_hit = True
            time.sleep(0.0005)
        wall = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        text = err.read().decode(errors="replace").strip()
    if timer_hit:
        text = f"stopped after {limit} s"
    return child.returncode, text, wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def text_of(path):
    """Returns the contents of a file; "" if it does not exist."""
    if not os.path.exists(path):
        return ""
    with open(path, errors="replace") as text:
        return text.read()


def ptxas_facts(verbose):
    """Returns registers, stack, spills and serialized wgmma from `ptxas -v`; of several kernels the largest figure."""

    def largest(pattern):
        found = [int(x) for x in re.findall(pattern, verbose)]
        return max(found) if found else 0

    return {
        "regs": largest(r"Used (\d+) registers"),
        "stack": largest(r"(\d+) bytes stack frame"),
        "spill_st": largest(r"(\d+) bytes spill stores"),
        "spill_ld": largest(r"(\d+) bytes spill loads"),
        "serialized": len(re.findall(r"wgmma.*serializ|C75\d\d", verbose)),
    }


def ptx_facts(ptx):
    """Returns the figures in the text of a PTX module."""
    lines = [line for line in ptx.splitlines() if line.strip() and not re.match(r"\s*(//|\.loc\b|\.file\b)", line)]
    code = re.sub(r"//.*", "", ptx)
    return {"ptx_lines": len(lines), "min_ctas": (re.findall(r"\.minnctapersm\s+(\d+)", code) or [""])[0]}


# Figures beyond the columns of COLUMNS.
MORE = "hot_bar hot_ldsm hot_ldgsts hot_fp32 hot_local cp_wait issue_kmac fp_sass membar serialized".split()


def figures(ptx, said, sass, table, dynamic_smem=0):
    """Returns columns of one product: PTX, output of `ptxas -v` and text of nvdisasm, each "" if missing."""
    row = dict(ptx_facts(ptx)) if ptx else {}
    if said:
        row.update(ptxas_facts(said))
    if sass:
        entries = [k for k in machine_figures.kernels(sass, table) if k.is_entry()]
        row.update({k: v for k, v in entries[0].row(dynamic_smem).items() if k not in ("kernel", "arch")})
        row.update(entries[0].loop_figures())
    if ptx:
        row.update(ptx_figures.figures(ptx))
    return row


class Compiler:
    """A Tile IR compiler: its call, and the folder of its ptxas wrapper. `folder` must not exist."""

    def __init__(self, name, program, ptxas, folder, closed):
        self.name, self.program, self.folder = name, program, folder
        os.makedirs(os.path.join(folder, "root", "bin"))
        self.log = os.path.join(folder, "ptxas.log")
        self.ptx = os.path.join(folder, "kept.ptx")
        self.said = os.path.join(folder, "ptxas.txt")
        self.out = os.path.join(folder, "out.cubin")
        wrapper = os.path.join(folder, "root", "bin", "ptxas")
        with open(wrapper, "w") as out:
            out.write(wrapper_text(ptxas, folder))
        os.chmod(wrapper, 0o755)
        self.env = {k: v for k, v in os.environ.items() if k not in ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT")}
        if closed:
            # It looks for ptxas and libnvvm below one root.
            home = os.path.dirname(os.path.dirname(os.path.realpath(program)))
            for part in ("lib", "nvvm"):
                if os.path.exists(os.path.join(home, part)):
                    os.symlink(os.path.join(home, part), os.path.join(folder, "root", part))
            self.env["CUDA_ROOT"] = os.path.join(folder, "root")
        else:
            # libdevice is looked for beside ptxas.
            nvvm = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(ptxas))), "nvvm")
            if os.path.exists(nvvm):
                os.symlink(nvvm, os.path.join(folder, "root", "nvvm"))
            self.env["TILEIR_PTXAS_PATH"] = wrapper

    def compile(self, kernel, arch, level, limit, more=()):
        for stale in (self.out, self.log, self.ptx, self.said):
            if os.path.exists(stale):
                os.remove(stale)
        # It runs in a folder of its own.
        argv = [os.path.abspath(self.program), os.path.abspath(kernel), "-o", self.out, "--gpu-name", arch, f"-O{level}", *more]
        code, text, wall, cpu, peak = run_once(argv, self.env, self.folder, limit)
        ptxas_wall, ptxas_cpu = ptxas_cost(self.log)
        return {
            "ok": int(code == 0), "rc": code, "error": "" if code == 0 else text.splitlines()[0][:200] if text else "",
            "wall_s": wall, "cpu_s": cpu, "ptxas_s": ptxas_wall, "ptxas_cpu_s": ptxas_cpu, "rss_mb": peak,
        }


class Store:
    """Results by hash of all their inputs, in a folder of the user's cache."""

    def __init__(self, folder=None):
        base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
        self.folder = folder or os.path.join(base, "tileir", "benchmarks")
        os.makedirs(self.folder, exist_ok=True)
        self._files = {}

    def hash_of(self, path):
        """SHA-256 of a file, read once."""
        path = os.path.realpath(path)
        if path not in self._files:
            digest = hashlib.sha256()
            with open(path, "rb") as source:
                while chunk := source.read(1 << 20):
                    digest.update(chunk)
            self._files[path] = digest.hexdigest()
        return self._files[path]

    def key(self, *parts):
        return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()[:40]

    def read(self, key):
        path = os.path.join(self.folder, key + ".json.gz")
        try:
            with gzip.open(path, "rt") as source:
                found = json.load(source)
        except (OSError, EOFError, ValueError):
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return found

    def write(self, key, value):
        """Writes atomically, so that concurrent runs do no harm."""
        handle, part = tempfile.mkstemp(dir=self.folder)
        with os.fdopen(handle, "wb") as out:
            out.write(gzip.compress(json.dumps(value).encode(), 6))
        os.replace(part, os.path.join(self.folder, key + ".json.gz"))

    def forget(self, days=14):
        """Removes results that no recent run has requested."""
        for name in os.listdir(self.folder):
            path = os.path.join(self.folder, name)
            with contextlib.suppress(OSError):
                if time.time() - os.stat(path).st_mtime > days * 86400:
                    os.remove(path)


class Builder:
    """Builds kernels with one Tile IR compiler and caches the results."""

    def __init__(self, name, program, ptxas, nvdisasm, store, limit=120):
        self.name, self.program, self.ptxas, self.nvdisasm, self.store, self.limit = name, program, ptxas, nvdisasm, store, limit

    def build(self, kernel, arch, level=3):
        """Dictionary: ok, rc, error, ptx, said (ptxas -v), sass (text of nvdisasm, "" without it). Threads may call it at once."""
        tools = [self.store.hash_of(t) for t in (self.program, self.ptxas) + ((self.nvdisasm,) if self.nvdisasm else ())]
        key = self.store.key(3, self.name, *tools, self.store.hash_of(kernel), arch, level)
        found = self.store.read(key)
        if found:
            return found
        with tempfile.TemporaryDirectory(prefix="tileir-build-") as scratch:
            compiler = Compiler(self.name, self.program, self.ptxas, os.path.join(scratch, "c"), self.name == "closed")
            made = compiler.compile(kernel, arch, level, self.limit)
            found = {k: made[k] for k in ("ok", "rc", "error")}
            found.update(ptx=text_of(compiler.ptx), said=text_of(compiler.said), sass="")
            if made["ok"] and self.nvdisasm:
                found["sass"] = machine_code.disassemble(self.nvdisasm, compiler.out)
        if found["ok"]:  # a rejection is quick, and its cause may not be in the key
            self.store.write(key, found)
        return found


def find_tool(name, given):
    """Returns an executable or None."""
    path = given or os.environ.get(name)
    return path if path and os.access(path, os.X_OK) else None


def write_rows(path, text):
    """Replaces a file atomically."""
    with open(path + ".part", "w", newline="") as out:
        out.write(text)
    shutil.move(path + ".part", path)

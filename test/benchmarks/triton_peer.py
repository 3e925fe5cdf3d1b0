# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the kernels of triton_kernels.py with the installed Triton, each in a process of its own, and caches them."""

import json
import os
import subprocess
import sys
import tempfile

import compilers
import machine_code

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.join(HERE, "triton_kernels.py")
ALL_SOURCES = (SOURCES, os.path.join(HERE, "triton_small.py"))


class Triton:
    """The package in `folder`; `ptxas` replaces its own, so that all compilers use the same."""

    def __init__(self, folder, ptxas, nvdisasm, store, limit=300):
        self.folder, self.ptxas, self.nvdisasm, self.store, self.limit = folder, ptxas, nvdisasm, store, limit
        infos = [d for d in os.listdir(folder) if d.startswith("triton-") and d.endswith(".dist-info")]
        self.version, self.sources = infos[0] if infos else folder, ALL_SOURCES

    def _run(self, args, scratch, ptxas):
        env = {**os.environ, "PYTHONPATH": self.folder, "TRITON_CACHE_DIR": os.path.join(scratch, "cache"), "TRITON_ALWAYS_COMPILE": "1"}
        env.update(TRITON_PTXAS_PATH=ptxas, TRITON_PTXAS_BLACKWELL_PATH=ptxas)
        return subprocess.run([sys.executable, SOURCES, *args], env=env, capture_output=True, text=True, timeout=self.limit)

    def work(self, kernels, arches):
        """Returns [kernel, arch, configuration] of the kernels with a source."""
        with tempfile.TemporaryDirectory() as scratch:
            done = self._run(["--list", ",".join(arches), *kernels], scratch, self.ptxas)
        if done.returncode:
            raise RuntimeError(f"{SOURCES}: {done.stderr.strip()[-2000:]}")
        return json.loads(done.stdout)

    def build(self, kernel, arch, config):
        """Like compilers.Builder.build; `shared` is the dynamic shared memory of the launch."""
        tools = [self.store.hash_of(t) for t in (self.ptxas, self.nvdisasm, *ALL_SOURCES)]
        key = self.store.key(2, self.version, *tools, kernel, arch, config)
        found = self.store.read(key)
        if found:
            return found
        with tempfile.TemporaryDirectory(prefix="tileir-triton-") as scratch:
            wrapper = os.path.join(scratch, "ptxas")
            with open(wrapper, "w") as out:
                out.write(compilers.wrapper_text(self.ptxas, scratch))
            os.chmod(wrapper, 0o755)
            done = self._run([kernel, arch, scratch], scratch, wrapper)
            words = done.stderr.strip().splitlines()
            found = {"ok": int(done.returncode == 0), "rc": done.returncode, "error": words[-1][:200] if done.returncode and words else ""}
            found.update(ptx="", said="", sass="")
            if found["ok"]:
                found["shared"] = json.loads(compilers.text_of(os.path.join(scratch, "triton.json")))["shared"]
                found["ptx"] = compilers.text_of(os.path.join(scratch, "out.ptx"))
                found["said"] = compilers.text_of(os.path.join(scratch, "ptxas.txt"))
                found["sass"] = machine_code.disassemble(self.nvdisasm, os.path.join(scratch, "out.cubin"))
        if found["ok"]:
            self.store.write(key, found)
        return found


    def launch(self, kernel, arch, folder):
        """Compiles again, into FOLDER/out.ptx; returns the launch of triton.json, or None."""
        if self._run([kernel, arch, folder], folder, self.ptxas).returncode:
            return None
        return json.loads(compilers.text_of(os.path.join(folder, "triton.json")))


def find(ptxas, nvdisasm, store):
    """Returns the installed Triton, or None."""
    folder = os.environ.get("TILEIR_PEER_TRITON")
    return Triton(folder, ptxas, nvdisasm, store) if folder and os.path.isdir(folder) else None

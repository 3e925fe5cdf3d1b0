# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One lit configuration for all tests. Bazel starts lit for one file at a time (tools/bazel/run_lit.sh);
# TILEIR_RUNFILES is the folder with our tools, shared objects and data.

import os

import lit.formats

runfiles = os.environ["TILEIR_RUNFILES"]
llvm_bin = os.path.join(os.environ["TEST_SRCDIR"], "llvm", "bin")

config.name = "tileir"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".ll", ".ptx"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(os.environ["TEST_TMPDIR"], "out")

for variable in (
    "TILEIR_PTXAS_PATH",
    "TILEIR_FALLBACK_PTXAS_PATH",
    "TILEIR_PEER_TILEIRAS",
    "TILEIR_PEER_NVDISASM",
    "TILEIR_PEER_CUDART",
    "TILEIR_PEER_CUTILE",
    "TILEIR_VERIFY_CONVERGENCE",
    "TEST_TMPDIR",
    "TEST_SRCDIR",
    "HOME",
):
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]
config.environment["PATH"] = llvm_bin + ":/usr/local/bin:/usr/bin:/bin"
config.environment["PYTHONPATH"] = os.path.join(runfiles, "test", "lib")
config.environment["FILECHECK_OPTS"] = "--enable-var-scope"

# Every tool is `%name`, every shared object `%name.so`, both by full path. The longest name comes first, so that
# `%tileiras` never replaces the beginning of another name.
found = {}
for folder, _, files in os.walk(runfiles, followlinks=True):
    for name in files:
        path = os.path.join(folder, name)
        if name.startswith("lib") and name.endswith(".so"):
            found[name] = path
        elif os.path.basename(folder) == name and os.access(path, os.X_OK):
            found[name] = path
if "tileir-opt" in found and os.environ.get("TILEIR_CHECK_ROUNDTRIP") == "1":
    found["tileir-opt"] += " --verify-roundtrip"
found["mlir-opt"] = os.path.join(llvm_bin, "mlir-opt")
found["data"] = os.path.join(runfiles, "test", "data")
found["lib"] = os.path.join(runfiles, "test", "lib")
for name in sorted(found, key=len, reverse=True):
    config.substitutions.append(("%" + name.replace(".", r"\.").replace("+", r"\+") + r"(?![\w-])", found[name]))

for variable, feature in (
    ("TILEIR_PTXAS_PATH", "ptxas"),
    ("TILEIR_FALLBACK_PTXAS_PATH", "fallback-ptxas"),
    ("TILEIR_PEER_TILEIRAS", "peer-tileiras"),
    ("TILEIR_PEER_NVDISASM", "peer-nvdisasm"),
    ("TILEIR_PEER_CUDART", "peer-cudart"),
    ("TILEIR_PEER_CUTILE", "peer-cutile"),
):
    if os.access(os.environ.get(variable, ""), os.X_OK):
        config.available_features.add(feature)

# Our libraries have assertions: --config=asserts and fast.
if os.environ.get("TILEIR_ASSERTS") == "1":
    config.available_features.add("asserts")

# Other tools that the toolkit has beside ptxas: `%nvlink` and so on.
toolkit = os.path.dirname(os.environ.get("TILEIR_PTXAS_PATH", ""))
for name in ("fatbinary", "nvlink", "nvcc"):
    path = os.path.join(toolkit, name)
    if toolkit and os.access(path, os.X_OK):
        config.available_features.add(name)
        config.substitutions.append((f"%{name}(?![\\w-])", path))

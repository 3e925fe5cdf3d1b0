# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Repositories with toolchains, for a WORKSPACE; extensions.bzl offers the same to a MODULE.bazel.

Each has a target `toolchain` to register. This file loads no other: a workspace may read it before it has any repository.
"""

_RELEASE = "13.5.37"

# Variables with the path of a CUDA toolkit.
# TILEIR_LIBDEVICE_PATH: path of libdevice.10.bc for toolchains; else below the toolkit.
_CUDA_ENVIRON = [
    "CUDA_HOME",
    "CUDA_PATH",
    "CUDA_ROOT",
    "HOME",
    "PATH",
    "TILEIR_LIBDEVICE_PATH",
    "TILEIR_PTXAS_PATH",
    "TILEIR_TOOLKIT",
]

_HEAD = """package(default_visibility = ["//visibility:public"])"""

_TOOLCHAIN = """
tileir_toolchain(
    name = "tileir",
    compiler = "bin/tileiras",
    libdevice = "libdevice.10.bc",
    ptxas = "ptxas",
    serializer = "bin/tileir-serialize",
    translator = "bin/tileir-translate",
)

toolchain(
    name = "toolchain",
    exec_compatible_with = [
        "@platforms//cpu:x86_64",
        "@platforms//os:linux",
    ],
    toolchain = ":tileir",
    toolchain_type = "@rules_tileir//:toolchain_type",
)
"""

_NVCC = """load("@rules_tileir//:toolchain.bzl", "tileir_nvcc_toolchain")

package(default_visibility = ["//visibility:public"])

tileir_nvcc_toolchain(
    name = "nvcc",
    files = glob([
        "bin/**",
        "include/**",
        "nvvm/**",
    ]),
    host_compiler = "{host_compiler}",
    nvcc = "bin/nvcc",
)

toolchain(
    name = "toolchain",
    toolchain = ":nvcc",
    toolchain_type = "@rules_tileir//:nvcc_toolchain_type",
)
"""

_TOOLS = [
    "tileir-serialize",
    "tileir-translate",
    "tileiras",
]

def _first(ctx, paths):
    for path in paths:
        if path and ctx.path(path).exists:
            return ctx.path(path)
    return None

def _toolkits(ctx, named):
    """Folders of CUDA toolkits, the wanted one first."""
    env = ctx.os.environ
    toolkit = env.get("TILEIR_TOOLKIT", env.get("HOME", "") + "/.local/share/tileir")
    known = [named, toolkit + "/cuda-" + _RELEASE + "/nvidia/cu13"]
    return [root for root in known + [env.get(name, "") for name in ["CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"]] if root]

def _link_cuda(ctx, named = ""):
    """Links ptxas and libdevice of a toolkit into the repository; returns their part of its BUILD file."""
    env = ctx.os.environ
    roots = _toolkits(ctx, named)
    ptxas = _first(ctx, ([] if named else [env.get("TILEIR_PTXAS_PATH", "")]) + [r + "/bin/ptxas" for r in roots])
    if not ptxas:
        ptxas = ctx.which("ptxas")
    if ptxas:
        # A toolkit of which only the ptxas is known.
        roots.append(str(ctx.path(ptxas).realpath.dirname.dirname))
    libdevice = _first(
        ctx,
        ([] if named else [env.get("TILEIR_LIBDEVICE_PATH", "")]) + [r + "/nvvm/libdevice/libdevice.10.bc" for r in roots],
    )
    build = []

    # Loading must work without a toolkit: a target that uses a missing file fails with this text.
    for name, path in [("ptxas", ptxas), ("libdevice.10.bc", libdevice)]:
        if path:
            ctx.symlink(path, name)
            build.append("exports_files([\"{}\"])".format(name))
        else:
            build.append("genrule(name = \"{0}_missing\", outs = [\"{0}\"], cmd = \"echo 'error: no {0}; run tools/setup/setup.sh of tileir or set TILEIR_PTXAS_PATH and TILEIR_LIBDEVICE_PATH' >&2; exit 1\")".format(name))
    return build

def _write(ctx, parts):
    ctx.file("WORKSPACE", "workspace(name = \"{}\")\n".format(ctx.name))
    ctx.file("BUILD.bazel", "\n".join(parts) + "\n")

def _tileir_cuda_impl(ctx):
    _write(ctx, [_HEAD] + _link_cuda(ctx))

tileir_cuda = repository_rule(
    doc = """The installed ptxas and libdevice.

TILEIR_PTXAS_PATH and TILEIR_LIBDEVICE_PATH, then the toolkit that set-up of tileir installed, CUDA_ROOT, CUDA_HOME or
CUDA_PATH, then the path.""",
    implementation = _tileir_cuda_impl,
    environ = _CUDA_ENVIRON,
    local = True,
)

def _finish(ctx, tools, cuda = ""):
    """Links the tools of folder `tools` and writes the toolchain."""
    for tool in _TOOLS:
        file = tools.get_child(tool)
        if not file.exists and tool == "tileir-serialize":
            # A wheel holds no links: the same program is the compiler under its other name.
            file = tools.get_child("tileiras")
        if str(file) != str(ctx.path("bin/" + tool)):
            ctx.symlink(file, "bin/" + tool)
    _write(
        ctx,
        ["load(\"@rules_tileir//:toolchain.bzl\", \"tileir_toolchain\")", "", _HEAD] + _link_cuda(ctx, cuda) + [_TOOLCHAIN],
    )

# TILEIR_PREFIX: the installation of a `tileir_prefix` that names none.
def _tileir_prefix_impl(ctx):
    prefix = ctx.attr.prefix or ctx.os.environ.get("TILEIR_PREFIX", "")
    if not prefix:
        fail("no prefix; set the attribute 'prefix' or TILEIR_PREFIX to the folder that tileir is installed in")
    tools = ctx.path(prefix + "/bin")
    for tool in ["tileir-translate", "tileiras"]:
        if not tools.get_child(tool).exists:
            fail("no bin/{} in '{}'; install tileir there or name another prefix".format(tool, prefix))
    _finish(ctx, tools, ctx.attr.cuda)

tileir_prefix = repository_rule(
    doc = "Toolchain of an installation.",
    implementation = _tileir_prefix_impl,
    attrs = {
        "cuda": attr.string(doc = "Folder of a CUDA toolkit; when absent, looked for as tileir_cuda does."),
        "prefix": attr.string(doc = "Absolute path of the installation; when absent, TILEIR_PREFIX."),
    },
    environ = _CUDA_ENVIRON + ["TILEIR_PREFIX"],
    local = True,
)

# The folder of the tools in an archive of an installation or in a wheel.
_PLACES = [
    "bin",
    "tileir/bin",
]

def _tileir_archive_impl(ctx):
    ctx.download_and_extract(
        url = ctx.attr.urls,
        sha256 = ctx.attr.sha256,
        stripPrefix = ctx.attr.strip_prefix,
        type = "zip" if [url for url in ctx.attr.urls if url.endswith(".whl")] else "",
    )
    for url, sha256 in ctx.attr.cuda_wheels.items():
        ctx.download_and_extract(url = [url], output = "cuda", sha256 = sha256, type = "zip")

    # A wheel has scripts in a folder that bears its version.
    places = _PLACES + [
        entry.basename + "/" + folder
        for entry in ctx.path(".").readdir()
        if entry.basename.endswith(".data")
        for folder in ["scripts", "data/bin"]
    ]
    tools = _first(ctx, [place for place in places if ctx.path(place + "/tileiras").exists])
    if not tools:
        fail("no tileiras in {}; expected one of {} in it".format(", ".join(ctx.attr.urls), ", ".join([p + "/tileiras" for p in places])))
    cuda = str(ctx.path("cuda/nvidia/cu13")) if ctx.attr.cuda_wheels else ""
    _finish(ctx, tools, cuda)

tileir_archive = repository_rule(
    doc = "Toolchain of an archive of an installation, or of the wheel `tileir`.",
    implementation = _tileir_archive_impl,
    attrs = {
        "cuda_wheels": attr.string_dict(doc = "Addresses of the wheels `nvidia-cuda-nvcc` and `nvidia-nvvm`, to sha256; when absent, ptxas is looked for as tileir_cuda does."),
        "sha256": attr.string(doc = "Of the archive."),
        "strip_prefix": attr.string(doc = "Folder of the archive that has `bin`."),
        "urls": attr.string_list(
            doc = "Addresses of the archive; a name that ends in .whl is a wheel.",
            mandatory = True,
        ),
    },
    environ = _CUDA_ENVIRON,
)

def _tileir_nvcc_impl(ctx):
    nvcc = _first(ctx, [ctx.attr.nvcc, ctx.os.environ.get("TILEIR_NVCC", "")] + [r + "/bin/nvcc" for r in _toolkits(ctx, "") if ctx.path(r + "/bin/cudafe++").exists])
    nvcc = nvcc or ctx.which("nvcc")
    if not nvcc:
        fail("no nvcc; set the attribute 'nvcc' or TILEIR_NVCC to the nvcc of a CUDA toolkit, 13.3 or later")
    host_compiler = ctx.attr.host_compiler or ctx.which("g++")
    if not host_compiler:
        fail("no g++ on the path; set the attribute 'host_compiler' to a C++ compiler that nvcc takes")
    root = ctx.path(nvcc).realpath.dirname.dirname
    for folder in ["bin", "include", "nvvm"]:
        ctx.symlink(root.get_child(folder), folder)
    ctx.file("WORKSPACE", "workspace(name = \"{}\")\n".format(ctx.name))
    ctx.file("BUILD.bazel", _NVCC.format(host_compiler = host_compiler))

tileir_nvcc = repository_rule(
    doc = "Toolchain of the installed nvcc, for CUDA Tile C++.",
    implementation = _tileir_nvcc_impl,
    attrs = {
        "host_compiler": attr.string(doc = "As for -ccbin; when absent, the g++ on the path."),
        "nvcc": attr.string(doc = "Absolute path; when absent, TILEIR_NVCC, CUDA_ROOT, CUDA_HOME or CUDA_PATH, then the path."),
    },
    environ = _CUDA_ENVIRON + ["TILEIR_NVCC"],
    local = True,
)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The installed ptxas and libdevice as repository `@tileir_cuda`, for the rules in tools/defs.bzl."""

_RELEASE = "13.5.37"

def _first(ctx, paths):
    for path in paths:
        if path and ctx.path(path).exists:
            return ctx.path(path)
    return None

def _cuda_repository_impl(ctx):
    env = ctx.os.environ
    home = env.get("HOME", "")
    toolkit = env.get("TILEIR_TOOLKIT", home + "/.local/share/tileir")
    root = toolkit + "/cuda-" + _RELEASE + "/nvidia/cu13"
    roots = [root] + [env.get(name, "") for name in ["CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"]]
    ptxas = _first(ctx, [env.get("TILEIR_PTXAS_PATH", "")] + [r + "/bin/ptxas" for r in roots if r])
    if not ptxas:
        ptxas = ctx.which("ptxas")
    if ptxas:
        # A toolkit that is known by its ptxas alone.
        roots.append(str(ctx.path(ptxas).realpath.dirname.dirname))
    libdevice = _first(
        ctx,
        [env.get("TILEIR_LIBDEVICE_PATH", "")] + [r + "/nvvm/libdevice/libdevice.10.bc" for r in roots if r],
    )
    ctx.file("WORKSPACE", "workspace(name = \"{}\")\n".format(ctx.name))
    build = ["package(default_visibility = [\"//visibility:public\"])"]

    # Loading must work without a toolkit: only what uses a missing file fails, with this text.
    for name, path in [("ptxas", ptxas), ("libdevice.10.bc", libdevice)]:
        if path:
            ctx.symlink(path, name)
            build.append("exports_files([\"{}\"])".format(name))
        else:
            build.append("genrule(name = \"{0}_missing\", outs = [\"{0}\"], cmd = \"echo 'error: no {0}; run tools/setup/setup.sh of tileir or set TILEIR_PTXAS_PATH and TILEIR_LIBDEVICE_PATH' >&2; exit 1\")".format(name))
    ctx.file("BUILD.bazel", "\n".join(build) + "\n")

cuda_repository = repository_rule(
    implementation = _cuda_repository_impl,
    environ = [
        "CUDA_HOME",
        "CUDA_PATH",
        "CUDA_ROOT",
        "HOME",
        "PATH",
        "TILEIR_LIBDEVICE_PATH",
        "TILEIR_PTXAS_PATH",
        "TILEIR_TOOLKIT",
    ],
    local = True,
)

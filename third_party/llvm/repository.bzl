# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The installed LLVM and MLIR as repository `@llvm`."""

_MAJOR = "22"

def _llvm_repository_impl(ctx):
    prefix = ctx.os.environ.get("LLVM_PREFIX", "/usr/lib/llvm-" + _MAJOR)
    config = ctx.path(prefix + "/bin/llvm-config")
    if not config.exists:
        fail("no LLVM in '{}'; run tools/setup/setup.sh or set LLVM_PREFIX to an installation of LLVM {}".format(prefix, _MAJOR))
    version = ctx.execute([config, "--version"]).stdout.strip()
    if version.split(".")[0] != _MAJOR:
        fail("LLVM in '{}' is {}, expected {}; set LLVM_PREFIX to an installation of LLVM {}".format(prefix, version, _MAJOR, _MAJOR))
    prefix = str(ctx.path(prefix).realpath)
    ctx.symlink(prefix + "/include", "include")
    ctx.symlink(prefix + "/bin", "bin")

    names = [entry.basename for entry in ctx.path(prefix + "/lib").readdir()]
    archives = sorted([
        name
        for name in names
        if name.endswith(".a") and not name.startswith("libMLIRCAPI") and
           (name.startswith("libMLIR") or name.startswith("libLLVM"))
    ])
    ctx.file("WORKSPACE", "workspace(name = \"{}\")\n".format(ctx.name))
    ctx.symlink(ctx.attr._pch_header, "mlir_pch.h")
    ctx.template("BUILD.bazel", ctx.attr._build_file, {
        "{ARCHIVES}": ",\n        ".join(["\"-l:{}\"".format(name) for name in archives]),
        "{PREFIX}": prefix,
    }, executable = False)
    ctx.file("paths.bzl", "\"\"\"Where the installed LLVM is.\"\"\"\n\nLLVM_PREFIX = \"{}\"\n".format(prefix))

llvm_repository = repository_rule(
    implementation = _llvm_repository_impl,
    attrs = {
        "_build_file": attr.label(default = Label("//third_party/llvm:llvm.BUILD"), allow_single_file = True),
        "_pch_header": attr.label(default = Label("//third_party/llvm:mlir_pch.h"), allow_single_file = True),
    },
    environ = ["LLVM_PREFIX"],
    local = True,
)

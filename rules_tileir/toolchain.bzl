# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Toolchains of tile kernels: programs that the rules of defs.bzl run, as files that Bazel knows.

repositories.bzl declares them from an installation, an archive or a wheel. Any other program:

    tileir_toolchain(name = "mine_tools", compiler = "tileiras", …)

    toolchain(
        name = "mine",
        toolchain = ":mine_tools",
        toolchain_type = "@rules_tileir//:toolchain_type",
    )

then register_toolchains("//that:mine"), or --extra_toolchains=//that:mine for one build.
"""

def _program(doc):
    return attr.label(
        doc = doc,
        allow_files = True,
        cfg = "exec",
        executable = True,
        mandatory = True,
    )

def _tileir_toolchain_impl(ctx):
    return [platform_common.ToolchainInfo(
        compiler = ctx.attr.compiler[DefaultInfo].files_to_run,
        libdevice = ctx.file.libdevice,
        ptxas = ctx.file.ptxas,
        serializer = ctx.attr.serializer[DefaultInfo].files_to_run,
        translator = ctx.attr.translator[DefaultInfo].files_to_run,
    )]

tileir_toolchain = rule(
    implementation = _tileir_toolchain_impl,
    attrs = {
        "compiler": _program("Program `tileiras`."),
        "libdevice": attr.label(
            doc = "File `libdevice.10.bc` of a CUDA toolkit.",
            allow_single_file = True,
            mandatory = True,
        ),
        "ptxas": attr.label(
            doc = "Program `ptxas` of a CUDA toolkit.",
            allow_single_file = True,
            cfg = "exec",
            mandatory = True,
        ),
        "serializer": _program("Program `tileir-serialize`."),
        "translator": _program("Program `tileir-translate`."),
    },
    doc = "The compiler of tile kernels, its helpers and two files of a CUDA toolkit.",
)

def _tileir_nvcc_toolchain_impl(ctx):
    return [platform_common.ToolchainInfo(
        files = depset(ctx.files.files),
        host_compiler = ctx.attr.host_compiler,
        nvcc = ctx.file.nvcc,
    )]

tileir_nvcc_toolchain = rule(
    implementation = _tileir_nvcc_toolchain_impl,
    attrs = {
        "files": attr.label_list(
            doc = "All that nvcc reads and runs: the toolkit's folders `bin`, `include` and `nvvm`.",
            allow_files = True,
            cfg = "exec",
        ),
        "host_compiler": attr.string(
            doc = "C++ compiler that nvcc preprocesses with, as for -ccbin.",
            mandatory = True,
        ),
        "nvcc": attr.label(
            doc = "Program `nvcc` of a CUDA toolkit, 13.3 or later, in its folder `bin`.",
            allow_single_file = True,
            cfg = "exec",
            mandatory = True,
        ),
    },
    doc = "The user's nvcc.",
)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Toolchains for a MODULE.bazel:

    tileir = use_extension("@rules_tileir//:extensions.bzl", "tileir")
    tileir.prefix(prefix = "/opt/tileir")
    use_repo(tileir, "tileir_prefix")
    register_toolchains("@tileir_prefix//:toolchain")
"""

load(":repositories.bzl", "tileir_archive", "tileir_nvcc", "tileir_prefix")

def _tileir_impl(ctx):
    for module in ctx.modules:
        for tag in module.tags.prefix:
            tileir_prefix(name = tag.name, prefix = tag.prefix, cuda = tag.cuda)
        for tag in module.tags.archive:
            tileir_archive(
                name = tag.name,
                cuda_wheels = tag.cuda_wheels,
                sha256 = tag.sha256,
                strip_prefix = tag.strip_prefix,
                urls = tag.urls,
            )
        for tag in module.tags.nvcc:
            tileir_nvcc(name = tag.name, host_compiler = tag.host_compiler, nvcc = tag.nvcc)

tileir = module_extension(
    doc = "Each tag makes a repository with a target `toolchain`; repositories.bzl says what the attributes mean.",
    implementation = _tileir_impl,
    tag_classes = {
        "archive": tag_class(attrs = {
            "cuda_wheels": attr.string_dict(),
            "name": attr.string(default = "tileir_archive"),
            "sha256": attr.string(),
            "strip_prefix": attr.string(),
            "urls": attr.string_list(mandatory = True),
        }),
        "nvcc": tag_class(attrs = {
            "host_compiler": attr.string(),
            "name": attr.string(default = "tileir_nvcc"),
            "nvcc": attr.string(),
        }),
        "prefix": tag_class(attrs = {
            "cuda": attr.string(),
            "name": attr.string(default = "tileir_prefix"),
            "prefix": attr.string(),
        }),
    },
)

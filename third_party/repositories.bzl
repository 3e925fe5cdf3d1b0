# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""External repositories: everything comes from the distribution's packages; nothing is downloaded."""

load("//rules_tileir:repositories.bzl", "tileir_cuda")
load("//third_party/googletest:repository.bzl", "googletest_repository")
load("//third_party/llvm:repository.bzl", "llvm_repository")
load("//third_party/stubs:repository.bzl", "stub_repository")

def tileir_repositories():
    """Declares what the build needs, each repository only if the including workspace has not done so."""
    existing = native.existing_rules()

    # Debian's rules_cc does not load in Bazel 4.2.3, so a shim re-exports the native rules.
    if "rules_cc" not in existing:
        stub_repository(
            name = "rules_cc",
            files = {
                "cc/BUILD.bazel": Label("//third_party/rules_cc:cc_package.bzl"),
                "cc/action_names.bzl": Label("//third_party/rules_cc:action_names.bzl"),
                "cc/common/BUILD.bazel": Label("//third_party/rules_cc:BUILD.bazel"),
                "cc/common/cc_common.bzl": Label("//third_party/rules_cc:cc_common.bzl"),
                "cc/common/cc_info.bzl": Label("//third_party/rules_cc:cc_info.bzl"),
                "cc/defs.bzl": Label("//third_party/rules_cc:defs.bzl"),
                "cc/find_cc_toolchain.bzl": Label("//third_party/rules_cc:find_cc_toolchain.bzl"),
                "cc/native.bzl": Label("//third_party/rules_cc:native.bzl"),
            },
        )

    # Later releases of Bazel have the shell rules in rules_shell.
    if "rules_shell" not in existing:
        stub_repository(
            name = "rules_shell",
            files = {
                "shell/BUILD.bazel": Label("//third_party/rules_shell:BUILD.bazel"),
                "shell/sh_binary.bzl": Label("//third_party/rules_shell:sh_binary.bzl"),
                "shell/sh_library.bzl": Label("//third_party/rules_shell:sh_library.bzl"),
                "shell/sh_test.bzl": Label("//third_party/rules_shell:sh_test.bzl"),
            },
        )

    # A repository of its own, as for users of the rules alone.
    if "rules_tileir" not in existing:
        stub_repository(
            name = "rules_tileir",
            files = {
                "BUILD.bazel": Label("//rules_tileir:BUILD.bazel"),
                "archs.bzl": Label("//rules_tileir:archs.bzl"),
                "defs.bzl": Label("//rules_tileir:defs.bzl"),
                "repositories.bzl": Label("//rules_tileir:repositories.bzl"),
                "toolchain.bzl": Label("//rules_tileir:toolchain.bzl"),
            },
        )

    # Any test makes Bazel look for this tool, even without coverage.
    if "remote_coverage_tools" not in existing:
        stub_repository(
            name = "remote_coverage_tools",
            files = {"BUILD.bazel": Label("//third_party/stubs:coverage_tools.bzl")},
        )
    for name in ["rules_java", "rules_proto"]:
        if name not in existing:
            native.local_repository(
                name = name,
                path = "/usr/share/bazel/rules/" + name[len("rules_"):],
            )
    if "tileir_cuda" not in existing:
        tileir_cuda(name = "tileir_cuda")
    if "llvm" not in existing:
        llvm_repository(name = "llvm")
    if "com_google_googletest" not in existing:
        googletest_repository(name = "com_google_googletest")

    # Last: a toolchain that the workspace registers earlier takes precedence.
    native.register_toolchains("@tileir//tools:from_source")

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A precompiled header: parsing MLIR's headers takes nine tenths of the compile time of a small source."""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "CPP_COMPILE_ACTION_NAME")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")
load("@tileir//tools/bazel:copts.bzl", "TILEIR_COPTS")

def _precompiled_header_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    variables = cc_common.create_compile_variables(
        feature_configuration = features,
        cc_toolchain = toolchain,
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts + TILEIR_COPTS,
        use_pic = ctx.attr.pic,
    )
    flags = cc_common.get_memory_inefficient_command_line(
        feature_configuration = features,
        action_name = CPP_COMPILE_ACTION_NAME,
        variables = variables,
    )
    out = ctx.actions.declare_file(ctx.label.name + ".pch")

    # The header comes on standard input, so that no path of the build tree gets into the result.
    ctx.actions.run_shell(
        inputs = depset([ctx.file.header], transitive = [toolchain.all_files]),
        outputs = [out],
        command = 'out="$1"; header="$2"; compiler="$3"; shift 3; exec "$compiler" "$@" -Wno-pragma-once-outside-header -Xclang -fno-pch-timestamp -xc++-header - -o "$out" < "$header"',
        arguments = [out.path, ctx.file.header.path, toolchain.compiler_executable] + flags,
        env = cc_common.get_environment_variables(
            feature_configuration = features,
            action_name = CPP_COMPILE_ACTION_NAME,
            variables = variables,
        ),
        mnemonic = "CppPrecompile",
        progress_message = "Precompiling MLIR's headers",
    )
    return [DefaultInfo(files = depset([out]))]

precompiled_header = rule(
    implementation = _precompiled_header_impl,
    attrs = {
        "header": attr.label(allow_single_file = True, mandatory = True),
        "pic": attr.bool(default = True),
        "_cc_toolchain": attr.label(default = Label("@bazel_tools//tools/cpp:current_cc_toolchain")),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Precompiled headers in layers: MLIR's headers, and on top of them those of our dialects.

Parsing headers and instantiating their templates takes three quarters of the compile time of a source. A layer holds what
it instantiates (`-fpch-instantiate-templates`), and refers to the layer below it.
"""

load("@rules_cc//cc:action_names.bzl", "CPP_COMPILE_ACTION_NAME")
load("@rules_cc//cc:find_cc_toolchain.bzl", "CC_TOOLCHAIN_ATTRS", "find_cc_toolchain", "use_cc_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("@tileir//tools/bazel:copts.bzl", "TILEIR_COPTS")

# Templates of a precompiled header are instantiated when it is created, not again by its users.
PCH_COPTS = ["-fpch-instantiate-templates"]

# The first compiler run joins our own headers into one text, which the second run reads from standard input: the result
# names no file of the build tree. `/proc/self/cwd` stands for the folder of the layer below; it is the same in every
# sandbox and checkout, so the disk cache works.
_COMMAND = """
set -e
out="$1"; header="$2"; compiler="$3"; base="$4"; shift 4
text="$out.h"
"$compiler" "$@" -E -frewrite-includes -xc++-header - -o "$text" < "$header"
[ -z "$base" ] || set -- "$@" -include-pch "$base"
"$compiler" "$@" -working-directory=/proc/self/cwd -Wno-pragma-once-outside-header -Xclang -fno-pch-timestamp \
  -xc++-header - -o "$out" < "$text"
rm -f "$text"
"""

_Layers = provider(doc = "A precompiled header and all that it stands on.", fields = {"files": "depset of files"})

def _precompiled_header_impl(ctx):
    toolchain = find_cc_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    context = cc_common.merge_cc_infos(cc_infos = [dep[CcInfo] for dep in ctx.attr.deps]).compilation_context
    variables = cc_common.create_compile_variables(
        feature_configuration = features,
        cc_toolchain = toolchain,
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts + TILEIR_COPTS + PCH_COPTS,
        quote_include_directories = context.quote_includes,
        system_include_directories = context.system_includes,
        use_pic = ctx.attr.pic,
    )
    flags = cc_common.get_memory_inefficient_command_line(
        feature_configuration = features,
        action_name = CPP_COMPILE_ACTION_NAME,
        variables = variables,
    )
    out = ctx.outputs.out
    base = ctx.file.base
    layers = [ctx.attr.base[_Layers].files] if base else []
    ctx.actions.run_shell(
        inputs = depset([ctx.file.header], transitive = [toolchain.all_files, context.headers] + layers),
        outputs = [out],
        command = _COMMAND,
        arguments = [out.path, ctx.file.header.path, toolchain.compiler_executable, base.path if base else ""] + flags,
        env = cc_common.get_environment_variables(
            feature_configuration = features,
            action_name = CPP_COMPILE_ACTION_NAME,
            variables = variables,
        ),
        mnemonic = "CppPrecompile",
        progress_message = "Precompiling " + ctx.file.header.short_path,
    )
    return [DefaultInfo(files = depset([out])), _Layers(files = depset([out], transitive = layers))]

precompiled_header = rule(
    doc = "The headers that `header` includes, as `out`.",
    implementation = _precompiled_header_impl,
    attrs = dict({
        "base": attr.label(
            doc = "The layer below, as position independent as this one.",
            allow_single_file = True,
            providers = [_Layers],
        ),
        "deps": attr.label_list(doc = "Libraries with the headers.", providers = [CcInfo]),
        "header": attr.label(allow_single_file = True, mandatory = True),
        "out": attr.output(mandatory = True),
        "pic": attr.bool(default = True),
    }, **CC_TOOLCHAIN_ATTRS),
    fragments = ["cpp"],
    toolchains = use_cc_toolchain(),
)

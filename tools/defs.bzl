# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for users: tile kernels as build actions. docs/bazel.md shows them in another workspace."""

load("@rules_cc//cc:defs.bzl", "cc_library")
load("//tools/bazel:archs.bzl", "TILEIR_ARCHS")

TileIRInfo = provider(
    doc = "A compiled tile kernel module.",
    fields = {
        "arch": "the target, as given",
        "cubin": "File, or None for an object",
        "launch_abi": "'tile' or 'plain'",
        "sidecar": "File with what a launcher of the plain form has to do, or None",
    },
)

_ATTRS = {
    "arch": attr.string(
        doc = "Target, as for --gpu-name: sm_80 to sm_121, with or without suffix.",
        mandatory = True,
    ),
    "device_debug": attr.bool(doc = "Full debug information; needs opt_level = 0."),
    "launch_abi": attr.string(
        doc = "'tile': a host object inside the cubin fills hidden parameters. 'plain': the launcher does, by the sidecar.",
        default = "tile",
        values = ["tile", "plain"],
    ),
    "lineinfo": attr.bool(doc = "Source lines in the cubin."),
    "opt_level": attr.int(
        doc = "Effort of the optimisers.",
        default = 3,
        values = [0, 1, 2, 3],
    ),
    "opts": attr.string_list(doc = "Further options of tileiras."),
    "src": attr.label(
        doc = "Tile IR bytecode, or cuda_tile text.",
        allow_single_file = [".tileirbc", ".mlir"],
        mandatory = True,
    ),
    "_compiler": attr.label(
        default = Label("//tools:compiler"),
        allow_files = True,
        executable = True,
        cfg = "exec",
    ),
    "_libdevice": attr.label(
        default = Label("//tools:libdevice"),
        allow_single_file = True,
    ),
    "_ptxas": attr.label(
        default = Label("//tools:ptxas"),
        allow_single_file = True,
        cfg = "exec",
    ),
    "_translator": attr.label(
        default = Label("//tools:translator"),
        allow_files = True,
        executable = True,
        cfg = "exec",
    ),
}

def _bytecode(ctx):
    """The source as bytecode; text is translated first."""
    source = ctx.file.src
    if source.extension == "tileirbc":
        return source
    bytecode = ctx.actions.declare_file(ctx.label.name + ".tileirbc")
    ctx.actions.run(
        executable = ctx.executable._translator,
        arguments = ["--mlir-to-cudatilebc", "--lineinfo", source.path, "-o", bytecode.path],
        inputs = [source],
        outputs = [bytecode],
        mnemonic = "TileIRTranslate",
        progress_message = "Writing Tile IR bytecode of " + source.short_path,
    )
    return bytecode

def _compile(ctx, emit, output, extra = []):
    """One run of tileiras; returns the sidecar of the plain form."""
    if ctx.attr.arch not in TILEIR_ARCHS:
        fail("'%s' is no target of tile kernels; expected one of %s" % (ctx.attr.arch, ", ".join(TILEIR_ARCHS)), attr = "arch")
    if ctx.attr.device_debug and ctx.attr.opt_level != 0:
        fail("device_debug needs opt_level = 0", attr = "opt_level")
    bytecode = _bytecode(ctx)
    sidecar = None
    args = ctx.actions.args()
    args.add(bytecode)
    args.add("-o", output)
    args.add("--emit=" + emit)
    args.add("--gpu-name=" + ctx.attr.arch)
    args.add("--opt-level=%d" % ctx.attr.opt_level)
    args.add("--launch-abi=" + ctx.attr.launch_abi)
    args.add(ctx.file._ptxas, format = "--ptxas-path=%s")
    args.add(ctx.file._libdevice, format = "--libdevice=%s")
    if ctx.attr.lineinfo:
        args.add("--lineinfo")
    if ctx.attr.device_debug:
        args.add("--device-debug")
    outputs = [output]
    if ctx.attr.launch_abi == "plain":
        sidecar = ctx.actions.declare_file(ctx.label.name + ".launch.json")
        args.add(sidecar, format = "--launch-sidecar=%s")
        outputs.append(sidecar)
    args.add_all(extra)
    args.add_all(ctx.attr.opts)
    ctx.actions.run(
        executable = ctx.executable._compiler,
        arguments = [args],
        inputs = [bytecode, ctx.file._ptxas, ctx.file._libdevice],
        outputs = outputs,
        mnemonic = "TileIRCompile",
        progress_message = "Compiling %s for %s" % (ctx.file.src.short_path, ctx.attr.arch),
    )
    return sidecar

def _cubin_impl(ctx):
    cubin = ctx.actions.declare_file(ctx.label.name + ".cubin")
    sidecar = _compile(ctx, "cubin", cubin)
    files = [cubin] + ([sidecar] if sidecar else [])
    return [
        DefaultInfo(files = depset(files), runfiles = ctx.runfiles(files)),
        TileIRInfo(arch = ctx.attr.arch, cubin = cubin, launch_abi = ctx.attr.launch_abi, sidecar = sidecar),
    ]

tileir_cubin = rule(
    implementation = _cubin_impl,
    attrs = _ATTRS,
    doc = "Compiles a tile module to NAME.cubin, what cuLibraryLoadFromFile takes; in the plain form with NAME.launch.json.",
    provides = [TileIRInfo],
)

_HEADER = """/* Made by tileir_object. */
#ifndef {guard}
#define {guard}
#ifdef __cplusplus
extern "C" {{
#endif
/* The cubin: cuLibraryLoadData(&library, tileir_{id}_cubin, 0, 0, 0, 0, 0, 0). */
extern const char tileir_{id}_cubin[], tileir_{id}_cubin_end[];
/* The fat binary around it, and what __cudaRegisterFatBinary takes. */
extern const char tileir_{id}_fatbin[];
extern const char tileir_{id}_fatbin_wrapper[];
#ifdef __cplusplus
}}
#endif
/* Bytes of the cubin. */
static inline unsigned long tileir_{id}_cubin_bytes(void) {{
  return (unsigned long)(tileir_{id}_cubin_end - tileir_{id}_cubin);
}}
#endif
"""

_HOST_ARCH = {"aarch64": "aarch64", "arm64": "aarch64", "k8": "x86_64", "x86_64": "x86_64"}

def _object_impl(ctx):
    cpu = ctx.var["TARGET_CPU"]
    if cpu not in _HOST_ARCH:
        fail("tileir_object makes objects for x86_64 and aarch64, not for '%s'" % cpu)
    stem = ctx.attr.module_id
    output = ctx.actions.declare_file(ctx.label.name + ".o")
    extra = ["--host-arch=" + _HOST_ARCH[cpu], "--host-os=linux", "--module-id=" + stem]
    if ctx.attr.launcher_stubs:
        extra.append("--launcher-stubs")
    sidecar = _compile(ctx, "obj", output, extra)
    ctx.actions.write(ctx.outputs.header, _HEADER.format(id = stem, guard = "TILEIR_" + stem.upper() + "_H"))
    return [
        DefaultInfo(files = depset([output])),
        OutputGroupInfo(sidecar = depset([sidecar] if sidecar else [])),
        TileIRInfo(arch = ctx.attr.arch, cubin = None, launch_abi = ctx.attr.launch_abi, sidecar = sidecar),
    ]

_tileir_object = rule(
    implementation = _object_impl,
    attrs = dict(
        _ATTRS,
        header = attr.output(mandatory = True),
        launcher_stubs = attr.bool(),
        module_id = attr.string(mandatory = True),
    ),
    provides = [TileIRInfo],
)

def _identifier(name):
    stem = "".join([c if c.isalnum() else "_" for c in name.elems()])
    return "_" + stem if stem[0].isdigit() else stem

def tileir_object(name, src, arch, module_id = None, launcher_stubs = False, visibility = None, tags = [], testonly = False, **kwargs):
    """A tile module that a cc_binary links: a cc_library with the object and the header NAME.h.

    Args:
      name: of the library; the header is NAME.h beside it, the object `NAME_tileir`.
      src: Tile IR bytecode, or cuda_tile text.
      arch: target, as for --gpu-name.
      module_id: stem of the symbols `tileir_<stem>_cubin` and so on; the name when absent. What is no letter or digit becomes `_`.
      launcher_stubs: adds a function `__tileir_launch_<kernel>` for each kernel; link libcuda then.
      visibility: of the library.
      tags: of both targets.
      testonly: of both targets.
      **kwargs: opt_level, lineinfo, device_debug, launch_abi, opts, as for tileir_cubin.
    """
    _tileir_object(
        name = name + "_tileir",
        src = src,
        arch = arch,
        header = name + ".h",
        launcher_stubs = launcher_stubs,
        module_id = _identifier(module_id or name),
        tags = tags,
        testonly = testonly,
        visibility = ["//visibility:private"],
        **kwargs
    )
    cc_library(
        name = name,
        srcs = [":" + name + "_tileir"],
        hdrs = [name + ".h"],
        tags = tags,
        testonly = testonly,
        visibility = visibility,
    )

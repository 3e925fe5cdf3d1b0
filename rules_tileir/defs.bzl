# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for users: tile kernels as build actions. docs/start/bazel.md of tileir shows them in a workspace."""

load("@rules_cc//cc:defs.bzl", "cc_library")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(":archs.bzl", "TILEIR_ARCHS")

TileIRInfo = provider(
    doc = "A compiled tile kernel module.",
    fields = {
        "arch": "the target, as given",
        "cubin": "File, or None for an object",
        "launch_abi": "'tile' or 'plain'",
        "sidecar": "File with what a launcher of the plain form has to do, or None",
    },
)

_TYPE = "@rules_tileir//:toolchain_type"
_NVCC_TYPE = "@rules_tileir//:nvcc_toolchain_type"

_ARCH_ATTRS = {
    "arch": attr.string(
        doc = "Target, as for --gpu-name: sm_80 to sm_121, with or without suffix.",
        mandatory = True,
    ),
    "device_debug": attr.bool(doc = "Full debug information; needs opt_level = 0."),
    "lineinfo": attr.bool(doc = "Source lines in the cubin."),
}

_COMPILE_ATTRS = dict(
    _ARCH_ATTRS,
    launch_abi = attr.string(
        doc = "'tile': a host object inside the cubin fills hidden parameters. 'plain': the launcher does, by the sidecar.",
        default = "tile",
        values = ["tile", "plain"],
    ),
    opt_level = attr.int(
        doc = "Effort of the optimisers.",
        default = 3,
        values = [0, 1, 2, 3],
    ),
    opts = attr.string_list(doc = "Further options of tileiras."),
)

def _check_arch(ctx):
    if ctx.attr.arch not in TILEIR_ARCHS:
        fail("'%s' is no target of tile kernels; expected one of %s" % (ctx.attr.arch, ", ".join(TILEIR_ARCHS)))

def _bytecode(ctx):
    """The source as bytecode; text is translated first."""
    source = ctx.file.src
    if source.extension == "tileirbc":
        return source
    bytecode = ctx.actions.declare_file(ctx.label.name + ".tileirbc")
    args = ctx.actions.args()
    args.add("--mlir-to-cudatilebc")
    args.add("--lineinfo")
    args.add(source)
    args.add("-o", bytecode)
    ctx.actions.run(
        executable = ctx.toolchains[_TYPE].translator,
        arguments = [args],
        inputs = [source],
        outputs = [bytecode],
        mnemonic = "TileIRTranslate",
        progress_message = "Writing Tile IR bytecode of " + source.short_path,
    )
    return bytecode

def _compile(ctx, emit, output, extra = []):
    """One run of tileiras; returns the sidecar of the plain form."""
    _check_arch(ctx)
    if ctx.attr.device_debug and ctx.attr.opt_level != 0:
        fail("device_debug needs opt_level = 0")
    tools = ctx.toolchains[_TYPE]
    bytecode = _bytecode(ctx)
    sidecar = None
    args = ctx.actions.args()
    args.add(bytecode)
    args.add("-o", output)
    args.add("--emit=" + emit)
    args.add("--gpu-name=" + ctx.attr.arch)
    args.add("--opt-level=%d" % ctx.attr.opt_level)
    args.add("--launch-abi=" + ctx.attr.launch_abi)
    args.add(tools.ptxas, format = "--ptxas-path=%s")
    args.add(tools.libdevice, format = "--libdevice=%s")
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
        executable = tools.compiler,
        arguments = [args],
        inputs = [bytecode, tools.ptxas, tools.libdevice],
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
    attrs = dict(
        _COMPILE_ATTRS,
        src = attr.label(
            doc = "Tile IR bytecode, or cuda_tile text.",
            allow_single_file = [".tileirbc", ".mlir"],
            mandatory = True,
        ),
    ),
    doc = "Compiles a tile module to NAME.cubin, what cuLibraryLoadFromFile takes; in the plain form with NAME.launch.json.",
    provides = [TileIRInfo],
    toolchains = [_TYPE],
)

def _cpp_bytecode_impl(ctx):
    _check_arch(ctx)
    tools = ctx.toolchains[_NVCC_TYPE]
    source = ctx.file.src
    bytecode = ctx.actions.declare_file(ctx.label.name + ".tileirbc")
    contexts = [dep[CcInfo].compilation_context for dep in ctx.attr.deps]
    args = ctx.actions.args()
    args.add("-ccbin", tools.host_compiler)
    args.add_all(["--enable-tile", "--tilebc", "--tile-only"])
    args.add("-arch=" + ctx.attr.arch)
    args.add("-std=" + ctx.attr.std)
    if ctx.attr.lineinfo:
        args.add("-lineinfo")
    if ctx.attr.device_debug:
        args.add("-G")
    for context in contexts:
        args.add_all(context.defines, before_each = "-D")
        args.add_all(context.quote_includes, before_each = "-I")
        args.add_all(context.includes, before_each = "-I")
        args.add_all(context.system_includes, before_each = "-isystem")
    args.add_all(ctx.attr.copts)
    args.add(source)
    args.add("-o", bytecode)
    ctx.actions.run(
        executable = tools.nvcc,
        arguments = [args],
        # nvcc finds the programs of its toolkit beside itself, the host compiler finds the programs of the system. Debug
        # scopes name the working folder: under this name of it the bytes are the same in every sandbox and checkout.
        env = {
            "PATH": "/usr/bin:/bin",
            "PWD": "/proc/self/cwd",
        },
        inputs = depset(
            [source] + ctx.files.hdrs,
            transitive = [tools.files] + [context.headers for context in contexts],
        ),
        outputs = [bytecode],
        mnemonic = "TileIRNvcc",
        progress_message = "Compiling tile kernels of %s to bytecode" % source.short_path,
    )
    return [DefaultInfo(files = depset([bytecode]))]

tileir_cpp_bytecode = rule(
    implementation = _cpp_bytecode_impl,
    attrs = dict(
        _ARCH_ATTRS,
        copts = attr.string_list(doc = "Further options of nvcc."),
        deps = attr.label_list(
            doc = "C++ libraries whose headers the source includes.",
            providers = [CcInfo],
        ),
        hdrs = attr.label_list(
            doc = "Headers that the source includes.",
            allow_files = True,
        ),
        src = attr.label(
            doc = "A CUDA C++ source with tile kernels.",
            allow_single_file = [".cu"],
            mandatory = True,
        ),
        std = attr.string(
            doc = "C++ standard, as for -std.",
            default = "c++20",
        ),
    ),
    doc = "Compiles the tile kernels of CUDA Tile C++ to NAME.tileirbc with the user's nvcc.",
    toolchains = [_NVCC_TYPE],
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

def _object_options(ctx):
    """Attributes of objects beside the kernels."""
    cpu = ctx.var["TARGET_CPU"]
    if cpu not in _HOST_ARCH:
        fail("tile kernels go into objects for x86_64 and aarch64, not for '%s'" % cpu)
    return ["--host-arch=" + _HOST_ARCH[cpu], "--host-os=linux", "--module-id=" + ctx.attr.module_id]

def _write_header(ctx):
    stem = ctx.attr.module_id
    ctx.actions.write(ctx.outputs.header, _HEADER.format(id = stem, guard = "TILEIR_" + stem.upper() + "_H"))

def _object_impl(ctx):
    output = ctx.actions.declare_file(ctx.label.name + ".o")
    extra = _object_options(ctx)
    if ctx.attr.launcher_stubs:
        extra.append("--launcher-stubs")
    sidecar = _compile(ctx, "obj", output, extra)
    _write_header(ctx)
    return [
        DefaultInfo(files = depset([output])),
        OutputGroupInfo(sidecar = depset([sidecar] if sidecar else [])),
        TileIRInfo(arch = ctx.attr.arch, cubin = None, launch_abi = ctx.attr.launch_abi, sidecar = sidecar),
    ]

_OBJECT_ATTRS = {
    "header": attr.output(mandatory = True),
    "module_id": attr.string(mandatory = True),
}

_tileir_object = rule(
    implementation = _object_impl,
    attrs = dict(
        _COMPILE_ATTRS,
        launcher_stubs = attr.bool(),
        src = attr.label(
            allow_single_file = [".tileirbc", ".mlir"],
            mandatory = True,
        ),
        **_OBJECT_ATTRS
    ),
    provides = [TileIRInfo],
    toolchains = [_TYPE],
)

def _cubin_object_impl(ctx):
    info = ctx.attr.cubin[TileIRInfo]
    output = ctx.actions.declare_file(ctx.label.name + ".o")
    args = ctx.actions.args()
    args.add(info.cubin)
    args.add("-o", output)
    args.add("--emit=obj")
    args.add("--gpu-name=" + info.arch)
    args.add_all(_object_options(ctx))
    ctx.actions.run(
        executable = ctx.toolchains[_TYPE].serializer,
        arguments = [args],
        inputs = [info.cubin],
        outputs = [output],
        mnemonic = "TileIRObject",
        progress_message = "Writing an object with " + info.cubin.short_path,
    )
    _write_header(ctx)
    return [
        DefaultInfo(files = depset([output])),
        OutputGroupInfo(sidecar = depset([info.sidecar] if info.sidecar else [])),
        TileIRInfo(arch = info.arch, cubin = info.cubin, launch_abi = info.launch_abi, sidecar = info.sidecar),
    ]

_tileir_cubin_object = rule(
    implementation = _cubin_object_impl,
    attrs = dict(
        _OBJECT_ATTRS,
        cubin = attr.label(
            mandatory = True,
            providers = [TileIRInfo],
        ),
    ),
    provides = [TileIRInfo],
    toolchains = [_TYPE],
)

def _identifier(name):
    stem = "".join([c if c.isalnum() else "_" for c in name.elems()])
    return "_" + stem if stem[0].isdigit() else stem

def _object_library(name, visibility, tags, testonly):
    cc_library(
        name = name,
        srcs = [":" + name + "_tileir"],
        hdrs = [name + ".h"],
        tags = tags,
        testonly = testonly,
        visibility = visibility,
    )

def tileir_object(name, src, arch, module_id = None, launcher_stubs = False, visibility = None, tags = [], testonly = False, **kwargs):
    """A tile module that a cc_binary links: a cc_library with the object and the header NAME.h.

    Args:
      name: of the library; the header is NAME.h beside it, the object `NAME_tileir`.
      src: Tile IR bytecode, or cuda_tile text.
      arch: target, as for --gpu-name.
      module_id: stem of the symbols `tileir_<stem>_cubin` and so on; the name when absent. Other characters become `_`.
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
    _object_library(name, visibility, tags, testonly)

def tileir_cpp_object(name, src, arch, hdrs = [], deps = [], copts = [], std = "c++20", lineinfo = False, device_debug = False, module_id = None, visibility = None, tags = [], testonly = False, **kwargs):
    """Tile kernels of a CUDA Tile C++ source, as tileir_object: three actions, each with its own output.

    nvcc writes `NAME_bytecode`, tileiras compiles it to the cubin `NAME_cubin`, and tileir-serialize puts the cubin into the
    object. A comment changed in the source ends after the first action, since the bytecode is the same.

    Args:
      name: of the library; the header is NAME.h beside it.
      src: the source; its other kernels and its host code are not compiled.
      arch: target, as for --gpu-name.
      hdrs: headers that the source includes.
      deps: C++ libraries whose headers the source includes.
      copts: further options of nvcc.
      std: C++ standard.
      lineinfo: source lines in the cubin.
      device_debug: full debug information; needs opt_level = 0.
      module_id: as for tileir_object.
      visibility: of the library.
      tags: of all targets.
      testonly: of all targets.
      **kwargs: opt_level, launch_abi, opts, as for tileir_cubin.
    """
    tileir_cpp_bytecode(
        name = name + "_bytecode",
        src = src,
        arch = arch,
        copts = copts,
        device_debug = device_debug,
        hdrs = hdrs,
        lineinfo = lineinfo,
        std = std,
        tags = tags,
        testonly = testonly,
        visibility = ["//visibility:private"],
        deps = deps,
    )
    tileir_cubin(
        name = name + "_cubin",
        src = ":" + name + "_bytecode",
        arch = arch,
        device_debug = device_debug,
        lineinfo = lineinfo,
        tags = tags,
        testonly = testonly,
        visibility = visibility,
        **kwargs
    )
    _tileir_cubin_object(
        name = name + "_tileir",
        cubin = ":" + name + "_cubin",
        header = name + ".h",
        module_id = _identifier(module_id or name),
        tags = tags,
        testonly = testonly,
        visibility = ["//visibility:private"],
    )
    _object_library(name, visibility, tags, testonly)

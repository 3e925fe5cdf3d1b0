# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Macros of this repository: packages compiled once and linked twice, TableGen, pass families, unit tests."""

load("@llvm//:paths.bzl", "LLVM_PREFIX")
load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_test")
load("//third_party/llvm:pch.bzl", "PCH_COPTS", "precompiled_header")
load(":copts.bzl", "TILEIR_COPTS", "TILEIR_PLAIN_COPTS")
load(":version.bzl", "TILEIR_SO_VERSION")

# `ld.lld` is not on the path, and the default linker fails on the archives.
STATIC_LINKOPTS = [
    "-B" + LLVM_PREFIX + "/bin",
    "-fuse-ld=lld",
    "-Wl,--gc-sections",
]

# Work before main(): a hundred thousand relocations and four libraries take a third of the start-up time.
_QUICK_START_LINKOPTS = [
    "-no-pie",
    "-static-libgcc",
    "-Wl,--as-needed",
    "-l:libstdc++.a",
    "-l:libz.a",
    "-l:libzstd.a",
]

def _target(dep, suffix = ""):
    """`//a/b` names `//a/b:b`; the suffix belongs to the target, not to the package."""
    return (dep if ":" in dep else dep + ":" + dep.split("/")[-1]) + suffix

# The lowest layer of precompiled headers: MLIR's.
_MLIR = "@llvm//:mlir"

def _pch_flags(path):
    # Clang does not list a precompiled header among the files it has read, and Bazel trusts this list.
    return PCH_COPTS + ["-include-pch", path, "-Xclang", "-fdepfile-entry=" + path]

def _pch_copts(pch):
    """Flags that read layer `pch`; without precompiled headers (`--define=tileir_pch=0`) MLIR's are included as text."""
    repository, target = pch.split("//")
    repository = repository or native.repository_name()
    folder, name = target.split(":") if ":" in target else (target, target.split("/")[-1])
    path = "/".join(["$(BINDIR)"] + (["external", repository[1:]] if repository != "@" else []) + ([folder] if folder else []) + [name])
    return select({
        "@llvm//:use_pch": _pch_flags(path + "_tool_pch.pch"),
        "@llvm//:use_pic_pch": _pch_flags(path + "_pch.pch"),
        "//conditions:default": ["-include", "external/llvm/mlir_pch.h"],
    })

def _copts(llvm, pch):
    return TILEIR_COPTS + _pch_copts(pch) if llvm else TILEIR_PLAIN_COPTS

def _pch_deps(pch):
    return [] if pch == _MLIR else [_target(pch, "_pch")]

def tileir_precompiled_header(name, hdrs, deps, base = _MLIR, visibility = None):
    """A layer of precompiled headers, for the `pch` of other macros: `hdrs` on top of `base`.

    A change of any header in it recompiles all its users.

    Args:
      name: what `pch` names it by.
      hdrs: headers, by their paths in the repository.
      deps: targets with the headers.
      base: the layer below.
      visibility: who may use it.
    """
    native.genrule(
        name = name + "_pch_text",
        outs = [name + "_pch.h"],
        cmd = "printf '#include \"%s\"\\n' " + " ".join(hdrs) + " > $@",
    )
    files = {}
    for variant in ["", "_tool"]:
        precompiled_header(
            name = name + variant + "_pch_file",
            out = name + variant + "_pch.pch",
            base = base + variant + "_pch" if base == _MLIR else _target(base, variant + "_pch_file"),
            header = name + "_pch.h",
            pic = not variant,
            deps = deps,
            visibility = visibility,
        )
        files[variant] = [":" + name + variant + "_pch_file"]
    cc_library(
        name = name + "_pch",
        textual_hdrs = select({
            "@llvm//:use_pch": files["_tool"],
            "@llvm//:use_pic_pch": files[""],
            "//conditions:default": [],
        }),
        visibility = visibility,
        deps = ["@llvm//:mlir_headers"] + _pch_deps(base),
    )

def _so_linkopts(soname):
    return ["-Wl,-soname," + soname, "-Wl,-rpath,'$$ORIGIN'"]

def tileir_library(name, srcs, hdrs, so = None, plugin = [], textual_hdrs = [], deps = [], llvm = True, pch = _MLIR, copts = [], linkopts = [], public = None, visibility = None):
    """One package, compiled once: load `so`, or link `name` (shared) or `name`_static (tools, unit tests).

    `name`_whole is the code of the package and of all below it without LLVM, for `tileir_whole_library`; `name`_public has the
    headers that an installation offers.

    Args:
      name: the package's folder name.
      srcs: C++ sources, generated `.cpp.inc` included.
      hdrs: headers that others include.
      so: file name of the shared object; without one the package is a static library only.
      plugin: sources that go into the shared object alone: the plugin entry points, flags.
      textual_hdrs: generated `.h.inc`.
      deps: packages of this repository, as `//a/b` or `//a/b:c`.
      llvm: False for what must link without LLVM.
      pch: layer of precompiled headers that its sources see.
      copts: further compiler flags of `srcs`.
      linkopts: further libraries.
      public: the headers that an installation offers, if not all.
      visibility: of the library targets; the shared object is public.
    """
    cc_library(
        name = name + "_headers",
        hdrs = hdrs,
        textual_hdrs = textual_hdrs,
        visibility = visibility,
        deps = [_target(d, "_headers") for d in deps] + (["@llvm//:mlir_headers"] if llvm else []),
    )
    cc_library(
        name = name + "_objects",
        srcs = srcs,
        copts = _copts(llvm, pch) + copts,
        linkstatic = True,
        alwayslink = True,
        linkopts = linkopts,
        deps = [":" + name + "_headers"] + _pch_deps(pch),
    )
    if so:
        cc_binary(
            name = so,
            srcs = plugin,
            copts = _copts(llvm, pch),
            linkshared = True,
            linkopts = _so_linkopts(so),
            visibility = ["//visibility:public"],
            deps = [":" + name + "_objects"] + [_target(d) for d in deps] + _pch_deps(pch) +
                   (["//dialects/support:plugin"] if plugin else []) + (["@llvm//:mlir"] if llvm else []),
        )
        cc_library(
            name = name,
            srcs = [":" + so],
            visibility = visibility,
            deps = [":" + name + "_headers"],
        )
    cc_library(
        name = name + "_static",
        visibility = visibility,
        deps = [":" + name + "_objects"] + [_target(d, "_static") for d in deps] +
               (["@llvm//:mlir_static"] if llvm else []),
    )
    cc_library(
        name = name + "_whole",
        visibility = visibility,
        deps = [":" + name + "_objects"] + [_target(d, "_whole") for d in deps],
    )
    native.filegroup(
        name = name + "_public",
        srcs = hdrs + textual_hdrs if public == None else public,
        visibility = ["//packages:__pkg__"],
    )

def tileir_whole_library(name, so, deps, plugin, pch = _MLIR, visibility = None):
    """One shared object that needs none of the others.

    Args:
      name: what links it: a library without headers.
      so: its file name; the name to load it by ends with the version.
      deps: packages, linked with their own dependences.
      plugin: sources with the plugin entry points and flags.
      pch: layer of precompiled headers that it sees.
      visibility: of the library.
    """
    file = so + "." + TILEIR_SO_VERSION
    cc_binary(
        name = file,
        srcs = plugin,
        copts = _copts(True, pch),
        linkopts = _so_linkopts(file),
        linkshared = True,
        visibility = ["//visibility:public"],
        deps = [_target(d, "_whole") for d in deps] + _pch_deps(pch) + ["//dialects/support:plugin", "@llvm//:mlir"],
    )
    cc_library(
        name = name,
        srcs = [":" + file],
        visibility = visibility,
    )

def tileir_tool(name, srcs, deps, llvm = True, pch = _MLIR, visibility = None):
    """A statically linked command-line tool. `deps` are packages and `pch` a layer, as for `tileir_library`."""
    cc_binary(
        name = name,
        srcs = srcs,
        copts = _copts(llvm, pch),
        linkopts = STATIC_LINKOPTS + _QUICK_START_LINKOPTS if llvm else ["-static"],
        visibility = visibility or ["//visibility:public"],
        deps = [_target(d, "_static") for d in deps] + _pch_deps(pch) + ([str(Label("//tools/portable"))] if llvm else []),
    )

def tileir_gtest(name, srcs, deps, llvm = False, pch = _MLIR, size = "small", data = [], env = {}, tags = []):
    """Unit tests beside the source. `deps` are packages, linked statically."""
    cc_test(
        name = name,
        size = size,
        srcs = srcs,
        copts = _copts(llvm, pch),
        data = data,
        env = env,
        linkopts = STATIC_LINKOPTS if llvm else [],
        tags = tags,
        deps = [_target(d, "_static") for d in deps] + _pch_deps(pch) + ["@com_google_googletest//:gtest_main"],
    )

def tileir_tblgen(name, td, outs, td_srcs = [], edit = None, visibility = None):
    """Runs mlir-tblgen on `td`, once for each of `outs`.

    Args:
      name: a filegroup of all outputs.
      td: the source.
      outs: output file to the arguments that make it.
      td_srcs: other `.td` files and filegroups that it includes.
      edit: a command of `sed` for the output.
      visibility: of the filegroup.
    """
    for out, args in outs.items():
        native.genrule(
            name = out.replace(".", "_").replace("/", "_") + "_gen",
            srcs = [td, "@llvm//:td"] + td_srcs,
            outs = [out],
            cmd = "$(location @llvm//:mlir-tblgen) -I. -Iexternal/tileir -Iexternal/llvm/include " + args +
                  " $(location " + td + ") -o $@" + (" && sed -i '%s' $@" % edit if edit else ""),
            tools = ["@llvm//:mlir-tblgen"],
        )
    native.filegroup(name = name, srcs = outs.keys(), visibility = visibility)

_PLUGIN_SRCS = ["Flags.cpp", "Plugin.cpp"]

def tileir_dialect(name, dialect, so, td, srcs, hdrs, td_srcs = [], enums = None, attrs = None, types = None, ops = None, op_shards = 6, interfaces = [], textual_hdrs = [], deps = [], pch_base = _MLIR, visibility = None):
    """One dialect: TableGen'd code, a static library, a shared object with its plugin entry points, and a layer of
    precompiled headers that bears its name.

    Generates includes beside the sources: `Dialect.h.inc`, `Dialect.cpp.inc` and, for each source given,
    `Enums`, `Attrs`, `Types`, `Ops` with `.h.inc` and `.cpp.inc`.

    Args:
      name: the folder's name.
      dialect: the dialect's mnemonic, for `-dialect=`.
      so: file name of the shared object.
      td: source that defines the dialect.
      srcs: C++ sources; `Plugin.cpp` and `Flags.cpp` go into the shared object alone.
      hdrs: headers.
      td_srcs: every `.td` of the folder.
      enums: source of the enumerations.
      attrs: source of the attributes.
      types: source of the types.
      ops: source of the operations.
      op_shards: how many sources their definitions become, at least two; `IR/Directives.h` has what these call.
      interfaces: `.td` files of interfaces: op interfaces, `<File>.h.inc` and `<File>.cpp.inc`.
      textual_hdrs: other generated includes.
      deps: packages.
      pch_base: the layer below its own.
      visibility: who may use the dialect.
    """
    d = " -dialect=" + dialect
    outs = {
        "Dialect": (td, "-gen-dialect-decls" + d, "-gen-dialect-defs" + d),
    }
    if enums:
        outs["Enums"] = (enums, "-gen-enum-decls", "-gen-enum-defs")
    if attrs:
        outs["Attrs"] = (attrs, "-gen-attrdef-decls -attrdefs-dialect=" + dialect, "-gen-attrdef-defs -attrdefs-dialect=" + dialect)
    if types:
        outs["Types"] = (types, "-gen-typedef-decls -typedefs-dialect=" + dialect, "-gen-typedef-defs -typedefs-dialect=" + dialect)
    if ops:
        shards = d + " -op-shard-count=%d" % op_shards
        outs["Ops"] = (ops, "-gen-op-decls" + shards, "-gen-op-defs" + shards)
    op_srcs = ["OpDefs%d.cpp" % i for i in range(op_shards)] if ops else []
    for i, src in enumerate(op_srcs):
        native.genrule(
            name = "op_defs_%d_gen" % i,
            outs = [src],
            cmd = ("printf '#include \"{0}/IR/Directives.h\"\\n#define GET_OP_DEFS_{1}\\n#include \"{0}/Ops.cpp.inc\"\\n' > $@")
                .format(native.package_name(), i),
        )
    for i in interfaces:
        outs[i[:-len(".td")]] = (i, "-gen-op-interface-decls", "-gen-op-interface-defs")
    generated = []
    for stem, (source, decls, defs) in outs.items():
        tileir_tblgen(
            name = stem.lower() + "_inc",
            td = source,
            outs = {stem + ".h.inc": decls, stem + ".cpp.inc": defs},
            td_srcs = [t for t in td_srcs if t != source],
        )
        generated += [stem + ".h.inc", stem + ".cpp.inc"]
    native.filegroup(name = "td", srcs = td_srcs, visibility = ["//visibility:public"])
    tileir_precompiled_header(
        name = name,
        hdrs = [native.package_name() + "/" + h for h in hdrs],
        base = pch_base,
        visibility = visibility,
        deps = [":" + name + "_headers"],
    )
    tileir_library(
        name = name,
        srcs = [s for s in srcs if s not in _PLUGIN_SRCS] + op_srcs,
        hdrs = hdrs,
        so = so,
        plugin = [s for s in srcs if s in _PLUGIN_SRCS],
        textual_hdrs = generated + textual_hdrs,
        pch = "//%s:%s" % (native.package_name(), name),
        visibility = visibility,
        deps = deps,
    )

def tileir_pass_family(name, group, passes, so, srcs = [], hdrs = [], deps = [], pch = _MLIR, visibility = None):
    """One pass family: a folder, a static library and a plugin.

    Args:
      name: the folder's name.
      group: CamelCase name: `register<group>Passes`, `lib<group>Passes.so`.
      passes: one word a pass; `<Pass>.td` and `<Pass>.cpp` exist, `<Pass>.h.inc` is generated.
      so: file name of the plugin.
      srcs: further sources; `Plugin.cpp` goes into the plugin alone.
      hdrs: `Passes.h` and headers that sources share.
      deps: packages.
      pch: layer of precompiled headers that its sources see.
      visibility: who may link the family.
    """
    native.exports_files(["PASSES.md"])
    td_srcs = native.glob(["**/*.td"])
    for p in passes:
        tileir_tblgen(
            name = p + "_inc",
            td = p + ".td",
            outs = {p + ".h.inc": "-gen-pass-decls -name " + p.split("/")[-1]},
            # Our statistics also count where LLVM has no assertions (passes/analysis/Remarks.h).
            edit = "s/::mlir::Pass::Statistic /::tileir::PassStatistic /" if "//passes/analysis" in deps else None,
            td_srcs = [t for t in td_srcs if t != p + ".td"],
        )
    tileir_tblgen(
        name = "passes_inc",
        td = "Passes.td",
        outs = {"Passes.h.inc": "-gen-pass-decls -name " + group},
        td_srcs = [t for t in td_srcs if t != "Passes.td"],
    )
    tileir_library(
        name = name,
        srcs = [p + ".cpp" for p in passes] + [s for s in srcs if s != "Plugin.cpp"],
        hdrs = hdrs,
        so = so,
        plugin = ["Plugin.cpp"],
        textual_hdrs = ["Passes.h.inc"] + [p + ".h.inc" for p in passes],
        pch = pch,
        public = ["Passes.h", "Passes.h.inc"],
        visibility = visibility,
        deps = deps,
    )

#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the build's Starlark as releases of Bazel read it that are not here.

    check.py load TREE [FILE=OTHER]
                         every BUILD and .bzl file of TREE under the builtins of Bazel 4, 7, 8 and 9, and MODULE.bazel files;
                         with a FILE, only those of its folder, and the text of OTHER in place of FILE's
    check.py actions TREE AQUERY.json WORKSPACE EXTERNAL
                         the rules of WORKSPACE under a stand-in for ctx make the actions that `bazel aquery` has shown;
                         EXTERNAL has the folders of its repositories

The interpreter is starlark-pyo3 (TILEIR_STARLARK_PATH), the language of Bazel without Bazel. Its builtins come from
prelude.star and releases.py.
"""
import os
import sys

import releases
from actions import check_actions
from bazel import Bazel, Problem, starlark
from modules import check_module


def _shims(label):
    return any(label.startswith(shim) for shim in releases.SHIMS)


def check_load(tree, replaced):
    problems = []
    counts = []
    for version in releases.VERSIONS:
        bazel = Bazel(version, tree, replaced)
        if version == 4:
            bazel.prepare_shims()
        packages = files = 0

        def attempt(what, action):
            try:
                action()
                return 1
            except (starlark.StarlarkError, Problem) as error:
                problems.append("Bazel %d: %s: %s" % (version, what, error))
                return 0

        for name in bazel.files:
            folder, _, base = name.rpartition("/")
            if replaced and folder not in [os.path.dirname(f) for f in replaced]:
                continue
            label = "//%s:%s" % (folder, base)
            if name.endswith(".bzl"):
                only = releases.ONLY_IN.get(label)
                if (only and version not in only[0]) or _shims(label):
                    continue
                bazel.package = ("", folder)
                files += attempt(name, lambda: bazel.load(label))
            elif base == "BUILD.bazel" and not folder.startswith("examples/bazel"):
                packages += attempt(name, lambda: bazel.load_package("", folder, bazel.read(name)))
            elif name.endswith(".BUILD"):
                text = bazel.read(name).replace("{ARCHIVES}", '"-l:a"').replace("{PREFIX}", "/usr")
                packages += attempt(name, lambda: bazel.load_package(base[:-len(".BUILD")], "", text))
        for name, folder, base in list(bazel.overlays):
            if base.endswith(".bzl"):
                bazel.package = (name, folder)
                files += attempt("@%s//%s:%s" % (name, folder, base), lambda: bazel.load("@%s//%s:%s" % (name, folder, base)))
        # The same rules, as a repository of their own.
        packages += attempt("@rules_tileir//:BUILD.bazel",
                            lambda: bazel.load_package("rules_tileir", "", bazel.read("rules_tileir/BUILD.bazel")))
        # The example: its WORKSPACE only where such files are read.
        bazel.main = "tile_kernels"
        packages += attempt("examples/bazel/BUILD.bazel",
                            lambda: bazel.load_package("tile_kernels", "", bazel.read("examples/bazel/BUILD.bazel")))
        if releases.WORKSPACE_RULES[version]:
            bazel.main = "tileir"
            bazel.package = ("", "")
            for name in ["WORKSPACE", "examples/bazel/WORKSPACE"]:
                files += attempt(name, lambda: bazel.evaluate(name, bazel.read(name), "workspace"))
        counts.append("Bazel %d: %d packages, %d other files" % (version, packages, files))
        if version >= 7:
            for name in [f for f in bazel.files if os.path.basename(f) == "MODULE.bazel" and
                         (not replaced or os.path.dirname(f) in [os.path.dirname(r) for r in replaced])]:
                problems += ["Bazel %d: %s: %s" % (version, name, p) for p in check_module(bazel, name)]
    return problems, counts


def main():
    mode, tree = sys.argv[1], os.path.realpath(sys.argv[2])
    if mode == "load":
        problems, lines = check_load(tree, dict(word.split("=", 1) for word in sys.argv[3:]))
    else:
        problems, lines = check_actions(tree, *sys.argv[3:6])
    for line in problems or lines:
        print(line)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Emulates reading BUILD and .bzl files by a release of Bazel: starlark-pyo3 with the builtins of prelude.star."""
import functools
import json
import os
import re
import subprocess
import sys

import releases

sys.path.insert(0, os.environ["TILEIR_STARLARK_PATH"])
import starlark  # noqa: E402

_HERE = os.path.dirname(os.path.realpath(__file__))


class Problem(Exception):
    pass


@functools.lru_cache(maxsize=None)
def _glob_pattern(pattern):
    """A pattern of glob() as a regular expression."""
    text = ""
    for piece in re.split(r"(\*\*/|\*\*|\*)", pattern):
        text += {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*"}.get(piece, re.escape(piece))
    return re.compile(text + r"\Z")


class Bazel:
    """One release: its builtins, its repositories, and the loaded files."""

    def __init__(self, version, tree, replaced=None):
        self.version = version
        # Name of the main repository.
        self.main = "tileir"
        self.tree = tree
        self.replaced = replaced or {}
        self.files = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=tree, check=True,
                                    capture_output=True, text=True).stdout.split("\n")
        # Files in git that the working tree lacks.
        self.files = [f for f in self.files if f and os.path.exists(os.path.join(tree, f))]
        self.overlays = {}
        self.loaded = {}
        self.loading = []
        self.identities = 0
        self.package = ("", "")
        self.targets = {}
        self.declared = {}
        self.registered = []
        # Files of repositories that Bazel generates.
        self.external = {}
        self.package_files = {}
        # State of an analysis.
        self.analysing = False
        self.bin = "bazel-out/k8-opt/bin"
        self.providers = {}
        self.toolchains = {}
        self.actions = []
        self.globals = starlark.Globals.extended_by(
            [starlark.LibraryExtension.StructType, starlark.LibraryExtension.Print, starlark.LibraryExtension.Json])
        self.dialects = {}
        for build in [False, True]:
            dialect = starlark.Dialect.standard()
            dialect.enable_def = not build
            dialect.enable_lambda = releases.LAMBDA[version] and not build
            dialect.enable_keyword_only_arguments = True
            dialect.enable_load = True
            self.dialects[build] = dialect
        self.callbacks = {name: getattr(self, name) for name in dir(self) if name.startswith("_py_")}
        self.prelude = self._make_prelude()

    def read(self, name):
        """Text of a file of the tree."""
        with open(self.replaced.get(name) or os.path.join(self.tree, name)) as file:
            return file.read()

    # ---- Builtins that are Python.

    def _py_new_identity(self):
        self.identities += 1
        return "provider%d" % self.identities

    def _py_check_parameters(self, function, names):
        for name in names:
            if name not in releases.PARAMETERS[function]:
                raise Problem("%s() has no parameter '%s' in every release" % (function, name))

    def _py_label_is_good(self, text):
        return bool(re.match(r"@?[\w.-]*//", text)) or releases.RELATIVE_LABEL[self.version]

    def _py_package(self):
        return self.package[1]

    def _label(self, text):
        """(repository, package, name) of a label in the current package."""
        match = re.match(r"(?:@@?([\w.+~-]*))?(?://([^:]*))?(?::?(.*))\Z", text)
        repository, package, name = match.groups()
        if repository is None:
            repository = self.package[0]
        if repository == "tileir" or repository == self.main:
            repository = ""
        if package is None:
            package = self.package[1]
        return repository, package, name or package.rpartition("/")[2]

    def _add(self, kind, name):
        key = self.package + (name,)
        if key in self.targets:
            raise Problem("two targets are called '%s'" % name)
        self.targets[key] = kind

    def _py_native_target(self, kind, name, toolchain_type, toolchain):
        self._add(kind, name)
        if kind == "toolchain":
            if not toolchain_type or not toolchain:
                raise Problem("toolchain '%s' names no type or no target" % name)
            if self.analysing:
                self.toolchains[toolchain_type] = self.toolchains[self._label(toolchain)]

    def _py_starlark_target(self, name, given, attributes, mandatory):
        self._add("rule", name)
        for key in given:
            if key not in attributes and key not in releases.COMMON_ATTRIBUTES:
                raise Problem("'%s' has no attribute '%s'" % (name, key))
        for key in mandatory:
            if key not in given:
                raise Problem("'%s' lacks the attribute '%s'" % (name, key))

    def _py_repository(self, name, values):
        self.declared[name] = values

    def _py_register_toolchains(self, labels):
        self.registered += labels

    def _package_files(self):
        """Files of the current package, relative to it."""
        if self.package not in self.package_files:
            repository, package = self.package
            if repository in self.external:
                names = self.external[repository]
            elif repository in ("", "rules_tileir"):
                root = ("rules_tileir/" if repository else "") + (package + "/" if package else "")
                names = [f[len(root):] for f in self.files if f.startswith(root)]
            else:
                return None
            below = tuple(f[:-len("BUILD.bazel")] for f in names if f.endswith("/BUILD.bazel"))
            self.package_files[self.package] = [n for n in names if not n.startswith(below)]
        return self.package_files[self.package]

    def _py_glob(self, include, exclude, allow_empty):
        names = self._package_files()
        if names is None:
            return []
        if allow_empty is None:
            allow_empty = releases.EMPTY_GLOB[self.version]
        found = set()
        for pattern in include:
            matches = [n for n in names if _glob_pattern(pattern).match(n)]
            if not matches and not allow_empty:
                raise Problem("glob pattern '%s' matches no file; this release asks for allow_empty = True" % pattern)
            found.update(matches)
        unwanted = [_glob_pattern(p) for p in exclude]
        return sorted(n for n in found if not any(p.match(n) for p in unwanted))

    def _py_analyses(self):
        return self.analysing

    def _file(self, label_or_path):
        repository, package, name = self._label(label_or_path)
        path = "/".join(filter(None, ["external/" + repository if repository else "", package, name]))
        return self._describe(path, "/".join(filter(None, ["../" + repository if repository else "", package, name])))

    @staticmethod
    def _describe(path, short):
        base = path.rpartition("/")[2]
        return {"path": path, "short_path": short, "basename": base, "extension": base.rpartition(".")[2]}

    def _py_output(self, path):
        repository, package, name = self._label(":" + path.lstrip(":"))
        short = "/".join(filter(None, ["external/" + repository if repository else "", package, name]))
        return json.dumps(self._describe(self.bin + "/" + short, short))

    def _py_providers(self, label):
        key = self._label(label)
        if key in self.providers:
            return self.providers[key]
        file = self._file(label)
        return json.dumps({"provider1": {"files": [file], "files_to_run": {"executable": file}}})

    def _py_toolchains(self):
        return {key: value for key, value in self.toolchains.items() if isinstance(key, str)}

    def _py_analysed(self, name, providers, toolchain):
        self.providers[self._label(":" + name)] = providers
        if toolchain:
            self.toolchains[self._label(":" + name)] = toolchain

    def _py_action(self, mnemonic, words, inputs, outputs, env):
        self.actions.append({"mnemonic": mnemonic, "arguments": words, "inputs": sorted(set(inputs)),
                             "outputs": sorted(outputs), "env": env})

    # ---- Builtins that are Starlark.

    def _make_prelude(self):
        with open(os.path.join(_HERE, "prelude.star")) as file:
            text = file.read()
        rules = releases.RULES[self.version]
        fields = ["%s = native_rule(\"%s\")" % (rule, rule) for rule in rules]
        fields += ["%s = _workspace_rule()" % rule for rule in releases.WORKSPACE_RULES[self.version]]
        fields += ["%s = %s" % (name, name) for name in ["exports_files", "glob", "package_name", "repository_name",
                                                         "existing_rules", "package_group"]]
        if releases.WORKSPACE_RULES[self.version]:
            fields.append("register_toolchains = register_toolchains")
        text += "\n".join(["", "native = struct(%s)" % ", ".join(fields)] + ["%s = native_rule(\"%s\")" % (r, r) for r in rules]) + "\n"
        for rule in releases.WORKSPACE_RULES[self.version]:
            text += "%s = _workspace_rule()\n" % rule
        for name in releases.BZL_NAMES[self.version]:
            if not re.search(r"^(def )?%s\b" % name, text, re.M):
                text += "%s = LanguageStandIn\n" % name
        dialect = starlark.Dialect.standard()
        dialect.enable_def = dialect.enable_lambda = dialect.enable_keyword_only_arguments = True
        module = self._new_module()
        starlark.eval(module, starlark.parse("prelude.star", text, dialect), self.globals)
        return module.freeze()

    def _new_module(self):
        module = starlark.Module()
        for name, function in self.callbacks.items():
            module.add_callable(name, function)
        return module

    def _names(self, kind):
        """Returns the names that are visible in a file of this kind."""
        everywhere = ["select", "glob"]
        rules = releases.RULES[self.version]
        if kind == "bzl":
            return ["DefaultInfo", "Label", "OutputGroupInfo", "attr", "config_common", "depset", "native", "platform_common",
                    "provider", "repository_rule", "rule", "select"] + releases.BZL_NAMES[self.version]
        if kind == "workspace":
            return everywhere + ["register_toolchains", "workspace"] + releases.WORKSPACE_RULES[self.version]
        return everywhere + rules + ["existing_rules", "exports_files", "licenses", "package", "package_group", "package_name",
                                     "repository_name"]

    # ---- Files.

    def evaluate(self, name, text, kind):
        # Positions in messages are those of the file: the builtins are prepended to its first line.
        dialect = self.dialects[kind != "bzl"]
        own = {symbol for load in starlark.parse(name, text, dialect).loads() for symbol in load.symbols}
        names = [n for n in self._names(kind) if n not in own and not re.search(r"^%s =" % n, text, re.M)]
        text = "load(\"prelude\", %s); " % ", ".join('"%s"' % n for n in names) + text
        module = starlark.Module()
        starlark.eval(module, starlark.parse(name, text, dialect), self.globals, starlark.FileLoader(self.load))
        return module

    def load(self, text):
        """The module that a load() statement names."""
        if text == "prelude":
            return self.prelude
        here = self.loading[-1] if self.loading else self.package
        match = re.match(r"(?:@([\w.-]+))?(?://([^:]*))?:(.*)\Z", text)
        if not match:
            raise Problem("no label of a file: '%s'" % text)
        repository, package, name = match.groups()
        if repository is None:
            repository = here[0]
        if repository == "tileir" or repository == self.main:
            repository = ""
        if package is None:
            package = here[1]
        key = (repository, package, name)
        if key in self.loaded:
            return self.loaded[key]
        label = "%s//%s:%s" % ("@" + repository if repository else "", package, name)
        content = self._content(repository, package, name, label)
        self.loading.append((repository, package))
        try:
            if content is None:
                _, names = releases.EXTERNAL[label]
                content = "".join("%s\n" % self._stand_in(label, n) for n in names)
                content = ('load("prelude", "attr", "native_rule", CcInfo_ = "CcInfo", cc_common_ = "cc_common")\n' + content)
                module = starlark.Module()
                starlark.eval(module, starlark.parse(label, content, self.dialects[False]), self.globals,
                              starlark.FileLoader(self.load))
            else:
                module = self.evaluate(label, content, "bzl")
        finally:
            self.loading.pop()
        self.loaded[key] = module.freeze()
        return self.loaded[key]

    @staticmethod
    def _stand_in(label, name):
        if name == "CC_TOOLCHAIN_ATTRS":
            return "CC_TOOLCHAIN_ATTRS = {\"_cc_toolchain\": attr.label()}"
        if name == "use_cc_toolchain":
            return "def use_cc_toolchain(mandatory = False):\n    return []"
        if name == "CcInfo":
            return "CcInfo = CcInfo_"
        if name == "cc_common":
            return "cc_common = cc_common_"
        if name[0].islower() and ("//cc:defs" in label or "rules_shell" in label):
            return "%s = native_rule(\"%s\")" % (name, name)
        return "%s = \"%s\"" % (name, name)

    def _content(self, repository, package, name, label):
        if (repository, package, name) in self.overlays:
            return self.overlays[(repository, package, name)]
        only = releases.ONLY_IN.get(label)
        if only and self.version not in only[0]:
            raise Problem("'%s' is not for this release: %s" % (label, only[1]))
        if label in releases.EXTERNAL and self.version in releases.EXTERNAL[label][0]:
            return None
        folder = os.path.join({"": "", "rules_tileir": "rules_tileir"}.get(repository, "no such repository"), package)
        if not os.path.exists(os.path.join(self.tree, folder, name)):
            raise Problem("'%s' does not exist in this release" % label)
        if not os.path.exists(os.path.join(self.tree, folder, "BUILD.bazel")):
            raise Problem("'%s' is in no package" % label)
        return self.read(os.path.join(folder, name))

    def load_package(self, repository, package, text):
        self.package = (repository, package)
        label = "%s//%s:BUILD.bazel" % ("@" + repository if repository else "", package)
        self.evaluate(label, text, "build")

    def prepare_shims(self):
        """Adds the repositories that tileir_repositories() creates for a workspace without them, for Bazel 4."""
        self.package = ("", "")
        driver = 'load("//third_party:repositories.bzl", "tileir_repositories")\ntileir_repositories()\n'
        self.evaluate("WORKSPACE", driver, "workspace")
        for name, values in list(self.declared.items()):
            for label, path in (values.get("by_label") or {}).items():
                _, package, file = self._label(label)
                folder, _, base = path.rpartition("/")
                self.overlays[(name, folder, base)] = self.read(os.path.join(package, file))

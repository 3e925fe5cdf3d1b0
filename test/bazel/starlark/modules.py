# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MODULE.bazel files under mocks."""
import json
import os
import re

from bazel import Problem, starlark


def check_module(bazel, name):
    """Returns the problems of a MODULE.bazel under mocks: everything it uses exists, and its extension creates exactly
    the repositories that it uses."""
    text = bazel.read(name)
    problems = []
    state = {"module": None, "deps": {}, "overrides": [], "extensions": [], "registered": []}

    def module(name="", version="", compatibility_level=0, repo_name="", bazel_compatibility=None):
        if state["module"] is not None or state["deps"]:
            raise Problem("module() comes first and once")
        state["module"] = (name, version)

    def bazel_dep(name, version="", max_compatibility_level=-1, repo_name="", dev_dependency=False):
        state["deps"][repo_name or name] = (name, version)

    def local_path_override(module_name, path):
        state["overrides"].append(module_name)
        target = os.path.normpath(os.path.join(os.path.dirname(os.path.join(bazel.tree, name)), path))
        if not os.path.exists(os.path.join(target, "MODULE.bazel")):
            raise Problem("no MODULE.bazel in '%s'" % path)

    def tag(extension, kind, values):
        state["extensions"][extension]["tags"].append([kind, values])

    def extension(label, kinds):
        state["extensions"].append({"label": label, "tags": [], "uses": []})
        return len(state["extensions"]) - 1

    def use_repo(index, names):
        state["extensions"][index]["uses"] += names

    def register(labels):
        state["registered"] += labels

    prelude = """
def _tag(extension, kind):
    def call(**values):
        _tag_used(extension, kind, values)
    return call
def use_extension(label, name, dev_dependency = False, isolate = False):
    index = _extension(label, [])
    return struct(_index = index, **{kind: _tag(index, kind) for kind in %s})
def use_repo(extension, *names, **renamed):
    _use_repo(extension._index, list(names) + renamed.values())
def register_toolchains(*labels, dev_dependency = False):
    _register(list(labels))
""" % json.dumps(re.findall(r'^\s+"(\w+)": tag_class\(', bazel.read("rules_tileir/extensions.bzl"), re.M))
    dialect = starlark.Dialect.standard()
    dialect.enable_def = dialect.enable_keyword_only_arguments = True
    library = starlark.Module()
    for key, function in {"_tag_used": tag, "_extension": extension, "_use_repo": use_repo, "_register": register}.items():
        library.add_callable(key, function)
    starlark.eval(library, starlark.parse("module prelude", prelude, dialect), bazel.globals)
    library = library.freeze()
    unit = starlark.Module()
    for key, function in {"module": module, "bazel_dep": bazel_dep, "local_path_override": local_path_override}.items():
        unit.add_callable(key, function)
    # Such a file has no load() and no def: the mocks are prepended to its first line.
    if re.search(r"^load\(", text, re.M):
        return ["load() is not for MODULE.bazel"]
    dialect = starlark.Dialect.standard()
    dialect.enable_def = False
    try:
        text = 'load("mocks", "register_toolchains", "use_extension", "use_repo"); ' + text
        starlark.eval(unit, starlark.parse(name, text, dialect), bazel.globals, starlark.FileLoader(lambda _: library))
    except (starlark.StarlarkError, Problem) as error:
        return [str(error)]
    if not state["module"]:
        problems.append("module() is missing")
    known = {state["module"][0] if state["module"] else ""} | set(state["deps"])
    for dep, version in state["deps"].values():
        if not version and dep not in state["overrides"]:
            problems.append("bazel_dep '%s' has neither a version nor an override" % dep)
    for dep in state["overrides"]:
        if dep not in [d for d, _ in state["deps"].values()]:
            problems.append("'%s' is overridden and not used" % dep)
    made = set()
    for used in state["extensions"]:
        bazel.declared = {}
        if used["label"] != "@rules_tileir//:extensions.bzl":
            problems.append("unknown extension " + used["label"])
            continue
        driver = 'load("@rules_tileir//:extensions.bzl", "tileir")\ntileir(%s)\n' % repr([[tuple(t) for t in used["tags"]]])
        bazel.package = ("", "")
        try:
            bazel.evaluate("an extension's run", driver, "bzl")
        except (starlark.StarlarkError, Problem) as error:
            problems.append(str(error))
        for repo in used["uses"]:
            if repo not in bazel.declared:
                problems.append("the extension makes no repository '%s'" % repo)
        made |= set(bazel.declared)
        known |= set(used["uses"])
    for label in state["registered"]:
        match = re.match(r"@([\w.-]+)//", label)
        if match and match.group(1) not in known:
            problems.append("'%s' is registered from a repository that this module does not see" % label)
    # Repositories that files of the module load from.
    folder = os.path.dirname(name)
    for other in bazel.files:
        if os.path.dirname(other) == folder and (other.endswith(".bzl") or os.path.basename(other) == "BUILD.bazel"):
            # Without the docstring at its head.
            code = re.sub(r'\A(?:#[^\n]*\n)*""".*?"""', "", bazel.read(other), flags=re.S)
            for repo in re.findall(r'"@([\w.-]+)//', code):
                if repo not in known | made | {"bazel_tools"}:
                    problems.append("%s names @%s, which the module does not depend on" % (other, repo))
    return problems

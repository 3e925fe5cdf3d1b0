# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares actions of rules under a mock ctx with those of `bazel aquery`."""
import json
import os
import re

import releases
from bazel import Bazel


def _aquery_actions(path):
    """Returns the actions of tile kernels in the output of `bazel aquery --output=jsonproto`."""
    with open(path) as file:
        data = json.load(file)
    fragments = {f["id"]: f for f in data.get("pathFragments", [])}

    def fragment(identity):
        part = fragments[identity]
        return (fragment(part["parentId"]) + "/" if part.get("parentId") else "") + part["label"]

    artifacts = {a["id"]: a.get("execPath") or fragment(a["pathFragmentId"]) for a in data["artifacts"]}
    sets = {s["id"]: s for s in data.get("depSetOfFiles", [])}

    def members(identity):
        result = [artifacts[a] for a in sets[identity].get("directArtifactIds", [])]
        for below in sets[identity].get("transitiveDepSetIds", []):
            result += members(below)
        return result

    actions = []
    for action in data["actions"]:
        if action["mnemonic"].startswith("TileIR"):
            actions.append({
                "mnemonic": action["mnemonic"],
                "arguments": action["arguments"],
                "inputs": sorted({m for s in action.get("inputDepSetIds", []) for m in members(s)}),
                "outputs": sorted(artifacts[o] for o in action["outputIds"]),
                "env": {v["key"]: v["value"] for v in action.get("environmentVariables", [])},
            })
    return actions


def _files_below(root):
    for folder, _, names in os.walk(root, followlinks=True):
        for name in names:
            yield os.path.relpath(os.path.join(folder, name), root)


def check_actions(tree, aquery, workspace, external):
    """Returns differences between Bazel's actions and those of the rules under a mock ctx."""
    wanted = _aquery_actions(aquery)
    if not wanted:
        return ["no action of tile kernels in " + aquery], []
    problems = []
    for version in releases.VERSIONS:
        bazel = Bazel(version, tree)
        if version == 4:
            bazel.prepare_shims()
        bazel.analysing = True
        bazel.main = "tile_kernels"
        bazel.bin = re.match(r"(.*?/bin)/", wanted[0]["outputs"][0]).group(1)
        for repository in ["tileir_prefix", "tileir_nvcc"]:
            path = os.path.join(external, repository, "BUILD.bazel")
            if os.path.exists(path):
                with open(path) as file:
                    text = file.read()
                bazel.external[repository] = list(_files_below(os.path.join(external, repository)))
                bazel.load_package(repository, "", text)
        with open(os.path.join(workspace, "BUILD.bazel")) as file:
            bazel.load_package("", "", file.read())
        ours = {tuple(a["outputs"]): a for a in bazel.actions if a["mnemonic"] != "FileWrite"}
        theirs = {tuple(a["outputs"]): a for a in wanted}
        for outputs in sorted(set(ours) | set(theirs)):
            one, other = ours.get(outputs), theirs.get(outputs)
            if one != other:
                problems.append("builtins of Bazel %d, action of %s:" % (version, ", ".join(outputs)))
                if not one or not other:
                    problems.append("  only " + ("aquery has it" if other else "the stand-in has it"))
                else:
                    problems += ["  %s: stand-in %s, aquery %s" % (key, one[key], other[key])
                                 for key in one if one[key] != other[key]]
    return problems, ["%d actions equal under %d sets of builtins" % (len(wanted), len(releases.VERSIONS))]

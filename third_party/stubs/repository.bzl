# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A repository made of files of this workspace, found through labels so that it also works as an external one."""

def _stub_repository_impl(ctx):
    ctx.file("WORKSPACE", "workspace(name = \"{}\")\n".format(ctx.name))
    ctx.file("BUILD.bazel", "")
    for label, path in ctx.attr.by_label.items():
        ctx.file(path, ctx.read(label))

_stub_repository = repository_rule(
    implementation = _stub_repository_impl,
    attrs = {"by_label": attr.label_keyed_string_dict(doc = "File of this workspace to its path in the repository.")},
    local = True,
)

def stub_repository(name, files):
    """Declares repository `name` with `files`: path in the repository to label of the text."""
    _stub_repository(name = name, by_label = {str(label): path for path, label in files.items()})

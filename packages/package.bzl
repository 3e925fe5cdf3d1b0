# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The archive of all installed files, and the packages made from it."""

# Headers and what they include; sources of TableGen for dialects that build upon ours.
_INCLUDED = ["h", "inc", "def", "td"]

def _entries(target, place):
    """Pairs of a path in the installation and a file."""
    executable = target[DefaultInfo].files_to_run.executable
    if place == "bin" and executable:
        return [("bin/" + executable.basename, executable)]
    if place.endswith("/"):
        return [(place + file.short_path, file) for file in target[DefaultInfo].files.to_list()]
    return [(place + "/" + file.basename, file) for file in target[DefaultInfo].files.to_list()]

def _installed_files_impl(ctx):
    lines, inputs, seen = [], [], {}
    for target, place in ctx.attr.contents.items():
        for path, file in _entries(target, place):
            if path.startswith("include/") and (file.extension not in _INCLUDED or path.endswith(".cpp.inc")):
                continue
            if path not in seen:
                seen[path] = True
                lines.append("file\t%s\t%s" % (path, file.path))
                inputs.append(file)
    lines += ["link\t%s\t%s" % link for link in ctx.attr.links.items()]
    manifest = ctx.actions.declare_file(ctx.label.name + ".list")
    ctx.actions.write(manifest, "\n".join(lines) + "\n")
    out = ctx.actions.declare_file(ctx.label.name + ".tar")
    ctx.actions.run(
        executable = "/usr/bin/python3",
        arguments = [ctx.file._script.path, manifest.path, ctx.file._version.path, ctx.file._strip.path, out.path],
        inputs = inputs + [manifest, ctx.file._script, ctx.file._version, ctx.file._strip],
        outputs = [out],
        mnemonic = "InstalledFiles",
        progress_message = "Collecting installed files",
    )
    return [DefaultInfo(files = depset([out]), runfiles = ctx.runfiles(files = [out]))]

installed_files = rule(
    doc = "An archive of all that is installed: programs without symbols, libraries, headers, data; paths are relative.",
    implementation = _installed_files_impl,
    attrs = {
        "contents": attr.label_keyed_string_dict(
            doc = "To each target a folder. Below one that ends in a slash the files keep their paths in the repository. In a " +
                  "file whose name ends in .in the words @VERSION@ and @SO_VERSION@ are replaced, and the ending goes.",
            allow_files = True,
        ),
        "links": attr.string_dict(doc = "To the path of each link where it leads, from its own folder."),
        "_script": attr.label(default = Label("//packages:files.py"), allow_single_file = True),
        "_strip": attr.label(default = Label("@llvm//:bin/llvm-strip"), allow_single_file = True),
        "_version": attr.label(default = Label("//:VERSION"), allow_single_file = True),
    },
)

def _package_impl(ctx):
    out = ctx.actions.declare_directory(ctx.label.name)
    ctx.actions.run(
        executable = "/usr/bin/python3",
        arguments = [ctx.file.script.path, ctx.file.files.path, ctx.file._version.path, out.path] + [f.path for f in ctx.files.srcs],
        inputs = [ctx.file.script, ctx.file.files, ctx.file._version] + ctx.files.srcs,
        outputs = [out],
        mnemonic = "Package",
        progress_message = "Packing " + ctx.label.name,
    )
    return [DefaultInfo(files = depset([out]), runfiles = ctx.runfiles(files = [out]))]

package = rule(
    doc = "A folder with one package, whose name has the version in it.",
    implementation = _package_impl,
    attrs = {
        "files": attr.label(doc = "The archive of `installed_files`.", allow_single_file = True, mandatory = True),
        "script": attr.label(
            doc = "Python program: script FILES VERSION OUT SRC...",
            allow_single_file = [".py"],
            mandatory = True,
        ),
        "srcs": attr.label_list(doc = "What else the script reads.", allow_files = True),
        "_version": attr.label(default = Label("//:VERSION"), allow_single_file = True),
    },
)

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/start/options.md from the options of `tileir{…}` in pipelines/Options.{h,cpp}: prints differences, or,
with --fix, writes the page."""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = "docs/start/options.md"
HEAD = """\
# Options of `tileir{…}`

Made by `tools/lint/docs.sh --fix` of `pipelines/Options.h`. Options stand in the braces, with spaces between them:
`tileir{preset=tileiras compute-capability=sm_90}`. `tileiras --pass-pipeline='tileir{…}'` takes them, too. The program
column is what `tileiras` and `preset=tileiras` set where the option is not given. An option whose pass is not in the
list is checked and then without effect.

| option | values | default | program | effect |
|---|---|---|---|---|
"""


def source(name):
    with open(f"{ROOT}/pipelines/{name}", encoding="utf-8") as file:
        return file.read()


def joined(literals):
    """Returns the text of adjacent string literals."""
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals))


def body(text, function):
    return re.search(rf"^void {function}\(.*?^}}", text, re.M | re.S)[0]


def defaults(text, function):
    found = dict(re.findall(r"setDefault\(options\.(\w+),\s*(.*?)\);", body(text, function), re.S))
    return {name: " ".join(value.split()) for name, value in found.items()}


def shown(value):
    """Returns a C++ value as the pipeline text spells it; None if it is computed."""
    if value is None:
        return ""
    value = re.sub(r"^uint64_t\((\d+)\)$", r"\1", value)
    if value == '""':
        return "empty"
    if match := re.fullmatch(r'"([^"]*)"|(-?\d+)u?|(true|false)', value):
        return f"`{next(text for text in match.groups() if text is not None)}`"
    return None


def accepted(text):
    """Maps each option to the words of `validate` for its values."""
    found = {}
    for name, words in re.findall(r'\bcheck\((\w+),[^;]*?,\s*("[^;]*?")\)', text, re.S):
        found[name] = joined(words).replace("'", "`")
    for name, names in re.findall(r"\bcheckName\((\w+),\s*\{(.*?)\}\)", text, re.S):
        found[name] = ", ".join(f"`{n}`" for n in re.findall(r'"(.*?)"', names))
    for name, names in re.findall(r"\bcheck\((\w+),[^;]*?oneOf\(\{(.*?)\}\)", text, re.S):
        found[name] = ", ".join(f"`{n}`" for n in re.findall(r'"(.*?)"', names))
    found["computeCapability"] = "a target, or empty"
    return found


def page():
    header, code = source("Options.h"), source("Options.cpp")
    plain, program = defaults(code, "applyPipelineDefaults"), defaults(code, "applyDriverDefaults")
    values = accepted(code)
    rows = []
    pattern = r'Option<([\w:]+)> (\w+)\{\s*\*this,\s*"([\w-]+)",\s*llvm::cl::desc\(((?:\s*"(?:[^"\\]|\\.)*")+)\)\}'
    for kind, name, option, effect in re.findall(pattern, header):
        of_program = "as called" if name in program and shown(program[name]) is None else shown(program.get(name))
        takes = values.get(name) or {"bool": "`true`, `false`", "std::string": "text"}.get(kind, "a number")
        cells = [f"`{option}`", takes, shown(plain[name]), of_program, re.sub(r"'([^' ]+)'", r"`\1`", joined(effect))]
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n")
    if len(rows) != header.count("  Option<"):
        sys.exit(f"{len(rows)} options read of pipelines/Options.h, which has {header.count('  Option<')}")
    return HEAD + "".join(sorted(rows))


def main():
    new, path = page(), f"{ROOT}/{PAGE}"
    if sys.argv[1:] == ["--fix"]:
        with open(path, "w", encoding="utf-8") as file:
            file.write(new)
        return 0
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            if file.read() == new:
                return 0
    print(f"{PAGE} is not what pipelines/Options.h says; run tools/lint/docs.sh --fix")
    return 1


if __name__ == "__main__":
    sys.exit(main())

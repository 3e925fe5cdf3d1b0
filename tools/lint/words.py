#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""words.py [FILE...]: reports words in comments, descriptions and pages for which the field has a standard term.

Without files it checks the whole tree. docs/design/glossary.md lists the terms. Text in backticks, code blocks and strings
of programs is not checked; identifiers are, where a pattern names one.
"""

import os
import re
import subprocess
import sys

# A pattern, and the standard term. Patterns of prose ignore case. `ring` is an attribute of views, and getRing its accessor.
PROSE = [
    (r"\bunder way\b", "in flight"),
    (r"\btak(e|es|ing) turns\b", "alternate"),
    (r"\banew\b", "again, re-"),
    (r"\b(nobody|whoever|somebody)\b", "no thread, the reader"),
    (r"\bin front of\b", "before"),
    (r"\b(kept|stored|restored) (factor|product)s?\b", "loop-invariant operand, restaged operand"),
    (r"\bfactors? (of (a|the) (product|dot)|(?-i:[AB]))\b", "operand"),
    (r"\b(crowded|lonely|snug)\b", "limited by registers, incomplete, tight"),
    (r"\bgiv(e|es) (a )?slots? back\b|\bhand(s|ed)? slots? (back|over)\b", "release a slot"),
    (r"\b(multiplying|multiplication) unit\b", "tensor core"),
]
IDENTIFIERS = [
    (r"\bk(Most|Fewest|Least(?!Normal))[A-Z]\w*", "kMax..., kMin..."),
    (r"\b(?!getRing\b)\w*([a-z]Ring|Rings?[A-Z])(?!ing)\w*\b(?<!String)", "Pipeline"),
    (r"\bget(Kept|Stored|Restored)(Factor|Product)\w*", "InvariantOperand, RestagedOperand"),
]
SUFFIXES = (".cpp", ".h", ".def", ".td", ".py", ".sh", ".bzl", ".bazel", ".md")
# Its own table, the list of terms, and quotations of an upstream text.
SKIPPED = ("test/data/", "tools/lint/words", "docs/design/glossary.md", "CHANGELOG.md", "LICENSE")


def blank(match):
    """Keeps the lines of a text that is not checked."""
    return re.sub(r"[^\n]", " ", match[0])


def prose_of(path, text):
    """Comments, descriptions and prose of a file, at their lines."""
    if path.endswith(".md"):
        return re.sub(r"```.*?```|`[^`\n]*`", blank, text, flags=re.S)
    if path.endswith(".td"):
        kept = re.sub(r"```.*?```", blank, text, flags=re.S)
        kept = re.sub(r"`[^`\n]*`", blank, kept)
        inside, lines = False, []
        for line in kept.split("\n"):
            comment = re.search(r"//.*|summary = \"[^\"]*\"", line)
            lines.append(line if inside and "}]" not in line else comment[0] if comment else "")
            inside = "[{" in line or (inside and "}]" not in line)
        return "\n".join(lines)
    mark = "//" if path.endswith((".cpp", ".h", ".def")) else "#"
    lines = (line[line.find(mark):] if mark in line else "" for line in text.split("\n"))
    return re.sub(r"`[^`\n]*`", blank, "\n".join(lines))


def check(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    sources = [(PROSE, prose_of(path, text), re.I)]
    if path.endswith((".cpp", ".h", ".def", ".td")):
        sources.append((IDENTIFIERS, re.sub(r'"[^"\n]*"', blank, text), 0))
    found = []
    for table, where, flags in sources:
        for number, line in enumerate(where.split("\n"), 1):
            for pattern, term in table:
                for match in re.finditer(pattern, line, flags):
                    found.append("%s:%d: write %s for '%s'" % (path, number, term, match[0]))
    return found


def main():
    files = sys.argv[1:]
    if not files:
        os.chdir(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", ".."))
        listed = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")
        files = [f for f in listed if f.endswith(SUFFIXES) and not f.startswith(SKIPPED) and os.path.isfile(f)]
    found = [line for path in files for line in check(path)]
    print("\n".join(found), end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())

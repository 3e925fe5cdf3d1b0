# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the Markdown files of the tree; markdown.sh describes the rules."""
import os
import re
import subprocess
import sys

LIMIT = 120
ITEM = re.compile(r"\s*([-*+] |\d+\. )")


def prose(lines):
    """Yields the line ranges of paragraphs and list items; code, tables and headings are skipped."""
    fence, start = None, None
    for number, line in enumerate(lines + [""]):
        mark = re.match(r"\s*(```+|~~~+)", line)
        inside = fence is not None
        if mark:
            fence = None if fence == mark[1] else fence or mark[1]
        other = inside or mark or re.match(r"\s*(\||#|<|>|$)", line) or (start is None and line.startswith("    "))
        if start is not None and (other or ITEM.match(line)):
            yield range(start, number)
            start = None
        if not other and start is None:
            start = number


def filled(lines):
    """Returns the lines refilled to the maximum length; continuation lines of a list item are indented to its text."""
    first = re.match(r"\s*([-*+] |\d+\. )?", lines[0])[0]
    indent = " " * len(first)
    words = " ".join(line.strip() for line in lines)[len(first.strip()):].split()
    pieces, line = [], first + words[0]
    for word in words[1:]:
        # A line must not begin like a list item, a heading or a table.
        if len(line) + 1 + len(word) > LIMIT and not re.match(r"([-*+#|>]|\d+[.)])$", word):
            pieces.append(line)
            line = indent + word
        else:
            line += " " + word
    return pieces + [line]


def check(path, fix):
    with open(path) as file:
        lines = file.read().split("\n")
    if any(line.startswith("Written by `") for line in lines[:10]):
        return []
    faults, fresh, done = [], [], 0
    for part in prose(lines):
        text = lines[part.start:part.stop]
        if max(map(len, text)) > LIMIT and filled(text) != text:
            fresh += lines[done:part.start] + filled(text)
            done = part.stop
            faults.append("%s:%d: longer than %d columns; run tools/lint/markdown.sh --fix" % (path, part.start + 1, LIMIT))
        if path == "CHANGELOG.md" and ITEM.match(text[0]) and len(text) > 1:
            faults.append("%s:%d: an entry has one line of at most %d columns" % (path, part.start + 1, LIMIT))
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", " ".join(text)):
            if not os.path.exists(os.path.join(os.path.dirname(path), target)):
                faults.append("%s:%d: there is no '%s'" % (path, part.start + 1, target))
    if fix and fresh:
        with open(path, "w") as file:
            file.write("\n".join(fresh + lines[done:]))
        return [fault for fault in faults if "there is no" in fault]
    return faults


def names(text):
    """Yields the line and the names of options, passes, variables, files and remarks in the code of an entry."""
    for number, line in enumerate(text.split("\n"), 1):
        for code in re.findall(r"`([^`]+)`", line):
            for word in re.findall(r"(?:--?)?[A-Za-z][\w./:-]*[\w.]", re.sub(r"<\w+>|[A-Z]+(?=[ ,]|$)|=\w+", " ", code)):
                yield number, word.lstrip("-")


def check_names(path, files):
    """Reports names of the changelog that no other file of the tree has."""
    with open(path) as file:
        found = list(names(file.read()))
    tree = "\n".join(files)
    missing = {name for _, name in found if name not in tree}
    for listed in files:
        if missing and listed != path and os.path.isfile(listed) and not listed.startswith(("test/data/", "docs/measurements/")):
            with open(listed, errors="ignore") as file:
                text = file.read()
            missing = {name for name in missing if name not in text}
    return ["%s:%d: nothing has the name '%s'" % (path, number, name) for number, name in found if name in missing]


def main():
    listed = subprocess.run(["git", "ls-files", "*.md", ":!test/data", ":!**/OPS.md", ":!**/PASSES.md"], check=True,
                            capture_output=True, text=True)
    faults = [fault for path in listed.stdout.split() for fault in check(path, sys.argv[1:] == ["--fix"])]
    files = subprocess.run(["git", "ls-files"], check=True, capture_output=True, text=True).stdout.split("\n")
    faults += check_names("CHANGELOG.md", files)
    print("\n".join(faults), end="\n" if faults else "")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""words.py [FILE...]: reports words for which the field has a standard term: in comments, descriptions and pages, in names
of C++ and Python, and in messages.

Without files it checks the whole tree. docs/design/glossary.md lists the terms. Text in backticks and code blocks is not
checked. ALLOWED has the names that are interfaces or mean another thing.
"""

import io
import os
import re
import subprocess
import sys
import tokenize

# A pattern, and the standard term. Patterns of prose ignore case.
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
# Messages, help and descriptions: strings with a blank.
MESSAGES = PROSE + [
    (r"\bbehind\b", "after"),
    (r"\b(?<!')rings?\b(?!')", "pipeline"),
    (r"\bskew(s|ed|ing)?\b", "shift"),
    (r"\bbarrier objects?\b", "mbarrier"),
    (r"\b(sum|factor)s? of the (first|second) (product|dot)\b|\b(first|second) product\b", "accumulator, operand, dot"),
    (r"\bwords (a thread|of (products|accumulators|tiles|its accumulator))\b", "registers"),
    (r"\b(picked|reliefs?)\b", "gathered, mitigation"),
]
# Parts of a name such as `kMostRows` or `ring_of`, and the standard term.
NAMES = {
    "anew": "again", "behind": "after", "carrier": "iter-arg, loop", "coarse": "baseline", "crowded": "limited by registers",
    "drawn": "generated, shown", "fewest": "min", "glue": "join", "handoff": "release, arrival", "issuer": "elected thread",
    "lonely": "incomplete", "maker": "producer, defining operation", "meets": "overlaps, holds", "meeting": "barrier",
    "nobody": "none", "picked": "gathered, selected", "pressures": "usage", "relief": "mitigation", "restored": "restaged",
    "ring": "pipeline", "skew": "shift", "skewed": "shifted", "skewer": "shifter", "snug": "tight", "somebody": "other",
    "suit": "fit", "suits": "fits", "turned": "transposed", "twin": "reference", "whoever": "reader",
}
# The same in the folders of MMAs alone: elsewhere both words are arithmetic.
MMA_NAMES = {"factor": "operand", "product": "dot, MMA"}
MMA_FOLDERS = ("passes/tileas/", "passes/tileas_schedule/", "passes/warp_specialize/", "passes/tileas_lowering/mma/")
MOST = re.compile(r"k(Most|Fewest|Least)(?!Normal)[A-Z]\w*$")
# Names that stay: a prefix of paths (empty: everywhere), the names, and why.
ALLOWED = [
    ("", "getRing getIssuer getProducts getFactor", "attributes and operands of operations"),
    ("passes/", "doesSliceProducts", "former name of an option"),
    ("passes/", "rescaleFactor rescaleFactors loopUnrollByFactor", "arithmetic, a function of MLIR"),
    ("test/tile_cpp/", "twin twin_arguments", "the same kernel in cuTile Python, the files twin.py"),
    ("test/benchmarks/", "behind Behind", "slower than the closed compiler, the program behind.py"),
]
SUFFIXES = (".cpp", ".h", ".def", ".td", ".py", ".sh", ".bzl", ".bazel", ".md")
# Its own table, the list of terms, and quotations of an upstream text.
SKIPPED = ("test/data/", "tools/lint/words", "docs/design/glossary.md", "CHANGELOG.md", "LICENSE", "third_party/")
CPP = (".cpp", ".h", ".def")
# Comments, strings, preprocessor names and words of C++.
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'|[A-Za-z_]\w*|.', re.S)


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
    mark = "//" if path.endswith(CPP) else "#"
    lines = (line[line.find(mark):] if mark in line else "" for line in text.split("\n"))
    return re.sub(r"`[^`\n]*`", blank, "\n".join(lines))


def python_tokens(text):
    """Names and strings of a Python file, each with its line."""
    names, strings = [], []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME:
            names.append((token.start[0], token.string))
        elif token.type == tokenize.STRING:
            strings.append((token.start[0], token.string))
            if re.match("(?i)r?f", token.string):
                names += [(token.start[0], name) for name in re.findall(r"\{([A-Za-z_]\w*)", token.string)]
    return names, strings


def cpp_tokens(text):
    """Names and strings of a C++ or TableGen file, each with its line."""
    names, strings, line = [], [], 1
    for match in TOKEN.finditer(text):
        if re.match(r"[A-Za-z_]", match[0]) and not match[0].endswith('"'):
            names.append((line, match[0]))
        elif match[0].startswith('"'):
            strings.append((line, match[0]))
        line += match[0].count("\n")
    return names, strings


def parts_of(name):
    """Words of a name, in the singular: `kSlotRings` has slot and ring."""
    words = [part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]
    return words + [word[:-1] for word in words if word.endswith("s")]


def check_names(path, names):
    allowed = {name for prefix, listed, _ in ALLOWED if path.startswith(prefix) for name in listed.split()}
    table = {**NAMES, **MMA_NAMES} if path.startswith(MMA_FOLDERS) else NAMES
    for line, name in names:
        if name in allowed:
            continue
        if MOST.match(name):
            yield line, "kMax..., kMin...", name
        for part in parts_of(name):
            if part in table:
                yield line, table[part], name
                break


def check(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    found = []
    for number, line in enumerate(prose_of(path, text).split("\n"), 1):
        found += [(number, term, match[0]) for pattern, term in PROSE for match in re.finditer(pattern, line, re.I)]
    names, strings = [], []
    if path.endswith(CPP + (".td",)):
        names, strings = cpp_tokens(text)
        if path.endswith(".td"):
            names = []
    elif path.endswith(".py"):
        names, strings = python_tokens(text)
    found += check_names(path, names)
    if not path.startswith("test/") and not path.endswith("Test.cpp"):
        for number, string in strings:
            message = re.sub(r"`[^`\n]*`", "", string)
            if " " in message and "\n" not in message:
                found += [(number, term, match[0]) for pattern, term in MESSAGES for match in re.finditer(pattern, message, re.I)]
    return ["%s:%d: write %s for '%s'" % (path, number, term, word) for number, term, word in sorted(set(found))]


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

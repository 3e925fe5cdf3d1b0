# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that numbers of heuristics have a name in dialects/support/Heuristics.def; heuristics.sh describes the rules.

    heuristics.py table         prints docs/design/heuristics.md
    heuristics.py [FILE...]     checks the files, else those of the passes that choose
"""
import re
import subprocess
import sys

FOLDERS = ["passes/analysis", "passes/tileas", "passes/tileas_schedule", "passes/warp_specialize"]
ROW = re.compile(r'^TILEIR_HEURISTIC\((\w+), (\d+), "(.*?)", "(.*?)", "(.*?)"\)$', re.M)
SECTION = re.compile(r"^//=+-+=+//\n// (.*)\n//=+-+=+//$", re.M)

NUMBER = r"(?:\d{2,}|0x[0-9a-fA-F]+)(?:[uUlL]*)\b(?!\.)"
SHIFT = r"(?:\(?(?:int64_t\(1\)|1[uUlL]*) << \d+\)?)"
OPERATOR = r"(?<=\s)(?:<=|>=|==|!=|<|>)(?=\s)"
COMPARED = re.compile(rf"{OPERATOR}\s*\(?({SHIFT}|{NUMBER})|[(&|?=]\s*({SHIFT}|{NUMBER})(?:\s*\*[^&|?;]*?)?\s*{OPERATOR}")
# Widths of elements, registers and words are not heuristics.
WIDTH = re.compile(r"[bB]its?\b|[bB]its\(|BitWidth\(|Bits\b")
WIDTHS = {"16", "31", "32", "64"}
BOUND = re.compile(r"constexpr\s+\w+(?:\s+\w+)*\s+[^;]*?\bk(?:Most|Least|Max|Min|Few|Fewest|Other|Enough|Ample|Spare)\w*"
                   rf"\s*=\s*(?:-?\d+|{SHIFT})[^;]*;")
# Citations of a manual, and the range of a number.
MANUAL = re.compile(r"PTX ISA|ptxas|CUDA|overflow|\b(32|64) bits")


def table():
    text = open("dialects/support/Heuristics.def", encoding="utf-8").read()
    marks = sorted([(m.start(), "section", m) for m in SECTION.finditer(text)] +
                   [(m.start(), "row", m) for m in ROW.finditer(text)])
    lines = ["<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->",
             "<!-- Written by tools/lint/docs.sh from dialects/support/Heuristics.def. -->", "# Constants of heuristics", "",
             "Each chooses between correct code and correct code. A number without a measurement is a guess: try another one."]
    for _, kind, match in marks:
        if kind == "section":
            lines += ["", "## " + match[1], "", "| name | value | unit | meaning | from |", "|---|---|---|---|---|"]
        else:
            lines.append("| `{}` | {} | {} | {} | {} |".format(*match.groups()))
    return "\n".join(lines)


def blank(match):
    return re.sub(r"[^\n]", " ", match[0])


def check(path):
    """Yields lines of `path` with an unnamed number, or with a bound whose value is not in the table."""
    text = open(path, encoding="utf-8").read()
    code = re.sub(r'"(?:\\.|[^"\\\n])*"|//[^\n]*', blank, text)
    lines = text.splitlines()
    for match in COMPARED.finditer(code):
        number = match[1] or match[2]
        around = re.split(r"&&|\|\||[;{}?]|\bif\b|\breturn\b", code[max(0, match.start() - 120):match.start()])[-1]
        around += re.split(r"&&|\|\||[;{}?)]", code[match.start():match.end() + 40])[0]
        if WIDTH.search(around) and re.sub("[uUlL]", "", number) in WIDTHS:
            continue
        at = code.count("\n", 0, match.start(1) if match[1] else match.start(2))
        yield at + 1, "name the number: " + lines[at].strip()
    for match in BOUND.finditer(code):
        at = code.count("\n", 0, match.start())
        first = at
        while first and re.match(r"\s*(//|static constexpr|constexpr)", lines[first - 1]):
            first -= 1
        if not MANUAL.search("\n".join(lines[first:at + 2])):
            yield at + 1, "a bound is a row of Heuristics.def, or cites what sets it: " + lines[at].strip()


def main():
    if sys.argv[1:] == ["table"]:
        print(table())
        return 0
    files = sys.argv[1:] or [
        f for f in subprocess.run(["git", "ls-files"] + FOLDERS, capture_output=True, text=True, check=True).stdout.split()
        if re.search(r"\.(cpp|h)$", f) and not re.search(r"Test\.cpp$|/solver/", f)
    ]
    status = 0
    for path in files:
        for line, text in sorted(check(path)):
            print(f"{path}:{line}: {text}")
            status = 1
    return status


sys.exit(main())

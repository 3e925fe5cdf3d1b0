#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes pages of docs/start from tables and texts of the sources: exit codes, environment, remarks, findings. Also
checks that sources contain the messages that troubleshooting.md quotes.

    references.py          prints what differs from the pages; exit 1
    references.py --fix    writes the pages
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEAD = "# {1}\n\nWritten by `tools/lint/docs.sh --fix` from {0}.\n\n"


def read(path):
    with open(f"{ROOT}/{path}", encoding="utf-8") as file:
        return file.read()


def listed(*patterns):
    return subprocess.run(["git", "ls-files", *patterns], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()


def literals(text):
    """Returns the string literals of a source; adjacent literals are joined, escaped newlines become blanks."""
    for group in re.findall(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+', text):
        yield " ".join("".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', group)).replace("\\n", " ").split())


# The program, and the source with its help text.
PROGRAMS = [
    ("tileiras", "tools/driver/Tileiras.cpp"),
    ("tileir-serialize", "tools/driver/Serialize.cpp"),
    ("tileir-translate", "tools/tileir-translate/Options.cpp"),
    ("tileirdisasm", "tools/tileirdisasm/main.cpp"),
    ("tileir-run", "tools/tileir-run/main.cpp"),
    ("tileir-interp", "tools/tileir-interp/CommandLine.cpp"),
    ("tileir-check", "tools/tileir-check/CommandLine.cpp"),
    ("tileir-bisect", "tools/tileir-bisect/main.cpp"),
    ("tileir-reduce", "tools/tileir-reduce/main.cpp"),
    ("tileir-schedule", "tools/tileir-schedule/CommandLine.cpp"),
    ("tileir-config", "tools/tileir-config/tileir-config.sh"),
    ("tileir-nvcc", "tools/tileir-nvcc/tileir-nvcc.sh"),
]

EXIT_NOTES = """
`tileiras --seed-mode` has the codes of `tileir-serialize`. `tileir-opt` and `tileir-lsp-server` have those of MLIR's
programs: 0, or 1 for any error. A program that a signal ends has, in a shell, 128 and its number.

Whatever the code, a failed run of `tileiras` leaves the output as it was ([tools.md](tools.md), "The output").
"""


def exit_codes():
    rows = ["| program | code | meaning |", "|---|---:|---|"]
    for program, path in PROGRAMS:
        # The help text is a literal, or the header comment of a script.
        texts = [*literals(read(path)), " ".join(re.sub(r"^#( |$)", "", read(path), flags=re.M).split())]
        found = next(m for t in texts if (m := re.search(r"[Ee]xit (?:codes|status): (.*?)(?:\.(?= |$)|$)", t)))
        codes = re.split(r"[,;] (?=\d )", found[1])
        for code in codes:
            number, meaning = re.fullmatch(r"(?:(\d) )?(?:when )?(.*)", code).groups()
            rows.append(f"| `{program}` | {number or 'else'} | {meaning} |")
    return HEAD.format("what --help of each program says", "Exit codes") + "\n".join(rows) + "\n" + EXIT_NOTES


# Files whose comments describe the environment variables that they read: `NAME, NAME: text`.
READERS = [
    ("the compiler and the plugins", ["dialects/support/RuntimeGates.h"]),
    ("programs that call it", ["tools/launch/Compile.cpp", "tools/tileir-nvcc/tileir-nvcc.sh", "tools/tileir-config/tileir-config.sh"]),
    ("Python", ["python/tileir/*.py"]),
    ("Bazel rules", ["rules_tileir/*.bzl"]),
    ("set-up", ["tools/setup/setup.sh"]),
]
# Variables of the system and of Bazel, with their usual meaning.
COMMON = {"HOME", "PATH", "TMPDIR", "TEST_TMPDIR", "BUILD_WORKING_DIRECTORY", "VIRTUAL_ENV"}
VARIABLE = r"[A-Z][A-Z0-9]*_[A-Z0-9_]+|TILEIRAS|PATH|TMPDIR|TMP|TEMP|TEMPDIR"

ENVIRONMENT_NOTES = """
Each variable has a rule of its own; there is no common form of yes and no. A variable is read where its value is used.
All of the environment reaches ptxas. An option beats the variable that says the same.
"""


def environment():
    parts, known = [], set()
    for title, patterns in READERS:
        rows = {}
        for path in listed(*patterns):
            for names, text in re.findall(
                    rf"^[ \t]*(?:///?|#)[ \t]+((?:{VARIABLE})(?:, (?:{VARIABLE}))*): (.*(?:\n[ \t]*(?:///?|#)[ \t]+(?!(?:{VARIABLE}): ).*)*)", read(path), re.M):
                lines = [re.sub(r"^[ \t]*(?:///?|#)[ \t]+", "", line) for line in text.split("\n")]
                rows[names] = " ".join(lines).rstrip(".").replace("|", "\\|")
                known.update(names.split(", "))
        body = "\n".join("| {} | {} |".format(", ".join(f"`{n}`" for n in names.split(", ")), text) for names, text in sorted(rows.items()))
        parts.append(f"\nRead by {title}:\n\n| variable | effect |\n|---|---|\n{body}\n")
    for path in listed("*.cpp", "*.h", "*.py", "*.sh", ":!test", ":!**/*Test.cpp", ":!**/TestSupport.h", ":!examples"):
        for name in re.findall(r'getenv\("(\w+)"\)|environ(?:\.get)?[\[(]"(\w+)"', read(path)):
            name = name[0] or name[1]
            if name not in known | COMMON:
                raise SystemExit(f"{path}: no comment `{name}: …` says what this variable does; see READERS of tools/lint/references.py")
    return HEAD.format("comments beside what reads them", "Environment") + ENVIRONMENT_NOTES.lstrip() + "".join(parts)


FINDING_NOTES = """\
`tileir-run` and `tileir-check` name them; `--check=LIST` chooses checks, `--check=none` turns them off
([emulator.md](emulator.md)).

| finding | check | is |
|---|---|---|
"""

REMARK_NOTES = """
`remarks.md` says what the categories are, and what to change. Kinds are those of `--remarks-passed`, `--remarks-missed`,
`--remarks-failed` and `--remarks-analysis`. The number of a remark is that of the open dialect's catalogue, which
`cuda_tile` shares; texts with one are the closed compiler's.

"""
CATEGORIES = {"kMemoryRemarks": "Memory", "kTensorCoreRemarks": "Tensor-core", "kHintRemarks": "Hints", "category": "tileas_schedule"}


def remarks():
    rows = {}  # name and category to kinds, numbers, ids

    def row(name, category):
        return rows.setdefault((name, category), (set(), set(), set()))

    catalogue = read("dialects/cuda_tile/Remarks.def")
    order = ["Passed", "Missed", "Failed", "Analysis"]
    groups = {"TensorCore": ("Tensor-core", 1), "Memory": ("Memory", 2), "Hints": ("Hints", 3)}
    for name, kind, group, number in re.findall(r'^REMARK\(\w+, "(\w+)",\s*(\w+),\s*(\w+), (\d+),', catalogue, re.M):
        category, code = groups[group]
        kinds, _, ids = row(name, category)
        kinds.add(kind.lower())
        if number != "0":
            ids.add(str(int(number) << 6 | code << 2 | order.index(kind)))
    mark = r'(?:remarkAbout\(\s*\w[\w.>()-]*,\s*"(\w+)",\s*|RemarkOpts::name\("(\w+)"\)\s*\.category\()("?\w+"?)'
    for path in listed("passes/*.cpp"):
        for body in re.split(r"^\}$", read(path), flags=re.M):
            found = [(m.start(), m[1] or m[2], m[3]) for m in re.finditer(mark, body)]
            for k, (at, name, category) in enumerate(found):
                kinds, numbers, _ = row(name, category.strip('"') if category[0] == '"' else CATEGORIES[category])
                end = body.rfind(";", 0, found[k + 1][0]) if k + 1 < len(found) else len(body)
                # The call may precede the name, as its first argument.
                begin = max(0, body.rfind(";", 0, at))
                kinds.update(re.findall(r"remark::(passed|missed|failed|analysis)\(", body[begin:end]))
                numbers.update(re.findall(r'metric\(\s*"(\w+)"', body[at:end]))
                if "remark::reason(" in body[at:end]:
                    numbers.add("Reason")
    lines = ["| category | remark | kinds | number | beside it |", "|---|---|---|---:|---|"]
    for (name, category), (kinds, numbers, ids) in sorted(rows.items(), key=lambda item: (item[0][1].lower(), item[0][0])):
        lines.append("| `{}` | `{}` | {} | {} | {} |".format(
            category, name, ", ".join(sorted(kinds)), ", ".join(sorted(ids, key=int)), ", ".join(f"`{n}`" for n in sorted(numbers))))
    return HEAD.format("dialects/cuda_tile/Remarks.def and the passes", "List of remarks") + REMARK_NOTES.lstrip() + "\n".join(lines) + "\n"


def findings():
    rows = re.findall(r'^FINDING\(\w+, "([\w-]+)", "(\w*)",\s*((?:"[^"]*"\s*)+)\)', read("tools/emulator/Findings.def"), re.M)
    lines = [f"| `{name}` | {f'`{check}`' if check else 'always'} | {' '.join(literals(text))} |" for name, check, text in rows]
    return HEAD.format("tools/emulator/Findings.def", "Findings of the emulator") + FINDING_NOTES + "\n".join(lines) + "\n"


# Quoted programs that are not ours.
OTHERS = {"mlir-opt", "ptxas", "the loader"}


def unsaid():
    """Yields quotations in troubleshooting.md of our programs that no source contains."""
    sources = listed("*.cpp", "*.h", "*.def", "*.td", "*.py", "*.sh", "*.bzl", "*.cmake", ":!test", ":!**/*Test.cpp", ":!tools/lint")
    everything = "\n".join(text for path in sources for text in (read(path), *literals(read(path))))
    for cell, speakers in re.findall(r"^\| (.*?) \| (.*?) \| ", read("docs/start/troubleshooting.md"), re.M):
        if speakers in OTHERS:
            continue
        for quoted in re.findall(r"`(.*?)`", cell):
            for part in quoted.split("…"):
                if part not in everything:
                    yield f"docs/start/troubleshooting.md: no source says '{part}'"


def main():
    different = False
    for page, make in [("exit-codes", exit_codes), ("environment", environment), ("remark-list", remarks), ("findings", findings)]:
        path, text = f"docs/start/{page}.md", make()
        if sys.argv[1:] == ["--fix"]:
            with open(f"{ROOT}/{path}", "w", encoding="utf-8") as file:
                file.write(text)
        elif not os.path.exists(f"{ROOT}/{path}") or read(path) != text:
            print(f"{path} is not what the sources say; run tools/lint/docs.sh --fix")
            different = True
    for fault in unsaid():
        print(fault)
        different = True
    return different


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Determines from executed cases how every operation runs with every element type on every target:
docs/measurements/coverage.md.

usage: coverage_table.py [options] TILEIR-CHECK TILEIRAS TILEIR-TRANSLATE MLIR-OPT ARGUMENT...

  --write PAGE          writes the page; disagreements are in its last section. Rows that were not requested stay
  --page PAGE           compares the results with the page (default, with --count)
  --count N --seed S    N rows only, chosen by the seed; without a seed by the page's text
  --only TEXT           rows of operations with that text in their names
  --targets LIST        these columns only, comma-separated; the others stay, or are not compared
  --largest LOG2        leaves out tiles of more elements (default 13)
  --smallest LOG2       leaves out all but tiles of more elements

Rows are those of test/data/op-acceptance.csv and, for operations with one element type, every other type in its place.
A row that the verifier rejects has the verifier's message; every other one is compiled and run for each target and
agrees with the oracle. A fault listed on the page is allowed, and a fixed one has to be removed from the page.
"""

import argparse
import collections
import csv
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import zlib
import concurrent.futures

import cases
import words

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "..", "data", "op-acceptance.csv")
TARGETS = "sm_80 sm_89 sm_90a sm_100a sm_103a sm_107a sm_120a".split()
ELEMENTS = "i1 i4 i8 i16 i32 i64 f16 bf16 f32 tf32 f64 f8E4M3FN f8E5M2 f8E8M0FNU f4E2M1FN f8E5M3FNU".split()
ELEMENT = re.compile(r"(?<!\w)(%s)(?!\w)" % "|".join(ELEMENTS))
# Operations whose rows already name the type combinations, or that have no types.
CLOSED = ("mma", "limit_", "atomic_", "multimem_", "make_", "ftof", "ftoi", "itof", "exti", "trunci", "bitcast", "pack", "unpack", "get_",
          "alloca", "assert")
REFUSED = "refused by the language"
# Combinations that a target does not support, in the words of the compiler.
NEEDS = re.compile(r"error: ('cuda_tile\.\w+' needs sm_(\d+) or newer)")


def all_rows():
    """Returns (op, types) of the table, then of further types for each operation."""
    rows, templates = {}, {}
    with open(TABLE, newline="") as table:
        for row in csv.DictReader(table):
            op, types = row["op"], row["types"]
            rows[op, types] = True
            found = set(ELEMENT.findall(types))
            if len(found) == 1 and row["exit"] != "3" and not op.startswith(CLOSED):
                templates.setdefault(op, (types, found.pop()))
    for op, (types, element) in templates.items():
        for other in ELEMENTS:
            rows.setdefault((op, re.sub(r"(?<!\w)%s(?!\w)" % element, other, types)), True)
    return list(rows)


def refusals(rows, mlir_opt):
    """Returns {row: words of the parser or the verifier} of the rejected rows; rows without a rule of op_acceptance.py
    are omitted."""
    chunks, unknown = [], []
    for op, types in rows:
        try:
            case = cases.rules.make_case(op, types)
        except LookupError:
            unknown.append((op, types))
            continue
        params = ", ".join("%%a%d: %s" % pair for pair in enumerate(case.params))
        chunks.append(((op, types), "cuda_tile.module @m {\n  global @table <f32: 1.0> : tile<8xf32>\ntesting$func @f(%s) {\n%s\n  return\n}\n}\n" % (
            params, "\n".join("  " + line for line in case.lines))))
    source = "// -----\n".join(text for _, text in chunks)
    run = subprocess.run(mlir_opt + ["--split-input-file", "-o", "/dev/null"], input=source, capture_output=True, text=True)
    starts, line = [], 1
    for _, text in chunks:
        starts.append(line)
        line += text.count("\n") + 1
    found = {}
    for match in re.finditer(r"^<stdin>:(\d+):\d+: error: (.*)$", run.stderr, re.M):
        index = max(i for i, start in enumerate(starts) if start <= int(match[1]))
        found.setdefault(chunks[index][0], re.sub(r"^custom op 'cuda_tile\.[\w$]+' ", "", match[2]))
    return found, unknown


# A wrapper around tileiras for tileir-check: keeps the PTX beside the bytecode.
KEEPER = """#!/bin/sh
for word in "$@"; do
  case "$word" in
  --gpu-name=*) gpu="${{word#--gpu-name=}}" ;;
  --save-temps=*) temps="${{word#--save-temps=}}" ;;
  esac
done
"{tileiras}" "$@" || exit $?
for ptx in "$temps"/*.ptx; do cp "$ptx" "$1.$gpu.ptx"; done
"""


def word_of(path, row, arch):
    """Returns the word of a case that is right on a target, from the PTX that was executed."""
    with open("%s.%s.ptx" % (path[:-5] + ".tileirbc", arch.rstrip("a"))) as text:
        return words.word(*row, text.read())


def write_cases(made, programs, folder):
    """Writes cases, with bytecode of the newest release; returns their paths."""
    paths = cases.write(made, folder)

    def translate(path):
        code = path[:-5] + ".tileirbc"
        subprocess.run([programs.translate, "--mlir-to-cudatilebc", "--bytecode-version=13.5", path[:-5] + ".mlir", "-o", code], check=True)
        with open(path) as text:
            case = json.load(text)
        case["kernel"] = os.path.basename(code)
        with open(path, "w") as out:
            json.dump(case, out)

    with concurrent.futures.ThreadPoolExecutor(programs.jobs) as pool:
        list(pool.map(translate, paths))
    return paths


def execute(made, programs, folder):
    """Returns ({row: {target: word}}, {row: rule of targets that reject it}, [texts of differences]) of rows with a
    case."""
    paths = write_cases(made, programs, folder)
    keeper = os.path.join(folder, "tileiras")
    with open(keeper, "w") as out:
        out.write(KEEPER.format(tileiras=os.path.abspath(programs.tileiras)))
    os.chmod(keeper, 0o755)
    names = {path: row[:2] for path, row in zip(paths, made)}
    found, rules, faults = {names[path]: {} for path in paths}, {}, []
    unjudged = set()  # rows that the oracle itself rejects
    for at in range(0, len(paths), 40):
        argv = [programs.check, *paths[at:at + 40], "--arch=" + ",".join(programs.targets), "-j", str(programs.jobs), "--tileiras", keeper]
        run = subprocess.run(argv, capture_output=True, text=True)
        for line in (run.stdout + run.stderr).splitlines():
            place, needs = re.search(re.escape(folder) + r"/\d+\.json", line), NEEDS.search(line)
            arch = line.split()[2] if place and len(line.split()) > 2 else ""
            if line.startswith("FAIL") and needs and int(arch[3:].rstrip("a")) < int(needs[2]):
                found[names[place[0]]][arch], rules[names[place[0]]] = REFUSED, needs[1]
            elif line.startswith("ok ") and place:
                found[names[place[0]]][arch] = word_of(place[0], names[place[0]], arch)
            else:
                faults.append(line.replace(place[0], " ".join(names[place[0]])) if place else line)
                if line.startswith("FAIL") and place and arch not in programs.targets:
                    unjudged.add(names[place[0]])
        print("%d of %d" % (min(at + 40, len(paths)), len(paths)), file=sys.stderr, flush=True)
    return {row: {} if row in unjudged else by_target for row, by_target in found.items()}, rules, faults


def measure(rows, programs):
    """({row: (words by target, rule)}, {row: (targets, why)} of what does not agree, rows that nothing can run)."""
    refused, unknown = refusals(rows, programs.mlir_opt)
    if unknown:
        print("no function of: %s" % ", ".join(" ".join(row) for row in unknown[:10]))
    known = set(unknown) | set(refused)
    made = cases.make([row for row in rows if row not in known], programs.mlir_opt)
    without = [(op, types, why) for op, types, text, why in made if text is None]
    found, faults = {row: (dict.fromkeys(programs.targets, REFUSED), why) for row, why in refused.items()}, {}
    with tempfile.TemporaryDirectory() as folder:
        executed, rules, lines = execute([row for row in made if row[2] is not None], programs, folder)
    for row, by_target in executed.items():
        if len(by_target) == len(programs.targets):
            found[row] = by_target, rules.get(row, "")
        else:
            start = "FAIL %s %s" % row
            why = next((line[len(start):].strip(" :") for line in lines if line.startswith(start + " ") or line.startswith(start + ":")), "")
            why = re.sub(r"^sm_\w+ -O3( \([^)]*\))?: ", "", why)
            faults[row] = " ".join(t for t in programs.targets if t not in by_target), re.sub(r"/\S*/", "", why)[:160]
    return found, faults, without, lines


PREFACE = """# Operations, element types, targets

Written by `bazel run //test/coverage:coverage -- --write docs/measurements/coverage.md`. The script compiles and assembles a kernel for every
line, runs it in the emulator and compares it with the oracle, on each target. `//test/coverage:coverage_test` repeats this for some lines,
`:coverage_whole_test` for all.

| word | meaning |
|---|---|
| native | an instruction of PTX does it on that element type, or bits are moved and nothing else |
| emulated | several instructions, or those of another type, do it; results are the same |
| refused by the language | the verifier refuses it; the rule is its message |
| not measured | a tile of more than 2^13 elements that was not yet run on this target |

Types are written as in `test/data/op-acceptance.csv`. One line has all types that an operation treats in the same way.
"""


FAULTS = "Not right yet"
UNKNOWN = "not measured"


def page(found, faults):
    """Returns the text of docs/measurements/coverage.md."""
    lines = [PREFACE]
    by_op = collections.defaultdict(lambda: collections.defaultdict(list))
    for (op, types), (cells, rule) in found.items():
        by_op[op][tuple(cells.get(target, UNKNOWN) for target in TARGETS), rule].append(types)
    for op in sorted(by_op):
        lines += ["## %s" % op, "", "| types | %s | rule |" % " | ".join(TARGETS), "|---" * (len(TARGETS) + 2) + "|"]
        for (cells, rule), types in sorted(by_op[op].items(), key=lambda item: (item[0][1], item[0][0])):
            lines.append("| %s | %s | %s |" % ("; ".join(sorted(types)), " | ".join(cells), rule.replace("|", "\\|") or "-"))
        lines.append("")
    if faults:
        lines += ["## %s" % FAULTS, "", "| operation | types | targets | what |", "|---|---|---|---|"]
        lines += ["| %s | %s | %s | %s |" % (*row, *(text.replace("|", "\\|") for text in faults[row])) for row in sorted(faults)] + [""]
    return "\n".join(lines)


def read_page(path):
    """({row: (words by target, rule)}, {row: (targets, why)} of its faults) of a page."""
    found, faults, op, columns = {}, {}, None, []
    with open(path) as text:
        for line in text:
            if line.startswith("## "):
                op = line[3:].strip()
            elif op and line.startswith("| types "):
                columns = line.strip(" |\n").split(" | ")[1:-1]
            elif op and line.startswith("| "):
                cells = [c.strip().replace("\\|", "|") for c in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
                if op == FAULTS:
                    if cells[0] != "operation":
                        faults[cells[0], cells[1]] = cells[2], cells[3]
                    continue
                for types in cells[0].split("; "):
                    by_target = {target: word for target, word in zip(columns, cells[1:-1]) if word != UNKNOWN}
                    found[op, types] = by_target, "" if cells[-1] == "-" else cells[-1]
    return found, faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", metavar="PAGE")
    parser.add_argument("--page", default=os.path.join(HERE, "..", "..", "docs", "measurements", "coverage.md"))
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--only", default="")
    parser.add_argument("--targets", type=lambda text: text.split(","), default=TARGETS)
    parser.add_argument("--faults", action="store_true", help="the rows of the page's last section alone")
    parser.add_argument("--largest", type=int, default=13)
    parser.add_argument("--smallest", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("check")
    parser.add_argument("tileiras")
    parser.add_argument("translate")
    parser.add_argument("mlir_opt", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    os.environ["TILEIR_NEWEST_RULES"] = "1"
    every = all_rows()
    rows = [row for row in every if options.only in row[0] and not words.is_larger(row[1], options.largest) and
            (options.smallest == 0 or words.is_larger(row[1], options.smallest))]
    if options.faults:
        known = read_page(options.page)[1]
        rows = [row for row in rows if row in known]
    if options.count:
        # The sample depends on the page, not on the day: a passing commit keeps passing.
        if options.seed is None:
            with open(options.page, "rb") as page_file:
                options.seed = zlib.crc32(page_file.read())
        print("seed %d" % options.seed)
        random.Random(options.seed).shuffle(rows)
        rows = rows[:options.count]
    found, faults, without, lines = measure(rows, options)
    missing = collections.Counter("%s (%s)" % (op, why) for op, _, why in without)
    print("rows without a case: %s" % (", ".join("%s %d" % pair for pair in sorted(missing.items())) or "none"))
    differences = []
    if options.write:
        print("\n".join(lines))
        asked, all_known = set(rows), set(every)
        stated, stated_faults = read_page(options.write) if os.path.exists(options.write) else ({}, {})
        kept, known = ({row: text for row, text in part.items() if row in all_known and row not in asked}
                       for part in (stated, stated_faults))
        for row, (by_target, rule) in list(found.items()):
            others, other_rule = stated.get(row, ({}, ""))
            by_target = {**{target: word for target, word in others.items() if target not in options.targets}, **by_target}
            found[row] = by_target, rule or (other_rule if REFUSED in by_target.values() else "")
        with open(options.write, "w") as out:
            out.write(page({**kept, **found}, {**known, **faults}))
    else:
        stated, known = read_page(options.page)
        for row, (targets, why) in faults.items():
            expected = known.get(row, ("none",))[0]
            if expected != targets:
                differences.append("%s %s: wrong on %s (known: %s): %s" % (*row, targets, expected, why))
        for row, answer in found.items():
            if row in known:
                differences.append("%s %s: mended; write the page anew" % row)
            elif stated.get(row) is None or (options.targets == TARGETS and stated[row][1] != answer[1]) or any(
                    stated[row][0].get(target) != word for target, word in answer[0].items()):
                differences.append("%s %s: the page says %s, found %s" % (*row, stated.get(row), answer))
        print("\n".join(differences))
    counts = collections.Counter(word for by_target, _ in found.values() for word in by_target.values())
    print("%d rows, %s, %d faults, %d differ from the page" % (
        len(found), ", ".join("%d %s" % (n, word) for word, n in sorted(counts.items())), len(faults), len(differences)))
    return 1 if differences or not found else 0


if __name__ == "__main__":
    sys.exit(main())

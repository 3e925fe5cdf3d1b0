# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""excerpts.py write|check FOLDER: the excerpts of docs/start/tour.md, from the files that its commands made in FOLDER.

An excerpt stands after a line `<!-- excerpt FILE#N: PATTERN -->`: fifteen lines of FILE from the N-th one on (the first, without N)
in which PATTERN occurs, up to the end of the function. FILE is below FOLDER, with wildcards, or in the checkout. `check` forgives other numbers, names of values and another order: it
fails when a line of the page is in the file no more.
"""
import glob
import os
import re
import sys
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = f"{ROOT}/docs/start/tour.md"
LINES, COLUMNS = 15, 108
BLOCK = re.compile(r"<!-- excerpt (\S+?)(#\d+)?: (.*?) -->\n\n```(\w*)\n(.*?)```\n", re.S)


def read(name, folder):
    paths = sorted(glob.glob(f"{folder}/{name}", recursive=True)) or glob.glob(f"{ROOT}/{name}")
    if not paths:
        sys.exit(f"error: no file '{name}' in '{folder}'")
    with open(paths[0], encoding="utf-8") as file:
        return file.read().expandtabs(4).splitlines()


def excerpt(lines, number, pattern):
    begins = [i for i, line in enumerate(lines) if pattern in line]
    if len(begins) < number:
        sys.exit(f"error: {len(begins)} lines have '{pattern}'")
    chosen = [line.rstrip() for line in lines[begins[number - 1]:][:LINES]]
    # Functions of Python end where two empty lines stand.
    for i in range(len(chosen) - 1):
        if not chosen[i] and not chosen[i + 1]:
            del chosen[i:]
            break
    text = textwrap.dedent("\n".join(chosen)).splitlines()
    return [line if len(line) <= COLUMNS else line[:COLUMNS] + " …" for line in text]


def normal(line):
    line = re.sub(r"%[\w#:]+", "%", line.removesuffix(" …"))
    return re.sub(r"0x[0-9a-f]+|\d+", "0", re.sub(r"/\*[0-9a-f]+\*/", "", line)).strip()


def main(mode, folder):
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    if mode == "write":
        def block(match):
            body = "\n".join(excerpt(read(match[1], folder), int((match[2] or "#1")[1:]), match[3]))
            return f"<!-- excerpt {match[1]}{match[2] or ''}: {match[3]} -->\n\n```{match[4]}\n{body}\n```\n"

        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(BLOCK.sub(block, page))
        return 0
    stale = checked = 0
    for name, _, _, _, body in BLOCK.findall(page):
        have = [normal(line) for line in read(name, folder)]
        for line in body.splitlines():
            # A cut line may end in the middle of a number.
            begin = normal(line).rstrip("0")
            checked += 1
            if not any(other.startswith(begin) for other in have):
                print(f"docs/start/tour.md: {name} has no line as '{line.strip()}'")
                stale += 1
    if checked < 100:
        sys.exit(f"error: {checked} lines in the page")
    if stale:
        print("run the commands of docs/start/tour.md, then examples/tour/excerpts.py write .tileir/tour")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

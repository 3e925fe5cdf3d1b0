# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lines.py TEXT.g.mlir PTX [--debug]: compares the `.loc` lines of a kernel's PTX with the locations of its
disassembly.

Every line must be one of the producer's, every access and MMA must have its line, and inlined code must name its call
(without --debug; there the DWARF tree does). `.loc_intermediate` lines must be lines of the embedded tile text, of the
operation that the producer has at that location.
"""
import re
import sys

text, ptx = (open(path).read() for path in sys.argv[1:3])
debug = "--debug" in sys.argv
problems = []

# The producer's side: #locN = loc(…), with aliases nested in each other.
positions, calls = {}, {}
aliases = dict(re.findall(r"^(#loc\d*) = (.*)$", text, re.M))


def resolve(name):
    """Returns (position, [positions of the calls, innermost first]) of an alias."""
    body = aliases[name]
    found = re.fullmatch(r'loc\("([^"]*)":(\d+):(\d+)\)', body)
    if found:
        return (found[1], int(found[2]), int(found[3])), []
    found = re.fullmatch(r"#cuda_tile\.di_loc<(#loc\d*) in #\w+>", body)
    if found:
        return resolve(found[1])
    found = re.fullmatch(r"loc\(callsite\((#loc\d*) at (#loc\d*)\)\)", body)
    if found:
        (inner, inner_calls), (outer, outer_calls) = resolve(found[1]), resolve(found[2])
        return inner, inner_calls + [outer] + outer_calls
    return None, []


wanted = {}
known = set()
for line in text.splitlines():
    found = re.search(r" loc\((#loc\d*)\)$", line)
    if not found:
        continue
    position, chain = resolve(found[1])
    if not position:
        continue
    known.add((position, tuple(chain[:1])))
    known.update((call, ()) for call in chain)
    op = re.match(r"\s*(?:%\S+(?:, %\S+)* = )?((?:load|store|atomic)_\w+|mma\w+)", line)
    if op:
        wanted.setdefault((position, tuple(chain[:1])), op[1])

# Our side.
files = {int(n): name for n, name in re.findall(r'^\s*\.file\s+(\d+) "([^"]*)"', ptx, re.M)}
tile = re.search(r"\.sourceFileName: (\d+)\n    \.source_begin\n(.*?)\.source_end", ptx, re.S)
tile_lines = tile[2].splitlines() if tile else []
seen = set()
intermediate = 0
last = None
for line in ptx.splitlines():
    found = re.match(r"\s*\.loc\s+(\d+) (\d+) (\d+)(?:, function_name (\S+), inlined_at (\d+) (\d+) (\d+))?$", line)
    if found:
        position = (files[int(found[1])], int(found[2]), int(found[3]))
        call = ()
        if found[5]:
            call = ((files[int(found[5])], int(found[6]), int(found[7])),)
            if (call[0], ()) not in seen and not any(other == call[0] for other, _ in seen):
                problems.append(f"no .loc of the call {call[0]} comes before {line.strip()}")
        last = (position, call)
        seen.add(last)
        # A function's own line, and code without a line.
        if position[1] == 0 or f"line = {position[1]}," in text and position[2] == 0:
            continue
        if debug:
            call = next((c for p, c in known if p == position), None)
        if call is None or (position, call) not in known:
            # Two merged operations of one line have that line.
            if position[2] == 0 and any(p[:2] == position[:2] for p, _ in known):
                continue
            problems.append(f"the producer has no location {position} called at {call}")
        continue
    if re.match(r"\s*\.loc\b", line) and ".loc_intermediate" not in line:
        problems.append(f"cannot read {line}")
    found = re.match(r"\s*\.loc_intermediate\s+(\d+) (\d+) (\d+)$", line)
    if found:
        number, column = int(found[2]), int(found[3])
        intermediate += 1
        if not tile or int(found[1]) != int(tile[1]) or not 1 <= number <= len(tile_lines):
            problems.append(f"no such tile line: {line.strip()}")
        elif column != len(tile_lines[number - 1]) - len(tile_lines[number - 1].lstrip()) + 2:
            problems.append(f"wrong column: {line.strip()}")
if debug:
    wanted = {(position, ()): op for (position, _), op in wanted.items()}
for place, op in wanted.items():
    if place not in seen:
        problems.append(f"{op} at {place} has no .loc")
if not intermediate:
    problems.append("no .loc_intermediate")
if not wanted:
    problems.append("nothing to look for: is this a -g disassembly?")
print("\n".join(problems) or f"{len(wanted)} places, {len(seen)} lines, calls: {any(call for _, call in seen)}")
sys.exit(bool(problems))

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A default launch that shows how a kernel spends its time."""

import dataclasses
import json
import math
import re
from typing import Any

#: Tiles along each dimension of an array that a loop may walk over: enough for a steady state.
TILES = 16
#: Rows along a dimension of which a tile takes one.
ROWS = 4
#: Blocks along an axis of the grid, and along one that decides how long a loop runs.
GRID, LONG_GRID = 2, 6
#: Elements of an array of pointers, whose extents no view names.
ELEMENTS = 1 << 16


@dataclasses.dataclass
class Access:
    """A load or store of a tile in the text of a kernel."""

    line: int
    store: bool
    #: Bytes of the tile.
    bytes: int
    #: Nesting depth of the loops around it.
    depth: int
    #: The parts of the block index that its place depends on.
    axes: "frozenset[str]"
    #: Arguments that its address comes from, by position.
    arrays: "frozenset[int]"


@dataclasses.dataclass
class Shape:
    """Facts about the launch from the text of a kernel."""

    #: Axes of the grid that the kernel reads: a subset of "xyz".
    axes: str
    #: Independent parts of the block index: an axis, or a quotient or remainder of one.
    parts: "frozenset[str]"
    accesses: "list[Access]"
    #: Extents that the array of a view needs for such a launch, by the position of its pointer among the arguments.
    tiles: "dict[int, list[int]]"
    #: Axes of the grid that the trips of a loop depend on.
    bounds: str


def _bits(dtype: str) -> int:
    digits = re.search(r"\d+", dtype)
    return int(digits[0]) if digits else 32


def _tile_bytes(body: str) -> int:
    """Bytes of the largest tile of numbers in the types of an operation."""
    sizes = [
        math.prod(int(n) for n in shape.split("x") if n) * _bits(dtype)
        for shape, dtype in re.findall(r"\btile<((?:\d+x)*)([a-z]\w*)>", body)
        if dtype != "i1"
    ]
    return max(1, max(sizes, default=8) // 8)


def read_shape(text: str, kernel: str) -> Shape:
    """Follows the block index and the pointers of arguments through the text of `kernel` in cuda_tile.

    Values depend on what their operands depend on; a quotient or remainder of something that depends on the block index is
    a part of its own, as in kernels that number their tiles along one axis.
    """
    axes: "set[str]" = set()
    parts: "dict[str, frozenset[str]]" = {}
    roots: "dict[str, set[int]]" = {}
    tiles: "dict[int, list[int]]" = {}
    views: "dict[str, tuple[set[int], list[int], list[int]]]" = {}
    uses: "list[tuple[int, int, int, int, str]]" = []
    of_axes: "dict[str, frozenset[str]]" = {}
    walked: "set[str]" = set()
    bounds: "frozenset[str]" = frozenset()
    accesses: "list[Access]" = []
    #: What opened each brace; empty outside of the kernel.
    braces: "list[str]" = []
    for number, line in enumerate(text.splitlines(), 1):
        code = re.sub(r"loc\(.*", "", line)
        entry = re.search(rf"\bentry @\"?{re.escape(kernel)}\"?\(", code)
        if entry:
            braces = ["entry"]
            for at, name in enumerate(re.findall(r"(%\w+): tile<", code)):
                roots[name] = {at}
            continue
        if not braces:
            continue
        head, equal, body = code.partition(" = ")
        results = re.findall(r"%\w+", head) if equal else []
        if not equal:
            body = code
        operation = re.sub(r"^\s*(cuda_tile\.)?(\w*).*", r"\2", body, flags=re.S)
        names = re.findall(r"%\w+", body)
        depth = sum(brace in ("for", "loop") for brace in braces)
        depends = frozenset().union(*(parts.get(n, frozenset()) for n in names))
        origin: "set[int]" = set().union(*(roots.get(n, set()) for n in names[:1]))
        if operation == "get_tile_block_id":
            for result, axis in zip(results, "xyz"):
                parts[result] = of_axes[axis] = frozenset(axis)
                if len(re.findall(re.escape(result) + r"\b", text)) > 1:
                    axes.add(axis)
            continue
        if depends and operation in ("divi", "remi"):
            depends, of_axes[results[0]] = frozenset(results[:1]), frozenset().union(*(of_axes[p] for p in depends))
        for result in results:
            parts[result], roots[result] = depends, origin
        if operation in ("for", "loop"):
            # `for %i in (%lower to %upper, step %step)`: where a loop starts decides which tiles it walks over.
            walk = re.search(r"(%\w+) in \((%\w+) to (%[\w#]+)", body)
            if walk:
                parts[walk[1]] = parts.get(walk[2], frozenset())
                walked.add(walk[1])
                bounds |= frozenset().union(*(of_axes[p] for p in parts.get(walk[3].split("#")[0], ())))
            for name, value in re.findall(r"(%\w+) = (%\w+)", body):
                parts[name] = parts.get(value, frozenset())
                roots[name] = roots.get(value, set())
        extents = re.search(r"partition_view<tile=\(([\dx]+)\)", body)
        if operation == "make_partition_view" and extents:
            tile = [int(n) for n in extents[1].split("x")]
            order = re.search(r"dim_map\s*=\s*\[([\d, ]+)\]", body)
            views[results[0]] = (
                origin,
                tile,
                [int(n) for n in order[1].split(",")] if order else list(range(len(tile))),
            )
        if re.fullmatch(r"(load|store)_(view|ptr)_tko", operation):
            index = re.search(r"(%\w+)\[([^]]*)\]", body)
            origin, tile, order = views.get(index[1] if index else "", (origin, [], []))
            if not tile:
                index = None
            places = re.findall(r"%\w+", index[2]) if index else names[:1]
            for root in origin if index else ():
                uses += [(root, order[at], tile[at], len(tile), name) for at, name in enumerate(places)]
            depends = frozenset().union(*(parts.get(n, frozenset()) for n in places))
            accesses.append(
                Access(number, operation.startswith("store"), _tile_bytes(body), depth, depends, frozenset(origin))
            )
        for char in re.sub(r"<[^>]*>", "", code):
            if char == "{":
                braces.append(operation)
            elif char == "}":
                braces.pop()
                if not braces:
                    break
    for root, at, extent, rank, name in uses:
        count = (
            ROWS if extent == 1 else TILES if name in walked and not parts.get(name) else LONG_GRID if bounds else GRID
        )
        known = tiles.setdefault(root, [0] * rank)
        known[at] = max(known[at], count * extent)
    independent = frozenset().union(*(a.axes for a in accesses)) if accesses else frozenset()
    return Shape("".join(sorted(axes)), independent, accesses, tiles, "".join(sorted(bounds)))


def split_traffic(shape: Shape, blocks: float) -> float:
    """The share of the bytes of a block that DRAM has to deliver or take when `blocks` blocks run side by side.

    A tile whose place leaves out m of the n parts of the block index is read by blocks**(m / n) blocks at about the same
    time; L2 serves all of them but the first.
    """
    total = unique = 0.0
    for access in shape.accesses:
        size = float(access.bytes) * TILES**access.depth
        missing = 1 - len(access.axes) / len(shape.parts) if shape.parts else 0.0
        total += size
        unique += size / max(1.0, blocks) ** missing
    return unique / total if total else 1.0


def fill_case(case: "dict[str, Any]", shape: Shape) -> "dict[str, Any]":
    """Gives a case of `tileir-run --init` a small grid and the extents that its loops need for a steady state.

    cuTile passes an array as its pointer, its extents and its strides; a scalar that does not belong to an array keeps its
    value.
    """
    case = dict(case, grid=[LONG_GRID if a in shape.bounds else GRID if a in shape.axes else 1 for a in "xyz"])
    args = [dict(a) for a in case["args"]]
    for at, arg in enumerate(args):
        if "shape" not in arg:
            continue
        rank = len(arg["shape"])
        tile = shape.tiles.get(at, [])
        if len(tile) == rank:
            extents = tile
        else:
            extents = [ELEMENTS] if rank == 1 else arg["shape"]
        strides = [math.prod(extents[d + 1 :]) for d in range(rank)]
        arg["shape"] = extents
        if arg.get("init") == "normal" and math.prod(extents) > 1 << 20:
            # Large arrays are cheap: only touched pages cost memory. The time does not depend on values.
            arg.pop("init"), arg.pop("seed", None)
        scalars = args[at + 1 : at + 1 + 2 * rank]
        if len(scalars) == 2 * rank and all("value" in s for s in scalars):
            for scalar, value in zip(scalars, extents + strides):
                scalar["value"] = value
    case["args"] = args
    return case


def write_case(case: "dict[str, Any]", path: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        json.dump(case, file)

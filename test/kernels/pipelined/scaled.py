#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks block-scaled dots, like check.py.

    scaled.py --tileiras PATH --tileir-run PATH --tileir-translate PATH [--arch sm_100] [--stages 1,2] [--trips 0,1] [NAME...]
"""

import collections
import re

import check

# `order` as in tuples.py. `needs`: what the PTX of sm_100 has to contain. `aligned`: known alignment of the operands in
# bytes; from 16 on they are copied by TMA. `counts`: threads count the iterations in a tile beside the dot. `views`:
# views have the elements of 4 bits, not the bytes that two of them share. `transposed`: scales are contiguous across rows
# or columns, not along K. `once`: no loop, one tile is all of K. `restaged`: threads store operands or scales for
# tcgen05.mma. `begins`: initial value of the accumulator. `loops`: loops one after the other whose results are added.
Matmul = collections.namedtuple("Matmul", "name a b m n k order needs scale block aligned counts views transposed once restaged begins loops",
                                 defaults=("f8E8M0FNU", 32, 16, False, False, False, False, False, 0, 1))

MATMULS = [
    Matmul("mx_e4m3_nt", "f8E4M3FN", "f8E4M3FN", 128, 128, 128, "nt", "kind::mxf8f6f4.block_scale"),
    Matmul("mx_e4m3_nn", "f8E4M3FN", "f8E4M3FN", 128, 128, 128, "nn", "kind::mxf8f6f4.block_scale"),
    Matmul("mx_e5m2_wide_nt", "f8E5M2", "f8E5M2", 128, 256, 128, "nt", "kind::mxf8f6f4.block_scale"),
    Matmul("mx_e4m3_tall_tt", "f8E4M3FN", "f8E4M3FN", 256, 128, 128, "tt", "kind::mxf8f6f4.block_scale"),
    # Threads copy the operands, and all of them the scales.
    Matmul("mx_e4m3_by_threads_nt", "f8E4M3FN", "f8E4M3FN", 128, 128, 128, "nt", "kind::mxf8f6f4.block_scale", aligned=8),
    # No warp can be dedicated to the MMAs.
    Matmul("mx_e4m3_counted_nt", "f8E4M3FN", "f8E4M3FN", 128, 128, 128, "nt", "kind::mxf8f6f4.block_scale", counts=True),
    # Too few rows for the instruction of sm_100 to pay, but not for that of sm_120.
    Matmul("mx_e4m3_short_nt", "f8E4M3FN", "f8E4M3FN", 64, 128, 128, "nt", "kind::mxf8f6f4.block_scale", restaged=True),
    Matmul("mx_e4m3_begun_nt", "f8E4M3FN", "f8E4M3FN", 64, 128, 128, "nt", "kind::mxf8f6f4.block_scale", restaged=True, begins=3),
    Matmul("nv_e2m1_begun_nt", "f4E2M1FN", "f4E2M1FN", 64, 64, 128, "nt", "kind::mxf4nvf4.block_scale", "f8E4M3FN", 16, once=True,
            restaged=True, begins=3),
    # Two elements per byte, along K.
    Matmul("mx_e2m1_nt", "f4E2M1FN", "f4E2M1FN", 128, 128, 128, "nt", "kind::mxf4.block_scale"),
    Matmul("nv_e2m1_nt", "f4E2M1FN", "f4E2M1FN", 128, 128, 256, "nt", "kind::mxf4nvf4.block_scale", "f8E4M3FN", 16),
    Matmul("nv_e2m1_wide_nt", "f4E2M1FN", "f4E2M1FN", 128, 256, 128, "nt", "kind::mxf4nvf4.block_scale", "f8E4M3FN", 16),
    Matmul("nv_e2m1_deep_nt", "f4E2M1FN", "f4E2M1FN", 128, 256, 256, "nt", "kind::mxf4nvf4.block_scale", "f8E4M3FN", 16),
    Matmul("nv_e2m1_tall_nt", "f4E2M1FN", "f4E2M1FN", 256, 128, 128, "nt", "kind::mxf4nvf4.block_scale", "f8E4M3FN", 16),
    Matmul("nv_e2m1_views_nt", "f4E2M1FN", "f4E2M1FN", 128, 128, 256, "nt", "kind::mxf4nvf4.block_scale", "f8E4M3FN", 16,
            views=True),
    # Neither copies by threads nor TMA transpose bytes: threads store such scales.
    Matmul("mx_e4m3_turned_nt", "f8E4M3FN", "f8E4M3FN", 128, 128, 128, "nt", "kind::mxf8f6f4.block_scale", transposed=True,
            restaged=True),
    Matmul("nv_e2m1_turned_nt", "f4E2M1FN", "f4E2M1FN", 128, 128, 128, "nt", "kind::mxf4nvf4.block_scale", "f8E4M3FN", 16,
            transposed=True, restaged=True),
    # Matmul of two tiles.
    Matmul("mx_e4m3_once_nt", "f8E4M3FN", "f8E4M3FN", 128, 64, 128, "nt", "kind::mxf8f6f4.block_scale", once=True, restaged=True),
    Matmul("mx_e5m2_once_nn", "f8E5M2", "f8E5M2", 32, 32, 64, "nn", "kind::mxf8f6f4.block_scale", once=True,
            restaged=True),
    Matmul("nv_e2m1_once_nt", "f4E2M1FN", "f4E2M1FN", 64, 64, 128, "nt", "kind::mxf4nvf4.block_scale", "f8E4M3FN", 16, once=True,
            restaged=True),
    # As few elements as an MMA of warps takes: one or two scales for each row and column.
    Matmul("mx_e4m3_least_nt", "f8E4M3FN", "f8E4M3FN", 16, 8, 32, "nt", "kind::mxf8f6f4.block_scale", restaged=True),
    Matmul("mx_e2m1_least_nt", "f4E2M1FN", "f4E2M1FN", 16, 16, 64, "nt", "kind::mxf4nvf4.block_scale", restaged=True),
    # Few rows, with an initial value of the accumulator.
    Matmul("mx_e5m2_few_nn", "f8E5M2", "f8E5M2", 32, 64, 64, "nn", "kind::mxf8f6f4.block_scale", restaged=True, begins=3),
    Matmul("nv_e2m1_few_nt", "f4E2M1FN", "f4E2M1FN", 16, 32, 32, "nt", "kind::mxf4nvf4.block_scale", "f8E4M3FN", 16, once=True,
            restaged=True, begins=3),
    # Loops one after the other: their pipelines together exceed shared memory; their accumulators exceed tensor memory,
    # so that threads multiply by the scales of the last one.
    Matmul("mx_e4m3_loops_nt", "f8E4M3FN", "f8E4M3FN", 128, 128, 128, "nt", "kind::mxf8f6f4.block_scale", loops=2),
    Matmul("mx_e5m2_loops_nt", "f8E5M2", "f8E5M2", 128, 256, 128, "nt", "kind::mxf8f6f4.block_scale", loops=2),
    # Powers of two for so few elements: MMAs of warps do not support them.
    Matmul("mx_e2m1_fine_nt", "f4E2M1FN", "f4E2M1FN", 128, 128, 128, "nt", "kind::mxf4nvf4.block_scale", "f8E8M0FNU", 16),
]


def write(matmul):
    """Returns the text of a kernel that multiplies scaled tiles."""
    name, a, b, m, n, k, order, _, scale, block, aligned, counts, views, transposed, once, _, begins, loops = matmul
    pairs = 2 if a == "f4E2M1FN" and not views else 1
    if pairs == 2:
        a = b = "i8"
    known = aligned * (2 if views else 1)
    parameters, lines = check.declare((array, element, 16, step) for array, element, step in (
        ("a", a, known), ("b", b, known), ("sa", scale, 4), ("sb", scale, 4), ("c", "f32", 16)))
    types = {"a": check.partition(f"{m}x{k // pairs}", a, order[0] == "t"), "b": check.partition(f"{k}x{n}", b, order[1] == "t"),
             "sa": check.partition(f"{m}x{k // block}", scale, transposed),
             "sb": check.partition(f"{k // block}x{n}", scale, not transposed),
             "c": check.partition(f"{m}x{n}", "f32")}
    shapes = {"a": f"tile<{m}x{k // pairs}x{a}>", "b": f"tile<{k}x{n}x{b}>", "sa": f"tile<{m}x{k // block}x{scale}>",
              "sb": f"tile<{k // block}x{n}x{scale}>", "c": f"tile<{m}x{n}xf32>"}
    if pairs == 2:
        # Bytes of B are contiguous along K: lines of it are unpacked and transposed.
        types["b"], shapes["b"] = check.partition(f"{n}x{k // 2}", b), f"tile<{n}x{k // 2}xi8>"
    lines += [f"%p{array} = make_partition_view %{array}_view : {of}" for array, of in types.items()]
    lines += f"""\
%start = make_token : token
%x, %y, %z = get_tile_block_id : tile<i32>
%zero = constant <f32: {begins}.0> : {shapes["c"]}
%trips:2 = get_index_space_shape %pa : {types["a"]} -> tile<i32>
%c0 = constant <i32: 0> : tile<i32>
%c1 = constant <i32: 1> : tile<i32>
%sum = for %i in (%c0 to %trips#1, step %c1) : tile<i32> iter_values(%acc = %zero) -> ({shapes["c"]}) {{\
""".splitlines()
    begin = len(lines) - 1
    for array, place in (("a", "%x, %i"), ("b", "%y, %i" if pairs == 2 else "%i, %y"), ("sa", "%x, %i"), ("sb", "%i, %y")):
        lines.append(f"%t{array}, %d{array} = load_view_tko weak %p{array}[{place}] token = %start : {types[array]}, tile<i32> "
                     f"-> {shapes[array]}, token")
    if pairs == 2:
        for array, rows in (("a", m), ("b", n)):
            lines += [f"%f{array} = reshape %t{array} : {shapes[array]} -> tile<{rows * k // 2}xi8>",
                      f"%u{array} = unpack %f{array} : tile<{rows * k // 2}xi8> -> tile<{rows * k}xf4E2M1FN>",
                      f"%n{array} = reshape %u{array} : tile<{rows * k}xf4E2M1FN> -> tile<{rows}x{k}xf4E2M1FN>"]
        lines.append(f"%nt = permute %nb [1, 0] : tile<{n}x{k}xf4E2M1FN> -> tile<{k}x{n}xf4E2M1FN>")
        shapes["a"], shapes["b"] = f"tile<{m}x{k}xf4E2M1FN>", f"tile<{k}x{n}xf4E2M1FN>"
    x, y = ("%na", "%nt") if pairs == 2 else ("%ta", "%tb")
    lines += [f"%d = mmaf_scaled {x}, {y}, %acc, %tsa, %tsb : {shapes['a']}, {shapes['b']}, {shapes['c']}, {shapes['sa']}, "
              f"{shapes['sb']}",
              f"continue %d : {shapes['c']}", "}"]
    if once:
        lines[begin:] = [line.replace("%i,", "%c0,").replace("%i]", "%c0]").replace("%d =", "%sum =").replace("%acc", "%zero")
                         for line in lines[begin + 1:-2]]
    if counts:
        lines = [line.replace("%sum = for", "%sums:2 = for")
                 .replace(f"(%acc = %zero) -> ({shapes['c']})", f"(%acc = %zero, %count = %zero) -> ({shapes['c']}, {shapes['c']})")
                 for line in lines]
        lines[-2:] = [f"%one = constant <f32: 1.0> : {shapes['c']}",
                      f"%next = addf %count, %one rounding<nearest_even> : {shapes['c']}",
                      f"continue %d, %next : {shapes['c']}, {shapes['c']}", "}",
                      f"%sum = addf %sums#0, %sums#1 rounding<nearest_even> : {shapes['c']}"]
    body, total = lines[begin:], "%sum"
    for loop in range(1, loops):
        lines += [re.sub(r"%(?!trips)((?:d|t|sum|acc|i)\w*)", rf"%\1_{loop}", line) for line in body]
        lines.append(f"%total_{loop} = addf {total}, %sum_{loop} rounding<nearest_even> : {shapes['c']}")
        total = f"%total_{loop}"
    lines += [f"%end = store_view_tko weak {total}, %pc[%x, %y] token = %start : {shapes['c']}, {types['c']}, tile<i32> -> token",
              "return"]
    return (f"cuda_tile.module @m {{\nentry @{name}({', '.join(parameters)}) {{\n" + "\n".join(lines) + "\n}\n}\n")


def launch(matmul, trips, ragged):
    """Returns grid and arguments. Sums of small integers times powers of two are exact in any order."""
    name, a, b, m, n, k, order, _, scale, block = matmul[:10]
    trips = 1 if matmul.once else trips
    depth = trips * k - (k // 2 if ragged and trips and k > 4 * block else 0)
    rows, columns = (m + 16, n + 16) if ragged else (m, n)
    scales = depth // block
    if a == "f4E2M1FN":
        args = [arg for array, lines, seed in (("a", rows, 1), ("b", columns, 2))
                for arg in check.array(array, "i8", [lines, depth // 2], [lines, depth // 2], seed=seed, init="integers:-128:127")]
        if matmul.views:
            for arg in args:
                if arg["name"].endswith(("_shape1", "_stride0")):
                    arg["value"] *= 2
    else:
        args = check.source("a", a, [rows, depth] if order[0] == "n" else [depth, rows], 1)
        args += check.source("b", b, [depth, columns] if order[1] == "n" else [columns, depth], 2)
    for array, lines, seed in (("sa", rows, 3), ("sb", columns, 4)):
        shape = [scales, lines] if matmul.transposed else [lines, scales]
        args += check.array(array, scale, shape, shape, seed=seed, init="integers:1:4")
    args += check.array("c", "f32", [rows, columns], init="poison", output=True)
    return [-(-rows // m), -(-columns // n), 1], args


def get_needs(matmul, arch):
    # Threads multiply the elements of small tiles by their scales: dialects/support/Heuristics.def.
    if min(matmul.m, matmul.n) < (64 if arch in ("sm_120", "sm_121") else 128):
        return "mma"
    if arch in ("sm_120", "sm_121") and (matmul.scale, matmul.block) != ("f8E8M0FNU", 16):
        shape, kind = ("m16n8k64", "mxf4nvf4.block_scale.scale_vec::4X" if matmul.block == 16 else "mxf4.block_scale.scale_vec::2X") \
            if matmul.a == "f4E2M1FN" else ("m16n8k32", "mxf8f6f4.block_scale.scale_vec::1X")
        return f"mma.sync.aligned.{shape}.row.col.kind::{kind}"
    if arch not in ("sm_100", "sm_103", "sm_110"):
        return "mma"
    if "block_scale" not in matmul.needs:
        return matmul.needs
    if matmul.restaged:
        return matmul.needs + ",fence.proxy.async"
    # The warp that issues TMA copies copies the scales.
    return matmul.needs + "," + ("cp.async.wait_group" if matmul.aligned < 16 else "cp.async.mbarrier.arrive.noinc")


if __name__ == "__main__":
    check.check_matmuls(MATMULS, write, launch, get_needs)

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks dots of every operand type of wgmma and tcgen05.mma, in either memory order, like check.py.

    tuples.py --tileiras PATH --tileir-run PATH --tileir-translate PATH [--stages 1,2] [--trips 0,1] [--modes late] [NAME...]
"""

import collections

import check

# `order` of each operand in memory: `n` row-major, `t` column-major. `rounded`: memory has f32. `aligned`: known
# alignment of the arrays in bytes; 8 is too little for TMA copies. `odd`: nothing is known of extents and strides, so
# that no copy is asynchronous. `computed`: threads convert A from f32, or clamp it, before the dot. `once`: no loop,
# one tile is all of K.
Matmul = collections.namedtuple("Matmul", "name a c m n k order instruction flag rounded aligned odd computed once",
                                 defaults=("", False, 16, False, "", False))

MATMULS = [
    Matmul("f16_f16_nn", "f16", "f16", 64, 64, 32, "nn", "m64n64k16.f16.f16.f16"),
    Matmul("f16_f16_tt", "f16", "f16", 128, 64, 32, "tt", "m64n64k16.f16.f16.f16"),
    Matmul("bf16_tn", "bf16", "f32", 64, 64, 32, "tn", "m64n64k16.f32.bf16.bf16", "fast_acc"),
    Matmul("i8_nn", "i8", "i32", 64, 64, 64, "nn", "m64n64k32.s32.s8.u8"),
    Matmul("i8_nt", "i8", "i32", 64, 64, 64, "nt", "m64n64k32.s32.s8.u8"),
    Matmul("i8_tn", "i8", "i32", 128, 64, 64, "tn", "m64n64k32.s32.s8.u8"),
    Matmul("e4m3_nn", "f8E4M3FN", "f32", 64, 64, 256, "nn", "m64n64k32.f32.e4m3.e4m3"),
    Matmul("e4m3_fast_nt", "f8E4M3FN", "f32", 64, 64, 64, "nt", "m64n64k32.f32.e4m3.e4m3", "fast_acc"),
    Matmul("e5m2_tt", "f8E5M2", "f32", 64, 64, 64, "tt", "m64n64k32.f32.e5m2.e5m2"),
    Matmul("e5m2_fast_nn", "f8E5M2", "f32", 64, 64, 64, "nn", "m64n64k32.f32.e5m2.e5m2", "fast_acc"),
    Matmul("e4m3_f16_nn", "f8E4M3FN", "f16", 64, 64, 64, "nn", "m64n64k32.f16.e4m3.e4m3"),
    Matmul("e5m2_f16_nt", "f8E5M2", "f16", 64, 64, 64, "nt", "m64n64k32.f16.e5m2.e5m2"),
    Matmul("tf32_nt", "tf32", "f32", 64, 64, 32, "nt", "m64n64k8.f32.tf32.tf32"),
    Matmul("tf32_rounded_nn", "tf32", "f32", 64, 64, 32, "nn", "m64n64k8.f32.tf32.tf32", rounded=True),
    Matmul("tf32_rounded_nt", "tf32", "f32", 64, 64, 32, "nt", "m64n64k8.f32.tf32.tf32", rounded=True),
    Matmul("tf32_rounded_tt", "tf32", "f32", 64, 64, 32, "tt", "m64n64k8.f32.tf32.tf32", rounded=True),
    Matmul("i8_by_threads_nn", "i8", "i32", 64, 64, 64, "nn", "m64n64k32.s32.s8.u8", aligned=8),
    Matmul("e5m2_by_threads_nt", "f8E5M2", "f32", 64, 64, 64, "nt", "m64n64k32.f32.e5m2.e5m2", aligned=8),
    Matmul("tf32_by_threads_nn", "tf32", "f32", 64, 64, 64, "nn", "m64n64k8.f32.tf32.tf32", rounded=True, aligned=8),
    Matmul("f16_odd_nn", "f16", "f32", 128, 64, 64, "nn", "m64n64k16.f32.f16.f16", odd=True),
    Matmul("bf16_odd_tt", "bf16", "f32", 64, 128, 64, "tt", "m64n128k16.f32.bf16.bf16", odd=True),
    Matmul("f16_odd_nt", "f16", "f32", 64, 64, 64, "nt", "m64n64k16.f32.f16.f16", odd=True),
    Matmul("e4m3_odd_tn", "f8E4M3FN", "f32", 128, 64, 64, "tn", "m64n64k32.f32.e4m3.e4m3", odd=True),
    Matmul("i8_odd_nn", "i8", "i32", 64, 64, 64, "nn", "m64n64k32.s32.s8.u8", odd=True),
    Matmul("tf32_odd_tt", "tf32", "f32", 64, 64, 64, "tt", "m64n64k8.f32.tf32.tf32", rounded=True, odd=True),
    Matmul("f16_converted_nn", "f16", "f32", 128, 64, 64, "nn", "m64n64k16.f32.f16.f16", computed="converted"),
    Matmul("bf16_clamped_nt", "bf16", "f32", 128, 128, 64, "nt", "m64n128k16.f32.bf16.bf16", computed="clamped"),
    Matmul("f16_once_nn", "f16", "f32", 64, 64, 64, "nn", "", once=True),
]


KINDS = {"f16": "f16", "bf16": "f16", "i8": "i8", "tf32": "tf32", "f8E4M3FN": "f8f6f4", "f8E5M2": "f8f6f4"}


def get_instruction(matmul, arch):
    """Returns what the PTX for `arch` has to contain."""
    if arch == "sm_90":
        return "wgmma.mma_async.sync.aligned." + matmul.instruction if matmul.instruction else "mma.sync.aligned"
    # Accumulators in tensor memory have 32 bits.
    if matmul.c == "f16":
        return "mma.sync.aligned"
    return "tcgen05.mma.cta_group::1.kind::" + KINDS[matmul.a]


def write(matmul):
    """Returns the text of a kernel that multiplies tiles."""
    name, a, c, m, n, k, order, _, flag, rounded, aligned, odd, computed, once = matmul
    source = "f32" if rounded else a
    a_source = "f32" if computed == "converted" else source
    known = (1, 1) if odd else (aligned, 16)
    parameters, lines = check.declare((array, element, *known) for array, element in (("a", a_source), ("b", source), ("c", c)))
    a_tiles, b_tiles = (check.partition(extents, element, by == "t")
                        for extents, element, by in zip((f"{m}x{k}", f"{k}x{n}"), (a_source, source), order))
    c_tiles, sum_type = check.partition(f"{m}x{n}", c), f"tile<{m}x{n}x{c}>"
    zero = "0" if c == "i32" else "0.0"
    lines += f"""\
%start = make_token : token
%x, %y, %z = get_tile_block_id : tile<i32>
%zero = constant <{c}: {zero}> : {sum_type}
%pa = make_partition_view %a_view : {a_tiles}
%pb = make_partition_view %b_view : {b_tiles}
%pc = make_partition_view %c_view : {c_tiles}
%trips:2 = get_index_space_shape %pa : {a_tiles} -> tile<i32>
%c0 = constant <i32: 0> : tile<i32>
%c1 = constant <i32: 1> : tile<i32>
{"" if once else f"%sum = for %i in (%c0 to %trips#1, step %c1) : tile<i32> iter_values(%acc = %zero) -> ({sum_type}) {{"}
%u, %tu = load_view_tko weak %pa[%x, %i] token = %start : {a_tiles}, tile<i32> -> tile<{m}x{k}x{a_source}>, token
%v, %tv = load_view_tko weak %pb[%i, %y] token = %start : {b_tiles}, tile<i32> -> tile<{k}x{n}x{source}>, token\
""".splitlines()
    u, v = "%u", "%v"
    if rounded:
        u, v = "%ur", "%vr"
        lines.append(f"%ur = ftof %u : tile<{m}x{k}xf32> -> tile<{m}x{k}x{a}>")
        lines.append(f"%vr = ftof %v : tile<{k}x{n}xf32> -> tile<{k}x{n}x{a}>")
    if computed == "converted":
        u = "%ur"
        lines.append(f"%ur = ftof %u : tile<{m}x{k}xf32> -> tile<{m}x{k}x{a}>")
    elif computed == "clamped":
        u = "%ur"
        lines += [f"%least = constant <{a}: 0.0> : tile<{m}x{k}x{a}>", f"%ur = maxf %u, %least : tile<{m}x{k}x{a}>"]
    operation, flags = ("mmai", "signed unsigned") if a == "i8" else ("mmaf", flag)
    lines.append(f"%d = {operation} {u}, {v}, %acc {flags} : tile<{m}x{k}x{a}>, tile<{k}x{n}x{a}>, {sum_type}")
    if once:
        lines = [line.replace("%i]", "%c0]").replace("%i,", "%c0,").replace("%acc", "%zero").replace("%d =", "%sum =")
                 for line in lines if line]
    else:
        lines += [f"continue %d : {sum_type}", "}"]
    lines += [f"%end = store_view_tko weak %sum, %pc[%x, %y] token = %start : {sum_type}, {c_tiles}, tile<i32> -> token",
              "return"]
    return (f"cuda_tile.module @m {{\nentry @{name}({', '.join(parameters)}) {{\n" + "\n".join(lines) + "\n}\n}\n")


def launch(matmul, trips, ragged):
    """Returns grid and arguments. The row pitch is a multiple of 16 elements."""
    a, c, m, n, k, order = matmul[1:7]
    dtype = "f32" if matmul.rounded else a
    trips = 1 if matmul.once else trips
    depth = trips * k - ((15 if matmul.odd else 16) if ragged and trips else 0)
    rows = m + 3 + 13 * (order[0] == "t") if ragged else m
    columns = n + (13 if matmul.odd else 16) if ragged else n
    args = check.source("a", "f32" if matmul.computed == "converted" else dtype, [rows, depth] if order[0] == "n" else [depth, rows], 1)
    args += check.source("b", dtype, [depth, columns] if order[1] == "n" else [columns, depth], 2)
    if c == "f16" and a != "f16":
        # Small enough to be exact in f16.
        for arg in args:
            if "init" in arg:
                arg["init"] = "integers:-2:2"
    args += check.array("c", c, [rows, columns], init="poison", output=True)
    return [-(-rows // m), -(-columns // n), 1], args


if __name__ == "__main__":
    check.check_matmuls(MATMULS, write, launch, get_instruction)

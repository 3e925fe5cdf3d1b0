#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks dots whose operand A is loop-invariant, like check.py.

    kept.py --tileiras PATH --tileir-run PATH --tileir-translate PATH [--stages 2,3] [--trips 0,1] [--modes late] [NAME...]

The operand is a loaded tile, which a TMA copy stages in shared memory once, or a tile that threads compute from one and
store.
"""

import collections

import check

# `form` of A: `loaded`, or `turned`: column-major; `scaled`: threads double it; `sums`: dots accumulate over the loop,
# `parts`: each is added to an accumulator separately, as in attention; `rows`: inside a loop over rows of tiles, with
# another A in each of its iterations; `written`: after the loop the kernel overwrites A; `padded`: elements of A
# outside of its array are infinite; `strong`: its load is not weak.
Matmul = collections.namedtuple("Matmul", "name form m n k")

MATMULS = [
    Matmul("loaded_sums", "loaded sums", 64, 64, 64),
    Matmul("loaded_parts", "loaded parts", 128, 64, 128),
    Matmul("turned_parts", "turned parts", 64, 64, 64),
    Matmul("scaled_sums", "scaled sums", 64, 128, 64),
    Matmul("scaled_parts", "scaled parts", 128, 64, 64),
    Matmul("rows_loaded_parts", "loaded rows parts", 64, 64, 64),
    Matmul("rows_scaled_parts", "scaled rows parts", 128, 64, 64),
    Matmul("written_parts", "loaded written parts", 64, 64, 64),
    Matmul("padded_parts", "loaded padded parts", 64, 64, 64),
    Matmul("strong_parts", "loaded strong parts", 64, 64, 64),
]


def get_needs(matmul, arch):
    """Returns what the PTX for `arch` has to contain: A comes from shared memory, not from registers."""
    if arch != "sm_90":
        return "mma"
    return f"wgmma.mma_async.sync.aligned.m64n{matmul.n}k16.f32.bf16.bf16"


def write(matmul):
    """Returns the text of a kernel that multiplies one tile by many."""
    name, form, m, n, k = matmul
    parameters, lines = check.declare((array, element, 16, 16) for array, element in (("a", "bf16"), ("b", "bf16"), ("c", "f32")))
    padding = "pos_inf" if "padded" in form else "zero"
    a_tiles, b_tiles, c_tiles = check.partition(f"{m}x{k}", "bf16", "turned" in form, padding), check.partition(f"{k}x{n}", "bf16"), check.partition(f"{m}x{n}", "f32")
    a_type, b_type, sum_type = f"tile<{m}x{k}xbf16>", f"tile<{k}x{n}xbf16>", f"tile<{m}x{n}xf32>"
    rows = "rows" in form
    lines += f"""\
%start = make_token : token
%x, %y, %z = get_tile_block_id : tile<i32>
%zero = constant <f32: 0.0> : {sum_type}
%pa = make_partition_view %a_view : {a_tiles}
%pb = make_partition_view %b_view : {b_tiles}
%pc = make_partition_view %c_view : {c_tiles}
%trips:2 = get_index_space_shape %pb : {b_tiles} -> tile<i32>
%count:2 = get_index_space_shape %pc : {c_tiles} -> tile<i32>
%c0 = constant <i32: 0> : tile<i32>
%c1 = constant <i32: 1> : tile<i32>\
""".splitlines()
    row = "%x"
    if rows:
        row = "%row"
        lines.append("for %row in (%c0 to %count#0, step %c1) : tile<i32> {")
    lines.append(f"%u, %tu = load_view_tko {'relaxed device' if 'strong' in form else 'weak'} %pa[{row}, %c0] token = %start : {a_tiles}, tile<i32> -> {a_type}, token")
    a = "%u"
    if "scaled" in form:
        a = "%twice"
        lines.append(f"%twice = addf %u, %u rounding<nearest_even> : {a_type}")
    lines += [f"%sum = for %i in (%c0 to %trips#1, step %c1) : tile<i32> iter_values(%acc = %zero) -> ({sum_type}) {{",
              f"%v, %tv = load_view_tko weak %pb[%c0, %i] token = %start : {b_tiles}, tile<i32> -> {b_type}, token"]
    if "sums" in form:
        lines.append(f"%d = mmaf {a}, %v, %acc : {a_type}, {b_type}, {sum_type}")
    else:
        lines += [f"%p = mmaf {a}, %v, %zero : {a_type}, {b_type}, {sum_type}",
                  f"%q = absf %p : {sum_type}",
                  f"%d = addf %acc, %q rounding<nearest_even> : {sum_type}"]
    lines += [f"continue %d : {sum_type}", "}",
              f"%end = store_view_tko weak %sum, %pc[{row}, %c0] token = %start : {sum_type}, {c_tiles}, tile<i32> -> token"]
    if "written" in form:
        lines += [f"%new = constant <bf16: 1.0> : {a_type}",
                  f"%last = store_view_tko weak %new, %pa[{row}, %c0] token = %tu : {a_type}, {a_tiles}, tile<i32> -> token"]
    if rows:
        lines += ["continue", "}"]
    return f"cuda_tile.module @m {{\nentry @{name}({', '.join(parameters)}) {{\n" + "\n".join(lines + ["return"]) + "\n}\n}\n"


def launch(matmul, trips, ragged):
    """Returns grid and arguments. The row pitch is a multiple of 16 elements."""
    _, form, m, n, k = matmul
    tiles = 3 if "rows" in form else 2
    rows, columns = (tiles * m - 16 if ragged else tiles * m), trips * n - (16 if ragged and trips else 0)
    depth = k - 16 if ragged and "padded" in form else k
    a = check.source("a", "bf16", [k, rows] if "turned" in form else [rows, depth], 1)
    for arg in a:
        if "written" in form and "init" in arg:
            arg["output"] = True
    args = a + check.source("b", "bf16", [k, columns], 2)
    args += check.array("c", "f32", [rows, n], init="poison", output=True)
    return [1 if "rows" in form else tiles, 1, 1], args


if __name__ == "__main__":
    check.check_matmuls(MATMULS, write, launch, get_needs)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""loops.py SEED: writes a kernel that prints the results of loops with branches on their index, over many ranges."""
import random
import sys

random.seed(int(sys.argv[1]))
ORDERINGS = ["less_than", "less_than_or_equal", "greater_than", "greater_than_or_equal"]
lines = []
names = 0


def emit(depth, text):
    lines.append("  " * depth + text)


def fresh():
    global names
    names += 1
    return "%%v%d" % names


def update(depth, value, index):
    """Returns an update of the iter-arg that distinguishes branches, indices and orders."""
    scaled, result = fresh(), fresh()
    emit(depth, f"{scaled} = muli {value}, %k{random.choice([3, 5, 7])} : tile<i32>")
    emit(depth, f"{result} = addi {scaled}, {index} : tile<i32>")
    return result


def branch(depth, condition, value, index):
    result = fresh()
    emit(depth, f"{result} = if {condition} -> (tile<i32>) {{")
    taken = update(depth + 1, value, index)
    emit(depth + 1, f"yield {taken} : tile<i32>")
    emit(depth, "} else {")
    taken = update(depth + 1, update(depth + 1, value, index), index)
    emit(depth + 1, f"yield {taken} : tile<i32>")
    emit(depth, "}")
    return result


def loop(depth, unsigned, ordering, mirrored, lo, hi, step, bound):
    """Emits one loop whose body compares its index; returns its result."""
    reading = "unsigned" if unsigned else "signed"
    result, index, value, asked = fresh(), fresh(), fresh(), fresh()
    emit(depth, f"{result} = for {'unsigned ' if unsigned else ''}{index} in ({lo} to {hi}, step {step}) : tile<i32> "
         f"iter_values({value} = %k0) -> (tile<i32>) {{")
    operands = f"{bound}, {index}" if mirrored else f"{index}, {bound}"
    emit(depth + 1, f"{asked} = cmpi {ordering} {operands}, {reading} : tile<i32> -> tile<i1>")
    if random.random() < 0.3:
        emit(depth + 1, f"if {asked} {{")
        early = update(depth + 2, value, index)
        emit(depth + 2, f"continue {early} : tile<i32>")
        emit(depth + 1, "}")
    value = branch(depth + 1, asked, value, index)
    if random.random() < 0.5:
        value = branch(depth + 1, asked, value, index)
    if random.random() < 0.5:
        chosen = fresh()
        emit(depth + 1, f"{chosen} = select {asked}, {value}, {index} : tile<i1>, tile<i32>")
        value = chosen
    emit(depth + 1, f"continue {value} : tile<i32>")
    emit(depth, "}")
    return result


emit(0, "cuda_tile.module @m {")
emit(1, "entry @run() {")
for constant in range(0, 13):
    emit(2, f"%k{constant} = constant <i32: {constant}> : tile<i32>")
emit(2, "%minus = constant <i32: -4> : tile<i32>")
# Every range, step and bound of a few numbers, known only at run time.
for unsigned in (False, True):
    low = "%k0" if unsigned else "%minus"
    kind = "unsigned " if unsigned else ""
    emit(2, f"for {kind}%lo in ({low} to %k5, step %k1) : tile<i32> {{")
    emit(3, f"for {kind}%hi in ({low} to %k6, step %k2) : tile<i32> {{")
    emit(4, f"for {kind}%bound in ({low} to %k8, step %k1) : tile<i32> {{")
    emit(5, "for %step in (%k1 to %k4, step %k1) : tile<i32> {")
    values = [loop(6, unsigned, random.choice(ORDERINGS), random.random() < 0.4, "%lo", "%hi",
                   random.choice(["%step", "%step", "%k1", "%k3"]), "%bound") for _ in range(3)]
    emit(6, 'print_tko "%d %d %d %d: %d %d %d\\0A", %lo, %hi, %bound, %step, ' + ", ".join(values) +
         " : " + ", ".join(["tile<i32>"] * 7) + " -> token")
    for depth in (5, 4, 3, 2):
        emit(depth, "}")
# The same with numbers known at compile time.
for ordering in ORDERINGS:
    numbers = [f"%k{random.randrange(13)}" for _ in range(3)]
    value = loop(2, random.random() < 0.5, ordering, random.random() < 0.5, numbers[0], "%k12", f"%k{random.randrange(1, 6)}",
                 numbers[2])
    emit(2, f'print_tko "%d\\0A", {value} : tile<i32> -> token')
emit(2, "return")
emit(1, "}")
emit(0, "}")
print("\n".join(lines))

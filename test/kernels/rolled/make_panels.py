#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes cases of tiles that are live across loops, beside those of make_rolled.py: factorizations, which extract rows
and columns of their tiles.

The answers are NumPy's, in f64 where they are not integers; they are independent of this project's compiler, oracle and
emulator.

    make_panels.py FOLDER NAME...
"""

import contextlib

import numpy as np
from make_rolled import Kernel, case, main, named, random


class Steps(Kernel):
    """Operations on tiles of one or two dimensions, by the types of values."""

    def __init__(self, name, grid=1, occupancy=None):
        super().__init__(name, grid, occupancy)
        self.types = {}

    def make(self, op, *operands, type=None, mods=""):
        """Emits an operation whose operands have one type, which is the result's."""
        type = type or self.types[operands[0]]
        result = self.op(op, *operands, type=type, mods=mods)
        self.types[result] = type
        return result

    def number(self, value, type):
        return self.make("constant <%s: %s>" % (type.split("x")[-1], value), type=type)

    def change(self, op, value, to):
        result = self.op(op, value, type=self.types[value], to=to)
        self.types[result] = to
        return result

    def fetch(self, view, *at):
        result = self.load(view, *at)
        self.types[result] = view[2]
        return result

    def tile(self, value, shape):
        """Broadcasts `value`, with extents of one where it is repeated, to a tile."""
        to = "%sx%s" % (shape, self.types[value].split("x")[-1])
        return value if self.types[value] == to else self.change("broadcast", value, to)

    def both(self, op, a, b, mods=""):
        """Emits an operation on two tiles after broadcasting."""
        shapes = [self.types[value].split("x")[:-1] for value in (a, b)]
        shape = "x".join(str(max(int(m), int(n))) for m, n in zip(*shapes))
        return self.make(op, self.tile(a, shape), self.tile(b, shape), mods=mods)

    def part(self, value, shape, *at):
        to = "%sx%s" % (shape, self.types[value].split("x")[-1])
        result = self.new()
        self("%s = extract %s[%s] : tile<%s> -> tile<%s>" % (result, value, ", ".join(at), self.types[value], to))
        self.types[result] = to
        return result

    def turn(self, value):
        m, n, dtype = self.types[value].split("x")
        result = self.new()
        self("%s = permute %s [1, 0] : tile<%s> -> tile<%sx%sx%s>" % (result, value, self.types[value], n, m, dtype))
        self.types[result] = "%sx%sx%s" % (n, m, dtype)
        return result

    def indices(self, rows, columns):
        """Returns indices of rows or of columns, whichever is not one."""
        line = self.op("iota", type="%dxi32" % (rows * columns))
        self.types[line] = "%dxi32" % (rows * columns)
        return self.change("reshape", line, "%dx%dxi32" % (rows, columns))

    def compare(self, predicate, a, scalar):
        """Compares `a` of i32 with a scalar."""
        type = self.types[a]
        other = self.spread(scalar, type.rpartition("x")[0], "i32")
        result = self.op("cmpi " + predicate, a, other + ", signed", type=type, to=type.rpartition("x")[0] + "xi1")
        self.types[result] = type.rpartition("x")[0] + "xi1"
        return result

    def choose(self, condition, a, b):
        type = max((self.types[v] for v in (condition, a, b) if not self.types[v].endswith("i1")),
                   key=lambda t: np.prod([int(n) for n in t.split("x")[:-1]]))
        shape = type.rpartition("x")[0]
        result = self.new()
        self("%s = select %s, %s, %s : tile<%sxi1>, tile<%s>" % (
            result, self.tile(condition, shape), self.tile(a, shape), self.tile(b, shape), shape, type))
        self.types[result] = type
        return result

    def combine(self, op, identity, value, dim):
        """Emits a reduction that keeps its dimension, with extent one."""
        shape, _, dtype = self.types[value].rpartition("x")
        rest = ["1" if i == dim else n for i, n in enumerate(shape.split("x"))]
        result = self.reduce(op, identity, value, shape, dtype, dim)
        self.types[result] = "x".join([n for i, n in enumerate(shape.split("x")) if i != dim] + [dtype])
        return self.change("reshape", result, "x".join(rest + [dtype]))

    @contextlib.contextmanager
    def loop(self, bound, **carried):
        """Emits a loop over 0 … bound - 1. Yields a namespace of the iter-args, with the index; its contents at the end
        are yielded, and the results are in it after the loop."""
        names = list(carried)
        now = type("Carried", (), {})()
        results, self_type = self.new(), {n: self.types[v] for n, v in carried.items()}
        arguments = {n: self.new() for n in names}
        now.i = self.new()
        for n in names:
            setattr(now, n, arguments[n])
            self.types[arguments[n]] = self_type[n]
        end, one = self.constant(bound, "i32"), self.constant("1", "i32")
        self("%s:%d = for %s in (%%zero to %s, step %s) : tile<i32> iter_values(%s) -> (%s) {" % (
            results, len(names), now.i, end, one, ", ".join("%s = %s" % (arguments[n], carried[n]) for n in names),
            ", ".join("tile<%s>" % self_type[n] for n in names)))
        yield now
        self("continue %s : %s" % (", ".join(getattr(now, n) for n in names),
                                   ", ".join("tile<%s>" % self_type[n] for n in names)), "}")
        for at, n in enumerate(names):
            name = "%s#%d" % (results, at)
            setattr(now, n, name)
            self.types[name] = self_type[n]

    def whole(self, key, dtype, rows, columns):
        """Returns a view of an array of tiles, a block of rows each."""
        return self.view(key, dtype, [rows, columns], [rows * self.grid, columns], [columns, 1])


def positive(blocks, n, seed):
    """Returns symmetric matrices whose eigenvalues are at least one, stacked."""
    square = random(blocks, n, n, seed=seed) / n ** 0.5
    return (square @ square.transpose(0, 2, 1) + np.eye(n, dtype=np.float32)).reshape(blocks * n, n)


@case
def cholesky():
    """Writes a panel of a blocked factorization: L of a 32x32 block, and the 64 rows below it divided by its
    transpose."""
    n, m, blocks = 32, 64, 2
    a, p = positive(blocks, n, 6), random(blocks * m, n, seed=7)
    lower = np.linalg.cholesky(a.reshape(blocks, n, n).astype(np.float64))
    below = np.linalg.solve(lower, p.reshape(blocks, m, n).astype(np.float64).transpose(0, 2, 1)).transpose(0, 2, 1)
    k = Steps("cholesky", blocks, occupancy=4)
    k.array("a", "f32", a)
    k.array("p", "f32", p)
    k.array("l", "f32", expect=lower.reshape(-1, n), tolerance=1e-4)
    k.array("x", "f32", expect=below.reshape(-1, n), tolerance=1e-4)
    views = {key: k.view(key, "f32", [1, count, n], [blocks, count, n], [count * n, n, 1])
             for key, count in (("a", n), ("p", m), ("l", n), ("x", m))}
    t, w = (k.change("reshape", k.fetch(views[key], "%b", "%zero", "%zero"), "%dx%dxf32" % (count, n))
            for key, count in (("a", n), ("p", m)))
    f, none = k.number("0.0", "32x32xf32"), k.number("0.0", "32x1xf32")
    rows, columns = k.indices(n, 1), k.indices(1, n)

    with k.loop(n, t=t, f=f, w=w) as now:
        c = now.i
        pivot = k.make("sqrt", k.part(now.t, "1x1", c, c))
        column = k.choose(k.compare("greater_than_or_equal", rows, c),
                          k.both("divf", k.part(now.t, "32x1", "%zero", c), pivot), none)
        here, after = (k.compare(p, columns, c) for p in ("equal", "greater_than"))
        now.f = k.choose(here, column, now.f)
        now.t = k.make("subf", now.t, k.both("mulf", column, k.turn(column)))
        y = k.both("divf", k.part(now.w, "64x1", "%zero", c), pivot)
        less = k.make("subf", now.w, k.both("mulf", y, k.turn(column)))
        now.w = k.choose(here, y, k.choose(after, less, now.w))
    for key, value, count in (("l", now.f, n), ("x", now.w, m)):
        k.store(k.change("reshape", value, "1x%dx%dxf32" % (count, n)), views[key], "%b", "%zero", "%zero")
    return k


@case
def lu_tile():
    """Writes LU without pivots of a 64x64 tile, in place, by extracted rows and columns."""
    n = 64
    a = random(n, n, seed=8) + 2 * n ** 0.5 * np.eye(n, dtype=np.float32)
    exact = a.astype(np.float64)
    for c in range(n):
        exact[c + 1:, c] /= exact[c, c]
        exact[c + 1:, c + 1:] -= np.outer(exact[c + 1:, c], exact[c, c + 1:])
    k = Steps("lu_tile", occupancy=4)
    k.array("a", "f32", a, expect=exact, tolerance=1e-4)
    view = k.whole("a", "f32", n, n)
    rows, columns = k.indices(n, 1), k.indices(1, n)
    with k.loop(n, t=k.fetch(view, "%zero", "%zero")) as now:
        c = now.i
        below, after = (k.compare("greater_than", index, c) for index in (rows, columns))
        factors = k.both("divf", k.part(now.t, "64x1", "%zero", c), k.part(now.t, "1x1", c, c))
        less = k.make("subf", now.t, k.both("mulf", factors, k.part(now.t, "1x64", c, "%zero")))
        inner = k.choose(after, less, k.choose(k.compare("equal", columns, c), factors, now.t))
        now.t = k.choose(below, inner, now.t)
    k.store(now.t, view, "%zero", "%zero")
    return k


@case
def orthogonal():
    """Writes modified Gram-Schmidt of 32 columns of 128, with R beside Q."""
    m, n = 128, 32
    a = random(m, n, seed=9)
    q, r = a.astype(np.float64), np.zeros((n, n))
    for c in range(n):
        r[c, c] = np.linalg.norm(q[:, c])
        q[:, c] /= r[c, c]
        r[c, c + 1:] = q[:, c] @ q[:, c + 1:]
        q[:, c + 1:] -= np.outer(q[:, c], r[c, c + 1:])
    k = Steps("orthogonal", occupancy=4)
    k.array("a", "f32", a)
    k.array("q", "f32", expect=q, tolerance=1e-4)
    k.array("rest", "f32", expect=r, tolerance=1e-4)
    rows, columns = k.indices(n, 1), k.indices(1, n)
    none = k.number("0.0", "1x32xf32")
    with k.loop(n, q=k.fetch(k.whole("a", "f32", m, n), "%zero", "%zero"), r=k.number("0.0", "32x32xf32")) as now:
        c = now.i
        here, after = (k.compare(p, columns, c) for p in ("equal", "greater_than"))
        column = k.part(now.q, "128x1", "%zero", c)
        norm = k.make("sqrt", k.combine("addf", "0.0", k.make("mulf", column, column), 0))
        column = k.both("divf", column, norm)
        row = k.combine("addf", "0.0", k.both("mulf", now.q, column), 0)
        row = k.choose(after, row, k.choose(here, norm, none))
        now.r = k.choose(k.compare("equal", rows, c), row, now.r)
        less = k.make("subf", now.q, k.both("mulf", column, row))
        now.q = k.choose(after, less, k.choose(here, column, now.q))
    k.store(now.q, k.whole("q", "f32", m, n), "%zero", "%zero")
    k.store(now.r, k.whole("rest", "f32", n, n), "%zero", "%zero")
    return k


def shortest(name, n, occupancy):
    """Writes Floyd and Warshall's shortest paths between the nodes of a tile."""
    a = np.random.default_rng(10).integers(1, 1000, (n, n)).astype(np.int32)
    exact = a.copy()
    for c in range(n):
        exact = np.minimum(exact, exact[:, c:c + 1] + exact[c:c + 1, :])
    k = Steps(name, occupancy=occupancy)
    k.array("a", "i32", a, expect=exact)
    view = k.whole("a", "i32", n, n)
    with k.loop(n, t=k.fetch(view, "%zero", "%zero")) as now:
        c = now.i
        by = k.both("addi", k.part(now.t, "%dx1" % n, "%zero", c), k.part(now.t, "1x%d" % n, c, "%zero"))
        now.t = k.make("mini", now.t, by, mods="signed")
    k.store(now.t, view, "%zero", "%zero")
    return k


named("shortest_64", shortest, 64, 4)
named("shortest_128", shortest, 128, 2)


@case
def triangle():
    """Writes X of L X = B by forward substitution: rows of X and columns of L."""
    n, m = 64, 64
    lower = np.tril(random(n, n, seed=11)) / n ** 0.5 + 2 * np.eye(n, dtype=np.float32)
    b = random(n, m, seed=12)
    k = Steps("triangle", occupancy=4)
    k.array("low", "f32", lower)
    k.array("right", "f32", b)
    k.array("x", "f32", expect=np.linalg.solve(lower.astype(np.float64), b.astype(np.float64)), tolerance=1e-4)
    rows = k.indices(n, 1)
    lower = k.fetch(k.whole("low", "f32", n, n), "%zero", "%zero")
    with k.loop(n, x=k.fetch(k.whole("right", "f32", n, m), "%zero", "%zero")) as now:
        c = now.i
        row = k.both("divf", k.part(now.x, "1x64", c, "%zero"), k.part(lower, "1x1", c, c))
        less = k.make("subf", now.x, k.both("mulf", k.part(lower, "64x1", "%zero", c), row))
        now.x = k.choose(k.compare("equal", rows, c), row, k.choose(k.compare("greater_than", rows, c), less, now.x))
    k.store(now.x, k.whole("x", "f32", n, m), "%zero", "%zero")
    return k


if __name__ == "__main__":
    main()

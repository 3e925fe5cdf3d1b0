#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes cases of attention of few rows, beside those of make_panels.py: queries whose fragments every warp holds, and
keys that are also the values, of which shared memory holds one tile.

The answers are NumPy's, in f64; they are independent of this project's compiler, oracle and emulator.

    make_latent.py FOLDER NAME...
"""

import numpy as np
from make_panels import Steps
from make_rolled import LOW, main, named, random


class Dots(Steps):
    """Operations of a kernel with dots, whose arrays begin at multiples of 16 bytes."""

    def rows(self, key, dtype, tile, count, width):
        """Returns a view of `count` rows, in tiles of some."""
        aligned = self.new()
        self("%s = assume div_by<16>, %%%s : tile<ptr<%s>>" % (aligned, key, dtype))
        return self.view(aligned[1:], dtype, [tile, width], [count, width], [width, 1])

    def dot(self, a, b, c):
        result = self.new()
        self("%s = mmaf %s, %s, %s : tile<%s>, tile<%s>, tile<%s>" % (
            result, a, b, c, self.types[a], self.types[b], self.types[c]))
        self.types[result] = self.types[c]
        return result

    def attend(self, queries, load, now, scale):
        """Emits a step of attention with the keys of an iteration, which are multiplied by `queries`, and its
        values."""
        keys, values = load
        m, n = self.types[queries[0]].split("x")[0], self.types[keys[0]].split("x")[0]
        s = self.number("0.0", "%sx%sxf32" % (m, n))
        for query, key in zip(queries, keys):
            s = self.dot(query, self.turn(key), s)
        s = self.make("mulf", s, self.number(scale, self.types[s]))
        most = self.make("maxf", now.most, self.combine("maxf", LOW, s, 1))
        p = self.make("exp2", self.both("subf", s, most))
        old = self.make("exp2", self.make("subf", now.most, most))
        now.total = self.make("addf", self.make("mulf", now.total, old), self.combine("addf", "0.0", p, 1))
        now.acc = self.dot(self.change("ftof", p, "%sx%sxf16" % (m, n)), values, self.both("mulf", now.acc, old))
        now.most = most


def attention(name, keys, trips, latent=512, rope=0, shared=True, nested=False):
    """Writes attention of 16 rows of queries. Keys have `rope` numbers after their first ones, which are the values if
    both are shared. A loop around the loop doubles the rows of keys."""
    heads, count = 16, keys * trips * (2 if nested else 1)
    width = latent + rope
    q, k, v = (random(rows, columns, seed=seed).astype(np.float16)
               for rows, columns, seed in ((heads, width, 13), (count, width, 14), (count, latent, 15)))
    values = k[:, :latent] if shared else v
    s = q.astype(np.float64) @ k.astype(np.float64).T / width ** 0.5
    weights = np.exp(s - s.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    kernel = Dots(name)
    parts = [("q", "k", slice(0, latent))] + ([("qr", "kr", slice(latent, width))] if rope else [])
    queries, views = [], []
    for query, key, columns in parts:
        wide = columns.stop - columns.start
        kernel.array(query, "f16", q[:, columns].copy())
        kernel.array(key, "f16", k[:, columns].copy())
        queries.append(kernel.fetch(kernel.rows(query, "f16", heads, heads, wide), "%zero", "%zero"))
        views.append(kernel.rows(key, "f16", keys, count, wide))
    if not shared:
        kernel.array("v", "f16", v)
        views.append(kernel.rows("v", "f16", keys, count, latent))
    kernel.array("sum", "f32", expect=weights @ values.astype(np.float64), tolerance=4e-3)

    def load(at):
        tiles = [kernel.fetch(view, at, "%zero") for view in views]
        return tiles[:len(parts)], tiles[0] if shared else tiles[-1]

    scale = 1.4426950408889634 / width ** 0.5
    carried = dict(acc=kernel.number("0.0", "%dx%dxf32" % (heads, latent)), total=kernel.number("0.0", "%dx1xf32" % heads),
                   most=kernel.number(LOW, "%dx1xf32" % heads))
    if nested:
        with kernel.loop(2, **carried) as outer:
            first = kernel.op("muli", outer.i, kernel.constant(trips, "i32"), type="i32")
            with kernel.loop(trips, acc=outer.acc, total=outer.total, most=outer.most) as now:
                kernel.attend(queries, load(kernel.op("addi", first, now.i, type="i32")), now, scale)
            outer.acc, outer.total, outer.most = now.acc, now.total, now.most
        now = outer
    else:
        with kernel.loop(trips, **carried) as now:
            kernel.attend(queries, load(now.i), now, scale)
    kernel.store(kernel.both("divf", now.acc, now.total), kernel.rows("sum", "f32", heads, heads, latent), "%zero", "%zero")
    return kernel


named("latent_64", attention, 64, 3, rope=64)
named("latent_128", attention, 128, 2, rope=64)
named("latent_nested", attention, 32, 2, nested=True)
named("wide_heads", attention, 16, 3, shared=False)

if __name__ == "__main__":
    main()

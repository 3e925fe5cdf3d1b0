# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TMA copies beyond a tiled load: stores, reductions, gather4 and scatter4, im2col, strides, multicast; bulk reductions
and copies within a cluster."""
import itertools

import numpy as np

from layouts import swizzled
from suite import Suite
from rawcase import buffer, tensor_map  # noqa: I100, its folder is known from here on

random = np.random.default_rng(41)
HEAD = """
.shared .align 1024 .b8 smem[%(shared)d]; .shared .align 8 .b64 bar; .reg .b32 %%t, %%s, %%b, %%n, %%v, %%k, %%rank;
.reg .b64 %%m, %%io, %%i; .reg .b16 %%h<4>; .reg .pred %%one, %%q;
mov.u32 %%t, %%tid.x; mov.u32 %%s, smem; mov.u32 %%b, bar; mov.u32 %%rank, %%ctaid.x; mov.b64 %%m, map; cvta.param.u64 %%m, %%m;
ld.param.u64 %%io, [io]; setp.eq.u32 %%one, %%t, 0;
"""
LOAD = HEAD + """
@%%one mbarrier.init.shared::cta.b64 [%%b], 1; @%%one fence.mbarrier_init.release.cluster; bar.sync 0; %(meet)s
@!%%one bra WAIT; mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%b], %(bytes)d;
%(code)s
WAIT: mbarrier.try_wait.parity.shared::cta.b64 %%q, [%%b], 0; @!%%q bra WAIT;
mul.wide.u32 %%i, %%rank, %(bytes)d; add.u64 %%io, %%io, %%i; mov.u32 %%n, %%t;
L: mad.lo.u32 %%k, %%n, 4, %%s; ld.shared.b32 %%v, [%%k]; mul.wide.u32 %%i, %%n, 4; add.u64 %%i, %%i, %%io; st.global.b32 [%%i], %%v;
add.u32 %%n, %%n, 32; setp.lt.u32 %%q, %%n, %(words)d; @%%q bra L; %(meet)s
"""
STORE = HEAD + """
mov.u32 %%n, %%t;
L: mul.wide.u32 %%i, %%n, 4; add.u64 %%i, %%i, %%io; ld.global.b32 %%v, [%%i]; mad.lo.u32 %%k, %%n, 4, %%s; st.shared.b32 [%%k], %%v;
add.u32 %%n, %%n, 32; setp.lt.u32 %%q, %%n, %(words)d; @%%q bra L;
fence.proxy.async.shared::cta; bar.sync 0; @!%%one bra DONE;
%(code)s
cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
DONE:
"""
MEET = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"
DTYPES = {"UINT8": np.uint8, "UINT16": np.uint16, "UINT32": np.uint32, "INT32": np.int32, "UINT64": np.uint64, "INT64": np.int64,
          "FLOAT16": np.float16, "FLOAT32": np.float32, "FLOAT64": np.float64}


def image_of(rows, span):
    """Returns rows of a box in shared memory order: consecutive, swizzled."""
    flat = np.ascontiguousarray(rows).reshape(-1).view(np.uint8)
    out = np.zeros(len(flat), np.uint8)
    out[swizzled(np.arange(len(flat)), span)] = flat
    return out.view(np.uint32)


def map_of(driver, tensor, box, span=0, **fields):
    """Returns a tiled map of a whole array, whose last dimension is the map's first."""
    dims = list(tensor.shape[::-1])
    size = tensor.dtype.itemsize
    strides = [int(np.prod(dims[:d])) * size for d in range(1, len(dims))]
    m = tensor_map("map", "tensor", driver, dims, strides, box, swizzle="%dB" % span if span else "none", **fields)
    if fields.get("mode") == "im2col":
        del m["tensor_map"]["box"]
    return m


def load(t, name, m, tensor, code, want, blocks=1):
    """Checks a load. want: words by block. `code` runs in one thread of each block."""
    count = want.shape[-1]
    text = LOAD % {"shared": 4 * count, "bytes": 4 * count, "words": count, "code": code, "meet": MEET if blocks > 1 else ""}
    fields = {"cluster": [blocks, 1, 1]} if blocks > 1 else {}
    t.kernel(name, [".param .align 64 .b8 map[128]", ".param .u64 io"], text, [blocks], [32],
             [m, buffer("io", None, want.reshape(-1))],
             ".reqntid 32" + (" .explicitcluster .reqnctapercluster %d" % blocks if blocks > 1 else ""),
             buffers=[buffer("tensor", tensor)], **fields)


def store(t, name, m, tensor, code, words, want):
    t.kernel(name, [".param .align 64 .b8 map[128]", ".param .u64 io"],
             STORE % {"shared": 4 * len(words), "words": len(words), "code": code}, [1], [32],
             [m, buffer("io", words)], ".reqntid 32", buffers=[buffer("tensor", tensor, want)])


def numbers(shape, dtype, low=0, high=100):
    return random.integers(low, high, shape).astype(dtype)


def boxed(tensor, start, box, strides=None):
    """Returns elements of a box and whether they are in the tensor; dimensions innermost first in start, box,
    strides."""
    rank = len(box)
    strides = strides or [1] * rank
    shape = [-(-b // s) for b, s in zip(box, strides)][::-1]
    tile, inside = np.zeros(shape, tensor.dtype), np.zeros(shape, bool)
    for index in itertools.product(*(range(n) for n in shape)):
        at = tuple(start[rank - 1 - d] + index[d] * strides[rank - 1 - d] for d in range(rank))
        if all(0 <= c < n for c, n in zip(at, tensor.shape)):
            tile[index], inside[index] = tensor[at], True
    return tile, inside


LOAD_TILE = ("cp.async.bulk.tensor.%dd.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%%s], [%%m, {%s}], [%%b];")


def listed(values):
    return ", ".join(str(v) for v in values)


def tiled_loads(t):
    """Checks ranks 1 to 5, and element strides. A box may begin outside, but not within 16 bytes of a row."""
    for dims, start, box, strides in (
            ((64,), (-8,), (32,), (1,)), ((32, 9, 5), (4, -1, 2), (16, 4, 3), (1, 1, 1)),
            ((16, 6, 5, 4), (0, 4, -2, 1), (16, 3, 4, 2), (1, 1, 1, 1)),
            ((16, 4, 3, 3, 2), (8, 1, 1, -1, 1), (8, 2, 2, 3, 2), (1, 1, 1, 1, 1)),
            ((32, 20), (0, 3), (16, 8), (1, 2)), ((64, 20), (4, -1), (64, 9), (4, 3))):
        tensor = numbers(dims[::-1], np.uint32)
        # Steps in the contiguous dimension are ignored.
        tile, _ = boxed(tensor, start, box, (1, *strides[1:]))
        load(t, "tile_%dd_%d" % (len(dims), len(t.names)), map_of("UINT32", tensor, box, element_strides=list(strides)), tensor,
             LOAD_TILE % (len(dims), listed(start)), image_of(tile, 0))
    tensor = numbers((10, 32), np.float16)
    tile, inside = boxed(tensor, (24, 6), (16, 8))
    bits = np.where(inside, tile.view(np.uint16), 0x7FF7).astype(np.uint16)
    load(t, "tile_nan", map_of("FLOAT16", tensor, (16, 8), oob_fill="nan"), tensor, LOAD_TILE % (2, "24, 6"), image_of(bits, 0))


def stores(t):
    # Never from a negative coordinate on: hardware accepts those for loads only.
    for driver, dims, start, box, span in (
            ("UINT8", (48, 12), (16, 8), (32, 8), 32), ("FLOAT16", (40, 12), (24, 6), (32, 8), 64), ("INT32", (40, 9), (16, 3), (32, 8), 128),
            ("UINT64", (8, 6, 4), (4, 1, 2), (4, 3, 3), 0), ("FLOAT32", (64,), (48,), (32,), 0),
            ("UINT16", (16, 3, 3, 3, 2), (0, 1, 2, 1, 1), (16, 2, 2, 2, 2), 32)):
        tensor = numbers(dims[::-1], DTYPES[driver])
        tile = numbers(box[::-1], DTYPES[driver])
        want = tensor.copy()
        for index in np.ndindex(*tile.shape):
            at = tuple(start[len(box) - 1 - d] + index[d] for d in range(len(box)))
            if all(0 <= c < n for c, n in zip(at, tensor.shape)):
                want[at] = tile[index]
        store(t, "store_%s_%d" % (driver, len(t.names)), map_of(driver, tensor, box, span), tensor,
              "cp.async.bulk.tensor.%dd.global.shared::cta.tile.bulk_group [%%m, {%s}], [%%s];" % (len(dims), listed(start)),
              image_of(tile, span), want)


def wrap(values, dtype):
    info = np.iinfo(dtype)
    return ((values - int(info.min)) % (int(info.max) - int(info.min) + 1) + int(info.min)).astype(dtype)


def reduction(op, old, new):
    if op == "inc":
        return np.where(old >= new, 0, old + 1).astype(old.dtype)
    if op == "dec":
        return np.where((old == 0) | (old > new), new, old - 1).astype(old.dtype)
    if op == "add":
        return old + new
    return {"min": np.minimum, "max": np.maximum, "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}[op](old, new)


def reductions(t):
    """The map determines the element type."""
    for driver, ops in (("UINT32", ("add", "min", "max", "inc", "dec", "and", "or", "xor")), ("INT32", ("add", "min", "max")),
                        ("UINT64", ("add", "min", "max", "and", "or", "xor")), ("INT64", ("min", "max")),
                        ("FLOAT16", ("add", "min", "max")), ("FLOAT32", ("add",))):
        for op in ops:
            dtype = DTYPES[driver]
            signed = np.dtype(dtype).kind != "u"
            tensor = numbers((10, 32), dtype, -50 if signed else 0, 50)
            tile = numbers((8, 128 // np.dtype(dtype).itemsize // 4), dtype, -50 if signed else 0, 50)
            want = tensor.copy()
            box = tile.shape[::-1]
            want[3:10, 8:8 + box[0]] = reduction(op, tensor[3:10, 8:8 + box[0]], tile[:7])
            store(t, "reduce_%s_%s" % (op, driver), map_of(driver, tensor, box, 32), tensor,
                  "cp.reduce.async.bulk.tensor.2d.global.shared::cta.%s.tile.bulk_group [%%m, {8, 3}], [%%s];" % op,
                  image_of(tile, 32), want)


def rows_by_index(t):
    """Checks gather4 and scatter4: four arbitrary rows of a matrix."""
    for driver, columns, rows, span in (("UINT32", 8, (7, 2, 2, 11), 0), ("FLOAT16", 64, (0, 40, 5, 9), 128), ("UINT8", 32, (3, -1, 8, 1), 32)):
        tensor = numbers((12, 2 * columns), DTYPES[driver])
        start = columns // 2 if driver == "UINT32" else 0
        tile = np.zeros((4, columns), tensor.dtype)
        for k, r in enumerate(rows):
            if 0 <= r < 12:
                tile[k] = tensor[r, start:start + columns]
        m = map_of(driver, tensor, (columns, 1), span)
        load(t, "gather4_%s" % driver, m, tensor,
             "cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes [%%s], [%%m, {%d, %s}], [%%b];" % (
                 start, listed(rows)), image_of(tile, span))
        rows = tuple(r for r in dict.fromkeys(rows) if r >= 0)
        rows += tuple(20 + k for k in range(4 - len(rows)))
        tile, want = numbers((4, columns), DTYPES[driver]), tensor.copy()
        for k, r in enumerate(rows):
            if 0 <= r < 12:
                want[r, start:start + columns] = tile[k]
        store(t, "scatter4_%s" % driver, m, tensor,
              "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%%m, {%d, %s}], [%%s];" % (start, listed(rows)),
              image_of(tile, span), want)


def im2col(t):
    """Checks pixels from a filter base on, W first, wrapping within the box of bases; each at the filter's offset from
    its base."""
    for sizes, lower, upper, start, offsets, pixels, channels, span in (
            ((9,), (0,), (-2,), (3, 0), (2,), 12, 8, 0), ((6, 5), (-1, -1), (-1, -1), (0, 2, 0), (2, 1), 20, 16, 64),
            ((6, 5), (-1, -1), (1, 1), (5, 5, 1), (0, 0), 16, 8, 32), ((4, 4, 3), (-1, -1, -1), (-1, -1, -1), (-1, 2, 1, 0), (1, 2, 0), 30, 8, 0),
            ((7, 6), (-2, -1), (-1, 0), (3, -1, 0), (3, 0), 24, 8, 0)):
        rank = len(sizes) + 2
        tensor = numbers((2,) + sizes[::-1] + (16,), np.uint32 if span == 64 else np.float32)
        out = np.zeros((pixels, channels), tensor.dtype)
        base, n = list(start[:-1]), start[-1]
        first = 4 if channels == 8 else 0
        for p in range(pixels):
            at = [b + o for b, o in zip(base, offsets)]
            if 0 <= n < 2 and all(0 <= c < s for c, s in zip(at, sizes)):
                out[p] = tensor[(n,) + tuple(at[::-1])][first:first + channels]
            for d in range(len(sizes)):
                base[d] += 1
                if base[d] <= sizes[d] - 1 + upper[d]:
                    break
                base[d] = lower[d]
            else:
                n += 1
        m = map_of("UINT32" if span == 64 else "FLOAT32", tensor, (), span, mode="im2col", lower_corner=list(lower),
                   upper_corner=list(upper), channels_per_pixel=channels, pixels_per_column=pixels)
        load(t, "im2col_%dd_%d" % (rank, len(t.names)), m, tensor,
             "%s cp.async.bulk.tensor.%dd.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%%s], [%%m, {%s}], [%%b], {%s};" % (
                 "".join("mov.b16 %%h%d, %d;" % (k, o) for k, o in enumerate(offsets)), rank,
                 listed((first,) + tuple(start)), listed("%%h%d" % k for k in range(len(offsets)))), image_of(out, span))


def im2col_wide(t):
    """Checks wide im2col: only W advances, on into the next images; after all pixels, or after each 32 of 128, the
    halo: the pixels that would come next. The halo of 128 pixels follows them, the first ones of all quarters first."""
    for sizes, lower, upper, start, halo, offset, pixels, step, span in (
            ((9,), 0, 0, (3, 0), 0, 0, 12, 1, 64), ((7, 5), -1, 1, (-1, 2, 0), 2, 1, 20, 1, 64), ((7, 5), 0, -2, (2, 3, 1), 3, 0, 16, 2, 128),
            ((5, 4, 3), -2, 0, (-2, 1, 2, 0), 1, 2, 24, 1, 64), ((9, 7), 0, 0, (3, 2, 0), 0, 0, 128, 1, 64), ((9, 7), 0, 0, (3, 2, 0), 2, 0, 128, 1, 64),
            ((13, 3), -1, 0, (-1, 1, 1), 5, 1, 128, 2, 64)):
        whole = pixels == 128
        rank, channels = len(sizes) + 2, span // 4
        images = 40 if whole else 6
        tensor = numbers((images,) + sizes[::-1] + (40,), np.float32)
        low, high = lower + offset, sizes[0] - 1 + upper + offset
        walk, w, n = [], start[0] + offset, start[-1]
        while len(walk) < pixels + 32:
            walk.append((n, w))
            w += step
            if w > high:
                n, w = n + 1, low
        places, parts = walk[:pixels], 4 if whole else 1
        places += [walk[(part + 1) * pixels // parts + h] for h in range(halo) for part in range(parts)]
        out = np.zeros((len(places), channels), np.float32)
        for k, (n, w) in enumerate(places):
            if 0 <= n < images and 0 <= w < sizes[0]:
                out[k] = tensor[(n,) + start[1:-1][::-1] + (w,)][8:8 + channels]
        m = map_of("FLOAT32", tensor, (), span, mode="im2col_w128" if whole else "im2col_w", lower_corner=[lower], upper_corner=[upper],
                   channels_per_pixel=channels, pixels_per_column=pixels, element_strides=[1, step] + [1] * (rank - 2))
        del m["tensor_map"]["box"]
        load(t, "im2col_w_%d" % len(t.names), m, tensor,
             "mov.b16 %%h0, %d; mov.b16 %%h1, %d; cp.async.bulk.tensor.%dd.shared::cta.global.im2col::w%s"
             ".mbarrier::complete_tx::bytes [%%s], [%%m, {%s}], [%%b], {%%h0, %%h1};" % (
                 halo, offset, rank, "::128" if whole else "", listed((8,) + start)), image_of(out, span))


def multicast(t):
    """Checks multicast: each block of a cluster loads its slice of a tile for all of them, or for some."""
    for blocks in (2, 4):
        tensor = numbers((8 * blocks, 32), np.uint32)
        tile = tensor[:, 8:24]
        code = """mov.b16 %%h0, %d; mul.lo.u32 %%v, %%rank, 512; add.u32 %%v, %%v, %%s; mul.lo.u32 %%k, %%rank, 8;
cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%%v], [%%m, {8, %%k}], [%%b], %%h0;
""" % (2 ** blocks - 1)
        want = np.stack([image_of(tile, 64)] * blocks)
        load(t, "multicast_%d" % blocks, map_of("UINT32", tensor, (16, 8), 64), tensor, code, want, blocks)
    # Block 0 loads for 1 and 3, block 1 for 0 and 2.
    tensor = numbers((16, 16), np.uint32)
    code = """setp.gt.u32 %q, %rank, 1; @%q bra WAIT; sub.u32 %v, 2, %rank; mul.lo.u32 %v, %v, 5; cvt.u16.u32 %h0, %v; mul.lo.u32 %k, %rank, 8;
cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%s], [%m, {0, %k}], [%b], %h0;
"""
    want = np.stack([image_of(tensor[8 * (1 - b % 2):8 * (1 - b % 2) + 8], 0) for b in range(4)])
    load(t, "multicast_masks", map_of("UINT32", tensor, (16, 8)), tensor, code, want, 4)


def bulk(t, n):
    """Checks copies without a map: reductions into global memory and into another block, copies to it, masks of
    bytes."""
    for ty, dtype, ops in (("u32", np.uint32, ("add", "min", "max", "inc", "dec")), ("s32", np.int32, ("min", "max")), ("u64", np.uint64, ("add",)),
                           ("b32", np.uint32, ("and", "or", "xor")), ("f32", np.float32, ("add",)), ("f64", np.float64, ("add",)),
                           ("f16", np.float16, ("add.noftz", "min", "max"))):
        for op in ops:
            signed = np.dtype(dtype).kind != "u"
            old, new = (numbers(128 // np.dtype(dtype).itemsize, dtype, -50 if signed else 0, 50) for _ in range(2))
            t.kernel("bulk_reduce_%s_%s" % (op.replace(".", "_"), ty), [".param .align 64 .b8 map[8]", ".param .u64 io", ".param .u64 to"],
                     STORE % {"shared": 128, "words": 32, "code": "ld.param.u64 %%i, [to]; cp.reduce.async.bulk.global.shared::cta.bulk_group"
                              ".%s.%s [%%i], [%%s], 128;" % (op, ty)}, [1], [32],
                     [{"name": "map", "bytes": 8, "align": 64, "fields": []}, buffer("io", new.view(np.uint32)),
                      buffer("to", old, reduction(op.split(".")[0], old, new))], ".reqntid 32")
    words = random.integers(0, 2 ** 32, (2, 32), dtype=np.uint64).astype(np.uint32)
    for name, code, want in (
            ("copy", "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%v], [%s], 128, [%k];", words[::-1]),
            ("add", "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%v], [%s], 128, [%k];",
             np.stack([words[0] + words[1]] * 2))):
        # Source first, destination 128 bytes further, which starts as a copy of the source.
        t.kernel("cluster_" + name, [".param .u64 io", ".param .u64 out"], """
.shared .align 128 .b8 smem[256]; .shared .align 8 .b64 bar; .reg .b32 %%t, %%s, %%b, %%v, %%k, %%rank, %%x; .reg .b64 %%io, %%out, %%i; .reg .pred %%one, %%q;
mov.u32 %%t, %%tid.x; mov.u32 %%s, smem; mov.u32 %%b, bar; mov.u32 %%rank, %%cluster_ctarank; ld.param.u64 %%io, [io]; ld.param.u64 %%out, [out];
setp.eq.u32 %%one, %%t, 0; mad.lo.u32 %%x, %%rank, 32, %%t; mul.wide.u32 %%i, %%x, 4; add.u64 %%io, %%io, %%i; add.u64 %%out, %%out, %%i;
ld.global.b32 %%v, [%%io]; mad.lo.u32 %%k, %%t, 4, %%s; st.shared.b32 [%%k], %%v; st.shared.b32 [%%k+128], %%v;
@%%one mbarrier.init.shared::cta.b64 [%%b], 1; @%%one fence.mbarrier_init.release.cluster; fence.proxy.async; %s
@!%%one bra W; mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%b], 128; xor.b32 %%x, %%rank, 1; mapa.shared::cluster.u32 %%v, %%s, %%x;
add.u32 %%v, %%v, 128; mapa.shared::cluster.u32 %%k, %%b, %%x; %s
W: mbarrier.try_wait.parity.shared::cta.b64 %%q, [%%b], 0; @!%%q bra W; mad.lo.u32 %%k, %%t, 4, %%s; ld.shared.b32 %%v, [%%k+128]; st.global.b32 [%%out], %%v; %s
""" % (MEET, code, MEET), [2], [32], [buffer("io", words), buffer("out", None, np.ascontiguousarray(want))],
                 ".reqntid 32 .explicitcluster .reqnctapercluster 2", cluster=[2, 1, 1])
    old, new = (random.integers(0, 256, 128).astype(np.uint8) for _ in range(2))
    keep = np.array([0x5A0F >> (k % 16) & 1 for k in range(128)], bool)
    n.kernel("bulk_byte_mask", [".param .align 64 .b8 map[8]", ".param .u64 io", ".param .u64 to"],
             STORE % {"shared": 128, "words": 32, "code": "ld.param.u64 %i, [to]; mov.b16 %h0, 0x5A0F;"
                      " cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%i], [%s], 128, %h0;"}, [1], [32],
             [{"name": "map", "bytes": 8, "align": 64, "fields": []}, buffer("io", new.view(np.uint32)),
              buffer("to", old, np.where(keep, new, old))], ".reqntid 32")


def tests():
    t, n = Suite("sm_90", "8.6"), Suite("sm_100a", "8.6")
    tiled_loads(t)
    stores(t)
    reductions(t)
    im2col(t)
    im2col_wide(n)
    multicast(t)
    rows_by_index(n)
    bulk(t, n)
    return [t, n]

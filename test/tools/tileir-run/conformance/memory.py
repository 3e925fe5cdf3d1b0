# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads, stores, atomics, cp.async, mbarrier, bulk and tensor copies (PTX ISA, data movement, asynchronous copies)."""
import numpy as np

from suite import Suite
from rawcase import buffer, tensor_map  # noqa: I100, its folder is known from here on

random = np.random.default_rng(17)
U32 = 2 ** 32


def words(count):
    return random.integers(0, U32, count, dtype=np.uint64).astype(np.uint32)


def load_tests(t):
    a = words(32)
    base = "ld.param.u64 %x0, [arg_a]; mad.wide.u32 %x0, %t, 4, %x0; "
    for ty, fn in (("u8", lambda v: v & 255), ("s8", lambda v: ((v & 255) ^ 128) - 128), ("u16", lambda v: v & 65535),
                   ("s16", lambda v: ((v & 65535) ^ 32768) - 32768)):
        want = np.array([fn(int(v)) % U32 for v in a], np.uint32)
        t.warp("ld_" + ty, base + "ld.global.%s %%d0_0, [%%x0];" % ty, [a], [want])
    for count in (2, 4):
        wide = words(32 * count)
        t.warp("ld_v%d" % count, "ld.param.u64 %%x0, [arg_a]; mad.wide.u32 %%x0, %%t, %d, %%x0; ld.global.v%d.b32 {%s}, [%%x0];"
               % (4 * count, count, ", ".join("%%d0_%d" % k for k in range(count))),
               [wide.reshape(count, 32)], [np.ascontiguousarray(wide.reshape(32, count).T)])
    t.warp("shared_generic_local", """.local .align 8 .b8 mine[8]; .reg .b64 %g<4>;
mad.lo.u32 %r0, %t, 4, %s; cvt.u64.u32 %g0, %r0; cvta.shared.u64 %g0, %g0; st.b32 [%g0], %a0; ld.shared.b32 %r1, [%r0];
mov.u64 %g1, mine; cvta.local.u64 %g2, %g1; st.local.b32 [%g1+4], %r1; ld.b32 %r2, [%g2+4];
isspacep.shared %p0, %g0; isspacep.local %p1, %g2; isspacep.global %p2, %g0; selp.b32 %r3, 1, 0, %p0; selp.b32 %r4, 2, 0, %p1;
selp.b32 %r5, 4, 0, %p2; add.u32 %r3, %r3, %r4; add.u32 %r3, %r3, %r5; add.u32 %d0_0, %r2, %r3;""",
           [a], [a + np.uint32(3)], shared=128)


def atomic_tests(t, n):
    v = words(32)
    signed = v.view(np.int32)
    for space in ("global", "shared"):
        for op, ty, start, want in (
                ("add", "u32", 7, (7 + int(v.sum(dtype=np.uint64))) % U32), ("and", "b32", U32 - 1, int(np.bitwise_and.reduce(v))),
                ("or", "b32", 1, int(np.bitwise_or.reduce(v)) | 1), ("xor", "b32", 5, int(np.bitwise_xor.reduce(v)) ^ 5),
                ("min", "u32", U32 - 1, int(v.min())), ("max", "u32", 0, int(v.max())),
                ("min", "s32", 2 ** 31 - 1, int(signed.min()) % U32), ("max", "s32", 2 ** 31, int(signed.max()) % U32),
                ("inc", "u32", 0, 32 % 7), ("dec", "u32", 3, (3 - 32) % 7)):
            value = "6" if op in ("inc", "dec") else "%a0"
            address = "[%x0]" if space == "global" else "[%s]"
            t.kernel("atom_%s_%s_%s" % (space, op, ty), [".param .u64 a", ".param .u64 out"], """
.shared .align 8 .b8 smem[8]; .reg .b32 %%r<4>, %%t, %%s, %%a0; .reg .b64 %%x<4>; .reg .pred %%p<2>;
mov.u32 %%t, %%tid.x; mov.u32 %%s, smem; ld.param.u64 %%x1, [a]; ld.param.u64 %%x0, [out]; mad.wide.u32 %%x1, %%t, 4, %%x1;
ld.global.b32 %%a0, [%%x1]; setp.eq.u32 %%p0, %%t, 0; @%%p0 st.shared.b32 [%%s], %d; bar.sync 0;
atom.%s.%s.%s %%r0, %s, %s; bar.sync 0; %s""" % (start, space, op, ty, address, value,
                "" if space == "global" else "ld.shared.b32 %r1, [%s]; @%p0 st.global.b32 [%x0], %r1;"),
                [1], [32], [buffer("a", v), buffer("out", np.array([start], np.uint32), np.array([want], np.uint32))])
    f = random.integers(-50, 50, 32)
    for ty, dtype, _prefix in (("f32", np.float32, ""), ("f64", np.float64, "")):
        bits = 8 * np.dtype(dtype).itemsize
        t.kernel("atom_add_" + ty, [".param .u64 a", ".param .u64 out"], """
.reg .b32 %%t; .reg .b%d %%v, %%o; .reg .b64 %%x<2>; mov.u32 %%t, %%tid.x; ld.param.u64 %%x0, [a]; ld.param.u64 %%x1, [out];
mad.wide.u32 %%x0, %%t, %d, %%x0; ld.global.b%d %%v, [%%x0]; atom.global.add.%s %%o, [%%x1], %%v;""" % (bits, bits // 8, bits, ty),
                 [1], [32], [buffer("a", f.astype(dtype)), buffer("out", np.array([1], dtype), np.array([1 + f.sum()], dtype))])
    t.warp("atom_cas_exch", """mad.lo.u32 %r0, %t, 4, %s; st.shared.b32 [%r0], %t; bar.sync 0;
atom.shared.cas.b32 %r1, [%r0], 5, 77; atom.shared.exch.b32 %r2, [%r0], %a0; add.u32 %d0_0, %r1, %r2;""", [v],
           [np.array([k + (77 if k == 5 else k) for k in range(32)], np.uint32)], shared=128)
    quad = random.integers(-9, 9, (32, 4)).astype(np.float32)
    n.kernel("red_v4_f32", [".param .u64 a", ".param .u64 out"], """.reg .b32 %t; .reg .f32 %f<4>; .reg .b64 %x<2>;
mov.u32 %t, %tid.x; ld.param.u64 %x0, [a]; ld.param.u64 %x1, [out]; mad.wide.u32 %x0, %t, 16, %x0;
ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%x0]; red.global.add.v4.f32 [%x1], {%f0, %f1, %f2, %f3};""",
             [1], [32], [buffer("a", quad), buffer("out", np.zeros(4, np.float32), quad.sum(axis=0))])


def async_tests(t, n):
    a = words(128)
    for size in (4, 8, 16):
        lanes = 128 // (size // 4)
        for used in (size, size // 2, 0):
            image = a.view(np.uint8).reshape(lanes, size).copy()
            image[:, used:] = 0
            want = np.zeros((4, 32), np.uint32)
            want.reshape(-1)[:] = image.reshape(-1).view(np.uint32)
            t.warp("cp_async_%d_of_%d" % (used, size), """ld.param.u64 %%x0, [arg_a]; mov.u32 %%r3, %%t;
L: mad.wide.u32 %%x1, %%r3, %d, %%x0; mad.lo.u32 %%r0, %%r3, %d, %%s; mov.u32 %%r1, %d;
cp.async.ca.shared.global [%%r0], [%%x1], %d, %%r1; add.u32 %%r3, %%r3, 32; setp.lt.u32 %%p0, %%r3, %d; @%%p0 bra L;
cp.async.commit_group; cp.async.wait_group 0; bar.sync 0; mad.lo.u32 %%r0, %%t, 4, %%s;
%s""" % (size, size, used, size, lanes, "".join("ld.shared.b32 %%d0_%d, [%%r0+%d];" % (k, 128 * k) for k in range(4))),
                   [a.reshape(4, 32)], [want], shared=512)
    one = words(32)
    t.warp("mbarrier_cp_async", """setp.eq.u32 %p0, %t, 0; @%p0 mbarrier.init.shared.b64 [%s], 32; bar.sync 0;
ld.param.u64 %x0, [arg_a]; mad.wide.u32 %x0, %t, 4, %x0; mad.lo.u32 %r0, %t, 4, %s; cp.async.ca.shared.global [%r0+64], [%x0], 4;
cp.async.mbarrier.arrive.noinc.shared.b64 [%s]; W: mbarrier.test_wait.parity.shared.b64 %p1, [%s], 0; @!%p1 bra W;
sub.u32 %r1, 31, %t; mad.lo.u32 %r1, %r1, 4, %s; ld.shared.b32 %d0_0, [%r1+64];""", [one], [one[::-1]], shared=192)
    t.warp("mbarrier_tokens", """setp.eq.u32 %p0, %t, 0; @%p0 mbarrier.init.shared.b64 [%s], 32; bar.sync 0;
mbarrier.arrive.shared.b64 %x0, [%s]; W: mbarrier.test_wait.shared.b64 %p1, [%s], %x0; @!%p1 bra W;
mbarrier.arrive.shared.b64 %x1, [%s]; V: mbarrier.test_wait.shared.b64 %p1, [%s], %x1; @!%p1 bra V;
mbarrier.test_wait.parity.shared.b64 %p2, [%s], 1; mbarrier.test_wait.parity.shared.b64 %p3, [%s], 0;
selp.b32 %r0, 1, 0, %p2; selp.b32 %r1, 2, 0, %p3; add.u32 %d0_0, %r0, %r1;""", [], [np.ones(32, np.uint32)], shared=8)
    data = words(256)
    n.warp("bulk_round_trip", """.reg .b64 %y<2>; setp.eq.u32 %p0, %t, 0; @%p0 mbarrier.init.shared.b64 [%s+1024], 1;
@%p0 fence.mbarrier_init.release.cluster; bar.sync 0; ld.param.u64 %y0, [arg_a]; ld.param.u64 %y1, [arg_d0_];
@!%p0 bra W; mbarrier.arrive.expect_tx.shared.b64 _, [%s+1024], 1024;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%y0], 1024, [%s+1024];
W: mbarrier.try_wait.parity.shared.b64 %p1, [%s+1024], 0; @!%p1 bra W; @!%p0 bra DONE;
cp.async.bulk.global.shared::cta.bulk_group [%y1], [%s], 1024; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
DONE: bar.sync 0; mad.wide.u32 %y1, %t, 4, %y1;""" + "".join("ld.global.b32 %%d0_%d, [%%y1+%d];" % (k, 128 * k) for k in range(8)),
           [data.reshape(8, 32)], [data.reshape(8, 32)], shared=1032)


def swizzled(at, span):
    return at ^ ((at >> 7 & (span // 16 - 1)) << 4) if span else at


def tensor_tests(n):
    """Checks boxes at several positions of a tensor: fill outside, each swizzle, each width of an element."""
    rows, columns = 12, 40
    for dtype, driver, swizzle, start in (
            (np.uint8, "UINT8", 32, (0, 0)), (np.uint16, "UINT16", 0, (-8, -2)), (np.uint16, "UINT16", 64, (8, 6)),
            (np.float16, "FLOAT16", 32, (32, 9)), (np.uint32, "UINT32", 128, (16, 8)), (np.uint32, "UINT32", 64, (-4, 2)),
            (np.float32, "FLOAT32", 128, (36, -5)), (np.uint64, "UINT64", 128, (2, 1))):
        size = np.dtype(dtype).itemsize
        columns_here = columns if size > 1 else 48
        box = ((swizzle or 32) // size, 8)
        source = random.integers(0, 100, (rows, columns_here)).astype(dtype)
        tile = np.zeros((box[1], box[0]), dtype)
        for y in range(box[1]):
            for x in range(box[0]):
                r, c = start[1] + y, start[0] + x
                if 0 <= r < rows and 0 <= c < columns_here:
                    tile[y, x] = source[r, c]
        flat = tile.reshape(-1).view(np.uint8)
        image = np.zeros(len(flat), np.uint8)
        for at in range(len(flat)):
            image[swizzled(at, swizzle)] = flat[at]
        count = len(flat) // 4
        n.kernel("tensor_load_%s_%s_swizzle%d_%d_%d" % (driver, np.dtype(dtype).name, swizzle, start[0] % 100, start[1] % 100),
                 [".param .align 64 .b8 map[128]", ".param .u64 out"], """
.shared .align 1024 .b8 smem[2048]; .shared .align 8 .b64 bar; .reg .b32 %%r<8>, %%t, %%s, %%b; .reg .b64 %%x<4>; .reg .pred %%p<4>;
mov.u32 %%t, %%tid.x; mov.u32 %%s, smem; mov.u32 %%b, bar; mov.b64 %%x0, map; cvta.param.u64 %%x0, %%x0; ld.param.u64 %%x1, [out];
setp.eq.u32 %%p0, %%t, 0; @%%p0 mbarrier.init.shared.b64 [%%b], 1; @%%p0 fence.mbarrier_init.release.cluster; bar.sync 0;
@!%%p0 bra W; mbarrier.arrive.expect_tx.shared.b64 _, [%%b], %d;
cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%%s], [%%x0, {%d, %d}], [%%b];
W: mbarrier.try_wait.parity.shared.b64 %%p1, [%%b], 0; @!%%p1 bra W; mov.u32 %%r3, %%t;
L: setp.lt.u32 %%p2, %%r3, %d; @!%%p2 bra DONE; mad.lo.u32 %%r0, %%r3, 4, %%s; ld.shared.b32 %%r1, [%%r0];
mad.wide.u32 %%x2, %%r3, 4, %%x1; st.global.b32 [%%x2], %%r1; add.u32 %%r3, %%r3, 32; bra L;
DONE:""" % (len(flat), start[0], start[1], count), [1], [32],
                 [tensor_map("map", "tensor", driver, [columns_here, rows], [columns_here * size], box,
                             swizzle="%dB" % swizzle if swizzle else "none"),
                  buffer("out", None, image.view(np.uint32))], ".reqntid 32", buffers=[buffer("tensor", source)])


def tests():
    t, n = Suite("sm_80", "8.3"), Suite("sm_90", "8.3")
    load_tests(t)
    atomic_tests(t, n)
    async_tests(t, n)
    tensor_tests(n)
    return [t, n]

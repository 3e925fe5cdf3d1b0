# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cooperation of the lanes of a warp, barriers, clusters (PTX ISA, parallel synchronization)."""
import numpy as np

from suite import Suite

lane = np.arange(32)
random = np.random.default_rng(3)


def shuffle(mode, a, b, c):
    out, valid = a.copy(), np.zeros(32, np.uint32)
    for n in range(32):
        s, k, by = c >> 8 & 31, c & 31, b & 31
        low = n & s
        high = low | (k & ~s)
        j = {"up": n - by, "down": n + by, "bfly": n ^ by, "idx": low | (by & ~s)}[mode]
        ok = j >= high if mode == "up" else j <= high
        out[n], valid[n] = a[j if ok else n], ok
    return out, valid


def tests():
    t = Suite("sm_90", "8.3")
    a = random.integers(0, 2 ** 32, 32, dtype=np.uint64).astype(np.uint32)
    for mode in ("up", "down", "bfly", "idx"):
        for by, clamp in ((1, 0), (3, 31), (5, 0x1807), (9, 0x101F), (31, 31), (2, 0x1C03)):
            if mode == "up":
                clamp &= ~31
            out, ok = shuffle(mode, a, by, clamp)
            t.warp("shfl_%s_%d_%x" % (mode, by, clamp), "shfl.sync.%s.b32 %%d0_0|%%p0, %%a0, %d, %d, -1; selp.b32 %%d1_0, 1, "
                   "0, %%p0;" % (mode, by, clamp), [a], [out, ok])
    bits = (a >> 3 & 1).astype(bool)
    ballot = np.uint32(sum(int(b) << k for k, b in enumerate(bits)))
    prefix = "and.b32 %r0, %a0, 8; setp.ne.b32 %p1, %r0, 0;"
    t.warp("vote_ballot", prefix + "vote.sync.ballot.b32 %d0_0, %p1, -1;", [a], [np.full(32, ballot, np.uint32)])
    half = np.where(lane < 16, ballot & 0xFFFF, ballot & 0xFFFF0000).astype(np.uint32)
    t.warp("vote_ballot_halves", prefix + "setp.lt.u32 %p2, %lane, 16; selp.b32 %r1, 0xFFFF, 0xFFFF0000, %p2; "
           "vote.sync.ballot.b32 %d0_0, %p1, %r1;", [a], [half])
    for op, value in (("all", bits.all()), ("any", bits.any()), ("uni", bits.all() or not bits.any())):
        t.warp("vote_" + op, prefix + "vote.sync.%s.pred %%p3, %%p1, -1; selp.b32 %%d0_0, 1, 0, %%p3;" % op, [a],
               [np.full(32, int(value), np.uint32)])
    few = (a & 3).astype(np.uint32)
    peers = np.array([sum(int(few[k] == v) << k for k in range(32)) for v in few], np.uint32)
    t.warp("match_any", "match.any.sync.b32 %d0_0, %a0, -1;", [few], [peers])
    t.warp("match_all", "match.all.sync.b32 %d0_0|%p0, %a0, -1; selp.b32 %d1_0, 1, 0, %p0;", [few],
           [np.zeros(32, np.uint32), np.zeros(32, np.uint32)])
    same = np.full(32, 77, np.uint32)
    t.warp("match_all_equal", "match.all.sync.b32 %d0_0|%p0, %a0, -1; selp.b32 %d1_0, 1, 0, %p0;", [same],
           [np.full(32, 2 ** 32 - 1, np.uint32), np.ones(32, np.uint32)])
    s = a.view(np.int32)
    for op, ty, value in (("add", "u32", int(a.sum(dtype=np.uint64)) % 2 ** 32), ("min", "s32", int(s.min())),
                          ("max", "s32", int(s.max())), ("min", "u32", int(a.min())), ("max", "u32", int(a.max())),
                          ("and", "b32", int(np.bitwise_and.reduce(a))), ("or", "b32", int(np.bitwise_or.reduce(a))),
                          ("xor", "b32", int(np.bitwise_xor.reduce(a)))):
        t.warp("redux_%s_%s" % (op, ty), "redux.sync.%s.%s %%d0_0, %%a0, -1;" % (op, ty), [a],
               [np.full(32, value % 2 ** 32, np.uint32)])
    t.warp("elect_one", "elect.sync _|%p0, -1; selp.b32 %r0, 1, 0, %p0; redux.sync.add.u32 %d0_0, %r0, -1;", [],
           [np.ones(32, np.uint32)])
    t.warp("activemask", "activemask.b32 %d0_0;", [], [np.full(32, 2 ** 32 - 1, np.uint32)])
    # The two sides of a branch shuffle with each other.
    other = a[lane ^ 1]
    t.warp("shfl_from_two_places", "and.b32 %r0, %lane, 1; setp.ne.b32 %p0, %r0, 0; @%p0 bra ODD;\n"
           "shfl.sync.bfly.b32 %d0_0, %a0, 1, 31, -1; bra MET;\nODD: shfl.sync.bfly.b32 %r1, %a0, 1, 31, -1; "
           "not.b32 %d0_0, %r1;\nMET: bar.warp.sync -1;", [a], [np.where(lane & 1, ~other, other)])
    v = random.integers(0, 2 ** 32, 128, dtype=np.uint64).astype(np.uint32)
    t.warp("bar_red", "and.b32 %r0, %a0, 1; setp.ne.b32 %p0, %r0, 0; barrier.cta.red.popc.aligned.u32 %d0_0, 0, %p0; "
           "barrier.cta.red.and.aligned.pred %p1, 1, %p0; selp.b32 %d1_0, 1, 0, %p1; barrier.cta.red.or.aligned.pred %p2, 2, "
           "%p0; selp.b32 %d2_0, 1, 0, %p2;", [v], [np.full(128, (v & 1).sum(), np.uint32),
                                                    np.full(128, int((v & 1).all()), np.uint32),
                                                    np.full(128, int((v & 1).any()), np.uint32)], block=128)
    t.warp("bar_exchange", "mad.lo.u32 %r0, %t, 4, %s; st.shared.b32 [%r0], %a0; bar.sync 3; sub.u32 %r1, 127, %t; "
           "mad.lo.u32 %r0, %r1, 4, %s; ld.shared.b32 %d0_0, [%r0];", [v], [v[::-1]], block=128, shared=512)
    masks = {"eq": 1 << lane, "lt": (1 << lane) - 1, "le": (2 << lane) - 1, "ge": 2 ** 32 - (1 << lane),
             "gt": 2 ** 32 - (2 << lane)}
    t.warp("special_registers", "".join("mov.u32 %%d%d_0, %%lanemask_%s;" % (k, n) for k, n in enumerate(masks)) +
           "mov.u32 %d5_0, %ntid.x; mov.u32 %d6_0, %nctaid.y; mov.u32 %d7_0, %tid.x;", [],
           [(m % 2 ** 32).astype(np.uint32) for m in masks.values()] +
           [np.full(32, 32, np.uint32), np.ones(32, np.uint32), lane.astype(np.uint32)])

    # Clusters: every block reads its neighbour's shared memory.
    n = 4
    want = np.array([(b // n * n + (b + 1) % n) * 100 + x for b in range(8) for x in range(32)], np.uint32)
    from rawcase import buffer
    t.kernel("cluster_neighbour", [".param .u64 out"], """.shared .align 8 .b8 smem[128];
.reg .b32 %r<16>; .reg .b64 %x<4>;
mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %cluster_ctarank; mov.u32 %r3, smem;
mad.lo.u32 %r4, %r1, 100, %r0; mad.lo.u32 %r5, %r0, 4, %r3; st.shared.b32 [%r5], %r4;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
add.u32 %r6, %r2, 1; and.b32 %r6, %r6, 3; mapa.shared::cluster.u32 %r7, %r5, %r6; ld.shared::cluster.b32 %r8, [%r7];
getctarank.shared::cluster.u32 %r9, %r7; sub.u32 %r9, %r9, %r6; add.u32 %r8, %r8, %r9;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
ld.param.u64 %x0, [out]; mad.lo.u32 %r10, %r1, 32, %r0; mul.wide.u32 %x1, %r10, 4; add.u64 %x0, %x0, %x1; st.global.b32 [%x0], %r8;""",
             [8], [32], [buffer("out", None, want)], ".reqntid 32 .explicitcluster .reqnctapercluster 4, 1, 1")

    b = Suite("sm_100a", "8.8")
    f = random.standard_normal(32).astype(np.float32)
    for op, value in (("min", f.min()), ("max", f.max())):
        b.warp("redux_%s_f32" % op, "redux.sync.%s.f32 %%d0_0, %%a0, -1;" % op, [f], [np.full(32, value, np.float32)])
        b.warp("redux_%s_abs_f32" % op, "redux.sync.%s.abs.f32 %%d0_0, %%a0, -1;" % op, [f],
               [np.full(32, getattr(np.abs(f), op)(), np.float32)])
    return [t, b]

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""T-1: three encoders against the recorded tensor maps: this one, the host object, the sidecar's reader in the
runner."""

import launchabi as abi


def swizzle_name(vector):
    if vector["atomicity"]:
        return ["", "128B_ATOM_32B", "128B_ATOM_32B_FLIP_8B", "128B_ATOM_64B"][vector["atomicity"]]
    return vector["swizzle"]


def test(tools):
    vectors = abi.data(tools, "tensormap-vectors.json")["vectors"]
    abi.check(len(vectors) == 290, "%d vectors" % len(vectors))
    groups = {}
    for v in vectors:
        v["address"] = int(v["address"], 16)
        own = abi.Map(v["elem"], v["address"], v["dims"], v["strides"], v["box"], v["elem_strides"], v["swizzle"], v["atomicity"])
        abi.check(own.encode() == bytes.fromhex(v["map"]), "the test's own encoder: %s" % v)
        key = (v["elem"], tuple(v["box"]), tuple(v["elem_strides"]), swizzle_name(v))
        groups.setdefault(key, []).append(v)

    # One kernel for each shape: base, extents and strides are its arguments, once as i32 where they fit and once as i64.
    kernels, calls = [], []
    for wide in (False, True):
        for number, (key, members) in enumerate(sorted(groups.items())):
            element, box, steps, swizzle = key
            rank = len(box)
            name = "k%d_%d" % (number, wide)
            extent = "i64" if wide else "i32"
            types = ["!llvm.ptr<1>"] + [extent] * rank + ["i64"] * (rank - 1)
            more = {"swizzle": swizzle}
            if any(s != 1 for s in steps):
                more["element_strides"] = "array<i64: %s>" % ", ".join(map(str, steps))
            kernels.append(abi.kernel(name, types, [abi.recipe(
                element, "arg0", ["arg%d" % (1 + d) for d in range(rank)],
                ["arg%d" % (1 + rank + d) for d in range(rank - 1)], box, **more)]))
            offsets, _, maps, size = abi.layout("sm_90", [abi.SIZES[t] for t in types], maps=1)
            for v in members:
                values = [v["address"]] + v["dims"] + v["strides"]
                if not wide and max(v["dims"]) >= 1 << 32:
                    continue
                block = abi.random_block(size, len(calls))
                for t, at, value in zip(types, offsets, values):
                    block[at:at + abi.SIZES[t]] = value.to_bytes(abi.SIZES[t], "little")
                calls.append((name, bytes(block), maps[0], v))
    caller = tools.caller(tools.build(abi.module(kernels), "vectors.cubin"))
    for name, block, _, _ in calls:
        caller.add(name, block)
    for (name, block, at, v), (result, after) in zip(calls, caller.run()):
        abi.check(result == 0, "%s returned %d" % (name, result))
        want = block[:at] + bytes.fromhex(v["map"]) + block[at + 128:]
        abi.check(after == want, "%s: %s\n got  %s\n want %s" % (name, v, after[at:at + 64].hex(), v["map"][:128]))
    print("%d vectors, %d kernels, %d calls agree" % (len(vectors), len(kernels), len(calls)))


abi.main(test)

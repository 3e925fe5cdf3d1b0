# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""T-2: recorded parameter blocks against the compiler's and against the cubins of ptxas."""

import json
import launchabi as abi

BY_SIZE = {8: "i64", 4: "i32", 2: "i16", 1: "i8"}


def chip(sm):
    return sm if int(sm[3:]) < 90 else sm + "a"


def test(tools):
    layouts = abi.data(tools, "param-layouts.json")["layouts"]
    abi.check(len(layouts) == 155, "%d layouts" % len(layouts))
    by_target = {}
    for l in layouts:
        by_target.setdefault(l["sm"], []).append(l)
    for sm, members in sorted(by_target.items()):
        kernels = []
        for i, l in enumerate(members):
            types = [BY_SIZE[size] for _, size in l["user"]]
            maps = [abi.recipe("u8", "arg0", ["16"], [], [16])] * len(l["maps"])
            pointer = next((k for k, t in enumerate(types) if t == "i64"), 0)
            maps = [m.replace("arg0", "arg%d" % pointer) for m in maps]
            workspace = l["workspace"] is not None
            attributes = "nvvm.reqntid = array<i32: %d, %d, %d>" % tuple(l["reqntid"])
            if l["cluster"]:
                attributes += ", nvvm.cluster_dim = array<i32: %d, %d, %d>" % tuple(l["cluster"])
            if workspace:
                attributes += ", tileir.device_maps = 1 : i32"
            kernels.append(abi.kernel("k%d" % i, types, maps, workspace, attributes))
            own = abi.layout(sm, [size for _, size in l["user"]], workspace, len(maps))
            abi.check(own == ([o for o, _ in l["user"]], l["workspace"], l["maps"], l["param_bytes"]),
                      "the test's own rule: %s %s" % (l, own))
        sidecar = tools.path(sm + ".json")
        cubin = tools.build(abi.module(kernels, chip(sm)), sm + ".cubin", ["--launch-sidecar=" + sidecar])
        with open(cubin, "rb") as f:
            elf = abi.Elf(f.read())
        with open(sidecar) as f:
            described = {k["name"]: k for k in json.load(f)["kernels"]}
        for i, l in enumerate(members):
            made, said = elf.kernel("k%d" % i), described["k%d" % i]
            where = "%s %s" % (sm, l["kernel"])
            abi.check(made["bank_offset"] == l["bank_offset"] and made["bank_size"] == l["param_bytes"] == made["bytes"],
                      "%s: %s" % (where, made))
            abi.check([made["parameters"][k] for k in sorted(made["parameters"])] == [tuple(u) for u in l["user"]],
                      "%s: visible %s" % (where, made["parameters"]))
            abi.check(made["hidden_form"] == bool(l["maps"] or l["workspace"] is not None), "%s: form of KPARAM_INFO" % where)
            abi.check(made["block"] == tuple(l["reqntid"]), "%s: block" % where)
            offsets = {kind: [p["offset"] for p in said["parameters"] if p["kind"] == kind]
                       for kind in ("visible", "workspace", "tensormap")}
            abi.check(offsets["visible"] == [o for o, _ in l["user"]] and offsets["tensormap"] == l["maps"] and
                      offsets["workspace"] == ([] if l["workspace"] is None else [l["workspace"]]) and
                      said["block_bytes"] == l["param_bytes"], "%s: sidecar %s" % (where, said))
        print("%s: %d layouts agree" % (sm, len(members)))


abi.main(test)

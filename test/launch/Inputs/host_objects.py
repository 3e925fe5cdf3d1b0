# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""T-3, T-8: containers, tables and entry points of host objects, for every machine and calling convention."""

import os
import re
import struct

import launchabi as abi

# Sections, relocation numbers and the model of each machine, launch-abi.md 5.1 and LA-20, LA-21.
SECTIONS = {62: {".ltext", ".lbss", ".lrodata", ".data.rel.ro", ".ldata.rel.ro"},
            183: {".text", ".bss", ".rodata", ".data.rel.ro"}}
RELOCATIONS = {62: {1}, 183: {257, 275, 277, 311, 312}}


def kernels(sms="sm_90a"):
    map_recipe = abi.recipe("u8", "arg0", ["16"], [], [16])
    return abi.module([
        abi.kernel("first", ["!llvm.ptr<1>", "i32"], [map_recipe], True,
                   "nvvm.reqntid = array<i32: 128, 1, 1>, tileir.device_maps = 1 : i32"),
        abi.kernel("second", []),
        abi.kernel("third", ["!llvm.ptr<1>"], [map_recipe, map_recipe], True,
                   "nvvm.reqntid = array<i32: 256, 1, 1>, tileir.device_maps = 3 : i32"),
    ], sms)


def host_object(cubin):
    with open(cubin, "rb") as f:
        return abi.Elf(f.read()).sections[".nv.host"]


def check_container(section, machine):
    abi.check(section["type"] == 0x70000087 and section["flags"] == 0 and section["align"] == 8, "section .nv.host: %s" % section["type"])
    elf = abi.Elf(section["data"])
    abi.check(elf.type == 1 and elf.machine == machine, "type %d machine %d" % (elf.type, elf.machine))
    abi.check(struct.unpack_from("<H", section["data"], 56)[0] == 0, "program headers")
    for s in elf.list:
        if not s["flags"] & 2 or not s["size"]:
            continue
        # LLVM appends a symbol's name to the section that it creates for it.
        abi.check(any(s["name"] == n or s["name"].startswith(n + ".") for n in SECTIONS[machine]), "LA-23: section " + s["name"])
        abi.check(not s["flags"] & (0x10 | 0x400 | 0x200), "LA-23: mergeable, TLS or grouped section " + s["name"])
    for s in elf.list:
        if s["type"] == 4 and elf.list[s["info"]]["flags"] & 2:
            for at in range(0, len(s["data"]), 24):
                kind = struct.unpack_from("<Q", s["data"], at + 8)[0] & 0xFFFFFFFF
                abi.check(kind in RELOCATIONS[machine], "relocation %d in %s" % (kind, s["name"]))
    symbols = elf.sections[".symtab"]
    names = elf.list[symbols["link"]]["data"]
    defined, undefined, sizes = set(), set(), {}
    for at in range(24, len(symbols["data"]), 24):
        name, info, _, index, _, size = struct.unpack_from("<IBBHQQ", symbols["data"], at)
        text = names[name:names.index(b"\0", name)].decode()
        sizes[text] = size
        if index == 0:
            undefined.add(text)
        elif info >> 4:
            defined.add((text, info & 15))
    abi.check(defined == {("__CUDA_TILEIR_ON_PRE_LOAD", 2), ("__CUDA_TILEIR_CALLBACKS", 1)}, "LA-23: exported %s" % defined)
    abi.check(undefined <= {"_GLOBAL_OFFSET_TABLE_"}, "LA-22: undefined %s" % undefined)
    abi.check(sizes["__CUDA_TILEIR_CALLBACKS"] == sizes["__CUDA_TILEIR_CALLBACKS_ON_PRE_LOAD"] == 72 and
              sizes["__CUDA_TILEIR_FUNC_CALLBACKS"] == 3 * 64, "sizes of the tables")
    return elf


def table(workspace, interface):
    return "2 0 %d 0 64 __CUDA_TILEIR_FUNC_CALLBACKS 3 %d __CUDA_TILEIR_ON_PRE_LOAD" % (workspace, interface)


def check_calls(report, workspace_per_sm, interface):
    """Checks the report of host-object-check, whose device has 132 SMs."""
    def expect(line):
        abi.check(line in report, "missing: %s\n%s" % (line, report))

    copy = "returns __CUDA_TILEIR_CALLBACKS_ON_PRE_LOAD\n  table: "
    expect("\ntable: " + table(224 * workspace_per_sm, interface))
    expect("pre-load version 0: result 1, 0 calls, no table")
    asked = "1 calls (device, attribute 16), " + copy + table(132 * workspace_per_sm, interface)
    plain = "0 calls, " + copy + table(0, interface)
    for version in (1, 2, 3, -1):
        old = version < 2 or interface == 1
        expect("pre-load version %d: result 0, %s" % (version, asked if old else plain))
    # LA-30: the callback's result is ignored, its number is not checked.
    expect("pre-load version 1, failing callback: result 0, 1 calls (device, attribute 16), " + copy +
           table(-3 * workspace_per_sm & abi.MASK64, interface))


def test(tools):
    pass_name = "tileir-emit-host-wrapper{host-triple=%s}"
    built = {}
    for triple, machine in (("x86_64-unknown-linux-gnu", 62), ("x86_64-pc-windows-elf", 62), ("aarch64-unknown-linux-gnu", 183),
                            ("aarch64-pc-windows-elf", 183), ("arm64ec-pc-windows-msvc", 183)):
        cubin = tools.build(kernels(), triple + ".cubin", pipeline=pass_name % triple)
        section = host_object(cubin)
        check_container(section, machine)
        # LA-20, LA-34: no vector registers; only the copy of the table is written.
        with open(tools.path("host.o"), "wb") as f:
            f.write(section["data"])
        abi.check(not re.search(r"%[xyz]mm|\bv[0-9]+\.|\b[dq][0-9]+,", tools.run(["llvm-objdump", "-d", "--no-show-raw-insn", tools.path("host.o")])),
                  "LA-20: %s uses vector registers" % triple)
        writable = [s["size"] for s in abi.Elf(section["data"]).list if s["flags"] & 3 == 3 and "rel.ro" not in s["name"]]
        abi.check(writable == [72], "LA-34: writable sections of %s: %s" % (triple, writable))
        built[triple] = section["data"]
        words = [tools["check"], cubin, "500"] + (["windows"] if "windows" in triple else [])
        report = tools.run(words)
        if machine == 62:
            # LA-30, LA-31, LA-36: 8192 bytes times the largest number of maps, 3, not the sum.
            check_calls(report, 8192 * 3, 2)
            abi.check("kernel 1 'second': __CUDA_TILEIR_FUNC_ON_ARGUMENTS_CHANGE_1, result 0, changed nothing" in report, "LA-32")
        else:
            abi.check("table: " + table(224 * 8192 * 3, 2) in report, "T-8: static table\n" + report)
            entries = "".join(" __CUDA_TILEIR_FUNC_NAME_%d 0 0 0 0 __CUDA_TILEIR_FUNC_ON_ARGUMENTS_CHANGE_%d 0 0" % (i, i)
                              for i in range(3))
            abi.check("entries:" + entries in report, "T-8: kernel entries\n" + report)
        # LA-25: the same bytes at every level, with and without debug information.
        for options in (["-O0"], ["-O1"], ["-O0", "--device-debug"], ["--lineinfo"]):
            again = host_object(tools.build(kernels(), "again.cubin", options, pipeline=pass_name % triple))["data"]
            abi.check(again == section["data"], "LA-25: %s %s" % (triple, options))
    abi.check(built["x86_64-pc-windows-elf"] != built["x86_64-unknown-linux-gnu"], "LA-24: one calling convention")

    # LA-37: an assembler without per-CTA memory: the object knows version 1 and gives a workspace to every driver.
    old = {"TILEIR_PTXAS_PATH": os.environ["TILEIR_FALLBACK_PTXAS_PATH"]}
    cubin = tools.build(kernels(), "old.cubin", environment=old)
    check_container(host_object(cubin), 62)
    check_calls(tools.run([tools["check"], cubin, "500"]), 8192 * 3, 1)

    # Recorded tables: common properties with ours, and the workspace of single kernels.
    recorded = abi.data(tools, "module-tables.json")["tables"]
    maps = {t["workspace_default"] // (224 * 8192) for t in recorded if t["functions"] == 1}
    for count in sorted(maps):
        one = abi.kernel("k", [], (), count > 0, "nvvm.reqntid = array<i32: 128, 1, 1>" +
                         (", tileir.device_maps = %d : i32" % count if count else ""))
        report = tools.run([tools["check"], tools.build(abi.module([one]), "one.cubin"), "500"])
        abi.check("\ntable: 2 0 %d 0 64 __CUDA_TILEIR_FUNC_CALLBACKS 1 2 " % (count * 224 * 8192) in report, report)
    for t in recorded:
        abi.check((t["version"], t["word1"], t["word3"], t["entry_size"]) == (2, 0, 0, 64), "recorded %s" % t)

    # LA-16: the 56 bytes of release 13.3, for every recorded module.
    headers = abi.data(tools, "launch-metadata.json")["headers"]
    done = {}
    for h in headers:
        key = (str(h["kernels"]), h["device_maps"], h["host_maps"])
        if key in done:
            continue
        parts = []
        for i, (_name, block, cluster) in enumerate(h["kernels"]):
            last = i == len(h["kernels"]) - 1
            attributes = "nvvm.reqntid = array<i32: %d, %d, %d>" % tuple(block)
            if cluster:
                attributes += ", nvvm.cluster_dim = array<i32: %d, %d, %d>" % tuple(cluster)
            device = h["device_maps"] if last else 0
            if device:
                attributes += ", tileir.device_maps = %d : i32" % device
            parts.append(abi.kernel("k%d" % i, ["!llvm.ptr<1>"],
                                    [abi.recipe("u8", "arg0", ["16"], [], [16])] * (h["host_maps"] if last else 0), device > 0, attributes))
        cubin = tools.build(abi.module(parts, h["sm"] + ("a" if int(h["sm"][3:]) >= 90 else "")), "meta.cubin", ["--launch-meta=full"])
        with open(cubin, "rb") as f:
            elf = abi.Elf(f.read())
        hosted = elf.sections[".nv.host"]["data"]
        made = elf.sections[".nv.global.init"]["data"]
        want = bytearray(bytes.fromhex(h["header"]))
        want[52:56] = struct.pack("<I", len(hosted))
        at = made.find(bytes(want))
        abi.check(at >= 0 and made[at + 56:at + 56 + len(hosted)] == hosted and made[at + 56 + len(hosted):at + 64 + len(hosted)] == bytes(8),
                  "LA-16: %s\n got %s" % (h["header"], made[:56].hex()))
        done[key] = True
    print("host objects of %d triples, %d single tables, %d headers as specified" % (len(built), len(maps), len(done)))


abi.main(test)

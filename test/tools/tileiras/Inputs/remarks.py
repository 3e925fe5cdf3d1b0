# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""remarks.py TILEIRAS DATA ARCH [NAME…]: compares our remarks with those of the closed compiler
(data/peer/remarks.csv).

These must agree: which operations are tensor-core MMAs, with which instruction (on sm_80, where both use `mma.sync`);
which operations load a tile of a view; on sm_80 for which function indices were not narrowed. Its `Ldgsts` and TMA
instructions, and remarks that depend on them, are not compared.
"""
import collections
import csv
import os
import subprocess
import sys
import tempfile

# Kernels and places where these differ.
OTHER_FACTS = {
    ("cross_entropy_bf16.tileirbc", (88, 13)): "ours loads the element that a sum picks",
    ("cross_entropy_f32.tileirbc", (88, 13)): "ours loads the element that a sum picks",
    ("lut_const_f32.tileirbc", (140, 17)): "it loads a dense constant from memory",
    ("lut_const_f32.tileirbc", (141, 27)): "it loads a dense constant from memory",
    ("row_gather_view_f16.tileirbc", (56, 8)): "it does not report a gather",
    ("slice_scale_f32.tileirbc", (101, 11)): "its remark is at the slice",
    ("slice_scale_f32.tileirbc", (99, 0)): "ours is at the function",
}
tileiras, data, arch = sys.argv[1:4]
names = sys.argv[4:]
peer = collections.defaultdict(list)
with open(os.path.join(data, "peer", "remarks.csv"), newline="") as rows:
    for row in csv.DictReader(rows):
        if row["arch"] == arch:
            peer[row["file"]].append(row)


def read_yaml(text):
    """Returns the documents of a stream in this format."""
    documents = []
    for line in text.splitlines():
        if line.startswith("--- !"):
            documents.append({"kind": line[5:], "args": {}})
            continue
        if line == "..." or line == "Args:":
            continue
        key, _, value = line.strip().partition(":")
        value = value.strip().strip("'").replace("''", "'")
        if key.startswith("- "):
            documents[-1]["args"][key[2:]] = value
        else:
            documents[-1][key] = value
    for document in documents:
        place = document.get("DebugLoc", "")
        parts = place.strip("{ }").replace("'", "").split(", ")
        document["place"] = tuple(int(part.split(": ")[1]) for part in parts[1:]) if place else None
    return documents


def facts(kind, name, place, text, instruction, shape):
    """Returns the content of a remark that both compilers must give, or nothing."""
    if name == "RemarkTensorCoreMMA" and (arch == "sm_80" or instruction == "FMA"):
        return (kind, name, place, text, instruction, shape)
    if name == "RemarkMemoryLoadInstructionSelected":
        return (kind, name, place, text)
    if name == "RemarkTensorViewIndexTypeNarrowing" and arch == "sm_80":
        return (kind, name, place, text.rsplit(" require ", 1)[0])
    return None


failed = compared = same_bits = all_bits = 0
for name in names or sorted(peer):
    with tempfile.TemporaryDirectory() as folder:
        yaml = os.path.join(folder, "remarks.yaml")
        run = subprocess.run([tileiras, os.path.join(data, "tileirbc", name), "--gpu-name", arch, "--emit=ptx", "-o",
                              os.path.join(folder, "k.ptx"), "--remarks=all", "--remark-format=yaml",
                              "--remarks-output-file=" + yaml], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if run.returncode or run.stdout:
            print(f"{name}: exit {run.returncode}: {run.stdout.decode()}")
            failed += 1
            continue
        with open(yaml) as stream:
            documents = read_yaml(stream.read())
    ours = [facts(d["kind"], d["Name"], d["place"], d["args"]["Remark"], d["args"].get("Instruction", ""),
                  d["args"].get("Shape", "")) for d in documents]
    theirs = [facts(r["kind"], r["name"], (int(r["line"]), int(r["column"])), r["text"], r["instruction"], r["shape"])
              for r in peer[name]]
    ours = collections.Counter(fact for fact in ours if fact and (name, fact[2]) not in OTHER_FACTS)
    theirs = collections.Counter(fact for fact in theirs if fact and (name, fact[2]) not in OTHER_FACTS)
    compared += sum(theirs.values())
    for fact, count in (theirs - ours).items():
        print(f"{name}: only theirs: {count} x {fact}")
    for fact, count in (ours - theirs).items():
        print(f"{name}: only ours: {count} x {fact}")
    failed += ours != theirs
    bits = [text for text in (d["args"]["Remark"] for d in documents) if "narrow" in text]
    all_bits += len(bits)
    same_bits += bits == [row["text"] for row in peer[name] if "Narrowing" in row["name"]]
    places = [d["place"] for d in documents if d["place"]]
    if places != sorted(places):
        print(f"{name}: not in source order: {places}")
        failed += 1
print(f"{len(names or peer)} kernels, {compared} facts compared, {failed} kernels differ, {same_bits} of {all_bits} index widths agree")
sys.exit(bool(failed))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Analyses the machine code of a cubin: its loops with their instruction mix, and figures of the whole kernel.

  sass.py CUBIN...            one line per loop: how many instructions it has and of which kind
  sass.py --kernels CUBIN...  one line per kernel: registers, shared memory, CTAs per SM, its hottest loop, ...
  sass.py --csv ...           the same as CSV; `--kernels --csv` has the columns of compare.py
  sass.py TEXT                the output of `nvdisasm CUBIN` is accepted, too (`-c` alone lacks registers and shared memory)

Columns of a loop
  kernel arch loop depth  where: address of the first instruction, depth 1 is outermost; inner loops count in outer ones
  sass          instructions without NOP; retry blocks of barrier waits are part of the loop
  tensor        tensor instructions; tensor_kind names them
  mma_wait      depth of the smallest wait for wgmma (WARPGROUP.DEPBAR), cp_wait of that for cp.async (DEPBAR)
  ldsm stsm     matrix loads and stores in shared memory; lds, sts: the others
  ldgsts        cp.async; utmaldg, utmastg: TMA copies; ublkcp: bulk copies
  syncs         mbarrier operations, of which `mbar` are waits; bar: BAR.SYNC
  ldg stg       global loads and stores; ldl, stl: local ones (spills)
  fp32          FFMA, FADD, FMUL and their packed forms; half2: HFMA2, HADD2, HMUL2; mufu, shfl
  address       IMAD, LEA, IADD3 and their kin, uniform ones too; move: MOV, IMAD.MOV, R2UR and their kin
  red membar bssy   atomics and reductions, fences of memory, divergent regions

The hottest loop is the innermost one with most tensor instructions, else with most FP32 work, else with most loads.
"""

import argparse
import csv
import math
import os
import re
import sys

import machine_code
import targets

LOOP_COLUMNS = (
    "kernel arch loop depth sass tensor tensor_kind mma_wait cp_wait ldsm stsm ldgsts utmaldg utmastg ublkcp syncs mbar bar "
    "lds sts ldg stg ldl stl fp32 half2 address move mufu shfl red membar bssy"
).split()
KERNEL_COLUMNS = (
    "kernel arch sass regs stack smem threads ctas_sm cluster setmaxreg ws stages swizzle tensor tensor_n mma_wait hot_sass "
    "hot_tensor fp_loop tma_ld tma_st bulk multicast cta2 cp_async ldg stg local lds sts bar mbar shfl fp32 mufu atom"
).split()

ADDRESS = {"IMAD", "LEA", "IADD3", "IADD", "VIADD", "UIMAD", "ULEA", "UIADD3", "UIADD", "UVIADD"}
MOVES = {"MOV", "UMOV", "CS2R", "R2UR", "S2R", "S2UR", "UMOV32I", "MOV32I", "CS2UR", "R2P", "P2R"}
FP32 = {"FFMA", "FADD", "FMUL", "FFMA2", "FADD2", "FMUL2", "FFMA32I", "FADD32I", "FMUL32I"}
HALF2 = {"HFMA2", "HADD2", "HMUL2", "HFMA2_32I", "HADD2_32I", "HMUL2_32I", "HMNMX2"}
ATOMS = {"ATOM", "ATOMG", "ATOMS", "RED", "REDG", "REDS", "REDAS"}
WIDTHS = {"256": 256, "128": 128, "64": 64, "U8": 8, "S8": 8, "U16": 16, "S16": 16}
# Counters of a class by the first part of the mnemonic.
BASES = {
    "ldsm": {"LDSM"},
    "stsm": {"STSM"},
    "ldgsts": {"LDGSTS"},
    "utmaldg": {"UTMALDG"},
    "utmastg": {"UTMASTG", "UTMAREDG"},
    "ublkcp": {"UBLKCP", "UBLKRED"},
    "syncs": {"SYNCS"},
    "lds": {"LDS"},
    "sts": {"STS"},
    "ldg": {"LDG"},
    "stg": {"STG"},
    "ldl": {"LDL"},
    "stl": {"STL"},
    "fp32": FP32,
    "half2": HALF2,
    "mufu": {"MUFU"},
    "shfl": {"SHFL"},
    "red": ATOMS,
    "membar": {"MEMBAR"},
    "bssy": {"BSSY"},
}


def is_tensor(instruction):
    """Returns whether the mnemonic is a tensor instruction: HMMA, IMMA, QMMA, HGMMA, UTCHMMA, ... end alike."""
    return instruction.base.endswith("MMA")


def is_wait(instruction):
    """Returns whether the instruction probes an mbarrier and may suspend the thread."""
    return instruction.base == "SYNCS" and "PHASECHK" in instruction.parts and "TRYWAIT" in instruction.parts


def is_barrier(instruction):
    return instruction.base in ("BAR", "UCGABAR_WAIT") and (instruction.base != "BAR" or "SYNC" in instruction.parts)


def is_move(instruction):
    """Returns whether the instruction copies a register or constant, including the copying variants of IMAD."""
    if instruction.base == "IMAD":
        return "MOV" in instruction.parts or ("X" not in instruction.parts and ", RZ, RZ, " in instruction.operands)
    return instruction.base in MOVES


def bits(instruction):
    """Returns the bits that a thread moves; a load or store without a width moves 32."""
    return next((WIDTHS[p] for p in instruction.parts[1:] if p in WIDTHS), 32)


def wait_depth(instructions, pattern):
    """Returns the smallest operand of the waits that `pattern` finds in "op operands", or None."""
    found = [re.search(pattern, f"{i.op} {i.operands}") for i in instructions]
    return min((int(f.group(1), 0) for f in found if f), default=None)


def tensor_kinds(instructions):
    """Returns {name: count} of the tensor instructions; the name includes the shape if the code has it."""
    kinds = {}
    for i in instructions:
        if is_tensor(i):
            kinds[i.op] = kinds.get(i.op, 0) + 1
    return kinds


def mix(instructions):
    """Returns counts of each class of instructions of one loop or kernel."""
    counted = [i for i in instructions if i.base != "NOP"]
    row = {name: sum(i.base in bases for i in counted) for name, bases in BASES.items()}
    kinds = tensor_kinds(counted)
    row.update(
        sass=len(counted),
        tensor=sum(kinds.values()),
        tensor_kind=" ".join(f"{k}*{n}" for k, n in sorted(kinds.items())),
        mma_wait=wait_depth(counted, r"^WARPGROUP\.DEPBAR\S* gsb0, (\w+)"),
        cp_wait=wait_depth(counted, r"^DEPBAR\.LE SB0, (\w+)"),
        mbar=sum(map(is_wait, counted)),
        bar=sum(map(is_barrier, counted)),
        address=sum(i.base in ADDRESS and not is_move(i) for i in counted),
        move=sum(map(is_move, counted)),
    )
    return row


def macs_per_warp(op):
    """Returns the multiply-adds of one warp's share of a tensor instruction; None if the mnemonic has no shape
    (tcgen05)."""
    shape = re.search(r"\.(\d+)x(\d+)x(\d+)\b", op)
    if shape:  # a warpgroup's
        return math.prod(map(int, shape.groups())) // 4
    shape = re.search(r"MMA\.(?:SP\.)?(16|8)(8|16)(\d+)\b", op)
    return math.prod(map(int, shape.groups())) if shape else None


def issue_per_kilo_mac(instructions):
    """Returns the instructions of a loop per 1000 multiply-adds of a warp, which compares tensor instructions of any
    shape."""
    macs = [macs_per_warp(i.op) for i in instructions if is_tensor(i)]
    if not macs or None in macs:
        return ""
    return round(1000 * sum(i.base != "NOP" for i in instructions) / sum(macs), 3)


def by_width(instructions, bases, matrix=None):
    """Returns `128:4 32:2 M:8`: accesses by bits, matrix accesses (base `matrix`) last."""
    counts = {}
    for i in instructions:
        if i.base in bases:
            counts[bits(i)] = counts.get(bits(i), 0) + 1
    text = [f"{width}:{counts[width]}" for width in sorted(counts, reverse=True)]
    matrices = sum(i.base == matrix for i in instructions)
    return " ".join(text + ([f"M:{matrices}"] if matrices else []))


class Kernel:
    """Figures of one entry function with the functions that it calls."""

    def __init__(self, module, entry, functions, table):
        self.module, self.entry, self.functions, self.table = module, entry, functions, table
        self.all = [i for f in functions for i in f.instructions if i.base != "NOP"]
        self.loops = [(f, l) for f in functions for l in f.loops]

    def is_entry(self):
        """True for a launched function, False for a function in a section of its own."""
        return self.entry in self.module.entries

    def loop_rows(self):
        """One row per loop in order of address, outer before inner."""
        for function, loop in self.loops:
            row = dict.fromkeys(LOOP_COLUMNS, "")
            row.update({k: v for k, v in mix(function.loop_instructions(loop)).items() if v is not None})
            start = function.instructions[function.blocks[loop.header].first].address
            row.update(kernel=self.entry, arch=self.module.target, loop=f"{start:#x}", depth=loop.depth)
            yield row

    def _best(self, weight):
        """Returns (loop instructions, weight) of the innermost loop of largest weight; (None, 0) if no loop has any."""
        best, most, depth = None, 0, 0
        for function, loop in self.loops:
            inside = [i for i in function.loop_instructions(loop) if i.base != "NOP"]
            found = sum(map(weight, inside))
            if found > most or (found == most and found and loop.depth > depth):
                best, most, depth = inside, found, loop.depth
        return best, most

    def hot_loop(self):
        """Returns the loop with most tensor instructions, else most FP32 work, else most loads; None without loops."""
        for weight in (is_tensor, lambda i: i.base in FP32 or i.base == "MUFU", lambda i: i.base in ("LDG", "LDS", "UTMALDG", "LDGSTS")):
            best, _ = self._best(weight)
            if best:
                return best
        return None

    def mma_wait(self):
        """Returns the depth of the smallest wgmma wait in the innermost loop with most tensor instructions; "" without
        one."""
        most, inside = 0, []
        for function, loop in self.loops:
            found = function.loop_instructions(loop)
            tensor = sum(map(is_tensor, found))
            inner = any(is_tensor(i) for c in loop.children for i in function.loop_instructions(c))
            if tensor > most and not inner:
                most, inside = tensor, found
        found = mix(inside)["mma_wait"]
        return "" if found is None else found

    def loop_figures(self):
        """Returns figures for which the CSV of the closed compiler and Triton has no column: more of the hottest loop,
        fences."""
        inside = self.hot_loop() or []
        hot = mix(inside)
        parts = self.fp_loop().split("/")
        return {
            "hot_bar": hot["bar"],
            "hot_ldsm": hot["ldsm"],
            "hot_ldgsts": hot["ldgsts"],
            "hot_fp32": hot["fp32"],
            "hot_local": hot["ldl"] + hot["stl"],
            "cp_wait": "" if hot["cp_wait"] is None else hot["cp_wait"],
            "issue_kmac": issue_per_kilo_mac(inside),
            "fp_sass": int(parts[0]) if parts[0] else "",
            "membar": mix(self.all)["membar"],
        }

    def fp_loop(self):
        """Returns `SASS/fp32/mufu/shfl` of the loop with most FP32 and MUFU work."""
        best, _ = self._best(lambda i: i.base in FP32 or i.base == "MUFU")
        if not best:
            return ""
        row = mix(best)
        return f"{row['sass']}/{row['fp32']}/{row['mufu']}/{row['shfl']}"

    def setmaxreg(self):
        """Returns `a232*2 d24`: reallocations of registers, by kind and size."""
        counts = {}
        for i in self.all:
            if i.base == "USETMAXREG":
                size = int(re.findall(r"0x[0-9a-f]+|\b\d+\b", i.operands)[-1], 0)
                name = ("d" if "DEALLOC" in i.parts else "a") + str(size)
                counts[name] = counts.get(name, 0) + 1
        return " ".join(name if n == 1 else f"{name}*{n}" for name, n in sorted(counts.items()))

    def attributes(self):
        """Returns registers, stack, threads, shared memory and cluster from the attributes; {} if the text has none."""
        found = self.module.attributes.get(self.entry, {})
        row = {}
        if "REGCOUNT" in found:
            row["regs"] = found["REGCOUNT"][0]
        if "FRAME_SIZE" in found:
            row["stack"] = found["FRAME_SIZE"][0]
        threads = found.get("REQNTID") or found.get("MAX_THREADS")
        if threads:
            row["threads"] = threads[0] * threads[1] * threads[2]
        cluster = found.get("CTA_PER_CLUSTER")
        if cluster:
            row["cluster"] = cluster[0] * cluster[1] * cluster[2]
        if found:
            row["smem"] = self.module.sections.get(f".nv.shared.{self.entry}", 0)
        return row

    def row(self, dynamic_smem=0):
        """Returns the columns of the CSV from machine code. `dynamic_smem` is the dynamic shared memory of a launch."""
        row = dict.fromkeys(KERNEL_COLUMNS, "")
        whole = mix(self.all)
        row.update(kernel=self.entry, arch=self.module.target, sass=whole["sass"], **self.attributes())
        if row["smem"] != "":
            row["smem"] += dynamic_smem
        if "" not in (row["regs"], row["threads"], row["smem"]):
            # If the driver reserves shared memory, a kernel's section includes it.
            reserved = self.table.of(self.module.target)["smem_reserved"]
            counted = reserved if ".nv.shared.reserved.0" in self.module.sections else 0
            own = max(0, row["smem"] - counted)
            row["ctas_sm"] = self.table.ctas_per_sm(self.module.target, row["regs"], row["threads"], own)
        row["setmaxreg"] = self.setmaxreg()
        row["ws"] = int(bool(row["setmaxreg"]))
        row["tensor"], row["tensor_n"] = whole["tensor_kind"], whole["tensor"]
        hot = mix(self.hot_loop() or [])
        row.update(hot_sass=hot["sass"], hot_tensor=hot["tensor"], mma_wait=self.mma_wait())
        row.update(
            fp_loop=self.fp_loop(),
            tma_ld=whole["utmaldg"],
            tma_st=whole["utmastg"],
            bulk=whole["ublkcp"],
            multicast=sum(i.base == "UTMALDG" and "MULTICAST" in i.parts for i in self.all),
            cta2=sum(is_tensor(i) and "2CTA" in i.parts for i in self.all),
            cp_async=by_width(self.all, {"LDGSTS"}),
            ldg=by_width(self.all, {"LDG"}),
            stg=by_width(self.all, {"STG"}),
            local=whole["ldl"] + whole["stl"],
            lds=by_width(self.all, {"LDS"}, "LDSM"),
            sts=by_width(self.all, {"STS"}, "STSM"),
            atom=whole["red"],
        )
        row.update({name: whole[name] for name in ("bar", "mbar", "shfl", "fp32", "mufu")})
        return row


def kernels(text, table):
    """Returns the kernels of a text of nvdisasm. Several entries of a module each get the functions of their own
    section."""
    module = machine_code.Module(text)
    return [Kernel(module, f.name, [f], table) for f in module.functions]


def read(path, nvdisasm):
    """Returns the text of a cubin, or of a file that already is such a text."""
    with open(path, "rb") as source:
        start = source.read(4)
    if start != b"\x7fELF":
        with open(path) as source:
            return source.read()
    if not nvdisasm:
        raise RuntimeError(f"{path}: no nvdisasm (set TILEIR_PEER_NVDISASM or pass --nvdisasm)")
    return machine_code.disassemble(nvdisasm, path)


def is_retry(row):
    """True for a loop that only waits on an mbarrier; the tables omit it."""
    work = ("tensor", "ldsm", "ldgsts", "utmaldg", "lds", "sts", "ldg", "stg", "fp32", "mufu", "bar")
    return row["syncs"] > 0 and row["sass"] <= 6 and not any(row[c] for c in work)


def print_table(columns, rows, out):
    """Prints columns of equal width; columns that are empty or zero in every row are omitted."""
    used = [c for c in columns if any(str(r[c]) not in ("", "0") for r in rows)]
    widths = {c: max([len(c)] + [len(str(r[c])) for r in rows]) for c in used}
    for cells in [dict(zip(used, used))] + rows:
        out.write("  ".join(str(cells[c]).rjust(widths[c]) for c in used).rstrip() + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="CUBIN", help="cubins, or texts that nvdisasm printed")
    parser.add_argument("--kernels", action="store_true", help="one line per kernel instead of one per loop")
    parser.add_argument("--csv", action="store_true", help="print CSV with all columns")
    parser.add_argument("--all", action="store_true", help="print loops that only wait for an mbarrier, too")
    parser.add_argument("--hot", action="store_true", help="print the instructions of the hottest loop of each kernel")
    parser.add_argument("--dynamic-smem", type=int, default=0, help="bytes of dynamic shared memory of the launch")
    parser.add_argument("--nvdisasm", default=os.environ.get("TILEIR_PEER_NVDISASM"), help="default: TILEIR_PEER_NVDISASM")
    args = parser.parse_args()
    table = targets.find()
    rows = []
    for path in args.files:
        try:
            found = kernels(read(path, args.nvdisasm), table)
        except (OSError, RuntimeError, ValueError) as error:
            sys.exit(f"error: {error}")
        if not found:
            sys.exit(f"error: {path}: no code")
        for kernel in found:
            if args.hot:
                print(f"{kernel.entry} {kernel.module.target}")
                print("\n".join(f"  {i}" for i in kernel.hot_loop() or ["no loop"]))
            else:
                loops = [r for r in kernel.loop_rows() if args.all or not is_retry(r)]
                rows += [kernel.row(args.dynamic_smem)] if args.kernels else loops
    columns = KERNEL_COLUMNS if args.kernels else LOOP_COLUMNS
    if args.csv:
        writer = csv.DictWriter(sys.stdout, columns)
        writer.writeheader()
        writer.writerows(rows)
    elif not args.hot:
        print_table(columns, rows, sys.stdout)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What bounds a kernel, in three sentences: of the timing model's counters and the compiler's remarks, never of its name."""

import re
from typing import Any

#: Below this share of its rate no resource bounds a kernel: latency does (as in tileir-run's model).
BUSY = 0.5
#: A resource whose share is this near to the largest is named with it.
NEAR = 0.85

RESOURCES = {
    "tensor": "the tensor cores",
    "smem": "the shared-memory port",
    "l2": "the path from L2",
    "dram": "memory (DRAM)",
    "xu": "the special-function unit (MUFU)",
    "issue": "issue slots",
    "fp32": "the FP32 units",
    "lsu": "the load/store unit",
    "tma": "the tensor memory accelerator",
}

#: Names of the scheduler's slots and bandwidths.
SLOTS = {
    "tc_and_mma": "tensor",
    "smem_port": "smem",
    "xu": "xu",
    "issue": "issue",
    "tp_gnic_rd": "l2",
    "tp_gnic_wr": "l2",
    "lsu": "lsu",
}


def thousands(value: float) -> str:
    return f"{value:,.0f}"


def notes(remark: "dict[str, Any]") -> "dict[str, str]":
    return dict(remark["notes"])


def schedules(data: "dict[str, Any]") -> "list[dict[str, Any]]":
    return [r for r in data["remarks"] if r["name"] == "Schedule" and "II" in notes(r)]


def main_schedule(data: "dict[str, Any]") -> "dict[str, Any] | None":
    """The loop with the longest iteration at the line with the most cycles of the model, else of all loops."""
    all_of = schedules(data)
    line = (data.get("launch") or {}).get("loop_source_line")
    here = [r for r in all_of if r["line"] == line] or all_of
    return max(here, key=lambda r: int(notes(r)["II"]), default=None)


def shares(data: "dict[str, Any]") -> "dict[str, float]":
    """The utilization of each resource, in the model's time of a block."""
    launch = data.get("launch")
    schedule = main_schedule(data)
    if not launch:
        if not schedule:
            return {}
        n = notes(schedule)
        interval = float(n["II"])
        bound = SLOTS.get(n["Binds"], "")
        return {bound: max(float(n["ResMII"]), float(n["FineMII"])) / interval} if bound else {"issue": 0.0}
    timing = launch["timing"]
    result = {name: float(value) for name, value in timing["util"].items()}
    if data.get("instruction_ratio"):
        result["issue"] *= data["instruction_ratio"]
    lanes = 32 * launch["classes"].get("float", 0) / launch["blocks"] * timing["ctas_sm"]
    result["fp32"] = lanes / data["target"]["rates"]["Fp32"] / timing["cycles_cta"]
    rate = data["target"]["dram_bytes_per_cycle"]
    result["dram"] = launch["dram_bytes"] * timing["ctas_sm"] / timing["cycles_cta"] / rate
    if schedule:
        n = notes(schedule)
        if n["Binds"] == "smem_port" and result["tensor"] > 0:
            result["smem"] = result["tensor"] * float(n["FineMII"]) / float(n["ResMII"])
    return result


def _at(line: int) -> str:
    return f" at line {line}" if line else ""


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _mma_tile(data: "dict[str, Any]") -> "tuple[int, int] | None":
    """Rows and columns of the largest MMA of the kernel's text."""
    found = re.findall(
        r"\bmma[fi](?:_scaled)? .*tile<(\d+)x(\d+)x(?:f32|f16|i32|f64)>\s*(?:loc.*)?$", data["tile_ir"], re.M
    )
    return max(((int(m), int(n)) for m, n in found), key=lambda t: t[0] * t[1], default=None)


def _bound(data: "dict[str, Any]", share: "dict[str, float]", top: "str | None") -> str:
    launch = data.get("launch")
    ranking = sorted(share.items(), key=lambda e: -e[1])
    if not launch:
        schedule = main_schedule(data)
        if not schedule:
            return (
                "What bounds the kernel is not known: it was not run, and it has no loop that the scheduler modelled."
            )
        n = notes(schedule)
        if top:
            return (
                f"Bound by {RESOURCES[top]}: an iteration of the loop{_at(schedule['line'])} takes {thousands(float(n['II']))} cycles in the "
                f"scheduler's model, of which it is busy {_percent(share[top])}."
            )
        return (
            f"Bound by latency: an iteration of the loop{_at(schedule['line'])} takes {thousands(float(n['II']))} cycles in the scheduler's model, "
            f"bound by {_binding(n['Binds']).rstrip(',')}."
        )
    timing = launch["timing"]
    cycles = f"{thousands(timing['cycles_cta'])} cycles that a block takes with {timing['ctas_sm']} on an SM"
    if top == "dram":
        needs = share["dram"] * timing["cycles_cta"]
        rate = data["target"]["dram_bytes_per_cycle"]
        return (
            f"Bound by memory (DRAM): a block moves {thousands(launch['dram_bytes'])} bytes, for which an SM's {rate:.1f} bytes a "
            f"cycle take {thousands(needs)} cycles with {timing['ctas_sm']} blocks on it, {_percent(share['dram'])} of the "
            f"{thousands(timing['cycles_cta'])} that the SM itself needs."
        )
    if not top:
        name, value = ranking[0]
        return (
            f"Bound by latency: of the {cycles}, no resource is busy for half (the most, {RESOURCES[name]}, for "
            f"{_percent(value)})."
        )
    near = [f"{RESOURCES[n]} {_percent(v)}" for n, v in ranking[1:] if v >= NEAR * share[top]][:2]
    also = (
        f"; {' and '.join(near)} are near it"
        if near
        else f" (next: {RESOURCES[ranking[1][0]]}, {_percent(ranking[1][1])})"
    )
    return f"Bound by {RESOURCES[top]}: of the {cycles}, {'they are' if top in ('tensor', 'issue', 'fp32') else 'it is'} busy {_percent(share[top])}{also}."


def _slow_mma(data: "dict[str, Any]") -> "tuple[int, str] | None":
    """A dot with a slower MMA than the target has: its line, and the reason."""
    best = {"H90": "wgmma", "B100": "umma", "B103": "umma"}.get(data["target"]["family"], "mma_sync")
    ranks = ["fma", "mma_sync", best]
    for remark in data["remarks"]:
        kind = notes(remark).get("Kind")
        if remark["name"] == "AssignMma" and kind in ranks and ranks.index(kind) < ranks.index(best):
            if kind == "fma":
                return remark["line"], "is made of multiply-adds, not of tensor-core instructions"
            why = notes(remark).get("Refused") or notes(remark).get("Reason") or "the compiler names no reason"
            return remark["line"], f"uses {kind} in place of {best}: {why}"
    return None


def _binding(name: str) -> str:
    """The resource that bounds a schedule, in words."""
    if name in SLOTS:
        return RESOURCES[SLOTS[name]]
    return re.sub(r"^recurrence of '(.*)'$", r"the cycle of values through '\1', from one iteration to the next,", name)


def _outside(data: "dict[str, Any]") -> "str | None":
    """The share of a block's time outside its longest loop."""
    launch = data["launch"]
    timing = launch["timing"]
    if not timing.get("cycles_per_trip") or not launch.get("trips_block"):
        return None
    rest = 1 - timing["cycles_per_trip"] * launch["trips_block"] / timing["cycles_cta"]
    if rest < 0.05:
        return None
    return f"{_percent(rest)} of a block's time pass outside of it: first loads, last iterations, epilogue"


def _worst_stall(launch: "dict[str, Any]") -> str:
    stall = next((entry for entry in launch["lines"] if entry["line"]), launch["lines"][0])
    what = {"scheduler": "other warps that issue"}.get(stall["waits_for"], stall["waits_for"])
    what = what if " " in what else f"the {what}"
    return f"warps stand longest{_at(stall['line'])}, most of all for {what} ({stall['stall_share']:.0f} % of all stall cycles)"


def _residency(data: "dict[str, Any]") -> str:
    kernel = data["kernel"]
    return (
        f"{kernel['resident_ctas']} block{'s' * (kernel['resident_ctas'] != 1)} of {kernel['threads']} threads, "
        f"{kernel['registers']} registers and {thousands(kernel['shared_bytes'])} bytes of shared memory fit on an SM"
    )


def _keeps(data: "dict[str, Any]", share: "dict[str, float]", top: "str | None") -> str:
    launch = data.get("launch")
    schedule = main_schedule(data)
    n = notes(schedule) if schedule else {}
    slow = _slow_mma(data)
    if slow and top != "dram":
        return f"The dot{_at(slow[0])} {slow[1]}."
    if top == "tensor":
        rest = _outside(data) if launch else None
        cycles = (launch["timing"]["cycles_per_trip"] if launch else None) or float(n.get("II", 0))
        if schedule and n["Binds"] != "tc_and_mma" and cycles > 1.1 * float(n["ResMII"]):
            return (
                f"An iteration of the loop{_at(schedule['line'])} takes {thousands(cycles)} cycles where its MMAs take "
                f"{thousands(float(n['ResMII']))}: {_binding(n['Binds'])} binds it."
            )
        if rest:
            return f"In the loop{_at(schedule['line'] if schedule else 0)} the MMAs leave no gap worth naming; {rest}."
        return "The MMAs fill the loop: no schedule of this tile is faster on this GPU."
    if top == "smem" and schedule:
        return (
            f"The MMAs of an iteration of the loop{_at(schedule['line'])} take {thousands(float(n['ResMII']))} cycles, but their operands, written by "
            f"copies and read by MMAs, take the port of shared memory {thousands(float(n['FineMII']))} cycles."
        )
    if top == "l2":
        size = next(
            (
                notes(r)["SlotBytes"]
                for r in data["remarks"]
                if r["name"] == "MaterializeAsync" and "SlotBytes" in notes(r)
            ),
            None,
        )
        rate = data["target"]["rates"]["GlobalRead"]
        if size and schedule:
            return (
                f"An iteration of the loop{_at(schedule['line'])} copies {thousands(int(size))} bytes, which take "
                f"{thousands(int(size) / rate)} cycles at {rate} bytes a cycle."
            )
        assert launch
        return (
            f"A block moves {thousands(launch['global_bytes'])} bytes between L2 and its SM, at {rate} bytes a cycle."
        )
    if top == "dram":
        assert launch
        again = _read_again(data)
        if again:
            return again
        touched, least = launch["stats"]["global_sectors"], launch["stats"]["global_sectors_ideal"]
        if least and touched > 1.1 * least:
            return f"It touches {thousands(touched)} sectors of 32 bytes where {thousands(least)} hold what it uses."
        waste = "its accesses touch no sector in vain" if least else "it copies whole tiles"
        return f"It moves every byte once and {waste}: only fewer bytes would take less time."
    if top == "xu" and launch:
        count = launch["classes"].get("special", 0) / launch["blocks"]
        return (
            f"A block executes {thousands(count)} warp instructions of special functions, each of which takes the unit "
            f"{32 / data['target']['rates']['Xu']:.0f} cycles."
        )
    if top in ("issue", "lsu", "fp32") and launch:
        total = sum(launch["classes"].values())
        most = sorted(launch["classes"].items(), key=lambda e: -e[1])[:3]
        mix = ", ".join(f"{name} {_percent(count / total)}" for name, count in most)
        return f"A block issues {thousands(total / launch['blocks'])} warp instructions ({mix})."
    if schedule and schedule["kind"] == "missed":
        reason = f"Iterations of the loop{_at(schedule['line'])} do not overlap ({n.get('Reason', 'no reason given')})"
        return f"{reason}; {_worst_stall(launch)}." if launch else f"{reason}."
    if launch:
        stall = _worst_stall(launch)
        return f"{stall[0].upper()}{stall[1:]}; {_residency(data)}."
    return f"{_residency(data)}."


def _read_again(data: "dict[str, Any]") -> "str | None":
    """Loads that load the tiles of one array twice."""
    seen: "dict[frozenset[int], int]" = {}
    for access in data["shape"].accesses:
        if access.store or not access.arrays:
            continue
        first = seen.setdefault(access.arrays, access.line)
        if first != access.line and access.depth:
            lines = [data["line_of_text"].get(n, n) for n in (first, access.line)]
            return f"The same array is read more than once, at lines {lines[0]} and {lines[1]}."
    return None


def _change(data: "dict[str, Any]", share: "dict[str, float]", top: "str | None") -> str:
    launch = data.get("launch")
    schedule = main_schedule(data)
    tile = _mma_tile(data)
    if top != "dram":
        hints = [
            (r, notes(r)["Suggestion"]) for r in data["remarks"] if r["kind"] == "missed" and "Suggestion" in notes(r)
        ]
        line = schedule["line"] if schedule else 0
        hints.sort(key=lambda e: e[0]["line"] != line)
        if hints and (not top or top in ("issue", "lsu")):
            remark, text = hints[0]
            return f"Change{_at(remark['line'])}: {text}."
    slow = _slow_mma(data)
    if slow and "multiply-adds" in slow[1] and top != "dram":
        return "Use element types that tensor cores take (tf32, bf16, f16, f8), where their precision is enough."
    if top in ("smem", "l2") and tile:
        m, n = tile
        wide = (m, 2 * n) if n <= m else (2 * m, n)
        more = (wide[0] + wide[1]) / (m + n)
        return (
            f"Take a larger tile: {wide[0]}x{wide[1]} in place of {m}x{n} has twice the MMAs for {more:.2g} times the operand "
            "bytes, as long as its accumulators fit."
        )
    if top == "tensor":
        if slow:
            return "Remove that reason; then compile again."
        if launch and _outside(data):
            return (
                "Let a block work longer: more iterations of its loop, or a persistent kernel, whose next tile starts while "
                "the last one is stored."
            )
        return "Nothing in the schedule: only a narrower element type or less arithmetic helps."
    if top == "dram":
        if _read_again(data):
            return "Keep the tile of the first read, if it fits into registers or shared memory; else move fewer bytes."
        return "Move fewer bytes: a narrower element type, or fuse the kernel with the one that writes its input or reads its output."
    if top == "xu" or top == "issue" and share["xu"] >= NEAR * share["issue"]:
        if re.search(r"= (?:cuda_tile\.)?exp %", data["tile_ir"]):
            return "Use exp2, with log2(e) folded into the scale before it, and flush_to_zero: it is one MUFU instruction."
        return (
            "Give each exponential more MMA work (a larger head dimension or tile does), or compute some of them by a "
            "polynomial of FMAs, which other units execute."
        )
    if top in ("issue", "fp32"):
        return "Spend fewer instructions on an element: fewer conversions and index calculations, 16-bit pairs where precision allows."
    if top == "lsu":
        return "Move wider or less: assume div_by<16> on pointers and strides, layouts that need no exchange through shared memory."
    if top in ("l2", "smem", "tma"):
        return "Read less from L2: larger tiles, or values that stay in registers or shared memory between uses."
    if launch and data["kernel"]["resident_ctas"] < 4:
        return "Put more independent work on the SM: a smaller tile, so that more blocks fit, or more iterations in flight."
    return "Give the SM more independent work: larger tiles, several of them a block, or fewer steps that wait for each other."


def verdict(data: "dict[str, Any]") -> "tuple[list[str], str]":
    """The three sentences, and the key of what bounds the kernel ("latency" and "unknown" among them)."""
    share = shares(data)
    top = max(share, key=lambda name: share[name]) if share else None
    if top and share[top] < BUSY:
        top = None
    sentences = [_bound(data, share, top), _keeps(data, share, top), _change(data, share, top)]
    return sentences, top or ("latency" if share else "unknown")

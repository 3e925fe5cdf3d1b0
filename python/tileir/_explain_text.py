# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The text of tileir-explain: what its page shows, in the same order."""

import re
from typing import Any, Iterable

from . import _explain_numbers as numbers
from . import _explain_verdict as verdicts


def _table(title: str, rows: "Iterable[tuple[str, Any, numbers.Number]]") -> "list[str]":
    lines = [f"  {name:<24}{value:>16} {number.unit:<13} {number.meaning}" for name, value, number in rows]
    return ["", title, *lines] if lines else []


def _value(value: Any) -> str:
    if isinstance(value, float) and not value.is_integer():
        return f"{value:,.1f}"
    return f"{value:,.0f}" if isinstance(value, (int, float)) else str(value)


def shorten(text: str) -> str:
    """An operation without the encodings of its layouts."""
    before = None
    while before != text:
        before = text
        text = re.sub(r",? ?#nv_tileas\.layout<(?:[^<>]|<[^<>]*>)*>", "", text)
    return text


def by_line(data: "dict[str, Any]") -> "dict[int, dict[str, Any]]":
    """The data of each line of the source."""
    lines: "dict[int, dict[str, Any]]" = {}

    def at(line: int) -> "dict[str, Any]":
        return lines.setdefault(
            line, {"remarks": [], "ptx": 0, "sass": 0, "live": None, "stall": None, "executed": 0, "waits": []}
        )

    for remark in data["remarks"]:
        at(remark["line"])["remarks"].append(remark)
    for row in data["ptx"]:
        at(row["line"])["ptx"] += 1
    for row in data["sass"]:
        entry = at(row["line"])
        entry["sass"] += row["opcode"] != "NOP"
        if row["live"] is not None:
            entry["live"] = max(entry["live"] or 0, row["live"])
    launch = data.get("launch")
    if launch:
        for line in launch["lines"]:
            at(line["line"]).update(stall=line["stall_share"], executed=line["executed"])
        for wait in launch["stats"]["waits"]:
            at(wait["source_line"])["waits"].append(wait)
    return lines


def _lines(data: "dict[str, Any]") -> "list[str]":
    out = ["", f"Lines of {data['source']['path']}", "    line   PTX  SASS  live regs    executed  stalls"]
    known = by_line(data)
    for number, text in enumerate(data["source"]["text"].splitlines(), 1):
        entry = known.get(number)
        if not entry:
            continue
        live = entry["live"] if entry["live"] is not None else "-"
        stall = f"{entry['stall']:.0f} %" if entry["stall"] and entry["stall"] >= 0.5 else "-"
        out.append(
            f"  {number:>6}{entry['ptx']:>6}{entry['sass']:>6}{live:>11}{entry['executed']:>12,}{stall:>8}  {text.strip()[:110]}"
        )
        for remark in entry["remarks"]:
            beside = "; ".join(f"{k} {v}" for k, v in remark["notes"] if k not in ("Reason", "Suggestion"))
            out.append(f"{'':>51}{remark['kind']}: {remark['text']}{f' ({beside})' if beside else ''}")
            out += [f"{'':>53}{k}: {v}" for k, v in remark["notes"] if k in ("Reason", "Suggestion")]
        for wait in entry["waits"]:
            out.append(
                f"{'':>51}waits for {wait['kind']}: {wait['count']:,} times, {wait['steps']:,} steps of other warps"
            )
    return out


def render_line(data: "dict[str, Any]", number: int) -> str:
    """The data of one line: remarks with the meaning of their numbers, Tile IR, PTX and machine code."""
    source = data["source"]["text"].splitlines()
    if not 0 < number <= len(source):
        return f"{data['source']['path']} has no line {number}; it has {len(source)}\n"
    out = [f"Line {number} of {data['source']['path']}", f"  {source[number - 1].strip()}"]
    for remark in (r for r in data["remarks"] if r["line"] == number):
        known = [(k, v, numbers.REMARKS[k]) for k, v in remark["notes"] if k in numbers.REMARKS]
        title = f"{remark['kind']}: {remark['text']} ({remark['category']}, {remark['name']})"
        out += _table(title, known) or ["", title]
    launch = data.get("launch")
    model = next((entry for entry in launch["lines"] if entry["line"] == number), None) if launch else None
    if model:
        keys = ("executed", "stall_cycles", "stall_share", "waits_for")
        out += _table("In the model", ((k, _value(model[k]), numbers.MODEL[k]) for k in keys if model[k]))

    def add(title: str, rows: "list[str]") -> None:
        if rows:
            out.extend(["", title, *(f"  {row}" for row in rows)])

    add("cuda_tile", [row["text"] for row in data["tile_rows"] if row["line"] == number])
    operations = [shorten(row["text"]) for row in data["operations"] if row["line"] == number]
    add("Tile IR before it becomes LLVM IR", operations)
    add(
        "PTX: line of the file, share of all stall cycles",
        [
            f"{row['number']:>6} {100 * row['stall']:>5.1f} %  {row['text']}"
            if row.get("stall")
            else f"{row['number']:>6}{'':>9}{row['text']}"
            for row in data["ptx"]
            if row["line"] == number
        ],
    )
    sass = [f"{row['live'] if row['live'] is not None else '-':>4}  {row['text']}" for row in data["sass"] if row["line"] == number]
    add("SASS: registers that are live", sass)
    if data["sass_reason"]:
        out += ["", data["sass_reason"]]
    return "\n".join(out) + "\n"


def _storage(data: "dict[str, Any]") -> "list[str]":
    out = []
    for space, unit in (("shared", "bytes"), ("tensor", "columns")):
        rows = sorted((s for s in data["storage"] if s["space"] == space), key=lambda s: (s["begin"], s["first"]))
        if not rows:
            continue
        end = max(max(s["last"] for s in rows), 1)
        out += [
            "",
            f"{space.capitalize()} memory: {unit} from begin to end, and when in the kernel they are held (| loops |)",
        ]
        loops = [" "] * 40
        for loop in data["loops"]:
            for at in range(40 * loop["first"] // (end + 1), min(39, 40 * loop["last"] // (end + 1)) + 1):
                loops[at] = "="
        out.append(f"{'':>44}[{''.join(loops)}] loops")
        for s in rows:
            first, last = 40 * s["first"] // (end + 1), min(39, 40 * s["last"] // (end + 1))
            bar = "".join("#" if first <= at <= last else "." for at in range(40))
            slots = f", {s['slots']} slots" if s.get("slots", 0) > 1 else ""
            what = f"{s['kind']}, line {s['line']}{slots}"
            out.append(f"  {s['begin']:>8} to {s['end']:<8}{'':>22}[{bar}] {what}")
    return out


def render(data: "dict[str, Any]") -> str:
    kernel, target, launch = data["kernel"], data["target"], data.get("launch")
    out = [
        *data["verdict"],
        "",
        f"Kernel {kernel['name']} on {target['name']} ({target['sms']} SMs in the model, {target['clock_mhz']} MHz)",
    ]
    out += _table("Of the kernel", ((k, _value(kernel[k]), numbers.KERNEL[k]) for k in numbers.KERNEL if k in kernel))
    if launch:
        timing = launch["timing"]
        out += [
            "",
            f"Launch: {launch['given']}, grid {'x'.join(map(str, launch['grid']))}. An estimate: docs/emulator.md says what the "
            "model does not see.",
        ]
        rows = [
            (k, _value(timing[k]), numbers.MODEL[k])
            for k in ("cycles_cta", "cycles_per_trip", "ctas_sm")
            if timing.get(k) is not None
        ]
        rows += [
            (k, f"{100 * v:.0f}", numbers.MODEL[k]) for k, v in sorted(data["shares"].items(), key=lambda e: -e[1])
        ]
        out += _table("Of the timing model", rows)
        stats = launch["stats"]
        counters = {
            **{k: stats[k] for k in numbers.COUNTERS if k in stats},
            "global_bytes": launch["global_bytes"],
            "dram_bytes": launch["dram_bytes"],
        }
        out += _table("Of the emulator", ((k, _value(v), numbers.COUNTERS[k]) for k, v in counters.items()))
    else:
        out += ["", f"No launch: {data['launch_reason']}."]
    for schedule in verdicts.schedules(data):
        n = verdicts.notes(schedule)
        out += _table(
            f"Loop at line {schedule['line']}: {schedule['text']}",
            ((k, v, numbers.REMARKS[k]) for k, v in n.items() if k in numbers.REMARKS),
        )
    out += _lines(data)
    out += _storage(data)
    out += ["", "Registers of a thread by pass (tile_registers; a line where nothing changed is left out)"]
    before = None
    for entry in data["passes"]:
        if entry["registers"] != before:
            out.append(f"  {entry['pass']:<44}{entry['registers']:>6}  most at line {entry['line']}")
        before = entry["registers"]
    out.append(f"  {'ptxas':<44}{kernel['registers']:>6}")
    if data["sass_reason"]:
        out += ["", data["sass_reason"]]
    return "\n".join(out) + "\n"

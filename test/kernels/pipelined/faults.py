#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants faults into a pipelined kernel: the emulator has to find each of them, and none without.

With copies by threads: each barrier left out, each wait for copies too short, a slot overwritten before all threads
have read it, a pipeline of fewer slots on one side, a buffer on bytes of another one. With operands copied by TMA:

Each barrier left out, each mbarrier's bytes announced too many or too few, each wait on an mbarrier or for MMAs too
short, slots overwritten before all threads have read them, each arrival of warps left out or before its wait for MMAs,
each fence after stores of operands, a map with another swizzle; also with mma.sync. For tcgen05.mma each commit left
out, each wait for one, columns that are not freed, no wait for tensor memory loads, the rows of another warp, other
columns.

    faults.py --tileiras PATH --tileir-run PATH [--arch sm_100] [--stages 3] KERNEL.tileirbc
    faults.py --tileiras PATH --tileir-run PATH --tileir-translate PATH --elements f8E4M3FN KERNEL.tileirbc     with others than bf16
    faults.py --tileiras PATH --tileir-run PATH --tileir-translate PATH --arch sm_100 NAME      a kernel of scaled.py
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

import check
import scaled


STAGES = 3
# Copies of operands, and MMAs; a copy of a result to global memory comes later.
WORK = re.compile(r"cp\.async\.bulk\.tensor\.\S*\.shared::\w+\.global|tcgen05\.cp|wgmma\.|mma\.sync")


def numbered(pattern, change, after=False):
    """Yields one text for each match of `pattern` before the end of the loop, or anywhere if `after`, with the match
    replaced by `change`."""
    def plant(text):
        end = max((match.start() for match in WORK.finditer(text)), default=-1)
        for match in re.finditer(pattern, text, re.M):
            # After the loop threads convert layouts; those barriers are not tested here.
            if after or match.start() <= end:
                yield text[:match.start()] + change(match) + text[match.end():]
    return plant


def unfenced(text):
    """Removes the proxy fences after stores of operands for the tensor core."""
    first = text.find("stmatrix")
    for match in re.finditer(r"^\tfence\.proxy\.async(?!\.global).*\n", text, re.M):
        if 0 <= first < match.start() < text.rindex("wgmma.mma_async"):
            yield text[:match.start()] + text[match.end():]


def before_store(pattern):
    """Removes the last match of `pattern` before each TMA store."""
    def plant(text):
        for store in re.finditer(r"cp\.async\.bulk\.tensor\.\S*\.global\.shared", text):
            found = list(re.finditer(pattern, text[:store.start()], re.M))
            if found:
                yield text[:found[-1].start()] + text[found[-1].end():]
    return plant


def short_waits(text):
    """Leaves one more wgmma group in flight at each wait, and at the later waits before the next group. A wait after an
    equally strict one has no effect."""
    commits = [match.end() for match in re.finditer(r"wgmma\.commit_group", text)]
    for match in re.finditer(r"wgmma\.wait_group\.sync\.aligned (\d+);", text):
        start = max((commit for commit in commits if commit < match.start()), default=0)
        end = next((commit for commit in commits if commit > match.start()), len(text))
        if any(depth <= match[1] for depth in re.findall(r"wgmma\.wait_group\.sync\.aligned (\d+);", text[start:match.start()])):
            continue
        yield text[:match.start()] + re.sub(r"(wgmma\.wait_group\.sync\.aligned )(\d+);", lambda m: f"{m[1]}{int(m[2]) + 1};",
                                            text[match.start():end]) + text[end:]


def get_place(text, planted):
    """Returns where the planted text begins to differ."""
    return len(os.path.commonprefix([text, planted]))


def needed_barriers(text):
    """Removes each barrier, except the one after the mbarrier initialization if another one follows before the first
    copy."""
    objects, copy = text.find("mbarrier.init"), text.find("cp.async.bulk")
    for planted in FAULTS["barrier left out"](text):
        place = get_place(text, planted)
        if not objects < place < copy or "bar.sync" not in text[place + len("bar.sync"):copy]:
            yield planted


def copies_around(text, place):
    """Makes each TMA copy of the innermost loop with MMAs around `place` trap; None if there are none."""
    around = [loop for loop in loops_of(text, "mma.sync") if loop[0] <= place < loop[1]]
    start, end = min(around, key=lambda loop: loop[1] - loop[0], default=(0, 0))
    if "cp.async.bulk" not in text[start:end]:
        return None
    return text[:start] + re.sub(r"^\t(@!?%p\d+ )?cp\.async\.bulk", r"\t\1trap;\n\g<0>", text[start:end], flags=re.M) + text[end:]


def early_release(text, mma="wgmma.mma_async"):
    """Moves the barrier of each loop with MMAs after the copies, which then overwrite slots that others still read."""
    for loop in loops_of(text, mma):
        moved = re.sub(r"(\tbar\.sync[^\n]*\n)((?:(?!\tbar\.sync|\twgmma).*\n)*.*cp\.async\.bulk.*\n)", r"\2\1", text[slice(*loop)])
        if moved != text[slice(*loop)]:
            yield text[:loop[0]] + moved + text[loop[1]:]


def early_arrival(text):
    """Moves each wait for MMAs after the following arrival of warps: slots are released while MMAs read them."""
    wait = r"\twgmma\.wait_group[^\n]*\n"
    for match in re.finditer(rf"({wait})((?:(?!\twgmma|\tbra|\t@%p\d+ bra).*\n)*?.*mbarrier\.arrive\.release.*\n)", text):
        yield text[:match.start()] + match[2] + match[1] + text[match.end():]


def has_place(what, text):
    """Returns whether a kernel of this text must have a place for the fault `what`."""
    has_arrivals = "mbarrier.arrive.release" in text
    return {
        "no fence after stores": "stmatrix" in text[:text.rfind("wgmma.mma_async")],
        "release too early": not has_arrivals,
        "arrival before the wait for products": has_arrivals,
        "arrival left out": has_arrivals,
    }.get(what, True)


def loops_of(text, needed):
    """Yields begin and end of loops that contain `needed`."""
    for branch in re.finditer(r"bra(?:\.uni)?\s+(\$L__\w+);", text):
        start = text.find(f"\n{branch[1]}:")
        if 0 <= start < branch.start() and needed in text[start:branch.start()]:
            yield start, branch.start()


FAULTS = {
    "barrier left out": numbered(r"^\tbar\.sync.*\n", lambda m: ""),
    "too few bytes": numbered(r"(expect_tx.*, )(\d+);", lambda m: f"{m[1]}{int(m[2]) // 2};"),
    "too many bytes": numbered(r"(expect_tx.*, )(\d+);", lambda m: f"{m[1]}{int(m[2]) + 16};"),
}
# A TMA store writes the result to global memory.
STORE_FAULTS = {
    "no fence before a tensor store": before_store(r"^\tfence\.proxy\.async(?!\.global).*\n"),
    "no barrier before a tensor store": before_store(r"^\tbar\.sync.*\n"),
    "no wait for a tensor store": numbered(r"^.*cp\.async\.bulk\.wait_group.*\n", lambda m: "", after=True),
}
WARPGROUP_FAULTS = {
    "barrier left out": needed_barriers,
    # As if the bytes had arrived at the first test.
    "no wait for the bytes": numbered(r"\bmbarrier\.try_wait\S* (%p\d+), .*;", lambda m: f"setp.eq.u32 {m[1]}, 0, 0;"),
    "wait for products too short": short_waits,
    "release too early": early_release,
    "arrival before the wait for products": early_arrival,
    "arrival left out": numbered(r"^.*mbarrier\.arrive\.release.*\n", lambda m: ""),
    "no fence after stores": unfenced,
}
TENSOR_FAULTS = {
    "commit left out": numbered(r"^.*tcgen05\.commit.*\n", lambda m: "", after=True),
    "no wait for bytes or a commit": numbered(r"(mbarrier\.try_wait.*\n(?:.*\n)*?)\t@%p\d+ bra .*\n", lambda m: m[1], after=True),
    "columns kept": numbered(r"^.*tcgen05\.dealloc.*\n", lambda m: "", after=True),
    "no wait for loads": numbered(r"^.*tcgen05\.wait::ld.*\n", lambda m: "", after=True),
    "rows of another warp": numbered(r"(tcgen05\.ld\.\S* \{[^}]*\}, \[%r\d+)( \+ \d+)?\]",
                                     lambda m: m[1] + " + 2097152]", after=True),
    "other columns": numbered(r"(tcgen05\.ld\.\S* \{[^}]*\}, \[%r\d+)( \+ (\d+))?\]",
                              lambda m: f"{m[1]} + {int(m[3] or 0) + 8}]", after=True),
}


# One warp copies scales beside the TMA copies of operands, another one copies them to tensor memory (tcgen05.cp).
SCALED_FAULTS = {
    "scales left where they are": numbered(r"^.*tcgen05\.cp\..*\n", lambda m: "", after=True),
    "scales in other columns": numbered(r"(tcgen05\.cp\.\S* )\[(%r\d+)\]", lambda m: f"{m[1]}[{m[2]} + 128]", after=True),
    "no arrival for scales": numbered(r"^.*cp\.async\.mbarrier\.arrive.*\n", lambda m: "", after=True),
    "arrival before scales": numbered(r"cp\.async\.mbarrier\.arrive\.noinc\.shared::cta\.b64 ",
                                      lambda m: "mbarrier.arrive.shared::cta.b64 _, ", after=True),
    "no fence after scales": numbered(r"^\tfence\.proxy\.async.*\n(?=(?:(?!.*fence\.proxy).*\n)*?.*tcgen05\.cp)",
                                       lambda m: "", after=True),
    "too few bytes": FAULTS["too few bytes"],
    "too many bytes": FAULTS["too many bytes"],
    **TENSOR_FAULTS,
}

# All threads copy operands and scales.
SCALED_THREAD_FAULTS = {
    "scales left where they are": SCALED_FAULTS["scales left where they are"],
    "wait for scales too short": numbered(r"cp\.async\.wait_group\s+(\d+);", lambda m: f"cp.async.wait_group {int(m[1]) + 1};"),
    "no fence after scales": numbered(r"(cp\.async\.wait_group\s+\d+;\n(?:.*\n)*?)\tfence\.proxy\.async.*\n", lambda m: m[1]),
    "no barrier after scales": numbered(r"(cp\.async\.wait_group\s+\d+;\n(?:.*\n)*?)\tbar\.sync.*\n", lambda m: m[1]),
}

def in_first_loop(plant):
    """Plants into the first loop with MMAs, up to its last commit, or anywhere if there is no place in it. The same
    code for masked and last iterations follows the loop and does not run in every launch; after the commit one warp
    waits for slots whose MMAs all threads have waited for."""
    def restricted(text):
        start, stop = next(loops_of(text, "tcgen05.mma"))
        loop = text[start:stop]
        end = loop.rindex("tcgen05.commit")
        parts = [part for part in plant(loop) if get_place(loop, part) <= end]
        yield from (text[:start] + part + text[stop:] for part in parts) if parts else plant(text)
    return restricted


def inside_loops(plant):
    """Plants into loops with MMAs, if there are some: before and after them there is nothing to wait for."""
    def restricted(text):
        loops = list(loops_of(text, "tcgen05.mma"))
        for planted in plant(text):
            if not loops or any(start <= get_place(text, planted) < end for start, end in loops):
                yield planted
    return restricted


def outside_of_rest(plant):
    """Plants nothing into the remainder loop after a loop unrolled by the pipeline's depth: no copy fills the slots
    that it releases."""
    def restricted(text):
        rest = list(loops_of(text, "tcgen05.mma"))[1:]
        for planted in plant(text):
            if not any(start <= get_place(text, planted) < end for start, end in rest):
                yield planted
    return restricted


# Threads store scales, and wait for each MMA.
SCALED_RESTAGED_FAULTS = {
    "scales left where they are": SCALED_FAULTS["scales left where they are"],
    "scales in other columns": SCALED_FAULTS["scales in other columns"],
    "no fence after stores": numbered(r"^\tfence\.proxy\.async.*\n(?=(?:(?!.*fence\.proxy).*\n)*?.*tcgen05\.cp)", lambda m: "",
                                       after=True),
    "no barrier after stores": numbered(r"^\tbar\.sync.*\n(?=(?:(?!.*bar\.sync).*\n)*?.*tcgen05\.cp)", lambda m: "", after=True),
    "commit left out": numbered(r"^.*tcgen05\.commit.*\n", lambda m: "", after=True),
    # All threads test the mbarrier.
    "no wait for bytes or a commit": inside_loops(numbered(r"\bmbarrier\.try_wait\S* (%p\d+), .*;",
                                                           lambda m: f"setp.eq.u32 {m[1]}, 0, 0;", after=True)),
    "columns kept": TENSOR_FAULTS["columns kept"],
    "rows of another warp": TENSOR_FAULTS["rows of another warp"],
    "other columns": TENSOR_FAULTS["other columns"],
}

# Accumulators of 64 rows with an initial value exist twice.
TWICE_FAULTS = {
    "copies of sums left out": numbered(r"^.*tcgen05\.st\.\S* \[%r\d+ \+ 1048576\].*\n", lambda m: "", after=True),
}


def probe(text, planted):
    """Inserts a trap at the line where the planted text begins to differ, under that line's guard."""
    start = text.rindex("\n", 0, get_place(text, planted)) + 1
    guard = re.match(r"\s*(@!?%p\d+)?", text[start:])[1] or ""
    return f"{text[:start]}\t{guard} trap;\n{text[start:]}"


def without_load_waits(text):
    """Removes all waits for tensor memory loads: a later one would suffice, on hardware, too."""
    yield re.sub(r"^.*tcgen05\.wait::ld.*\n", "", text, flags=re.M)


def early(text):
    """Moves the barrier of each loop with MMAs after the copies, which then overwrite slots that others still read."""
    for loop in re.finditer(r"^(\$L__\w+):[^\n]*\n(?:(?!^\$L__)[^\n]*\n)*?[^\n]*bra\s+\1;\n", text, re.M):
        moved = re.sub(r"(\tbar\.sync[^\n]*\n)(.*?cp\.async\.commit_group;\n)", r"\2\1", loop[0], flags=re.S)
        if "mma.sync" in loop[0] and moved != loop[0]:
            yield text[:loop.start()] + moved + text[loop.end():]


def overlapping(text):
    """Moves the second buffer of the pipeline onto the last slot of the first one, as if its live range had ended."""
    first = int(re.search(r"\.trans\S* \{[^}]*\}, \[%rd\d+\+(\d+)\]", text)[1])

    def move(match):
        number = int(match[2])
        return match[1] + str(number - first // STAGES if first <= number < 2 * first else number)
    yield re.sub(r"(\+ ?|add\.s(?:32|64)\s+%\w+, %\w+, )(\d+)(?=[\];])", move, text)


def wrapping_early(text):
    """Makes an iterator wrap around a slot early: it counts by the bytes of a slot, a power of two."""
    for match in re.finditer(r"(setp\.(?:eq|ne)\.(?:b|s)32\s+%p\d+, %r\d+, )(\d+);", text):
        slot, rest = divmod(int(match[2]), STAGES)
        if not rest and slot >= 1024 and not slot & (slot - 1):
            yield text[:match.start()] + f"{match[1]}{slot * (STAGES - 1)};" + text[match.end():]


COPY_FAULTS = {
    "barrier left out": numbered(r"^\tbar\.sync.*\n", lambda m: ""),
    "wait too short": numbered(r"cp\.async\.wait_group\s+(\d+);", lambda m: f"cp.async.wait_group {int(m[1]) + 1};"),
    "release too early": early,
    "life ended too early": overlapping,
    "wrong stage": wrapping_early,
}
# Warps read tiles copied by TMA.
WARP_FAULTS = {
    **FAULTS,
    "barrier left out": needed_barriers,
    "no wait for the bytes": WARPGROUP_FAULTS["no wait for the bytes"],
    "release too early": lambda text: early_release(text, "mma.sync"),
}
# A producer warp copies: it waits for released slots as the others wait for bytes. All threads synchronize once, before
# both agents. A missing barrier among the reading warps is not detected if the reuse of slots orders them.
AGENT_FAULTS = {
    "barrier left out": numbered(r"^\tbar\.sync\s+0;\n", lambda m: ""),
    "arrival left out": numbered(r"^.*mbarrier\.arrive\.release.*\n", lambda m: "", after=True),
}
SETS = {
    "sm_80": COPY_FAULTS,
    "sm_90": {**FAULTS, **WARPGROUP_FAULTS},
    "sm_100": {**FAULTS, **TENSOR_FAULTS},
    "sm_120": WARP_FAULTS,
}


def exchange_elements(kernel, elements, folder, translate):
    """Returns the bytecode of a bf16 kernel with other elements, whose lines have as many bytes as TMA copies need."""
    made = os.path.join(folder, os.path.basename(kernel))
    text = subprocess.run([translate, "--cudatilebc-to-mlir", kernel], check=True, capture_output=True, text=True).stdout
    text = re.sub(r"(?<!_)bf16", elements, text).replace("div_by<8>", "div_by<16>")
    subprocess.run([translate, "--mlir-to-cudatilebc", "-", "-o", made], check=True, input=text, text=True)
    return made


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tileiras", required=True)
    parser.add_argument("--tileir-run", required=True)
    parser.add_argument("--tileir-translate")
    parser.add_argument("--elements", help="what arrays have instead of bf16")
    parser.add_argument("--stages", type=int, default=STAGES)
    parser.add_argument("--arch", default="sm_90", choices=SETS)
    parser.add_argument("--agents", action="store_true", help="a warp of its own copies")
    parser.add_argument("kernel")
    options = parser.parse_args()
    name = os.path.basename(options.kernel).removesuffix(".tileirbc")
    suffix = "" if options.arch == "sm_80" else "a"
    matmul = next((p for p in scaled.MATMULS if p.name == name), None)
    faults = SETS[options.arch]
    if options.agents:
        faults = {**faults, **AGENT_FAULTS}
    if options.elements:
        # The bf16 kernel covers the other faults.
        faults = {"no fence after stores": unfenced}
    if matmul and options.arch == "sm_100":
        faults = (SCALED_RESTAGED_FAULTS if matmul.restaged else SCALED_FAULTS if matmul.aligned == 16 else
                  SCALED_THREAD_FAULTS)
        if matmul.begins:
            faults = {**faults, **TWICE_FAULTS}
    form, match = (scaled.launch, matmul) if matmul else next((f, r.match(name)) for r, f in check.LAUNCHES if r.match(name))

    with tempfile.TemporaryDirectory() as folder:
        if matmul:
            options.kernel = check.compile_matmul(matmul, scaled.write, folder, options.tileir_translate)
        elif options.elements:
            options.kernel = exchange_elements(options.kernel, options.elements, folder, options.tileir_translate)

        def compile(pipeline, stem):
            path = os.path.join(folder, stem)
            subprocess.run([options.tileiras, options.kernel, "--gpu-name", options.arch, "-O3", "--emit=ptx",
                            f"--pass-pipeline=tileir{{{pipeline}}}", f"--launch-sidecar={path}.json", "-o", f"{path}.ptx"],
                           check=True)
            return path

        def run(path, *flags):
            case["kernel"] = path + ".ptx"
            with open(os.path.join(folder, "case.json"), "w") as file:
                json.dump(case, file)
            return subprocess.run([options.tileir_run, file.name, "--device=emulated", f"--arch={options.arch}{suffix}",
                                   f"--sidecar={path}.json", *flags], capture_output=True, text=True)

        def finds(path):
            return any(run(path, f"--async={mode}", f"--seed={seed}").returncode
                       for mode in ("late", "early", "random") for seed in (1, 2))

        # More iterations than slots: each slot is reused, also in the unmasked half of a split loop, which runs fewer
        # iterations by the prefetch distance. Tiles at the edges run the other half.
        grid, args = form(match, 8, True)
        for arg in args:
            if options.elements and arg["dtype"] == "bf16":
                arg["dtype"] = options.elements
                if arg["init"] == "normal":
                    arg["init"] = "integers:-8:8"
        case = {"entry": name, "grid": grid, "args": args}
        reference = compile("pipeline-strategy=none", "reference")
        out = os.path.join(folder, "out")
        if run(reference, f"--out={out}").returncode:
            sys.exit("FAILED: the reference build")
        for arg in args:
            if arg.get("output"):
                arg.update(expect=os.path.join(out, arg["name"] + ".npy"), rtol=0, atol=0)
        strategy = "warp-specialize specialize-agents" if options.agents else "warp-specialize specialize-agents=false"
        whole = compile(f"pipeline-strategy={strategy} unspecialized-pipeline-num-stages={options.stages}", "whole")
        if finds(whole):
            sys.exit("FAILED: a fault in the kernel as it is")
        with open(whole + ".ptx") as file:
            text = file.read()
        with open(whole + ".json") as file:
            sidecar = file.read()
        planted = os.path.join(folder, "planted")

        def write(ptx, maps):
            with open(planted + ".ptx", "w") as file:
                file.write(ptx)
            with open(planted + ".json", "w") as file:
                file.write(maps)

        def traps(ptx):
            write(ptx, sidecar)
            return run(planted).returncode != 0

        def is_run(ptx):
            return traps(probe(text, ptx))

        def has_use(what, ptx):
            """Returns whether copies follow the removed or moved barrier: a loop that runs only the last iterations
            reuses no slot."""
            is_barrier = what in ("barrier left out", "release too early") and options.arch == "sm_120"
            copies = copies_around(text, get_place(text, ptx)) if is_barrier else None
            return copies is None or traps(copies)

        def expect(what, ptx, maps):
            write(ptx, maps)
            if not finds(planted):
                sys.exit(f"FAILED: the emulator does not miss: {what}")

        if options.arch == "sm_120" and "cp.async.bulk" not in text:
            faults = {what: COPY_FAULTS[what] for what in ("barrier left out", "wait too short")}
        count = 0
        if re.search(r"cp\.async\.bulk\.tensor\.\S*\.global\.shared", text):
            faults = {**faults, **STORE_FAULTS}
        for what, plant in faults.items():
            if (matmul or name.startswith("attn_")) and what == "no wait for loads":
                plant = without_load_waits
            elif name.startswith("attn_") and options.arch == "sm_100":
                plant = in_first_loop(plant)
            elif matmul and not matmul.restaged and what == "commit left out":
                plant = outside_of_rest(plant)
            # A launch does not reach all of the wgmma loops.
            texts = [ptx for ptx in plant(text)
                     if options.arch not in ("sm_90", "sm_120") or is_run(ptx) and has_use(what, ptx)]
            if not texts and has_place(what, text):
                sys.exit(f"FAILED: nowhere to plant: {what}")
            for number, ptx in enumerate(texts, 1):
                expect(f"{what}, number {number}", ptx, sidecar)
            count += len(texts)
        if options.arch == "sm_80" or matmul or options.elements:
            print(f"ok: {name}: {count} faults found")
            return
        other = sidecar.replace("SWIZZLE_128B", "SWIZZLE_NONE").replace('"128B"', '"NONE"')
        if other == sidecar:
            sys.exit("FAILED: no swizzle in the sidecar")
        expect("another swizzle", text, other)
        print(f"ok: {name}: {count + 1} faults found")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Units and meanings of all numbers of remarks and of tileir-explain; docs/start/remarks.md has them as tables."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Number:
    unit: str
    meaning: str


#: Numbers and names that stand beside a remark, by their keys.
REMARKS = {
    "A": Number("place", "where the MMA takes operand A from: registers, shared memory, or a pipeline there"),
    "Accesses": Number("instructions", "memory instructions of a thread for one tile"),
    "AccumulatorSlots": Number(
        "slots", "accumulators in tensor memory that alternate, so that one is read while the other is written"
    ),
    "Accumulators": Number(
        "registers", "32-bit registers of all threads that accumulators of MMAs take at most at one point"
    ),
    "Align": Number("bytes", "alignment that is known of an address"),
    "B": Number("place", "where the MMA takes operand B from"),
    "Binds": Number(
        "name", "what sets the lower bound of the initiation interval: a functional unit, a bandwidth, or a recurrence"
    ),
    "Bits": Number("bits", "width of one memory instruction of a thread"),
    "Buffers": Number("buffers", "buffers of shared memory of which some bytes serve another buffer, too"),
    "Bytes": Number("bytes", "shared memory of the operation or loop"),
    "CoarseCycles": Number("cycles", "one iteration in the order in which the loop was written, by the cost model"),
    "Columns": Number("columns", "32-bit columns of tensor memory"),
    "Comparisons": Number("comparisons", "comparisons that the loop no longer makes"),
    "Copies": Number("copies", "tensor copies (TMA) that were made or refused"),
    "DepMII": Number("cycles", "lower bound of the initiation interval by dependences between stages"),
    "Dimensions": Number("dimensions", "dimensions of a tile along which it is cut"),
    "Elements": Number("elements", "elements of the tile"),
    "FineMII": Number(
        "cycles",
        "lower bound of the initiation interval by bandwidths that several functional units share, such as the port of shared memory",
    ),
    "FreeBytes": Number("bytes", "shared memory that was left"),
    "Generator": Number("name", "strategy of the solver that found the schedule"),
    "II": Number("cycles", "initiation interval: cycles from the start of one iteration to the start of the next"),
    "Instruction": Number("name", "instruction that was selected"),
    "Kind": Number("name", "family of the MMA: fma, mma_sync, wgmma or umma (tcgen05)"),
    "LargestAccess": Number("bytes", "largest tile that one memory operation moves"),
    "LargestTile": Number("elements", "largest tile that is computed or loaded"),
    "Limit": Number("registers", "registers that a thread can have"),
    "LiveWords": Number("registers", "32-bit registers of a thread that live tiles take"),
    "LoadedOperands": Number("registers", "32-bit registers of all threads for operands that are loaded to registers"),
    "Loads": Number("loads", "loads that the remark is about"),
    "Loops": Number("loops", "loops that the remark is about"),
    "Operand": Number("name", "operand that the remark is about"),
    "Operations": Number("operations", "operations that the remark is about"),
    "Order": Number("name", "order of the operations of a loop (coarse: as in the source), or of the blocks of a grid"),
    "OtherWords": Number(
        "registers", "32-bit registers of all threads for tiles that are no accumulators, at that point"
    ),
    "Parts": Number("parts", "parts that a tile or a loop was split into"),
    "PeakWords": Number("registers", "32-bit registers of all threads for tiles at the point with most of them"),
    "Pipelines": Number("pipelines", "multi-buffered pipelines in shared memory"),
    "Producer": Number("name", "who fills a pipeline: TMA or threads"),
    "Products": Number("MMAs", "dots that the remark is about"),
    "Promote": Number("iterations", "iterations after which a partial f8 sum is added to the f32 accumulator"),
    "Reason": Number("text", "why it was done, or not"),
    "RecMII": Number(
        "cycles", "lower bound of the initiation interval by the longest cycle of values from one iteration to the next"
    ),
    "Refused": Number("name", "what was refused, with the reason"),
    "Registers": Number("registers", "registers of a thread: that are used or, for a plan, needed"),
    "ResMII": Number(
        "cycles", "lower bound of the initiation interval by the busiest functional unit, such as the tensor cores"
    ),
    "RingBytes": Number("bytes", "shared memory of the buffers of a pipeline that the schedule asks for"),
    "RingDepth": Number("slots", "slots of a pipeline that the schedule asks for"),
    "Rings": Number("pipelines", "pipelines that a warp of its own fills"),
    "Shape": Number("elements", "shape of the tile or of the MMA instruction"),
    "Slabs": Number("parts", "parts along the summed dimension"),
    "Slices": Number("parts", "parts that an MMA was cut into, so that others fit between them"),
    "SlotBytes": Number("bytes", "one slot of a pipeline: all operands of one iteration"),
    "StackBytes": Number("bytes", "stack of a thread: local arrays and spilled registers"),
    "Stages": Number("stages", "iterations that are in flight at once: stages of a schedule, or slots of a pipeline"),
    "StreamCycles": Number("cycles", "one iteration in the order that was chosen, by the cost model"),
    "Suggestion": Number("text", "what the author of the kernel can change"),
    "Warps": Number("warps", "warps of a block that compute"),
    "Way": Number("name", "how a tile changes its layout: shuffles or shared memory"),
    "WordsBefore": Number("registers", "32-bit registers of a thread before the change"),
}

#: What the compiler says of a kernel.
KERNEL = {
    "registers": Number("registers", "registers of a thread, as ptxas assigned them; an SM has 65,536"),
    "spill_store_bytes": Number("bytes", "what a thread writes to local memory because registers ran out"),
    "spill_load_bytes": Number("bytes", "what a thread reads back from there"),
    "stack_bytes": Number("bytes", "stack of a thread"),
    "shared_bytes": Number("bytes", "shared memory of a block, with what the system reserves"),
    "tensor_columns": Number("columns", "32-bit columns of tensor memory of a block; an SM has 512"),
    "threads": Number("threads", "threads of a block"),
    "resident_ctas": Number("blocks", "blocks that an SM holds at once, by threads, registers and shared memory"),
    "code_bytes": Number("bytes", "machine code"),
    "live_registers": Number(
        "registers", "most general registers of a thread that are live at the instructions of the line (nvdisasm)"
    ),
    "tile_registers": Number(
        "registers",
        "most registers of a thread for whole tiles that are live at once after the pass; elementwise chains need fewer",
    ),
}

#: What the timing model estimates.
MODEL = {
    "cycles_cta": Number("cycles", "what a block takes while the SM holds as many as fit"),
    "cycles_per_trip": Number("cycles", "median of one iteration of the loop that takes longest"),
    "ctas_sm": Number("blocks", "blocks that share the SM in the model"),
    "issue": Number("%", "share of the issue slots of the four schedulers, instructions as many as machine code has"),
    "tensor": Number("%", "share of the rate of the tensor cores"),
    "fp32": Number("%", "share of the rate of the FP32 units, by the instructions of class float"),
    "lsu": Number("%", "share of the rate of the load/store unit"),
    "tma": Number("%", "share of the rate of the tensor memory accelerator"),
    "xu": Number("%", "share of the rate of the special-function unit (MUFU): exp2, log2, rcp, rsqrt, sin, cos, tanh"),
    "l2": Number("%", "share of the bandwidth from L2 to an SM"),
    "smem": Number("%", "share of the bandwidth of the shared-memory port, by the bound of the scheduler"),
    "dram": Number("%", "share of the SM's part of DRAM bandwidth; above 100 % the block waits for DRAM"),
    "executed": Number("instructions", "warp instructions that were executed"),
    "stall_cycles": Number("cycles", "cycles of a block, summed over its warps, that they stood at the line"),
    "stall_share": Number("%", "share of all such cycles"),
    "waits_for": Number("name", "what most of these cycles waited for: a result, a kind of barrier, or the scheduler"),
}

#: What the emulator counts in the launch.
COUNTERS = {
    "warp_instructions": Number("instructions", "PTX instructions of all warps"),
    "tensor_macs": Number("MACs", "multiply-adds of tensor instructions"),
    "global_sectors": Number("sectors", "32-byte sectors of global memory that plain loads and stores touch"),
    "global_sectors_ideal": Number("sectors", "the fewest that hold these bytes"),
    "shared_bank_conflicts": Number("passes", "passes of shared memory beyond the fewest possible"),
    "global_bytes": Number("bytes", "what a block moves between L2 and the SM, by loads, stores and copies"),
    "dram_bytes": Number("bytes", "what DRAM has to move for a block, once L2 has served what neighbours share"),
    "trips": Number("trips", "iterations of all warps"),
    "barriers_per_trip": Number("barriers", "barriers in one iteration"),
    "wait_count": Number("waits", "how often a warp waited at the line"),
    "wait_steps": Number("steps", "instructions that other warps executed meanwhile"),
    "bytes_in_flight": Number("bytes", "copies that were still in flight after the wait, on average"),
}

GROUPS = {
    "Beside a remark": REMARKS,
    "Of a kernel": KERNEL,
    "Of the timing model": MODEL,
    "Of the emulator": COUNTERS,
}


def markdown() -> str:
    """The tables of docs/start/remarks.md."""
    parts = []
    for title, group in GROUPS.items():
        parts.append(f"{title}:\n\n| number | unit | meaning |\n|---|---|---|")
        parts[-1] += "".join(
            f"\n| `{name}` | {number.unit} | {number.meaning} |" for name, number in sorted(group.items())
        )
    return "\n\n".join(parts) + "\n"

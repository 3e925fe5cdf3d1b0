# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Targets of the cases that do not run on one of every generation, and why."""

TARGETS = {
    # Each takes half a minute; `sweep` runs them everywhere.
    "std_bitset": ["sm_90"],
    "std_bitset.few": ["sm_120"],
    "std_bitset.none": ["sm_100"],
}

# Targets on which `sweep` runs all cases.
SWEPT_TARGETS = [
    "sm_80",
    "sm_90",
    "sm_100",
    "sm_107",
    "sm_120",
]

# Sweeps among the default tests: kernels whose blocks, TMA copies or tensor cores work concurrently.
SWEPT_BY_DEFAULT = [
    ("atomic_last_block", "sm_120"),
    ("struct_members", "sm_80"),
    ("product_half", "sm_107"),
    ("view_ragged", "sm_90"),
    ("view_ranks", "sm_100"),
]

# Kernels whose bytecode the default tests regenerate: with and without a twin, options, globals, libcu++ types.
MADE_BY_DEFAULT = [
    "attention_branch_f16",
    "gemm_static_f16",
    "globals_written",
    "print_scalars",
    "std_span",
]

# Kernels that take no more cycles in the timing model than in Python, and their targets.
TIMED_PAIRS = {
    "gemm_dynamic_f16": [
        "sm_90",
        "sm_100",
    ],
    "gemm_static_f16": [
        "sm_90",
        "sm_100",
    ],
}

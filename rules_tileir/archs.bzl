# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Targets of tile kernels; an unknown target is an error of analysis."""

# Suffixes by chip. As in dialects/support/Targets.def: //test/bazel of tileir compares.
_CHIPS = {
    "sm_80": "",
    "sm_86": "",
    "sm_87": "",
    "sm_88": "",
    "sm_89": "",
    "sm_90": "a",
    "sm_100": "af",
    "sm_103": "af",
    "sm_107": "af",
    "sm_110": "af",
    "sm_120": "af",
    "sm_121": "af",
}

TILEIR_ARCHS = [chip + suffix for chip, suffixes in _CHIPS.items() for suffix in [""] + list(suffixes.elems())]

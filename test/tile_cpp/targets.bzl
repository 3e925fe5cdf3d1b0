# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Targets of the cases that do not run on one of every generation, and why."""

TARGETS = {}

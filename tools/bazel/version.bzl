# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Version of the shared objects: the first two numbers of the file VERSION, which rules cannot read."""

TILEIR_SO_VERSION = "0.1"

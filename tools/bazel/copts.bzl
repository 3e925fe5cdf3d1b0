# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiler flags of our own sources."""

# LLVM is built with RTTI and without exceptions, so a plugin must be, too. TableGen writes unused parameters.
TILEIR_COPTS = [
    "-std=c++17",
    "-fno-exceptions",
    "-Wall",
    "-Wextra",
    "-Wno-unused-parameter",
    "-Werror",
]

# Sources without LLVM may use all of C++17.
TILEIR_PLAIN_COPTS = [
    "-std=c++17",
    "-Wall",
    "-Wextra",
    "-Wno-unused-parameter",
    "-Werror",
]

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rules of rules_tileir, with the compiler of this repository: docs/start/bazel.md."""

load(
    "@rules_tileir//:defs.bzl",
    _TileIRInfo = "TileIRInfo",
    _tileir_cpp_bytecode = "tileir_cpp_bytecode",
    _tileir_cpp_object = "tileir_cpp_object",
    _tileir_cubin = "tileir_cubin",
    _tileir_object = "tileir_object",
)

TileIRInfo = _TileIRInfo
tileir_cpp_bytecode = _tileir_cpp_bytecode
tileir_cpp_object = _tileir_cpp_object
tileir_cubin = _tileir_cubin
tileir_object = _tileir_object

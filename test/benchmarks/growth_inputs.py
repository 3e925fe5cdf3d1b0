# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Text of inputs that grow and that test/data/perf/scaling has not, or not as large."""

TILE = "tile<128xf32>"
POINTERS = "tile<128xptr<f32>>"


def _module(kernels):
    return "cuda_tile.module @m {\n" + "\n".join(kernels) + "\n}\n"


def _kernel(name, body):
    """A kernel whose body finds pointers %q of one tile, a trip count %n and the constants %c0 and %c1."""
    head = [
        f"entry @{name}(%p: tile<ptr<f32>>, %n: tile<i32>) {{",
        "  %c0 = constant <i32: 0> : tile<i32>",
        "  %c1 = constant <i32: 1> : tile<i32>",
        "  %o = iota : tile<128xi32>",
        "  %p1 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>",
        f"  %pb = broadcast %p1 : tile<1xptr<f32>> -> {POINTERS}",
        f"  %q = offset %pb, %o : {POINTERS}, tile<128xi32> -> {POINTERS}",
    ]
    return "\n".join(head + body + ["  return", "}"])


def _load(name, token, after=""):
    return f"  %{name}, %{token} = load_ptr_tko weak %q{after} : {POINTERS} -> {TILE}, token"


def _store(value, token, after=""):
    return f"  %{token} = store_ptr_tko weak %q, %{value}{after} : {POINTERS}, {TILE} -> token"


def nested(depth):
    """`depth` nested loops around a load and a store, while eight loads before them are still unread."""
    body = [_load(f"a{i}", f"t{i}") for i in range(8)]
    body += [f"  for %i{d} in (%c0 to %n, step %c1) : tile<i32> {{" for d in range(depth)]
    body += [_load("x", "u"), _store("x", "v")] + ["  }"] * depth
    last = "a0"
    for i in range(1, 8):
        body.append(f"  %s{i} = addf %{last}, %a{i} rounding<nearest_even> : {TILE}")
        last = f"s{i}"
    return _module([_kernel("k", body + [_store(last, "w")])])


def tokens(length):
    """A chain of `length` tokens that are joined one to the next between a load and a store."""
    body = [_load("x", "t0")]
    body += [f"  %t{i} = join_tokens %t{i - 1}, %t{i - 1} : token" for i in range(1, length)]
    return _module([_kernel("k", body + [_store("x", "w", f" token = %t{length - 1}")])])


def kernels(count):
    return _module([_kernel(f"k{i}", [_load("x", "t"), _store("x", "w")]) for i in range(count)])


def tile(elements):
    """One addition on a tile of `elements`."""
    wide, places = f"tile<{elements}xf32>", f"tile<{elements}xptr<f32>>"
    body = [
        "entry @k(%p: tile<ptr<f32>>) {",
        f"  %o = iota : tile<{elements}xi32>",
        "  %p1 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>",
        f"  %pb = broadcast %p1 : tile<1xptr<f32>> -> {places}",
        f"  %q = offset %pb, %o : {places}, tile<{elements}xi32> -> {places}",
        f"  %x, %t = load_ptr_tko weak %q : {places} -> {wide}, token",
        f"  %y = addf %x, %x rounding<nearest_even> : {wide}",
        f"  %w = store_ptr_tko weak %q, %y : {places}, {wide} -> token",
        "  return",
        "}",
    ]
    return _module(["\n".join(body)])

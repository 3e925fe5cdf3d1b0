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


def _reduced(name, tile, shape, dim, result, op, identity):
    """`tile` of `shape` combined along `dim` by an operation."""
    return [
        f"  %{name} = reduce %{tile} dim={dim} identities=[{identity} : f32] : tile<{shape}xf32> -> tile<{result}f32>",
        "  (%l: tile<f32>, %r: tile<f32>) {",
        f"    %z = {op} %l, %r : tile<f32>",
        "    yield %z : tile<f32>",
        "  }",
    ]


def _spread(name, value, shape):
    """A scalar in all of a tile, in two steps."""
    element = "ptr<f32>" if value in ("p", "q") else "f32"
    return [
        f"  %{name}1 = reshape %{value} : tile<{element}> -> tile<1x{element}>",
        f"  %{name} = broadcast %{name}1 : tile<1x{element}> -> tile<{shape}x{element}>",
    ]


def column(rows):
    """The sums of the 64 columns of one tile that a view loads."""
    source, target = f"tensor_view<{rows}x64xf32, strides=[64,1]>", "tensor_view<64xf32, strides=[1]>"
    parts = f"partition_view<tile=({rows}x64), {source}>"
    body = [
        "entry @k(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>) {",
        "  %c0 = constant <i32: 0> : tile<i32>",
        f"  %s = make_tensor_view %p, shape = [{rows}, 64], strides = [64, 1] : {source}",
        f"  %sp = make_partition_view %s : {parts}",
        f"  %x, %t = load_view_tko weak %sp[%c0, %c0] : {parts}, tile<i32> -> tile<{rows}x64xf32>, token",
        *_reduced("y", "x", f"{rows}x64", 0, "64x", "addf", "0.0"),
        f"  %d = make_tensor_view %q, shape = [64], strides = [1] : {target}",
        f"  %dp = make_partition_view %d : partition_view<tile=(64), {target}>",
        f"  %u = store_view_tko weak %y, %dp[%c0] : tile<64xf32>, partition_view<tile=(64), {target}>, tile<i32> -> token",
        "  return",
        "}",
    ]
    return _module(["\n".join(body)])


def row(columns):
    """The softmax of one masked row that pointers load."""
    wide, places = f"tile<{columns}xf32>", f"tile<{columns}xptr<f32>>"
    whole, flags = f"tile<{columns}xi32>", f"tile<{columns}xi1>"
    body = [
        "entry @k(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>, %n: tile<i32>) {",
        f"  %o = iota : {whole}",
        f"  %c = constant <f32: 0.0> : {wide}",
        "  %n1 = reshape %n : tile<i32> -> tile<1xi32>",
        f"  %m = broadcast %n1 : tile<1xi32> -> {whole}",
        f"  %i = cmpi less_than %o, %m, signed : {whole} -> {flags}",
        *_spread("pb", "p", columns),
        f"  %ps = offset %pb, %o : {places}, {whole} -> {places}",
        f"  %x, %t = load_ptr_tko weak %ps, %i, %c : {places}, {flags}, {wide} -> {wide}, token",
        *_reduced("most", "x", columns, 0, "", "maxf", "0xFF800000"),
        *_spread("mosts", "most", columns),
        f"  %d = subf %x, %mosts : {wide}",
        f"  %e = exp %d : {wide}",
        *_reduced("sum", "e", columns, 0, "", "addf", "0.0"),
        *_spread("sums", "sum", columns),
        f"  %y = divf %e, %sums : {wide}",
        *_spread("qb", "q", columns),
        f"  %qs = offset %qb, %o : {places}, {whole} -> {places}",
        f"  %w = store_ptr_tko weak %qs, %y, %i : {places}, {wide}, {flags} -> token",
        "  return",
        "}",
    ]
    return _module(["\n".join(body)])

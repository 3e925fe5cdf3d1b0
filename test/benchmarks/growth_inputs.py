# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates growing inputs that test/data/perf/scaling lacks, or has only smaller."""

TILE = "tile<128xf32>"
POINTERS = "tile<128xptr<f32>>"


def _module(kernels):
    return "cuda_tile.module @m {\n" + "\n".join(kernels) + "\n}\n"


def _kernel(name, body):
    """Returns a kernel whose body uses pointers %q of one tile, a trip count %n and the constants %c0 and %c1."""
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
    """Returns `depth` nested loops around a load and a store, while eight earlier loads are still unused."""
    body = [_load(f"a{i}", f"t{i}") for i in range(8)]
    body += [f"  for %i{d} in (%c0 to %n, step %c1) : tile<i32> {{" for d in range(depth)]
    body += [_load("x", "u"), _store("x", "v")] + ["  }"] * depth
    last = "a0"
    for i in range(1, 8):
        body.append(f"  %s{i} = addf %{last}, %a{i} rounding<nearest_even> : {TILE}")
        last = f"s{i}"
    return _module([_kernel("k", body + [_store(last, "w")])])


def tokens(length):
    """Returns a chain of `length` joined tokens between a load and a store."""
    body = [_load("x", "t0")]
    body += [f"  %t{i} = join_tokens %t{i - 1}, %t{i - 1} : token" for i in range(1, length)]
    return _module([_kernel("k", body + [_store("x", "w", f" token = %t{length - 1}")])])


def kernels(count):
    return _module([_kernel(f"k{i}", [_load("x", "t"), _store("x", "w")]) for i in range(count)])


def tile(elements):
    """Returns one addition on a tile of `elements`."""
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
    """Reduces `tile` of `shape` along `dim` by an operation."""
    return [
        f"  %{name} = reduce %{tile} dim={dim} identities=[{identity} : f32] : tile<{shape}xf32> -> tile<{result}f32>",
        "  (%l: tile<f32>, %r: tile<f32>) {",
        f"    %z = {op} %l, %r : tile<f32>",
        "    yield %z : tile<f32>",
        "  }",
    ]


def _spread(name, value, shape):
    """Broadcasts a scalar to a tile, in two steps."""
    element = "ptr<f32>" if value in ("p", "q") else "f32"
    return [
        f"  %{name}1 = reshape %{value} : tile<{element}> -> tile<1x{element}>",
        f"  %{name} = broadcast %{name}1 : tile<1x{element}> -> tile<{shape}x{element}>",
    ]


def column(rows):
    """Returns the sums of the 64 columns of one tile that a view loads."""
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
    """Returns the softmax of one masked row that pointers load."""
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


def _condition(name, text):
    """Returns a comparison as C++ front ends emit it: an integer that is compared again."""
    return [
        f"  %{name}a = cmpi {text}, signed : tile<i32> -> tile<i1>",
        f"  %{name}b = exti %{name}a unsigned : tile<i1> -> tile<i32>",
        f"  %{name} = cmpi not_equal %{name}b, %c0, signed : tile<i32> -> tile<i1>",
    ]


def _element(name, index):
    """Returns the address of an element of the local array %m."""
    return [
        f"  %{name}w = exti %{index} signed : tile<i32> -> tile<i64>",
        f"  %{name}o = muli %{name}w, %bytes : tile<i64>",
        f"  %{name}p = offset %m, %{name}o : tile<ptr<i8>>, tile<i64> -> tile<ptr<i8>>",
        f"  %{name} = ptr_to_ptr %{name}p : tile<ptr<i8>> -> tile<ptr<i32>>",
    ]


def _counted(name, carried, body, last):
    """Returns a loop over %i with a flag for the first trip, as C++ front ends emit loops with early exits. `carried`:
    name and initial value of each token; `body` may `break`; `last`: the final tokens."""
    types = ", ".join(["tile<i32>", "tile<i32>"] + ["token"] * len(carried))
    names = ", ".join(f"%{token}" for token in carried)
    inits = ", ".join(f"%{token} = %{init}" for token, init in carried.items())
    tokens = ", ".join(["token"] * len(carried))
    return [
        f"  %{name}:{2 + len(carried)} = loop iter_values(%i0 = %c0, %first = %c1, {inits}) : {types} -> {types} {{",
        "  %flag = cmpi not_equal %first, %c0, signed : tile<i32> -> tile<i1>",
        "  %i = if %flag -> (tile<i32>) {",
        "    yield %i0 : tile<i32>",
        "  } else {",
        "    %next = addi %i0, %c1 overflow<no_signed_wrap> : tile<i32>",
        "    yield %next : tile<i32>",
        "  }",
        *_condition("more", "less_than %i, %n"),
        f"  %done:{len(carried)} = if %more -> ({tokens}) {{",
        *body,
        f"  continue %i, %c0, {last} : {types}",
        "  } else {",
        f"    yield {names} : {tokens}",
        "  }",
        "  break %i, %c0, " + ", ".join(f"%done#{k}" for k in range(len(carried))) + f" : {types}",
        "  }",
    ]


def _check(number):
    """Returns the code of a front end for a function with a local array that a kernel calls: ten constructs, about 100
    operations. It returns early by leaving a loop of a single trip."""
    leave = "tile<i1>, token, token"
    fill = [
        *_element("e", "j"),
        "  %w = store_ptr_tko weak %e, %j : tile<ptr<i32>>, tile<i32> -> token",
        "  continue %w, %w : token, token",
    ]
    count = [
        "  %a = offset %p, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>",
        "  %v, %ta = load_ptr_tko weak %a : tile<ptr<i32>> -> tile<i32>, token",
        "  %u0 = join_tokens %u, %ta : token",
        *_condition("stop", "less_than %v, %c0"),
        "  %u1 = if %stop -> (token) {",
        "    break %i, %c0, %s, %u0 : tile<i32>, tile<i32>, token, token",
        "  } else {",
        "    yield %u0 : token",
        "  }",
        "  %k = andi %v, %c3 : tile<i32>",
        *_element("e", "k"),
        "  %j0 = join_tokens %filled#0, %s : token",
        "  %x, %tx = load_ptr_tko weak %e token=%j0 : tile<ptr<i32>> -> tile<i32>, token",
        "  %u2 = join_tokens %u1, %tx : token",
        "  %y = addi %x, %v overflow<no_signed_wrap> : tile<i32>",
        "  %j1 = join_tokens %filled#0, %tx, %s : token",
        "  %ty = store_ptr_tko weak %e, %y token=%j1 : tile<ptr<i32>>, tile<i32> -> token",
    ]
    find = [
        "  %k = andi %i, %c3 : tile<i32>",
        *_element("e", "k"),
        "  %j0 = join_tokens %filled#0, %counted#2 : token",
        "  %x, %tx = load_ptr_tko weak %e token=%j0 : tile<ptr<i32>> -> tile<i32>, token",
        "  %u2 = join_tokens %u, %tx : token",
        *_condition("hit", f"equal %x, %number{number}"),
        "  %u1 = if %hit -> (token) {",
        "    break %i, %c0, %u2 : tile<i32>, tile<i32>, token",
        "  } else {",
        "    yield %u2 : token",
        "  }",
    ]
    text = [
        f"  %number{number} = constant <i32: {number}> : tile<i32>",
        f"  %r{number}:3 = loop iter_values(%b0 = %t0, %b1 = %t0, %no = %false) : token, token, tile<i1> -> {leave} {{",
        "  %m = alloca num_elem = 16, alignment = 4 : tile<ptr<i8>>",
        "  %filled:2 = for %j in (%c0 to %c4, step %c1) : tile<i32> iter_values(%f0 = %b0, %f1 = %b1) -> (token, token) {",
        *fill,
        "  }",
        *_counted("counted", {"s": "b0", "u": "filled#1"}, count, "%ty, %u2"),
        *_counted("found", {"u": "counted#3"}, find, "%u1"),
        *_condition("late", "less_than %counted#0, %found#0"),
        f"  if %late {{ break %true, %counted#2, %found#2 : {leave} }}",
        *_element("z", "c3"),
        "  %l, %tl = load_ptr_tko weak %z token=%counted#2 : tile<ptr<i32>> -> tile<i32>, token",
        *_condition("big", f"greater_than %l, %number{number}"),
        "  %g = if %big -> (token) {",
        f"    break %true, %counted#2, %tl : {leave}",
        "  } else {",
        "    yield %tl : token",
        "  }",
        f"  break %false, %counted#2, %g : {leave}",
        "  }",
        f"  %n{number + 1} = if %r{number}#0 -> (tile<i32>) {{",
        f"    %one = addi %n{number}, %c1 : tile<i32>",
        "    yield %one : tile<i32>",
        "  } else {",
        f"    yield %n{number} : tile<i32>",
        "  }",
    ]
    return text


def checks(count):
    """Returns `count` checks of a C++ library's test in one kernel, which counts failures."""
    body = [
        "entry @k(%p: tile<ptr<i32>>, %q: tile<ptr<i32>>, %n: tile<i32>) {",
        *(f"  %c{c} = constant <i32: {c}> : tile<i32>" for c in (0, 1, 3, 4)),
        "  %bytes = constant <i64: 4> : tile<i64>",
        "  %true = constant <i1: 1> : tile<i1>",
        "  %false = constant <i1: 0> : tile<i1>",
        "  %t0 = make_token : token",
        "  %n0 = addi %c0, %c0 : tile<i32>",
    ]
    for number in range(count):
        body += _check(number)
    body += [f"  %w = store_ptr_tko weak %q, %n{count} : tile<ptr<i32>>, tile<i32> -> token", "  return", "}"]
    return _module(["\n".join(body)])

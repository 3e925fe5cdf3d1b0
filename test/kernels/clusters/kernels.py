# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels whose tile block is divided among the CTAs of a cluster: their text, inputs and answers.

Each function returns the text of an entry `k`, the grid, the arrays in the order of its parameters and tolerances. An array
is a pair of what it holds at first (None: poison) and what it holds in the end (None: it is only read).
"""

import numpy


def view(name, pointer, shape, tile, dtype, order=None):
    """Lines that make the partition view %{name} of a dense array."""
    strides = [int(numpy.prod(shape[i + 1:])) for i in range(len(shape))]
    dims = "x".join(map(str, shape))
    array = f"tensor_view<{dims}x{dtype}, strides=[{','.join(map(str, strides))}]>"
    kind = f"partition_view<tile=({'x'.join(map(str, tile))}), padding_value = zero, {array}>"
    return f"""
    %{name}base = assume div_by<16>, %{pointer} : tile<ptr<{dtype}>>
    %{name}array = make_tensor_view %{name}base, shape = {list(shape)}, strides = {strides} : {array}
    %{name} = make_partition_view %{name}array : {kind}""", kind


def tile(shape, dtype):
    return f"tile<{'x'.join(map(str, shape))}x{dtype}>"


def entry(parameters, body):
    return f"""cuda_tile.module @m {{
  entry @k({', '.join(f'%{name}: tile<ptr<{dtype}>>' for name, dtype in parameters)}) {{
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %nx, %ny, %nz = get_num_tile_blocks : tile<i32>{body}
    return
  }}
}}
"""


def normal(seed, shape, dtype=numpy.float16, scale=1.0):
    return (numpy.random.RandomState(seed).standard_normal(shape) * scale).astype(dtype)


def matmul_body(m, n, k, depth, a_index="%i, %s", b_index="%s, %j", lead="", transposed=False, dynamic=False):
    ones = [1] * (1 if lead else 0)
    b_loaded = [n, k] if transposed else [k, n]
    turn = ""
    if transposed:
        b_index = "%j, %s"
        turn = f"""
      %bp = permute %bm [1, 0] : {tile([n, k], 'f16')} -> {tile([k, n], 'f16')}"""
    steps = f"%steps = constant <i32: {-(-depth // k)}> : tile<i32>"
    if dynamic:
        steps = "%steps, %ts = load_ptr_tko weak %w : tile<ptr<i32>> -> tile<i32>, token"
    return f"""
    %zero = constant <f32: 0.0> : {tile([m, n], 'f32')}
    {steps}
    %sum = for %s in (%0 to %steps, step %1) : tile<i32> iter_values(%acc = %zero) -> ({tile([m, n], 'f32')}) {{
      %at, %ta = load_view_tko weak %a[{lead}{a_index}] : @A, tile<i32> -> {tile(ones + [m, k], 'f16')}, token
      %bt, %tb = load_view_tko weak %b[{lead}{b_index}] : @B, tile<i32> -> {tile(ones + b_loaded, 'f16')}, token
      %am = reshape %at : {tile(ones + [m, k], 'f16')} -> {tile([m, k], 'f16')}
      %bm = reshape %bt : {tile(ones + b_loaded, 'f16')} -> {tile(b_loaded, 'f16')}{turn}
      %d = mmaf %am, {'%bp' if transposed else '%bm'}, %acc : {tile([m, k], 'f16')}, {tile([k, n], 'f16')}, {tile([m, n], 'f32')}
      continue %d : {tile([m, n], 'f32')}
    }}
    %half = ftof %sum : {tile([m, n], 'f32')} -> {tile([m, n], 'f16')}
    %out = reshape %half : {tile([m, n], 'f16')} -> {tile(ones + [m, n], 'f16')}
    %tc = store_view_tko weak %out, %c[{lead}%i, %j] : {tile(ones + [m, n], 'f16')}, @C, tile<i32> -> token"""


CLAIM = """loop {
      %t, %told = atomic_rmw_tko relaxed device %w, add, %1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %over = cmpi greater_than_or_equal %t, %all, signed : tile<i32> -> tile<i1>
      if %over {
        break
      }"""


def gemm(m, n, k, persistent=False, batched=False, depth=None, transposed=False, trips=None, claimed=False):
    """A matmul with ragged edges; persistent blocks take several tiles each, in turn or as an atomic says;
    `transposed`: rows of B are columns; `trips`: so many steps, which the kernel loads."""
    persistent = persistent or claimed
    depth = depth or 2 * k + 16
    batch = [2] if batched else []
    rows, columns = m + m // 2 + 8, n + (n // 2 + 16 if persistent else 0)
    ones = [1] * len(batch)
    shapes = [batch + [rows, depth], batch + [depth, columns], batch + [rows, columns]]
    tiles = [ones + [m, k], ones + [k, n], ones + [m, n]]
    if transposed:
        shapes[1], tiles[1] = batch + [columns, depth], ones + [n, k]
    body, kinds = "", []
    for name, pointer, shape, extents in zip("abc", "xyz", shapes, tiles):
        lines, kind = view(name, pointer, shape, extents, "f16")
        body += lines
        kinds.append(kind)
    text = matmul_body(m, n, k, depth, lead="%q, " if batched else "", transposed=transposed,
                        dynamic=trips is not None)
    across = -(-columns // n)
    down = -(-rows // m)
    if persistent:
        body += f"""
    %all = constant <i32: {down * across}> : tile<i32>
    %across = constant <i32: {across}> : tile<i32>
    {CLAIM if claimed else "for %t in (%bx to %all, step %nx) : tile<i32> {"}
    %i = divi %t, %across signed : tile<i32>
    %j = remi %t, %across signed : tile<i32>{text}
    {"continue" if claimed else ""}
    }}"""
        grid = [2, 1, 1]
    else:
        names = ["q", "i", "j"] if batched else ["i", "j"]
        blocks = ["bx", "by", "bz"]
        for name, block in zip(names, blocks):
            text = text.replace(f"%{name},", f"%{block},").replace(f"%{name}]", f"%{block}]")
        body += text
        grid = ([2] if batched else []) + [down, across]
        grid += [1] * (3 - len(grid))
    for letter, kind in zip("ABC", kinds):
        body = body.replace("@" + letter, kind)
    a, b = normal(1, shapes[0]), normal(2, shapes[1])
    right = b.swapaxes(-1, -2) if transposed else b
    end = depth if trips is None else trips * k
    c = (a[..., :end].astype(numpy.float32) @ right[..., :end, :].astype(numpy.float32)).astype(numpy.float16)
    parameters = [("x", "f16"), ("y", "f16"), ("z", "f16")]
    arrays = [(a, None), (b, None), (None, c)]
    if trips is not None:
        parameters.append(("w", "i32"))
        arrays.append((numpy.array([trips], numpy.int32), None))
    if claimed:
        parameters.append(("w", "i32"))
        arrays.append((numpy.zeros([1], numpy.int32), numpy.full([1], down * across + 2, numpy.int32)))
    return entry(parameters, body), grid, arrays, (2e-3, 2e-2)


def reduction(result, source, m, n, function, identity):
    return f"""
    %{result}r = reduce %{source} dim=1 identities=[{identity} : f32] : {tile([m, n], 'f32')} -> {tile([m], 'f32')}
    (%{result}x: tile<f32>, %{result}y: tile<f32>) {{
      %{result}z = {function} %{result}x, %{result}y : tile<f32>
      yield %{result}z : tile<f32>
    }}
    %{result} = reshape %{result}r : {tile([m], 'f32')} -> {tile([m, 1], 'f32')}"""


def attention(m, n, d, causal=False, trips=3):
    """Softmax of scaled scores times values, of one head, with the maxima and sums of the rows kept."""
    queries, keys = m + m // 2, n * trips
    body, kinds = "", []
    for name, pointer, rows, extent in zip("qkvo", "xyzw", [queries, keys, keys, queries], [m, n, n, m]):
        lines, kind = view(name, pointer, [rows, d], [extent, d], "f16")
        body += lines
        kinds.append(kind)
    wide, tall, line = tile([m, n], "f32"), tile([m, d], "f32"), tile([m, 1], "f32")
    mask = ""
    if causal:
        mask = f"""
      %cn = constant <i32: {n}> : tile<i32>
      %first = muli %s, %cn : tile<i32>
      %firstt = broadcast_to %first
      %columns0 = iota : tile<{n}xi32>
      %columns1 = addi %columns0, %firstt : tile<{n}xi32>
      %columns2 = reshape %columns1 : tile<{n}xi32> -> tile<1x{n}xi32>
      %columns = broadcast %columns2 : tile<1x{n}xi32> -> tile<{m}x{n}xi32>
      %seen = cmpi greater_than_or_equal %rows, %columns, signed : tile<{m}x{n}xi32> -> tile<{m}x{n}xi1>
      %low = constant <f32: -1.0e30> : {wide}
      %scores = select %seen, %scores0, %low : tile<{m}x{n}xi1>, {wide}"""
        first = f"""%first1 = reshape %first : tile<i32> -> tile<1xi32>
      %firstt = broadcast %first1 : tile<1xi32> -> tile<{n}xi32>"""
        mask = mask.replace("%firstt = broadcast_to %first", first)
        body += f"""
    %cm = constant <i32: {m}> : tile<i32>
    %row = muli %bx, %cm : tile<i32>
    %row1 = reshape %row : tile<i32> -> tile<1xi32>
    %rowt = broadcast %row1 : tile<1xi32> -> tile<{m}xi32>
    %rows0 = iota : tile<{m}xi32>
    %rows1 = addi %rows0, %rowt : tile<{m}xi32>
    %rows2 = reshape %rows1 : tile<{m}xi32> -> tile<{m}x1xi32>
    %rows = broadcast %rows2 : tile<{m}x1xi32> -> tile<{m}x{n}xi32>"""
    scores = "%scores" if causal else "%scores0"
    body += f"""
    %qt, %tq = load_view_tko weak %q[%bx, %0] : {kinds[0]}, tile<i32> -> {tile([m, d], 'f16')}, token
    %zero = constant <f32: 0.0> : {tall}
    %least = constant <f32: -1.0e30> : {line}
    %none = constant <f32: 0.0> : {line}
    %clear = constant <f32: 0.0> : {wide}
    %scale = constant <f32: 0.125> : {wide}
    %trips = constant <i32: {trips}> : tile<i32>
    %r:3 = for %s in (%0 to %trips, step %1) : tile<i32> iter_values(%acc = %zero, %max = %least, %sum = %none) -> ({tall}, {line}, {line}) {{
      %kt, %tk = load_view_tko weak %k[%s, %0] : {kinds[1]}, tile<i32> -> {tile([n, d], 'f16')}, token
      %kp = permute %kt [1, 0] : {tile([n, d], 'f16')} -> {tile([d, n], 'f16')}
      %raw = mmaf %qt, %kp, %clear : {tile([m, d], 'f16')}, {tile([d, n], 'f16')}, {wide}
      %scores0 = mulf %raw, %scale : {wide}{mask}{reduction('top', scores[1:], m, n, 'maxf', '0xFF800000')}
      %more = maxf %max, %top : {line}
      %moreb = broadcast %more : {line} -> {wide}
      %lower = subf {scores}, %moreb : {wide}
      %p = exp %lower : {wide}{reduction('part', 'p', m, n, 'addf', '0.0')}
      %change = subf %max, %more : {line}
      %factor = exp %change : {line}
      %kept = mulf %sum, %factor : {line}
      %total = addf %kept, %part : {line}
      %factorb = broadcast %factor : {line} -> {tall}
      %scaled = mulf %acc, %factorb : {tall}
      %ph = ftof %p : {wide} -> {tile([m, n], 'f16')}
      %vt, %tv = load_view_tko weak %v[%s, %0] : {kinds[2]}, tile<i32> -> {tile([n, d], 'f16')}, token
      %next = mmaf %ph, %vt, %scaled : {tile([m, n], 'f16')}, {tile([n, d], 'f16')}, {tall}
      continue %next, %more, %total : {tall}, {line}, {line}
    }}
    %sums = broadcast %r#2 : {line} -> {tall}
    %o0 = divf %r#0, %sums : {tall}
    %o1 = ftof %o0 : {tall} -> {tile([m, d], 'f16')}
    %to = store_view_tko weak %o1, %o[%bx, %0] : {tile([m, d], 'f16')}, {kinds[3]}, tile<i32> -> token"""
    q, k, v = normal(3, [queries, d]), normal(4, [keys, d]), normal(5, [keys, d])
    s = (q.astype(numpy.float64) @ k.T.astype(numpy.float64)) * 0.125
    if causal:
        s = numpy.where(numpy.arange(queries)[:, None] >= numpy.arange(keys)[None, :], s, -1e30)
    p = numpy.exp(s - s.max(1, keepdims=True))
    o = (p @ v.astype(numpy.float64) / p.sum(1, keepdims=True)).astype(numpy.float16)
    parameters = [(name, "f16") for name in "xyzw"]
    return entry(parameters, body), [2, 1, 1], [(q, None), (k, None), (v, None), (None, o)], (4e-3, 4e-3)


def softmax(rows, columns):
    """Softmax of several rows at once."""
    total = 2 * rows + rows // 2
    body, kinds = "", []
    for name, pointer in zip("ab", "xy"):
        lines, kind = view(name, pointer, [total, columns], [rows, columns], "f32")
        body += lines
        kinds.append(kind)
    wide, line = tile([rows, columns], "f32"), tile([rows, 1], "f32")
    body += f"""
    %v, %t0 = load_view_tko weak %a[%bx, %0] : {kinds[0]}, tile<i32> -> {wide}, token{reduction('m', 'v', rows, columns, 'maxf', '0xFF800000')}
    %mb = broadcast %m : {line} -> {wide}
    %d = subf %v, %mb : {wide}
    %e = exp %d : {wide}{reduction('s', 'e', rows, columns, 'addf', '0.0')}
    %sb = broadcast %s : {line} -> {wide}
    %q = divf %e, %sb : {wide}
    %t1 = store_view_tko weak %q, %b[%bx, %0] : {wide}, {kinds[1]}, tile<i32> -> token"""
    x = normal(6, [total, columns], numpy.float32)
    e = numpy.exp(x.astype(numpy.float64) - x.max(1, keepdims=True))
    y = (e / e.sum(1, keepdims=True)).astype(numpy.float32)
    return entry([("x", "f32"), ("y", "f32")], body), [3, 1, 1], [(x, None), (None, y)], (1e-5, 1e-6)


def layernorm(rows, columns, chunks):
    """Rows minus their mean, by their deviation, times weights that all rows share; a row comes in chunks."""
    width = columns * chunks
    body, kinds = "", {}
    for name, pointer, shape, extents in [("a", "x", [2 * rows, width], [rows, columns]),
                                          ("w", "y", [width], [columns]),
                                          ("b", "z", [2 * rows, width], [rows, columns])]:
        lines, kinds[name] = view(name, pointer, shape, extents, "f32")
        body += lines
    wide, line = tile([rows, columns], "f32"), tile([rows, 1], "f32")
    body += f"""
    %chunks = constant <i32: {chunks}> : tile<i32>
    %zero = constant <f32: 0.0> : {wide}
    %width = constant <f32: {float(width)}> : {line}
    %small = constant <f32: 0.00001> : {line}
    %r:2 = for %s in (%0 to %chunks, step %1) : tile<i32> iter_values(%acc = %zero, %sqr = %zero) -> ({wide}, {wide}) {{
      %v, %t0 = load_view_tko weak %a[%bx, %s] : {kinds['a']}, tile<i32> -> {wide}, token
      %more = addf %acc, %v : {wide}
      %vv = mulf %v, %v : {wide}
      %most = addf %sqr, %vv : {wide}
      continue %more, %most : {wide}, {wide}
    }}{reduction('sum', 'r#0', rows, columns, 'addf', '0.0')}{reduction('all', 'r#1', rows, columns, 'addf', '0.0')}
    %mean = divf %sum, %width : {line}
    %square = divf %all, %width : {line}
    %mm = mulf %mean, %mean : {line}
    %var = subf %square, %mm : {line}
    %vare = addf %var, %small : {line}
    %inv = rsqrt %vare : {line}
    %meanb = broadcast %mean : {line} -> {wide}
    %invb = broadcast %inv : {line} -> {wide}
    for %s in (%0 to %chunks, step %1) : tile<i32> {{
      %v, %t0 = load_view_tko weak %a[%bx, %s] : {kinds['a']}, tile<i32> -> {wide}, token
      %w0, %t1 = load_view_tko weak %w[%s] : {kinds['w']}, tile<i32> -> {tile([columns], 'f32')}, token
      %w1 = reshape %w0 : {tile([columns], 'f32')} -> {tile([1, columns], 'f32')}
      %w2 = broadcast %w1 : {tile([1, columns], 'f32')} -> {wide}
      %c = subf %v, %meanb : {wide}
      %n = mulf %c, %invb : {wide}
      %y1 = mulf %n, %w2 : {wide}
      %t2 = store_view_tko weak %y1, %b[%bx, %s] : {wide}, {kinds['b']}, tile<i32> -> token
    }}"""
    x, w = normal(7, [2 * rows, width], numpy.float32), normal(8, [width], numpy.float32)
    x64 = x.astype(numpy.float64)
    mean = x64.mean(1, keepdims=True)
    y = ((x64 - mean) / numpy.sqrt((x64 * x64).mean(1, keepdims=True) - mean * mean + 1e-5) * w).astype(numpy.float32)
    parameters = [("x", "f32"), ("y", "f32"), ("z", "f32")]
    return entry(parameters, body), [2, 1, 1], [(x, None), (w, None), (None, y)], (1e-4, 1e-4)


def pointers(extent):
    """x + 2 y by tiles of pointers with a mask; an atomic adds the same to a third array."""
    size = 2 * extent + extent // 2 + 3
    line, mask = tile([extent], "f32"), tile([extent], "i1")
    body = f"""
    %n = constant <i32: {extent}> : tile<i32>
    %first = muli %bx, %n : tile<i32>
    %first1 = reshape %first : tile<i32> -> tile<1xi32>
    %firstt = broadcast %first1 : tile<1xi32> -> {tile([extent], 'i32')}
    %lane = iota : {tile([extent], 'i32')}
    %at = addi %lane, %firstt : {tile([extent], 'i32')}
    %size = constant <i32: {size}> : {tile([extent], 'i32')}
    %in = cmpi less_than %at, %size, signed : {tile([extent], 'i32')} -> {mask}
    %none = constant <f32: 0.0> : {line}"""
    for name in "xyzw":
        body += f"""
    %{name}1 = reshape %{name} : tile<ptr<f32>> -> tile<1xptr<f32>>
    %{name}b = broadcast %{name}1 : tile<1xptr<f32>> -> {tile([extent], 'ptr<f32>')}
    %{name}p = offset %{name}b, %at : {tile([extent], 'ptr<f32>')}, {tile([extent], 'i32')} -> {tile([extent], 'ptr<f32>')}"""
    body += f"""
    %xv, %t0 = load_ptr_tko weak %xp, %in, %none : {tile([extent], 'ptr<f32>')}, {mask}, {line} -> {line}, token
    %yv, %t1 = load_ptr_tko weak %yp, %in, %none : {tile([extent], 'ptr<f32>')}, {mask}, {line} -> {line}, token
    %y2 = addf %yv, %yv : {line}
    %s = addf %xv, %y2 : {line}
    %t2 = store_ptr_tko weak %zp, %s, %in : {tile([extent], 'ptr<f32>')}, {line}, {mask} -> token
    %old, %t3 = atomic_rmw_tko relaxed device %wp, addf, %s, %in : {tile([extent], 'ptr<f32>')}, {line}, {mask} -> {line}, token"""
    x, y, w = (normal(seed, [size], numpy.float32) for seed in (9, 10, 11))
    z = x + (y + y)
    parameters = [(name, "f32") for name in "xyzw"]
    return entry(parameters, body), [3, 1, 1], [(x, None), (y, None), (None, z), (w, w + z)], (1e-6, 1e-6)


def mixed(rows, columns):
    """Shapes that divide in several ways: ranges, slices, joins, scans, a constant with many elements; the block counts itself."""
    wide, half = [rows, columns], [rows, columns // 2]
    total = [2 * rows, columns]
    body, kinds = "", {}
    for name, pointer in zip("ab", "xy"):
        lines, kinds[name] = view(name, pointer, total, wide, "f32")
        body += lines
    halves = view("h", "x", total, half, "f32")
    body += halves[0]
    numbers = ", ".join(f"{float(i % 5)}" for i in range(rows))
    body += f"""
    %c2 = constant <i32: 2> : tile<i32>
    %l, %t0 = load_view_tko weak %h[%bx, %0] : {halves[1]}, tile<i32> -> {tile(half, 'f32')}, token
    %r, %t1 = load_view_tko weak %h[%bx, %1] : {halves[1]}, tile<i32> -> {tile(half, 'f32')}, token
    %both = cat %r, %l dim = 1 : {tile(half, 'f32')}, {tile(half, 'f32')} -> {tile(wide, 'f32')}
    %run = scan %both dim=1 reverse=false identities=[0.0 : f32] : {tile(wide, 'f32')} -> {tile(wide, 'f32')}
    (%acc: tile<f32>, %new: tile<f32>) {{
      %sum = addf %acc, %new : tile<f32>
      yield %sum : tile<f32>
    }}
    %many = constant <f32: [{numbers}]> : {tile([rows], 'f32')}
    %many1 = reshape %many : {tile([rows], 'f32')} -> {tile([rows, 1], 'f32')}
    %manyb = broadcast %many1 : {tile([rows, 1], 'f32')} -> {tile(wide, 'f32')}
    %place = iota : {tile([rows], 'i32')}
    %placef = itof %place signed : {tile([rows], 'i32')} -> {tile([rows], 'f32')}
    %place1 = reshape %placef : {tile([rows], 'f32')} -> {tile([rows, 1], 'f32')}
    %placeb = broadcast %place1 : {tile([rows, 1], 'f32')} -> {tile(wide, 'f32')}
    %s0 = addf %run, %manyb : {tile(wide, 'f32')}
    %s1 = addf %s0, %placeb : {tile(wide, 'f32')}
    %cond = cmpi equal %bx, %0, signed : tile<i32> -> tile<i1>
    %s2 = if %cond -> ({tile(wide, 'f32')}) {{
      %twice = addf %s1, %s1 : {tile(wide, 'f32')}
      yield %twice : {tile(wide, 'f32')}
    }} else {{
      yield %s1 : {tile(wide, 'f32')}
    }}
    %three = constant <i32: 3> : tile<i32>
    %loops:2 = loop iter_values(%trip = %0, %grown = %s2) : tile<i32>, {tile(wide, 'f32')} -> tile<i32>, {tile(wide, 'f32')} {{
      %end = cmpi equal %trip, %three, signed : tile<i32> -> tile<i1>
      if %end {{
        break %trip, %grown : tile<i32>, {tile(wide, 'f32')}
      }}
      %next = addi %trip, %1 : tile<i32>
      %more = addf %grown, %placeb : {tile(wide, 'f32')}
      continue %next, %more : tile<i32>, {tile(wide, 'f32')}
    }}
    %t2 = store_view_tko weak %loops#1, %b[%bx, %0] : {tile(wide, 'f32')}, {kinds['b']}, tile<i32> -> token
    %back, %t3 = load_view_tko weak %b[%bx, %0] token = %t2 : {kinds['b']}, tile<i32> -> {tile(wide, 'f32')}, token
    %less = subf %back, %manyb : {tile(wide, 'f32')}
    %t4 = store_view_tko weak %less, %b[%bx, %0] token = %t3 : {tile(wide, 'f32')}, {kinds['b']}, tile<i32> -> token
    %old, %t5 = atomic_rmw_tko relaxed device %z, add, %1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token"""
    x = numpy.random.RandomState(12).randint(-4, 5, total).astype(numpy.float32)
    both = numpy.concatenate([x[:, columns // 2:], x[:, :columns // 2]], 1)
    i = numpy.arange(rows)
    many = numpy.tile((i % 5), 2)[:, None]
    s = numpy.cumsum(both, 1) + many + numpy.tile(i, 2)[:, None]
    s[:rows] *= 2
    s = s + 3 * numpy.tile(i, 2)[:, None]
    count = numpy.zeros([1], numpy.int32)
    parameters = [("x", "f32"), ("y", "f32"), ("z", "i32")]
    return (entry(parameters, body), [2, 1, 1],
            [(x, None), (None, (s - many).astype(numpy.float32)), (count, count + 2)], (0, 0))


def norm(columns, chunks):
    """One row by the root of its mean square, times weights, in chunks: every CTA needs the sum of all elements."""
    width = columns * chunks
    body, kinds = "", {}
    for name, pointer, shape, extents in [("a", "x", [3, width], [1, columns]), ("w", "y", [width], [columns]),
                                          ("b", "z", [3, width], [1, columns])]:
        lines, kinds[name] = view(name, pointer, shape, extents, "f32")
        body += lines
    wide, line = tile([1, columns], "f32"), tile([1, 1], "f32")
    body += f"""
    %chunks = constant <i32: {chunks}> : tile<i32>
    %none = constant <f32: 0.0> : {line}
    %width = constant <f32: {float(width)}> : {line}
    %small = constant <f32: 0.00001> : {line}
    %sum = for %s in (%0 to %chunks, step %1) : tile<i32> iter_values(%acc = %none) -> ({line}) {{
      %v, %t0 = load_view_tko weak %a[%bx, %s] : {kinds['a']}, tile<i32> -> {wide}, token
      %vv = mulf %v, %v : {wide}{reduction('part', 'vv', 1, columns, 'addf', '0.0')}
      %more = addf %acc, %part : {line}
      continue %more : {line}
    }}
    %mean = divf %sum, %width : {line}
    %meane = addf %mean, %small : {line}
    %inv = rsqrt %meane : {line}
    %invb = broadcast %inv : {line} -> {wide}
    for %s in (%0 to %chunks, step %1) : tile<i32> {{
      %v, %t0 = load_view_tko weak %a[%bx, %s] : {kinds['a']}, tile<i32> -> {wide}, token
      %w0, %t1 = load_view_tko weak %w[%s] : {kinds['w']}, tile<i32> -> {tile([columns], 'f32')}, token
      %w1 = reshape %w0 : {tile([columns], 'f32')} -> {wide}
      %n = mulf %v, %invb : {wide}
      %y1 = mulf %n, %w1 : {wide}
      %t2 = store_view_tko weak %y1, %b[%bx, %s] : {wide}, {kinds['b']}, tile<i32> -> token
    }}"""
    x, w = normal(17, [3, width], numpy.float32), normal(18, [width], numpy.float32)
    x64 = x.astype(numpy.float64)
    y = (x64 / numpy.sqrt((x64 * x64).mean(1, keepdims=True) + 1e-5) * w).astype(numpy.float32)
    parameters = [("x", "f32"), ("y", "f32"), ("z", "f32")]
    return entry(parameters, body), [3, 1, 1], [(x, None), (w, None), (None, y)], (1e-5, 1e-5)


def peaks(extent, trips):
    """The largest element of each chunk and its first place, until a chunk has none above zero: a scalar decides."""
    lines, kind = view("a", "x", [2, trips * extent], [1, extent], "f32")
    body, wide = lines, tile([extent], "f32")
    body += f"""
    %trips = constant <i32: {trips}> : tile<i32>
    %zero = constant <f32: 0.0> : tile<f32>
    %lane = iota : {tile([extent], 'i32')}
    %first = muli %bx, %trips : tile<i32>
    %end = loop iter_values(%s = %0) : tile<i32> -> tile<i32> {{
      %v0, %t0 = load_view_tko weak %a[%bx, %s] : {kind}, tile<i32> -> {tile([1, extent], 'f32')}, token
      %v = reshape %v0 : {tile([1, extent], 'f32')} -> {wide}
      %top, %at = reduce %v, %lane dim=0 identities=[0xFF800000 : f32, 0 : i32] : {wide}, {tile([extent], 'i32')} -> tile<f32>, tile<i32>
      (%e: tile<f32>, %m: tile<f32>, %i: tile<i32>, %j: tile<i32>) {{
        %more = cmpf greater_than ordered %e, %m : tile<f32> -> tile<i1>
        %same = cmpf equal ordered %e, %m : tile<f32> -> tile<i1>
        %less = cmpi less_than %i, %j, signed : tile<i32> -> tile<i1>
        %earlier = andi %same, %less : tile<i1>
        %never = cmpi less_than %i, %0, signed : tile<i32> -> tile<i1>
        %better = ori %more, %earlier : tile<i1>
        %take = ori %better, %never : tile<i1>
        %mm = select %take, %e, %m : tile<i1>, tile<f32>
        %jj = select %take, %i, %j : tile<i1>, tile<i32>
        yield %mm, %jj : tile<f32>, tile<i32>
      }}
      %place = addi %first, %s : tile<i32>
      %py = offset %y, %place : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %pz = offset %z, %place : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %t1 = store_ptr_tko weak %py, %top : tile<ptr<f32>>, tile<f32> -> token
      %t2 = store_ptr_tko weak %pz, %at : tile<ptr<i32>>, tile<i32> -> token
      %low = cmpf less_than ordered %top, %zero : tile<f32> -> tile<i1>
      %next = addi %s, %1 : tile<i32>
      %last = cmpi equal %next, %trips, signed : tile<i32> -> tile<i1>
      %stop = ori %low, %last : tile<i1>
      if %stop {{
        break %next : tile<i32>
      }}
      continue %next : tile<i32>
    }}"""
    x = numpy.random.RandomState(19).randint(-50, 50, [2, trips, extent]).astype(numpy.float32)
    x[0, 1] -= 60
    top, at = x.max(2), x.argmax(2).astype(numpy.int32)
    y, z = numpy.zeros_like(top), numpy.zeros_like(at)
    y[0, :2], z[0, :2], y[1], z[1] = top[0, :2], at[0, :2], top[1], at[1]
    before = numpy.zeros([2 * trips], numpy.float32), numpy.zeros([2 * trips], numpy.int32)
    parameters = [("x", "f32"), ("y", "f32"), ("z", "i32")]
    return (entry(parameters, body), [2, 1, 1],
            [(x.reshape(2, trips * extent), None), (before[0], y.reshape(-1)), (before[1], z.reshape(-1))], (0, 0))


def composed(extent):
    """Affine maps composed along an axis: the CTAs' maps have to be composed in the order of their ranks."""
    body, line = "", tile([extent], "i32")
    kinds = {}
    for name, pointer in zip("ab", "xy"):
        lines, kinds[name] = view(name, pointer, [2 * extent], [extent], "i32")
        body += lines
    body += f"""
    %s, %t0 = load_view_tko weak %a[%bx] : {kinds['a']}, tile<i32> -> {line}, token
    %t, %t1 = load_view_tko weak %b[%bx] : {kinds['b']}, tile<i32> -> {line}, token
    %p, %q = reduce %s, %t dim=0 identities=[1 : i32, 0 : i32] : {line}, {line} -> tile<i32>, tile<i32>
    (%e0: tile<i32>, %a0: tile<i32>, %e1: tile<i32>, %a1: tile<i32>) {{
      %both = muli %e0, %a0 : tile<i32>
      %scaled = muli %e0, %a1 : tile<i32>
      %moved = addi %scaled, %e1 : tile<i32>
      yield %both, %moved : tile<i32>, tile<i32>
    }}
    %pz = offset %z, %bx : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %pw = offset %w, %bx : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t2 = store_ptr_tko weak %pz, %p : tile<ptr<i32>>, tile<i32> -> token
    %t3 = store_ptr_tko weak %pw, %q : tile<ptr<i32>>, tile<i32> -> token"""
    random = numpy.random.RandomState(20)
    s, t = 2 * random.randint(0, 1 << 20, [2, extent]) + 1, random.randint(0, 1 << 20, [2, extent])
    z, w = numpy.ones([2], numpy.uint32), numpy.zeros([2], numpy.uint32)
    for k in range(extent):
        z, w = z * s[:, k].astype(numpy.uint32), w * s[:, k].astype(numpy.uint32) + t[:, k].astype(numpy.uint32)
    parameters = [(name, "i32") for name in "xyzw"]
    return (entry(parameters, body), [2, 1, 1],
            [(s.reshape(-1).astype(numpy.int32), None), (t.reshape(-1).astype(numpy.int32), None),
             (None, z.view(numpy.int32)), (None, w.view(numpy.int32))], (0, 0))


def claimed(columns, tiled=False):
    """Rows that a block claims by an atomic, of one element of a tile, too: one CTA of a cluster claims for all of them."""
    body, kinds = "", {}
    for name, pointer in zip("ab", "xy"):
        lines, kinds[name] = view(name, pointer, [8, columns], [2, columns], "f32")
        body += lines
    wide = tile([2, columns], "f32")
    if tiled:
        body += """
    %zt = reshape %z : tile<ptr<i32>> -> tile<1xptr<i32>>
    %one = reshape %1 : tile<i32> -> tile<1xi32>
    %olds, %t0 = atomic_rmw_tko relaxed device %zt, add, %one : tile<1xptr<i32>>, tile<1xi32> -> tile<1xi32>, token
    %old = reshape %olds : tile<1xi32> -> tile<i32>"""
    else:
        body += """
    %old, %t0 = atomic_rmw_tko relaxed device %z, add, %1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token"""
    body += f"""
    %v, %t1 = load_view_tko weak %a[%old, %0] : {kinds['a']}, tile<i32> -> {wide}, token
    %w = addf %v, %v : {wide}
    %t2 = store_view_tko weak %w, %b[%old, %0] : {wide}, {kinds['b']}, tile<i32> -> token"""
    x = normal(13, [8, columns], numpy.float32)
    count = numpy.zeros([1], numpy.int32)
    parameters = [("x", "f32"), ("y", "f32"), ("z", "i32")]
    return entry(parameters, body), [4, 1, 1], [(x, None), (None, x + x), (count, count + 4)], (0, 0)


def exchanged(rows, columns):
    """A block that reads again, in other places, what it wrote: rows of one CTA would be those that another one wrote."""
    body, kinds = "", {}
    for name, pointer in zip("ab", "xy"):
        lines, kinds[name] = view(name, pointer, [2 * rows, columns], [rows, columns], "f32")
        body += lines
    lines, kinds["c"] = view("c", "y", [2 * rows, columns], [rows // 2, columns], "f32")
    body += lines
    wide, part = tile([rows, columns], "f32"), tile([rows // 2, columns], "f32")
    body += f"""
    %v, %t0 = load_view_tko weak %a[%bx, %0] : {kinds['a']}, tile<i32> -> {wide}, token
    %t1 = store_view_tko weak %v, %b[%bx, %0] : {wide}, {kinds['b']}, tile<i32> -> token
    %c2 = constant <i32: 2> : tile<i32>
    %i = muli %bx, %c2 : tile<i32>
    %j = addi %i, %1 : tile<i32>
    %p, %t2 = load_view_tko weak %c[%i, %0] token = %t1 : {kinds['c']}, tile<i32> -> {part}, token
    %q, %t3 = load_view_tko weak %c[%j, %0] token = %t1 : {kinds['c']}, tile<i32> -> {part}, token
    %t4 = join_tokens %t2, %t3 : token
    %t5 = store_view_tko weak %q, %c[%i, %0] token = %t4 : {part}, {kinds['c']}, tile<i32> -> token
    %t6 = store_view_tko weak %p, %c[%j, %0] token = %t4 : {part}, {kinds['c']}, tile<i32> -> token"""
    x = normal(14, [2 * rows, columns], numpy.float32)
    y = x.reshape(2, 2, rows // 2, columns)[:, ::-1].reshape(2 * rows, columns)
    return entry([("x", "f32"), ("y", "f32")], body), [2, 1, 1], [(x, None), (None, y)], (0, 0)


def released(extent):
    """A block that tells others by a release that its part is there: that of all CTAs."""
    body, kinds = "", {}
    for name, pointer in zip("ab", "xy"):
        lines, kinds[name] = view(name, pointer, [2 * extent], [extent], "f32")
        body += lines
    line = tile([extent], "f32")
    body += f"""
    %v, %t0 = load_view_tko weak %a[%bx] : {kinds['a']}, tile<i32> -> {line}, token
    %t1 = store_view_tko weak %v, %b[%bx] : {line}, {kinds['b']}, tile<i32> -> token
    %old, %t2 = atomic_rmw_tko acq_rel device %z, add, %1 token = %t1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token"""
    x = normal(15, [2 * extent], numpy.float32)
    count = numpy.zeros([1], numpy.int32)
    parameters = [("x", "f32"), ("y", "f32"), ("z", "i32")]
    return entry(parameters, body), [2, 1, 1], [(x, None), (None, x), (count, count + 2)], (0, 0)


def swapped(extent):
    """A block that transposes a tile in place: each CTA would overwrite what another one has still to read."""
    body, kinds = "", {}
    shape = [2 * extent, extent]
    lines, kinds["a"] = view("a", "x", shape, [extent, extent], "f32")
    body += lines
    kind = tile([extent, extent], "f32")
    body += f"""
    %v, %t0 = load_view_tko weak %a[%bx, %0] : {kinds['a']}, tile<i32> -> {kind}, token
    %p = permute %v [1, 0] : {kind} -> {kind}
    %t1 = store_view_tko weak %p, %a[%bx, %0] token = %t0 : {kind}, {kinds['a']}, tile<i32> -> token"""
    x = normal(16, shape, numpy.float32)
    y = x.reshape(2, extent, extent).transpose(0, 2, 1).reshape(shape)
    return entry([("x", "f32")], body), [2, 1, 1], [(x, y)], (0, 0)


def shifted(rows, columns):
    """A block that writes tiles which overlap by half, one after another, through a view of each: the rows that one CTA
    writes another one writes in the next iteration."""
    half, count = rows // 2, 4
    wide = tile([rows, columns], "f32")
    body, kind = view("b", "p", [rows, columns], [rows, columns], "f32")
    body = f"""
    %four = constant <i32: {count}> : tile<i32>
    %step = constant <i32: {half * columns}> : tile<i32>
    %all = constant <i32: {(half * (count + 1)) * columns}> : tile<i32>
    %first = muli %bx, %all : tile<i32>
    %t0 = make_token : token
    %t1 = for %i in (%0 to %four, step %1) : tile<i32> iter_values(%t = %t0) -> (token) {{
    %shift = muli %i, %step : tile<i32>
    %at = addi %first, %shift : tile<i32>
    %p = offset %x, %at : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>{body}
    %f = itof %i signed : tile<i32> -> tile<f32>
    %f1 = reshape %f : tile<f32> -> tile<1x1xf32>
    %v = broadcast %f1 : tile<1x1xf32> -> {wide}
    %t2 = store_view_tko weak %v, %b[%0, %0] token = %t : {wide}, {kind}, tile<i32> -> token
    continue %t2 : token
    }}"""
    y = numpy.repeat(numpy.minimum(numpy.arange(count + 1), count - 1), half)
    y = numpy.tile(y, 2)[:, None] * numpy.ones([1, columns])
    return entry([("x", "f32")], body), [2, 1, 1], [(None, y.astype(numpy.float32))], (0, 0)

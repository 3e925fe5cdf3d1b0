// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Order inside a tile block: two accesses of one place, one of them a write, need a token between them.
// RUN: not %tileir-interp %s --entry gradient --arg 'x:f32[32]=normal:1,output' --arg 'g=&x' --report=%t.json 2>&1 | FileCheck %s --check-prefix=GRADIENT
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: not %tileir-interp %s --entry gradient --arg 'x:f32[32]=normal:1,output' --arg 'g=&x+32' 2>&1 | FileCheck %s --check-prefix=PARTLY
// RUN: %tileir-interp %s --entry gradient --arg 'x:f32[32]=normal:1,output' --arg 'g=&x+64'
// RUN: %tileir-interp %s --entry gradient --arg 'x:f32[32]=normal:1,output' --arg 'g=&x' --check=init,bounds
// RUN: %tileir-interp %s --entry gradient --arg 'x:f32[16]=normal:1' --arg 'g:f32[16]=poison,output'
// RUN: %tileir-interp %s --entry chained --arg 'x:f32[32]=normal:1,output' --arg 'g=&x'
// RUN: %tileir-interp %s --entry chained --arg 'x:f32[32]=normal:1,output' --arg 'g=&x' --weak-memory=3
// RUN: not %tileir-interp %s --entry loop --arg 'x:i32[16]=iota,output' --arg 'g=&x' 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: %tileir-interp %s --entry loop_chained --arg 'x:i32[16]=iota,output' --arg 'g=&x'
// RUN: %tileir-interp %s --entry loop_chained --arg 'x:i32[16]=iota,output' --arg 'g=&x' --weak-memory=5
// RUN: not %tileir-interp %s --entry branch --arg 'x:i32[4]=iota,output' --arg 'g=&x' --arg 'c:i1=1' 2>&1 | FileCheck %s --check-prefix=BRANCH
// RUN: %tileir-interp %s --entry branch --arg 'x:i32[4]=iota,output' --arg 'g=&x' --arg 'c:i1=0'
// RUN: not %tileir-interp %s --entry stores --arg 'x:i32[4]=iota,output' 2>&1 | FileCheck %s --check-prefix=STORES
// RUN: %tileir-interp %s --entry atomics --grid 4 --arg 'x:i32[4]=zeros,output'
// RUN: not %tileir-interp %s --entry mixed --arg 'x:i32[4]=zeros,output' 2>&1 | FileCheck %s --check-prefix=MIXED
// RUN: %tileir-interp %s --entry handed --grid 2 --arg 'x:i32[3]=zeros,output' --block-order=random:1
// RUN: not %tileir-interp %s --entry readers --arg 'x:i32[4]=iota,output' 2>&1 | FileCheck %s --check-prefix=READERS
// RUN: %tileir-interp %s --entry joined --arg 'x:i32[4]=iota,output'
// RUN: not %tileir-interp %s --entry walk --arg 'x:i32[16]=iota,output' --arg 'g=&x' 2>&1 | FileCheck %s --check-prefix=WALK
// RUN: not %tileir-interp %s --entry gradient --arg 'x:f32[16]=normal:1' --arg 'g=&y' 2>&1 | FileCheck %s --check-prefix=ABSENT

// ABSENT: {{^}}error: {{.*}}args[1]: no buffer is called 'y'

cuda_tile.module @m {
  // A gradient goes over its input, through another parameter. That its value comes from the input orders nothing.
  // GRADIENT: {{^}}race: {{.*}}tokens.mlir:[[#@LINE+12]]: block (0,0,0): cuda_tile.store_view_tko: write of 'g', element 0 (byte 0), races with the read of 'x', element 0 (byte 0) at {{.*}}tokens.mlir:[[#@LINE+10]]:15; the two arrays share memory; only a token orders two accesses of one tile block, a data or control dependence does not: pass the result token of one to the other (cuTile Python makes tokens within each array argument, so load and store through the same one; arguments must not share memory) (16 times)
  // GRADIENT-NOT: {{.}}
  // REPORT: {"kind": "race", "line": [[#@LINE+10]], "block": [0, 0, 0], "source": "{{.*}}tokens.mlir:[[#@LINE+10]]:11", "message": "{{.*}}share memory{{.*}}", "count": 16, "related": [{"line": [[#@LINE+8]], "block": [0, 0, 0], "source": "{{.*}}tokens.mlir:[[#@LINE+8]]:15"}]}
  // PARTLY: {{^}}race: {{.*}} write of 'g', element 0 (byte 0), races with the read of 'x', element 8 (byte 32) at {{.*}}; the two arrays share memory; {{.*}} (8 times)
  entry @gradient(%x: tile<ptr<f32>>, %g: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %xt = make_tensor_view %x, shape = [16], strides = [1] : tensor_view<16xf32, strides=[1]>
    %gt = make_tensor_view %g, shape = [16], strides = [1] : tensor_view<16xf32, strides=[1]>
    %xp = make_partition_view %xt : partition_view<tile=(16), tensor_view<16xf32, strides=[1]>>
    %gp = make_partition_view %gt : partition_view<tile=(16), tensor_view<16xf32, strides=[1]>>
    %v, %t0 = load_view_tko weak %xp[%zero] : partition_view<tile=(16), tensor_view<16xf32, strides=[1]>>, tile<i32> -> tile<16xf32>, token
    %d = mulf %v, %v rounding<nearest_even> : tile<16xf32>
    %t1 = store_view_tko weak %d, %gp[%zero] : tile<16xf32>, partition_view<tile=(16), tensor_view<16xf32, strides=[1]>>, tile<i32> -> token
    return
  }

  // The same with the token of the load.
  entry @chained(%x: tile<ptr<f32>>, %g: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %xt = make_tensor_view %x, shape = [16], strides = [1] : tensor_view<16xf32, strides=[1]>
    %gt = make_tensor_view %g, shape = [16], strides = [1] : tensor_view<16xf32, strides=[1]>
    %xp = make_partition_view %xt : partition_view<tile=(16), tensor_view<16xf32, strides=[1]>>
    %gp = make_partition_view %gt : partition_view<tile=(16), tensor_view<16xf32, strides=[1]>>
    %v, %t0 = load_view_tko weak %xp[%zero] : partition_view<tile=(16), tensor_view<16xf32, strides=[1]>>, tile<i32> -> tile<16xf32>, token
    %d = mulf %v, %v rounding<nearest_even> : tile<16xf32>
    %t1 = store_view_tko weak %d, %gp[%zero] token = %t0 : tile<16xf32>, partition_view<tile=(16), tensor_view<16xf32, strides=[1]>>, tile<i32> -> token
    return
  }

  // Iteration i reads what iteration i - 1 wrote; the tokens of an iteration end with it.
  // LOOP: {{^}}race: {{.*}}: cuda_tile.load_ptr_tko: read of 'x', element 1 (byte 4), races with the write of 'g', element 1 (byte 4) at {{.*}}; the two arrays share memory; {{.*}} (14 times)
  // LOOP-NOT: {{.}}
  entry @loop(%x: tile<ptr<i32>>, %g: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %n = constant <i32: 15> : tile<i32>
    for %i in (%zero to %n, step %one) : tile<i32> {
      %from = offset %x, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %next = addi %i, %one : tile<i32>
      %to = offset %g, %next : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %v, %t0 = load_ptr_tko weak %from : tile<ptr<i32>> -> tile<i32>, token
      %t1 = store_ptr_tko weak %to, %v token=%t0 : tile<ptr<i32>>, tile<i32> -> token
      continue
    }
    return
  }

  entry @loop_chained(%x: tile<ptr<i32>>, %g: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %n = constant <i32: 15> : tile<i32>
    %start = make_token : token
    %end = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%t = %start) -> (token) {
      %from = offset %x, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %next = addi %i, %one : tile<i32>
      %to = offset %g, %next : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %v, %t0 = load_ptr_tko weak %from token=%t : tile<ptr<i32>> -> tile<i32>, token
      %t1 = store_ptr_tko weak %to, %v token=%t0 : tile<ptr<i32>>, tile<i32> -> token
      continue %t1 : token
    }
    %v, %t2 = load_ptr_tko weak %x token=%end : tile<ptr<i32>> -> tile<i32>, token
    %t3 = store_ptr_tko weak %x, %v token=%t2 : tile<ptr<i32>>, tile<i32> -> token
    return
  }

  // A token of one side of a branch only.
  // BRANCH: {{^}}race: {{.*}}: cuda_tile.store_ptr_tko: write of 'g', element 0 (byte 0), races with the read of 'x', element 0 (byte 0) at {{.*}}
  entry @branch(%x: tile<ptr<i32>>, %g: tile<ptr<i32>>, %c: tile<i1>) {
    %v, %t0 = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    %t = if %c -> (token) {
      %fresh = make_token : token
      yield %fresh : token
    } else {
      yield %t0 : token
    }
    %t1 = store_ptr_tko weak %g, %v token=%t : tile<ptr<i32>>, tile<i32> -> token
    return
  }

  // Two writes of one parameter.
  // STORES: {{^}}race: {{.*}}: write of 'x', element 0 (byte 0), races with the write of 'x', element 0 (byte 0) at {{[^;]*}}; only a token
  entry @stores(%x: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %t0 = store_ptr_tko weak %x, %one : tile<ptr<i32>>, tile<i32> -> token
    %t1 = store_ptr_tko weak %x, %two : tile<ptr<i32>>, tile<i32> -> token
    return
  }

  // Atomics need no order, whatever their scope within the tile block.
  entry @atomics(%x: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %id, %y, %z = get_tile_block_id : tile<i32>
    %own = offset %x, %id : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %old0, %t0 = atomic_rmw_tko relaxed tl_blk %own, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %old1, %t1 = atomic_rmw_tko relaxed device %own, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    return
  }

  // MIXED: {{^}}race: {{.*}}: cuda_tile.load_ptr_tko: read of 'x', element 0 (byte 0), races with the write of 'x', element 0 (byte 0) at {{.*}}
  entry @mixed(%x: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %old, %t0 = atomic_rmw_tko relaxed device %x, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %v, %t1 = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    return
  }

  // Block 0 releases its write to block 1 and acquires the later release of block 1.
  entry @handed(%x: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %ping = offset %x, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %pong = offset %x, %two : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %id, %y, %z = get_tile_block_id : tile<i32>
    %isFirst = cmpi equal %id, %zero, signed : tile<i32> -> tile<i1>
    %start = make_token : token
    if %isFirst {
      %t0 = store_ptr_tko weak %x, %one : tile<ptr<i32>>, tile<i32> -> token
      %t1 = store_ptr_tko release device %ping, %one token=%t0 : tile<ptr<i32>>, tile<i32> -> token
      %seen = loop iter_values(%t = %start) : token -> token {
        %f, %next = load_ptr_tko acquire device %pong token=%t : tile<ptr<i32>> -> tile<i32>, token
        %isUp = cmpi equal %f, %one, signed : tile<i32> -> tile<i1>
        if %isUp {
          break %next : token
        }
        continue %next : token
      }
      %v, %t2 = load_ptr_tko weak %x token=%seen : tile<ptr<i32>> -> tile<i32>, token
    } else {
      %seen = loop iter_values(%t = %start) : token -> token {
        %f, %next = load_ptr_tko acquire device %ping token=%t : tile<ptr<i32>> -> tile<i32>, token
        %isUp = cmpi equal %f, %one, signed : tile<i32> -> tile<i1>
        if %isUp {
          break %next : token
        }
        continue %next : token
      }
      %t3 = store_ptr_tko release device %pong, %one token=%seen : tile<ptr<i32>>, tile<i32> -> token
    }
    return
  }

  // A write after three reads, one of which its token leaves out.
  // READERS: {{^}}race: {{.*}}: cuda_tile.store_ptr_tko: write of 'x', element 0 (byte 0), races with the read of 'x', element 0 (byte 0) at {{.*}}tokens.mlir:[[#@LINE+3]]:15
  entry @readers(%x: tile<ptr<i32>>) {
    %a, %t0 = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    %b, %t1 = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    %c, %t2 = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    %t = join_tokens %t0, %t2 : token
    %t3 = store_ptr_tko weak %x, %a token=%t : tile<ptr<i32>>, tile<i32> -> token
    return
  }

  // A hundred reads that nothing orders, each joined to those before; printing passes tokens on, too.
  entry @joined(%x: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %n = constant <i32: 100> : tile<i32>
    %start = make_token : token
    %all = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%t = %start) -> (token) {
      %v, %t0 = load_ptr_tko weak %x token=%start : tile<ptr<i32>> -> tile<i32>, token
      %both = join_tokens %t, %t0 : token
      continue %both : token
    }
    %printed = print_tko "done\0A" token=%all -> token
    %t1 = store_ptr_tko weak %x, %one token=%printed : tile<ptr<i32>>, tile<i32> -> token
    return
  }

  // Pointers that a loop carries keep the names of their parameters.
  // WALK: {{^}}race: {{.*}}: cuda_tile.store_ptr_tko: write of 'g', element 0 (byte 0), races with the read of 'x', element 0 (byte 0) at {{.*}}; the two arrays share memory
  entry @walk(%x: tile<ptr<i32>>, %g: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %n = constant <i32: 4> : tile<i32>
    %xe, %ge = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%p = %x, %q = %g) -> (tile<ptr<i32>>, tile<ptr<i32>>) {
      %v, %t0 = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
      %t1 = store_ptr_tko weak %q, %v : tile<ptr<i32>>, tile<i32> -> token
      %pn = offset %p, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %qn = offset %q, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      continue %pn, %qn : tile<ptr<i32>>, tile<ptr<i32>>
    }
    return
  }
}

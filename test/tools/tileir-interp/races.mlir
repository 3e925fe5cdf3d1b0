// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conflicts between tile blocks in kernels that synchronise.
// RUN: %tileir-interp %s --entry last --grid 6 --arg 'x:i32[8]=zeros,output' --block-order=random:2 | FileCheck %s --check-prefix=LAST
// RUN: %tileir-interp %s --entry flag --grid 2 --arg 'x:i32[2]=zeros,output' --block-order=random:1 --weak-memory=1
// RUN: not %tileir-interp %s --entry relaxed --grid 2 --arg 'x:i32[2]=zeros,output' 2>&1 | FileCheck %s --check-prefix=RELAXED
// RUN: not %tileir-interp %s --entry narrow --grid 2 --arg 'x:i32[1]=zeros,output' 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: not %tileir-interp %s --entry mixed --grid 3 --arg 'x:i32[1]=zeros,output' 2>&1 | FileCheck %s --check-prefix=MIXED
// RUN: %tileir-interp %s --entry mixed --grid 3 --check=init,bounds --arg 'x:i32[1]=zeros,output'

cuda_tile.module @m {
  // The block that comes last adds up what the others left, which acquires and
  // releases of the counter pass on.
  // LAST: sum 21
  entry @last(%x: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %five = constant <i32: 5> : tile<i32>
    %id, %y, %z = get_tile_block_id : tile<i32>
    %value = addi %id, %one : tile<i32>
    %place = offset %x, %value : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t0 = store_ptr_tko weak %place, %value : tile<ptr<i32>>, tile<i32> -> token
    %old, %t1 = atomic_rmw_tko acq_rel device %x, add, %one token=%t0 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %isLast = cmpi equal %old, %five, signed : tile<i32> -> tile<i1>
    if %isLast {
      %v = make_tensor_view %x, shape = [7], strides = [1] : tensor_view<7xi32, strides=[1]>
      %p = make_partition_view %v : partition_view<tile=(8), padding_value = zero, tensor_view<7xi32, strides=[1]>>
      %zero = constant <i32: 0> : tile<i32>
      %all, %t2 = load_view_tko weak %p[%zero] token = %t1 : partition_view<tile=(8), padding_value = zero, tensor_view<7xi32, strides=[1]>>, tile<i32> -> tile<8xi32>, token
      %iota = iota : tile<8xi32>
      %zeros = constant <i32: 0> : tile<8xi32>
      %isOther = cmpi greater_than %iota, %zeros, signed : tile<8xi32> -> tile<8xi1>
      %others = select %isOther, %all, %zeros : tile<8xi1>, tile<8xi32>
      %sum = reduce %others dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32>
      (%e: tile<i32>, %acc: tile<i32>) {
        %s = addi %e, %acc : tile<i32>
        yield %s : tile<i32>
      }
      print_tko "sum %d\0A", %sum : tile<i32> -> token
    }
    return
  }

  // Block 0 writes and raises a flag, block 1 waits for it and reads.
  entry @flag(%x: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %data = offset %x, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %id, %y, %z = get_tile_block_id : tile<i32>
    %isFirst = cmpi equal %id, %zero, signed : tile<i32> -> tile<i1>
    if %isFirst {
      %t0 = store_ptr_tko weak %data, %one : tile<ptr<i32>>, tile<i32> -> token
      %t1 = store_ptr_tko release device %x, %one token=%t0 : tile<ptr<i32>>, tile<i32> -> token
    } else {
      %start = make_token : token
      %seen = loop iter_values(%t = %start) : token -> token {
        %f, %t1 = load_ptr_tko acquire device %x token=%t : tile<ptr<i32>> -> tile<i32>, token
        %isUp = cmpi equal %f, %one, signed : tile<i32> -> tile<i1>
        if %isUp {
          break %t1 : token
        }
        continue %t1 : token
      }
      %v, %t2 = load_ptr_tko weak %data token=%seen : tile<ptr<i32>> -> tile<i32>, token
      %holds = cmpi equal %v, %one, signed : tile<i32> -> tile<i1>
      assert %holds, "the data is there" : tile<i1>
    }
    return
  }

  // The same with a flag that orders nothing.
  // RELAXED: {{^}}race: {{.*}}: cuda_tile.load_ptr_tko: read of 'x', element 1 (byte 4), races with the write of 'x', element 1 (byte 4) at {{.*}}races.mlir:[[#@LINE+9]]:13 of block (0,0,0){{$}}
  // RELAXED-NOT: {{.}}
  entry @relaxed(%x: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %data = offset %x, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %id, %y, %z = get_tile_block_id : tile<i32>
    %isFirst = cmpi equal %id, %zero, signed : tile<i32> -> tile<i1>
    if %isFirst {
      %t0 = store_ptr_tko weak %data, %one : tile<ptr<i32>>, tile<i32> -> token
      %t1 = store_ptr_tko relaxed device %x, %one token=%t0 : tile<ptr<i32>>, tile<i32> -> token
    } else {
      %start = make_token : token
      %seen = loop iter_values(%t = %start) : token -> token {
        %f, %t1 = load_ptr_tko relaxed device %x token=%t : tile<ptr<i32>> -> tile<i32>, token
        %isUp = cmpi equal %f, %one, signed : tile<i32> -> tile<i1>
        if %isUp {
          break %t1 : token
        }
        continue %t1 : token
      }
      %v, %t2 = load_ptr_tko weak %data token=%seen : tile<ptr<i32>> -> tile<i32>, token
    }
    return
  }

  // A scope that the other tile block is not part of.
  // NARROW: {{^}}race: {{.*}}: cuda_tile.atomic_rmw_tko: {{read|write}} of 'x', element 0 (byte 0), races with the write of 'x', element 0 (byte 0) at {{.*}} of block ({{[01]}},0,0)
  entry @narrow(%x: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %old, %t = atomic_rmw_tko acq_rel tl_blk %x, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    return
  }

  // A weak read beside atomics.
  // MIXED: {{^}}race: {{.*}} of 'x', element 0 (byte 0), races with the {{.*}} of block ({{[012]}},0,0)
  entry @mixed(%x: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %v, %t0 = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    %old, %t1 = atomic_rmw_tko relaxed device %x, add, %one token=%t0 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    return
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches on a few bits of reductions whose lanes exchange more bits: a sum and a maximum of 64 bits, a parity of 8 flags,
// and a selection that depends on the index order. One warp works; the code after each branch needs all of its lanes.
cuda_tile.module @kernels {
  entry @narrow_decisions(%x: tile<ptr<i64>>, %k: tile<ptr<i32>>, %out: tile<ptr<i64>>, %counts: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c2 = constant <i32: 2> : tile<i32>
    %c10 = constant <i32: 10> : tile<i32>
    %zero = constant <i64: 0> : tile<i64>
    %seven = constant <i64: 7> : tile<i64>
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %xt = make_tensor_view %x, shape = [4, 64], strides = [64, 1] : tensor_view<4x64xi64, strides=[64,1]>
    %xp = make_partition_view %xt : partition_view<tile=(1x64), tensor_view<4x64xi64, strides=[64,1]>>
    %ot = make_tensor_view %out, shape = [4, 64], strides = [64, 1] : tensor_view<4x64xi64, strides=[64,1]>
    %op = make_partition_view %ot : partition_view<tile=(1x64), tensor_view<4x64xi64, strides=[64,1]>>
    %kt = make_tensor_view %k, shape = [4, 8], strides = [8, 1] : tensor_view<4x8xi32, strides=[8,1]>
    %kp = make_partition_view %kt : partition_view<tile=(1x8), tensor_view<4x8xi32, strides=[8,1]>>
    %x2, %t0 = load_view_tko weak %xp[%b, %c0] : partition_view<tile=(1x64), tensor_view<4x64xi64, strides=[64,1]>>, tile<i32> -> tile<1x64xi64>, token
    %v0 = reshape %x2 : tile<1x64xi64> -> tile<64xi64>
    %k2, %t1 = load_view_tko weak %kp[%b, %c0] : partition_view<tile=(1x8), tensor_view<4x8xi32, strides=[8,1]>>, tile<i32> -> tile<1x8xi32>, token
    %kv = reshape %k2 : tile<1x8xi32> -> tile<8xi32>
    %one64 = constant <i64: 1> : tile<64xi64>
    %three64 = constant <i64: 3> : tile<64xi64>
    %none = constant <i32: 0> : tile<i32>
    %end:2 = loop iter_values(%v = %v0, %n = %c0) : tile<64xi64>, tile<i32> -> tile<64xi64>, tile<i32> {
      %s = reduce %v dim=0 identities=[0 : i64] : tile<64xi64> -> tile<i64>
      (%a: tile<i64>, %c: tile<i64>) {
        %r = addi %a, %c : tile<i64>
        yield %r : tile<i64>
      }
      %low = andi %s, %seven : tile<i64>
      %even = cmpi equal %low, %zero, signed : tile<i64> -> tile<i1>
      %late = cmpi greater_than_or_equal %n, %c10, signed : tile<i32> -> tile<i1>
      %done = ori %even, %late : tile<i1>
      if %done {
        break %v, %n : tile<64xi64>, tile<i32>
      }
      %n1r = reshape %n : tile<i32> -> tile<1xi32>
      %n8 = broadcast %n1r : tile<1xi32> -> tile<8xi32>
      %flags = cmpi greater_than %kv, %n8, signed : tile<8xi32> -> tile<8xi1>
      %odd = reduce %flags dim=0 identities=[false] : tile<8xi1> -> tile<i1>
      (%a: tile<i1>, %c: tile<i1>) {
        %r = xori %a, %c : tile<i1>
        yield %r : tile<i1>
      }
      %w = if %odd -> (tile<64xi64>) {
        %m = reduce %v dim=0 identities=[-9223372036854775808 : i64] : tile<64xi64> -> tile<i64>
        (%a: tile<i64>, %c: tile<i64>) {
          %r = maxi %a, %c signed : tile<i64>
          yield %r : tile<i64>
        }
        %m1 = reshape %m : tile<i64> -> tile<1xi64>
        %mb = broadcast %m1 : tile<1xi64> -> tile<64xi64>
        %is = cmpi equal %v, %mb, signed : tile<64xi64> -> tile<64xi1>
        %less = subi %v, %three64 : tile<64xi64>
        %chosen = select %is, %less, %v : tile<64xi1>, tile<64xi64>
        yield %chosen : tile<64xi64>
      } else {
        %more = addi %v, %one64 : tile<64xi64>
        yield %more : tile<64xi64>
      }
      // The last element that is not a multiple of 4.
      %narrow = trunci %w : tile<64xi64> -> tile<64xi32>
      %mask = constant <i32: 3> : tile<64xi32>
      %rest = andi %narrow, %mask : tile<64xi32>
      %last = reduce %rest dim=0 identities=[0 : i32] : tile<64xi32> -> tile<i32>
      (%a: tile<i32>, %c: tile<i32>) {
        %is = cmpi not_equal %a, %none, signed : tile<i32> -> tile<i1>
        %r = select %is, %a, %c : tile<i1>, tile<i32>
        yield %r : tile<i32>
      }
      %bit = andi %last, %c1 : tile<i32>
      %isOdd = cmpi equal %bit, %c1, signed : tile<i32> -> tile<i1>
      %n1 = if %isOdd -> (tile<i32>) {
        %two = addi %n, %c2 : tile<i32>
        yield %two : tile<i32>
      } else {
        %next = addi %n, %c1 : tile<i32>
        yield %next : tile<i32>
      }
      continue %w, %n1 : tile<64xi64>, tile<i32>
    }
    %o2 = reshape %end#0 : tile<64xi64> -> tile<1x64xi64>
    %t2 = store_view_tko weak %o2, %op[%b, %c0] : tile<1x64xi64>, partition_view<tile=(1x64), tensor_view<4x64xi64, strides=[64,1]>>, tile<i32> -> token
    %pc = offset %counts, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t3 = store_ptr_tko weak %pc, %end#1 : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}

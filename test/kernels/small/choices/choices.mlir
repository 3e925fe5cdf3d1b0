// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions that choose: the index of the largest element commutes, the first or last tag of equal ones does not.
cuda_tile.module @kernels {
  entry @choices(%x: tile<ptr<i32>>, %tags: tile<ptr<i32>>, %f: tile<ptr<f32>>, %firstRow: tile<ptr<i32>>, %lastRow: tile<ptr<i32>>, %indexRow: tile<ptr<i32>>, %valueRow: tile<ptr<f32>>, %firstColumn: tile<ptr<i32>>, %lastColumn: tile<ptr<i32>>, %indexColumn: tile<ptr<i32>>, %valueColumn: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %vx = make_tensor_view %x, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xi32, strides=[64,1]>
    %px = make_partition_view %vx : partition_view<tile=(32x64), tensor_view<32x64xi32, strides=[64,1]>>
    %lx, %kx = load_view_tko weak %px[%zero, %zero] : partition_view<tile=(32x64), tensor_view<32x64xi32, strides=[64,1]>>, tile<i32> -> tile<32x64xi32>, token
    %vtags = make_tensor_view %tags, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xi32, strides=[64,1]>
    %ptags = make_partition_view %vtags : partition_view<tile=(32x64), tensor_view<32x64xi32, strides=[64,1]>>
    %ltags, %ktags = load_view_tko weak %ptags[%zero, %zero] : partition_view<tile=(32x64), tensor_view<32x64xi32, strides=[64,1]>>, tile<i32> -> tile<32x64xi32>, token
    %vf = make_tensor_view %f, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf32, strides=[64,1]>
    %pf = make_partition_view %vf : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>
    %lf, %kf = load_view_tko weak %pf[%zero, %zero] : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>, tile<i32> -> tile<32x64xf32>, token
    %firstRowOf:2 = reduce %lx, %ltags dim=1 identities=[-2147483648 : i32, 0 : i32] : tile<32x64xi32>, tile<32x64xi32> -> tile<32xi32>, tile<32xi32>
    (%element: tile<i32>, %kept: tile<i32>, %tag: tile<i32>, %keptTag: tile<i32>) {
      %wins = cmpi greater_than %element, %kept, signed : tile<i32> -> tile<i1>
      %value = select %wins, %element, %kept : tile<i1>, tile<i32>
      %its = select %wins, %tag, %keptTag : tile<i1>, tile<i32>
      yield %value, %its : tile<i32>, tile<i32>
    }
    %vfirstRow = make_tensor_view %firstRow, shape = [32], strides = [1] : tensor_view<32xi32, strides=[1]>
    %pfirstRow = make_partition_view %vfirstRow : partition_view<tile=(32), tensor_view<32xi32, strides=[1]>>
    %kfirstRow = store_view_tko weak %firstRowOf#1, %pfirstRow[%zero] : tile<32xi32>, partition_view<tile=(32), tensor_view<32xi32, strides=[1]>>, tile<i32> -> token
    %lastRowOf:2 = reduce %lx, %ltags dim=1 identities=[-2147483648 : i32, 0 : i32] : tile<32x64xi32>, tile<32x64xi32> -> tile<32xi32>, tile<32xi32>
    (%element: tile<i32>, %kept: tile<i32>, %tag: tile<i32>, %keptTag: tile<i32>) {
      %wins = cmpi greater_than_or_equal %element, %kept, signed : tile<i32> -> tile<i1>
      %value = select %wins, %element, %kept : tile<i1>, tile<i32>
      %its = select %wins, %tag, %keptTag : tile<i1>, tile<i32>
      yield %value, %its : tile<i32>, tile<i32>
    }
    %vlastRow = make_tensor_view %lastRow, shape = [32], strides = [1] : tensor_view<32xi32, strides=[1]>
    %plastRow = make_partition_view %vlastRow : partition_view<tile=(32), tensor_view<32xi32, strides=[1]>>
    %klastRow = store_view_tko weak %lastRowOf#1, %plastRow[%zero] : tile<32xi32>, partition_view<tile=(32), tensor_view<32xi32, strides=[1]>>, tile<i32> -> token
    %iotaRow = iota : tile<64xi32>
    %baseRow = constant <i32: 100> : tile<64xi32>
    %movedRow = addi %iotaRow, %baseRow : tile<64xi32>
    %lineRow = reshape %movedRow : tile<64xi32> -> tile<1x64xi32>
    %placesRow = broadcast %lineRow : tile<1x64xi32> -> tile<32x64xi32>
    %foundRow:2 = reduce %lf, %placesRow dim=1 identities=[0xFF800000 : f32, 0 : i32] : tile<32x64xf32>, tile<32x64xi32> -> tile<32xf32>, tile<32xi32>
    (%element: tile<f32>, %kept: tile<f32>, %at: tile<i32>, %keptAt: tile<i32>) {
      %more = cmpf greater_than ordered %element, %kept : tile<f32> -> tile<i1>
      %same = cmpf equal ordered %element, %kept : tile<f32> -> tile<i1>
      %isNan = cmpf not_equal unordered %element, %element : tile<f32> -> tile<i1>
      %keptIsNan = cmpf not_equal unordered %kept, %kept : tile<f32> -> tile<i1>
      %isNumber = cmpf equal ordered %kept, %kept : tile<f32> -> tile<i1>
      %onlyNan = andi %isNan, %isNumber : tile<i1>
      %bothNan = andi %isNan, %keptIsNan : tile<i1>
      %above = ori %more, %onlyNan : tile<i1>
      %level = ori %same, %bothNan : tile<i1>
      %before = cmpi less_than %at, %keptAt, signed : tile<i32> -> tile<i1>
      %decided = andi %level, %before : tile<i1>
      %wins = ori %above, %decided : tile<i1>
      %value = select %wins, %element, %kept : tile<i1>, tile<f32>
      %its = select %wins, %at, %keptAt : tile<i1>, tile<i32>
      yield %value, %its : tile<f32>, tile<i32>
    }
    %vindexRow = make_tensor_view %indexRow, shape = [32], strides = [1] : tensor_view<32xi32, strides=[1]>
    %pindexRow = make_partition_view %vindexRow : partition_view<tile=(32), tensor_view<32xi32, strides=[1]>>
    %kindexRow = store_view_tko weak %foundRow#1, %pindexRow[%zero] : tile<32xi32>, partition_view<tile=(32), tensor_view<32xi32, strides=[1]>>, tile<i32> -> token
    %vvalueRow = make_tensor_view %valueRow, shape = [32], strides = [1] : tensor_view<32xf32, strides=[1]>
    %pvalueRow = make_partition_view %vvalueRow : partition_view<tile=(32), tensor_view<32xf32, strides=[1]>>
    %kvalueRow = store_view_tko weak %foundRow#0, %pvalueRow[%zero] : tile<32xf32>, partition_view<tile=(32), tensor_view<32xf32, strides=[1]>>, tile<i32> -> token
    %firstColumnOf:2 = reduce %lx, %ltags dim=0 identities=[-2147483648 : i32, 0 : i32] : tile<32x64xi32>, tile<32x64xi32> -> tile<64xi32>, tile<64xi32>
    (%element: tile<i32>, %kept: tile<i32>, %tag: tile<i32>, %keptTag: tile<i32>) {
      %wins = cmpi greater_than %element, %kept, signed : tile<i32> -> tile<i1>
      %value = select %wins, %element, %kept : tile<i1>, tile<i32>
      %its = select %wins, %tag, %keptTag : tile<i1>, tile<i32>
      yield %value, %its : tile<i32>, tile<i32>
    }
    %vfirstColumn = make_tensor_view %firstColumn, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %pfirstColumn = make_partition_view %vfirstColumn : partition_view<tile=(64), tensor_view<64xi32, strides=[1]>>
    %kfirstColumn = store_view_tko weak %firstColumnOf#1, %pfirstColumn[%zero] : tile<64xi32>, partition_view<tile=(64), tensor_view<64xi32, strides=[1]>>, tile<i32> -> token
    %lastColumnOf:2 = reduce %lx, %ltags dim=0 identities=[-2147483648 : i32, 0 : i32] : tile<32x64xi32>, tile<32x64xi32> -> tile<64xi32>, tile<64xi32>
    (%element: tile<i32>, %kept: tile<i32>, %tag: tile<i32>, %keptTag: tile<i32>) {
      %wins = cmpi greater_than_or_equal %element, %kept, signed : tile<i32> -> tile<i1>
      %value = select %wins, %element, %kept : tile<i1>, tile<i32>
      %its = select %wins, %tag, %keptTag : tile<i1>, tile<i32>
      yield %value, %its : tile<i32>, tile<i32>
    }
    %vlastColumn = make_tensor_view %lastColumn, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %plastColumn = make_partition_view %vlastColumn : partition_view<tile=(64), tensor_view<64xi32, strides=[1]>>
    %klastColumn = store_view_tko weak %lastColumnOf#1, %plastColumn[%zero] : tile<64xi32>, partition_view<tile=(64), tensor_view<64xi32, strides=[1]>>, tile<i32> -> token
    %iotaColumn = iota : tile<32xi32>
    %baseColumn = constant <i32: 100> : tile<32xi32>
    %movedColumn = addi %iotaColumn, %baseColumn : tile<32xi32>
    %lineColumn = reshape %movedColumn : tile<32xi32> -> tile<32x1xi32>
    %placesColumn = broadcast %lineColumn : tile<32x1xi32> -> tile<32x64xi32>
    %foundColumn:2 = reduce %lf, %placesColumn dim=0 identities=[0xFF800000 : f32, 0 : i32] : tile<32x64xf32>, tile<32x64xi32> -> tile<64xf32>, tile<64xi32>
    (%element: tile<f32>, %kept: tile<f32>, %at: tile<i32>, %keptAt: tile<i32>) {
      %more = cmpf greater_than ordered %element, %kept : tile<f32> -> tile<i1>
      %same = cmpf equal ordered %element, %kept : tile<f32> -> tile<i1>
      %isNan = cmpf not_equal unordered %element, %element : tile<f32> -> tile<i1>
      %keptIsNan = cmpf not_equal unordered %kept, %kept : tile<f32> -> tile<i1>
      %isNumber = cmpf equal ordered %kept, %kept : tile<f32> -> tile<i1>
      %onlyNan = andi %isNan, %isNumber : tile<i1>
      %bothNan = andi %isNan, %keptIsNan : tile<i1>
      %above = ori %more, %onlyNan : tile<i1>
      %level = ori %same, %bothNan : tile<i1>
      %before = cmpi less_than %at, %keptAt, signed : tile<i32> -> tile<i1>
      %decided = andi %level, %before : tile<i1>
      %wins = ori %above, %decided : tile<i1>
      %value = select %wins, %element, %kept : tile<i1>, tile<f32>
      %its = select %wins, %at, %keptAt : tile<i1>, tile<i32>
      yield %value, %its : tile<f32>, tile<i32>
    }
    %vindexColumn = make_tensor_view %indexColumn, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %pindexColumn = make_partition_view %vindexColumn : partition_view<tile=(64), tensor_view<64xi32, strides=[1]>>
    %kindexColumn = store_view_tko weak %foundColumn#1, %pindexColumn[%zero] : tile<64xi32>, partition_view<tile=(64), tensor_view<64xi32, strides=[1]>>, tile<i32> -> token
    %vvalueColumn = make_tensor_view %valueColumn, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %pvalueColumn = make_partition_view %vvalueColumn : partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>
    %kvalueColumn = store_view_tko weak %foundColumn#0, %pvalueColumn[%zero] : tile<64xf32>, partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}

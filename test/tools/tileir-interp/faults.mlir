// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %tileir-interp %s --entry overflow 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// RUN: not %tileir-interp %s --entry assumption --arg n:i32=12 2>&1 | FileCheck %s --check-prefix=ASSUME
// RUN: %tileir-interp %s --entry assumption --arg n:i32=32
// RUN: %tileir-interp %s --entry stride --arg 'x:f32[1,4]=ones' --arg n:i32=1 --arg m:i32=2 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE
// RUN: not %tileir-interp %s --entry stride --arg 'x:f32[2,4]=ones' --arg n:i32=2 --arg m:i32=2 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STRIDE
// RUN: not %tileir-interp %s --entry bounds --arg 'x:f32[4]=ones' 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: not %tileir-interp %s --entry open --arg 'x:f32[4]=ones' --arg 'y:f32[8]=poison,output' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OPEN
// RUN: %tileir-interp %s --entry open --check=bounds,race --arg 'x:f32[4]=ones' --arg 'y:f32[8]=poison,output'
// RUN: not %tileir-interp %s --entry branch --arg 'x:i32[4]=poison' 2>&1 | FileCheck %s --check-prefix=BRANCH
// RUN: not %tileir-interp %s --entry race --grid 2 --arg 'x:i32[4]=zeros,output' 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: %tileir-interp %s --entry race --arg 'x:i32[4]=zeros,output'
// RUN: not %tileir-interp %s --entry assertion --report=%t.json 2>&1 | FileCheck %s --check-prefix=ASSERT
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: not %tileir-interp %s --entry endless --max-ops=1000 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: %tileir-interp %s --entry unordered --check=init --arg 'x:i32[1]=zeros' | FileCheck %s --check-prefix=ORDERED
// RUN: %tileir-interp %s --entry unordered --check=init --arg 'x:i32[1]=zeros' --weak-memory=1 | FileCheck %s --check-prefix=LATE
// RUN: not %tileir-interp %s --entry meeting --arg 'x:i32[4]=zeros,output' 2>&1 | FileCheck %s --check-prefix=MEETING
// RUN: not %tileir-interp %s --entry slices --arg 'x:f4E2M1FN[4,64]=zeros' 2>&1 | FileCheck %s --check-prefix=SLICES

cuda_tile.module @m {
  // OVERFLOW: {{^}}ub: {{.*}}faults.mlir:[[#@LINE+7]]: block (0,0,0): cuda_tile.addi: the operation has no_signed_wrap and wraps, at element 0 (2 times)
  // OVERFLOW-NEXT: {{^}}ub: {{.*}}faults.mlir:[[#@LINE+8]]: block (0,0,0): cuda_tile.divi: division by zero, at element 1
  // OVERFLOW-NEXT: {{^}}ub: {{.*}}faults.mlir:[[#@LINE+10]]: block (0,0,0): cuda_tile.divi: the signed minimum is divided by -1, at element 0
  // OVERFLOW-NOT: {{.}}
  entry @overflow() {
    %a = constant <i8: [127, 126]> : tile<2xi8>
    %b = constant <i8: [1, 2]> : tile<2xi8>
    %0 = addi %a, %b overflow<no_signed_wrap> : tile<2xi8>
    %c = constant <i8: [-1, 0]> : tile<2xi8>
    %1 = divi %a, %c signed : tile<2xi8>
    %d = constant <i8: -128> : tile<2xi8>
    %e = constant <i8: [-1, 1]> : tile<2xi8>
    %2 = divi %d, %e signed : tile<2xi8>
    %3 = addi %a, %b overflow<no_unsigned_wrap> : tile<2xi8>
    return
  }

  // ASSUME: {{^}}ub: {{.*}}: block (0,0,0): cuda_tile.assume: the assumption is false: element 0 is 12
  // ASSUME-NEXT: {{^}}ub: {{.*}}: block (0,0,0): cuda_tile.assume: the assumption is false: element 0 is 12
  // ASSUME-NOT: {{.}}
  entry @assumption(%n: tile<i32>) {
    %0 = assume div_by<4>, %n : tile<i32>
    %1 = assume div_by<16>, %n : tile<i32>
    %2 = assume bounded<13, ?>, %n : tile<i32>
    %c = addi %1, %2 : tile<i32>
    %z = constant <i32: 0> : tile<i32>
    for %i in (%z to %c, step %0) : tile<i32> {
      continue
    }
    return
  }

  // Of a dimension of one element the stride says nothing: a note, not a fault.
  // NOTE: {{^}}note: {{.*}}: block (0,0,0): cuda_tile.assume: the assumption is false: element 0 is 2, but no access depends on it
  // NOTE-NOT: {{.}}
  // STRIDE: {{^}}ub: {{.*}}: block (0,0,0): cuda_tile.assume: the assumption is false: element 0 is 2
  // STRIDE-NOT: {{.}}
  entry @stride(%x: tile<ptr<f32>>, %n: tile<i32>, %m: tile<i32>) {
    %z = constant <i32: 0> : tile<i32>
    %s = assume div_by<4>, %m : tile<i32>
    %twice = addi %s, %s : tile<i32>
    %t = make_tensor_view %x, shape = [%n, 4], strides = [%twice, 1] : tile<i32> -> tensor_view<?x4xf32, strides=[?,1]>
    %v = make_partition_view %t : partition_view<tile=(2x4), padding_value = zero, tensor_view<?x4xf32, strides=[?,1]>>
    %a, %k = load_view_tko weak %v[%z, %z] : partition_view<tile=(2x4), padding_value = zero, tensor_view<?x4xf32, strides=[?,1]>>, tile<i32> -> tile<2x4xf32>, token
    return
  }

  // BOUNDS: {{^}}bounds: {{.*}}: block (0,0,0): cuda_tile.load_ptr_tko: read of 4 bytes at 0x{{.*}}, outside of every buffer, at element 0
  // BOUNDS-NOT: {{.}}
  entry @bounds(%x: tile<ptr<f32>>) {
    %four = constant <i32: 4> : tile<i32>
    %p = offset %x, %four : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    return
  }

  // An element outside of the tensor is open without a padding value; `select`
  // drops it, an addition does not.
  // OPEN: {{^}}init: {{.*}}: cuda_tile.entry: output 'y', element 4, depends on a value that nothing determines
  // OPEN-NOT: {{.}}
  entry @open(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %xv = make_tensor_view %x, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %xp = make_partition_view %xv : partition_view<tile=(8), tensor_view<4xf32, strides=[1]>>
    %yv = make_tensor_view %y, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
    %yp = make_partition_view %yv : partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
    %v, %t = load_view_tko weak %xp[%zero] : partition_view<tile=(8), tensor_view<4xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
    %c = constant <i1: [true, true, true, true, true, false, false, false]> : tile<8xi1>
    %z = constant <f32: 0.0> : tile<8xf32>
    %s = select %c, %v, %z : tile<8xi1>, tile<8xf32>
    %w = addf %s, %z : tile<8xf32>
    %u = store_view_tko weak %w, %yp[%zero] : tile<8xf32>, partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>, tile<i32> -> token
    return
  }

  // BRANCH: {{^}}init: {{.*}}: cuda_tile.if: the condition is not determined
  // BRANCH-NOT: {{.}}
  entry @branch(%x: tile<ptr<i32>>) {
    %v, %t = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    %zero = constant <i32: 0> : tile<i32>
    %c = cmpi equal %v, %zero, signed : tile<i32> -> tile<i1>
    if %c {
    }
    return
  }

  // RACE: {{^}}race: {{.*}}: cuda_tile.store_ptr_tko: write of 'x', element 0 (byte 0), races with the write of 'x', element 0 (byte 0) at {{.*}} of block ({{[01]}},0,0)
  // RACE-NOT: {{.}}
  entry @race(%x: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %t = store_ptr_tko weak %x, %one : tile<ptr<i32>>, tile<i32> -> token
    return
  }

  // ASSERT: {{^}}assert: {{.*}}: block (0,0,0): cuda_tile.assert: no good, at element 1
  // REPORT: {"outcome": "assert",
  // REPORT: "findings": [
  // REPORT-NEXT: {"kind": "assert", "line": [[#]], "block": [0, 0, 0], "source": "{{.*}}faults.mlir:[[#]]:[[#]]", "message": "cuda_tile.assert: no good, at element 1", "count": 1, "related": []}],
  // REPORT: "mismatches": []}
  entry @assertion() {
    %c = constant <i1: [true, false]> : tile<2xi1>
    assert %c, "no good" : tile<2xi1>
    return
  }

  // ENDLESS: {{^}}timeout: {{.*}}: more than 1000 operations
  entry @endless() {
    loop {
    }
    return
  }

  // No token says that the load follows the store. Late, they happen in another order: some loads still see the
  // old value.
  // ORDERED: seen [1, 1, 1, 1] ordered 2
  // LATE: seen [{{.*}}0{{.*}}] ordered 2
  entry @unordered(%x: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %t0 = store_ptr_tko weak %x, %one : tile<ptr<i32>>, tile<i32> -> token
    %a, %t1 = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    %t2 = store_ptr_tko weak %x, %zero token=%t0 : tile<ptr<i32>>, tile<i32> -> token
    %t3 = store_ptr_tko weak %x, %one token=%t2 : tile<ptr<i32>>, tile<i32> -> token
    %b, %t4 = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    %t5 = store_ptr_tko weak %x, %zero token=%t3 : tile<ptr<i32>>, tile<i32> -> token
    %t6 = store_ptr_tko weak %x, %one token=%t5 : tile<ptr<i32>>, tile<i32> -> token
    %c, %t7 = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    %t8 = store_ptr_tko weak %x, %zero token=%t6 : tile<ptr<i32>>, tile<i32> -> token
    %t9 = store_ptr_tko weak %x, %one token=%t8 : tile<ptr<i32>>, tile<i32> -> token
    %d, %t10 = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    %a1 = reshape %a : tile<i32> -> tile<1xi32>
    %b1 = reshape %b : tile<i32> -> tile<1xi32>
    %c1 = reshape %c : tile<i32> -> tile<1xi32>
    %d1 = reshape %d : tile<i32> -> tile<1xi32>
    %ab = cat %a1, %b1 dim = 0 : tile<1xi32>, tile<1xi32> -> tile<2xi32>
    %cd = cat %c1, %d1 dim = 0 : tile<1xi32>, tile<1xi32> -> tile<2xi32>
    %abcd = cat %ab, %cd dim = 0 : tile<2xi32>, tile<2xi32> -> tile<4xi32>
    %all = join_tokens %t9, %t10 : token
    %t11 = store_ptr_tko weak %x, %two token=%all : tile<ptr<i32>>, tile<i32> -> token
    %e, %t12 = load_ptr_tko weak %x token=%t11 : tile<ptr<i32>> -> tile<i32>, token
    %t13 = print_tko "seen %d ordered %d\0A", %abcd, %e : tile<4xi32>, tile<i32> -> token
    return
  }

  // Elements of one store have equal addresses: which one stays is unspecified, unless they are equal.
  // MEETING: {{^}}init: {{.*}}: block (0,0,0): cuda_tile.entry: output 'x', element 2, depends on a value that nothing determines
  // MEETING-NOT: {{.}}
  entry @meeting(%x: tile<ptr<i32>>) {
    %places = constant <i32: [0, 0, 2, 2]> : tile<4xi32>
    %values = constant <i32: [5, 5, 6, 7]> : tile<4xi32>
    %unit = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
    %all = broadcast %unit : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %to = offset %all, %places : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %t = store_ptr_tko weak %to, %values : tile<4xptr<i32>>, tile<4xi32> -> token
    return
  }

  // Slices begin anywhere, but not inside of a byte and not beyond all offsets.
  // SLICES: {{^}}ub: {{.*}}: block (0,0,0): cuda_tile.load_view_tko: index 1 is 33, in the middle of a byte
  // SLICES-NEXT: {{^}}ub: {{.*}}: block (0,0,0): cuda_tile.load_view_tko: index 1 is 18446744073709551614, which no offset can reach
  // SLICES-NOT: {{.}}
  entry @slices(%x: tile<ptr<f4E2M1FN>>) {
    %rows = constant <i32: [3, 0]> : tile<2xi32>
    %even = constant <i64: 34> : tile<i64>
    %odd = constant <i64: 33> : tile<i64>
    %far = constant <i64: -2> : tile<i64>
    %tv = make_tensor_view %x, shape = [4, 64], strides = [64, 1] : tensor_view<4x64xf4E2M1FN, strides=[64,1]>
    %gv = make_gather_scatter_view %tv : gather_scatter_view<tile=(2x32), padding_value = zero, tensor_view<4x64xf4E2M1FN, strides=[64,1]>, sparse_dim=0>
    %a, %t0 = load_view_tko weak %gv[%rows, %even] : gather_scatter_view<tile=(2x32), padding_value = zero, tensor_view<4x64xf4E2M1FN, strides=[64,1]>, sparse_dim=0>, tile<2xi32>, tile<i64> -> tile<2x32xf4E2M1FN>, token
    %b, %t1 = load_view_tko weak %gv[%rows, %odd] : gather_scatter_view<tile=(2x32), padding_value = zero, tensor_view<4x64xf4E2M1FN, strides=[64,1]>, sparse_dim=0>, tile<2xi32>, tile<i64> -> tile<2x32xf4E2M1FN>, token
    %c, %t2 = load_view_tko weak %gv[%rows, %far] : gather_scatter_view<tile=(2x32), padding_value = zero, tensor_view<4x64xf4E2M1FN, strides=[64,1]>, sparse_dim=0>, tile<2xi32>, tile<i64> -> tile<2x32xf4E2M1FN>, token
    return
  }
}

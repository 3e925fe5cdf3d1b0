// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same copy; the base is opaque, so the kernel builds the map itself. Its 128 bytes must be those that the host
// would have written: `%mirror` is that map, and a difference spoils the output.
gpu.module @m [#nvvm.target<O = 3, chip = "CHIP", features = "+ptx90">] attributes {tileir.launch_abi = "ABI"} {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<512 x f32>
  llvm.func @__tileir_make_tensor_map(...) -> !llvm.ptr
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 8 : i64} : i64
  llvm.func @copy(%a: !llvm.ptr<1> {llvm.align = 16 : i64}, %rows: i32, %cols: i32, %pitch: i32 {tileir.divisible_by = 4 : i64}, %start: i32, %out: !llvm.ptr<1>)
      attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>, nvvm.minctasm = 1 : i32} {
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2048 = llvm.mlir.constant(2048 : i32) : i32
    %ticks = llvm.mlir.constant(10000000 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    // After an opaque instruction a launcher cannot know the base.
    %c4l = llvm.mlir.constant(4 : i64) : i64
    %pl = llvm.zext %pitch : i32 to i64
    %bytes = llvm.mul %pl, %c4l : i64
    %sl = llvm.sext %start : i32 to i64
    %skip = llvm.mul %sl, %bytes : i64
    %a0 = llvm.ptrtoint %a : !llvm.ptr<1> to i64
    %sum = llvm.add %a0, %skip : i64
    %left = llvm.sub %rows, %start : i32
    %base = llvm.inline_asm "mov.b64 $0, $1;", "=l,l" %sum : (i64) -> i64
    %map = llvm.call @__tileir_make_tensor_map(%base, %cols, %left, %bytes) vararg(!llvm.func<ptr (...)>) {tileir.divisible_by = 16 : i64, tileir.tensormap = {element = "f32", box = array<i64: 32, 16>}} : (i64, i32, i32, i64) -> !llvm.ptr
    %mirror = llvm.call @__tileir_make_tensor_map(%sum, %cols, %left, %bytes) vararg(!llvm.func<ptr (...)>) {tileir.tensormap = {element = "f32", box = array<i64: 32, 16>}} : (i64, i32, i32, i64) -> !llvm.ptr
    %first = llvm.icmp "eq" %tid, %c0 : i32
    %bx = nvvm.read.ptx.sreg.ctaid.x : i32
    %by = nvvm.read.ptx.sreg.ctaid.y : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %x = llvm.mul %bx, %c32 : i32
    %y = llvm.mul %by, %c16 : i32
    llvm.cond_br %first, ^init, ^ready
  ^init:
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32
    nvvm.fence.mbarrier.init
    llvm.br ^ready
  ^ready:
    nvvm.barrier0
    llvm.cond_br %first, ^issue, ^wait
  ^issue:
    nvvm.mbarrier.arrive.expect_tx %bar, %c2048 : !llvm.ptr<3>, i32
    %cluster = llvm.addrspacecast %tile : !llvm.ptr<3> to !llvm.ptr<7>
    nvvm.cp.async.bulk.tensor.shared.cluster.global %cluster, %map, %bar, box[%x, %y] : !llvm.ptr<7>, !llvm.ptr
    llvm.br ^wait
  ^wait:
    nvvm.mbarrier.try_wait.parity %bar, %c0, %ticks : !llvm.ptr<3>, i32, i32
    // Four elements a thread: element e of the box is row e / 32, column e % 32.
    // All sixteen words of both maps.
    %zero64 = llvm.mlir.constant(0 : i64) : i64
    llvm.br ^compare(%c0, %zero64 : i32, i64)
  ^compare(%w: i32, %bad: i64):
    %p1 = llvm.getelementptr %map[%w] : (!llvm.ptr, i32) -> !llvm.ptr, i64
    %p2 = llvm.getelementptr %mirror[%w] : (!llvm.ptr, i32) -> !llvm.ptr, i64
    %w1 = llvm.load %p1 : !llvm.ptr -> i64
    %w2 = llvm.load %p2 : !llvm.ptr -> i64
    %diff = llvm.xor %w1, %w2 : i64
    %worse = llvm.or %bad, %diff : i64
    %wn = llvm.add %w, %c1 : i32
    %on = llvm.icmp "ult" %wn, %c16 : i32
    llvm.cond_br %on, ^compare(%wn, %worse : i32, i64), ^compared
  ^compared:
    %same = llvm.icmp "eq" %worse, %zero64 : i64
    %wrong = llvm.mlir.constant(-77.0 : f32) : f32
    llvm.br ^loop(%c0 : i32)
  ^loop(%i: i32):
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c5 = llvm.mlir.constant(5 : i32) : i32
    %c31 = llvm.mlir.constant(31 : i32) : i32
    %step = llvm.mul %i, %c128 : i32
    %e = llvm.add %step, %tid : i32
    %from = llvm.getelementptr %tile[%e] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %got = llvm.load %from : !llvm.ptr<3> -> f32
    %v = llvm.select %same, %got, %wrong : i1, f32
    %r = llvm.lshr %e, %c5 : i32
    %c = llvm.and %e, %c31 : i32
    %row = llvm.add %y, %r : i32
    %col = llvm.add %x, %c : i32
    %nx = nvvm.read.ptx.sreg.nctaid.x : i32
    %width = llvm.mul %nx, %c32 : i32
    %line = llvm.mul %row, %width : i32
    %at = llvm.add %line, %col : i32
    %to = llvm.getelementptr %out[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %v, %to : f32, !llvm.ptr<1>
    %next = llvm.add %i, %c1 : i32
    %more = llvm.icmp "ult" %next, %c4 : i32
    llvm.cond_br %more, ^loop(%next : i32), ^done
  ^done:
    llvm.return
  }
}

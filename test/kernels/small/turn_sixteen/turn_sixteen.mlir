// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A transpose of all sixteen dimensions: larger than the shared memory of some targets, without a dimension left for slabs.
cuda_tile.module @kernels {
 entry @turn_sixteen(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
  %z = constant <i32: 0> : tile<i32>
  %vx = make_tensor_view %x, shape = [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2], strides = [32768, 16384, 8192, 4096, 2048, 1024, 512, 256, 128, 64, 32, 16, 8, 4, 2, 1] : tensor_view<2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2xf32, strides=[32768,16384,8192,4096,2048,1024,512,256,128,64,32,16,8,4,2,1]>
  %px = make_partition_view %vx : partition_view<tile=(2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2), tensor_view<2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2xf32, strides=[32768,16384,8192,4096,2048,1024,512,256,128,64,32,16,8,4,2,1]>>
  %tx, %kx = load_view_tko weak %px[%z, %z, %z, %z, %z, %z, %z, %z, %z, %z, %z, %z, %z, %z, %z, %z] : partition_view<tile=(2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2), tensor_view<2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2xf32, strides=[32768,16384,8192,4096,2048,1024,512,256,128,64,32,16,8,4,2,1]>>, tile<i32> -> tile<2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2xf32>, token
  %q = permute %tx [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0] : tile<2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2xf32> -> tile<2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2xf32>
  %vy = make_tensor_view %y, shape = [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2], strides = [32768, 16384, 8192, 4096, 2048, 1024, 512, 256, 128, 64, 32, 16, 8, 4, 2, 1] : tensor_view<2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2xf32, strides=[32768,16384,8192,4096,2048,1024,512,256,128,64,32,16,8,4,2,1]>
  %py = make_partition_view %vy : partition_view<tile=(2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2), tensor_view<2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2xf32, strides=[32768,16384,8192,4096,2048,1024,512,256,128,64,32,16,8,4,2,1]>>
  %sy = store_view_tko weak %q, %py[%z, %z, %z, %z, %z, %z, %z, %z, %z, %z, %z, %z, %z, %z, %z, %z] : tile<2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2xf32>, partition_view<tile=(2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2), tensor_view<2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2xf32, strides=[32768,16384,8192,4096,2048,1024,512,256,128,64,32,16,8,4,2,1]>>, tile<i32> -> token
  return
 }
}

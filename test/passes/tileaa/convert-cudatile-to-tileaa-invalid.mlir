// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileAAPasses.so --load-pass-plugin=%libTileAAPasses.so
// RUN: %{opt} %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(convert-cudatile-to-tileaa{strict-hints}))'

// expected-error @below {{invalid or missing --compute-capability option}}
gpu.module @no_target {
  cuda_tile.module @m {
    entry @k() {
      return
    }
  }
}

// -----

// expected-error @below {{invalid or missing --compute-capability option}}
gpu.module @no_tile_lowering attributes {nv_tileaa.compute_capability = 75 : i32} {
  cuda_tile.module @m {
    entry @k() {
      return
    }
  }
}

// -----

// A module without cuda_tile needs no target.
gpu.module @done {
}

// -----

gpu.module @m attributes {nv_tileaa.target_spec = "sm_80"} {
  cuda_tile.module @a {
    // expected-note @below {{first defined here}}
    entry @k() {
      return
    }
  }
  cuda_tile.module @b {
    // expected-error @below {{redefinition of symbol named 'k' while merging cuda_tile modules}}
    entry @k() {
      return
    }
  }
}

// -----

// No layout describes it.
gpu.module @m attributes {nv_tileaa.target_spec = "sm_90"} {
  cuda_tile.module @a {
    entry @k(%f: tile<f32>) {
      // expected-error @below {{makes a tile of 17 dimensions, of which 16 are supported; reshape it, or view the tensor with fewer}}
      %0 = reshape %f : tile<f32> -> tile<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>
      %1 = reshape %f : tile<f32> -> tile<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>
      return
    }
  }
}

// -----

gpu.module @m attributes {nv_tileaa.target_spec = "sm_80"} {
  cuda_tile.module @a {
    // expected-error @below {{optimization hint 'num_cta_in_cga' for sm_80: 1 expected on a target without clusters}}
    // expected-error @below {{optimization hint 'occupancy' for default: number in [1, 32] expected}}
    entry @k() optimization_hints=<sm_80 = {num_cta_in_cga = 2}, sm_90 = {num_cta_in_cga = 3}, default = {occupancy = 64}> {
      return
    }
  }
}

// -----

gpu.module @m attributes {nv_tileaa.target_spec = "sm_100"} {
  cuda_tile.module @a {
    entry @k(%p: tile<ptr<f4E2M1FN>>, %s: tile<i64>) {
      // expected-error @below {{a view of 4-bit elements needs a dimension of static stride 1 and even size; make the stride static}}
      %0 = make_tensor_view %p, shape = [16], strides = [%s] : tile<i64> -> tensor_view<16xf4E2M1FN, strides=[?]>
      return
    }
  }
}

// -----

gpu.module @arguments attributes {nv_tileaa.target_spec = "sm_90"} {
  cuda_tile.module @m {
    // expected-error @below {{entry argument 0 has unsupported type '!cuda_tile.token'; pass scalars and pointers, and make views in the kernel}}
    // expected-error @below {{entry argument 1 has unsupported type '!cuda_tile.tensor_view<8xf32, strides=[1]>'; pass scalars and pointers, and make views in the kernel}}
    entry @k(%t: !cuda_tile.token, %v: tensor_view<8xf32, strides=[1]>) {
      return
    }
  }
}

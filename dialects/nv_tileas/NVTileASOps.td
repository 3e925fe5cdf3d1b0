// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_NVTILEASOPS_TD
#define DIALECTS_NV_TILEAS_NVTILEASOPS_TD

include "dialects/nv_tileas/Ops/AsyncOps.td"
include "dialects/nv_tileas/Ops/AtomOps.td"
include "dialects/nv_tileas/Ops/BufferOps.td"
include "dialects/nv_tileas/Ops/ComputeOps.td"
include "dialects/nv_tileas/Ops/ControlOps.td"
include "dialects/nv_tileas/Ops/GridOps.td"
include "dialects/nv_tileas/Ops/MbarrierOps.td"
include "dialects/nv_tileas/Ops/MemoryOps.td"
include "dialects/nv_tileas/Ops/PipelineOps.td"
include "dialects/nv_tileas/Ops/PointerOps.td"
include "dialects/nv_tileas/Ops/TileOps.td"
include "dialects/nv_tileas/Ops/TensorMemoryOps.td"
include "dialects/nv_tileas/Ops/TmaOps.td"
include "dialects/nv_tileas/Ops/WarpgroupOps.td"

// Declared in a header of its own, ClusterOps.h.
#ifdef TILEIR_ALL_OPS
include "dialects/nv_tileas/Ops/ClusterOps.td"
#endif

#endif // DIALECTS_NV_TILEAS_NVTILEASOPS_TD

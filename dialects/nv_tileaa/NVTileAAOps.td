// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAA_NVTILEAAOPS_TD
#define DIALECTS_NV_TILEAA_NVTILEAAOPS_TD

include "dialects/nv_tileaa/Ops/Address.td"
include "dialects/nv_tileaa/Ops/Dot.td"
include "dialects/nv_tileaa/Ops/Function.td"
include "dialects/nv_tileaa/Ops/Grid.td"
include "dialects/nv_tileaa/Ops/Math.td"
include "dialects/nv_tileaa/Ops/Memory.td"
include "dialects/nv_tileaa/Ops/Shape.td"
include "dialects/nv_tileaa/Ops/Token.td"

// Declared in a header of its own, ClusterOps.h.
#ifdef TILEIR_ALL_OPS
include "dialects/nv_tileaa/Ops/Cluster.td"
#endif

#endif // DIALECTS_NV_TILEAA_NVTILEAAOPS_TD

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that the CTAs of a cluster do together.

#ifndef DIALECTS_NV_TILEAS_CLUSTEROPS_H
#define DIALECTS_NV_TILEAS_CLUSTEROPS_H

#include "dialects/nv_tileas/NVTileAS.h"

#define GET_OP_CLASSES
#include "dialects/nv_tileas/ClusterOps.h.inc"

#endif // DIALECTS_NV_TILEAS_CLUSTEROPS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include "passes/host_wrapper/TileIREmitHostWrapper.td"

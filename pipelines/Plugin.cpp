// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/Plugin.h"
#include "pipelines/Segments.h"

// The pipeline names the passes of every family by its constructor, so loading
// it alone is enough to run `tileir`; the families' own plugins register their
// passes by name.
TILEIR_PLUGIN("TileIRPipelines", tileir::registerTileIRDialects,
              tileir::registerTileIRPipelines)

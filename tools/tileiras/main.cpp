// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Tools.h"

#include "llvm/Support/Path.h"

/// `tileir-serialize` is installed as a second name of this program, which
/// contains both.
int main(int argc, char **argv) {
  if (llvm::sys::path::filename(argv[0]) == "tileir-serialize")
    return tileir::driver::runSerialize(argc, argv);
  return tileir::driver::runTileiras(argc, argv);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Tools.h"

int main(int argc, char **argv) {
  return tileir::driver::runTileiras(argc, argv);
}

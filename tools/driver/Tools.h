// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_TOOLS_H
#define TOOLS_DRIVER_TOOLS_H

namespace tileir::driver {

/// Runs `tileir-serialize`; returns the exit code.
int runSerialize(int argc, char **argv);

/// Runs `tileiras`; returns the exit code.
int runTileiras(int argc, char **argv);

} // namespace tileir::driver

#endif // TOOLS_DRIVER_TOOLS_H

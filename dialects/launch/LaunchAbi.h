// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_LAUNCH_LAUNCHABI_H
#define DIALECTS_LAUNCH_LAUNCHABI_H

namespace tileir {

/// Forms of a kernel's parameters: Tile has hidden parameters after those of
/// the program, Plain only those of the program.
enum class LaunchAbi { Tile, Plain };

} // namespace tileir

#endif // DIALECTS_LAUNCH_LAUNCHABI_H

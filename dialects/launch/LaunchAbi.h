// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_LAUNCH_LAUNCHABI_H
#define DIALECTS_LAUNCH_LAUNCHABI_H

namespace tileir {

/// Forms of a kernel's parameters: of a tile program, with hidden ones behind
/// those that the program names, or just those.
enum class LaunchAbi { Tile, Plain };

} // namespace tileir

#endif // DIALECTS_LAUNCH_LAUNCHABI_H

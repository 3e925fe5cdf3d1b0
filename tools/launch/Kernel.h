// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_LAUNCH_KERNEL_H
#define TOOLS_LAUNCH_KERNEL_H

#include <optional>
#include <string>

namespace tileir::launch {

/// Kinds of kernels that a case may name.
enum class KernelForm { PTX, TileIR, TileText, Cubin, FatBinary };

/// Told by the first bytes of the file, of text by its first token; names do
/// not count. Empty for what is none of them.
std::optional<KernelForm> formOfKernel(const std::string &bytes);

} // namespace tileir::launch

#endif // TOOLS_LAUNCH_KERNEL_H

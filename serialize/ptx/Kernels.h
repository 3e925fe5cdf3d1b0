// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_KERNELS_H
#define SERIALIZE_PTX_KERNELS_H

#include "serialize/ptx/DeviceModule.h"

namespace tileir {

struct KernelOptions {
  /// nvcc's encoding of a tile launch, also without clusters.
  bool alwaysBlocksAreClusters = false;
};

/// The numbers of the launch attribute `name`; none without it, 0 for text that
/// is no number.
llvm::SmallVector<int64_t, 3> getLaunchNumbers(const llvm::Function &function,
                                               llvm::StringRef name);

/// Rewrites launch bounds and cluster attributes of every kernel to the form
/// that ptxas accepts, gives other functions internal linkage, and raises the
/// PTX version to the module's minimum.
Status normalizeKernels(DeviceModule &device, const KernelOptions &options,
                        const Reporter &reporter);

/// Fills `device.kernels` and checks limits for which ptxas gives a bad error
/// or none. Call it on the final IR.
Status measureKernels(DeviceModule &device, const Reporter &reporter);

} // namespace tileir

#endif // SERIALIZE_PTX_KERNELS_H

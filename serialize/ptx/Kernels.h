// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_KERNELS_H
#define SERIALIZE_PTX_KERNELS_H

#include "serialize/ptx/DeviceModule.h"

namespace tileir {

struct KernelOptions {
  /// nvcc's own encoding of a tile launch also without clusters.
  bool alwaysBlocksAreClusters = false;
};

/// The numbers of the launch attribute `name`; none without it, 0 for what is
/// no number.
llvm::SmallVector<int64_t, 3> getLaunchNumbers(const llvm::Function &function,
                                               llvm::StringRef name);

/// Brings launch bounds and cluster attributes of every kernel into the form
/// that ptxas takes, gives other functions internal linkage, and raises the
/// PTX version to what the module needs.
Status normalizeKernels(DeviceModule &device, const KernelOptions &options,
                        const Reporter &reporter);

/// Fills `device.kernels` and checks the limits that ptxas would report badly
/// or not at all. Call it on the final IR.
Status measureKernels(DeviceModule &device, const Reporter &reporter);

} // namespace tileir

#endif // SERIALIZE_PTX_KERNELS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_HOST_REGISTRATION_H
#define SERIALIZE_HOST_REGISTRATION_H

#include "serialize/Report.h"

#include <string>
#include <vector>

namespace tileir {

struct RegistrationRequest {
  /// Normalized triple of the product.
  std::string triple;
  /// Symbol of the wrapper around the fatbin.
  std::string wrapperSymbol;
  /// Names of the kernels, in module order.
  std::vector<std::string> kernels;
};

/// Builds host code that registers the kernels with the CUDA runtime before
/// `main` and unregisters them at the end: a constructor, and one function
/// named like each kernel, whose address is the handle for `cudaLaunchKernel`.
Status compileRegistration(const RegistrationRequest &request,
                           const Reporter &reporter, std::string &object);

} // namespace tileir

#endif // SERIALIZE_HOST_REGISTRATION_H

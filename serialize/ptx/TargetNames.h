// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTX_TARGETNAMES_H
#define SERIALIZE_PTX_TARGETNAMES_H

#include "serialize/Report.h"

namespace tileir {

/// Names of all targets of code generation, with their suffixes.
std::string acceptedTargets();

/// Reports `text` about an invalid target, with a note that lists the valid
/// ones.
Status refuseTarget(const Reporter &reporter, const llvm::Twine &text);

} // namespace tileir

#endif // SERIALIZE_PTX_TARGETNAMES_H

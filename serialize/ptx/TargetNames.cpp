// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptx/TargetNames.h"

#include "dialects/support/Target.h"

namespace tileir {

std::string acceptedTargets() {
  std::string names;
  for (const Target &target : Target::all())
    for (ArchSuffix suffix : {ArchSuffix::None, ArchSuffix::A, ArchSuffix::F}) {
      if (suffix != ArchSuffix::None && !target.hasSuffix(suffix))
        continue;
      names += names.empty() ? "" : ", ";
      names += target.name();
      names += suffix == ArchSuffix::A   ? "a"
               : suffix == ArchSuffix::F ? "f"
                                         : "";
    }
  return names;
}

Status refuseTarget(const Reporter &reporter, const llvm::Twine &text) {
  Status status = reporter.error(Status::Config, text);
  reporter.note("targets are " + acceptedTargets());
  return status;
}

} // namespace tileir

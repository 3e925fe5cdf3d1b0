// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tileir-run/launch/Run.h"

namespace tileir::launch {

bool fillHidden(const Options &, const std::string &, const emu::Function &entry,
                const std::vector<uint64_t> &, emu::Machine &,
                std::vector<uint8_t> &, std::string &error) {
  error = "'" + entry.name +
          "' has hidden parameters, which the emulator does not fill yet";
  return false;
}

} // namespace tileir::launch

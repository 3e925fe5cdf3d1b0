// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_SUMMARY_H
#define TOOLS_DRIVER_SUMMARY_H

#include "serialize/Serializer.h"

namespace tileir::driver {

/// Returns what a run made, for people: sizes, registers, spills, shared
/// memory, launch attributes, sections.
std::string summarize(const SerializeResult &result);

/// One kernel's line of `ptxas -v`.
struct PtxasStatistics {
  std::string kernel;
  unsigned registers = 0;
  unsigned stack = 0;
  unsigned spillStores = 0;
  unsigned spillLoads = 0;
  unsigned sharedBytes = 0;
};
std::vector<PtxasStatistics> parsePtxasStatistics(llvm::StringRef log);

} // namespace tileir::driver

#endif // TOOLS_DRIVER_SUMMARY_H

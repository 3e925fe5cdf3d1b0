// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_SUMMARY_H
#define TOOLS_DRIVER_SUMMARY_H

#include "dialects/support/Target.h"
#include "serialize/Serializer.h"
#include "serialize/elf/Cubin.h"

namespace tileir::driver {

/// Describes the result of a run: sizes, registers, spills, shared memory,
/// launch attributes, sections.
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

/// Returns the blocks of `kernel`, with so much shared memory each, that an SM
/// of `target` holds at once; 0 where the launcher chooses their threads.
int64_t getResidentBlocks(const Target &target, const CubinKernel &kernel,
                          int64_t sharedBytes);

} // namespace tileir::driver

#endif // TOOLS_DRIVER_SUMMARY_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of a run, and its counters.
#ifndef TOOLS_EMULATOR_OPTIONS_H
#define TOOLS_EMULATOR_OPTIONS_H

#include "tools/emulator/Findings.h"
#include "tools/emulator/Program.h"

#include <array>
#include <atomic>
#include <map>
#include <set>
#include <string>

namespace tileir::emu {

enum class AsyncMode { Early, Late, Random };

/// Progress of a run, in memory that its processes share.
struct RunProgress {
  std::atomic<uint64_t> ended{0}; ///< Blocks.
  uint64_t blocks = 0;            ///< All of them.
};

struct Options {
  uint64_t seed = 1;
  AsyncMode async = AsyncMode::Random;
  FindingSet off;    ///< Kinds of findings that are switched off.
  uint32_t jobs = 0; ///< Processes for the clusters; 0: all run together here.
  uint64_t maxSteps = 0; ///< Warp instructions; 0: the default bound.
  bool stats = false;
  bool timing = false; ///< Estimate cycles, too.
  /// Blocks on an SM for that; 0: what fits by all that PTX says.
  uint64_t ctasPerSM = 0;
  int driverVersion = 2;
  RunProgress *progress = nullptr; ///< Kept up to date, if there is one.
  /// Said of a block that races with itself in an array.
  std::string blockRaceRule;
};

struct Launch {
  std::string entry;
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1}, cluster{1, 1, 1};
  bool explicitCluster = false;
  uint64_t sharedBytes = 0;
  uint32_t smCount = 0;
  bool coResident = false;
  std::vector<uint8_t> params;
  std::vector<uint8_t> paramsWritten;
  uint64_t workspace = 0;
};

struct Stats {
  uint64_t warpInstructions = 0, laneInstructions = 0;
  std::map<int, std::array<uint64_t, size_t(Class::Count)>> byWarp;
  uint64_t sharedRequests = 0, sharedPasses = 0, sharedIdeal = 0;
  uint64_t globalRequests = 0, globalSectors = 0, globalIdealSectors = 0;
  uint64_t globalBytesRead = 0, globalBytesWritten = 0;
  uint64_t sharedBytesRead = 0, sharedBytesWritten = 0;
  uint64_t asyncBytes = 0, tmaBytes = 0, multicastBytes = 0;
  uint64_t barrierWaits = 0, barrierWaitSteps = 0;
  uint64_t tensorInstructions = 0, tensorMacs = 0;
  uint64_t peakShared = 0;
};

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_OPTIONS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model of how long executed instructions take: they are issued again, warp
// by warp, by the rates and latencies of Rates.def.
#ifndef TOOLS_EMULATOR_TIMING_H
#define TOOLS_EMULATOR_TIMING_H

#include "tools/emulator/Operations.h"

#include <array>
#include <map>
#include <unordered_map>

namespace tileir::emu {

/// A sum with its least and largest addend.
struct Samples {
  uint64_t count = 0, sum = 0, least = ~uint64_t(0), most = 0;
  void add(uint64_t value) {
    ++count;
    sum += value;
    least = value < least ? value : least;
    most = value > most ? value : most;
  }
  void add(const Samples &others) {
    count += others.count;
    sum += others.sum;
    least = others.least < least ? others.least : least;
    most = others.most > most ? others.most : most;
  }
  double mean() const { return count ? double(sum) / double(count) : 0; }
};

/// An executed instruction of a warp.
struct Event {
  uint32_t code = 0;
  uint32_t lanes = 0;
  uint32_t sharedPasses = 0;
  uint32_t sectors = 0; ///< Of 32 bytes, of global memory.
  uint64_t bytes = 0;   ///< That it moves, or its copy will.
  uint64_t ticket = 0;
  uint64_t waitKey = 0;
};

/// Instructions that the warps of a cluster executed.
struct Trace {
  size_t warpsPerBlock = 1;
  std::vector<std::vector<Event>> warps; ///< Those of block 0 first.
  struct Contribution {
    uint64_t key, ticket;
  };
  std::vector<Contribution> contributions;
  struct TensorWork {
    uint64_t macs = 0, operandBytes = 0;
  };
  std::unordered_map<uint64_t, TensorWork> tensorWork; ///< By ticket.
};

/// Where warps of one line stood, and why.
struct Stall {
  uint64_t cycles = 0;
  std::map<std::string, uint64_t> reasons;
};

class Timing {
public:
  enum Resource : unsigned { Issue, Tensor, Lsu, Tma, Special, L2, Count };
  static const char *resourceName(unsigned resource);

  Timing(const Operations &operations, const std::vector<Inst> &code,
         const Target &target, uint64_t ctasPerSM);

  /// Times one cluster; its blocks are on SMs of their own, each of which has
  /// `ctasPerSM` like it.
  void add(const Trace &trace);

  const uint64_t ctasPerSM;
  const Rates rates;
  uint64_t blocks = 0;
  uint64_t blockCycles = 0;         ///< Of all `blocks` together.
  std::array<double, Count> busy{}; ///< Cycles of all blocks, by resource.
  std::vector<Stall> stalls;        ///< By instruction.
  /// Cycles between the back edges of a loop, of the warps that took them most.
  struct LoopTime {
    uint64_t iterations = 0, cycles = 0, whole = 0;
  };
  std::vector<LoopTime> loopTimes;
  /// Bytes that copies of a block are bringing when a tensor instruction issues
  /// which a later copy follows: after the last copy a loop only drains.
  Samples inFlight;

private:
  friend class Replay;
  const Operations &operations;
  const std::vector<Inst> &code;
};

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_TIMING_H

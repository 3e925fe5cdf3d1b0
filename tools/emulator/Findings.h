// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_EMULATOR_FINDINGS_H
#define TOOLS_EMULATOR_FINDINGS_H

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tileir::emu {

struct Place {
  int line = 0;
  std::array<uint32_t, 3> block{}, thread{};
  int warp = 0, lane = 0;
  std::string source;
};

struct Finding {
  std::string kind, message;
  Place place;
  std::vector<Place> related;
  uint64_t count = 1;
};

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_FINDINGS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_EMULATOR_FINDINGS_H
#define TOOLS_EMULATOR_FINDINGS_H

#include <array>
#include <bitset>
#include <cstdint>
#include <string>
#include <vector>

namespace tileir::emu {

enum class FindingKind : uint8_t {
#define FINDING(Kind, Name, Check, Text) Kind,
#include "tools/emulator/Findings.def"
};

struct FindingInfo {
  FindingKind kind;
  const char *name;
  const char *check; ///< What switches it off; empty: nothing.
  const char *text;
};

constexpr FindingInfo kFindings[] = {
#define FINDING(Kind, Name, Check, Text) {FindingKind::Kind, Name, Check, Text},
#include "tools/emulator/Findings.def"
};
constexpr size_t kFindingKinds = sizeof kFindings / sizeof *kFindings;

constexpr const char *nameOf(FindingKind kind) {
  return kFindings[size_t(kind)].name;
}

/// Kinds that are switched off: at first broken promises that change nothing,
/// which are notes then.
class FindingSet {
public:
  FindingSet() { insert(FindingKind::Inbounds); }
  void insert(FindingKind kind) { kinds.set(size_t(kind)); }
  void erase(FindingKind kind) { kinds.reset(size_t(kind)); }
  bool has(FindingKind kind) const { return kinds[size_t(kind)]; }

private:
  std::bitset<kFindingKinds> kinds;
};

struct Place {
  int line = 0;
  std::array<uint32_t, 3> block{}, thread{};
  int warp = 0, lane = 0;
  std::string source;
};

struct Finding {
  FindingKind kind = FindingKind::Trap;
  std::string message;
  Place place;
  std::vector<Place> related;
  uint64_t count = 1;
};

} // namespace tileir::emu

#endif // TOOLS_EMULATOR_FINDINGS_H

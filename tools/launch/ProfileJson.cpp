// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters of asynchronous code and the timing model's estimate, as JSON.
#include "tools/emulator/Profile.h"
#include "tools/launch/Run.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace tileir::launch {

using namespace emu;

static std::string number(double value) {
  std::ostringstream out;
  out << std::setprecision(6) << value;
  return out.str();
}

static std::string samples(const Samples &s) {
  return "{\"min\": " + std::to_string(s.count ? s.least : 0) +
         ", \"mean\": " + number(s.mean()) + "}";
}

static void writeWaits(const Machine &m, std::ostringstream &out) {
  const char *comma = "";
  out << ",\n \"waits\": [";
  for (const auto &[at, wait] : m.profile->counters.waits) {
    const char *kind = waitName(m.profile->operations[at].op);
    if (!kind || !wait.count)
      continue;
    out << comma << "\n  {\"line\": " << m.image.code[at].line
        << ", \"kind\": \"" << kind << "\", \"count\": " << wait.count
        << ", \"steps\": " << wait.steps
        << ", \"bytes_in_flight\": " << samples(wait.left) << "}";
    comma = ",";
  }
  out << "]";
}

/// Of a loop without those inside it.
static void writeLoops(const Machine &m, std::ostringstream &out) {
  const Profile &p = *m.profile;
  const char *comma = "";
  out << ",\n \"loops\": [";
  for (size_t n = 0; n < p.operations.loops.size(); ++n) {
    const Loop &loop = p.operations.loops[n];
    uint64_t trips = p.counters.trips[n], barriers = 0, tensor = 0;
    uint64_t classes[size_t(Class::Count)] = {};
    if (!trips)
      continue;
    for (int k = loop.first; k <= loop.last; ++k) {
      const Operation &o = p.operations[size_t(k)];
      if (o.loop != int(n))
        continue;
      uint64_t count = p.counters.executed[size_t(k)];
      barriers += o.op == Op::BarrierWait ? count : 0;
      tensor += isTensorOp(o.op) ? count : 0;
      classes[size_t(m.image.code[size_t(k)].cls)] += count;
    }
    out << comma << "\n  {\"line\": " << loop.line
        << ", \"first_line\": " << m.image.code[size_t(loop.first)].line
        << ", \"trips\": " << trips << ", \"barriers\": " << barriers
        << ", \"barriers_per_trip\": "
        << number(double(barriers) / double(trips))
        << ", \"tensor\": " << tensor << ", \"instructions\": {";
    const char *inner = "";
    for (size_t c = 0; c < size_t(Class::Count); ++c)
      if (classes[c]) {
        out << inner << "\"" << className(Class(c)) << "\": " << classes[c];
        inner = ", ";
      }
    out << "}}";
    comma = ",";
  }
  out << "]";
}

/// Neighbouring warps that enter the same loops have one role.
static void writeRoles(const Machine &m, std::ostringstream &out) {
  const auto &warps = m.profile->counters.byWarp;
  const char *comma = "";
  out << ",\n \"roles\": [";
  for (auto it = warps.begin(); it != warps.end();) {
    auto first = it;
    uint64_t count = 0, steps = 0, tensor = 0, issues = 0;
    for (; it != warps.end() && it->second.loops == first->second.loops; ++it) {
      ++count;
      steps += it->second.steps;
      tensor += it->second.tensor;
      issues += it->second.asyncIssues;
    }
    out << comma << "\n  {\"first_warp\": " << first->first
        << ", \"warps\": " << count << ", \"steps\": " << steps
        << ", \"tensor\": " << tensor << ", \"async_issues\": " << issues
        << "}";
    comma = ",";
  }
  out << "]";
}

std::string profileJson(const Machine &m) {
  if (!m.profile)
    return "";
  const Counters &c = m.profile->counters;
  std::ostringstream out;
  out << ",\n \"in_flight\": {\"peak_bytes\": " << c.peakBytes
      << ", \"at_tensor_issue\": " << samples(c.atTensorIssue)
      << ", \"peak_load_bytes\": " << c.peakLoadBytes
      << "},\n \"tensor_issues\": {\"count\": " << c.atTensorIssue.count
      << ", \"with_stage_in_flight\": " << c.withStageInFlight
      << ", \"with_older_group\": " << c.withOlderGroup
      << ", \"wgmma_groups\": {\"max\": " << c.wgmmaGroups.most
      << ", \"mean\": " << number(c.wgmmaGroups.mean()) << "}}";
  writeWaits(m, out);
  writeLoops(m, out);
  writeRoles(m, out);
  return out.str();
}

static void writeStalls(const Machine &m, const Timing &t, double blocks,
                        bool allLines, std::ostringstream &out) {
  constexpr size_t kLines = 5;
  std::map<int, Stall> byLine;
  std::map<int, uint64_t> executed;
  uint64_t all = 0;
  for (size_t k = 0; k < t.stalls.size(); ++k) {
    const Stall &s = t.stalls[k];
    uint64_t count = allLines ? m.profile->counters.executed[k] : 0;
    if (!s.cycles && !count)
      continue;
    executed[m.image.code[k].line] += count;
    Stall &line = byLine[m.image.code[k].line];
    line.cycles += s.cycles;
    all += s.cycles;
    for (const auto &[why, cycles] : s.reasons)
      line.reasons[why] += cycles;
  }
  std::vector<std::pair<int, Stall>> worst(byLine.begin(), byLine.end());
  std::sort(worst.begin(), worst.end(), [](const auto &a, const auto &b) {
    return a.second.cycles != b.second.cycles
               ? a.second.cycles > b.second.cycles
               : a.first < b.first;
  });
  if (!allLines)
    worst.resize(std::min(worst.size(), kLines));
  const char *comma = "";
  out << ",\n \"stalls\": [";
  for (const auto &[line, s] : worst) {
    auto why = std::max_element(
        s.reasons.begin(), s.reasons.end(),
        [](const auto &a, const auto &b) { return a.second < b.second; });
    out << comma << "\n  {\"line\": " << line
        << ", \"cycles\": " << number(double(s.cycles) / blocks)
        << ", \"share\": "
        << number(double(s.cycles) / double(std::max<uint64_t>(1, all)))
        << ", \"waits_for\": \"" << (why == s.reasons.end() ? "" : why->first)
        << "\"";
    if (allLines)
      out << ", \"executed\": " << executed[line];
    out << "}";
    comma = ",";
  }
  out << "]";
}

std::string timingJson(const Machine &m, bool allLines) {
  if (!m.profile || !m.profile->timing || !m.profile->timing->blocks)
    return "{\"model\": \"nothing was executed to the end\"}\n";
  const Timing &t = *m.profile->timing;
  double blocks = double(t.blocks), cycles = double(t.blockCycles) / blocks;
  uint64_t grid = 1;
  for (uint32_t n : m.config.grid)
    grid *= n;
  uint64_t perWave = t.ctasPerSM * m.config.smCount;
  uint64_t waves = (grid + perWave - 1) / perWave;
  double util[Timing::Count];
  unsigned bound = 0;
  for (unsigned r = 0; r < Timing::Count; ++r) {
    util[r] = t.busy[r] / double(t.blockCycles);
    bound = util[r] > util[bound] ? r : bound;
  }
  // The innermost loop that takes longest.
  const std::vector<Loop> &loops = m.profile->operations.loops;
  int main = -1;
  for (size_t n = 0; n < loops.size(); ++n) {
    bool inner = false;
    for (size_t k = 0; k < loops.size(); ++k)
      inner |= k != n && t.loopTimes[k].trips &&
               loops[k].first >= loops[n].first &&
               loops[k].last <= loops[n].last;
    if (t.loopTimes[n].trips && !inner &&
        (main < 0 || t.loopTimes[n].whole > t.loopTimes[size_t(main)].whole))
      main = int(n);
  }
  std::ostringstream out;
  // Half of the best rate: latency decides.
  constexpr double kBound = 0.5;
  out << "{\"kernel\": \"" << m.config.entry << "\", \"arch\": \""
      << m.target.name() << "\",\n \"model\": \"an estimate\", "
      << "\"model_version\": " << Rates::version() << ", \"rates\": \""
      << t.rates.family() << "\",\n \"cycles_cta\": " << number(cycles)
      << ", \"cycles_per_trip\": ";
  if (main < 0)
    out << "null, \"loop_line\": null";
  else
    out << number(double(t.loopTimes[size_t(main)].cycles) /
                  double(t.loopTimes[size_t(main)].trips))
        << ", \"loop_line\": " << loops[size_t(main)].line;
  out << ",\n \"in_flight\": {\"count\": " << t.inFlight.count
      << ", \"at_tensor_issue\": " << samples(t.inFlight) << "}";
  out << ",\n \"ctas_sm\": " << t.ctasPerSM << ", \"waves\": " << waves
      << ", \"cycles\": " << number(cycles * double(waves))
      << ",\n \"util\": {";
  for (unsigned r = 0; r < Timing::Count; ++r)
    out << (r ? ", " : "") << "\"" << Timing::resourceName(r)
        << "\": " << number(util[r]);
  out << "}, \"bound\": \""
      << (util[bound] < kBound ? "latency" : Timing::resourceName(bound))
      << "\"";
  writeStalls(m, t, blocks, allLines, out);
  out << "}\n";
  return out.str();
}

} // namespace tileir::launch

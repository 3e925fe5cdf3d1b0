// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters of asynchronous code and the timing model's estimate, as JSON.
#include "tools/emulator/Profile.h"
#include "tools/launch/Run.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace tileir::launch {

using namespace emu;
using cases::JsonTree;

/// A measured or estimated value has six digits.
static double rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return std::strtod(text, nullptr);
}

static JsonTree samples(const Samples &s) {
  return {{"min", s.count ? s.least : 0}, {"mean", rounded(s.mean())}};
}

static JsonTree waitsJson(const Machine &m) {
  JsonTree out = JsonTree::array();
  for (const auto &[at, wait] : m.profile->counters.waits)
    if (const char *kind = waitName(m.profile->operations[at].op);
        kind && wait.count)
      out.push_back({{"line", m.image.code[at].line},
                     {"kind", kind},
                     {"count", wait.count},
                     {"steps", wait.steps},
                     {"bytes_in_flight", samples(wait.left)}});
  return out;
}

/// Loop `n` without those inside it.
static JsonTree loopJson(const Machine &m, size_t n) {
  const Profile &p = *m.profile;
  const Loop &loop = p.operations.loops[n];
  uint64_t iterations = p.counters.iterations[n], barriers = 0, tensor = 0;
  uint64_t classes[size_t(Class::Count)] = {};
  for (int k = loop.first; k <= loop.last; ++k) {
    const Operation &o = p.operations[size_t(k)];
    if (o.loop != int(n))
      continue;
    uint64_t count = p.counters.executed[size_t(k)];
    barriers += o.op == Op::BarrierWait ? count : 0;
    tensor += isTensorOp(o.op) ? count : 0;
    classes[size_t(m.image.code[size_t(k)].cls)] += count;
  }
  JsonTree instructions = JsonTree::object();
  for (size_t c = 0; c < size_t(Class::Count); ++c)
    if (classes[c])
      instructions[className(Class(c))] = classes[c];
  return {{"line", loop.line},
          {"first_line", m.image.code[size_t(loop.first)].line},
          {"trips", iterations},
          {"barriers", barriers},
          {"barriers_per_trip", rounded(double(barriers) / double(iterations))},
          {"tensor", tensor},
          {"instructions", std::move(instructions)}};
}

static JsonTree loopsJson(const Machine &m) {
  JsonTree out = JsonTree::array();
  for (size_t n = 0; n < m.profile->operations.loops.size(); ++n)
    if (m.profile->counters.iterations[n])
      out.push_back(loopJson(m, n));
  return out;
}

/// Neighbouring warps that enter the same loops have one role.
static JsonTree rolesJson(const Machine &m) {
  const auto &warps = m.profile->counters.byWarp;
  JsonTree out = JsonTree::array();
  for (auto it = warps.begin(); it != warps.end();) {
    auto first = it;
    uint64_t count = 0, steps = 0, tensor = 0, issues = 0;
    for (; it != warps.end() && it->second.loops == first->second.loops; ++it) {
      ++count;
      steps += it->second.steps;
      tensor += it->second.tensor;
      issues += it->second.asyncIssues;
    }
    out.push_back({{"first_warp", first->first},
                   {"warps", count},
                   {"steps", steps},
                   {"tensor", tensor},
                   {"async_issues", issues}});
  }
  return out;
}

void addProfile(const Machine &m, JsonTree &statistics) {
  if (!m.profile)
    return;
  const Counters &c = m.profile->counters;
  statistics["in_flight"] = {{"peak_bytes", c.peakBytes},
                             {"at_tensor_issue", samples(c.atTensorIssue)},
                             {"peak_load_bytes", c.peakLoadBytes}};
  statistics["tensor_issues"] = {
      {"count", c.atTensorIssue.count},
      {"with_stage_in_flight", c.withStageInFlight},
      {"with_older_group", c.withOlderGroup},
      {"wgmma_groups",
       {{"max", c.wgmmaGroups.most}, {"mean", rounded(c.wgmmaGroups.mean())}}}};
  statistics["waits"] = waitsJson(m);
  statistics["loops"] = loopsJson(m);
  statistics["roles"] = rolesJson(m);
}

static JsonTree stallsJson(const Machine &m, const Timing &t, double blocks,
                           bool allLines) {
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
  JsonTree out = JsonTree::array();
  for (const auto &[line, s] : worst) {
    auto why = std::max_element(
        s.reasons.begin(), s.reasons.end(),
        [](const auto &a, const auto &b) { return a.second < b.second; });
    JsonTree stall = {{"line", line},
                      {"cycles", rounded(double(s.cycles) / blocks)},
                      {"share", rounded(double(s.cycles) /
                                        double(std::max<uint64_t>(1, all)))},
                      {"waits_for", why == s.reasons.end() ? "" : why->first}};
    if (allLines)
      stall["executed"] = executed[line];
    out.push_back(std::move(stall));
  }
  return out;
}

/// The innermost loop that takes longest, or -1.
static int mainLoop(const std::vector<Loop> &loops, const Timing &t) {
  int main = -1;
  for (size_t n = 0; n < loops.size(); ++n) {
    bool inner = false;
    for (size_t k = 0; k < loops.size(); ++k)
      inner |= k != n && t.loopTimes[k].iterations &&
               loops[k].first >= loops[n].first &&
               loops[k].last <= loops[n].last;
    if (t.loopTimes[n].iterations && !inner &&
        (main < 0 || t.loopTimes[n].whole > t.loopTimes[size_t(main)].whole))
      main = int(n);
  }
  return main;
}

std::string timingJson(const Machine &m, bool allLines) {
  if (!m.profile || !m.profile->timing || !m.profile->timing->blocks)
    return cases::printJson({{"model", "nothing was executed to the end"}});
  const Timing &t = *m.profile->timing;
  double blocks = double(t.blocks), cycles = double(t.blockCycles) / blocks;
  uint64_t grid = 1;
  for (uint32_t n : m.config.grid)
    grid *= n;
  uint64_t perWave = t.ctasPerSM * m.config.smCount;
  uint64_t waves = (grid + perWave - 1) / perWave;
  JsonTree util;
  double highest = 0;
  std::string bound;
  for (unsigned r = 0; r < Timing::Count; ++r) {
    double share = t.busy[r] / double(t.blockCycles);
    util[Timing::resourceName(r)] = rounded(share);
    if (r == 0 || share > highest) {
      highest = share;
      bound = Timing::resourceName(r);
    }
  }
  // Half of the best rate: latency decides.
  constexpr double kBound = 0.5;
  if (highest < kBound)
    bound = "latency";
  const std::vector<Loop> &loops = m.profile->operations.loops;
  int main = mainLoop(loops, t);
  JsonTree perIteration, line;
  if (main >= 0) {
    const auto &times = t.loopTimes[size_t(main)];
    perIteration = rounded(double(times.cycles) / double(times.iterations));
    line = loops[size_t(main)].line;
  }
  return cases::printJson({{"kernel", m.config.entry},
                           {"arch", m.target.name()},
                           {"model", "an estimate"},
                           {"model_version", Rates::version()},
                           {"rates", t.rates.family()},
                           {"cycles_cta", rounded(cycles)},
                           {"cycles_per_trip", perIteration},
                           {"loop_line", line},
                           {"in_flight",
                            {{"count", t.inFlight.count},
                             {"at_tensor_issue", samples(t.inFlight)}}},
                           {"ctas_sm", t.ctasPerSM},
                           {"waves", waves},
                           {"cycles", rounded(cycles * double(waves))},
                           {"util", std::move(util)},
                           {"bound", bound},
                           {"stalls", stallsJson(m, t, blocks, allLines)}});
}

} // namespace tileir::launch

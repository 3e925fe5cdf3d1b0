// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Output of a run: the report, the statistics, the lines on standard error.
#include "tools/launch/Run.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <map>
#include <set>

namespace tileir::launch {

using namespace cases;

int Outcome::exitStatus() const {
  if (outcome == "error")
    return 2;
  return outcome == "ok" && mismatches.empty() ? 0 : 1;
}

static JsonTree placeJson(const emu::Place &p) {
  JsonTree out = {{"line", p.line},
                  {"block", p.block},
                  {"thread", p.thread},
                  {"warp", p.warp},
                  {"lane", p.lane}};
  if (!p.source.empty())
    out["source"] = p.source;
  return out;
}

std::string reportJson(const Outcome &o) {
  JsonTree out = {{"outcome", o.outcome}};
  if (!o.message.empty())
    out["message"] = o.message;
  JsonTree &findings = out["findings"] = JsonTree::array();
  for (const emu::Finding &f : o.findings) {
    JsonTree finding = {{"kind", emu::nameOf(f.kind)}};
    finding.update(placeJson(f.place));
    finding["message"] = f.message;
    finding["count"] = f.count;
    JsonTree &related = finding["related"] = JsonTree::array();
    for (const emu::Place &place : f.related)
      related.push_back(placeJson(place));
    findings.push_back(std::move(finding));
  }
  out["mismatches"] = mismatchesJson(o.mismatches);
  return printJson(out);
}

/// Blocks that fit onto an SM, by each of its resources.
static JsonTree occupancyJson(const emu::Machine &machine) {
  uint64_t threads = 1;
  for (uint32_t n : machine.config.block)
    threads *= n;
  uint64_t warps = (threads + 31) / 32;
  uint64_t need = machine.stats.peakShared +
                  uint64_t(machine.target.sharedMemoryReserved());
  JsonTree out = {
      {"by_threads", machine.target.threadsPerSM() / (warps * 32)},
      {"by_shared", uint64_t(machine.target.sharedMemoryPerSM()) / need}};
  // Registers are known where the kernel states them; a warp takes them in
  // pieces of 256.
  std::string why;
  if (const emu::Function *entry =
          machine.image.findEntry(machine.config.entry, why);
      entry && entry->maxnreg)
    out["by_registers"] = 65536 / (warps * 32 * ((entry->maxnreg + 7) / 8 * 8));
  out["by_blocks"] = machine.target.blocksPerSM();
  return out;
}

std::string statsJson(const emu::Machine &machine) {
  const emu::Stats &s = machine.stats;
  JsonTree byWarp = JsonTree::object();
  for (const auto &[warp, counts] : s.byWarp) {
    JsonTree &classes = byWarp[std::to_string(warp)] = JsonTree::object();
    for (size_t c = 0; c < counts.size(); ++c)
      if (counts[c])
        classes[emu::className(emu::Class(c))] = counts[c];
  }
  JsonTree out = {{"warp_instructions", machine.scheduler.steps},
                  {"lane_instructions", s.laneInstructions},
                  {"instructions_by_warp", std::move(byWarp)},
                  {"tensor_instructions", s.tensorInstructions},
                  {"tensor_macs", s.tensorMacs},
                  {"shared_requests", s.sharedRequests},
                  {"shared_passes", s.sharedPasses},
                  {"shared_bank_conflicts", s.sharedPasses - s.sharedIdeal},
                  {"global_requests", s.globalRequests},
                  {"global_sectors", s.globalSectors},
                  {"global_sectors_ideal", s.globalIdealSectors},
                  {"bytes",
                   {{"global_read", s.globalBytesRead},
                    {"global_written", s.globalBytesWritten},
                    {"shared_read", s.sharedBytesRead},
                    {"shared_written", s.sharedBytesWritten},
                    {"cp_async", s.asyncBytes},
                    {"tma", s.tmaBytes},
                    {"multicast", s.multicastBytes}}},
                  {"barrier_waits", s.barrierWaits},
                  {"barrier_wait_steps", s.barrierWaitSteps},
                  {"peak_shared", s.peakShared},
                  {"occupancy", occupancyJson(machine)}};
  addProfile(machine, out);
  return printJson(out);
}

static void print(const char *kind, const emu::Finding &f,
                  const std::string &file) {
  // The lines of a temporary file are not visible.
  std::string where =
      (file.empty() ? "PTX line " : file + ":") + std::to_string(f.place.line);
  if (!f.place.source.empty())
    where = f.place.source + " (" + where + ")";
  std::fprintf(stderr, "%s: %s: block (%u,%u,%u) warp %d lane %d: %s", kind,
               where.c_str(), f.place.block[0], f.place.block[1],
               f.place.block[2], f.place.warp, f.place.lane, f.message.c_str());
  for (const emu::Place &r : f.related)
    std::fprintf(stderr, " [line %d, block (%u,%u,%u) warp %d lane %d]", r.line,
                 r.block[0], r.block[1], r.block[2], r.warp, r.lane);
  if (f.count > 1)
    std::fprintf(stderr, " (%llu times)", (unsigned long long)f.count);
  std::fprintf(stderr, "\n");
}

/// Findings of instructions that were compiled from one operation, and whose
/// other places were, too, as one.
static std::vector<emu::Finding>
mergeBySource(const std::vector<emu::Finding> &findings) {
  std::map<std::string, size_t> known;
  std::vector<emu::Finding> merged;
  for (const emu::Finding &f : findings) {
    std::string key = std::string(emu::nameOf(f.kind)) + " " + f.place.source;
    bool hasSource = !f.place.source.empty();
    for (const emu::Place &r : f.related) {
      key += " " + r.source;
      hasSource &= !r.source.empty();
    }
    if (!hasSource)
      key += " line " + std::to_string(merged.size());
    auto [it, isNew] = known.try_emplace(key, merged.size());
    if (isNew)
      merged.push_back(f);
    else
      merged[it->second].count += f.count;
  }
  return merged;
}

std::string successText(const Options &options, const Outcome &out) {
  std::string text =
      out.compared
          ? std::to_string(out.compared) +
                (out.compared == 1 ? " output" : " outputs") + " compared"
          : "no output compared: nothing in the case has 'expect'";
  if (!out.machine)
    return text + ", on the GPU";
  std::set<std::string> on, off;
  for (const emu::FindingInfo &info : emu::kFindings)
    if (*info.check)
      (options.emulator.off.has(info.kind) ? off : on).insert(info.check);
  size_t checks = 0;
  for (const std::string &check : on)
    checks += !off.count(check);
  return text + ", " + std::to_string(checks) +
         (checks == 1 ? " check, " : " checks, ") +
         std::to_string(out.machine->scheduler.steps) + " warp instructions";
}

void printOutcome(const Options &options, const Outcome &out) {
  if (!out.printed.empty())
    std::fwrite(out.printed.data(), 1, out.printed.size(), stdout);
  auto printAll = [&](const std::vector<emu::Finding> &findings,
                      bool areNotes) {
    for (const emu::Finding &f :
         out.ptxFile.empty() ? mergeBySource(findings) : findings)
      print(areNotes ? "note" : emu::nameOf(f.kind), f, out.ptxFile);
  };
  printAll(out.notes, /*areNotes=*/true);
  printAll(out.findings, /*areNotes=*/false);
  for (const Mismatch &m : out.mismatches) {
    std::string index;
    for (int64_t i : m.index)
      index += (index.empty() ? "" : ",") + std::to_string(i);
    std::fprintf(stderr,
                 "mismatch: %s[%s]: got %s, expected %s; %zu elements differ\n",
                 m.name.c_str(), index.c_str(), m.got.c_str(),
                 m.expected.c_str(), m.count);
  }
  if (out.outcome == "error")
    std::fprintf(stderr, "error: %s\n", out.message.c_str());
}

} // namespace tileir::launch

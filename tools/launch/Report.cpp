// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Output of a run: the report, the statistics, the lines on standard error.
#include "tools/launch/Run.h"

#include <cstdio>
#include <map>
#include <set>
#include <sstream>

namespace tileir::launch {

using namespace cases;

int Outcome::exitStatus() const {
  if (outcome == "error")
    return 2;
  return outcome == "ok" && mismatches.empty() ? 0 : 1;
}

std::string three(const std::array<uint32_t, 3> &a) {
  return "[" + std::to_string(a[0]) + ", " + std::to_string(a[1]) + ", " +
         std::to_string(a[2]) + "]";
}

static std::string placeJson(const emu::Place &p) {
  std::string out = "\"line\": " + std::to_string(p.line) +
                    ", \"block\": " + three(p.block) +
                    ", \"thread\": " + three(p.thread) +
                    ", \"warp\": " + std::to_string(p.warp) +
                    ", \"lane\": " + std::to_string(p.lane);
  if (!p.source.empty())
    out += ", \"source\": " + quoteJson(p.source);
  return out;
}

std::string reportJson(const Outcome &o) {
  std::string out = "{\"outcome\": " + quoteJson(o.outcome);
  if (!o.message.empty())
    out += ", \"message\": " + quoteJson(o.message);
  out += ",\n \"findings\": [";
  for (size_t i = 0; i < o.findings.size(); ++i) {
    const emu::Finding &f = o.findings[i];
    out += std::string(i ? "," : "") +
           "\n  {\"kind\": " + quoteJson(emu::nameOf(f.kind)) + ", " +
           placeJson(f.place) + ", \"message\": " + quoteJson(f.message) +
           ", \"count\": " + std::to_string(f.count) + ", \"related\": [";
    for (size_t k = 0; k < f.related.size(); ++k)
      out += (k ? ", {" : "{") + placeJson(f.related[k]) + "}";
    out += "]}";
  }
  out += "],\n \"mismatches\": [";
  for (size_t i = 0; i < o.mismatches.size(); ++i) {
    const Mismatch &m = o.mismatches[i];
    out += std::string(i ? "," : "") + "\n  {\"name\": " + quoteJson(m.name) +
           ", \"index\": [";
    for (size_t k = 0; k < m.index.size(); ++k)
      out += (k ? ", " : "") + std::to_string(m.index[k]);
    out += "], \"got\": " + quoteJson(m.got) +
           ", \"expected\": " + quoteJson(m.expected) +
           ", \"count\": " + std::to_string(m.count) + "}";
  }
  return out + "]}\n";
}

std::string statsJson(const emu::Machine &machine) {
  const emu::Stats &s = machine.stats;
  std::ostringstream out;
  out << "{\"warp_instructions\": " << machine.scheduler.steps
      << ", \"lane_instructions\": " << s.laneInstructions
      << ",\n \"instructions_by_warp\": {";
  bool first = true;
  for (const auto &[warp, counts] : s.byWarp) {
    out << (first ? "" : ",") << "\n  \"" << warp << "\": {";
    first = false;
    bool inner = true;
    for (size_t c = 0; c < counts.size(); ++c)
      if (counts[c]) {
        out << (inner ? "" : ", ") << "\"" << emu::className(emu::Class(c))
            << "\": " << counts[c];
        inner = false;
      }
    out << "}";
  }
  uint64_t threads = 1;
  for (uint32_t n : machine.config.block)
    threads *= n;
  uint64_t warps = (threads + 31) / 32;
  uint64_t byThreads = machine.target.threadsPerSM() / (warps * 32);
  uint64_t need =
      s.peakShared + uint64_t(machine.target.sharedMemoryReserved());
  uint64_t byShared = uint64_t(machine.target.sharedMemoryPerSM()) / need;
  // Registers are known where the kernel states them; a warp takes them in
  // pieces of 256.
  uint64_t byRegisters = 0;
  std::string why;
  if (const emu::Function *entry =
          machine.image.findEntry(machine.config.entry, why);
      entry && entry->maxnreg)
    byRegisters = 65536 / (warps * 32 * ((entry->maxnreg + 7) / 8 * 8));
  out << "},\n \"tensor_instructions\": " << s.tensorInstructions
      << ", \"tensor_macs\": " << s.tensorMacs
      << ",\n \"shared_requests\": " << s.sharedRequests
      << ", \"shared_passes\": " << s.sharedPasses
      << ", \"shared_bank_conflicts\": " << s.sharedPasses - s.sharedIdeal
      << ",\n \"global_requests\": " << s.globalRequests
      << ", \"global_sectors\": " << s.globalSectors
      << ", \"global_sectors_ideal\": " << s.globalIdealSectors
      << ",\n \"bytes\": {\"global_read\": " << s.globalBytesRead
      << ", \"global_written\": " << s.globalBytesWritten
      << ", \"shared_read\": " << s.sharedBytesRead
      << ", \"shared_written\": " << s.sharedBytesWritten
      << ", \"cp_async\": " << s.asyncBytes << ", \"tma\": " << s.tmaBytes
      << ", \"multicast\": " << s.multicastBytes
      << "},\n \"barrier_waits\": " << s.barrierWaits
      << ", \"barrier_wait_steps\": " << s.barrierWaitSteps
      << ", \"peak_shared\": " << s.peakShared
      << ",\n \"occupancy\": {\"by_threads\": " << byThreads
      << ", \"by_shared\": " << byShared;
  if (byRegisters)
    out << ", \"by_registers\": " << byRegisters;
  out << ", \"by_blocks\": " << machine.target.blocksPerSM() << "}"
      << profileJson(machine) << "}\n";
  return out.str();
}

static void print(const char *kind, const emu::Finding &f,
                  const std::string &file) {
  // Nobody sees the lines of a temporary file.
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/support/Output.h"
#include "tools/launch/Run.h"
#include "tools/process/Arguments.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <thread>

using namespace tileir;

static const char kHelp[] =
    "usage: tileir-run CASE.json... [options]\n"
    "       tileir-run KERNEL --grid X,Y,Z --arg ... --arch=ARCH [options]\n"
    "       tileir-run KERNEL --init=CASE.json [--entry E] [--arch=ARCH]\n"
    "\n"
    "Runs the kernel of each case in the PTX emulator or on a GPU and compares "
    "its\n"
    "outputs. KERNEL is PTX, Tile IR (bytecode or text), or an object or "
    "program with\n"
    "either inside. Every option takes its value after '=' or as the next "
    "argument.\n"
    "\n"
    "  --init=FILE               write a case from the signature of a kernel "
    "in Tile IR,\n"
    "                            '-' is standard output\n";

/// Options that are not about the case.
static const char kRunHelp[] =
    "  --device=emulated|cuda    where to run (emulated)\n"
    "  --arch=ARCH               architecture, as sm_90a\n"
    "  --seed=N                  of the schedule and of asynchronous work (1)\n"
    "  --async=early|late|random when asynchronous work is performed (random)\n"
    "  --check=LIST              checks: race, init, bounds, align, deadlock,\n"
    "                            convergence, lifetime, protocol (all);\n"
    "                            inbounds: broken promises are findings, no "
    "notes\n"
    "                            none: all of them are off\n"
    "  --jobs=N, -j N            processes for clusters that share nothing "
    "that "
    "they\n"
    "                            write (all cores); answers and findings do "
    "not\n"
    "                            depend on it\n"
    "  --list-findings           what the checks can find, by check\n"
    "  --max-cycles=N            bound of executed warp instructions\n"
    "  --stats=json              print counters\n"
    "  --timing=json|lines       print cycles that a model of the GPU "
    "estimates\n"
    "  --out=DIR                 write outputs as DIR/NAME.npy; of several "
    "cases\n"
    "                            as DIR/CASE/NAME.npy\n"
    "  --out-written             with --out, DIR/NAME.written.npy of outputs "
    "with\n"
    "                            elements that count as never written\n"
    "  --report=FILE             write what was found as JSON\n"
    "  --progress=FILE           keep two 64-bit numbers there: blocks that "
    "have\n"
    "                            ended, and all of them\n"
    "  --ctas-per-sm=N           blocks on an SM, for --timing (those that "
    "fit by\n"
    "                            threads, shared memory and .maxnreg)\n"
    "  --driver-version=1|2      interface version of the driver (2)\n"
    "  --host-object=auto|none   who fills hidden parameters: the kernel's "
    "host\n"
    "                            object or its launch sidecar (auto)\n"
    "  --cubin=FILE              cubin of a kernel that is given as PTX\n"
    "  --sidecar=FILE            its launch sidecar; a GPU's cubin may carry "
    "it\n"
    "  --compiler=PATH           the tileiras that compiles Tile IR\n"
    "  --opt=N                   its -O level (3)\n"
    "  --save-temps=DIR          keep PTX and cubin there\n"
    "  --version\n"
    "  --help, -h\n"
    "\n"
    "Exit status: 0 all outputs agree and nothing was found, 1 something "
    "differs\n"
    "or was found, 2 the case or kernel cannot be run.\n";

/// "race, init, … or protocol".
static std::string checkNames() {
  std::vector<std::string> names;
  for (const emu::FindingInfo &info : emu::kFindings)
    if (*info.check && (names.empty() || names.back() != info.check))
      names.push_back(info.check);
  std::string out = names[0];
  for (size_t k = 1; k < names.size(); ++k)
    out += (k + 1 < names.size() ? ", " : " or ") + names[k];
  return out;
}

/// Prints every kind of finding with the check that it belongs to.
static int listFindings() {
  for (const emu::FindingInfo &info : emu::kFindings)
    std::printf("%-13s %-12s %s\n", info.name,
                *info.check ? info.check : "always", info.text);
  return 0;
}

/// Switches off the kinds that belong to no check of the list.
static bool parseChecks(const std::string &text, emu::Options &options,
                        std::string &error) {
  if (text == "all")
    return true;
  for (const emu::FindingInfo &info : emu::kFindings)
    if (*info.check)
      options.off.insert(info.kind);
  for (size_t at = 0; at <= text.size();) {
    size_t comma = std::min(text.find(',', at), text.size());
    std::string name = text.substr(at, comma - at);
    at = comma + 1;
    bool found = text.empty() || text == "none";
    for (const emu::FindingInfo &info : emu::kFindings)
      if (*info.check && name == info.check) {
        found = true;
        options.off.erase(info.kind);
      }
    if (!found) {
      error = "unknown check '" + name + "', expected " + checkNames();
      return false;
    }
  }
  return true;
}

namespace {

/// Values as they stand on the command line; empty ones were not given.
struct RawOptions {
  std::string init, async = "random", checks = "all", seed, maxCycles, stats,
                    timing, jobs, ctasPerSM, driverVersion;
  bool listsFindings = false;
};

/// Parses the values of options; the first invalid value is an error.
class Interpreter {
public:
  int status = 0;

  /// A number from `least` to `most`, where one was given.
  template <typename T>
  void number(const char *name, const std::string &text, T &out,
              uint64_t least = 0, uint64_t most = ~uint64_t(0),
              const char *expected = "a number") {
    if (text.empty())
      return;
    char *end;
    uint64_t value = std::strtoull(text.c_str(), &end, 0);
    if (*end || value < least || value > most)
      refuse(name, text, expected);
    else
      out = T(value);
  }

  /// One of `list`, where one was given.
  void oneOf(const char *name, const std::string &text,
             const std::vector<std::string> &list) {
    if (text.empty() || std::find(list.begin(), list.end(), text) != list.end())
      return;
    std::string names = list[0];
    for (size_t k = 1; k < list.size(); ++k)
      names += (k + 1 < list.size() ? ", " : " or ") + list[k];
    refuse(name, text, names);
  }

  void fail(const std::string &message) {
    if (!status)
      status = failUse(message);
  }

private:
  void refuse(const char *name, const std::string &text,
              const std::string &expected) {
    fail("option '--" + std::string(name) + "' does not take '" + text +
         "'; expected " + expected);
  }
};

} // namespace

/// Returns 0, or the exit status of bad use.
static int interpret(const RawOptions &raw, launch::Options &options) {
  emu::Options &emulator = options.emulator;
  Interpreter read;
  read.oneOf("device", options.device, {"emulated", "cuda"});
  read.oneOf("async", raw.async, {"early", "late", "random"});
  read.oneOf("stats", raw.stats, {"json"});
  read.oneOf("timing", raw.timing, {"json", "lines"});
  read.oneOf("host-object", options.hostObject, {"auto", "none"});
  read.number("seed", raw.seed, emulator.seed);
  read.number("max-cycles", raw.maxCycles, emulator.maxSteps);
  read.number("ctas-per-sm", raw.ctasPerSM, emulator.ctasPerSM, 1);
  read.number("driver-version", raw.driverVersion, emulator.driverVersion, 1, 2,
              "1 or 2");
  read.number("jobs", raw.jobs, emulator.jobs, 1, 4096,
              "a number of processes from 1 on");
  std::string error;
  if (!parseChecks(raw.checks, emulator, error))
    read.fail(error);
  emulator.async = raw.async == "early"  ? emu::AsyncMode::Early
                   : raw.async == "late" ? emu::AsyncMode::Late
                                         : emu::AsyncMode::Random;
  emulator.stats = !raw.stats.empty();
  emulator.timing = !raw.timing.empty();
  options.timingLines = raw.timing == "lines";
  if (options.caseFiles.empty())
    read.fail("expected a case file or a kernel; see --help");
  if (options.caseFiles.size() < 2)
    return read.status;
  for (auto [value, name] : {std::pair(&options.reportFile, "report"),
                             std::pair(&options.progressFile, "progress"),
                             std::pair(&options.cubin, "cubin"),
                             std::pair(&options.sidecar, "sidecar"),
                             std::pair(&options.saveTemps, "save-temps")})
    if (!value->empty())
      read.fail("option '--" + std::string(name) +
                "' is for one case; several are given");
  if (!raw.init.empty())
    read.fail("--init is for one kernel; several are given");
  return read.status;
}

static int run(int argc, char **argv) {
  cases::exitWhenOutOfMemory();
  launch::Options options;
  RawOptions raw;
  options.self = argv[0];
  options.emulator.jobs = std::max(1u, std::thread::hardware_concurrency());
  const Arguments arguments = {
      "tileir-run",
      std::string(kHelp) + cases::kSpelledHelp + kRunHelp,
      &options.caseFiles,
      {{"init", &raw.init},
       {"entry", &options.spelled.entry},
       {"grid", &options.spelled.grid},
       {"device", &options.device},
       {"arch", &options.arch},
       {"seed", &raw.seed},
       {"async", &raw.async},
       {"check", &raw.checks},
       {"max-cycles", &raw.maxCycles},
       {"stats", &raw.stats},
       {"timing", &raw.timing},
       {"jobs", &raw.jobs},
       {"j", &raw.jobs},
       {"ctas-per-sm", &raw.ctasPerSM},
       {"out", &options.outDirectory},
       {"report", &options.reportFile},
       {"progress", &options.progressFile},
       {"driver-version", &raw.driverVersion},
       {"host-object", &options.hostObject},
       {"compiler", &options.compiler},
       {"cubin", &options.cubin},
       {"sidecar", &options.sidecar},
       {"opt", &options.optLevel},
       {"save-temps", &options.saveTemps}},
      {{"list-findings", &raw.listsFindings},
       {"out-written", &options.outWritten}},
      {{"arg", &options.spelled.args}, {"set", &options.spelled.sets}}};
  if (std::optional<int> status = arguments.read(argc, argv))
    return *status;
  if (raw.listsFindings)
    return listFindings();
  if (int status = interpret(raw, options))
    return status;
  if (!raw.init.empty())
    return launch::initCase(options.caseFiles[0], options.spelled, options.arch,
                            raw.init);
  return launch::runCases(options);
}

int main(int argc, char **argv) {
  return finishStandardOutput(run(argc, argv), /*unwritable=*/2);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/support/Output.h"
#include "tools/cases/Nearest.h"
#include "tools/driver/Version.h"
#include "tools/launch/Run.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <unistd.h>

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
    "  --report=FILE             write what was found as JSON\n"
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

static int usage(const std::string &message) {
  std::fprintf(stderr, "error: %s\n", message.c_str());
  return 2;
}

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

static int run(int argc, char **argv) {
  cases::exitWhenOutOfMemory();
  launch::Options options;
  options.self = argv[0];
  std::vector<std::string> inputs;
  std::string init;
  options.emulator.jobs = std::max(1u, std::thread::hardware_concurrency());
  for (int k = 1; k < argc; ++k) {
    std::string arg = argv[k];
    if (arg[0] != '-') {
      inputs.push_back(arg);
      continue;
    }
    if (arg == "--help" || arg == "-h") {
      std::printf("%s%s%s", kHelp, cases::kSpelledHelp, kRunHelp);
      return 0;
    }
    if (arg == "--version") {
      std::printf("%s", describeVersion("tileir-run").c_str());
      return 0;
    }
    if (arg == "--list-findings")
      return listFindings();
    if (arg.compare(0, 2, "-j") == 0)
      arg = "--jobs" + (arg.size() > 2 ? "=" + arg.substr(2) : "");
    size_t equals = arg.find('=');
    std::string name = arg.substr(0, equals), value;
    static const std::vector<std::string> known = {
        "--init",        "--entry",    "--grid",        "--arg",
        "--set",         "--device",   "--arch",        "--seed",
        "--async",       "--check",    "--max-cycles",  "--stats",
        "--out",         "--timing",   "--report",      "--driver-version",
        "--host-object", "--compiler", "--opt",         "--save-temps",
        "--cubin",       "--sidecar",  "--ctas-per-sm", "--jobs"};
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      std::string nearest = cases::nearestName(name, known);
      return usage("unknown option '" + name + "'; " +
                   (nearest.empty() ? "" : "did you mean '" + nearest + "'? ") +
                   "see --help");
    }
    if (equals != std::string::npos)
      value = arg.substr(equals + 1);
    else if (k + 1 < argc)
      value = argv[++k];
    else
      return usage("option '" + name + "' needs a value");
    if (std::string *place = options.spelled.place(name.substr(2))) {
      *place = value;
      continue;
    }
    auto number = [&](uint64_t &out) {
      char *end;
      out = std::strtoull(value.c_str(), &end, 0);
      return !value.empty() && !*end;
    };
    auto oneOf = [&](std::initializer_list<const char *> list) {
      for (const char *one : list)
        if (value == one)
          return true;
      return false;
    };
    std::string error = "option '" + name + "' does not take '" + value + "'";
    uint64_t n;
    if (name == "--init") {
      init = value;
    } else if (name == "--device") {
      if (!oneOf({"emulated", "cuda"}))
        return usage(error + "; expected emulated or cuda");
      options.device = value;
    } else if (name == "--arch") {
      options.arch = value;
    } else if (name == "--seed") {
      if (!number(options.emulator.seed))
        return usage(error + "; expected a number");
    } else if (name == "--async") {
      if (!oneOf({"early", "late", "random"}))
        return usage(error + "; expected early, late or random");
      options.emulator.async = value == "early"  ? emu::AsyncMode::Early
                               : value == "late" ? emu::AsyncMode::Late
                                                 : emu::AsyncMode::Random;
    } else if (name == "--check") {
      if (!parseChecks(value, options.emulator, error))
        return usage(error);
    } else if (name == "--max-cycles") {
      if (!number(options.emulator.maxSteps))
        return usage(error + "; expected a number");
    } else if (name == "--stats") {
      if (!oneOf({"json"}))
        return usage(error + "; expected json");
      options.emulator.stats = true;
    } else if (name == "--timing") {
      if (!oneOf({"json", "lines"}))
        return usage(error + "; expected json or lines");
      options.emulator.timing = true;
      options.timingLines = value == "lines";
    } else if (name == "--jobs") {
      if (!number(n) || n < 1 || n > 4096)
        return usage(error + "; expected a number of processes from 1 on");
      options.emulator.jobs = uint32_t(n);
    } else if (name == "--ctas-per-sm") {
      if (!number(options.emulator.ctasPerSM) || !options.emulator.ctasPerSM)
        return usage(error + "; expected a number");
    } else if (name == "--out") {
      options.outDirectory = value;
    } else if (name == "--report") {
      options.reportFile = value;
    } else if (name == "--driver-version") {
      if (!number(n) || n < 1 || n > 2)
        return usage(error + "; expected 1 or 2");
      options.emulator.driverVersion = int(n);
    } else if (name == "--host-object") {
      if (!oneOf({"auto", "none"}))
        return usage(error + "; expected auto or none");
      options.hostObject = value;
    } else if (name == "--compiler") {
      options.compiler = value;
    } else if (name == "--cubin") {
      options.cubin = value;
    } else if (name == "--sidecar") {
      options.sidecar = value;
    } else if (name == "--opt") {
      options.optLevel = value;
    } else {
      options.saveTemps = value;
    }
  }
  if (inputs.empty())
    return usage("expected a case file or a kernel; see --help");
  if (inputs.size() > 1)
    for (auto [value, name] : {std::pair(&options.reportFile, "report"),
                               std::pair(&options.cubin, "cubin"),
                               std::pair(&options.sidecar, "sidecar"),
                               std::pair(&options.saveTemps, "save-temps")})
      if (!value->empty())
        return usage("option '--" + std::string(name) +
                     "' is for one case; several are given");
  if (!init.empty())
    return inputs.size() > 1
               ? usage("--init is for one kernel; several are given")
               : launch::initCase(inputs[0], options.spelled, options.arch,
                                  init);
  options.caseFiles = inputs;
  return launch::runCases(options);
}

int main(int argc, char **argv) {
  return finishStandardOutput(run(argc, argv), /*unwritable=*/2);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tileir-check/Options.h"

#include "dialects/support/Target.h"
#include "tools/process/Arguments.h"

#include <algorithm>
#include <cstdlib>
#include <thread>

namespace tileir::check {

static const char kHelp[] =
    "usage: tileir-check CASE.json... [options]\n"
    "       tileir-check CASE.json --verdict [--kernel FILE] [options]\n"
    "       tileir-check --random N [--seed S] [options]\n"
    "\n"
    "Runs kernels in the oracle, compiles and assembles them, runs their PTX "
    "in "
    "the\n"
    "emulator and compares: with the expectations of the cases, or with the "
    "oracle.\n"
    "Every option takes its value after '=' or as the next argument.\n"
    "\n"
    "  --arch LIST      architectures (sm_80,sm_90a,sm_100a,sm_120a; random\n"
    "                   modules: sm_80,sm_90a)\n"
    "  --opt LIST       optimisation levels, O0 to O3 (O3)\n"
    "  --pipeline OPTS  options of tileir{...}\n"
    "  --async LIST     when asynchronous work is performed: early, late, "
    "random\n"
    "                   (random)\n"
    "  --seeds N        schedules of the emulator per kernel (1)\n"
    "  --device=cuda    the GPU as a further witness\n"
    "  -j N             kernels at a time (one per processor)\n"
    "  --timeout S      seconds that one program may take (120)\n"
    "  --tileiras PATH, --tileir-run PATH\n"
    "                   the programs (beside this one, or on the path)\n"
    "\n"
    "  --verdict        one line on the case: agrees; refused, broken, finding "
    "or\n"
    "                   mismatch, where the compiler is at fault; undefined, "
    "open or\n"
    "                   unusable, where nothing can be said of it; the oracle "
    "decides,\n"
    "                   not the case's expectation\n"
    "  --kernel FILE    with --verdict: a kernel in place of the case's\n"
    "\n"
    "  --random N       check N random modules; a failing one is made smaller\n"
    "                   and printed\n"
    "  --seed S         seed of the first one; the next have S+1, S+2, ... "
    "(1)\n"
    "  --kind KIND      mixed: operations of all kinds (default); steered: "
    "control\n"
    "                   flow that loads, atomics and reductions steer\n"
    "  --assemble N     assemble every Nth random module (1: all; 0: none)\n"
    "  --coverage       list the operations and element types they contained,\n"
    "                   and why modules were undefined\n"
    "  --print          print the modules and their cases only; with "
    "--coverage, what\n"
    "                   they contain\n"
    "  --no-shrink      print failing modules as they are\n"
    "  --keep DIR       keep failing modules and their cases there\n"
    "  --version\n"
    "  --help\n"
    "\n"
    "Exit status: 0 everything agrees, 1 something differs or was found, 2 bad "
    "use,\n"
    "or nothing can be said.\n";

static std::vector<std::string> splitList(const std::string &text) {
  std::vector<std::string> items;
  size_t at = 0;
  while (at <= text.size()) {
    size_t comma = std::min(text.find(',', at), text.size());
    items.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return items;
}

static bool parseNumber(const std::string &text, uint64_t most,
                        uint64_t &number) {
  char *end = nullptr;
  if (text.empty() || text[0] < '0' || text[0] > '9')
    return false;
  number = std::strtoull(text.c_str(), &end, 0);
  return *end == 0 && number <= most;
}

namespace {

/// Values as given on the command line.
struct RawOptions {
  std::string arch, opt, async, seeds, jobs, device = "emulated", timeout,
                                             random, seed, assemble, kind;
};

} // namespace

/// Interprets the values.
static std::optional<int> interpret(const RawOptions &raw, Options &options) {
  uint64_t number = 0;
  if (!raw.random.empty()) {
    if (!parseNumber(raw.random, 100000000, number))
      return failUse("--random is '" + raw.random + "', expected a number");
    options.numRandom = unsigned(number);
  }
  if (options.numRandom.has_value() != options.cases.empty())
    return failUse("give cases or --random N, see tileir-check --help");
  if (options.onlyVerdict && options.cases.size() != 1)
    return failUse("--verdict is for one case");
  if (!options.kernel.empty() && !options.onlyVerdict)
    return failUse("--kernel is for --verdict");
  if (!raw.seed.empty() && !parseNumber(raw.seed, ~uint64_t(0), options.seed))
    return failUse("--seed is '" + raw.seed + "', expected a number");
  if (!raw.kind.empty() && raw.kind != "mixed" && raw.kind != "steered")
    return failUse("--kind is '" + raw.kind + "', expected mixed or steered");
  options.kind = raw.kind == "steered" ? Kind::Steered : Kind::Mixed;
  if (!raw.assemble.empty()) {
    if (!parseNumber(raw.assemble, 100000000, number))
      return failUse("--assemble is '" + raw.assemble + "', expected a number");
    options.assembleEvery = unsigned(number);
  }
  options.archs =
      splitList(!raw.arch.empty()   ? raw.arch
                : options.numRandom ? "sm_80,sm_90a"
                                    : "sm_80,sm_90a,sm_100a,sm_120a");
  for (const std::string &arch : options.archs)
    if (!Target::parse(arch))
      return failUse("--arch: unknown architecture '" + arch +
                     "'; use one of " + Target::tileLoweringNames());
  if (!raw.opt.empty()) {
    options.optLevels = splitList(raw.opt);
    for (std::string &level : options.optLevels) {
      if (level.size() == 2 && level[0] == 'O')
        level.erase(0, 1);
      if (level.size() != 1 || level[0] < '0' || level[0] > '3')
        return failUse("--opt is '" + raw.opt +
                       "', expected a list of O0 to O3");
    }
  }
  if (!raw.async.empty())
    options.async = splitList(raw.async);
  for (const std::string &mode : options.async)
    if (mode != "early" && mode != "late" && mode != "random")
      return failUse("--async is '" + raw.async +
                     "', expected a list of early, late, random");
  if (!raw.seeds.empty()) {
    if (!parseNumber(raw.seeds, 1000000, number) || number == 0)
      return failUse("--seeds is '" + raw.seeds +
                     "', expected a number from 1 on");
    options.numSeeds = unsigned(number);
  }
  options.jobs = std::max(1u, std::thread::hardware_concurrency());
  if (!raw.jobs.empty()) {
    if (!parseNumber(raw.jobs, 1024, number) || number == 0)
      return failUse("-j is '" + raw.jobs + "', expected a number from 1 on");
    options.jobs = unsigned(number);
  }
  if (!raw.timeout.empty()) {
    if (!parseNumber(raw.timeout, 86400, number) || number == 0)
      return failUse("--timeout is '" + raw.timeout + "', expected seconds");
    options.programs.seconds = double(number);
  }
  if (raw.device != "emulated" && raw.device != "cuda")
    return failUse("--device is '" + raw.device +
                   "', expected emulated or cuda");
  options.onGpu = raw.device == "cuda";
  return std::nullopt;
}

std::optional<int> parseCommandLine(int argc, char **argv, Options &options) {
  RawOptions raw;
  const Arguments arguments = {"tileir-check",
                               kHelp,
                               &options.cases,
                               {{"arch", &raw.arch},
                                {"opt", &raw.opt},
                                {"pipeline", &options.pipeline},
                                {"async", &raw.async},
                                {"seeds", &raw.seeds},
                                {"device", &raw.device},
                                {"j", &raw.jobs},
                                {"timeout", &raw.timeout},
                                {"tileiras", &options.programs.tileiras},
                                {"tileir-run", &options.programs.tileirRun},
                                {"random", &raw.random},
                                {"seed", &raw.seed},
                                {"assemble", &raw.assemble},
                                {"kernel", &options.kernel},
                                {"kind", &raw.kind},
                                {"keep", &options.keepFolder}},
                               {{"coverage", &options.showsCoverage},
                                {"print", &options.onlyPrints},
                                {"no-shrink", &options.keepsWhole},
                                {"verdict", &options.onlyVerdict}}};
  if (std::optional<int> status = arguments.read(argc, argv))
    return status;
  if (std::optional<int> code = interpret(raw, options))
    return code;
  std::string error;
  if (!options.onlyPrints && !findPrograms(options.programs, error))
    return failUse(error);
  return std::nullopt;
}

} // namespace tileir::check

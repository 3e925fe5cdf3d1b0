// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tileir-check/Options.h"

#include "dialects/support/Target.h"
#include "tools/driver/Version.h"

#include <algorithm>
#include <cstdio>
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

static int fail(const std::string &message) {
  fprintf(stderr, "error: %s\n", message.c_str());
  return 2;
}

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

/// Values as they stand on the command line.
struct RawOptions {
  std::string arch, opt, async, seeds, jobs, device = "emulated", timeout,
                                             random, seed, assemble, kind;
};

} // namespace

static std::string *findValue(RawOptions &raw, Options &options,
                              const std::string &name) {
  const std::pair<const char *, std::string *> values[] = {
      {"arch", &raw.arch},
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
      {"keep", &options.keepFolder}};
  for (const auto &[known, value] : values)
    if (name == known)
      return value;
  return nullptr;
}

/// Returns what the values mean.
static std::optional<int> interpret(const RawOptions &raw, Options &options) {
  uint64_t number = 0;
  if (!raw.random.empty()) {
    if (!parseNumber(raw.random, 100000000, number))
      return fail("--random is '" + raw.random + "', expected a number");
    options.numRandom = unsigned(number);
  }
  if (options.numRandom.has_value() != options.cases.empty())
    return fail("give cases or --random N, see tileir-check --help");
  if (options.onlyVerdict && options.cases.size() != 1)
    return fail("--verdict is for one case");
  if (!options.kernel.empty() && !options.onlyVerdict)
    return fail("--kernel is for --verdict");
  if (!raw.seed.empty() && !parseNumber(raw.seed, ~uint64_t(0), options.seed))
    return fail("--seed is '" + raw.seed + "', expected a number");
  if (!raw.kind.empty() && raw.kind != "mixed" && raw.kind != "steered")
    return fail("--kind is '" + raw.kind + "', expected mixed or steered");
  options.kind = raw.kind == "steered" ? Kind::Steered : Kind::Mixed;
  if (!raw.assemble.empty()) {
    if (!parseNumber(raw.assemble, 100000000, number))
      return fail("--assemble is '" + raw.assemble + "', expected a number");
    options.assembleEvery = unsigned(number);
  }
  options.archs =
      splitList(!raw.arch.empty()   ? raw.arch
                : options.numRandom ? "sm_80,sm_90a"
                                    : "sm_80,sm_90a,sm_100a,sm_120a");
  for (const std::string &arch : options.archs)
    if (!Target::parse(arch))
      return fail("--arch: unknown architecture '" + arch + "'; use one of " +
                  Target::tileLoweringNames());
  if (!raw.opt.empty()) {
    options.optLevels = splitList(raw.opt);
    for (std::string &level : options.optLevels) {
      if (level.size() == 2 && level[0] == 'O')
        level.erase(0, 1);
      if (level.size() != 1 || level[0] < '0' || level[0] > '3')
        return fail("--opt is '" + raw.opt + "', expected a list of O0 to O3");
    }
  }
  if (!raw.async.empty())
    options.async = splitList(raw.async);
  for (const std::string &mode : options.async)
    if (mode != "early" && mode != "late" && mode != "random")
      return fail("--async is '" + raw.async +
                  "', expected a list of early, late, random");
  if (!raw.seeds.empty()) {
    if (!parseNumber(raw.seeds, 1000000, number) || number == 0)
      return fail("--seeds is '" + raw.seeds +
                  "', expected a number from 1 on");
    options.numSeeds = unsigned(number);
  }
  options.jobs = std::max(1u, std::thread::hardware_concurrency());
  if (!raw.jobs.empty()) {
    if (!parseNumber(raw.jobs, 1024, number) || number == 0)
      return fail("-j is '" + raw.jobs + "', expected a number from 1 on");
    options.jobs = unsigned(number);
  }
  if (!raw.timeout.empty()) {
    if (!parseNumber(raw.timeout, 86400, number) || number == 0)
      return fail("--timeout is '" + raw.timeout + "', expected seconds");
    options.programs.seconds = double(number);
  }
  if (raw.device != "emulated" && raw.device != "cuda")
    return fail("--device is '" + raw.device + "', expected emulated or cuda");
  options.onGpu = raw.device == "cuda";
  return std::nullopt;
}

std::optional<int> parseCommandLine(int argc, char **argv, Options &options) {
  RawOptions raw;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument.empty() || argument[0] != '-') {
      options.cases.push_back(argument);
      continue;
    }
    argument.erase(0, argument.compare(0, 2, "--") == 0 ? 2 : 1);
    size_t equal = argument.find('=');
    std::string name = argument.substr(0, equal);
    if (name == "help" || name == "h") {
      fputs(kHelp, stdout);
      return 0;
    }
    if (name == "version") {
      printf("%s", describeVersion("tileir-check").c_str());
      return 0;
    }
    bool *flag = name == "coverage"    ? &options.showsCoverage
                 : name == "print"     ? &options.onlyPrints
                 : name == "no-shrink" ? &options.keepsWhole
                 : name == "verdict"   ? &options.onlyVerdict
                                       : nullptr;
    if (flag && equal == std::string::npos) {
      *flag = true;
      continue;
    }
    std::string *value = findValue(raw, options, name);
    // `-j4`, as people write it.
    if (!value && name.size() > 1 && name[0] == 'j' &&
        equal == std::string::npos) {
      raw.jobs = name.substr(1);
      continue;
    }
    if (!value)
      return fail("unknown option '" + std::string(argv[i]) +
                  "', see tileir-check --help");
    if (equal != std::string::npos)
      *value = argument.substr(equal + 1);
    else if (++i < argc)
      *value = argv[i];
    else
      return fail("option '" + std::string(argv[i - 1]) + "' needs a value");
  }
  if (std::optional<int> code = interpret(raw, options))
    return code;
  std::string error;
  if (!options.onlyPrints && !findPrograms(options.programs, error))
    return fail(error);
  return std::nullopt;
}

} // namespace tileir::check

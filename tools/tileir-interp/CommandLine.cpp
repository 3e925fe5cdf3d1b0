// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tileir-interp/CaseRun.h"

#include "tools/cases/Spelled.h"
#include "tools/process/Arguments.h"

#include "llvm/ADT/StringExtras.h"

#include <cstdio>

namespace tileir {

using llvm::StringRef;

static const char kHelp[] =
    "usage: tileir-interp CASE.json [options]\n"
    "       tileir-interp KERNEL --entry E --grid X,Y,Z --arg ... [options]\n"
    "       tileir-interp KERNEL --init CASE.json [--entry E] [--arch ARCH]\n"
    "\n"
    "Runs the kernel of a case at tile level, as the reference of what it "
    "means.\n"
    "Every option takes its value after '=' or as the next argument.\n"
    "\n"
    "  --init FILE           write a case from the kernel's signature, '-' is\n"
    "                        standard output\n"
    "  --arch ARCH           architecture of that case (sm_90)\n";

/// Options that do not concern the case.
static const char kRunHelp[] =
    "  --out DIR             write outputs as DIR/NAME.npy\n"
    "  --report FILE         write what was found as JSON\n"
    "  --check LIST          bounds, init, race, protocol, deadlock (all)\n"
    "                        inbounds: broken promises are faults, not notes\n"
    "  --block-order ORDER   random[:SEED] or ascending (random:0)\n"
    "  --weak-memory SEED    perform accesses late that no token orders\n"
    "  --max-ops N           stop after N operations (0: never)\n"
    "  --trace               print every operation with its results\n"
    "  --version\n"
    "  --help, -h\n"
    "\n"
    "Exit status: 0 all outputs agree and nothing was found, 1 something "
    "differs\n"
    "or was found, 2 the case or kernel cannot be run.\n";

static int fail(const llvm::Twine &message) {
  fprintf(stderr, "error: %s\n", message.str().c_str());
  return 2;
}

namespace {

/// Options as given on the command line.
struct RawOptions {
  std::string blockOrder = "random:0", check;
  cases::Spelled spelled;
};

} // namespace

/// Parses a `LIST` of checks: findings of unlisted checks are silent. The check
/// `inbounds` is off unless listed.
static bool parseChecks(StringRef list, std::vector<std::string> &silent,
                        bool &checksInbounds) {
  static const std::pair<const char *, std::vector<const char *>> groups[] = {
      {"race", {"race"}}, {"init", {"init"}},  {"bounds", {"bounds"}},
      {"align", {}},      {"convergence", {}}, {"lifetime", {}},
      {"deadlock", {}},   {"protocol", {"ub"}}};
  for (const auto &group : groups)
    for (const char *kind : group.second)
      silent.push_back(kind);
  llvm::SmallVector<StringRef> names;
  list.split(names, ',');
  for (StringRef name : names) {
    bool isKnown = name == "inbounds";
    checksInbounds |= isKnown;
    for (const auto &group : groups) {
      if (name != group.first)
        continue;
      isKnown = true;
      for (const char *kind : group.second)
        llvm::erase(silent, kind);
    }
    if (!isKnown)
      return false;
  }
  return true;
}

static bool parseBlockOrder(StringRef order, reference::RunOptions &run) {
  if (order == "ascending") {
    run.inOrder = true;
    return true;
  }
  if (!order.consume_front("random"))
    return false;
  return order.empty() ||
         (order.consume_front(":") && !order.getAsInteger(0, run.seed));
}

std::optional<int> parseCommandLine(int argc, char **argv,
                                    InterpOptions &options) {
  RawOptions raw;
  std::vector<std::string> files;
  std::string maxOps, weakMemory;
  bool traces = false;
  const Arguments arguments = {
      "tileir-interp",
      std::string(kHelp) + cases::kSpelledHelp + kRunHelp,
      &files,
      {{"init", &options.initFile},
       {"arch", &options.arch},
       {"out", &options.outDirectory},
       {"report", &options.reportFile},
       {"check", &raw.check},
       {"block-order", &raw.blockOrder},
       {"weak-memory", &weakMemory},
       {"max-ops", &maxOps},
       {"entry", &raw.spelled.entry},
       {"grid", &raw.spelled.grid}},
      {{"trace", &traces}},
      {{"arg", &raw.spelled.args}, {"set", &raw.spelled.sets}}};
  if (std::optional<int> status = arguments.read(argc, argv, "case or kernel"))
    return status;
  if (traces)
    options.run.trace = &llvm::outs();
  if (!parseBlockOrder(raw.blockOrder, options.run))
    return fail("--block-order is '" + raw.blockOrder +
                "', expected random[:SEED] or ascending");
  uint64_t number = 0;
  if (!weakMemory.empty()) {
    if (StringRef(weakMemory).getAsInteger(0, number))
      return fail("--weak-memory is '" + weakMemory + "', expected a number");
    options.run.weakMemory = number;
  }
  if (!maxOps.empty() && StringRef(maxOps).getAsInteger(0, options.run.maxOps))
    return fail("--max-ops is '" + maxOps + "', expected a number");
  if (!raw.check.empty() &&
      !parseChecks(raw.check, options.silent, options.run.checksInbounds))
    return fail("--check is '" + raw.check +
                "', expected a list of race, init, bounds, align, deadlock, "
                "convergence, lifetime, protocol, inbounds");

  std::string error;
  if (!cases::loadInput(files[0], raw.spelled, options.theCase, error))
    return fail(error);
  options.run.grid = options.theCase.grid;
  return std::nullopt;
}

} // namespace tileir

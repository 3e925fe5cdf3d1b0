// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tileir-bisect/Bisect.h"

#include "dialects/support/Output.h"
#include "tools/cases/Nearest.h"
#include "tools/driver/Version.h"
#include "tools/process/Process.h"

#include <cstdio>
#include <cstdlib>

using namespace tileir;

static const char kHelp[] =
    "usage: tileir-bisect CASE.json [options]\n"
    "\n"
    "Names the first pass behind which the compiled kernel of a case is wrong: "
    "it leaves\n"
    "out the passes that a kernel can do without, then those of LLVM, and asks "
    "\n"
    "tileir-check each time. Every option takes its value after '=' or as the "
    "next\n"
    "argument.\n"
    "\n"
    "  --arch=ARCH        architecture ('arch' of the case, else sm_90)\n"
    "  --opt=N            -O level (3)\n"
    "  --pipeline=OPTS    further options of tileir{...}\n"
    "  --speed            instead: cycles that the model of tileir-run "
    "estimates behind\n"
    "                     each pass, and the first one that changes them by "
    "more than 2%\n"
    "  --tileiras=PATH, --tileir-check=PATH, --tileir-run=PATH, "
    "--tileir-translate=PATH\n"
    "                     the programs (beside this one, or on the path)\n"
    "  --version\n"
    "  --help, -h\n"
    "\n"
    "Exit status: 0 a pass was found, 1 there is nothing to find, 2 bad use, "
    "or "
    "the\n"
    "fault is in what cannot be left out.\n";

static int fail(const std::string &message) {
  std::fprintf(stderr, "error: %s\n", message.c_str());
  return 2;
}

static int run(int argc, char **argv) {
  bisect::Options options;
  const std::pair<std::string, std::string *> places[] = {
      {"arch", &options.arch},
      {"opt", &options.optLevel},
      {"pipeline", &options.pipeline},
      {"tileiras", &options.tileiras},
      {"tileir-check", &options.tileirCheck},
      {"tileir-run", &options.tileirRun},
      {"tileir-translate", &options.tileirTranslate}};
  for (int k = 1; k < argc; ++k) {
    std::string argument = argv[k];
    if (argument[0] != '-') {
      if (!options.caseFile.empty())
        return fail("more than one case: '" + options.caseFile + "' and '" +
                    argument + "'");
      options.caseFile = argument;
      continue;
    }
    argument.erase(0, argument.compare(0, 2, "--") == 0 ? 2 : 1);
    size_t equals = argument.find('=');
    std::string name = argument.substr(0, equals);
    if (name == "help" || name == "h") {
      std::printf("%s", kHelp);
      return 0;
    }
    if (name == "version") {
      std::printf("%s", describeVersion("tileir-bisect").c_str());
      return 0;
    }
    if (argument == "speed") {
      options.bySpeed = true;
      continue;
    }
    std::string *place = nullptr;
    std::vector<std::string> known = {"speed", "help", "version"};
    for (const auto &[option, value] : places) {
      known.push_back(option);
      if (option == name)
        place = value;
    }
    if (!place) {
      std::string nearest = cases::nearestName(name, known);
      return fail(
          "unknown option '" + std::string(argv[k]) + "'; " +
          (nearest.empty() ? "" : "did you mean '--" + nearest + "'? ") +
          "see --help");
    }
    if (equals != std::string::npos)
      *place = argument.substr(equals + 1);
    else if (k + 1 < argc)
      *place = argv[++k];
    else
      return fail("option '--" + name + "' needs a value");
  }
  if (options.caseFile.empty())
    return fail("expected a case file; see --help");
  std::string error;
  for (auto [name, path] :
       {std::pair("tileiras", &options.tileiras),
        std::pair("tileir-check", &options.tileirCheck),
        std::pair("tileir-run", &options.tileirRun),
        std::pair("tileir-translate", &options.tileirTranslate)})
    if (!findProgram(name, *path, error))
      return fail(error);
  options.scratch = makeScratchFolder();
  if (options.scratch.empty())
    return fail("cannot make a temporary folder");
  int status = bisect::run(options);
  removeScratchFolder();
  return status;
}

int main(int argc, char **argv) {
  return finishStandardOutput(run(argc, argv), /*unwritable=*/2);
}

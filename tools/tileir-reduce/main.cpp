// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tileir-reduce/Reduce.h"

#include "dialects/support/Output.h"
#include "tools/cases/Nearest.h"
#include "tools/driver/Version.h"
#include "tools/process/Process.h"

#include "llvm/Support/raw_ostream.h"

#include <cstdio>

using namespace tileir;

static const char kHelp[] =
    "usage: tileir-reduce CASE.json [-o FILE] [options]\n"
    "\n"
    "Makes the kernel of a case smaller for as long as tileir-check gives the "
    "same\n"
    "verdict on it, and prints it as text. The case keeps its arguments. Every "
    "option\n"
    "takes its value after '=' or as the next argument.\n"
    "\n"
    "  -o FILE              the kernel that is left ('-': standard output)\n"
    "  --arch LIST          architectures (sm_90a)\n"
    "  --opt LIST           optimisation levels, O0 to O3 (O3)\n"
    "  --pipeline OPTS      options of tileir{...}\n"
    "  --tileir-check PATH, --tileiras PATH, --tileir-run PATH\n"
    "                       the programs (beside this one, or on the path)\n"
    "  --version\n"
    "  --help, -h\n"
    "\n"
    "Exit status: 0 a kernel is printed, 2 bad use, or the compiler is not at "
    "fault.\n";

static int fail(const std::string &message) {
  std::fprintf(stderr, "error: %s\n", message.c_str());
  return 2;
}

static int run(int argc, char **argv) {
  reduce::Options options;
  std::string arch = "sm_90a", opt = "O3", pipeline, tileiras, tileirRun;
  const std::pair<std::string, std::string *> places[] = {
      {"o", &options.output},
      {"arch", &arch},
      {"opt", &opt},
      {"pipeline", &pipeline},
      {"tileir-check", &options.tileirCheck},
      {"tileiras", &tileiras},
      {"tileir-run", &tileirRun}};
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
      std::printf("%s", describeVersion("tileir-reduce").c_str());
      return 0;
    }
    std::string *place = nullptr;
    std::vector<std::string> known = {"help", "version"};
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
      return fail("option '" + std::string(argv[k]) + "' needs a value");
  }
  if (options.caseFile.empty())
    return fail("expected a case file; see --help");
  std::string error;
  if (!findProgram("tileir-check", options.tileirCheck, error))
    return fail(error);
  options.checkOptions = {"--arch=" + arch, "--opt=" + opt};
  for (auto [name, value] :
       {std::pair("pipeline", &pipeline), std::pair("tileiras", &tileiras),
        std::pair("tileir-run", &tileirRun)})
    if (!value->empty())
      options.checkOptions.push_back("--" + std::string(name) + "=" + *value);
  options.scratch = makeScratchFolder();
  if (options.scratch.empty())
    return fail("cannot make a temporary folder");
  int status = reduce::run(options);
  removeScratchFolder();
  return status;
}

int main(int argc, char **argv) {
  int status = run(argc, argv);
  llvm::outs().flush();
  return finishStandardOutput(status, /*unwritable=*/2);
}

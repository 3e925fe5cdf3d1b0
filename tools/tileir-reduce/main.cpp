// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tileir-reduce/Reduce.h"

#include "dialects/support/Output.h"
#include "tools/process/Arguments.h"
#include "tools/process/Process.h"

#include "llvm/Support/raw_ostream.h"

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

static int run(int argc, char **argv) {
  reduce::Options options;
  std::vector<std::string> files;
  std::string arch = "sm_90a", opt = "O3", pipeline, tileiras, tileirRun;
  const Arguments arguments = {"tileir-reduce",
                               kHelp,
                               &files,
                               {{"o", &options.output},
                                {"arch", &arch},
                                {"opt", &opt},
                                {"pipeline", &pipeline},
                                {"tileir-check", &options.tileirCheck},
                                {"tileiras", &tileiras},
                                {"tileir-run", &tileirRun}}};
  if (std::optional<int> status = arguments.read(argc, argv, "case file"))
    return *status;
  options.caseFile = files[0];
  std::string error;
  if (!findProgram("tileir-check", options.tileirCheck, error))
    return failUse(error);
  options.checkOptions = {"--arch=" + arch, "--opt=" + opt};
  for (auto [name, value] :
       {std::pair("pipeline", &pipeline), std::pair("tileiras", &tileiras),
        std::pair("tileir-run", &tileirRun)})
    if (!value->empty())
      options.checkOptions.push_back("--" + std::string(name) + "=" + *value);
  options.scratch = makeScratchFolder();
  if (options.scratch.empty())
    return failUse("cannot make a temporary folder");
  int status = reduce::run(options);
  removeScratchFolder();
  return status;
}

int main(int argc, char **argv) {
  int status = run(argc, argv);
  llvm::outs().flush();
  return finishStandardOutput(status, /*unwritable=*/2);
}

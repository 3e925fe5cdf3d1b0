// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tileir-bisect/Bisect.h"

#include "dialects/support/Output.h"
#include "tools/process/Arguments.h"
#include "tools/process/Process.h"

using namespace tileir;

static const char kHelp[] =
    "usage: tileir-bisect CASE.json [options]\n"
    "\n"
    "Names the first pass after which the compiled kernel of a case is wrong: "
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
    "estimates after\n"
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

static int run(int argc, char **argv) {
  bisect::Options options;
  std::vector<std::string> files;
  const Arguments arguments = {"tileir-bisect",
                               kHelp,
                               &files,
                               {{"arch", &options.arch},
                                {"opt", &options.optLevel},
                                {"pipeline", &options.pipeline},
                                {"tileiras", &options.tileiras},
                                {"tileir-check", &options.tileirCheck},
                                {"tileir-run", &options.tileirRun},
                                {"tileir-translate", &options.tileirTranslate}},
                               {{"speed", &options.bySpeed}}};
  if (std::optional<int> status = arguments.read(argc, argv, "case file"))
    return *status;
  options.caseFile = files[0];
  std::string error;
  for (auto [name, path] :
       {std::pair("tileiras", &options.tileiras),
        std::pair("tileir-check", &options.tileirCheck),
        std::pair("tileir-run", &options.tileirRun),
        std::pair("tileir-translate", &options.tileirTranslate)})
    if (!findProgram(name, *path, error))
      return failUse(error);
  options.scratch = makeScratchFolder();
  if (options.scratch.empty())
    return failUse("cannot make a temporary folder");
  int status = bisect::run(options);
  removeScratchFolder();
  return status;
}

int main(int argc, char **argv) {
  return finishStandardOutput(run(argc, argv), /*unwritable=*/2);
}

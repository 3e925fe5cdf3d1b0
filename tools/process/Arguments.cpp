// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/process/Arguments.h"

#include "tools/cases/Nearest.h"
#include "tools/driver/Version.h"

#include <cstdio>

namespace tileir {

int failUse(const std::string &message) {
  std::fprintf(stderr, "error: %s\n", message.c_str());
  return 2;
}

std::optional<int> Arguments::read(int argc, char **argv) const {
  for (int k = 1; k < argc; ++k) {
    std::string argument = argv[k];
    if (argument[0] != '-') {
      if (!caseFile->empty())
        return failUse("more than one case: '" + *caseFile + "' and '" +
                       argument + "'");
      *caseFile = argument;
      continue;
    }
    argument.erase(0, argument.compare(0, 2, "--") == 0 ? 2 : 1);
    size_t equals = argument.find('=');
    std::string name = argument.substr(0, equals);
    if (name == "help" || name == "h") {
      std::printf("%s", help);
      return 0;
    }
    if (name == "version") {
      std::printf("%s", describeVersion(program).c_str());
      return 0;
    }
    std::vector<std::string> known = {"help", "version"};
    bool *flag = nullptr;
    for (const auto &[option, value] : flags) {
      known.push_back(option);
      if (option == argument)
        flag = value;
    }
    if (flag) {
      *flag = true;
      continue;
    }
    std::string *place = nullptr;
    for (const auto &[option, value] : values) {
      known.push_back(option);
      if (option == name)
        place = value;
    }
    if (!place) {
      std::string nearest = cases::nearestName(name, known);
      return failUse(
          "unknown option '" + std::string(argv[k]) + "'; " +
          (nearest.empty() ? "" : "did you mean '--" + nearest + "'? ") +
          "see --help");
    }
    if (equals != std::string::npos)
      *place = argument.substr(equals + 1);
    else if (k + 1 < argc)
      *place = argv[++k];
    else
      return failUse("option '" + std::string(argv[k]) + "' needs a value");
  }
  if (caseFile->empty())
    return failUse("expected a case file; see --help");
  return std::nullopt;
}

} // namespace tileir

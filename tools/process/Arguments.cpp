// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/process/Arguments.h"

#include "tools/cases/Nearest.h"
#include "tools/driver/Version.h"

#include <CLI/CLI.hpp>

#include <cstdio>

namespace tileir {

int failUse(const std::string &message) {
  std::fprintf(stderr, "error: %s\n", message.c_str());
  return 2;
}

static std::string spelled(const std::string &name) {
  return (name.size() == 1 ? "-" : "--") + name;
}

std::optional<int> Arguments::read(int argc, char **argv) const {
  CLI::App app;
  app.set_help_flag();
  // Unknown options are returned, so that the closest one can be suggested.
  app.allow_extras();
  bool asksHelp = false, asksVersion = false;
  app.add_flag("-h,--help", asksHelp);
  app.add_flag("--version", asksVersion);
  app.add_option("FILE", *files);
  std::vector<std::string> known = {"help", "version"};
  for (const auto &[name, place] : values)
    app.add_option(spelled(known.emplace_back(name)), *place)
        ->take_last()
        ->type_name("value");
  for (const auto &[name, place] : flags)
    app.add_flag(spelled(known.emplace_back(name)), *place);
  for (const auto &[name, place] : lists)
    app.add_option(spelled(known.emplace_back(name)), *place)
        ->allow_extra_args(false)
        ->type_name("value");
  // The library takes the last word first, and no value for none after '='.
  std::vector<std::string> words;
  for (int k = argc - 1; k > 0; --k) {
    std::string word = argv[k];
    bool isEmpty = word.compare(0, 2, "--") == 0 && word.back() == '=';
    if (isEmpty) {
      words.push_back("");
      word.pop_back();
    }
    words.push_back(word);
  }
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError &fault) {
    return failUse(std::string(fault.what()) + "; see --help");
  }
  if (asksHelp) {
    std::printf("%s", help.c_str());
    return 0;
  }
  if (asksVersion) {
    std::printf("%s", describeVersion(program).c_str());
    return 0;
  }
  for (const std::string &extra : app.remaining()) {
    std::string name = extra.substr(0, extra.find('='));
    std::string nearest = cases::nearestName(
        name.substr(std::min(name.size(), name.find_first_not_of('-'))), known);
    return failUse(
        "unknown option '" + name + "'; " +
        (nearest.empty() ? "" : "did you mean '" + spelled(nearest) + "'? ") +
        "see --help");
  }
  return std::nullopt;
}

std::optional<int> Arguments::read(int argc, char **argv,
                                   const std::string &what) const {
  if (std::optional<int> status = read(argc, argv))
    return status;
  if (files->size() > 1)
    return failUse("more than one " + what + ": '" + files->at(0) + "' and '" +
                   files->at(1) + "'");
  if (files->empty())
    return failUse("expected a " + what + "; see --help");
  return std::nullopt;
}

} // namespace tileir

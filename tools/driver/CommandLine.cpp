// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/CommandLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

namespace tileir::driver {

// Each category is registered by its first use, after `forgetLibraryOptions`,
// which unregisters categories, too.
namespace categories {
llvm::cl::OptionCategory &compilation() {
  static llvm::cl::OptionCategory category("Compilation");
  return category;
}
llvm::cl::OptionCategory &diagnostics() {
  static llvm::cl::OptionCategory category("Diagnostics");
  return category;
}
llvm::cl::OptionCategory &gates() {
  static llvm::cl::OptionCategory category("Gates of experts");
  return category;
}
llvm::cl::OptionCategory &general() {
  static llvm::cl::OptionCategory category("General");
  return category;
}
llvm::cl::OptionCategory &launching() {
  static llvm::cl::OptionCategory category("Launching and linking");
  return category;
}
llvm::cl::OptionCategory &toolkit() {
  static llvm::cl::OptionCategory category("Toolkit");
  return category;
}
} // namespace categories

void forgetLibraryOptions(llvm::ArrayRef<llvm::StringRef> kept) {
  // Includes the parser's own options.
  static const llvm::StringRef common[] = {"h",
                                           "help",
                                           "help-hidden",
                                           "help-list",
                                           "help-list-hidden",
                                           "version",
                                           "print-options",
                                           "print-all-options"};
  llvm::SmallVector<llvm::cl::Option *, 64> options, own;
  for (auto &entry : llvm::cl::getRegisteredOptions()) {
    if (llvm::is_contained(common, entry.first))
      own.push_back(entry.second);
    else if (llvm::any_of(kept, [&](llvm::StringRef prefix) {
               return entry.first.starts_with(prefix);
             }))
      options.push_back(entry.second);
  }
  llvm::cl::ResetCommandLineParser();
  for (llvm::cl::Option *option : own) {
    option->addCategory(categories::general());
    option->addArgument();
    if (option->ArgStr == "help")
      static llvm::cl::alias help("h", llvm::cl::desc("Alias for --help"),
                                  llvm::cl::aliasopt(*option));
  }
  for (llvm::cl::Option *option : options) {
    option->setHiddenFlag(llvm::cl::Hidden);
    option->addCategory(categories::gates());
    option->addArgument();
  }
}

namespace {
/// Writes to standard error and adds the tool's name where the parser omits it.
/// Keeps the text.
class ParserErrors final : public llvm::raw_ostream {
public:
  explicit ParserErrors(llvm::StringRef tool)
      : raw_ostream(/*unbuffered=*/true), tool(tool) {}

  llvm::StringRef written() const { return text; }

private:
  void write_impl(const char *data, size_t size) override {
    llvm::StringRef more(data, size);
    if (text.empty() && !more.starts_with(tool))
      llvm::errs() << tool << ": ";
    text += more;
    llvm::errs() << more;
  }
  uint64_t current_pos() const override { return 0; }

  llvm::StringRef tool;
  std::string text;
};
} // namespace

/// Returns the visible option closest to `name`: at most one edit for every
/// three characters. Empty if none is that close.
static llvm::StringRef nearestOption(llvm::StringRef name) {
  llvm::StringRef nearest;
  unsigned best = unsigned(name.size() + 2) / 3 + 1;
  for (const auto &entry : llvm::cl::getRegisteredOptions()) {
    if (entry.second->getOptionHiddenFlag() != llvm::cl::NotHidden)
      continue;
    unsigned distance = entry.first.edit_distance(name, true, best);
    if (distance < best || (distance == best && entry.first < nearest)) {
      best = distance;
      nearest = entry.first;
    }
  }
  return nearest;
}

/// Adds suggestions for unknown options where the parser gives none: it takes
/// the first letter of `--lineinf` for an option.
static void noteNearestOptions(llvm::ArrayRef<const char *> arguments,
                               llvm::StringRef said) {
  auto &known = llvm::cl::getRegisteredOptions();
  for (llvm::StringRef argument : arguments) {
    if (argument == "--")
      return;
    llvm::StringRef name = argument.ltrim('-').split('=').first;
    // Only options that the parser reported as unknown.
    if (!argument.starts_with("-") || known.contains(name) ||
        !said.contains(("argument '" + argument + "'").str()))
      continue;
    llvm::StringRef nearest = nearestOption(name);
    if (!nearest.empty() && !said.contains(("-" + nearest).str()))
      llvm::errs() << "note: did you mean '--" << nearest << "'?\n";
  }
}

void parseCommandLine(int argc, char **argv, llvm::StringRef overview) {
  // Without a stream the parser writes errors of response files, such as
  // recursion, through a null pointer.
  ParserErrors errors(llvm::sys::path::filename(argv[0]));
  if (llvm::cl::ParseCommandLineOptions(argc, argv, overview, &errors))
    return;
  noteNearestOptions(llvm::ArrayRef(argv + 1, argc - 1), errors.written());
  std::exit(1);
}

bool PreviewParser::parse(llvm::cl::Option &option, llvm::StringRef,
                          llvm::StringRef arg, std::string &value) {
  llvm::SmallVector<llvm::StringRef, 2> features;
  arg.split(features, ',');
  for (llvm::StringRef feature : features)
    if (feature != "simt")
      return option.error("unknown preview feature '" + feature +
                          "'; supported features: simt");
  value = arg.str();
  return false;
}

} // namespace tileir::driver

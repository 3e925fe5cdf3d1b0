// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/CommandLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

namespace tileir::driver {

void forgetLibraryOptions(llvm::ArrayRef<llvm::StringRef> kept) {
  // The parser's own options are among them.
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
    option->addArgument();
    if (option->ArgStr == "help")
      static llvm::cl::alias help("h", llvm::cl::desc("Alias for --help"),
                                  llvm::cl::aliasopt(*option));
  }
  for (llvm::cl::Option *option : options) {
    option->setHiddenFlag(llvm::cl::Hidden);
    option->addArgument();
  }
}

namespace {
/// Standard error, with the tool's name in front where the parser leaves it
/// out.
class ParserErrors final : public llvm::raw_ostream {
public:
  explicit ParserErrors(llvm::StringRef tool)
      : raw_ostream(/*unbuffered=*/true), tool(tool) {}

private:
  void write_impl(const char *data, size_t size) override {
    llvm::StringRef text(data, size);
    if (!begun && !text.starts_with(tool))
      llvm::errs() << tool << ": ";
    begun = true;
    llvm::errs() << text;
  }
  uint64_t current_pos() const override { return 0; }

  llvm::StringRef tool;
  bool begun = false;
};
} // namespace

void parseCommandLine(int argc, char **argv, llvm::StringRef overview) {
  // Without a stream the parser writes what is wrong with a response file, for
  // example that it names itself, through a null pointer.
  ParserErrors errors(llvm::sys::path::filename(argv[0]));
  if (!llvm::cl::ParseCommandLineOptions(argc, argv, overview, &errors))
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

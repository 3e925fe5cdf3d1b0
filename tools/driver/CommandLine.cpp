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

void parseCommandLine(int argc, char **argv, llvm::StringRef overview) {
  // Without a stream the parser goes on after a response file that it cannot
  // take, for example one that names itself, and ends in a null pointer.
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (llvm::cl::ParseCommandLineOptions(argc, argv, overview, &stream))
    return;
  std::string tool = llvm::sys::path::filename(argv[0]).str() + ": ";
  if (!llvm::StringRef(text).starts_with(tool))
    llvm::errs() << tool;
  llvm::errs() << text;
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_COMMANDLINE_H
#define TOOLS_DRIVER_COMMANDLINE_H

#include "llvm/Support/CommandLine.h"

namespace tileir::driver {

/// Groups of options in `--help`. The parser sorts them by name.
namespace categories {
llvm::cl::OptionCategory &compilation();
llvm::cl::OptionCategory &diagnostics();
llvm::cl::OptionCategory &gates(); // Hidden options.
llvm::cl::OptionCategory &general();
llvm::cl::OptionCategory &launching();
llvm::cl::OptionCategory &toolkit();
} // namespace categories

/// Unregisters the options of the linked libraries, so that a tool has only its
/// own. Options whose names begin with one of `kept` stay, hidden. Call it
/// before the tool defines options.
void forgetLibraryOptions(llvm::ArrayRef<llvm::StringRef> kept);

/// Parses the command line, response files included; an error ends the process
/// with exit code 1.
void parseCommandLine(int argc, char **argv, llvm::StringRef overview);

/// Parses a comma-separated list of preview features; one is known.
struct PreviewParser : llvm::cl::parser<std::string> {
  using parser::parser;
  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef arg,
             std::string &value);
};

} // namespace tileir::driver

#endif // TOOLS_DRIVER_COMMANDLINE_H

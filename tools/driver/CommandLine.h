// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_COMMANDLINE_H
#define TOOLS_DRIVER_COMMANDLINE_H

#include "llvm/Support/CommandLine.h"

namespace tileir::driver {

/// Groups of options in `--help`. The parser sorts them by name.
namespace categories {
llvm::cl::OptionCategory &compilation();
llvm::cl::OptionCategory &diagnostics();
llvm::cl::OptionCategory &gates(); // Hidden ones.
llvm::cl::OptionCategory &general();
llvm::cl::OptionCategory &launching();
llvm::cl::OptionCategory &toolkit();
} // namespace categories

/// Forgets the options that the linked libraries registered, so that a tool has
/// its own only; those whose names begin with one of `kept` stay, hidden. Call
/// it before any option of the tool is made.
void forgetLibraryOptions(llvm::ArrayRef<llvm::StringRef> kept);

/// Parses the command line, response files included; what is wrong with it ends
/// the process with exit code 1.
void parseCommandLine(int argc, char **argv, llvm::StringRef overview);

/// Takes a comma-separated list of preview features, of which one is known.
struct PreviewParser : llvm::cl::parser<std::string> {
  using parser::parser;
  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef arg,
             std::string &value);
};

} // namespace tileir::driver

#endif // TOOLS_DRIVER_COMMANDLINE_H

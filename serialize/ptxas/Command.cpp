// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptxas/Command.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"

namespace tileir {

PtxasRelease parsePtxasRelease(llvm::StringRef text) {
  for (size_t at = text.find('V'); at != llvm::StringRef::npos;
       at = text.find('V', at + 1)) {
    llvm::StringRef rest = text.drop_front(at + 1);
    unsigned major, minor, patch;
    if (!rest.consumeInteger(10, major) && rest.consume_front(".") &&
        !rest.consumeInteger(10, minor) && rest.consume_front(".") &&
        !rest.consumeInteger(10, patch))
      return {major, minor, true};
  }
  return {};
}

static std::vector<std::string> buildArgv(const PtxasCommand &c,
                                          llvm::StringRef ptxToken) {
  std::vector<std::string> argv;
  auto add = [&](llvm::StringRef token) { argv.push_back(token.str()); };
  auto addAll = [&](llvm::ArrayRef<std::string> tokens) {
    argv.insert(argv.end(), tokens.begin(), tokens.end());
  };
  auto names = [](llvm::ArrayRef<std::string> tokens, llvm::StringRef option) {
    return llvm::any_of(tokens, [&](llvm::StringRef token) {
      token.consume_front("-");
      token.consume_front("-");
      return token == option || token.starts_with((option + "=").str());
    });
  };

  add(c.form == ArgvForm::Seed ? llvm::StringRef("ptxas") : c.program);
  addAll(c.leadingOptions);
  add("-arch");
  add(c.arch);
  if (c.form == ArgvForm::Driver) {
    add(c.ptxFile);
    add("-o");
    add(c.outputFile);
  }
  add("--opt-level");
  add(llvm::utostr(c.optLevel));
  if (c.form == ArgvForm::Seed) {
    if (c.inlinePTX) {
      add("--input-as-string");
      add(ptxToken);
    } else {
      add(c.ptxFile);
    }
  }
  if (c.knobsFile)
    add("--knobs-file=" + *c.knobsFile);
  if (c.extendedSharedMemory &&
      !names(c.leadingOptions, "enable-extended-smem") &&
      !names(c.trailingOptions, "enable-extended-smem"))
    add("--enable-extended-smem=true");
  if (!c.nvHost.empty()) {
    // The option passes through the same tokenizer as the options strings, so
    // that a path may hold blanks, quotes and backslashes.
    std::string text = " --nv-host=\"";
    for (char ch : c.nvHost) {
      if (ch == '"' || ch == '\\')
        text += '\\';
      text += ch;
    }
    text += '"';
    addAll(tokenizeOptions(text));
  }
  addAll(c.trailingOptions);
  if (c.sanitizeMemcheck) {
    add("-sanitize=memcheck");
    add("-g-tmem-access-check");
  }
  if (c.relocatable)
    add("-c");
  return argv;
}

std::vector<std::string> buildPtxasArgv(const PtxasCommand &command) {
  return buildArgv(command, command.inlinePTX
                                ? llvm::StringRef(*command.inlinePTX)
                                : llvm::StringRef());
}

std::vector<std::string> tokenizeOptions(llvm::StringRef text) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *, 16> tokens;
  llvm::cl::TokenizeGNUCommandLine(text, saver, tokens);
  return {tokens.begin(), tokens.end()};
}

std::optional<std::string> findManagedOption(llvm::ArrayRef<std::string> tokens,
                                             bool tileForm) {
  static const char *const managed[] = {"o",           "output-file",
                                        "ias",         "input-as-string",
                                        "optf",        "options-file",
                                        "nv-host",     "h",
                                        "help",        "V",
                                        "version",     "version-ls",
                                        "list-version"};
  for (const std::string &token : tokens) {
    llvm::StringRef name = token;
    if (!name.consume_front("-"))
      continue;
    name.consume_front("-");
    name = name.split('=').first;
    if (llvm::is_contained(managed, name) || (tileForm && name == "c"))
      return token;
  }
  return std::nullopt;
}

std::string quoteForShell(llvm::StringRef token) {
  auto plain = [](char c) {
    return llvm::isAlnum(c) || llvm::StringRef("_-./=,:+@%").contains(c);
  };
  if (!token.empty() && llvm::all_of(token, plain))
    return token.str();
  std::string quoted = "'";
  for (char c : token) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  return quoted + "'";
}

std::string quoteArgv(const PtxasCommand &command) {
  std::string marker;
  if (command.inlinePTX)
    marker = "<PTX:" + llvm::utostr(command.inlinePTX->size()) + " bytes>";
  std::string line;
  for (const std::string &token : buildArgv(command, marker)) {
    if (!line.empty())
      line += ' ';
    line += command.inlinePTX && token == marker ? token : quoteForShell(token);
  }
  return line;
}

} // namespace tileir

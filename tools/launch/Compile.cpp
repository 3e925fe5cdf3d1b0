// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tile IR is compiled by calling `tileiras`.
#include "tools/launch/FatBinary.h"
#include "tools/launch/Kernel.h"
#include "tools/launch/Run.h"
#include "tools/process/Process.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <elf.h>

namespace tileir::launch {

using namespace cases;

/// The position of the first token, after blanks and comments.
static size_t firstToken(const std::string &text) {
  size_t at = 0;
  while (at < text.size()) {
    if (std::isspace((unsigned char)text[at]))
      ++at;
    else if (text.compare(at, 2, "//") == 0)
      at = std::min(text.find('\n', at), text.size());
    else if (text.compare(at, 2, "/*") == 0)
      at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
    else
      break;
  }
  return at;
}

std::optional<KernelForm> formOfKernel(const std::string &bytes) {
  if (bytes.compare(0, 7, "\x7fTileIR") == 0)
    return KernelForm::TileIR;
  if (holdsFatBinary(bytes))
    return KernelForm::FatBinary;
  if (bytes.compare(0, SELFMAG, ELFMAG) == 0)
    return KernelForm::Cubin;
  size_t first = firstToken(bytes);
  if (bytes.compare(first, 8, ".version") == 0)
    return KernelForm::PTX;
  // An operation, in quotes where it is generic, or an alias.
  for (const char *start : {"cuda_tile.", "\"cuda_tile.", "module",
                            "builtin.module", "\"builtin.module", "#", "!"})
    if (bytes.compare(first, std::strlen(start), start) == 0)
      return KernelForm::TileText;
  return std::nullopt;
}

/// Seconds that a program may take: a week.
static constexpr double kSeconds = 7 * 24 * 3600;

static bool findCompiler(const Options &options, std::string &path,
                         std::string &error) {
  path = options.compiler;
  // TILEIRAS: path of the compiler that `tileir-run` calls, and to which
  // `tileir-nvcc` makes nvcc's link; else the one beside the program.
  if (const char *env = path.empty() ? std::getenv("TILEIRAS") : nullptr)
    path = env;
  return !path.empty() || findProgram("tileiras", path, error);
}

/// Runs `command`; false with `error` set when it fails.
static bool runTool(const std::vector<std::string> &command,
                    const std::string &task, std::string &error) {
  ProgramResult done = runProgram(command, kSeconds);
  if (done.status == 0)
    return true;
  while (!done.output.empty() && done.output.back() == '\n')
    done.output.pop_back();
  error = task + " failed with status " + std::to_string(done.status) +
          (done.output.empty() ? "" : ": " + done.output);
  return false;
}

bool compileKernel(const Options &options, const std::string &kernel,
                   const std::string &arch, const std::string &emit,
                   const std::string &output, std::string &error,
                   const std::string &sidecar, const std::string &form) {
  std::string compiler;
  if (!findCompiler(options, compiler, error))
    return false;
  std::string base = arch; // tileiras names chips without a suffix.
  while (!base.empty() && (base.back() == 'a' || base.back() == 'f'))
    base.pop_back();
  std::vector<std::string> command = {
      compiler,         kernel, "--gpu-name", base, "-O" + options.optLevel,
      "--emit=" + emit, "-o",   output};
  // Findings name the line of the kernel's source.
  if (emit == "ptx")
    command.push_back("--lineinfo");
  if (!sidecar.empty())
    command.push_back("--launch-sidecar=" + sidecar);
  if (!form.empty())
    command.push_back("--launch-abi=" + form);
  return runTool(command, "compiling '" + kernel + "'", error);
}

bool makeBytecode(const std::string &text, const std::string &output,
                  std::string &error) {
  std::string translate;
  return findProgram("tileir-translate", translate, error) &&
         runTool({translate, "--mlir-to-cudatilebc", "--lineinfo", text, "-o",
                  output},
                 "reading '" + text + "'", error);
}

int initCase(const std::string &kernel, const cases::Spelled &spelled,
             const std::string &arch, const std::string &file) {
  std::string interp, error;
  if (!findProgram("tileir-interp", interp, error)) {
    std::fprintf(stderr, "error: %s\n", error.c_str());
    return 2;
  }
  std::vector<std::string> command = {interp, kernel, "--init=" + file};
  if (!arch.empty())
    command.push_back("--arch=" + arch);
  if (!spelled.entry.empty())
    command.push_back("--entry=" + spelled.entry);
  ProgramResult done = runProgram(command, kSeconds);
  std::fputs(done.output.c_str(),
             done.status == 0 && file == "-" ? stdout : stderr);
  return done.status;
}

} // namespace tileir::launch

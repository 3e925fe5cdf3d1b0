// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tileir-translate/Options.h"

#include "dialects/support/Output.h"

#include "mlir/Support/ToolUtilities.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;

namespace {

enum ExitCode {
  kOk = 0,
  kUsage = 1,
  kUnreadable = 2,
  kInvalid = 3,
  kUnwritable = 4,
};

} // namespace

static int fail(ExitCode code, const llvm::Twine &message) {
  llvm::errs() << "error: " << message << '\n';
  return code;
}

static int write(const std::string &path, llvm::StringRef text) {
  std::string error = tileir::writeFile(path, text);
  return error.empty() ? int(kOk) : fail(kUnwritable, error);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  tileir::CommandLine line;
  if (!tileir::parseCommandLine(argc, argv, line))
    return kUsage;
  if (line.listVersions) {
    for (const tileir::BytecodeVersionInfo &info :
         tileir::supportedBytecodeVersions())
      if (line.listTestingVersions || info.version < tileir::kVersion250_0)
        llvm::outs() << info.version.str() << '\n';
    return kOk;
  }
  if (line.translate.translations.empty())
    return fail(kUsage, "no translation given; say --cudatilebc-to-mlir, "
                        "--mlir-to-cudatilebc, --print-minimum-version or "
                        "--test-cudatile-roundtrip");
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(line.input);
  if (!buffer)
    return fail(kUnreadable, "cannot read '" + line.input +
                                 "': " + buffer.getError().message());
  DefaultTimingManager timingManager;
  applyDefaultTimingManagerCLOptions(timingManager);
  TimingScope timing = timingManager.getRootScope();
  std::string made;
  llvm::raw_string_ostream os(made);
  LogicalResult result = splitAndProcessBuffer(
      std::move(*buffer),
      [&](std::unique_ptr<llvm::MemoryBuffer> part, llvm::raw_ostream &out) {
        return tileir::translate(std::move(part), line.translate, timing, out);
      },
      os, line.inputMarker, line.outputMarker);
  return failed(result) ? int(kInvalid) : write(line.output, made);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTXAS_SESSION_H
#define SERIALIZE_PTXAS_SESSION_H

#include "serialize/Report.h"
#include "serialize/process/Process.h"
#include "serialize/ptxas/Command.h"
#include "serialize/ptxas/Locate.h"

#include <memory>

namespace tileir {

struct SessionOptions {
  LookupStyle lookup = LookupStyle::PathOnly;
  ArgvForm form = ArgvForm::Seed;
  std::string ptxasPath;
  /// Seconds each child may take; 0 has no limit.
  double timeoutSeconds = 600;
  bool guardChildren = true;
  /// Status for faults with temporary files.
  Status fileStatus = Status::File;
  /// One line per child: arguments, status, time, memory.
  bool verbose = false;
};

struct AssembleRequest {
  std::string arch;
  unsigned optLevel = 3;
  llvm::StringRef ptx;
  /// Bytes for `--nv-host`; written to the private directory.
  llvm::StringRef hostObject;
  /// A user's file for `--nv-host`, used instead of `hostObject`.
  std::string nvHostFile;
  bool extendedSharedMemory = false;
  bool sanitizeMemcheck = false;
  bool relocatable = false;
  std::vector<std::string> leadingOptions;
  std::vector<std::string> trailingOptions;
  /// Shows the output of a successful ptxas.
  bool forwardWarnings = true;
  /// Rejects images that are shorter than an ELF header or have bytes after
  /// their end.
  bool strictCubin = false;
};

struct AssembleResult {
  std::string cubin;
  /// Text that ptxas wrote to its standard error.
  std::string log;
};

/// Children of one run: the guard, the private directory, ptxas and nvdisasm.
class ToolSession {
public:
  ToolSession(const Reporter &reporter, SessionOptions options);
  ToolSession(const ToolSession &) = delete;
  ToolSession &operator=(const ToolSession &) = delete;
  /// Removes the private directory and kills remaining children.
  ~ToolSession();

  /// Kills the children and removes temporary files at once, for a process that
  /// ends without its destructors.
  void abandon();

  /// Forks the guard. Call it before the first thread exists, and only when a
  /// child will be needed.
  void startGuard();
  ProcessGuard &guard() { return processGuard; }

  const ProgramLookup &ptxas() const { return ptxasLookup; }

  /// Queries the release of ptxas without waiting for the answer.
  void startReleaseProbe();
  /// Returns the release; the oldest one when there is no ptxas or no number. A
  /// found ptxas that is too old is replaced by that of our own installation.
  PtxasRelease release();

  Status assemble(const AssembleRequest &request, AssembleResult &result);

  /// Returns the command that `assemble` would run, for `-###`. Writes no file.
  PtxasCommand command(const AssembleRequest &request);

  /// Runs `tokens` + the cubin's path and captures standard output.
  Status disassemble(llvm::ArrayRef<std::string> tokens, llvm::StringRef cubin,
                     std::string &text);

private:
  Status checkRelease(llvm::StringRef arch);
  Status makeDirectory();
  Status writeFile(llvm::StringRef name, llvm::StringRef bytes,
                   std::string &path);
  std::string pathOf(llvm::StringRef name) const;
  std::string linkRelativeKnobs(PtxasCommand &command);
  bool removeDirectory();
  Status reportFailure(llvm::StringRef program, const std::string &path,
                       const ChildResult &child, bool forwarded);
  Status explainFailure(llvm::StringRef program, const std::string &path,
                        const ChildResult &child);
  void nameAssembler(bool ask);
  void describeChild(const PtxasCommand &command, const ChildResult &child);

  Reporter reporter;
  SessionOptions options;
  ProgramLookup ptxasLookup;
  ProcessGuard processGuard;
  std::unique_ptr<ChildProcess> probe;
  std::optional<PtxasRelease> probed;
  std::string directory;
};

} // namespace tileir

#endif // SERIALIZE_PTXAS_SESSION_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_LAUNCH_RUN_H
#define TOOLS_LAUNCH_RUN_H

#include "tools/cases/Spelled.h"
#include "tools/emulator/Machine.h"

namespace tileir::launch {

struct Options {
  std::vector<std::string> caseFiles; ///< At least one.
  std::string caseFile;               ///< The one that runs.
  cases::Spelled spelled;             ///< Of a kernel in a case's place.
  std::string device = "emulated";
  std::string arch;
  std::string outDirectory, reportFile;
  std::string compiler; ///< The `tileiras` to call; empty: beside us or PATH.
  std::string self;     ///< argv[0].
  std::string saveTemps;
  std::string hostObject = "auto";
  /// Files that belong to a kernel that is given as PTX: the cubin with its
  /// host object, and the launch sidecar.
  std::string cubin, sidecar;
  std::string optLevel = "3";
  bool outWritten = false;  ///< Say which elements of outputs are written.
  std::string progressFile; ///< Counts blocks that have ended.
  bool timingLines = false; ///< The estimate has every line of the PTX.
  emu::Options emulator;
};

/// Findings of a run, in the terms of the report.
struct Outcome {
  std::string outcome = "ok"; ///< ok, fault, assert or error.
  std::string message;
  std::string ptxFile; ///< Empty: a temporary one.
  std::vector<emu::Finding> findings, notes;
  std::vector<cases::Mismatch> mismatches;
  std::string printed;
  size_t compared = 0; ///< Outputs that had an expectation.
  emu::Stats stats;
  emu::Machine *machine = nullptr;
  /// The kernel took the device's context with it: nothing runs there any more.
  bool lostDevice = false;

  int exitStatus() const;
  void fail(const std::string &why) {
    outcome = "error";
    message = why;
    findings.clear();
    mismatches.clear();
  }
};

/// A buffer of the case and where the runner put it.
struct Placed {
  const cases::BufferSpec *spec = nullptr;
  emu::Region *region = nullptr;
  uint64_t address = 0;
};

/// Runs the cases in turn and prints what was found. Returns the worst exit
/// status.
int runCases(const Options &options);

/// Compiles Tile IR with `tileiras`; `emit` is `ptx` or `cubin`. A `sidecar`
/// is written when its path is given; `form` is the launch ABI where it is not
/// the compiler's own choice.
bool compileKernel(const Options &options, const std::string &kernel,
                   const std::string &arch, const std::string &emit,
                   const std::string &output, std::string &error,
                   const std::string &sidecar = "",
                   const std::string &form = "");

/// Makes bytecode of the Tile IR in the file `text`.
bool makeBytecode(const std::string &text, const std::string &output,
                  std::string &error);

/// Writes a case for `kernel` to `file`: the work of `tileir-interp`, which
/// knows the language. Returns the exit status.
int initCase(const std::string &kernel, const cases::Spelled &spelled,
             const std::string &arch, const std::string &file);

/// Sums up what a run without a finding has looked at.
std::string successText(const Options &options, const Outcome &out);

void printOutcome(const Options &options, const Outcome &out);
std::string reportJson(const Outcome &outcome);
std::string statsJson(const emu::Machine &machine);
/// Adds the members of the statistics that come from the profile.
void addProfile(const emu::Machine &machine, cases::JsonTree &statistics);
/// The stalls of the worst lines, or with `allLines` of all that were executed.
std::string timingJson(const emu::Machine &machine, bool allLines);

/// Runs a case on a GPU through the driver API.
void runCuda(const Options &options, const cases::Case &c, Outcome &out);
/// Compares outputs, writes them; `get` yields the span of a buffer.
bool finishOutputs(const Options &options, const cases::Case &c,
                   const std::vector<Placed> &placed, Outcome &out);

/// Fills the hidden parameters of a tile kernel, as a driver does.
bool fillHidden(const Options &options, const std::string &cubinFile,
                const emu::Function &entry, emu::Machine &machine,
                std::vector<uint8_t> &block, std::string &error);

} // namespace tileir::launch

#endif // TOOLS_LAUNCH_RUN_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiled kernel as a witness: compiles, assembles and emulates a case.

#ifndef TOOLS_TILEIR_CHECK_WITNESS_H
#define TOOLS_TILEIR_CHECK_WITNESS_H

#include "tools/cases/Case.h"

#include <string>
#include <vector>

namespace tileir::check {

/// The programs that are checked.
struct Programs {
  std::string tileiras, tileirRun;
  double seconds = 120;
};

/// Looks for the programs that were not named: beside this one, then on the
/// path. False with `error` set when one is missing.
bool findPrograms(Programs &programs, std::string &error);

struct Compiled {
  std::string ptxFile, cubinFile;
  /// The kernel has parameters that the launcher does not pass.
  bool hasHidden = false;
};

struct CompileRequest {
  /// Bytecode.
  std::string kernel;
  std::string arch;
  std::string optLevel = "3";
  /// Options of `tileir{…}`, or nothing.
  std::string pipeline;
  /// Where the products go.
  std::string folder;
  /// Without it there is a cubin only if the emulator needs one.
  bool isAssembled = true;
};

/// Kernel to PTX and, by ptxas, cubin.
bool compile(const Programs &programs, const CompileRequest &request,
             Compiled &compiled, std::string &error);

/// A run of a compiled kernel.
struct Emulation {
  /// Exit status 2, a crash, or too much time; `problem` says which.
  bool isBroken = false;
  std::string problem;
  /// Lines for what was found.
  std::vector<std::string> findings;
  /// In the order of the case's outputs.
  std::vector<std::vector<uint64_t>> outputs;
  std::string printed;
};

struct EmulateRequest {
  /// The case as text, and the folder that its files are relative to.
  const cases::Case *theCase = nullptr;
  std::string caseText;
  std::string arch;
  std::string async = "random";
  uint64_t seed = 1;
  bool onGpu = false;
  std::string optLevel = "3";
  std::string folder;
};

Emulation emulate(const Programs &programs, const Compiled &compiled,
                  const EmulateRequest &request);

/// The compared buffers of a case, in the order of `Emulation::outputs`.
std::vector<const cases::BufferSpec *> outputsOf(const cases::Case &theCase);

/// Returns whether an element is the oracle's, or no further from it than
/// `error`.
bool withinError(const cases::BufferSpec &spec, uint64_t got, uint64_t oracle,
                 double error);

/// "[3, 5]" for element `index` of an output.
std::string placeOf(const cases::BufferSpec &spec, size_t index);

/// The text of a case whose files are named by whole paths, and which has no
/// expectation. Empty with `error` set when it is none.
std::string adaptCase(const std::string &caseText, const std::string &directory,
                      std::string &error);

/// JSON as text.
std::string jsonText(const cases::Json &json);

/// The first lines of what a program said, without what it kept.
std::string firstLines(const std::string &text, unsigned count);

} // namespace tileir::check

#endif // TOOLS_TILEIR_CHECK_WITNESS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles, assembles and emulates the kernel of a case.

#ifndef TOOLS_TILEIR_CHECK_WITNESS_H
#define TOOLS_TILEIR_CHECK_WITNESS_H

#include "tools/cases/Case.h"

#include <string>
#include <vector>

namespace tileir::check {

/// The programs under test.
struct Programs {
  std::string tileiras, tileirRun;
  double seconds = 120;
};

/// Searches for unnamed programs: beside this program, then on the path.
/// Returns false with `error` set if one is missing.
bool findPrograms(Programs &programs, std::string &error);

struct Compiled {
  std::string ptxFile, cubinFile;
  /// The kernel has hidden parameters that the launcher does not pass.
  bool hasHidden = false;
};

struct CompileRequest {
  /// Bytecode.
  std::string kernel;
  std::string arch;
  std::string optLevel = "3";
  /// Options of `tileir{…}`, or nothing.
  std::string pipeline;
  /// Folder for the products.
  std::string folder;
  /// If false, a cubin is made only if the emulator needs one.
  bool isAssembled = true;
};

/// Compiles the kernel to PTX and, by ptxas, to a cubin.
bool compile(const Programs &programs, const CompileRequest &request,
             Compiled &compiled, std::string &error);

/// A run of a compiled kernel.
struct Emulation {
  /// Exit status 2, a crash, or a timeout; `problem` names it.
  bool isBroken = false;
  std::string problem;
  /// One line per finding.
  std::vector<std::string> findings;
  /// In the order of the case's outputs.
  std::vector<std::vector<uint64_t>> outputs;
  std::string printed;
};

struct EmulateRequest {
  /// The case as text, and the folder to which its file names are relative.
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

/// Returns the compared buffers of a case, in the order of
/// `Emulation::outputs`.
std::vector<const cases::BufferSpec *> outputsOf(const cases::Case &theCase);

/// Returns whether an element equals the oracle's or differs by at most
/// `error`.
bool withinError(const cases::BufferSpec &spec, uint64_t got, uint64_t oracle,
                 double error);

/// Returns "[3, 5]" for element `index` of an output.
std::string placeOf(const cases::BufferSpec &spec, size_t index);

/// Returns the text of a case with absolute file names and without
/// expectations. Empty with `error` set if it is not a case.
std::string adaptCase(const std::string &caseText, const std::string &directory,
                      std::string &error);

/// Prints JSON as text.
std::string jsonText(const cases::Json &json);

/// Returns the first lines of a program's output.
std::string firstLines(const std::string &text, unsigned count);

} // namespace tileir::check

#endif // TOOLS_TILEIR_CHECK_WITNESS_H

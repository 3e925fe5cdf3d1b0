// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_COMPILE_H
#define TOOLS_DRIVER_COMPILE_H

#include "serialize/Serializer.h"
#include "tools/driver/Remarks.h"

namespace tileir::driver {

class CrashReport;
class ExplainCollector;
class PhaseTimer;

/// Options that affect the pipeline; the others are in `SerializeRequest`.
struct CompileRequest {
  std::string inputName;
  int optLevel = 3;
  std::string gpuName;
  bool lineInfo = false;
  bool deviceDebug = false;
  std::string hostTriple;
  LaunchAbi launchAbi = LaunchAbi::Tile;
  bool minimalSuffix = false;
  /// The option was given explicitly: a pipeline text that contradicts it is an
  /// error.
  bool launchAbiGiven = false;
  bool archSuffixGiven = false;
  /// `tileir{…}`; its options take precedence.
  std::string pipelineText;
  bool printPipeline = false;
  /// Options for libraries, which are rejected.
  bool librariesGiven = false;
  bool simtPreview = false;
  bool seedMode = false;
  /// Times the passes; may be null.
  PhaseTimer *timer = nullptr;
  /// Receives the running pass and failures; may be null.
  CrashReport *crash = nullptr;
  /// Receives the decisions of passes; may be null.
  ExplainCollector *explain = nullptr;
  /// Null if no remarks were requested.
  RemarkCollector *remarks = nullptr;
  /// The process ends afterwards: the system frees the memory of context and
  /// module faster than destructors.
  bool processEnds = false;
};

/// Checks magic number and version of Tile IR bytecode.
Status checkBytecode(llvm::StringRef bytes, bool seedMode,
                     const Reporter &reporter);

/// Checks target, level and debug flags, in this order.
Status checkConfiguration(const CompileRequest &request,
                          const Reporter &reporter);

/// Sets the serializer options that `request` determines, and how `tileiras`
/// finds and calls ptxas: for a cubin, or in seed mode an object.
void followRequest(const CompileRequest &request, SerializeRequest &serialize,
                   SessionOptions &session);

/// Compiles bytecode accepted by `checkBytecode` through the pipeline and the
/// serializer.
Status compileBytecode(llvm::StringRef bytes, const CompileRequest &request,
                       const SerializeRequest &serialize, ToolSession &session,
                       const Reporter &reporter, SerializeResult &result);

} // namespace tileir::driver

#endif // TOOLS_DRIVER_COMPILE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_COMPILE_H
#define TOOLS_DRIVER_COMPILE_H

#include "serialize/Serializer.h"
#include "tools/driver/Remarks.h"

namespace tileir::driver {

class CrashReport;
class ExplainCollector;
class PhaseTimer;

/// Options that decide about the pipeline; the rest is in `SerializeRequest`.
struct CompileRequest {
  std::string inputName;
  int optLevel = 3;
  std::string gpuName;
  bool lineInfo = false;
  bool deviceDebug = false;
  std::string hostTriple;
  LaunchAbi launchAbi = LaunchAbi::Tile;
  bool minimalSuffix = false;
  /// The two were on the command line: a pipeline that says otherwise is an
  /// error.
  bool launchAbiGiven = false;
  bool archSuffixGiven = false;
  /// `tileir{…}`, whose options win over the others.
  std::string pipelineText;
  bool printPipeline = false;
  /// Options for libraries, which are refused.
  bool librariesGiven = false;
  bool simtPreview = false;
  bool seedMode = false;
  /// Times the passes; null does not.
  PhaseTimer *timer = nullptr;
  /// Told what works and that it has failed; null tells nobody.
  CrashReport *crash = nullptr;
  /// Told what passes decide; null tells nobody.
  ExplainCollector *explain = nullptr;
  /// Null when no remark was asked for.
  RemarkCollector *remarks = nullptr;
  /// The process ends after this: the system takes memory back faster than
  /// destructors do, and gets it with context and module in it.
  bool processEnds = false;
};

/// Magic number and version of Tile IR bytecode.
Status checkBytecode(llvm::StringRef bytes, bool seedMode,
                     const Reporter &reporter);

/// Target, level and debug flags, in this order.
Status checkConfiguration(const CompileRequest &request,
                          const Reporter &reporter);

/// Sets in the requests for the serializer what `request` says of its part, and
/// how `tileiras` finds and calls ptxas: to a cubin, or in seed mode an object.
void followRequest(const CompileRequest &request, SerializeRequest &serialize,
                   SessionOptions &session);

/// Bytecode that `checkBytecode` takes through the pipeline and the serializer
/// to the product.
Status compileBytecode(llvm::StringRef bytes, const CompileRequest &request,
                       const SerializeRequest &serialize, ToolSession &session,
                       const Reporter &reporter, SerializeResult &result);

} // namespace tileir::driver

#endif // TOOLS_DRIVER_COMPILE_H

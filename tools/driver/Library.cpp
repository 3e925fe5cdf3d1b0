// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/TileIRCompile.h"

#include "tools/driver/Compile.h"
#include "tools/driver/Environment.h"

#include <algorithm>
#include <cstring>
#include <mutex>

using namespace tileir;
using namespace tileir::driver;

struct tileirResult {
  std::string cubin;
  std::string log;
};

static_assert(int(Status::Success) == TILEIR_SUCCESS &&
              int(Status::Config) == TILEIR_INVALID_OPTION &&
              int(Status::BadInput) == TILEIR_INVALID_BYTECODE &&
              int(Status::Compile) == TILEIR_COMPILE_ERROR);

/// Returns the options, with defaults for fields that the caller's version of
/// the struct lacks.
static std::optional<tileirCompileOptions>
readOptions(const tileirCompileOptions *given, const Reporter &reporter) {
  tileirCompileOptions options = {};
  // The fields of the first release.
  constexpr size_t kMin = sizeof(tileirCompileOptions);
  if (!given || given->structSize < kMin) {
    reporter.error(Status::Config,
                   given ? "structSize of the options is too small"
                         : "no options");
    return std::nullopt;
  }
  std::memcpy(&options, given,
              std::min(given->structSize, sizeof(tileirCompileOptions)));
  if (!options.gpuName) {
    reporter.error(Status::Config, "the options name no target: set gpuName");
    return std::nullopt;
  }
  return options;
}

static Status compile(llvm::StringRef bytes,
                      const tileirCompileOptions &options,
                      const Reporter &reporter, std::string &cubin) {
  CompileRequest request;
  request.inputName = "bytecode";
  request.gpuName = options.gpuName;
  request.optLevel = options.optLevel;
  request.lineInfo = options.lineInfo;
  request.deviceDebug = options.deviceDebug;
  if (options.pipeline)
    request.pipelineText = options.pipeline;
  SerializeRequest serialize;
  SessionOptions sessionOptions;
  followRequest(request, serialize, sessionOptions);
  serialize.device.launchAbi = request.launchAbi;
  serialize.libdevice.executable = selfExecutable();
  // The guard forks, which is unsafe in a program with threads.
  sessionOptions.guardChildren = false;
  if (options.ptxasPath)
    sessionOptions.ptxasPath = options.ptxasPath;
  if (Status status = checkBytecode(bytes, /*seedMode=*/false, reporter);
      status != Status::Success)
    return status;
  if (Status status = checkConfiguration(request, reporter);
      status != Status::Success)
    return status;
  ToolSession session(reporter, sessionOptions);
  SerializeResult result;
  Status status = Status::Success;
  runOnLargeStack([&] {
    status =
        compileBytecode(bytes, request, serialize, session, reporter, result);
  });
  cubin = std::move(result.bytes);
  return status;
}

tileirStatus tileirCompile(const void *bytecode, size_t size,
                           const tileirCompileOptions *options,
                           tileirResult **result) {
  if (!result)
    return TILEIR_INVALID_OPTION;
  auto *made = new tileirResult;
  *result = made;
  Reporter reporter(
      [&](llvm::StringRef, llvm::StringRef bytes) { made->log += bytes; });
  std::optional<tileirCompileOptions> known = readOptions(options, reporter);
  if (!known)
    return TILEIR_INVALID_OPTION;
  static std::mutex oneAtATime;
  std::lock_guard<std::mutex> lock(oneAtATime);
  llvm::StringRef bytes(static_cast<const char *>(bytecode),
                        bytecode ? size : 0);
  Status status = compile(bytes, *known, reporter, made->cubin);
  if (status != Status::Success)
    made->cubin.clear();
  return tileirStatus(status);
}

const void *tileirResultGetCubin(const tileirResult *result, size_t *size) {
  bool isThere = result && !result->cubin.empty();
  if (size)
    *size = isThere ? result->cubin.size() : 0;
  return isThere ? result->cubin.data() : nullptr;
}

const char *tileirResultGetLog(const tileirResult *result) {
  return result ? result->log.c_str() : "";
}

void tileirResultDestroy(tileirResult *result) { delete result; }

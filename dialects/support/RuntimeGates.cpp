// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/RuntimeGates.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace tileir::gates {

static bool present(const char *name) { return std::getenv(name) != nullptr; }

static bool equals(const char *name, const char *value) {
  const char *text = std::getenv(name);
  return text && std::strcmp(text, value) == 0;
}

static std::optional<std::string> verbatim(const char *name) {
  if (const char *text = std::getenv(name))
    return std::string(text);
  return std::nullopt;
}

int delayTmaStoreWait() {
  constexpr const char *name = "TILEIR_DELAY_TMA_STORE_WAIT";
  const char *text = std::getenv(name);
  if (!text)
    return 0;
  char *end = nullptr;
  errno = 0;
  long value = std::strtol(text, &end, 10);
  if (end == text || errno == ERANGE || value < INT_MIN || value > INT_MAX) {
    std::fprintf(stderr, "%s: stoi\n", name);
    std::fflush(stderr);
    std::abort();
  }
  return int(value);
}

bool debugDumpBC() { return present("TILEIR_DEBUG_DUMP_BC"); }
bool debugDumpLLVM() { return present("TILEIR_DEBUG_DUMP_LLVM"); }

std::optional<bool> preferTmaForLoadStore() {
  constexpr const char *name = "TILEIR_PREFER_TMA_FOR_LOAD_STORE";
  if (!present(name))
    return std::nullopt;
  return equals(name, "true") || equals(name, "1");
}

bool alwaysSwizzle() { return present("TILEIR_ALWAYS_SWIZZLE"); }

bool unlimitedSharedMemory() { return present("TILE_AS_DEBUG_UNLIMITED_SMEM"); }

bool debugVerbose() { return equals("TILE_AS_DEBUG_VERBOSE", "1"); }

bool enableEvo() { return present("MLIR_ENABLE_EVO"); }

std::optional<std::string> ptxKnobsPath() { return verbatim("PTX_KNOBS_PATH"); }

std::optional<std::string> cudaRoot() {
  for (const char *name : {"CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"})
    if (std::optional<std::string> path = verbatim(name))
      return path;
  return std::nullopt;
}

std::optional<std::string> searchPath() { return verbatim("PATH"); }

std::string temporaryDirectory() {
  for (const char *name : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"})
    if (std::optional<std::string> path = verbatim(name))
      if (!path->empty())
        return *path;
  return "/tmp";
}

bool seedMode() { return equals("TILEIR_SEED_MODE", "1"); }

bool newestRules() { return equals("TILEIR_NEWEST_RULES", "1"); }

bool warnHints() { return equals("TILEIR_WARN_HINTS", "1"); }

bool errorOnHints() { return equals("TILEIR_ERR_HINTS", "1"); }

std::optional<std::string> ptxasPath() { return verbatim("TILEIR_PTXAS_PATH"); }

std::optional<std::string> toolTimeout() {
  return verbatim("TILEIR_TOOL_TIMEOUT");
}

bool debugs(std::string_view type) {
  const char *text = std::getenv("TILEIR_DEBUG");
  std::string_view rest = text ? text : "";
  while (!rest.empty()) {
    std::string_view name = rest.substr(0, rest.find(','));
    if (name == type || name == "all")
      return true;
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
  }
  return false;
}

bool statistics() { return equals("TILEIR_STATISTICS", "1"); }

bool verifyConvergence() { return equals("TILEIR_VERIFY_CONVERGENCE", "1"); }

int64_t sharedMemoryCap(const Target &target) {
  return unlimitedSharedMemory() ? limits::unlimitedShared
                                 : target.sharedMemoryPerBlock();
}

} // namespace tileir::gates

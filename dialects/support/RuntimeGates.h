// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_SUPPORT_RUNTIMEGATES_H
#define DIALECTS_SUPPORT_RUNTIMEGATES_H

#include "dialects/support/Target.h"

#include <optional>
#include <string>
#include <string_view>

namespace tileir::gates {

// Every environment variable that the project reads. Each has its own parse
// rule, because the rules are part of what users rely on; there is no shared
// boolean parser. A variable is read where its value is used and never cached.
// "Present" means that getenv does not return null, so an empty value counts.

/// TILEIR_DELAY_TMA_STORE_WAIT: base-10 integer as std::stoi reads it (leading
/// blanks and a sign are fine, text behind the digits is ignored); 0 when
/// unset. No digits, or a value that int does not hold, writes
/// `TILEIR_DELAY_TMA_STORE_WAIT: stoi` to stderr and aborts the process.
int delayTmaStoreWait();

/// TILEIR_DEBUG_DUMP_BC: present = write the bitcode before code generation.
bool debugDumpBC();

/// TILEIR_DEBUG_DUMP_LLVM: present = write the LLVM IR before code generation.
bool debugDumpLLVM();

/// TILEIR_PREFER_TMA_FOR_LOAD_STORE: on when it equals `true` or `1`, off with
/// any other value; empty optional when unset: the compiler decides.
std::optional<bool> preferTmaForLoadStore();

/// TILEIR_ALWAYS_SWIZZLE: present = every shared-memory layout is swizzled.
bool alwaysSwizzle();

/// TILE_AS_DEBUG_UNLIMITED_SMEM: present = no cap on shared memory, also with
/// the value `0` or `false`.
bool unlimitedSharedMemory();

/// TILE_AS_DEBUG_VERBOSE: on when it equals `1`, else off.
bool debugVerbose();

/// MLIR_ENABLE_EVO: present = one half of what passes PTX_KNOBS_PATH on.
bool enableEvo();

/// PTX_KNOBS_PATH: the path as it stands; empty optional when unset.
std::optional<std::string> ptxKnobsPath();

/// CUDA_ROOT, CUDA_HOME, CUDA_PATH: the first that is present, even if empty.
std::optional<std::string> cudaRoot();

/// PATH as it stands; empty optional when unset.
std::optional<std::string> searchPath();

/// TMPDIR, TMP, TEMP, TEMPDIR: the first that is set and not empty, else
/// `/tmp`.
std::string temporaryDirectory();

/// TILEIR_SEED_MODE: on when it equals `1`, else off.
bool seedMode();

/// TILEIR_NEWEST_RULES: on when it equals `1`, else off.
bool newestRules();

/// TILEIR_WARN_HINTS: on when it equals `1`, else off. What the plugin's flag
/// `-Wunsupported-hints` says, for callers that cannot place a flag behind the
/// option that loads the plugin.
bool warnHints();

/// TILEIR_ERR_HINTS: on when it equals `1`, else off; as `-Werr-hints`.
bool errorOnHints();

/// TILEIR_PTXAS_PATH: the path as it stands; empty optional when unset.
std::optional<std::string> ptxasPath();

/// TILEIR_TOOL_TIMEOUT: the text as it stands, seconds that ptxas and nvdisasm
/// may take; empty optional when unset.
std::optional<std::string> toolTimeout();

/// TILEIR_DEBUG: names of passes and analyses with commas between them, whose
/// decisions go to stderr; `all` stands for every name. Returns whether `type`
/// is one of them.
bool debugs(std::string_view type);

/// TILEIR_STATISTICS: on when it equals `1`, else off; what passes counted goes
/// to stderr.
bool statistics();

/// TILEIR_VERIFY_CONVERGENCE: on when it equals `1`, else off; the PTX is
/// searched for instructions of whole warps that a part of one may reach.
bool verifyConvergence();

/// Largest static shared memory of a block in bytes that the compiler plans
/// for: the target's cap, lifted by `unlimitedSharedMemory`.
int64_t sharedMemoryCap(const Target &target);

} // namespace tileir::gates

#endif // DIALECTS_SUPPORT_RUNTIMEGATES_H

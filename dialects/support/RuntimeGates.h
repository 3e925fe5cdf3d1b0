// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_SUPPORT_RUNTIMEGATES_H
#define DIALECTS_SUPPORT_RUNTIMEGATES_H

#include "dialects/support/Target.h"

#include <optional>
#include <string>
#include <string_view>

namespace tileir::gates {

// Every environment variable that the project reads. Each has its own parse
// rule, because users rely on the rules; there is no shared boolean parser. A
// variable is read where its value is used and never cached. "Present" means
// that getenv does not return null, so an empty value counts.

/// TILEIR_DELAY_TMA_STORE_WAIT: integer as `std::stoi` reads it (leading blanks
/// and a sign are fine, text after the digits is ignored), else 0; a store by
/// tensor map (TMA) waits for the read of its buffer only after this many later
/// stores of its block. No digits, or a value out of the range of int, writes
/// `TILEIR_DELAY_TMA_STORE_WAIT: stoi` to stderr and aborts.
int delayTmaStoreWait();

/// TILEIR_DEBUG_DUMP_BC: set, also to `0` = writes the bitcode before code
/// generation next to the output, also of a failed run, never through a link;
/// under a new name in the folder for temporary files when the output is no
/// file.
bool debugDumpBC();

/// TILEIR_DEBUG_DUMP_LLVM: set, also to `0` = writes LLVM IR in the same way.
bool debugDumpLLVM();

/// TILEIR_PREFER_TMA_FOR_LOAD_STORE: `true` or `1`: from sm_90 on, every legal
/// load outside of loops and every legal store goes by tensor map (TMA);
/// another value: no store does; unset: the compiler decides, and
/// `--remarks=layout` gives the reasons against it.
std::optional<bool> preferTmaForLoadStore();

/// TILEIR_ALWAYS_SWIZZLE: set, also to `0` = layout conversions through shared
/// memory use the widest swizzle of the tile, at any cost.
bool alwaysSwizzle();

/// TILE_AS_DEBUG_UNLIMITED_SMEM: set, also to `0` or `false` = our checks have
/// no limit on shared memory.
bool unlimitedSharedMemory();

/// TILE_AS_DEBUG_VERBOSE: equals `1` (not `true`, not `01`) = prints each child
/// process with its arguments, status, time and memory, and the output of a
/// successful ptxas.
bool debugVerbose();

/// MLIR_ENABLE_EVO: set, also to nothing = one of the two conditions for
/// PTX_KNOBS_PATH.
bool enableEvo();

/// PTX_KNOBS_PATH: path, verbatim; with MLIR_ENABLE_EVO, ptxas gets it as
/// `--knobs-file=`.
std::optional<std::string> ptxKnobsPath();

/// CUDA_ROOT, CUDA_HOME, CUDA_PATH: the first that is set, even if empty or
/// wrong; it contains `<root>/bin/ptxas` (`tileiras`) and
/// `<root>/nvvm/libdevice`.
std::optional<std::string> cudaRoot();

/// PATH: finds ptxas where no variable above names it, and `nvdisasm`;
/// `tileiras` takes no program from an empty or relative element, and reports
/// it.
std::optional<std::string> searchPath();

/// TMPDIR, TMP, TEMP, TEMPDIR: the first that is set and not empty, else
/// `/tmp`; parent of the private folder.
std::string temporaryDirectory();

/// TILEIR_SEED_MODE: equals `1` = as `--seed-mode`.
bool seedMode();

/// TILEIR_NEWEST_RULES: equals `1` = `cuda_tile` text is verified by the rules
/// of release 13.5, as bytecode always is.
bool newestRules();

/// TILEIR_WARN_HINTS: equals `1` = as `-Wunsupported-hints` of
/// `tileir-translate`, in plugins, too: for callers that cannot put a flag
/// after the option that loads the plugin.
bool warnHints();

/// TILEIR_ERR_HINTS: equals `1` = as `-Werr-hints`, in plugins, too.
bool errorOnHints();

/// TILEIR_PTXAS_PATH: path of ptxas, not empty. `--ptxas-path` overrides it.
std::optional<std::string> ptxasPath();

/// TILEIR_TOOL_TIMEOUT: seconds for a run of ptxas or nvdisasm, 0 is no limit;
/// `--tool-timeout` overrides it.
std::optional<std::string> toolTimeout();

/// TILEIR_DEBUG: names of passes and analyses, separated by commas, whose
/// decisions go to stderr; `all` means every name.
bool debugs(std::string_view type);

/// TILEIR_STATISTICS: equals `1` = prints the counters of the passes to stderr.
bool statistics();

/// TILEIR_VERIFY_CONVERGENCE: equals `1` = searches the PTX for instructions of
/// whole warps (`.aligned`, `bar.sync`, full masks) that only a part of a warp
/// may reach; each is an error. Tests set it.
bool verifyConvergence();

/// Maximum static shared memory of a block in bytes, for the compiler: the
/// target's cap, lifted by `unlimitedSharedMemory`.
int64_t sharedMemoryCap(const Target &target);

} // namespace tileir::gates

#endif // DIALECTS_SUPPORT_RUNTIMEGATES_H

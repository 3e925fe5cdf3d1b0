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

/// TILEIR_DELAY_TMA_STORE_WAIT: integer as `std::stoi` reads it (leading blanks
/// and a sign are fine, text behind the digits is ignored), else 0; a store by
/// tensor map waits until its buffer has been read only behind so many later
/// ones of its block. No digits, or a value that int does not hold, writes
/// `TILEIR_DELAY_TMA_STORE_WAIT: stoi` to stderr and aborts.
int delayTmaStoreWait();

/// TILEIR_DEBUG_DUMP_BC: set, also to `0` = the bitcode before code generation
/// is written beside the output, also of a failed run, never through a link;
/// under a new name in the folder for temporary files when the output is no
/// file.
bool debugDumpBC();

/// TILEIR_DEBUG_DUMP_LLVM: set, also to `0` = the same with LLVM IR.
bool debugDumpLLVM();

/// TILEIR_PREFER_TMA_FOR_LOAD_STORE: `true` or `1`: from sm_90 on, every load
/// outside of loops and every store that may go by tensor map (TMA) does;
/// another value: no store does; unset: the compiler decides, and
/// `--remarks=layout` says where not and why.
std::optional<bool> preferTmaForLoadStore();

/// TILEIR_ALWAYS_SWIZZLE: set, also to `0` = layout changes through shared
/// memory use the widest swizzle that the tile has, whatever it costs.
bool alwaysSwizzle();

/// TILE_AS_DEBUG_UNLIMITED_SMEM: set, also to `0` or `false` = no limit on
/// shared memory in our checks.
bool unlimitedSharedMemory();

/// TILE_AS_DEBUG_VERBOSE: equals `1` (not `true`, not `01`) = each child
/// process with its arguments, status, time and memory, and what ptxas says of
/// a success.
bool debugVerbose();

/// MLIR_ENABLE_EVO: set, also to nothing = one half of what passes
/// PTX_KNOBS_PATH on.
bool enableEvo();

/// PTX_KNOBS_PATH: path as it stands; with MLIR_ENABLE_EVO, ptxas gets it as
/// `--knobs-file=`.
std::optional<std::string> ptxKnobsPath();

/// CUDA_ROOT, CUDA_HOME, CUDA_PATH: the first that is set, even if empty or
/// wrong; `<root>/bin/ptxas` (`tileiras`) and `<root>/nvvm/libdevice` are in
/// it.
std::optional<std::string> cudaRoot();

/// PATH: ptxas where nothing above named it, `nvdisasm`; `tileiras` takes no
/// program from an empty or relative element, and says so.
std::optional<std::string> searchPath();

/// TMPDIR, TMP, TEMP, TEMPDIR: the first that is set and not empty, else
/// `/tmp`; where the private folder is made.
std::string temporaryDirectory();

/// TILEIR_SEED_MODE: equals `1` = as `--seed-mode`.
bool seedMode();

/// TILEIR_NEWEST_RULES: equals `1` = `cuda_tile` text is verified by the rules
/// of release 13.5, as bytecode always is.
bool newestRules();

/// TILEIR_WARN_HINTS: equals `1` = as `-Wunsupported-hints` of
/// `tileir-translate`, in plugins, too: for callers that cannot place a flag
/// behind the option that loads the plugin.
bool warnHints();

/// TILEIR_ERR_HINTS: equals `1` = as `-Werr-hints`, in plugins, too.
bool errorOnHints();

/// TILEIR_PTXAS_PATH: path, not empty; the assembler. `--ptxas-path` beats it.
std::optional<std::string> ptxasPath();

/// TILEIR_TOOL_TIMEOUT: seconds that ptxas and nvdisasm may take, 0 is no
/// limit; `--tool-timeout` beats it.
std::optional<std::string> toolTimeout();

/// TILEIR_DEBUG: names of passes and analyses with commas between them, whose
/// decisions go to stderr; `all` stands for every name.
bool debugs(std::string_view type);

/// TILEIR_STATISTICS: equals `1` = what passes counted goes to stderr.
bool statistics();

/// TILEIR_VERIFY_CONVERGENCE: equals `1` = the PTX is searched for instructions
/// of whole warps (`.aligned`, `bar.sync`, full masks) that a part of one may
/// reach; each is an error. Tests have it on.
bool verifyConvergence();

/// Largest static shared memory of a block in bytes that the compiler plans
/// for: the target's cap, lifted by `unlimitedSharedMemory`.
int64_t sharedMemoryCap(const Target &target);

} // namespace tileir::gates

#endif // DIALECTS_SUPPORT_RUNTIMEGATES_H

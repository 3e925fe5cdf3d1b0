// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PTXAS_LOCATE_H
#define SERIALIZE_PTXAS_LOCATE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace tileir {

/// `getenv`, or a table in tests.
using GetEnv = llvm::function_ref<const char *(const char *)>;

/// The process's own environment.
const char *processEnv(const char *name);

/// The real path of the running program, symbolic links resolved.
std::string selfExecutable();

/// Value of the first of `CUDA_ROOT`, `CUDA_HOME`, `CUDA_PATH` that is set,
/// empty values included, and the variable's name.
struct CudaRootVariable {
  std::string name;
  std::string value;
};
std::optional<CudaRootVariable> cudaRootVariable(GetEnv env);

/// The toolkit root of the driver: the variable's raw value, else the parent of
/// the folder of `executable`; nothing when that folder does not exist.
std::optional<std::string> resolveCudaRootDriver(GetEnv env,
                                                 llvm::StringRef executable);

/// The toolkit root of the libdevice loader: the variable's raw value, else
/// empty. It has no fallback.
std::string resolveCudaRootNVVM(GetEnv env);

enum class LookupStyle {
  PathOnly, ///< `tileir-serialize`, seed mode
  /// The same without empty and relative elements of `PATH`, with which any
  /// user who can write to the working directory could choose the program.
  AbsolutePathOnly,
  /// `tileiras`: `<root>/bin`, then `PATH`, then its own installation: by pip
  /// in the same site-packages, by set-up below `TILEIR_TOOLKIT` (or its
  /// default place). The own installation comes first when the other program is
  /// too old. Only absolute elements of `PATH` count.
  RootFirst
};

struct ProgramLookup {
  /// Absolute or as given; empty when nothing was found.
  std::string path;
  /// Set by an option or by `TILEIR_PTXAS_PATH`.
  bool overridden = false;
  /// A file of this name that cannot be executed, when no other was found.
  bool notExecutable = false;
  /// The first program that was skipped because its folder is relative.
  std::string skipped;
  /// The program of our own installation, when the search found another one
  /// first: it replaces a program that is too old.
  std::string own;
  /// The searched places, in order, up to the one with the program.
  std::vector<std::string> probed;
  /// The places that were tried without success, in order, as text for users.
  std::vector<std::string> tried;
};

/// `override` is the option's value; `variable` names the environment variable
/// that may replace the lookup (null: none).
ProgramLookup locateProgram(llvm::StringRef name, llvm::StringRef override,
                            const char *variable, LookupStyle style, GetEnv env,
                            llvm::StringRef executable);

/// Input of the search for libdevice: its layers in the order of the
/// specification; the first existing file wins.
struct LibdeviceRequest {
  std::string explicitFile; ///< `--libdevice`
  std::string explicitRoot; ///< `--cuda-root`
  std::string ptxas;        ///< resolved program, for the last layer
  std::string executable;
};
struct LibdeviceResult {
  std::string path; ///< empty: not found
  std::vector<std::string> probed;
};
LibdeviceResult locateLibdevice(const LibdeviceRequest &request, GetEnv env);

} // namespace tileir

#endif // SERIALIZE_PTXAS_LOCATE_H

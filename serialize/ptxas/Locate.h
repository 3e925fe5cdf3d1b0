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
  /// The same without elements of `PATH` that are empty or relative: whoever
  /// can write to the working directory would choose the program.
  AbsolutePathOnly,
  /// `tileiras`: `<root>/bin`, then `PATH`, then what was installed for it: by
  /// pip in the site-packages that it lies in, by set-up below
  /// `TILEIR_TOOLKIT` (or its default place); before the first two when their
  /// program is too old. Of `PATH` the absolute elements.
  RootFirst
};

struct ProgramLookup {
  /// Absolute or as given; empty when nothing was found.
  std::string path;
  /// Set by an option or by `TILEIR_PTXAS_PATH`.
  bool overridden = false;
  /// A file of that name that cannot be executed, when no other was found.
  bool notExecutable = false;
  /// The first program that was not taken because its folder is relative.
  std::string skipped;
  /// The program of our own installation, when another one was found first: it
  /// is better than one that is too old.
  std::string own;
  /// Where it was looked for, in order, up to where it was found.
  std::vector<std::string> probed;
  /// Where nothing was found: the places in the order that they were tried, as
  /// texts for people.
  std::vector<std::string> tried;
};

/// `override` is the option's value; `variable` names the environment variable
/// that may replace the lookup (null: none).
ProgramLookup locateProgram(llvm::StringRef name, llvm::StringRef override,
                            const char *variable, LookupStyle style, GetEnv env,
                            llvm::StringRef executable);

/// Where libdevice is looked for, in order, given the layers of the
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

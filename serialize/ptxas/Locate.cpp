// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptxas/Locate.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <climits>
#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>

namespace tileir {

const char *processEnv(const char *name) { return ::getenv(name); }

std::string selfExecutable() {
  char buffer[PATH_MAX];
  ssize_t n = ::readlink("/proc/self/exe", buffer, sizeof(buffer) - 1);
  return n > 0 ? std::string(buffer, size_t(n)) : std::string();
}

std::optional<CudaRootVariable> cudaRootVariable(GetEnv env) {
  for (const char *name : {"CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"})
    if (const char *value = env(name))
      return CudaRootVariable{name, value};
  return std::nullopt;
}

static std::string parentOf(llvm::StringRef path) {
  size_t slash = path.rfind('/');
  if (slash == llvm::StringRef::npos)
    return ".";
  return slash == 0 ? "/" : path.take_front(slash).str();
}

static bool isDirectory(const std::string &path) {
  struct stat st;
  return ::stat(path.c_str(), &st) == 0 && S_ISDIR(st.st_mode);
}

static bool isRegular(const std::string &path) {
  struct stat st;
  return ::stat(path.c_str(), &st) == 0 && S_ISREG(st.st_mode);
}

static bool isExecutable(const std::string &path) {
  return isRegular(path) && ::access(path.c_str(), X_OK) == 0;
}

std::optional<std::string> resolveCudaRootDriver(GetEnv env,
                                                 llvm::StringRef executable) {
  if (std::optional<CudaRootVariable> variable = cudaRootVariable(env))
    return variable->value;
  if (executable.empty())
    return std::nullopt;
  std::string root = parentOf(parentOf(executable));
  if (!isDirectory(root))
    return std::nullopt;
  return root;
}

std::string resolveCudaRootNVVM(GetEnv env) {
  std::optional<CudaRootVariable> variable = cudaRootVariable(env);
  return variable ? variable->value : std::string();
}

/// The toolkits of our own installation, nearest first: the wheels that pip
/// puts next to our own, where the program lies in `site-packages/tileir/bin`;
/// the pinned one, where tools/setup/setup.sh puts it.
static std::vector<std::string> ownToolkits(GetEnv env,
                                            llvm::StringRef executable) {
  std::vector<std::string> roots;
  if (!executable.empty())
    roots.push_back(parentOf(parentOf(parentOf(executable))) + "/nvidia/cu13");
  std::string folder;
  if (const char *set = env("TILEIR_TOOLKIT"))
    folder = set;
  else if (const char *home = env("HOME"))
    folder = std::string(home) + "/.local/share/tileir";
  roots.push_back(folder + "/cuda-13.5.37/nvidia/cu13");
  return roots;
}

ProgramLookup locateProgram(llvm::StringRef name, llvm::StringRef override,
                            const char *variable, LookupStyle style, GetEnv env,
                            llvm::StringRef executable) {
  ProgramLookup lookup;
  if (!override.empty()) {
    lookup.path = override.str();
    lookup.overridden = true;
    return lookup;
  }
  if (variable) {
    const char *value = env(variable);
    if (value && *value) {
      lookup.path = value;
      lookup.overridden = true;
      return lookup;
    }
  }
  std::string own;
  std::vector<std::string> ownPlaces;
  if (style == LookupStyle::RootFirst)
    for (const std::string &root : ownToolkits(env, executable)) {
      ownPlaces.push_back(root + "/bin/" + name.str());
      if (own.empty() && isExecutable(ownPlaces.back()))
        own = ownPlaces.back();
    }
  auto found = [&](const std::string &path) {
    lookup.path = path;
    if (path != own)
      lookup.own = own;
    return lookup;
  };
  if (style == LookupStyle::RootFirst) {
    std::optional<std::string> root = resolveCudaRootDriver(env, executable);
    if (root && !root->empty()) {
      std::string candidate = *root + "/bin/" + name.str();
      lookup.probed.push_back(candidate);
      if (isExecutable(candidate))
        return found(candidate);
      std::optional<CudaRootVariable> variable = cudaRootVariable(env);
      lookup.tried.push_back(
          "'" + candidate + "' (" +
          (variable ? variable->name : "beside this program's folder") + ")");
    }
  }
  const char *path = env("PATH");
  llvm::SmallVector<llvm::StringRef, 16> folders;
  if (path)
    llvm::StringRef(path).split(folders, ':');
  std::string refused;
  for (llvm::StringRef folder : folders) {
    std::string candidate =
        (folder.empty() ? std::string(".") : folder.str()) + "/" + name.str();
    if (style != LookupStyle::PathOnly && !folder.starts_with("/")) {
      if (lookup.skipped.empty() && isExecutable(candidate))
        lookup.skipped = candidate;
      continue;
    }
    lookup.probed.push_back(candidate);
    if (isExecutable(candidate))
      return found(candidate);
    if (!isRegular(candidate))
      continue;
    if (refused.empty())
      refused = candidate;
  }
  llvm::append_range(lookup.probed, ownPlaces);
  if (!own.empty() && refused.empty())
    return found(own);
  lookup.path = refused;
  lookup.notExecutable = !refused.empty();
  lookup.tried.push_back(path ? "the folders of PATH" : "PATH, which is unset");
  for (const std::string &place : ownPlaces)
    lookup.tried.push_back("'" + place + "' (" +
                           (&place != &ownPlaces.back() ? "a package of pip"
                            : env("TILEIR_TOOLKIT") ? "TILEIR_TOOLKIT"
                                                    : "what set-up installs") +
                           ")");
  return lookup;
}

LibdeviceResult locateLibdevice(const LibdeviceRequest &request, GetEnv env) {
  LibdeviceResult result;
  auto probe = [&](const std::string &path) {
    result.probed.push_back(path);
    if (!isRegular(path))
      return false;
    result.path = path;
    return true;
  };
  auto below = [](const std::string &root) {
    return root + "/nvvm/libdevice/libdevice.10.bc";
  };
  if (!request.explicitFile.empty()) {
    probe(request.explicitFile);
    return result;
  }
  if (!request.explicitRoot.empty()) {
    probe(below(request.explicitRoot));
    return result;
  }
  // A wrong root ends the search; later layers are not tried.
  std::string root = resolveCudaRootNVVM(env);
  if (!root.empty()) {
    probe(below(root));
    return result;
  }
  if (std::optional<std::string> driver =
          resolveCudaRootDriver(env, request.executable);
      driver && !driver->empty() && probe(below(*driver)))
    return result;
  if (!request.ptxas.empty()) {
    char resolved[PATH_MAX];
    std::string program = request.ptxas;
    if (::realpath(program.c_str(), resolved))
      program = resolved;
    if (probe(below(parentOf(program) + "/..")))
      return result;
  }
  for (const std::string &own : ownToolkits(env, request.executable))
    if (probe(below(own)))
      break;
  return result;
}

} // namespace tileir

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tile IR is compiled by calling `tileiras`.
#include "tools/launch/FatBinary.h"
#include "tools/launch/Kernel.h"
#include "tools/launch/Run.h"

#include <cstdlib>
#include <cstring>

#include <elf.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tileir::launch {

using namespace cases;

static bool endsWith(const std::string &s, const char *tail) {
  size_t n = std::strlen(tail);
  return s.size() >= n && s.compare(s.size() - n, n, tail) == 0;
}

std::optional<KernelForm> formOfKernel(const std::string &path,
                                       const std::string &bytes) {
  if (bytes.compare(0, 7, "\x7fTileIR") == 0 || endsWith(path, ".mlir"))
    return KernelForm::TileIR;
  if (holdsFatBinary(bytes))
    return KernelForm::FatBinary;
  if (bytes.compare(0, SELFMAG, ELFMAG) == 0)
    return KernelForm::Cubin;
  if (endsWith(path, ".ptx"))
    return KernelForm::PTX;
  return std::nullopt;
}

static bool exists(const std::string &path) {
  struct stat st;
  return stat(path.c_str(), &st) == 0;
}

/// The `tileiras` beside this program, else the one on the path.
static std::string findCompiler(const Options &options) {
  if (!options.compiler.empty())
    return options.compiler;
  if (const char *env = std::getenv("TILEIRAS"))
    return env;
  char self[4096];
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n > 0) {
    self[n] = 0;
    std::string folder(self);
    folder.resize(folder.rfind('/'));
    for (const char *place : {"/tileiras", "/../tileiras/tileiras"})
      if (exists(folder + place) &&
          access((folder + place).c_str(), X_OK) == 0) {
        struct stat st;
        if (stat((folder + place).c_str(), &st) == 0 && S_ISREG(st.st_mode))
          return folder + place;
      }
  }
  return "tileiras";
}

static int run(const std::vector<std::string> &argv, std::string &output) {
  int fds[2];
  if (pipe(fds))
    return -1;
  pid_t pid = fork();
  if (pid < 0)
    return -1;
  if (pid == 0) {
    dup2(fds[1], 1);
    dup2(fds[1], 2);
    close(fds[0]);
    close(fds[1]);
    std::vector<char *> args;
    for (const std::string &a : argv)
      args.push_back(const_cast<char *>(a.c_str()));
    args.push_back(nullptr);
    execvp(args[0], args.data());
    _exit(127);
  }
  close(fds[1]);
  char buffer[4096];
  ssize_t n;
  while ((n = read(fds[0], buffer, sizeof buffer)) > 0)
    output.append(buffer, size_t(n));
  close(fds[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool compileKernel(const Options &options, const std::string &kernel,
                   const std::string &arch, const std::string &emit,
                   const std::string &output, std::string &error,
                   const std::string &sidecar, const std::string &form) {
  std::string compiler = findCompiler(options), text;
  std::string base = arch; // tileiras names chips without a suffix.
  while (!base.empty() && (base.back() == 'a' || base.back() == 'f'))
    base.pop_back();
  std::vector<std::string> command = {
      compiler,         kernel, "--gpu-name", base, "-O" + options.optLevel,
      "--emit=" + emit, "-o",   output};
  // Findings name the line of the kernel's source.
  if (emit == "ptx")
    command.push_back("--lineinfo");
  if (!sidecar.empty())
    command.push_back("--launch-sidecar=" + sidecar);
  if (!form.empty())
    command.push_back("--launch-abi=" + form);
  int status = run(command, text);
  if (status == 0)
    return true;
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  error = status == 127 && text.empty()
              ? "cannot run '" + compiler +
                    "'; put tileiras beside tileir-run or on the path"
              : "compiling '" + kernel + "' failed with status " +
                    std::to_string(status) + (text.empty() ? "" : ": " + text);
  return false;
}

} // namespace tileir::launch

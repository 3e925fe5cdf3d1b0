// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serialize/ptxas/Session.h"

#include "dialects/support/RuntimeGates.h"
#include "dialects/support/Target.h"
#include "serialize/elf/Cubin.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace tileir {

/// Seconds that `ptxas --version` may take; it needs a few milliseconds.
static constexpr double probeSeconds = 10;

ToolSession::ToolSession(const Reporter &reporter, SessionOptions opts)
    : reporter(reporter), options(std::move(opts)),
      ptxasLookup(locateProgram("ptxas", options.ptxasPath, "TILEIR_PTXAS_PATH",
                                options.lookup, processEnv, selfExecutable())) {
}

ToolSession::~ToolSession() {
  probe.reset();
  abandon();
}

void ToolSession::abandon() {
  // The guard still watches over the directory while it is removed; a second
  // attempt follows when a process of a child has written there in the
  // meantime.
  bool removed = removeDirectory();
  processGuard.finish();
  if (!removed)
    removeDirectory();
}

void ToolSession::startGuard() {
  if (options.guardChildren && !processGuard.active())
    processGuard.start();
}

void ToolSession::startReleaseProbe() {
  if (probed || probe || ptxasLookup.path.empty())
    return;
  ChildRequest request;
  request.path = ptxasLookup.path;
  request.argv = {options.form == ArgvForm::Seed ? "ptxas" : ptxasLookup.path,
                  "--version"};
  request.timeoutSeconds = probeSeconds;
  request.maxStdout = request.maxStderr = 1 << 20;
  probe = std::make_unique<ChildProcess>();
  probe->spawn(request, &processGuard);
}

PtxasRelease ToolSession::release() {
  if (probed)
    return *probed;
  startReleaseProbe();
  probed = PtxasRelease();
  if (probe) {
    ChildResult child = probe->wait();
    probe.reset();
    if (child.kind == ChildResult::Kind::Exited && child.code == 0)
      probed = parsePtxasRelease(child.out);
  }
  if (probed->tooOld() && !ptxasLookup.own.empty()) {
    ptxasLookup.path = std::exchange(ptxasLookup.own, "");
    probed.reset();
    return release();
  }
  return *probed;
}

/// Names the program of the previous message. Does not query the release of a
/// program that was killed.
void ToolSession::nameAssembler(bool ask) {
  if (ask)
    release();
  std::string text = "ptxas is '" + escaped(ptxasLookup.path) + "', ";
  if (probed && probed->named)
    text += "release " + llvm::utostr(probed->major) + "." +
            llvm::utostr(probed->minor);
  else
    text += "release unknown";
  if (probed && probed->tooOld())
    text += "; 13.0 is the oldest that works";
  reporter.note(text);
}

//===----------------------------------------------------------------------===//
// Private directory
//===----------------------------------------------------------------------===//

/// Makes a folder for us and the children. A umask may clear bits of the owner,
/// which are set again.
static bool makePrivateFolder(const std::string &path) {
  if (::mkdir(path.c_str(), 0700) != 0)
    return false;
  if (::fchmodat(AT_FDCWD, path.c_str(), 0700, AT_SYMLINK_NOFOLLOW) == 0)
    return true;
  int error = errno;
  ::rmdir(path.c_str());
  errno = error;
  return false;
}

std::string ToolSession::pathOf(llvm::StringRef name) const {
  return (directory.empty() ? std::string("<private dir>") : directory) + "/" +
         name.str();
}

Status ToolSession::makeDirectory() {
  if (!directory.empty())
    return Status::Success;
  std::string folder = gates::temporaryDirectory();
  auto fail = [&](int error) {
    return reporter.error(options.fileStatus,
                          "cannot create a private directory in '" +
                              escaped(folder) + "': " + strerror(error));
  };
  // The children run in another working directory.
  char absolute[PATH_MAX];
  if (!::realpath(folder.c_str(), absolute))
    return fail(errno);
  // Works like mkdtemp, but the guard knows the name before the directory
  // exists: it never outlives a kill.
  constexpr char letters[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  std::string name;
  for (int attempt = 0;; ++attempt) {
    unsigned char random[6];
    if (::getentropy(random, sizeof(random)) != 0)
      return fail(errno);
    name = std::string(absolute) + "/tileir-serialize-";
    for (unsigned char byte : random)
      name += letters[byte % (sizeof(letters) - 1)];
    processGuard.announceDirectory(name);
    if (makePrivateFolder(name))
      break;
    int error = errno;
    processGuard.forget(name);
    if (error != EEXIST || attempt == 100)
      return fail(error);
  }
  int fd =
      ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat st;
  bool ours = fd >= 0 && ::fstat(fd, &st) == 0 && st.st_uid == ::geteuid() &&
              (st.st_mode & 0777) == 0700;
  int error = fd < 0 ? errno : EPERM;
  if (fd >= 0)
    ::close(fd);
  if (!ours) {
    ::rmdir(name.c_str());
    processGuard.forget(name);
    return fail(error);
  }
  directory = name;
  return Status::Success;
}

Status ToolSession::writeFile(llvm::StringRef name, llvm::StringRef bytes,
                              std::string &path) {
  if (Status status = makeDirectory(); status != Status::Success)
    return status;
  path = pathOf(name);
  // A second run in this directory replaces the files of the first.
  ::unlink(path.c_str());
  int fd = ::open(path.c_str(),
                  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  int error = fd < 0 || ::fchmod(fd, 0600) != 0 ? errno : 0;
  while (fd >= 0 && !error && !bytes.empty()) {
    ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      error = n < 0 ? errno : ENOSPC;
    else
      bytes = bytes.drop_front(size_t(n));
  }
  if (fd >= 0 && ::close(fd) != 0 && !error)
    error = errno;
  if (error)
    return reporter.error(options.fileStatus, "cannot write '" + escaped(path) +
                                                  "': " + strerror(error));
  return Status::Success;
}

bool ToolSession::removeDirectory() {
  return directory.empty() || removeFolder(directory.c_str());
}

//===----------------------------------------------------------------------===//
// ptxas
//===----------------------------------------------------------------------===//

PtxasCommand ToolSession::command(const AssembleRequest &request) {
  // A newer program exists for the case that this one is too old.
  if (!ptxasLookup.own.empty())
    release();
  PtxasCommand command;
  command.form = options.form;
  command.program = ptxasLookup.path.empty() ? "ptxas" : ptxasLookup.path;
  command.arch = request.arch;
  command.optLevel = request.optLevel;
  if (options.form == ArgvForm::Driver) {
    command.ptxFile = pathOf("module.ptx");
    command.outputFile = pathOf("module.bin");
  } else if (request.ptx.size() <= maxInlinePTX) {
    command.inlinePTX = request.ptx.str();
  } else {
    command.ptxFile = pathOf("module.ptx");
  }
  command.extendedSharedMemory = request.extendedSharedMemory;
  if (!request.nvHostFile.empty())
    command.nvHost = request.nvHostFile;
  else if (!request.hostObject.empty())
    command.nvHost = pathOf("host.o");
  // The presence of both variables decides, with any values.
  if (gates::enableEvo())
    command.knobsFile = gates::ptxKnobsPath();
  command.leadingOptions = request.leadingOptions;
  command.trailingOptions = request.trailingOptions;
  command.sanitizeMemcheck = request.sanitizeMemcheck;
  command.relocatable = request.relocatable;
  return command;
}

/// Keeps a relative knobs path verbatim in the command: ptxas runs in a folder
/// of the private directory in which a link of the same name leads to the file.
/// The folder is as deep as the path climbs above its start. Returns the
/// folder.
std::string ToolSession::linkRelativeKnobs(PtxasCommand &command) {
  if (!command.knobsFile || command.knobsFile->empty() ||
      command.knobsFile->front() == '/')
    return directory;
  char cwd[PATH_MAX];
  if (!::getcwd(cwd, sizeof(cwd)))
    return directory;
  std::string absolute = std::string(cwd) + "/" + *command.knobsFile;
  llvm::SmallVector<llvm::StringRef, 8> parts;
  llvm::StringRef(*command.knobsFile).split(parts, '/', -1, false);
  int depth = 0, lowest = 0;
  for (llvm::StringRef part : parts) {
    depth += part == ".." ? -1 : part != ".";
    lowest = std::min(lowest, depth);
  }
  // For no file, or a path deeper than `removeFolder` goes, ptxas gets a name
  // that leads to the same place.
  if (parts.back() == "." || parts.back() == ".." ||
      parts.size() + size_t(-lowest) + 2 > maxFolderDepth) {
    command.knobsFile = absolute;
    return directory;
  }
  std::string folder = pathOf("knobs");
  makePrivateFolder(folder);
  for (; lowest < 0; ++lowest)
    makePrivateFolder(folder += "/in");
  std::string path = folder;
  for (llvm::StringRef part : llvm::ArrayRef(parts).drop_back()) {
    if (part == "..")
      path.resize(path.rfind('/'));
    else if (part != ".")
      makePrivateFolder(path += "/" + part.str());
  }
  path += "/" + parts.back().str();
  // Without the link ptxas reports itself that it cannot read the file.
  ::unlink(path.c_str());
  (void)!::symlink(absolute.c_str(), path.c_str());
  return folder;
}

static std::string readWhole(const std::string &path) {
  std::string bytes;
  // The child made the file, under a umask that may have cleared our bits.
  (void)::fchmodat(AT_FDCWD, path.c_str(), 0600, AT_SYMLINK_NOFOLLOW);
  int fd = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0)
    return bytes;
  struct stat st;
  if (::fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
    bytes.reserve(size_t(st.st_size));
    char buffer[1 << 16];
    for (;;) {
      ssize_t n = ::read(fd, buffer, sizeof(buffer));
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        break;
      bytes.append(buffer, size_t(n));
    }
  }
  ::close(fd);
  return bytes;
}

void ToolSession::describeChild(const PtxasCommand &command,
                                const ChildResult &child) {
  if (!options.verbose)
    return;
  reporter.note(
      llvm::formatv("ran {0} in '{1}': status {2}, {3:F3} s wall, {4:F3} s "
                    "cpu, {5} KiB",
                    quoteArgv(command), directory,
                    child.kind == ChildResult::Kind::Exited
                        ? llvm::itostr(child.code)
                        : std::string("abnormal"),
                    child.wallSeconds, child.cpuSeconds, child.peakKiB)
          .str());
}

static bool isText(llvm::StringRef bytes) {
  return !bytes.starts_with("\x7f"
                            "ELF") &&
         bytes.find('\0') == llvm::StringRef::npos;
}

Status ToolSession::reportFailure(llvm::StringRef program,
                                  const std::string &path,
                                  const ChildResult &child, bool forwarded) {
  if (!forwarded) {
    reporter.forward(child.err);
    if (isText(child.out))
      reporter.forward(child.out);
  }
  Status status = explainFailure(program, path, child);
  // The message names a program that could not be executed.
  bool exited = child.kind == ChildResult::Kind::Exited;
  if (program == "ptxas" && child.kind != ChildResult::Kind::SpawnFailed &&
      !(exited && (child.code == 126 || child.code == 127)))
    nameAssembler(/*ask=*/exited || child.kind == ChildResult::Kind::Signaled);
  return status;
}

/// Reports a failed child in lines of our own.
Status ToolSession::explainFailure(llvm::StringRef program,
                                   const std::string &path,
                                   const ChildResult &child) {
  std::string name = program.str();
  auto fail = [&](const std::string &text) {
    return reporter.error(Status::Compile, text);
  };
  auto cannotExecute = [&](const std::string &note) {
    Status status = fail(name + ": Program could not be executed");
    reporter.note(note);
    return status;
  };
  auto notFound = [&] {
    Status status = cannotExecute(
        path.empty() || !llvm::StringRef(path).contains('/')
            ? "exit status 127: '" + name +
                  "' was not found on PATH; add the toolkit bin directory to "
                  "PATH"
            : "exit status 127: '" + escaped(path) + "' does not exist");
    if (program == "ptxas" && path.empty()) {
      reporter.note("tried in this order: TILEIR_PTXAS_PATH, which is unset; " +
                    escaped(llvm::join(ptxasLookup.tried, "; ")));
      reporter.note("name one by TILEIR_PTXAS_PATH or --ptxas-path; 'pip "
                    "install nvidia-cuda-nvcc' brings one");
    }
    if (options.lookup == LookupStyle::PathOnly && !ptxasLookup.overridden) {
      std::optional<std::string> root =
          resolveCudaRootDriver(processEnv, selfExecutable());
      if (root) {
        std::string beside = *root + "/bin/" + name;
        if (::access(beside.c_str(), X_OK) == 0)
          reporter.note("'" + escaped(beside) + "' exists but is not used");
      }
    }
    return status;
  };
  switch (child.kind) {
  case ChildResult::Kind::Exited:
    if (child.code == 126)
      return cannotExecute("exit status 126: found but not executable: " +
                           escaped(path));
    // The program itself existed; a script returns this status for a program
    // that it calls.
    if (child.code == 127)
      return cannotExecute("exit status 127: a program that '" + escaped(path) +
                           "' starts was not found");
    fail(name + " exited with status " + llvm::itostr(child.code));
    if (llvm::StringRef(child.err).contains("Unknown option '-knobs-file'"))
      reporter.note("this " + name +
                    " has no --knobs-file; unset MLIR_ENABLE_EVO or "
                    "PTX_KNOBS_PATH");
    return Status::Compile;
  case ChildResult::Kind::Signaled:
    return fail(name + ": " + signalText(child.code) +
                (child.coreDumped ? " (core dumped)" : ""));
  case ChildResult::Kind::TimedOut:
    return fail(name + ": Child timed out");
  case ChildResult::Kind::Unkillable:
    return fail(name + ": Child timed out but wouldn't die");
  case ChildResult::Kind::TooMuchOutput:
    return fail(name + " produced too much output");
  case ChildResult::Kind::SpawnFailed:
    break;
  }
  switch (child.code) {
  case ENOENT:
    // A script whose interpreter is missing also ends here.
    if (path.empty() || ::access(path.c_str(), F_OK) != 0)
      return notFound();
    return cannotExecute("exit status 126: found but not executable: " +
                         escaped(path) + ": its interpreter does not exist");
  case EACCES:
  case ENOEXEC:
  case EPERM:
  case ELOOP:
  case ENOTDIR:
    return cannotExecute("exit status 126: found but not executable: " +
                         escaped(path) + ": " + strerror(child.code));
  default:
    return fail("Couldn't spawn " + name + ": " + strerror(child.code));
  }
}

/// Reports a program that the search skipped.
static void noteSkipped(ProgramLookup &lookup, const Reporter &reporter) {
  if (!lookup.skipped.empty())
    reporter.note("'" + escaped(lookup.skipped) +
                  "' is not used: its folder is an empty or relative element "
                  "of PATH");
  lookup.skipped.clear();
}

/// Rejects a ptxas that is older than the chip, and names a release that
/// supports it. Chips that every supported release knows need no query.
Status ToolSession::checkRelease(llvm::StringRef arch) {
  std::optional<Target> target = Target::parse(arch.str());
  unsigned oldest = target ? target->ptxasMinimum() : 0;
  if (oldest <= limits::ptxasOldest || !release().named ||
      release().atLeast(oldest / 100, oldest % 100))
    return Status::Success;
  Status status = reporter.error(
      Status::Compile,
      llvm::formatv(
          "this ptxas does not know '{0}'; release {1}.{2} is the first "
          "that does",
          arch, oldest / 100, oldest % 100)
          .str());
  nameAssembler(/*ask=*/false);
  return status;
}

Status ToolSession::assemble(const AssembleRequest &request,
                             AssembleResult &result) {
  noteSkipped(ptxasLookup, reporter);
  if (ptxasLookup.path.empty() || ptxasLookup.notExecutable) {
    ChildResult missing;
    missing.code = ptxasLookup.notExecutable ? EACCES : ENOENT;
    return reportFailure("ptxas", ptxasLookup.path, missing, false);
  }
  if (Status status = checkRelease(request.arch); status != Status::Success)
    return status;
  if (Status status = makeDirectory(); status != Status::Success)
    return status;
  PtxasCommand cmd = command(request);
  std::string written;
  if (!cmd.inlinePTX)
    if (Status status = writeFile("module.ptx", request.ptx, written);
        status != Status::Success)
      return status;
  if (request.nvHostFile.empty() && !request.hostObject.empty()) {
    if (Status status = writeFile("host.o", request.hostObject, written);
        status != Status::Success)
      return status;
  } else if (!request.nvHostFile.empty() && request.nvHostFile[0] != '/') {
    char resolved[PATH_MAX];
    if (::realpath(request.nvHostFile.c_str(), resolved))
      cmd.nvHost = resolved;
  }
  std::string folder = linkRelativeKnobs(cmd);

  std::string product;
  if (options.form == ArgvForm::Driver) {
    product = cmd.outputFile;
    ::unlink(product.c_str());
  } else {
    product = folder + "/elf.o";
    ::unlink(product.c_str());
    // Without -o ptxas writes `elf.o`; through this link it writes to the pipe.
    if (::access("/proc/self/fd", X_OK) == 0 &&
        ::symlink("/proc/self/fd/1", product.c_str()) != 0)
      return reporter.error(options.fileStatus, "cannot write '" +
                                                    escaped(product) +
                                                    "': " + strerror(errno));
  }

  ChildRequest child;
  child.path = ptxasLookup.path;
  if (child.path[0] != '/') {
    char resolved[PATH_MAX];
    if (::realpath(child.path.c_str(), resolved))
      child.path = resolved;
  }
  child.directory = folder;
  child.timeoutSeconds = options.timeoutSeconds;
  child.argv = buildPtxasArgv(cmd);
  ChildResult ran;
  {
    ChildProcess process;
    int error = process.spawn(child, &processGuard);
    if (error == E2BIG && cmd.inlinePTX) {
      // The environment leaves too little room for the PTX among the arguments.
      cmd.inlinePTX.reset();
      if (Status status = writeFile("module.ptx", request.ptx, cmd.ptxFile);
          status != Status::Success)
        return status;
      child.argv = buildPtxasArgv(cmd);
      process.spawn(child, &processGuard);
    }
    ran = process.wait();
  }
  describeChild(cmd, ran);
  result.log = ran.err;
  if (ran.kind != ChildResult::Kind::Exited || ran.code != 0)
    return reportFailure("ptxas", ptxasLookup.path, ran, false);

  bool fromStdout = options.form == ArgvForm::Seed &&
                    llvm::StringRef(ran.out).starts_with("\x7f"
                                                         "ELF");
  result.cubin = fromStdout ? std::move(ran.out) : readWhole(product);
  bool missing = !llvm::StringRef(result.cubin)
                      .starts_with("\x7f"
                                   "ELF");
  if (missing || request.forwardWarnings) {
    reporter.forward(ran.err);
    if (!fromStdout && missing && isText(ran.out))
      reporter.forward(ran.out);
  }
  Status status =
      acceptCubin(result.cubin, request.arch, request.strictCubin, reporter);
  if (status != Status::Success)
    nameAssembler(/*ask=*/true);
  return status;
}

Status ToolSession::disassemble(llvm::ArrayRef<std::string> tokens,
                                llvm::StringRef cubin, std::string &text) {
  if (tokens.empty())
    return reporter.error(Status::Config,
                          "Please provide a valid dumpSassCommand. For "
                          "example, `nvdisasm -c`.");
  std::string path;
  if (Status status = writeFile("module.cubin", cubin, path);
      status != Status::Success)
    return status;
  ChildRequest request;
  llvm::StringRef name = tokens.front();
  if (name.contains('/')) {
    request.path = name.str();
  } else {
    ProgramLookup lookup = locateProgram(name, "", nullptr,
                                         options.lookup == LookupStyle::PathOnly
                                             ? LookupStyle::PathOnly
                                             : LookupStyle::AbsolutePathOnly,
                                         processEnv, selfExecutable());
    noteSkipped(lookup, reporter);
    request.path = lookup.path;
  }
  request.argv.assign(tokens.begin(), tokens.end());
  request.argv.push_back(path);
  request.directory = directory;
  request.timeoutSeconds = options.timeoutSeconds;
  ChildResult ran;
  if (request.path.empty())
    ran.code = ENOENT;
  else
    ran = runChild(request, &processGuard);
  if (ran.kind != ChildResult::Kind::Exited || ran.code != 0)
    return reportFailure(name, request.path, ran, false);
  reporter.forward(ran.err);
  text = std::move(ran.out);
  return Status::Success;
}

} // namespace tileir

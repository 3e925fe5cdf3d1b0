// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SERIALIZE_PROCESS_PROCESS_H
#define SERIALIZE_PROCESS_PROCESS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/types.h>
#include <vector>

namespace tileir {

/// A forked helper that cleans up after a killed tool: children run in its
/// process group, and when the tool ends for any reason, it removes the
/// announced files and kills the group.
///
/// Start it before the first thread is created.
class ProcessGuard {
public:
  ProcessGuard() = default;
  ProcessGuard(const ProcessGuard &) = delete;
  ProcessGuard &operator=(const ProcessGuard &) = delete;
  /// Ends the guard and every process left in its group.
  ~ProcessGuard();

  /// Returns false when no guard could be started; children then stay in the
  /// tool's own group.
  bool start();
  bool active() const { return pid > 0; }
  pid_t group() const { return pid; }

  /// Tells the guard what to remove if the tool dies: files, and directories of
  /// our own with everything in them.
  void announceFile(std::string_view path) { announce('F', path); }
  void announceDirectory(std::string_view path) { announce('D', path); }
  /// The path belongs to another process.
  void forget(std::string_view path) { announce('X', path); }

  /// Kills every process of the group, the guard included, and reaps the guard.
  void finish();

private:
  void announce(char kind, std::string_view path);

  pid_t pid = -1;
  int control = -1;
};

/// Maximum depth of nested folders for `removeFolder`.
inline constexpr unsigned maxFolderDepth = 128;

/// Removes `path` with all contents, whatever a child left there; does not
/// follow links. Async-signal-safe. Returns false when something could not be
/// removed.
bool removeFolder(const char *path);

struct ChildRequest {
  /// Without a slash it is looked for on the path.
  std::string path;
  std::vector<std::string> argv;
  /// Working directory; empty inherits.
  std::string directory;
  /// Wall-clock seconds until the child is killed; 0 waits for ever.
  double timeoutSeconds = 0;
  uint64_t maxStdout = (uint64_t(1) << 32) - 1;
  uint64_t maxStderr = uint64_t(256) << 20;
  /// Standard error goes where standard output goes, to `out`.
  bool mergesStreams = false;
  /// Output beyond a limit is dropped; else the child is killed.
  bool dropsExcess = false;
};

struct ChildResult {
  enum class Kind {
    Exited,        ///< `code` is the exit status
    Signaled,      ///< `code` is the signal
    SpawnFailed,   ///< `code` is the errno of the spawn
    TimedOut,      ///< killed at the deadline
    Unkillable,    ///< killed at the deadline and not gone 5 s later
    TooMuchOutput, ///< killed because a capture limit was reached
  };
  Kind kind = Kind::SpawnFailed;
  int code = 0;
  bool coreDumped = false;
  std::string out;
  std::string err;
  double wallSeconds = 0;
  double cpuSeconds = 0;
  long peakKiB = 0;
};

/// One child with both of its streams captured.
class ChildProcess {
public:
  ChildProcess() = default;
  ChildProcess(const ChildProcess &) = delete;
  ChildProcess &operator=(const ChildProcess &) = delete;
  /// A child that was never waited for is killed.
  ~ChildProcess();

  /// Returns 0 or the errno of the spawn.
  int spawn(const ChildRequest &request, const ProcessGuard *guard);
  ChildResult wait();

private:
  bool drain(int timeoutMs);
  void closePipes();
  bool reap(double seconds, int &status, struct rusage &usage);

  ChildRequest request;
  ChildResult result;
  double started = 0;
  pid_t pid = -1;
  pid_t group = -1;
  int pipes[2] = {-1, -1};
};

/// Spawns and waits.
ChildResult runChild(const ChildRequest &request, const ProcessGuard *guard);

/// `Segmentation fault` and so on, from a fixed table, not from the locale.
std::string signalText(int signal);

} // namespace tileir

#endif // SERIALIZE_PROCESS_PROCESS_H

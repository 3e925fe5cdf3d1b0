// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Child programs, worker processes, and their scratch folder. A child dies with
// its parent, and the folder is removed at the end of the run.

#ifndef TOOLS_PROCESS_PROCESS_H
#define TOOLS_PROCESS_PROCESS_H

#include <functional>
#include <string>
#include <vector>

namespace tileir {

struct ProgramResult {
  /// The exit code, or 128 and the signal.
  int status = 0;
  bool timedOut = false;
  /// Standard output and standard error together.
  std::string output;
};

/// Runs a program to its end, or for `seconds` at most. What it has started
/// dies with it.
ProgramResult runProgram(const std::vector<std::string> &argv, double seconds);

/// Searches for the program `name` if `path` is empty: beside this program,
/// then on the path. Returns false with `error` set if it is missing.
bool findProgram(const std::string &name, std::string &path,
                 std::string &error);

/// Runs `work(i)` for each `i` below `count` in a process of its own, `jobs` at
/// a time. `done` receives each result in the order of `i`, and decides whether
/// to go on. A lost result has the status of its process.
struct WorkResult {
  int status = 0;
  bool timedOut = false;
  std::string text;
};
void runWorkers(unsigned count, unsigned jobs, double seconds,
                const std::function<std::string(unsigned)> &work,
                const std::function<bool(unsigned, const WorkResult &)> &done);

/// Quotes `word` as one word of a shell.
std::string quoteWord(const std::string &word);

/// Creates a folder below the temporary folder. It is removed at the end, also
/// when this process is terminated. Returns an empty path on failure.
std::string makeScratchFolder();
void removeScratchFolder();

/// Creates a folder inside, by name.
std::string makeFolder(const std::string &parent, const std::string &name);

} // namespace tileir

#endif // TOOLS_PROCESS_PROCESS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Other programs, worker processes, and the folder that they write to. Nothing
// is left behind: a child dies with its parent, the folder goes with the run.

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

/// Looks for the program `name` where `path` is empty: beside this one, then on
/// the path. False with `error` set when it is missing.
bool findProgram(const std::string &name, std::string &path,
                 std::string &error);

/// Runs `work(i)` for each `i` below `count` in a process of its own, `jobs` at
/// a time. `done` gets what each returned, in the order of `i`; a result that
/// could not be returned has the status of the process. `done` says whether to
/// go on.
struct WorkResult {
  int status = 0;
  bool timedOut = false;
  std::string text;
};
void runWorkers(unsigned count, unsigned jobs, double seconds,
                const std::function<std::string(unsigned)> &work,
                const std::function<bool(unsigned, const WorkResult &)> &done);

/// Returns `word` as one word of a shell.
std::string quoteWord(const std::string &word);

/// A new folder below the temporary one that goes away at the end and when this
/// process is told to end. Empty when it cannot be made.
std::string makeScratchFolder();
void removeScratchFolder();

/// A new folder inside, by name.
std::string makeFolder(const std::string &parent, const std::string &name);

} // namespace tileir

#endif // TOOLS_PROCESS_PROCESS_H

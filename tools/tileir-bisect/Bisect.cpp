// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tileir-bisect/Bisect.h"

#include "dialects/support/Output.h"
#include "tools/cases/Case.h"
#include "tools/process/Process.h"

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include <sys/stat.h>

namespace tileir::bisect {

namespace {

/// Enabled parts of the compiler: the first so many optional passes, and LLVM
/// passes; negative: all.
struct Limits {
  int optional = -1;
  int llvm = -1;
};

class Bisection {
public:
  explicit Bisection(const Options &options) : options(options) {}

  int run();

private:
  static constexpr double kSeconds = 600;

  int fail(const std::string &message) const {
    std::fprintf(stderr, "error: %s\n", message.c_str());
    return 2;
  }

  bool prepare(std::string &error);
  /// Writes a program that compiles within `limits`.
  std::string writeCompiler(const Limits &limits) const;
  /// Compiles within `limits` and returns the output.
  std::string compile(const Limits &limits) const;
  /// Returns the list of passes; the words of the list that a limit changes
  /// name the pass at that position.
  std::string passes(int optional) const;
  std::string nameOfOptional(int count) const;
  /// Returns the last LLVM pass within a limit, and the function that it runs
  /// on.
  std::string nameOfLlvm(int count) const;
  /// Returns the verdict of tileir-check: agrees, mismatch, finding, …
  std::string judge(const Limits &limits);
  bool isRight(const Limits &limits) { return judge(limits) == "agrees"; }
  /// Returns the smallest wrong count; `low` is right, `high` is wrong.
  int search(int low, int high, const std::function<bool(int)> &isRight) const;
  double cycles(const Limits &limits) const;

  int bySpeed();
  int report(const std::string &kind, const std::string &name, int count,
             const std::string &limit) const;

  const Options &options;
  cases::Case theCase;
  std::string arch, chip, bytecode;
  /// For the user: a command that makes the bytecode of a kernel that is text,
  /// and the name of the bytecode.
  std::string translation, kernel;
  std::string problem; ///< Last output of tileir-check.
};

} // namespace

bool Bisection::prepare(std::string &error) {
  if (!cases::loadCase(options.caseFile, theCase, error))
    return false;
  arch = !options.arch.empty()  ? options.arch
         : theCase.arch.empty() ? "sm_90"
                                : theCase.arch;
  chip = arch;
  while (!chip.empty() && (chip.back() == 'a' || chip.back() == 'f'))
    chip.pop_back();
  kernel = bytecode = theCase.resolve(theCase.kernel);
  std::string bytes;
  if (!cases::readText(bytecode, bytes, error))
    return false;
  if (bytes.compare(0, 7, "\x7fTileIR") == 0)
    return true;
  std::string text = bytecode;
  bytecode = options.scratch + "/kernel.tileirbc";
  // The scratch folder ends with this run.
  kernel = "kernel.tileirbc";
  translation = options.tileirTranslate + " --mlir-to-cudatilebc --lineinfo " +
                quoteWord(text) + " -o " + kernel + " && ";
  ProgramResult made =
      runProgram({options.tileirTranslate, "--mlir-to-cudatilebc", "--lineinfo",
                  text, "-o", bytecode},
                 kSeconds);
  if (made.status != 0)
    error = "the kernel of the case is no Tile IR: " + made.output;
  return made.status == 0;
}

std::string Bisection::writeCompiler(const Limits &limits) const {
  std::string text =
      "#!/bin/sh\nexec " + quoteWord(options.tileiras) + " \"$@\"";
  std::string pipeline = options.pipeline;
  if (limits.optional >= 0)
    pipeline += (pipeline.empty() ? "" : " ") +
                std::string("optional-passes=") +
                std::to_string(limits.optional);
  if (!pipeline.empty())
    text += " --pass-pipeline=" + quoteWord("tileir{" + pipeline + "}");
  if (limits.llvm >= 0)
    text += " --opt-bisect-limit=" + std::to_string(limits.llvm);
  std::string path = options.scratch + "/tileiras";
  if (!writeFile(path, text + "\n").empty() || chmod(path.c_str(), 0755) != 0)
    return options.tileiras;
  return path;
}

std::string Bisection::compile(const Limits &limits) const {
  std::vector<std::string> command = {options.tileiras,
                                      bytecode,
                                      "--gpu-name=" + chip,
                                      "-O" + options.optLevel,
                                      "--emit=ptx",
                                      "-o",
                                      options.scratch + "/kernel.ptx",
                                      "--print-pipeline",
                                      "--opt-bisect-limit=" +
                                          std::to_string(limits.llvm)};
  std::string pipeline = options.pipeline;
  if (limits.optional >= 0)
    pipeline += " optional-passes=" + std::to_string(limits.optional);
  command.push_back("--pass-pipeline=tileir{" + pipeline + "}");
  return runProgram(command, kSeconds).output;
}

std::string Bisection::passes(int optional) const {
  std::string printed = compile({optional, -1});
  size_t at = printed.find("builtin.module(");
  return at == std::string::npos
             ? ""
             : printed.substr(at, printed.find('\n', at) - at);
}

std::string Bisection::nameOfOptional(int count) const {
  std::string with = passes(count), without = passes(count - 1);
  size_t at = 0;
  while (at < with.size() && at < without.size() && with[at] == without[at])
    ++at;
  // The difference may begin within a name, or at the brackets around it.
  while (at > 0 && (std::isalnum((unsigned char)with[at - 1]) ||
                    with[at - 1] == '-' || with[at - 1] == '_'))
    --at;
  for (;;) {
    size_t end = at;
    while (end < with.size() &&
           (std::isalnum((unsigned char)with[end]) || with[end] == '-' ||
            with[end] == '_' || with[end] == '.'))
      ++end;
    // An anchor is not a pass.
    if (end > at && (end == with.size() || with[end] != '('))
      return with.substr(at, end - at);
    if (end == with.size())
      return "";
    at = end + 1;
  }
}

std::string Bisection::nameOfLlvm(int count) const {
  std::string printed = compile({-1, count}), name;
  const std::string mark = "BISECT: running pass (";
  for (size_t at = 0; (at = printed.find(mark, at)) != std::string::npos;) {
    size_t from = printed.find(") ", at) + 2;
    name = printed.substr(from, printed.find('\n', at) - from);
    at = from;
  }
  return name;
}

std::string Bisection::judge(const Limits &limits) {
  ProgramResult said = runProgram(
      {options.tileirCheck, options.caseFile, "--verdict", "--arch=" + arch,
       "--opt=" + options.optLevel, "--tileiras=" + writeCompiler(limits),
       "--tileir-run=" + options.tileirRun},
      kSeconds);
  problem = said.output;
  return problem.substr(0, problem.find_first_of(":\n"));
}

int Bisection::search(int low, int high,
                      const std::function<bool(int)> &isRight) const {
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    (isRight(middle) ? low : high) = middle;
  }
  return high;
}

int Bisection::report(const std::string &kind, const std::string &name,
                      int count, const std::string &limit) const {
  std::printf("culprit: %s\n"
              "%s %d: the kernel is right without it and wrong with it\n"
              "replay: %s%s %s -o kernel.cubin --gpu-name %s -O%s %s\n",
              name.c_str(), kind.c_str(), count, translation.c_str(),
              options.tileiras.c_str(), quoteWord(kernel).c_str(), chip.c_str(),
              options.optLevel.c_str(), limit.c_str());
  return 0;
}

int Bisection::run() {
  std::string error;
  if (!prepare(error))
    return fail(error);
  if (options.bySpeed)
    return bySpeed();
  std::string all = judge({});
  if (all == "agrees") {
    std::printf("nothing to find: %s\n", problem.c_str());
    return 1;
  }
  if (all != "mismatch" && all != "finding" && all != "broken" &&
      all != "refused")
    return fail("the case says nothing about the compiler: " + problem);
  std::printf("%s", problem.c_str());
  std::fflush(stdout);
  // More optional passes than there are.
  constexpr int kMax = 256;
  if (isRight({0, -1})) {
    int count = search(0, kMax, [&](int n) { return isRight({n, -1}); });
    std::string pipeline =
        options.pipeline.empty() ? "" : options.pipeline + " ";
    return report("optional pass", nameOfOptional(count), count,
                  "--pass-pipeline=" +
                      quoteWord("tileir{" + pipeline + "optional-passes=" +
                                std::to_string(count) + "}"));
  }
  if (!isRight({-1, 0}))
    return fail("wrong without all optional passes, and wrong without LLVM's: "
                "a pass that cannot be left out, or ptxas");
  std::string printed = compile({-1, -1});
  int total = 0;
  for (size_t at = 0; (at = printed.find("BISECT: ", at)) != std::string::npos;
       ++at)
    ++total;
  int count = search(0, total, [&](int n) { return isRight({-1, n}); });
  return report("LLVM's pass", nameOfLlvm(count), count,
                "--opt-bisect-limit=" + std::to_string(count));
}

double Bisection::cycles(const Limits &limits) const {
  ProgramResult said =
      runProgram({options.tileirRun, options.caseFile, "--arch=" + arch,
                  "--opt=" + options.optLevel, "--timing=json",
                  "--compiler=" + writeCompiler(limits)},
                 kSeconds);
  size_t at = said.output.find("\"cycles\": ");
  return at == std::string::npos ? -1
                                 : std::atof(said.output.c_str() + at + 10);
}

int Bisection::bySpeed() {
  std::string full = passes(-1), culprit;
  if (full.empty())
    return fail("the kernel does not compile: " + compile({}));
  double before = cycles({0, -1});
  if (before < 0)
    return fail("the kernel does not run without optional passes");
  std::printf("%12.0f  no optional pass\n", before);
  for (int count = 1;; ++count) {
    double after = cycles({count, -1});
    std::string name = nameOfOptional(count);
    if (after < 0)
      std::printf("%12s  %s\n", "fails", name.c_str());
    else
      std::printf("%12.0f  %s\n", after, name.c_str());
    std::fflush(stdout);
    if (after >= 0 && before >= 0 && culprit.empty() &&
        (after > 1.02 * before || after < 0.98 * before))
      culprit = name + (after > before ? ": slower" : ": faster");
    before = after;
    if (passes(count) == full)
      break;
  }
  if (culprit.empty()) {
    std::printf("nothing to find: no pass changes the estimate by more than "
                "2%%\n");
    return 1;
  }
  std::printf("culprit: %s\n", culprit.c_str());
  return 0;
}

int run(const Options &options) { return Bisection(options).run(); }

} // namespace tileir::bisect
